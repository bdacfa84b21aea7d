package arena

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

const second = 1000 // ms

// Of returns the arena of a tournament. Its players are the ids of the entries that have played or wait; void games are
// left out.
func Of(t *tournament.Tournament) Arena {
	a := Arena{Players: []string{}, Games: []Game{}, Rules: RulesOf(t.Rules.Arena)}
	var over []tournament.Pairing
	there := map[string]bool{}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result.Void() || len(p.Seats) != 2 || p.Arena == nil {
				continue
			}
			there[p.Seats[0]], there[p.Seats[1]] = true, true
			if p.Result != nil {
				over = append(over, p)
			}
		}
	}
	for _, e := range t.Entries {
		if there[e.ID] || t.InArena(e) {
			a.Players = append(a.Players, e.ID)
		}
	}
	slices.SortFunc(over, func(x, y tournament.Pairing) int {
		return cmp.Or(cmp.Compare(x.Arena.EndedAt, y.Arena.EndedAt), cmp.Compare(x.Board, y.Board))
	})
	for _, p := range over {
		a.Games = append(a.Games, gameOf(p))
	}
	return a
}

// RulesOf returns the numbers that a tournament's regulations have for an arena.
func RulesOf(r tournament.ArenaRules) Rules {
	return Rules{BerserkMoves: r.BerserkMoves, Tick: int64(r.Tick), Patience: int64(r.Patience)}
}

func gameOf(p tournament.Pairing) Game {
	g := Game{
		At: p.Arena.EndedAt / second, First: p.Seats[0], Second: p.Seats[1], Board: p.Board,
		Result: tournament.HalfPoints(p.Result.Ranks[0], p.Result.Ranks[1]),
	}
	for _, seat := range p.Arena.Berserk {
		g.Berserk = append(g.Berserk, p.Seats[seat-1])
	}
	switch {
	case p.Result.Forfeit:
		g.Moves = new(int)
	case len(p.Arena.Moves) == 2 && g.Result != 1:
		moves := max(1, p.Arena.Moves[1-g.Result/2]) // of the winner; a corrected result is no forfeit
		g.Moves = &moves
	}
	return g
}

// IdleOf returns the entries of an arena that wait for an opponent. Those for which playing is true are at a game
// elsewhere, and wait on.
func IdleOf(t *tournament.Tournament, playing func(tournament.Entry) bool) []Idle {
	open := t.OpenGames()
	var out []Idle
	for _, e := range t.Entries {
		if _, plays := open[e.ID]; !plays && t.InArena(e) && !playing(e) {
			out = append(out, Idle{Player: e.ID, Since: e.Waiting / second})
		}
	}
	return out
}

// Tick returns the pairs of entries that a running arena pairs at a time, ms UTC, [first seat, second seat]; nil if
// nobody is to be paired now.
func Tick(t *tournament.Tournament, at int64, playing func(tournament.Entry) bool) ([][2]string, error) {
	inArena := 0
	for _, e := range t.Entries {
		if t.InArena(e) {
			inArena++
		}
	}
	idle := IdleOf(t, playing)
	if !RulesOf(t.Rules.Arena).Due(at/second, inArena, idle) {
		return nil, nil
	}
	standings, err := Of(t).Rank()
	if err != nil {
		return nil, err
	}
	paired, err := Pair(standings, idle)
	return paired.Pairs, err
}

// Pairer is the format's place among the pairing systems: an arena has one round, which pairs by itself; see [Tick].
type Pairer struct{}

var _ pairing.Pairer = Pairer{}

// Rounds returns 1.
func (Pairer) Rounds(int, int) (int, error) { return 1, nil }

// Pair returns an error.
func (Pairer) Pair(pairing.History) ([]tournament.Pairing, error) {
	return nil, tournament.Refuse(tournament.ErrState, "an %s pairs free players by itself", tournament.Arena)
}
