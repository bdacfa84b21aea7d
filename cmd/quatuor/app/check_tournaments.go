package app

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// gameEnd is what a tournament needs to know of a game that is over.
type gameEnd struct {
	status  table.Status
	outcome *engine.Outcome
	plies   int
	at      int64
	seq     int64 // its place in the outbox; 0 if it is not known
	rated   bool
	players []string
	place   table.Place // zero for a casual game
}

func endOf(g table.Game, seq int64) gameEnd {
	end := gameEnd{
		status: g.Status, outcome: g.Outcome, plies: g.Plies, at: g.FinishedAt, seq: seq, rated: g.Rated, players: g.Players,
	}
	if g.Tournament != nil {
		end.place = *g.Tournament
	}
	return end
}

// compareTournaments compares every result that a game has brought with that game. Games up to a place in the outbox
// must have brought theirs.
func (c *checker) compareTournaments(ctx context.Context, followed int64) error {
	const atOnce = 100
	for cursor := ""; ; {
		page, next, err := c.db.Tournaments().List(ctx, director.Filter{}, atOnce, cursor)
		if err != nil {
			return err
		}
		for _, summary := range page {
			t, err := c.db.Tournaments().Load(ctx, summary.ID)
			if errors.Is(err, tournament.ErrNotFound) {
				continue // it has just been deleted
			}
			if err != nil {
				return err
			}
			if err := errors.Join(c.compareRounds(ctx, t, followed), c.comparePast(ctx, t)); err != nil {
				return err
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

func (c *checker) compareRounds(ctx context.Context, t *tournament.Tournament, followed int64) error {
	for _, r := range t.Rounds {
		open := 0
		for _, p := range r.Pairings {
			c.pairings++
			if p.Result == nil {
				open++
			}
			if err := c.compareEarlier(ctx, t, r.Number, p); err != nil {
				return err
			}
			if err := c.compareHall(ctx, t, r.Number, p); err != nil {
				return err
			}
			if p.GameID == "" {
				continue
			}
			end, found, err := c.end(ctx, p.GameID)
			if err != nil {
				return err
			}
			if fault := compareSeats(t, r.Number, p.Board, p.Seats, end); found && fault != "" {
				c.fault("tournament %s, round %d, board %d: its game %s %s", t.ID, r.Number, p.Board, p.GameID, fault)
			}
			if p.Result != nil && p.Result.Source == tournament.ByArbiter {
				continue
			}
			if fault := comparePairing(t, r.Number, p, end, found, followed); fault != "" {
				c.fault("tournament %s, round %d, board %d: %s", t.ID, r.Number, p.Board, fault)
			}
		}
		if r.Status == tournament.Complete && open > 0 {
			c.fault("tournament %s: round %d counts as complete, and %d boards have no result", t.ID, r.Number, open)
		}
		if r.Status == tournament.Published && open == 0 {
			c.fault("tournament %s: round %d counts as open, and every board has a result", t.ID, r.Number)
		}
	}
	return nil
}

// compareHall compares the result of a board in the hall with the game that is kept of it, which the ratings follow.
func (c *checker) compareHall(ctx context.Context, t *tournament.Tournament, round int, p tournament.Pairing) error {
	if p.HallGame == "" {
		return nil
	}
	end, found, err := c.end(ctx, p.HallGame)
	if err != nil {
		return err
	}
	fault := ""
	switch played := p.Result != nil && !p.Result.Forfeit; {
	case !played && found && end.status == table.Finished:
		fault = "no game was played, and one in the hall counts"
	case !played:
	case !found:
		fault = "it has a result, and its game in the hall is not there"
	case end.outcome == nil || !slices.Equal(end.outcome.Ranks, t.GameRanks(p)):
		fault = "its result is " + p.Text() + ", and its game in the hall ended otherwise"
	case end.rated != p.Result.Rated:
		fault = "its result and its game in the hall differ in whether they are rated"
	case !slices.Equal(end.players, t.Players(p)):
		fault = "other players sit at it than in its game in the hall"
	}
	if fault != "" {
		c.fault("tournament %s, round %d, board %d: %s", t.ID, round, p.Board, fault)
	}
	return nil
}

// compareEarlier compares the games that count but did not decide a match, in a knock-out, with what is kept of them.
func (c *checker) compareEarlier(ctx context.Context, t *tournament.Tournament, round int, p tournament.Pairing) error {
	for _, g := range p.Earlier {
		end, found, err := c.end(ctx, g.ID)
		if err != nil {
			return err
		}
		if fault := compareSeats(t, round, p.Board, g.Seats, end); found && fault != "" {
			c.fault("tournament %s, round %d, board %d: its earlier game %s %s", t.ID, round, p.Board, g.ID, fault)
		}
		if g.Ranks != nil && (!found || !end.brought(g.Ranks)) {
			c.fault("tournament %s, round %d, board %d: game %s of the match is not there, or did not end as it is kept", t.ID,
				round, p.Board, g.ID)
		}
	}
	return nil
}

// compareSeats describes where a game's board or players differ from a pairing's; "" if they do not.
func compareSeats(t *tournament.Tournament, round, board int, seats []string, end gameEnd) string {
	switch place := (table.Place{ID: t.ID, Round: round, Board: board}); {
	case end.place != place:
		return "belongs to another board"
	case !slices.Equal(end.players, t.Players(tournament.Pairing{Seats: seats})):
		return "has other players at its seats"
	}
	return ""
}

// brought reports whether a game ended with these ranks of its sides.
func (e gameEnd) brought(ranks []int) bool {
	if e.status != table.Finished || e.outcome == nil || len(e.outcome.Ranks) < len(ranks) {
		return false
	}
	v, err := tournament.RankVerdict(e.outcome.Ranks[:len(ranks)])
	return err == nil && slices.Equal(v.Ranks, ranks)
}

// end finds how a game ended; a game may have been created or have ended since all games were read.
func (c *checker) end(ctx context.Context, id string) (end gameEnd, found bool, err error) {
	if end, found = c.ends[id]; found {
		return end, true, nil
	}
	g, _, err := c.db.Games().Load(ctx, id)
	if errors.Is(err, table.ErrNotFound) {
		return gameEnd{}, false, nil
	}
	return endOf(g, 0), err == nil, err
}

// comparePairing describes where a pairing's result is not that of its game; "" if it is.
func comparePairing(
	t *tournament.Tournament, round int, p tournament.Pairing, end gameEnd, found bool, followed int64,
) string {
	over := found && end.status == table.Finished
	switch {
	case p.Result == nil && over && end.seq > 0 && end.seq <= followed && t.Status == tournament.Running:
		return "its game " + p.GameID + " is over and has brought no result"
	case p.Result == nil:
		return ""
	case !found:
		return "it has a result, and its game " + p.GameID + " is not there"
	case !over:
		return "it has a result, and its game " + p.GameID + " is " + string(end.status)
	}
	if end.outcome == nil {
		return "it has a result, and its game " + p.GameID + " has no outcome"
	}
	running := *t
	running.Status = tournament.Running
	var again *tournament.Tournament
	var err error
	if end.outcome.Void() {
		again, _, err = running.GameVoid(round, p.Board, p.GameID, string(end.outcome.Reason), end.at)
	} else {
		again, _, err = running.GameOver(round, p.Board, end.outcome.Ranks, end.plies, p.GameID, string(end.outcome.Reason),
			end.at)
	}
	if err != nil {
		return "its game " + p.GameID + " does not fit: " + err.Error()
	}
	if want, err := again.Pairing(round, p.Board); err != nil || !reflect.DeepEqual(want.Result, p.Result) {
		return "its result is " + p.Text() + ", and its game " + p.GameID + " brings " + want.Text()
	}
	return ""
}
