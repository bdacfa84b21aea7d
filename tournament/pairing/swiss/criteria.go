package swiss

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Criterion is a pairing criterion of C.04.3, Art. 2, or a step of the order in which candidates are generated.
type Criterion uint8

// The criteria, most important first. C5 is fixed before any bracket.
const (
	C1 Criterion = iota + 1
	C2
	C3
	C4
	C5
	C6
	C7
	C8
	C9
	C10
	C11
	C12
	C13
	C14
	C15
	C16
	C17
	C18
	C19
	C20
	C21
	Exchanges   // 3.6, 4.3: fewest players exchanged between the halves
	Differences // 4.3: the smallest difference between the exchanged
)

// place is where a vertex stands, seen from the bracket that is being paired.
type place uint8

const (
	mover    place = iota // moved down into the bracket (MDP)
	resident              // of the bracket's own score
	next                  // resident of the following bracket
	lower                 // of a still lower score
	nobody                // stands for staying unpaired in what is being looked at
	bye                   // stands for the pairing-allocated bye
)

// kind is what the criteria see of a vertex. Vertices of one kind are alike to them.
type kind struct {
	place    place
	score    tournament.Points // of movers and residents
	colour   pairing.Colour
	strength strength
	// Of those absolutely due a colour, where two of them may meet.
	difference int
	repeated   pairing.Colour
	down, up   [2]bool // had that float in the last round, in the one before
	unplayed   int     // rounds without a game, where C9 counts
	place2     int     // number within the remainder, from 1, where the order of exchanges counts
	upperHalf  bool    // belongs to S1 there
}

func (k kind) inside() bool { return k.place <= resident }

// criterionLevel is one number that a pairing has, to be made as small as possible after those of all levels before it.
type criterionLevel struct {
	criterion Criterion
	most      int64                 // no pairing has more
	cost      func(a, b kind) int64 // of an edge; a.place <= b.place
}

// scales is what the levels are counted by: the bracket's make-up.
type scales struct {
	movers      []tournament.Points // scores of the movers, one each, highest first
	residents   int
	wide        bool // players outside the bracket are in view
	nextPlayers int  // how many of them are residents of the following bracket
	byeCounts   bool // C9: the one who floats out gets the bye
	mostMissed  int  // most unplayed rounds
	exchanges   int  // players of the remainder whose order counts, 0 if it does not
	alike       bool // two who are absolutely due the same colour may meet
}

// levels lists the criteria that can make a difference, the most important first.
func (s scales) levels() []criterionLevel {
	var out []criterionLevel
	add := func(c Criterion, most int, cost func(a, b kind) int64) {
		if most > 0 {
			out = append(out, criterionLevel{c, int64(most), cost})
		}
	}
	steps := slices.Compact(slices.Clone(s.movers))
	count := func(score tournament.Points) int {
		first, _ := slices.BinarySearchFunc(s.movers, score, func(a, b tournament.Points) int { return int(b - a) })
		n := 0
		for _, m := range s.movers[first:] {
			if m == score {
				n++
			}
		}
		return n
	}
	size := len(s.movers) + s.residents
	if s.wide {
		add(C6, size, floatsOut)
	}
	for _, step := range steps {
		add(C7, count(step), func(a, b kind) int64 { return when(a.score == step && a.place == mover) * floatsOut(a, b) })
	}
	if s.wide && s.nextPlayers > 0 {
		add(C8, size+s.nextPlayers, missesNext)
		for _, step := range steps {
			add(C8, count(step), func(a, b kind) int64 {
				return when(a.place == mover && a.score == step) * floatsOut(a, b) * missesNext(a, b)
			})
		}
		add(C8, s.residents, func(a, b kind) int64 { return when(a.place == resident) * floatsOut(a, b) * missesNext(a, b) })
	}
	if s.byeCounts {
		add(C9, s.mostMissed, func(a, b kind) int64 { return when(a.inside() && b.place == bye) * int64(a.unplayed) })
	}
	if s.alike {
		add(C10, size/2, tooFarApart)
		add(C11, size/2, thirdInARow)
	}
	add(C12, size/2, colourDenied)
	add(C13, size/2, strongDenied)
	for back := range 2 {
		add(C14+Criterion(2*back), s.residents, func(a, b kind) int64 { return when(a.place == resident && a.down[back]) * floatsOut(a, b) })
		add(C15+Criterion(2*back), len(s.movers), func(a, b kind) int64 { return when(a.place == mover) * floatsUp(b, back) })
	}
	for back := range 2 {
		for _, step := range steps {
			add(C18+Criterion(2*back), count(step), func(a, b kind) int64 {
				return when(a.place == mover && a.score == step && a.down[back]) * floatsOut(a, b)
			})
		}
		for _, step := range steps {
			add(C19+Criterion(2*back), count(step), func(a, b kind) int64 {
				return when(a.place == mover && a.score == step) * floatsUp(b, back)
			})
		}
	}
	if s.exchanges > 0 {
		n := s.exchanges
		add(Exchanges, n/2, func(a, b kind) int64 { return when(a.place2 > 0 && b.place2 > 0 && !a.upperHalf && !b.upperHalf) })
		add(Differences, n*n/2, func(a, b kind) int64 {
			if a.place2 > 0 && b.place2 > 0 {
				return int64(min(a.place2, b.place2))
			}
			return 0
		})
	}
	return out
}

func when(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// floatsOut is C6: one of the bracket is not paired in it.
func floatsOut(a, b kind) int64 { return when(a.inside() && !b.inside()) }

// missesNext is C8: one who floats into the following bracket, or lives there, is not paired in it.
func missesNext(a, b kind) int64 { return when(a.place <= next && b.place > next) }

// tooFarApart is C10: somebody would have had one colour three times more often than the other.
func tooFarApart(a, b kind) int64 {
	return when(bothAbsolute(a, b) && a.difference > 1 && b.difference > 1)
}

// thirdInARow is C11: who does not get the colour due has the other for the third time running. That is the one with
// the smaller difference, or with equal ones (Art. 5.2.3) somebody only if both had the same twice.
func thirdInARow(a, b kind) int64 {
	if !bothAbsolute(a, b) {
		return 0
	}
	denied := other(a.colour)
	switch {
	case a.difference > b.difference:
		return when(b.repeated == denied)
	case a.difference < b.difference:
		return when(a.repeated == denied)
	}
	return when(a.repeated != 0 && a.repeated == b.repeated)
}

func bothAbsolute(a, b kind) bool {
	return colourDenied(a, b) > 0 && a.strength == absolute && b.strength == absolute
}

// colourDenied is C12: both are due the same colour.
func colourDenied(a, b kind) int64 { return when(b.inside() && a.colour != 0 && a.colour == b.colour) }

// strongDenied is C13: both are at least strongly due the same colour, and one not absolutely.
func strongDenied(a, b kind) int64 {
	return when(a.strength >= strong && b.strength >= strong && !bothAbsolute(a, b)) * colourDenied(a, b)
}

// floatsUp is C15 and C17: the opponent of a mover had an upfloat before.
func floatsUp(b kind, back int) int64 { return when(b.place == resident && b.up[back]) }
