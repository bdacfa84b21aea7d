// Package tables pairs rounds of tables for three to five entries ("table Swiss") by our own regulation: the criteria
// below decide, in this order, and two programs that follow them draw the same tables.
//
// # What is decided, in this order
//
//	byes    as few as possible; then fewest byes had, fewest points, last in the order
//	sizes   most tables of the preferred size, then fewest tables; the first list that forbidden pairs allow
//	P       partners again (partners change)            fewest pairs, most often partners first
//	M       meetings again (meetings first)             fewest pairs, most often met first
//	K       pairs of the same club at a table           fewest
//	O       tables of another size: at them before      fewest rounds
//	L       tables of another size: points              fewest
//	G       squares of differences of points            least
//	M       meetings again (meetings second)            as above
//	W       squares of differences between the sides    least (partners change)
//	F       unequal points: distances in the order      least
//	D       equal points: distances in the order        greatest
//	E       equal points: squares of these distances    greatest
//	T       the numbers of the tables in the order      lexicographically least
//	seats   had least often; then neighbours least often; then the worse standing first
//
// All criteria but T are sums over tables and are packed into words of 63 bits, most important first.
//
// # How the best round is found
//
// Up to [ExactLimit] seated entries by dynamic programming over subsets (exact.go): every criterion is proved. Above, a
// local search (search.go) finds a good round; then criterion by criterion a linear program over all tables that are
// still possible bounds what can be reached (prove.go), its prices rule tables out, and a branch and bound closes the
// gap, if any (branch.go). The [Certificate] records how far the proof came. All searches are bounded by
// counted steps and use arithmetic that is the same on every machine.
package tables

import (
	"slices"

	"quatuor/tournament"
)

// ExactLimit is the largest number of seated entries with a proof of every criterion.
const ExactLimit = 20

// maxPoints bounds the points of an entry, in tenths, either way.
const maxPoints = 1_000_000

// Rules are the regulations of a table Swiss as far as they concern the draw.
type Rules struct {
	Sizes          []int   // allowed numbers of entries at a table: 3, 4, 5, ascending
	Preferred      int     // among Sizes
	MeetingsSecond bool    // scores count before meetings
	Clubs          bool    // entries of the same club are kept apart
	Unseeded       bool    // F, D and E are off
	Sides          [][]int // with changing partners: the seats of each side, for example {{1, 3}, {2, 4}}; else empty
}

// Rotate reports whether partners change every round.
func (r Rules) Rotate() bool { return len(r.Sides) > 0 }

// Entry is an entry that is present in the round to be drawn.
type Entry struct {
	Number int    `json:"n"`      // pairing number
	Points int    `json:"points"` // in tenths
	Club   string `json:"club"`   // "" for none
}

// Past is an earlier round, as far as it was played.
type Past struct {
	Tables [][]int `json:"tables"` // pairing numbers in the order of seats
	Byes   []int   `json:"byes"`   // pairing-allocated byes
}

// Field is the input of a draw.
type Field struct {
	Rules
	Forbidden [][2]int // pairs of numbers that may not meet
	Entries   []Entry  // present, by number ascending
	Rounds    []Past
}

// Round is a drawn round.
type Round struct {
	Byes        []int   // ascending
	Tables      [][]int // by number of the table, each in the order of seats
	Cost        Cost
	Certificate Certificate
}

// Cost is the cost of a round by each criterion. P and M count pairs by how often they met before, from the greatest
// number that occurs among all pairs of the present down to 1.
type Cost struct {
	P []int64 `json:"P"`
	M []int64 `json:"M"`
	K int64   `json:"K"`
	O int64   `json:"O"`
	L int64   `json:"L"`
	G int64   `json:"G"`
	W int64   `json:"W"`
	F int64   `json:"F"`
	D int64   `json:"D"`
	E int64   `json:"E"`
}

// Certificate lists the proved criteria: those before Criterion.
type Certificate struct {
	Criterion string  // the first that is not proved; "" if all are
	Value     []int64 // its value: a number, for P and M the vector; nil for T
	Bound     []int64 // a lower bound of the same length
}

// Optimal reports whether every criterion is proved.
func (c Certificate) Optimal() bool { return c.Criterion == "" }

