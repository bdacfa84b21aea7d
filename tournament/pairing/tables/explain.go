package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Explanation holds the reasons for a round.
type Explanation struct {
	Tables []TableReasons // in the order of Round.Tables
}

// TableReasons are the reasons for a table.
type TableReasons struct {
	Board   int
	Seats   []SeatReasons
	Met     []Meeting // pairs at the table with earlier meetings
	Partner [][2]int  // partners, where partners change
}

// SeatReasons are the reasons for the place of an entry.
type SeatReasons struct {
	Number int
	Points int         // in tenths
	Had    int         // how often the entry had this seat before
	After  int         // how often it sat directly before its next neighbour
	Other  Alternative // the best round with this entry exchanged
}

// Meeting is a pair that met before.
type Meeting struct {
	A, B  int
	Times int
}

// Alternative is a round with two entries exchanged: the first criterion that makes it worse.
type Alternative struct {
	With      int    // number of the other entry; 0 for no alternative
	Criterion string // "" if it is as good as the round in all that was proved
	Level     int    // of P and M: number of meetings
	More      int64  // increase of the criterion; 0 for T
}

func (d *draw) explain() Explanation {
	var out Explanation
	for k, t := range d.best {
		r := TableReasons{Board: k + 1}
		for s, i := range t {
			next := t[(s+1)%len(t)]
			r.Seats = append(r.Seats, SeatReasons{
				Number: d.entry(i).Number, Points: d.entry(i).Points,
				Had: int(d.had[d.seated[i]][s+1]), After: int(d.before[d.seated[i]][d.seated[next]]),
				Other: d.alternative(k, i),
			})
			for _, j := range t[s+1:] {
				if times := d.mets[i][j]; times > 0 {
					r.Met = append(r.Met, Meeting{A: d.entry(i).Number, B: d.entry(j).Number, Times: int(times)})
				}
			}
		}
		if d.rotated {
			way, _ := d.bestWay(slices.Sorted(slices.Values(t)))
			n := d.numbers(way[:])
			r.Partner = [][2]int{{n[0], n[1]}, {n[2], n[3]}}
		}
		out.Tables = append(out.Tables, r)
	}
	return out
}

// alternative returns the best round with entry i of table k exchanged for an entry of another table.
func (d *draw) alternative(k, i int) Alternative {
	var best words
	with, at := -1, -1
	own := slices.Sorted(slices.Values(d.best[k]))
	for l, other := range d.best {
		if l == k {
			continue
		}
		theirs := slices.Sorted(slices.Values(other))
		for _, j := range theirs {
			a, b := exchanged(own, i, j), exchanged(theirs, j, i)
			if d.hasBarred(a) || d.hasBarred(b) {
				continue
			}
			change := d.minus(d.plus(d.cost(a), d.cost(b)), d.plus(d.cost(own), d.cost(theirs)))
			if with < 0 || d.less(change, best) {
				best, with, at = change, j, l
			}
		}
	}
	if with < 0 {
		return Alternative{}
	}
	out := Alternative{With: d.entry(with).Number, Criterion: "T"}
	theirs := slices.Sorted(slices.Values(d.best[at]))
	for _, c := range d.criteria {
		before := d.value(c, own) + d.value(c, theirs)
		after := d.value(c, exchanged(own, i, with)) + d.value(c, exchanged(theirs, with, i))
		if after != before {
			out.Criterion = c.name
			out.Level = c.level
			out.More = after - before
			break
		}
	}
	return out
}

// exchanged returns a table in ascending order with an entry in the place of another.
func exchanged(t []int, leaves, comes int) []int {
	out := slices.Clone(t)
	out[slices.Index(out, leaves)] = comes
	slices.Sort(out)
	return out
}

func (p *problem) hasBarred(t []int) bool {
	for k, i := range t {
		if p.barredAt(t[:k], i) {
			return true
		}
	}
	return false
}

// criterionWords describe what a criterion counts.
var criterionWords = map[string]sentence.Sentence{
	"P": sentence.New("partners again"), "M": sentence.New("meetings again"),
	"K": sentence.New("pairs of one club at a table"),
	"O": sentence.New("entries at a table of another size once more"),
	"L": sentence.New("points at the tables of another size"),
	"G": sentence.New("differences of points at the tables"), "W": sentence.New("differences between the sides"),
	"F": sentence.New("distances between unequal places"), "D": sentence.New("mixture of strong and weak among equals"),
	"E": sentence.New("equal strength of the tables"), "T": sentence.New("the order of places"),
}

// Words returns the reasons in English; name returns the name of a number.
func (r TableReasons) Words(name func(int) string) string { return r.Sentence(name).String() }

// Sentence returns the reasons for people; name returns the name of a number.
func (r TableReasons) Sentence(name func(int) string) sentence.Sentence {
	var parts []string
	for _, s := range r.Seats {
		parts = append(parts, fmt.Sprintf("%s (%s)", name(s.Number), tournament.Points(s.Points)))
	}
	out := []sentence.Sentence{sentence.New("Table %d: %s.", r.Board, strings.Join(parts, ", "))}
	met := slices.Clone(r.Met)
	slices.SortStableFunc(met, func(a, b Meeting) int { return cmp.Compare(b.Times, a.Times) })
	for _, m := range met {
		out = append(out, sentence.New("%s and %s met before, %d×.", name(m.A), name(m.B), m.Times))
	}
	if len(met) == 0 {
		out = append(out, sentence.New("All meet for the first time."))
	}
	for _, side := range r.Partner {
		out = append(out, sentence.New("%s and %s are partners.", name(side[0]), name(side[1])))
	}
	for k, s := range r.Seats {
		out = append(out, sentence.New("%s has seat %d, had before %d×.", name(s.Number), k+1, s.Had))
		switch {
		case s.Other.With == 0:
		case s.Other.Criterion == "T":
			out = append(out, sentence.New("In exchange for %s all would be equal: the order of places decides (T).",
				name(s.Other.With)))
		case s.Other.Level > 0:
			out = append(out, sentence.New("In exchange for %s: %s (%s), %s of those who did so %d× before.",
				name(s.Other.With), criterionWords[s.Other.Criterion], s.Other.Criterion, fmt.Sprintf("%+d", s.Other.More),
				s.Other.Level))
		default:
			out = append(out, sentence.New("In exchange for %s: %s (%s), %s.",
				name(s.Other.With), criterionWords[s.Other.Criterion], s.Other.Criterion, fmt.Sprintf("%+d", s.Other.More)))
		}
	}
	return sentence.Join(" ", out...)
}
