package swiss

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Criterion is a pairing criterion of C.04.3, Art. 2, or a rule that decides between candidates that are equal by
// all of them.
type Criterion uint8

// The criteria, most important first. C5, the score of the player with the bye, is fixed before any bracket.
const (
	C1  Criterion = iota + 1 // no two meet twice
	C2                       // no player has two byes, or a bye after a win without playing
	C3                       // no player is denied a colour that is absolutely due (except topscorers)
	C4                       // all others can still be paired
	C5                       // the score of the player with the bye is the lowest
	C6                       // as many pairs as possible
	C7                       // the scores of the downfloaters are the lowest
	C8                       // C6 and C7 of the following bracket
	C9                       // the player with the bye has the fewest rounds without a game
	C10                      // fewest with a colour three times more often than the other
	C11                      // fewest with the same colour three times running
	C12                      // fewest denied a colour that is due
	C13                      // fewest denied a colour that is strongly due
	C14                      // fewest residents floating down as in the last round
	C15                      // fewest opponents of movers floating up as in the last round
	C16                      // C14 for the round before
	C17                      // C15 for the round before
	C18                      // smallest differences of score of movers that floated down in the last round
	// smallest differences of score to movers with opponents that floated up in the last round
	C19
	C20         // C18 for the round before
	C21         // C19 for the round before
	Exchanges   // fewest players exchanged between the halves of the remainder (Art. 4.3)
	Differences // smallest difference of the numbers exchanged (Art. 4.3)
	Sequence    // an earlier candidate is as good
	Ban         // the organiser keeps the two apart
	NotAllowed  // Ban, for readers without access to the forbidden pairs
)

// place is the position of a vertex, relative to the bracket that is being paired.
type place uint8

const (
	mover    place = iota // moved down into the bracket (MDP)
	resident              // of the bracket's own score
	next                  // resident of the following bracket
	lower                 // of a still lower score
	unpaired              // dummy vertex: its mate stays unpaired in what is in view
	bye                   // dummy vertex: its mate has the pairing-allocated bye
)

// kind holds the properties of a vertex that the criteria depend on. Vertices of the same kind are equivalent to them.
type kind struct {
	place    place
	score    tournament.Points // of movers and residents
	colour   pairing.Colour
	strength Strength
	// Of those absolutely due a colour, where two of them may meet:
	difference int
	repeated   pairing.Colour

	down, up [2]bool // had that float one round ago, two rounds ago
	unplayed int     // rounds without a game, where C9 counts
	sequence int     // number within the remainder, from 1, where exchanges count
	upper    bool    // belongs to S1 there
}

func (k kind) inside() bool { return k.place <= resident }

// level is a term of the lexicographic cost of a pairing: the levels before it are more important.
type level struct {
	criterion Criterion
	max       int64                 // upper bound of its total
	cost      func(a, b kind) int64 // of an edge, a.place <= b.place
}

// scope is the view of a search. The levels follow from it.
type scope struct {
	movers      []tournament.Points // scores of the movers, highest first, repeated if equal
	residents   int
	wide        bool // players outside the bracket are in view
	nextPlayers int  // how many of them are residents of the following bracket
	byeCounts   bool // C9: the player that floats out gets the bye
	maxUnplayed int  // greatest number of unplayed rounds
	alike       bool // two players with the same absolute colour preference may meet
	exchanges   int  // players of the remainder if their order counts, 0 if it does not
}

// step is a score of movers and their number.
type step struct {
	score tournament.Points
	count int
}

// steps returns the movers' scores, highest first.
func (s scope) steps() []step {
	var out []step
	for i, score := range s.movers {
		if i == 0 || score != s.movers[i-1] {
			out = append(out, step{score: score})
		}
		out[len(out)-1].count++
	}
	return out
}

// levels returns the levels that can make a difference, the most important first.
func (s scope) levels() []level {
	all := slices.Concat(s.floatLevels(), s.nextLevels(), s.byeLevels(), s.colourLevels(), s.repeatLevels(),
		s.orderLevels())
	return slices.DeleteFunc(all, func(l level) bool { return l.max == 0 })
}

func (s scope) size() int { return len(s.movers) + s.residents }

// floatLevels returns C6 and C7. In view of the bracket alone, the number left over is fixed beforehand.
func (s scope) floatLevels() []level {
	var out []level
	if s.wide {
		out = append(out, level{C6, int64(s.size()), floatsOut})
	}
	for _, at := range s.steps() {
		out = append(out, level{C7, int64(at.count), func(a, b kind) int64 { return when(a.isMover(at)) * floatsOut(a, b) }})
	}
	return out
}

