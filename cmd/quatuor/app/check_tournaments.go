package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/scoring"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// gameEnd is the part of a finished game that a tournament needs.
type gameEnd struct {
	status  table.Status
	outcome *engine.Outcome
	plies   int
	at      int64
	seq     int64 // its place in the outbox; 0 if it is not known
	rated   bool
	players []string
	moves   []int       // by seat, of those that were not taken back
	berserk []int       // seats, from 1, that played with half of their time
	place   table.Place // zero for a casual game
}

func endOf(g table.Game, seq int64, lines []table.Line) gameEnd {
	end := gameEnd{
		status: g.Status, outcome: g.Outcome, plies: g.Plies, at: g.FinishedAt, seq: seq, rated: g.Rated, players: g.Players,
		moves: table.MovesIn(lines, len(g.Players)), berserk: table.BerserkIn(lines),
	}
	if g.Tournament != nil {
		end.place = *g.Tournament
	}
	return end
}

// compareTournaments compares every result that a game has brought with that game. Games up to a place in the outbox
// must have brought theirs.
func (c *checker) compareTournaments(ctx context.Context) error {
	followed, err := c.db.Followed(ctx)
	if err != nil {
		return err
	}
	return c.each(ctx, "tournaments", "tournament", func(id string) error {
		t, err := c.db.Tournaments().Load(ctx, id)
		if errors.Is(err, tournament.ErrNotFound) {
			return nil // it has just been deleted
		}
		if err != nil {
			return err
		}
		c.checkGame("tournament "+id, t.Variant, t.TimeControl)
		sound, err := c.checkNames(ctx, t)
		if err != nil || !sound {
			return err // the next steps look entries up
		}
		c.rankSeason(t)
		return errors.Join(c.compareRounds(ctx, t, followed), c.comparePast(ctx, t))
	})
}

// rankSeason computes the ranking of a Keizer season or an arena, which is not stored.
func (c *checker) rankSeason(t *tournament.Tournament) {
	if !t.Format.ScoresItself() {
		return
	}
	if _, err := standings.After(t, 0); err != nil {
		c.fault("tournament %s: it cannot be ranked: %v", t.ID, err)
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
			if err := c.comparePairing(ctx, board{t, r.Number, p}, followed); err != nil {
				return err
			}
		}
		if r.Status == tournament.Complete && open > 0 {
			c.fault("tournament %s: round %d counts as complete, and %d boards have no result", t.ID, r.Number, open)
		}
		if r.Status == tournament.Published && open == 0 && !t.Format.Continuous() {
			c.fault("tournament %s: round %d counts as open, and every board has a result", t.ID, r.Number)
		}
	}
	return nil
}

// board is a pairing with its place.
type board struct {
	t     *tournament.Tournament
	round int
	tournament.Pairing
}

// faultAt reports a fault of a board.
func (c *checker) faultAt(b board, format string, args ...any) {
	c.fault("tournament %s, round %d, board %d: "+format, append([]any{b.t.ID, b.round, b.Board}, args...)...)
}

// comparePairing compares the result of a board with its games.
func (c *checker) comparePairing(ctx context.Context, b board, followed int64) error {
	if b.t.Teams != nil {
		return c.compareMatch(ctx, b, followed)
	}
	if err := errors.Join(c.compareEarlier(ctx, b), c.compareHall(ctx, b)); err != nil || b.GameID == "" {
		return err
	}
	end, found, err := c.end(ctx, b.GameID)
	if err != nil {
		return err
	}
	if fault := b.compareSeats(b.Seats, end); found && fault != "" {
		c.faultAt(b, "its game %s %s", b.GameID, fault)
	}
	if fault := b.compareArena(end); found && fault != "" {
		c.faultAt(b, "its game %s %s", b.GameID, fault)
	}
	if b.Result != nil && b.Result.Source == tournament.ByArbiter {
		return nil
	}
	if fault := b.compareResult(end, found, followed); fault != "" {
		c.faultAt(b, "%s", fault)
	}
	return nil
}

// compareMatch compares the boards of a match of teams with their games, and its result with that of its boards.
func (c *checker) compareMatch(ctx context.Context, b board, followed int64) error {
	if b.Boards != nil && !reflect.DeepEqual(team.Of(b.t).Result(b.t, b.round, b.Pairing), b.Result) {
		c.faultAt(b, "the result of the match does not follow from its boards")
	}
	for i, duel := range b.t.Duels(b.Pairing) {
		end, found, err := c.end(ctx, cmp.Or(duel.ID, duel.HallID))
		if err != nil {
			return err
		}
		over := found && end.status == table.Finished
		played := duel.Result != nil && !duel.Result.Forfeit
		switch {
		case found && !slices.Equal(end.players, duel.Players):
			c.faultAt(b, "other players sit at board %d than in its game", i+1)
		case duel.ID != "" && duel.Result == nil && over && end.seq > 0 && end.seq <= followed && b.t.Status == tournament.Running:
			c.faultAt(b, "the game of board %d is over and has brought no result", i+1)
		case duel.Result != nil && duel.ID != "" && duel.Result.Source == tournament.ByServer && !over,
			duel.HallID != "" && played != over:
			c.faultAt(b, "board %d has a result, and its game has not, or the other way round", i+1)
		case over && duel.Result != nil && (duel.HallID != "" || duel.Result.Source == tournament.ByServer) &&
			(end.outcome == nil || !end.outcome.Void() && !slices.Equal(end.outcome.Ranks, duel.Ranks)):
			c.faultAt(b, "the result of board %d is not that of its game", i+1)
		case duel.HallID != "" && played && end.rated != duel.Result.Rated:
			c.faultAt(b, "board %d and its game in the hall differ in whether they are rated", i+1)
		}
	}
	return nil
}

