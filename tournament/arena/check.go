package arena

import (
	"encoding/json"
	"fmt"
	"slices"

	"quatuor/tournament"
)

// UnmarshalJSON reads a game; one of two without a result has -1, which is none.
func (g *Game) UnmarshalJSON(data []byte) error {
	type plain Game
	read := plain{Result: -1}
	err := json.Unmarshal(data, &read)
	if read.Result == -1 && len(read.Table) > 0 {
		read.Result = 0
	}
	*g = Game(read)
	return err
}

// check refuses an arena that names unknown players, or games that cannot have been.
func (a Arena) check() error {
	if a.BerserkMoves < 0 {
		return tournament.Fault("berserk_moves", "0 or more, not %d", a.BerserkMoves)
	}
	if err := a.Rules.check(); err != nil {
		return err
	}
	known := make(map[string]bool, len(a.Players))
	for i, id := range a.Players {
		if id == "" || known[id] {
			return tournament.Fault(fmt.Sprintf("players[%d]", i), "%q is no name, or comes twice", id)
		}
		known[id] = true
	}
	for k, g := range a.Games {
		place := fmt.Sprintf("games[%d]", k)
		if k > 0 && g.At < a.Games[k-1].At {
			return tournament.Fault(place+".at", "games come in the order of their ends")
		}
		if err := g.check(place, known); err != nil {
			return err
		}
	}
	return nil
}

// check refuses sizes of tables that cannot be.
func (r Rules) check() error {
	for k, size := range r.Sizes {
		if size < 3 || size > 5 || k > 0 && size <= r.Sizes[k-1] {
			return tournament.Fault("sizes", "tables are of 3 to 5, in ascending order, not %v", r.Sizes)
		}
	}
	if len(r.Sizes) > 0 && !slices.Contains(r.Sizes, r.Preferred) {
		return tournament.Fault("preferred", "%d is not one of the sizes %v", r.Preferred, r.Sizes)
	}
	if r.Boards != nil && *r.Boards < 0 {
		return tournament.Fault("boards", "0 or more, not %d", *r.Boards)
	}
	return nil
}

// check refuses a game of unknown players, or with an impossible result.
func (g Game) check(place string, known map[string]bool) error {
	players := g.Players()
	if len(g.Table) > 0 {
		for _, seat := range g.Table {
			if seat.Place < 1 || seat.Place > len(g.Table) {
				return tournament.Fault(place+".table", "places are 1 to %d, not %d", len(g.Table), seat.Place)
			}
		}
		if len(players) < 3 || len(players) > 5 {
			return tournament.Fault(place+".table", "a table has three to five players")
		}
	}
	for i, id := range players {
		if !known[id] {
			return tournament.Fault(place, "there is no player %q", id)
		}
		if slices.Contains(players[:i], id) {
			return tournament.Fault(place, "%q is no name, or comes twice", id)
		}
	}
	for _, id := range g.Berserk {
		if !slices.Contains(players, id) {
			return tournament.Fault(place+".berserk", "%q does not play this game", id)
		}
	}
	if g.Moves != nil && *g.Moves < 0 {
		return tournament.Fault(place+".moves", "0 or more, not %d", *g.Moves)
	}
	if g.Result < 0 || g.Result > 2 {
		return tournament.Fault(place+".r", "a result is 2, 1 or 0 half points of the first player, not %d", g.Result)
	}
	return nil
}
