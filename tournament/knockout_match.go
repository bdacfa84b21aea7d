package tournament

import (
	"cmp"
	"slices"

	"quatuor/engine/sentence"
)

// KnockoutRules are the regulations of the matches of a knock-out. A first game that is drawn or void is replayed, then
// come tie-break games, with the seats exchanged from game to game, and at last the decision:
//
//	game                          time control       drawn or void
//	the first                     the tournament's   the next game
//	Replays more                  the tournament's   the next game
//	TieBreakGames more            TieBreakControl    the next game, or the lot
//	armageddon, if it decides     TieBreakControl    won by seat 2
//
// The seats of an armageddon game are drawn by lot; package scoring draws them.
type KnockoutRules struct {
	// the losers of the semi-finals play for the third place, alongside the final
	ThirdPlace      bool     `json:"third_place,omitempty"`
	Replays         int      `json:"replays,omitempty"`                // 0 to 10
	TieBreakGames   int      `json:"tie_break_games,omitempty"`        // 0 to 10
	TieBreakControl string   `json:"tie_break_time_control,omitempty"` // as engine/clock spells it; "" is the tournament's
	Decision        Decision `json:"decision,omitempty"`
}

// Legs returns the number of legs of a match in a knock-out; each leg is played in a round of its own.
func (t *Tournament) Legs() int {
	if t.Teams == nil {
		return 1
	}
	return max(1, t.Teams.Legs)
}

// LegOf returns the round of the bracket that a round belongs to, and the leg that it plays, both from 1.
func (t *Tournament) LegOf(round int) (stage, leg int) {
	return (round-1)/t.Legs() + 1, (round-1)%t.Legs() + 1
}

// Decision is a way to find the winner of a match that no game decided.
type Decision string

// The decisions.
const (
	Armageddon Decision = "armageddon" // a last game; a draw is a win for seat 2
	ByLot      Decision = "lot"        // drawn from the tournament's seed
)

// maxReplays is the maximum number of replays, and of tie-break games.
const maxReplays = 10

// DefaultKnockoutRules returns the default rules of a knock-out; none for other formats.
func DefaultKnockoutRules(f Format) KnockoutRules {
	if !f.Decides() {
		return KnockoutRules{}
	}
	return KnockoutRules{Replays: 2, TieBreakGames: 2, Decision: Armageddon}
}

// checked returns the rules in canonical form.
func (m KnockoutRules) checked(f Format, c Checks, faults *FieldErrors) KnockoutRules {
	if f.Eliminates() && f.Teams() && m == (KnockoutRules{ThirdPlace: m.ThirdPlace}) {
		return m
	}
	if !f.Decides() {
		if m != (KnockoutRules{}) {
			faults.Add("pairing", "only a %s has a third place, replays, tie-break games and a decision, and this is a %s",
				Knockout, f)
		}
		return m
	}
	m.Decision = cmp.Or(m.Decision, Armageddon)
	if m.Decision != Armageddon && m.Decision != ByLot {
		faults.Add("pairing/decision", "%q is not a way to decide a match; write %s or %s", m.Decision, Armageddon, ByLot)
	}
	if m.Replays < 0 || m.Replays > maxReplays {
		faults.Add("pairing/replays", "%d is not a number of replays; write a number from 0 to %d", m.Replays, maxReplays)
	}
	if m.TieBreakGames < 0 || m.TieBreakGames > maxReplays {
		faults.Add("pairing/tie_break_games", "%d is not a number of games; write a number from 0 to %d", m.TieBreakGames,
			maxReplays)
	}
	if m.TieBreakControl != "" {
		control, err := c.TimeControl(m.TieBreakControl)
		if err != nil {
			faults.Add("pairing/tie_break_time_control", "%v", err)
		}
		m.TieBreakControl = control
	}
	return m
}

// MaxGames returns the maximum number of games of a match.
func (m KnockoutRules) MaxGames() int {
	n := 1 + m.Replays + m.TieBreakGames
	if m.Decision == Armageddon {
		n++
	}
	return n
}

// GameKind is the kind of a game within its match.
type GameKind string

// The kinds of game.
const (
	FirstGame      GameKind = "game"
	Replay         GameKind = "replay"
	TieBreakGame   GameKind = "tie_break"
	ArmageddonGame GameKind = "armageddon"
)

// KindOf returns the kind of the nth game of a pairing, from 1. Outside of knock-outs, every game after the first
// replays a void game.
func (t *Tournament) KindOf(n int) GameKind {
	m := t.Rules.Match
	switch {
	case n <= 1:
		return FirstGame
	case !t.Format.Decides() || n <= 1+m.Replays:
		return Replay
	case n <= 1+m.Replays+m.TieBreakGames:
		return TieBreakGame
	}
	return ArmageddonGame
}

// ControlOf returns the time control of the nth game of a pairing.
func (t *Tournament) ControlOf(n int) string {
	switch t.KindOf(n) {
	case TieBreakGame, ArmageddonGame:
		return cmp.Or(t.Rules.Match.TieBreakControl, t.TimeControl)
	}
	return t.TimeControl
}

// EarlierGame is a game of a pairing that did not decide it.
type EarlierGame struct {
	ID     string   `json:"id"`
	Number int      `json:"number"` // of the game within the pairing, as [Pairing.Games] counted then
	Seats  []string `json:"seats"`  // entry ids
	// by seat, as those of a result; nil if the game does not count: void, aborted, played again
	Ranks  []int  `json:"ranks,omitempty"`
	Reason string `json:"reason"`
}

