package team

import (
	"slices"

	"quatuor/tournament"
)

type (
	// Score is a score of a team: match points or game points.
	Score = tournament.TeamScore
	// MatchPoints are the points of a match.
	MatchPoints = tournament.MatchPoints
	// GamePoints are the points of a board.
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

// Scoring are the rules that score the matches of a tournament.
type Scoring struct {
	Boards int // of a match
	Match  MatchPoints
	Game   GamePoints
}

// Won returns the scores of a match with all boards won.
func (s Scoring) Won() Totals {
	return Totals{MP: s.Match.Win, GP: tournament.Points(s.Boards) * s.Game.Win}
}

// Drawn returns the scores of a match with all boards drawn.
func (s Scoring) Drawn() Totals {
	return Totals{MP: s.Match.Draw, GP: tournament.Points(s.Boards) * s.Game.Draw}
}

// Mark is the result of a board for a side.
type Mark uint8

// The marks.
const (
	Unfinished  Mark = iota // no result yet
	Won                     // at the board
	Drawn                   // at the board
	Lost                    // at the board
	ForfeitWon              // the other player did not come
	ForfeitLost             // the player did not come
	Empty                   // no player on the board
)

// AtBoard reports whether the board was played.
func (m Mark) AtBoard() bool { return m == Won || m == Drawn || m == Lost }

// Points returns the points of a mark.
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

// Kind is a team's part in a round: a bye, or the course of its match.
type Kind uint8

// The kinds of rounds.
const (
	ZeroPoint    Kind = iota // zero-point bye: absent
	HalfPoint                // half-point bye on request
	FullPoint                // full-point bye on request
	Allocated                // pairing-allocated bye
	Underway                 // a match with boards that have no result
	Played                   // a match with at least a board that was played
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

// KindOf returns the kind of a round with a bye of [Kind.Bye].
func KindOf(b tournament.Bye) Kind { return Kind(slices.Index(byes, b)) }

// Outcome is a round of a team.
type Outcome struct {
	Kind     Kind
	Opponent int               // number of the opposing team, met or forfeited; 0 for none
	Colour   tournament.Colour // of its first board; 0 without a match
	Totals                     // the scores of the round
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

// Other returns the ruling for the other side.
func (r Ruling) Other() Ruling {
	switch r {
	case GoesTo:
		return GoesAway
	case GoesAway:
		return GoesTo
	}
	return r
}

// Judge returns the outcome of a match for a side by the marks of both; theirs may be nil if the other side filed no
// line-up. The caller adds opponent and colour.
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

// forfeited returns the outcome of a match that was decided by a ruling: the winner has the boards that it manned, or
// all if it filed no line-up.
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

// Bye returns the outcome of a round without a match; allocated are the scores of a pairing-allocated bye.
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

// allWon returns a win on each board: tie-breaks by boards count a bye like that (C.07, 12).
func (s Scoring) allWon() []tournament.Points {
	return slices.Repeat([]tournament.Points{s.Game.Win}, s.Boards)
}
