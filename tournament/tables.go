package tournament

import (
	"slices"
)

// AtTables reports whether the tournament has tables of three to five instead of games of two.
func (t *Tournament) AtTables() bool { return t.Format.Tables() || t.Rules.Tables.Sizes != 0 }

// The sizes of tables.
const (
	MinTable = 3
	maxTable = 5

	// UsualTable is the preferred size where the variant allows it.
	UsualTable = 4
)

// TableSizes is a set of numbers of entries at a table, from 3 to 5.
type TableSizes uint8

// SizesOf returns the set of these sizes; those that no table can have are left out.
func SizesOf(sizes ...int) TableSizes {
	var s TableSizes
	for _, n := range sizes {
		if n >= MinTable && n <= maxTable {
			s |= 1 << n
		}
	}
	return s
}

// Has reports whether a size is in the set.
func (s TableSizes) Has(n int) bool { return n >= MinTable && n <= maxTable && s&(1<<n) != 0 }

// List returns the sizes in ascending order.
func (s TableSizes) List() []int {
	var out []int
	for n := MinTable; n <= maxTable; n++ {
		if s.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

// TableRules are the regulations of formats with tables ([Format.Tables]); the zero value is the default, and the only
// value in other formats. The draw itself is described in package tables.
type TableRules struct {
	// numbers of entries that a table may have; 0 for all that the variant allows
	Sizes TableSizes `json:"sizes,omitempty"`
	// preferred size, out of Sizes; 0 for four if Sizes has it, else the largest
	Preferred      int  `json:"preferred,omitempty"`
	MeetingsSecond bool `json:"meetings_second,omitempty"` // scores count before meetings
	Clubs          bool `json:"clubs,omitempty"`           // entries of the same club are kept apart
	Unseeded       bool `json:"unseeded,omitempty"`        // the initial order does not count among equal scores
	Rotate         bool `json:"rotate,omitempty"`          // players come alone and have a new partner in each round

	// Short lets a table play without absent entries, as long as at least three are present. Otherwise the arbiter
	// decides.
	Short bool `json:"short,omitempty"`
}

// MinShort is the minimum number of entries at a table that is played short.
const MinShort = 3

// Rotated are the sides of a table of four with changing partners, by seat from 0.
var Rotated = [2][2]int{{0, 2}, {1, 3}}

// For returns the shape of a game under the regulations of a tournament: with changing partners the entries of a
// variant of two sides are players, four at a table.
func (s Shape) For(r PairingRules) Shape {
	if r.Tables.Rotate && s.Min == 2 && s.Max == 2 && s.Members == 2 {
		return Shape{Min: UsualTable, Max: UsualTable, Members: 1}
	}
	return s
}

// sizes returns the sizes of tables for a variant of this shape.
func (s Shape) sizes() TableSizes {
	var out TableSizes
	for n := s.Min; n <= s.Max && s.Members == 1; n++ {
		out |= SizesOf(n)
	}
	return out
}

// checked returns the rules in canonical form. shape is that of a game under them; see [Shape.For].
func (r TableRules) checked(f Format, shape Shape, faults *FieldErrors) TableRules {
	if f.Traits().Sides == InEither && shape.sizes() == 0 {
		return TableRules{} // games of two
	}
	if !f.MayHaveTables() {
		if r != (TableRules{}) {
			faults.Add("pairing/tables", "only a %s or %s has tables, and this is a %s", TableSwiss, TableRoundRobin, f)
		}
		return r
	}
	allowed := shape.sizes()
	if allowed == 0 {
		return r // the variant does not suit the format, which [Settings] validation reports
	}
	if r.Sizes == 0 {
		r.Sizes = allowed
	}
	if r.Sizes&^allowed != 0 {
		faults.Add("pairing/tables/sizes", "tables of %v are not possible in this variant; choose from %v",
			(r.Sizes &^ allowed).List(), allowed.List())
		return r
	}
	if r.Preferred == 0 {
		r.Preferred = UsualTable
		if list := r.Sizes.List(); !r.Sizes.Has(UsualTable) && len(list) > 0 {
			r.Preferred = list[len(list)-1]
		}
	}
	if !r.Sizes.Has(r.Preferred) {
		faults.Add("pairing/tables/preferred", "%d is not one of the sizes %v", r.Preferred, r.Sizes.List())
	}
	if r.Rotate && !f.DrawsTables() {
		faults.Add("pairing/tables/partners", "partners change in a %s only", TableSwiss)
	}
	if !f.DrawsTables() && (r.MeetingsSecond || r.Clubs || r.Unseeded) {
		faults.Add("pairing/tables", "in a %s a plan decides who meets whom; meetings, clubs and seeding are for a %s",
			f, TableSwiss)
	}
	return r
}

// bound returns the rules that cannot change after the start.
func (r TableRules) bound() TableRules {
	r.Short = false
	return r
}

// PlacePoints are the points for the places at a table, first place first: of a table of n at index n−3. A list of
// zeros means n − rank.
type PlacePoints [maxTable - MinTable + 1][maxTable]Points

// Of returns the points for the places at a table of n.
func (p PlacePoints) Of(n int) []Points {
	out := make([]Points, n)
	if n >= MinTable && n <= maxTable && p[n-MinTable] != ([maxTable]Points{}) {
		copy(out, p[n-MinTable][:])
		return out
	}
	for i := range out {
		out[i] = Points(10 * (n - 1 - i))
	}
	return out
}

// check reports lists that give a worse place more points.
func (p PlacePoints) check(faults *FieldErrors) {
	for i, list := range p {
		n := i + MinTable
		for k, points := range list {
			switch {
			case points < 0 || k > 0 && points > list[k-1]:
				faults.Add("points/places",
					"the points for the places at a table of %d must fall from the first to the last, and be no less than 0", n)
			case k >= n && points != 0:
				faults.Add("points/places", "a table of %d has %d places", n, n)
			default:
				continue
			}
			break
		}
	}
}

// TablePoints returns the points of a format with tables: a win is the first place at a table of the preferred size,
// and a draw, a bye and a table that could not be played are worth the mean of its places, rounded down to tenths. With
// changing partners a win of the side is worth a point and a draw half a point, to both.
func TablePoints(r TableRules, places PlacePoints) PointSystem {
	if r.Rotate {
		return PointSystem{Win: 10, Draw: 5, ForfeitWin: 5, Bye: 5}
	}
	n := min(max(r.Preferred, MinTable), maxTable)
	list := places.Of(n)
	mean := sum(list) / Points(n)
	return PointSystem{Win: list[0], Draw: mean, ForfeitWin: mean, Bye: mean, Places: places}
}

func sum(points []Points) (total Points) {
	for _, p := range points {
		total += p
	}
	return total
}

// TableTotal returns the sum of the points awarded at a table of the preferred size; 0 in formats without tables.
func (s PointSystem) TableTotal(r TableRules) Points {
	switch {
	case r.Rotate:
		return 2*s.Win + 2*s.Loss
	case r.Preferred < MinTable || r.Preferred > maxTable:
		return 0
	}
	return sum(s.Places.Of(r.Preferred))
}

// Score returns the result of a verdict in this tournament, with its points.
func (t *Tournament) Score(seats int, v Verdict, source Source, reason string) *Result {
	r := t.Points.score(seats, v, source, reason)
	if t.Rules.Tables.Rotate && !v.Forfeit && seats == UsualTable {
		r.Points = t.Points.forSides(v.Ranks)
	}
	return r
}

// forSides returns the points by seat of a table with changing partners: both partners have those of their side.
func (s PointSystem) forSides(ranks []int) []Points {
	points := make([]Points, len(ranks))
	best, worst := 0, 0
	for _, rank := range ranks {
		if rank > 0 && (best == 0 || rank < best) {
			best = rank
		}
		worst = max(worst, rank)
	}
	for i, rank := range ranks {
		switch {
		case rank == 0:
			points[i] = s.ForfeitLoss
		case best == worst:
			points[i] = s.Draw
		case rank == best:
			points[i] = s.Win
		default:
			points[i] = s.Loss
		}
	}
	return points
}

// TableVerdict returns the verdict of a table of three to five. ranks are by seat; absent lists the seats, from 1, of
// absent entries, which are not ranked. Without ranks the table was not played. Errors wrap ErrInvalid.
func TableVerdict(seats int, ranks, absent []int) (Verdict, error) {
	if ranks != nil && len(ranks) != seats {
		return Verdict{}, NotValid("there are %d ranks for %d seats; write one rank for each seat", len(ranks), seats)
	}
	for _, seat := range absent {
		if seat < 1 || seat > seats {
			return Verdict{}, NotValid("there is no seat %d at a table of %d", seat, seats)
		}
	}
	if ranks == nil {
		return unplayedTable(seats, absent)
	}
	var present []int
	for i, rank := range ranks {
		if !slices.Contains(absent, i+1) {
			present = append(present, rank)
		}
	}
	v, err := RankVerdict(present)
	if err != nil || len(absent) == 0 {
		return v, err
	}
	out := make([]int, seats)
	for i := range out {
		if !slices.Contains(absent, i+1) {
			out[i], v.Ranks = v.Ranks[0], v.Ranks[1:]
		}
	}
	return Verdict{Ranks: out}, nil
}

// unplayedTable returns the verdict of a table that was not played because seats were absent.
func unplayedTable(seats int, absent []int) (Verdict, error) {
	v := Verdict{Forfeit: true}
	switch n := len(slices.Compact(slices.Sorted(slices.Values(absent)))); n {
	case 0:
		return v, NotValid("a result needs the ranks, or the seats whose entries did not come")
	case seats:
		return v, nil
	}
	v.Ranks = make([]int, seats)
	for i := range v.Ranks {
		if !slices.Contains(absent, i+1) {
			v.Ranks[i] = 1
		}
	}
	return v, nil
}

// Absent returns the seats, from 1, of a table of three or more that did not come.
func (v Verdict) Absent(seats int) []int {
	var out []int
	for i := 0; i < seats && seats > 2; i++ {
		if v.Ranks == nil && v.Forfeit || i < len(v.Ranks) && v.Ranks[i] == 0 {
			out = append(out, i+1)
		}
	}
	return out
}

// Places returns the ranks by seat, absent seats sharing the last place; nil for a table that was not played.
func (v Verdict) Places() []int {
	if !slices.Contains(v.Ranks, 0) {
		return v.Ranks
	}
	ranks := slices.Clone(v.Ranks)
	for i, rank := range ranks {
		if rank == 0 {
			ranks[i] = len(ranks) + 1
		}
	}
	return PlacesOf(ranks)
}

// checkTables returns an error for a round with tables that cannot be played: an entry has withdrawn since the round
// was drawn up or, after edits, the variant has no game for that number of entries.
func (t *Tournament) checkTables(r Round) error {
	if !t.AtTables() {
		return nil
	}
	for _, p := range r.Pairings {
		if p.Bye != NoBye || p.Result != nil {
			continue
		}
		if !t.Rules.Tables.Sizes.Has(len(p.Seats)) {
			return NotNow("table %d has %d entries, and %v are allowed; seat others there, or divide it up", p.Board,
				len(p.Seats), t.Rules.Tables.Sizes.List())
		}
		for _, id := range p.Seats {
			if e, _ := t.Entry(id); e.WithdrawnFrom > 0 && e.WithdrawnFrom <= r.Number {
				return NotNow("%s at table %d withdrew after the round was drawn up; delete the round and draw it up anew, or "+
					"seat another entry there", e.Name, p.Board)
			}
		}
	}
	return nil
}

// SideVerdict returns the verdict of a table with changing partners, from the duel's result of its sides: seats 1 and 3
// against 2 and 4.
func SideVerdict(v Verdict) Verdict {
	ranks := make([]int, UsualTable)
	for side, seats := range Rotated {
		for _, seat := range seats {
			ranks[seat] = v.Ranks[side]
			if v.Forfeit && ranks[seat] != 1 {
				ranks[seat] = 0 // that side did not come
			}
		}
	}
	v.Ranks = ranks
	if !v.Forfeit {
		v.Ranks = PlacesOf(ranks)
	}
	return v
}

// Sides returns the result of a table with changing partners as the result of its two sides, for example "1-0"; false
// for other tables.
func (t *Tournament) Sides(p Pairing) (string, bool) {
	if !t.Rules.Tables.Rotate || p.Result == nil || p.Result.Forfeit || len(p.Result.Ranks) != UsualTable ||
		slices.Contains(p.Result.Ranks, 0) {
		return "", false
	}
	return Verdict{Ranks: PlacesOf([]int{p.Result.Ranks[0], p.Result.Ranks[1]})}.String(), true
}

// RanksWithout returns ranks by seat as the places among the seats present.
func RanksWithout(ranks, absent []int) []int {
	out := make([]int, len(ranks))
	for i, rank := range ranks {
		out[i] = 1
		for j, other := range ranks {
			if !slices.Contains(absent, j+1) && other < rank {
				out[i]++
			}
		}
	}
	return out
}