// Draw returns the best round of the field. Errors wrap tournament.ErrInvalid for an inconsistent field, and
// tournament.ErrUnpairable if no entry can be seated or forbidden pairs leave no way.
func Draw(f Field) (Round, error) {
	d, err := newDraw(f)
	if err != nil {
		return Round{}, err
	}
	return d.round(), nil
}

// draw is a field with its best tables.
type draw struct {
	*problem
	best  [][]int // indices of problem, by number of the table, in the order of seats
	proof Certificate
}

func newDraw(f Field) (*draw, error) {
	p, err := problemOf(f)
	if err != nil {
		return nil, err
	}
	d := &draw{problem: p}
	if p.n <= ExactLimit {
		d.best = p.exact()
	} else {
		d.best, d.proof = p.prove()
	}
	for i, t := range d.best {
		d.best[i] = p.seat(t)
	}
	p.number(d.best)
	return d, nil
}

// problemOf returns the search for the tables of a field.
func problemOf(f Field) (*problem, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	past := newPast(f)
	seated, sizes, err := past.layout()
	if err != nil {
		return nil, err
	}
	return newProblem(past, seated, sizes)
}

// round returns the draw as numbers.
func (d *draw) round() Round {
	r := Round{Byes: d.byes(), Cost: d.costOf(d.best), Certificate: d.proof}
	for _, t := range d.best {
		r.Tables = append(r.Tables, d.numbers(t))
	}
	return r
}

// check returns an error if the field makes no sense.
func (f Field) check() error {
	for i, s := range f.Sizes {
		if s < 3 || s > 5 || i > 0 && s <= f.Sizes[i-1] {
			return tournament.NotValid("sizes must be some of 3, 4, 5 in this order, not %v", f.Sizes)
		}
	}
	if !slices.Contains(f.Sizes, f.Preferred) {
		return tournament.NotValid("the preferred size %d must be one of the sizes %v", f.Preferred, f.Sizes)
	}
	for i, e := range f.Entries {
		if e.Number < 1 || i > 0 && e.Number <= f.Entries[i-1].Number {
			return tournament.NotValid("entry %d: numbers must be 1 or more, ascending", e.Number)
		}
		if e.Points < -maxPoints || e.Points > maxPoints {
			return tournament.NotValid("entry %d: %d tenths of a point are more than can be counted", e.Number, e.Points)
		}
	}
	for _, pair := range f.Forbidden {
		if pair[0] == pair[1] {
			return tournament.NotValid("entry %d is forbidden to meet itself", pair[0])
		}
	}
	if err := f.checkSides(); err != nil {
		return err
	}
	for i, past := range f.Rounds {
		if err := past.check(); err != nil {
			return tournament.Refuse(err, "round %d", i+1)
		}
	}
	return nil
}

// checkSides returns an error if partners change and the sides are not two of two seats at tables of four.
func (f Field) checkSides() error {
	if !f.Rotate() {
		return nil
	}
	if len(f.Sizes) != 1 || f.Sizes[0] != 4 {
		return tournament.NotValid("partners change at tables of 4 only, not %v", f.Sizes)
	}
	pairs := !slices.ContainsFunc(f.Sides, func(side []int) bool { return len(side) != 2 })
	if seats := slices.Sorted(slices.Values(slices.Concat(f.Sides...))); !pairs || !slices.Equal(seats, []int{1, 2, 3, 4}) {
		return tournament.NotValid("sides must be two with two of the seats 1 to 4 each, not %v", f.Sides)
	}
	return nil
}

// check returns an error if an entry was at two places, or a table is too small or too large.
func (r Past) check() error {
	seen := map[int]bool{}
	take := func(numbers []int) error {
		for _, n := range numbers {
			if seen[n] || n < 1 {
				return tournament.NotValid("entry %d is named twice, or has no number", n)
			}
			seen[n] = true
		}
		return nil
	}
	for _, t := range r.Tables {
		if len(t) < 2 || len(t) > 5 {
			return tournament.NotValid("a table of %d; tables are for 3 to 5", len(t))
		}
		if err := take(t); err != nil {
			return err
		}
	}
	return take(r.Byes)
}
