package tournament

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
)

// MatchRules say how a match of a knock-out comes to an end. A first game that is drawn or void is replayed, then come
// tie-break games, the seats being exchanged from game to game, and at last the decision:
//
//	game                          time control       drawn or void
//	the first                     the tournament's   the next game
//	Replays more                  the tournament's   the next game
//	TieBreakGames more            TieBreakControl    the next game, or the lot
//	armageddon, if it decides     TieBreakControl    won by seat 2
//
// The seats of an armageddon game are drawn by lot; see [Tournament.lots].
type MatchRules struct {
	ThirdPlace      bool   // the losers of the semi-finals play for the third place, alongside the final
	Replays         int    // 0 to 10
	TieBreakGames   int    // 0 to 10
	TieBreakControl string // as engine/clock spells it; "" is the tournament's
	Decision        Decision
}

// Decision is what gives a match its winner when no game did.
type Decision string

// The decisions.
const (
	Armageddon Decision = "armageddon" // one more game, in which a draw is a win for seat 2
	ByLot      Decision = "lot"        // drawn from the tournament's seed
)

// mostReplays bounds the replays, and the tie-break games.
const mostReplays = 10

// UsualMatch are the rules of a knock-out whose organiser says nothing; other formats have none.
func UsualMatch(f Format) MatchRules {
	if f != Knockout {
		return MatchRules{}
	}
	return MatchRules{Replays: 2, TieBreakGames: 2, Decision: Armageddon}
}

// checked gives the rules tidied up.
func (m MatchRules) checked(f Format, c Checks, faults *FieldErrors) MatchRules {
	if f != Knockout {
		if m != (MatchRules{}) {
			faults.add("pairing", "third_place, replays, tie-break games and a decision belong to a %s, and this is a %s", Knockout, f)
		}
		return m
	}
	m.Decision = cmp.Or(m.Decision, Armageddon)
	if m.Decision != Armageddon && m.Decision != ByLot {
		faults.add("pairing/decision", "%q decides no match; %s and %s do", m.Decision, Armageddon, ByLot)
	}
	if m.Replays < 0 || m.Replays > mostReplays {
		faults.add("pairing/replays", "%d is no number of replays; it must lie between 0 and %d", m.Replays, mostReplays)
	}
	if m.TieBreakGames < 0 || m.TieBreakGames > mostReplays {
		faults.add("pairing/tie_break_games", "%d is no number of games; it must lie between 0 and %d", m.TieBreakGames, mostReplays)
	}
	if m.TieBreakControl != "" {
		control, err := c.TimeControl(m.TieBreakControl)
		if err != nil {
			faults.add("pairing/tie_break_time_control", "%v", err)
		}
		m.TieBreakControl = control
	}
	return m
}

// games is how many games a match has at most.
func (m MatchRules) games() int {
	n := 1 + m.Replays + m.TieBreakGames
	if m.Decision == Armageddon {
		n++
	}
	return n
}

// GameKind says what a game is in its match.
type GameKind string

// The kinds of game.
const (
	FirstGame      GameKind = "game"
	Replay         GameKind = "replay"
	TieBreakGame   GameKind = "tie_break"
	ArmageddonGame GameKind = "armageddon"
)

// KindOf says what the nth game of a pairing is, from 1. Where there are no matches, all after the first replace a void
// one.
func (t *Tournament) KindOf(n int) GameKind {
	m := t.Rules.Match
	switch {
	case n <= 1:
		return FirstGame
	case t.Format != Knockout || n <= 1+m.Replays:
		return Replay
	case n <= 1+m.Replays+m.TieBreakGames:
		return TieBreakGame
	}
	return ArmageddonGame
}

// ControlOf is the time control of the nth game of a pairing.
func (t *Tournament) ControlOf(n int) string {
	switch t.KindOf(n) {
	case TieBreakGame, ArmageddonGame:
		return cmp.Or(t.Rules.Match.TieBreakControl, t.TimeControl)
	}
	return t.TimeControl
}

