package team

import (
	"slices"

	"quatuor/tournament"
)

type (
	// Score is one of the two scores of a team.
	Score = tournament.TeamScore
	// MatchPoints is what a match is worth.
	MatchPoints = tournament.MatchPoints
	// GamePoints is what a board is worth.
	GamePoints = tournament.GamePoints
	// Totals are both scores.
	Totals = tournament.TeamTotals
)

// The scores.
const (
	MP      = tournament.MP
	GP      = tournament.GP
	NoScore = tournament.NoScore
)

// The usual points.
var (
	StandardMatchPoints = tournament.StandardMatchPoints
	StandardGamePoints  = tournament.StandardGamePoints
)

// Scoring is how the matches of a tournament are scored.
type Scoring struct {
	Boards int // of a match
	Match  MatchPoints
	Game   GamePoints
}

// Won returns the scores of a match in which all boards were won; Drawn those of one in which all were drawn.
func (s Scoring) Won() Totals {
	return Totals{MP: s.Match.Win, GP: tournament.Points(s.Boards) * s.Game.Win}
}

// Drawn returns the scores of a match in which all boards were drawn.
func (s Scoring) Drawn() Totals {
	return Totals{MP: s.Match.Draw, GP: tournament.Points(s.Boards) * s.Game.Draw}
}

// Mark is the result of one board for one side.
type Mark uint8

// The marks.
const (
	Unfinished  Mark = iota // no result yet
	Won                     // at the board
	Drawn                   // at the board
	Lost                    // at the board
	ForfeitWon              // the other player did not come
	ForfeitLost             // the player did not come
	Empty                   // nobody was put on the board
)

// AtBoard reports whether the board was played.
func (m Mark) AtBoard() bool { return m == Won || m == Drawn || m == Lost }

// Points returns what a mark is worth.
func (m Mark) Points(g GamePoints) tournament.Points {
	switch m {
	case Won, ForfeitWon:
		return g.Win
	case Drawn:
		return g.Draw
	case Lost:
		return g.Loss
	case ForfeitLost, Empty:
		return g.Absence
	}
	return 0
}

// Kind is what a round was for a team.
type Kind uint8

// The kinds of rounds.
const (
	ZeroPoint    Kind = iota // zero-point bye: absent
	HalfPoint                // half-point bye on request
	FullPoint                // full-point bye on request
	Allocated                // pairing-allocated bye
	Underway                 // a match with boards that have no result
	Played                   // a match in which at least one board was played
	ForfeitWin               // the match was won without a board played
	ForfeitLoss              // the match was lost without a board played, perhaps by both
	ForfeitShare             // boards were forfeited to either side in equal parts
)

// Met reports whether the round was a match of two teams, played or not.
func (k Kind) Met() bool { return k >= Underway }

// byes are the byes by kind; the other kinds are matches.
var byes = []tournament.Bye{
	ZeroPoint: tournament.ZeroPoint, HalfPoint: tournament.HalfPoint, FullPoint: tournament.FullPoint,
	Allocated: tournament.PairingAllocated,
}

// Bye returns the bye that the round was; none for a match.
func (k Kind) Bye() tournament.Bye {
	if k.Met() {
		return tournament.NoBye
	}
	return byes[k]
}

// KindOf returns what a round with one of the byes of [Kind.Bye] was.
func KindOf(b tournament.Bye) Kind { return Kind(slices.Index(byes, b)) }

// Outcome is one round of one team.
type Outcome struct {
	Kind     Kind
	Opponent int               // number of the team met, or that should have been; 0 for none
	Colour   tournament.Colour // of its first board; 0 without a match
	Totals                     // what the round brought
	Boards   []tournament.Points
}

// Ruling is an arbiter's decision on a whole match.
type Ruling uint8

// The rulings.
const (
	NoRuling   Ruling = iota // the boards decide
	GoesTo                   // forfeited: the side at hand wins
	GoesAway                 // forfeited: the other side wins
	GoesToNone               // forfeited by both
)

// Other returns the ruling as the other side sees it.
func (r Ruling) Other() Ruling {
	switch r {
	case GoesTo:
		return GoesAway
	case GoesAway:
		return GoesTo
	}
	return r
}

// Judge returns what a match brings one side by the marks of both; theirs may be nil if the other side filed no
// line-up. Opponent and colour are left to the caller.
func (s Scoring) Judge(own, theirs []Mark, r Ruling) Outcome {
	if r != NoRuling {
		return s.forfeited(own, r)
	}
	marks := slices.Concat(own, theirs)
	out := Outcome{Boards: s.boards(own)}
	out.GP = sum(out.Boards)
	against := sum(s.boards(theirs))
	switch {
	case slices.Contains(marks, Unfinished):
		out.Kind = Underway
		return out
	case slices.ContainsFunc(marks, Mark.AtBoard):
		out.Kind = Played
	case !slices.Contains(marks, ForfeitWon):
		return Outcome{Kind: ForfeitLoss, Totals: Totals{MP: s.Match.Loss}, Boards: make([]tournament.Points, s.Boards)}
	case out.GP > against:
		out.Kind = ForfeitWin
	case out.GP < against:
		out.Kind = ForfeitLoss
	default:
		out.Kind = ForfeitShare
	}
	out.MP = s.Compare(out.GP, against)
	return out
}

// Compare returns the match points of a match by the game points of both sides.
func (s Scoring) Compare(own, theirs tournament.Points) tournament.Points {
	switch {
	case own > theirs:
		return s.Match.Win
	case own < theirs:
		return s.Match.Loss
	}
	return s.Match.Draw
}

// forfeited returns what a match brings that was decided by a ruling: the winner has the boards that it manned, or all
// if it filed no line-up.
func (s Scoring) forfeited(own []Mark, r Ruling) Outcome {
	out := Outcome{Kind: ForfeitLoss, Totals: Totals{MP: s.Match.Loss}, Boards: make([]tournament.Points, s.Boards)}
	if r != GoesTo {
		return out
	}
	out.Kind, out.MP = ForfeitWin, s.Match.Win
	manned := slices.Contains(own, ForfeitWon)
	for i := range out.Boards {
		if !manned || i < len(own) && own[i] == ForfeitWon {
			out.Boards[i] = s.Game.Win
		}
	}
	out.GP = sum(out.Boards)
	return out
}

// boards returns the points of each board; boards beyond the marks are empty.
func (s Scoring) boards(marks []Mark) []tournament.Points {
	out := make([]tournament.Points, max(s.Boards, len(marks)))
	for i := range out {
		m := Empty
		if i < len(marks) {
			m = marks[i]
		}
		out[i] = m.Points(s.Game)
	}
	return out
}

func sum(points []tournament.Points) tournament.Points {
	var total tournament.Points
	for _, p := range points {
		total += p
	}
	return total
}

// Bye returns what a round without a match brings; allocated is what a pairing-allocated bye is worth.
func (s Scoring) Bye(k Kind, allocated Totals) Outcome {
	out := Outcome{Kind: k}
	switch k {
	case Allocated:
		out.Totals, out.Boards = allocated, s.allWon()
	case FullPoint:
		out.Totals, out.Boards = s.Won(), s.allWon()
	case HalfPoint:
		out.Totals = s.Drawn()
	}
	return out
}

// allWon returns a win on each board, as which a bye counts in tie-breaks by boards (C.07, 12).
func (s Scoring) allWon() []tournament.Points {
	return slices.Repeat([]tournament.Points{s.Game.Win}, s.Boards)
}
