package tables

import (
	"encoding/json"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

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