// EarlierGame is a game of a pairing that did not decide it.
type EarlierGame struct {
	ID     string
	Number int      // of the game within the pairing, as [Pairing.Games] counted then
	Seats  []string // entry ids
	Ranks  []int    // by seat, as those of a result; nil if the game does not count: void, broken off, played anew
	Reason string
}

// earlier is the pairing's game as it goes among the earlier ones; nothing if there was none.
func (p Pairing) earlier(ranks []int, reason string) []EarlierGame {
	if p.GameID == "" {
		return p.Earlier
	}
	return append(slices.Clone(p.Earlier), EarlierGame{
		ID: p.GameID, Number: p.Games, Seats: p.Seats, Ranks: slices.Clone(ranks), Reason: reason,
	})
}

// undecided goes on after a game without a winner where there must be one, or that was void: with the next game of the
// pairing, or with what decides in the end. ranks are nil if the game was void.
func (t *Tournament) undecided(round int, p Pairing, ranks []int, newGame, reason string, at int64) (*Tournament, Delta, error) {
	most := MostGames
	if t.Format == Knockout {
		most = t.Rules.Match.games()
	}
	if p.Games >= most {
		v, reason, why := t.settled(round, p, reason)
		next, delta := t.byServer(round, p, v, reason, at)
		delta.Changes[0].Why = why
		return next, delta, nil
	}
	how := "was drawn"
	if ranks == nil {
		how = "was void"
	}
	seats := slices.Clone(p.Seats)
	slices.Reverse(seats)
	after := "the next one has the seats exchanged"
	if t.KindOf(p.Games+1) == ArmageddonGame {
		seats = t.lots("armageddon", round, seats)
		slices.Reverse(seats)
		after = "the next one is armageddon, the seats drawn by lot"
	}
	change := Change{
		Round: round, Board: p.Board, By: ServerAccount, At: at,
		Why: fmt.Sprintf("game %d %s (%s); %s", p.Games, how, reason, after),
	}
	next, delta := t.withPairing(round, p.Board, &change, func(p *Pairing) {
		p.Earlier = p.earlier(ranks, reason)
		p.Seats, p.Result, p.Adjourned = seats, nil, ""
		p.GameID = newGame
		p.Games++
	})
	return next, delta, nil
}

// What stands as the reason of a match that no game decided.
const (
	ReasonArmageddon = "armageddon" // the armageddon game was drawn or void
	ReasonLot        = "lot"
)

// settled is the result of a pairing whose last game has no winner, with its reason, and the history's words for it.
func (t *Tournament) settled(round int, p Pairing, ended string) (v Verdict, reason, why string) {
	switch {
	case t.Format != Knockout:
		return Verdict{Ranks: slices.Repeat([]int{1}, len(p.Seats))}, ended, ended
	case t.Rules.Match.Decision == Armageddon:
		why = fmt.Sprintf("the armageddon game was not won (%s), which is a win for seat 2", ended)
		return Verdict{Ranks: []int{2, 1}}, ReasonArmageddon, why
	}
	v.Ranks = []int{2, 1}
	if t.lots("match", round, p.Seats)[0] == p.Seats[0] {
		v.Ranks = []int{1, 2}
	}
	return v, ReasonLot, fmt.Sprintf("game %d was not won (%s); the lot decided", p.Games, ended)
}

// lots puts entries into an order drawn by lot: that of the SHA-256 of four texts with a zero byte between each two,
// "match" or "armageddon", the tournament's seed, and in decimal digits the round and the entry's number. Who is first
// wins the match, or takes seat 2 in the armageddon game. Nobody can foretell it who does not know the seed, and
// everybody can repeat it who does.
func (t *Tournament) lots(what string, round int, ids []string) []string {
	drawn := make(map[string][sha256.Size]byte, len(ids))
	for _, id := range ids {
		e, _ := t.Entry(id)
		drawn[id] = sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d", what, t.LotSeed, round, e.Number))
	}
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b string) int {
		x, y := drawn[a], drawn[b]
		return bytes.Compare(x[:], y[:])
	})
	return out
}

