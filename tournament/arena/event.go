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
	a := Arena{Players: []string{}, Games: []Game{}, Rules: RulesOf(t.Rules)}
	var over []tournament.Pairing
	there := map[string]bool{}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result.Void() || len(p.Seats) < 2 || p.Arena == nil {
				continue
			}
			for _, id := range p.Seats {
				there[id] = true
			}
			if p.Result != nil {
				over = append(over, p)
			}
		}
	}
	for _, e := range t.Entries {
		if there[e.ID] || InArena(t, e) {
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
func RulesOf(r tournament.PairingRules) Rules {
	return Rules{
		BerserkMoves: r.Arena.BerserkMoves, Tick: int64(r.Arena.Tick), Patience: int64(r.Arena.Patience),
		Sizes: r.Tables.Sizes.List(), Preferred: r.Tables.Preferred,
	}
}

func gameOf(p tournament.Pairing) Game {
	g := Game{At: p.Arena.EndedAt / second, Board: p.Board}
	winner := -1
	if len(p.Seats) == 2 {
		g.First, g.Second = p.Seats[0], p.Seats[1]
		g.Result = tournament.HalfPoints(p.Result.Ranks[0], p.Result.Ranks[1])
		if g.Result != 1 {
			winner = 1 - g.Result/2
		}
	} else {
		g.Table = tableOf(p)
		winner = slices.IndexFunc(g.Table, func(s Seat) bool { return s.Place == 1 })
	}
	for _, seat := range p.Arena.Berserk {
		g.Berserk = append(g.Berserk, p.Seats[seat-1])
	}
	switch {
	case p.Result.Forfeit:
		g.Moves = new(int)
	case len(p.Arena.Moves) == len(p.Seats) && winner >= 0:
		moves := max(1, p.Arena.Moves[winner]) // a corrected result is no forfeit
		g.Moves = &moves
	}
	return g
}

// tableOf returns the seats of a table that was played.
func tableOf(p tournament.Pairing) []Seat {
	v := p.Result.Verdict()
	absent, places := v.Absent(len(p.Seats)), v.Places()
	seats := make([]Seat, len(p.Seats))
	for k, id := range p.Seats {
		seats[k] = Seat{Player: id, Place: places[k], Absent: slices.Contains(absent, k+1)}
	}
	return seats
}

// IdleOf returns the entries of an arena that wait for an opponent. Those for which playing is true are at a game
// elsewhere, and wait on.
func IdleOf(t *tournament.Tournament, playing func(tournament.Entry) bool) []Idle {
	open := OpenGames(t)
	var out []Idle
	for _, e := range t.Entries {
		if _, plays := open[e.ID]; !plays && InArena(t, e) && !playing(e) {
			out = append(out, Idle{Player: e.ID, Since: e.Waiting / second})
		}
	}
	return out
}

// Tick returns the games of entries that a running arena opens at a time, ms UTC, with the entries by seat; nil if
// nobody is to be paired now.
func Tick(t *tournament.Tournament, at int64, playing func(tournament.Entry) bool) ([][]string, error) {
	inArena := 0
	for _, e := range t.Entries {
		if InArena(t, e) {
			inArena++
		}
	}
	idle, rules := IdleOf(t, playing), RulesOf(t.Rules)
	if free := FreeTables(t); free >= 0 {
		rules.Boards = &free
	}
	if rules.Boards != nil && *rules.Boards == 0 || !rules.Due(at/second, inArena, idle) {
		return nil, nil
	}
	standings, err := Of(t).Rank()
	if err != nil {
		return nil, err
	}
	paired, err := rules.Pair(standings, idle)
	return paired.Games, err
}

// Pairer is the format's place among the pairing systems: an arena has one round, which pairs by itself; see [Tick].
type Pairer struct{}

var _ pairing.Pairer = Pairer{}

// Rounds returns 1.
func (Pairer) Rounds(int, int) (int, error) { return 1, nil }

// Pair returns an error.
func (Pairer) Pair(pairing.History) ([]tournament.Pairing, error) {
	return nil, tournament.NotNow("an %s pairs free players by itself", tournament.Arena)
}