// GamesSoFar returns the games of the pairing so far, including the current game.
func (p Pairing) GamesSoFar(ranks []int, reason string) []EarlierGame {
	if p.GameID == "" {
		return p.Earlier
	}
	return append(slices.Clone(p.Earlier), EarlierGame{
		ID: p.GameID, Number: p.Games, Seats: p.Seats, Ranks: slices.Clone(ranks), Reason: reason,
	})
}

// Reasons of the result of a match that no game decided.
const (
	ReasonArmageddon = "armageddon" // the armageddon game was drawn or void
	ReasonLot        = "lot"
)

// ReasonWord returns the reason of a game's end as a value of a sentence.
func ReasonWord(reason string) sentence.Word { return sentence.Word{Set: "reason", Word: reason} }

// HasDraw reports whether an earlier game of the pairing counts, that is, was drawn.
func (p Pairing) HasDraw() bool {
	return slices.ContainsFunc(p.Earlier, func(g EarlierGame) bool { return g.Ranks != nil })
}

// balanced reports whether both entries have had the first seat equally often in the games that count.
func (p Pairing) balanced() bool {
	if p.Result == nil || p.Result.Forfeit || !p.HasDraw() {
		return false
	}
	firsts := map[string]int{p.Seats[0]: 1}
	for _, g := range p.Earlier {
		if g.Ranks != nil {
			firsts[g.Seats[0]]++
		}
	}
	return firsts[p.Seats[0]] == firsts[p.Seats[1]]
}

// NoneYet is the value of [Result.GoesOn] in the first of two legs, after which no team goes on.
const NoneYet = -1

// winner returns the entry that wins a pairing of two; "" if none does, or it is not known yet.
func (p Pairing) winner() string {
	switch {
	case p.Bye != NoBye:
		return p.Seats[0]
	case p.Result != nil && p.Result.GoesOn == NoneYet:
		return ""
	case p.Result != nil && p.Result.GoesOn > 0:
		return p.Seats[p.Result.GoesOn-1]
	case p.Result == nil || len(p.Result.Ranks) != 2 || p.Result.Ranks[0] == p.Result.Ranks[1]:
		return ""
	case p.Result.Ranks[0] == 1:
		return p.Seats[0]
	}
	return p.Seats[1]
}

// Winner returns the entry that goes on from a match of a knock-out; "" in other formats, if neither goes on, or if it
// is not known yet.
func (t *Tournament) Winner(p Pairing) string {
	if !t.Format.Eliminates() {
		return ""
	}
	return p.winner()
}

// ForThirdPlace reports whether a pairing of a knock-out's last round is the match for the third place: its entries
// have lost the round before.
func (t *Tournament) ForThirdPlace(round int, p Pairing) bool {
	stage, _ := t.LegOf(round)
	before := (stage - 1) * t.Legs() // the last round of the semi-finals
	if !t.Format.Eliminates() || before != t.RoundCount-t.Legs() || before < 1 || round > len(t.Rounds) || p.Bye != NoBye {
		return false
	}
	return !slices.ContainsFunc(t.Rounds[before-1].Pairings,
		func(before Pairing) bool { return before.winner() == p.Seats[0] })
}

// KeepsWinner returns an error if the winner of a match changes after the next round was paired from it.
func (t *Tournament) KeepsWinner(round int, was, is Pairing) error {
	if !t.Format.Eliminates() || round >= len(t.Rounds) || was.winner() == is.winner() {
		return nil
	}
	return NotNow("round %d was paired with the winner of board %d in round %d; if nothing has been played in it, "+
		"delete round %d, correct the result and pair again", round+1, was.Board, round, round+1)
}

// keepsWinners returns an error if an undo changes the winner of a match after the next round was paired from it.
func (t *Tournament) keepsWinners(next *Tournament) error {
	if !t.Format.Eliminates() {
		return nil
	}
	for _, r := range next.Rounds[:max(0, len(next.Rounds)-1)] {
		for _, is := range r.Pairings {
			was, err := t.Pairing(r.Number, is.Board)
			if err != nil {
				return err
			}
			if err := t.KeepsWinner(r.Number, was, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// over reports whether a knock-out has no entry left for the next round: both forfeited in every match of the last
// round.
func (t *Tournament) over() bool {
	n := len(t.Rounds)
	if !t.Format.Eliminates() || n == 0 || n%t.Legs() != 0 || t.Rounds[n-1].missing() != nil {
		return false
	}
	return !slices.ContainsFunc(t.Rounds[n-1].Pairings, func(p Pairing) bool { return p.winner() != "" })
}

// MatchGame is a game of a pairing.
type MatchGame struct {
	EarlierGame // of the last game, the ranks and the reason are those of the pairing's result
	Kind        GameKind
	Control     string
	Result      string // as score sheets have it, "" while it is played and if it does not count
}

// GamesOf returns the games that the server hosts or hosted for a pairing, oldest first.
func (t *Tournament) GamesOf(p Pairing) []MatchGame {
	games := p.Earlier
	if p.GameID != "" {
		var ranks []int
		var reason string
		if p.Result != nil {
			ranks, reason = p.Result.Ranks, p.Result.Reason
		}
		games = p.GamesSoFar(ranks, reason)
	}
	out := make([]MatchGame, len(games))
	for i, g := range games {
		out[i] = MatchGame{EarlierGame: g, Kind: t.KindOf(g.Number), Control: t.ControlOf(g.Number)}
		switch {
		case g.ID == p.GameID:
			out[i].Result = p.Text()
		case g.Ranks != nil:
			out[i].Result = Verdict{Ranks: g.Ranks}.String()
		}
	}
	return out
}