// drawn reports whether a game was played for the pairing before the one now played.
func (p Pairing) drawn() bool {
	return slices.ContainsFunc(p.Earlier, func(g EarlierGame) bool { return g.Ranks != nil })
}

// balanced reports whether two have had the first seat equally often in the games that count.
func (p Pairing) balanced() bool {
	if p.Result == nil || p.Result.Forfeit || !p.drawn() {
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

// winner gives the entry that comes through a pairing of two; "" if nobody does, or that is not known.
func (p Pairing) winner() string {
	switch {
	case p.Bye != NoBye:
		return p.Seats[0]
	case p.Result == nil || len(p.Result.Ranks) != 2 || p.Result.Ranks[0] == p.Result.Ranks[1]:
		return ""
	case p.Result.Ranks[0] == 1:
		return p.Seats[0]
	}
	return p.Seats[1]
}

// ForThirdPlace reports whether a pairing of a knock-out's last round is not the final: who plays in it has lost before.
func (t *Tournament) ForThirdPlace(round int, p Pairing) bool {
	if t.Format != Knockout || round != t.RoundCount || round < 2 || round > len(t.Rounds) || p.Bye != NoBye {
		return false
	}
	return !slices.ContainsFunc(t.Rounds[round-2].Pairings, func(before Pairing) bool { return before.winner() == p.Seats[0] })
}

// checkWinner refuses a result by hand that a match cannot have, or that comes too late.
func (t *Tournament) checkWinner(round int, p Pairing, v Verdict) error {
	if t.Format != Knockout {
		return nil
	}
	if len(v.Ranks) == 2 && v.Ranks[0] == v.Ranks[1] {
		return FieldErrors{{
			Field:  "result",
			Detail: "a match of a knock-out has a winner, or is forfeited by both (---); enter who won in the end, replays and tie-break games included",
		}}
	}
	now := p
	now.Result = &Result{Ranks: v.Ranks}
	return t.keepsWinner(round, p, now)
}

// keepsWinner refuses that a match has another winner once the next round was drawn from it.
func (t *Tournament) keepsWinner(round int, was, is Pairing) error {
	if t.Format != Knockout || round >= len(t.Rounds) || was.winner() == is.winner() {
		return nil
	}
	return Refuse(ErrState,
		"round %d was drawn from the winner of board %d in round %d; while nothing has been played in it, delete round %d, correct the result and pair anew",
		round+1, was.Board, round, round+1)
}

// keepsWinners refuses a step back by which a round would not follow any more from the one before.
func (t *Tournament) keepsWinners(next *Tournament) error {
	if t.Format != Knockout {
		return nil
	}
	for _, r := range next.Rounds[:max(0, len(next.Rounds)-1)] {
		for _, is := range r.Pairings {
			was, err := t.Pairing(r.Number, is.Board)
			if err != nil {
				return err
			}
			if err := t.keepsWinner(r.Number, was, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// over reports whether nobody is left to play a knock-out's next round: both forfeited in every match of the last one.
func (t *Tournament) over() bool {
	n := len(t.Rounds)
	if t.Format != Knockout || n == 0 || t.Rounds[n-1].missing() != nil {
		return false
	}
	return !slices.ContainsFunc(t.Rounds[n-1].Pairings, func(p Pairing) bool { return p.winner() != "" })
}

// MatchGame is one game of a pairing.
type MatchGame struct {
	EarlierGame // of the last game, the ranks and the reason are those of the pairing's result
	Kind        GameKind
	Control     string
}

// GamesOf lists the games that the server hosts or hosted for a pairing, oldest first.
func (t *Tournament) GamesOf(p Pairing) []MatchGame {
	games := p.Earlier
	if p.GameID != "" {
		var ranks []int
		var reason string
		if p.Result != nil {
			ranks, reason = p.Result.Ranks, p.Result.Reason
		}
		games = p.earlier(ranks, reason)
	}
	out := make([]MatchGame, len(games))
	for i, g := range games {
		out[i] = MatchGame{g, t.KindOf(g.Number), t.ControlOf(g.Number)}
	}
	return out
}