// compareHall compares the result of a board in the hall with the game that is kept of it, which the ratings follow.
func (c *checker) compareHall(ctx context.Context, b board) error {
	if b.HallGame == "" {
		return nil
	}
	end, found, err := c.end(ctx, b.HallGame)
	if err != nil {
		return err
	}
	switch played := b.Result != nil && !b.Result.Forfeit; {
	case !played && found && end.status == table.Finished:
		c.faultAt(b, "no game was played, and one in the hall counts")
	case !played:
	case !found:
		c.faultAt(b, "it has a result, and its game in the hall is not there")
	case end.outcome == nil || !slices.Equal(end.outcome.Ranks, b.t.GameRanks(b.Pairing)):
		c.faultAt(b, "its result is %s, and its game in the hall ended otherwise", b.Text())
	case end.rated != b.Result.Rated:
		c.faultAt(b, "its result and its game in the hall differ in whether they are rated")
	case !slices.Equal(end.players, b.t.Players(b.Pairing)):
		c.faultAt(b, "other players sit at it than in its game in the hall")
	}
	return nil
}

// compareEarlier compares the games that count but did not decide a match, in a knock-out, with the stored list of
// them.
func (c *checker) compareEarlier(ctx context.Context, b board) error {
	for _, g := range b.Earlier {
		end, found, err := c.end(ctx, g.ID)
		if err != nil {
			return err
		}
		if fault := b.compareSeats(g.Seats, end); found && fault != "" {
			c.faultAt(b, "its earlier game %s %s", g.ID, fault)
		}
		if g.Ranks != nil && (!found || !end.brought(g.Ranks)) {
			c.faultAt(b, "game %s of the match is not there, or did not end as it is kept", g.ID)
		}
	}
	return nil
}

// compareSeats describes where a game's board or players differ from a pairing's; "" if they do not.
func (b board) compareSeats(seats []string, end gameEnd) string {
	switch place := (table.Place{ID: b.t.ID, Round: b.round, Board: b.Board}); {
	case end.place != place:
		return "belongs to another board"
	case !slices.Equal(end.players, b.t.Players(tournament.Pairing{Seats: seats})):
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
	g, lines, err := c.db.Games().Load(ctx, id)
	if errors.Is(err, table.ErrNotFound) {
		return gameEnd{}, false, nil
	}
	return endOf(g, 0, lines), err == nil, err
}

// compareArena describes where a game of an arena and its stored moves, berserk and end differ; "" if they do not. An
// arbiter's decision before the end of the game has no moves.
func (b board) compareArena(end gameEnd) string {
	a := b.Arena
	if a == nil || b.Result == nil || end.status != table.Finished || end.outcome == nil {
		return ""
	}
	byServer := b.Result.Source == tournament.ByServer && (a.Moves != nil || !b.Result.Void())
	switch {
	case end.outcome.Void() || a.Moves == nil && !byServer:
		return ""
	case !slices.Equal(a.Moves, end.moves):
		return fmt.Sprintf("has the moves %v by seat, and the arena counts %v", end.moves, a.Moves)
	case !slices.Equal(a.Berserk, end.berserk):
		return fmt.Sprintf("has seats %v in berserk, and the arena counts %v", end.berserk, a.Berserk)
	case byServer && a.EndedAt != end.at:
		return fmt.Sprintf("ended at %d, and the arena has %d", end.at, a.EndedAt)
	}
	return ""
}

// compareResult describes where a pairing's result is not that of its game; "" if it is.
func (b board) compareResult(end gameEnd, found bool, followed int64) string {
	over := found && end.status == table.Finished
	switch {
	case b.Result == nil && over && end.seq > 0 && end.seq <= followed && b.t.Status == tournament.Running:
		return "its game " + b.GameID + " is over and has brought no result"
	case b.Result == nil:
		return ""
	case b.t.Format.Continuous() && b.Result.Void():
		if over && end.outcome != nil && !end.outcome.Void() && end.at < arena.ClosesAt(b.t) {
			return "it is void, and its game " + b.GameID + " ended in time"
		}
		return ""
	case !found:
		return "it has a result, and its game " + b.GameID + " is not there"
	case !over:
		return "it has a result, and its game " + b.GameID + " is " + string(end.status)
	case end.outcome == nil:
		return "it has a result, and its game " + b.GameID + " has no outcome"
	}
	running := *b.t
	running.Status = tournament.Running
	var again *tournament.Revision
	var err error
	if reason := string(end.outcome.Reason); b.t.Format.Continuous() && b.Arena != nil {
		again, err = arena.Over(&running, arena.GameEnd{
			Round: b.round, Board: b.Board, Ranks: end.outcome.Ranks, Moves: b.Arena.Moves, Reason: reason, At: end.at,
		})
	} else if end.outcome.Void() {
		again, err = scoring.GameVoid(&running, b.round, b.Board, b.GameID, reason, end.at)
	} else {
		again, err = scoring.GameOver(&running, b.round, b.Board, end.outcome.Ranks, end.plies, b.GameID, reason, end.at)
	}
	if err != nil {
		return "its game " + b.GameID + " does not fit: " + err.Error()
	}
	if want, err := again.Pairing(b.round, b.Board); err != nil || !reflect.DeepEqual(want.Result, b.Result) {
		return "its result is " + b.Text() + ", and its game " + b.GameID + " brings " + want.Text()
	}
	return ""
}