// nextLevels returns C8: the number of players of the following bracket, and of those floating into it, left unpaired
// there, then how many of these have each score, highest first.
func (s scope) nextLevels() []level {
	if s.nextPlayers == 0 {
		return nil
	}
	out := []level{{C8, int64(s.size() + s.nextPlayers), missesNext}}
	for _, at := range s.steps() {
		out = append(out, level{C8, int64(at.count), func(a, b kind) int64 {
			return when(a.isMover(at)) * floatsOut(a, b) * missesNext(a, b)
		}})
	}
	return append(out, level{C8, int64(s.residents), func(a, b kind) int64 {
		return when(a.place == resident) * floatsOut(a, b) * missesNext(a, b)
	}})
}

func (s scope) byeLevels() []level {
	if !s.byeCounts {
		return nil
	}
	return []level{{C9, int64(s.maxUnplayed), func(a, b kind) int64 { return when(b.place == bye) * int64(a.unplayed) }}}
}

func (s scope) colourLevels() []level {
	pairs := int64(s.size() / 2)
	out := []level{{C12, pairs, colourDenied}, {C13, pairs, strongDenied}}
	if s.alike {
		out = append([]level{{C10, pairs, tooFarApart}, {C11, pairs, thirdInARow}}, out...)
	}
	return out
}

// repeatLevels returns C14 to C17, which count floats that repeat those of the last two rounds, and C18 to C21, which
// count the same by score. Opponents of movers are all residents, so the mover's score determines the difference of
// scores, and a mover floating on has a greater difference than any pair: it is enough to count these, highest first.
func (s scope) repeatLevels() []level {
	var counts, differences []level
	for back := range Criterion(2) {
		counts = append(counts,
			level{C14 + 2*back, int64(s.residents), func(a, b kind) int64 {
				return when(a.place == resident && a.down[back]) * floatsOut(a, b)
			}},
			level{C15 + 2*back, int64(len(s.movers)), func(a, b kind) int64 {
				return when(a.place == mover && b.up[back])
			}})
		for _, at := range s.steps() {
			differences = append(differences, level{C18 + 2*back, int64(at.count), func(a, b kind) int64 {
				return when(a.isMover(at) && a.down[back]) * floatsOut(a, b)
			}})
		}
		for _, at := range s.steps() {
			differences = append(differences, level{C19 + 2*back, int64(at.count), func(a, b kind) int64 {
				return when(a.isMover(at) && b.up[back])
			}})
		}
	}
	return append(counts, differences...)
}

// orderLevels returns the criteria for the exchange of Art. 4.3. A pair within the lower half has had a player
// exchanged. The numbers of the higher-ranked of all pairs are those of S1 after the exchange; the closer the
// exchanged players, the lower their sum.
func (s scope) orderLevels() []level {
	n := int64(s.exchanges)
	numbered := func(a, b kind) bool { return a.sequence > 0 && b.sequence > 0 }
	return []level{
		{Exchanges, n / 2, func(a, b kind) int64 { return when(numbered(a, b) && !a.upper && !b.upper) }},
		{Differences, n * n / 2, func(a, b kind) int64 { return when(numbered(a, b)) * int64(min(a.sequence, b.sequence)) }},
	}
}

func when(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (k kind) isMover(at step) bool { return k.place == mover && k.score == at.score }

// floatsOut is C6: a player of the bracket is not paired in it.
func floatsOut(a, b kind) int64 { return when(a.inside() && !b.inside()) }

// missesNext is C8: a player of the following bracket, by float or as a resident, is not paired in it.
func missesNext(a, b kind) int64 { return when(a.place <= next && b.place > next) }

// tooFarApart is C10: either player would have had a colour three times more often than the other.
func tooFarApart(a, b kind) int64 {
	return when(bothAbsolute(a, b) && a.difference > 1 && b.difference > 1)
}

// thirdInARow is C11: the player denied the colour due has the other for the third time running. The smaller difference
// is denied; with equal differences (Art. 5.2.3) it happens only if both had the same colour twice.
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
	return colourDenied(a, b) > 0 && a.strength == Absolutely && b.strength == Absolutely
}

// colourDenied is C12: both are due the same colour.
func colourDenied(a, b kind) int64 { return when(b.inside() && a.colour != 0 && a.colour == b.colour) }

// strongDenied is C13: both are at least strongly due the same colour, and not both absolutely.
func strongDenied(a, b kind) int64 {
	return when(a.strength >= Strongly && b.strength >= Strongly && !bothAbsolute(a, b)) * colourDenied(a, b)
}
