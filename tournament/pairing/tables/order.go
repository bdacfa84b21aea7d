package tables

import (
	"encoding/json"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// maxOrderWork bounds the work for criterion T.
const maxOrderWork = 150_000_000

// settleOrder makes the best round the first in the order of criterion T: entry by entry it tests whether a table with
// a smaller number is possible, keeping earlier entries in place. Every round of the remaining columns is as good by
// all other criteria. It returns whether that was settled.
func (v *prover) settleOrder() bool {
	cost := make([]int64, len(v.cols))
	lp := newProgram(v.problem, v.cols, cost, v.extra, v.want, nil)
	lp.begin(v.round())
	active := make([]int32, len(v.cols))
	for j := range active {
		active[j] = int32(j)
		lp.dead[j] = true
	}
	var leaders []int // the first at each table, by its number
	for i := range v.n {
		at := v.leader(i)
		for _, leader := range append(slices.Clone(leaders), i) {
			if leader == at {
				break
			}
			if !v.hasTogether(active, leader, i) {
				continue
			}
			b := branching{program: lp, most: 1, end: maxOrderWork, found: func(round []int32) int64 {
				v.best = v.tablesOf(round)
				return 0
			}}
			if b.run(together(v.cols, active, leader, i)) == 1 {
				continue
			}
			if b.most == 1 { // neither found nor ruled out
				return false
			}
			at = leader
			break
		}
		if at == i {
			for _, leader := range leaders {
				active = apart(v.cols, active, leader, i)
			}
			leaders = append(leaders, i)
		} else {
			active = together(v.cols, active, at, i)
		}
	}
	return true
}

// leader returns the first entry at the table of i in the best round.
func (v *prover) leader(i int) int {
	for _, t := range v.best {
		if slices.Contains(t, i) {
			return slices.Min(t)
		}
	}
	return i
}

// together returns the active columns that have both entries or neither.
func together(cols []column, active []int32, i, j int) []int32 {
	var out []int32
	for _, k := range active {
		if m := cols[k].mask; m>>i&1 == m>>j&1 {
			out = append(out, k)
		}
	}
	return out
}

// apart returns the active columns that do not have both entries.
func apart(cols []column, active []int32, i, j int) []int32 {
	var out []int32
	for _, k := range active {
		if m := cols[k].mask; m>>i&1 == 0 || m>>j&1 == 0 {
			out = append(out, k)
		}
	}
	return out
}

// hasTogether reports whether a column has both entries.
func (v *prover) hasTogether(active []int32, i, j int) bool {
	return slices.ContainsFunc(active, func(k int32) bool {
		m := v.cols[k].mask
		return m>>i&1 == 1 && m>>j&1 == 1
	})
}

// found is the result of a search, as it is kept for the reasons of the round.
type found struct {
	Tables [][]int     `json:"tables"` // as in Round
	Proof  Certificate `json:"proof"`
}

// PairAndKeep is Pair, and returns the round with its certificate for [pairing.History.Found].
func (p Pairer) PairAndKeep(h pairing.History) ([]tournament.Pairing, string, error) {
	round, err := Draw(p.field(h))
	if err != nil {
		return nil, "", err
	}
	return pairings(h, round), round.found(), nil
}

func (r Round) found() string {
	text, err := json.Marshal(found{r.Tables, r.Certificate})
	if err != nil {
		panic("tables: " + err.Error()) // plain values always encode
	}
	return string(text)
}

// keptDraw returns the draw of a field that was found before. It searches again where nothing was kept, or something
// that does not suit the field.
func keptDraw(f Field, text string) (*draw, error) {
	var kept found
	if text == "" || json.Unmarshal([]byte(text), &kept) != nil {
		return newDraw(f)
	}
	of, err := problemOf(f)
	if err != nil {
		return nil, err
	}
	best, ok := of.indices(kept.Tables)
	if !ok {
		return newDraw(f)
	}
	return &draw{problem: of, best: best, proof: kept.Proof}, nil
}

// indices returns tables of numbers as indices; false unless each seated entry is at exactly one table.
func (p *problem) indices(tables [][]int) (out [][]int, ok bool) {
	left := make(map[int]int, p.n) // index by number
	for i := range p.n {
		left[p.entry(i).Number] = i
	}
	for _, numbers := range tables {
		t := make([]int, len(numbers))
		for k, number := range numbers {
			t[k], ok = left[number]
			if !ok {
				return nil, false
			}
			delete(left, number)
		}
		out = append(out, t)
	}
	return out, len(left) == 0
}
