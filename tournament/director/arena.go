package director

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/registration"
)

// Arenas reads and stores the state of arenas that tournaments and their games do not have.
type Arenas interface {
	// Arenas returns the ids of the arenas that run.
	Arenas(ctx context.Context) ([]string, error)
	// ArenaBeat returns the time of an arena's last tick, ms UTC, 0 for none; BeatArena stores it.
	ArenaBeat(ctx context.Context, id string) (int64, error)
	BeatArena(ctx context.Context, id string, at int64) error
	// Playing returns the players of a list whose clock runs in any game.
	Playing(ctx context.Context, players []string) (map[string]bool, error)
	// Played returns the number of moves of each seat in a game, and the seats, from 1, that play berserk.
	Played(ctx context.Context, gameID string) (moves, berserk []int, err error)
}

// theArenas is the key of the lease on all arenas: a single process pairs in them, so that no two pair the same player.
const theArenas = "arenas"

// TickArenas pairs free players in every running arena whose tick is due, and ends arenas that are over. Call it about
// every second. An arena's failure does not stop the others, and is part of the error.
func (d *Director) TickArenas(ctx context.Context) error {
	if d.Mine != nil && !d.Mine(theArenas) {
		d.ticks.Clear()
		return nil
	}
	ids, err := d.Arenas.Arenas(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range ids {
		failed = append(failed, d.tick(ctx, id, ids))
	}
	return errors.Join(failed...)
}

// tick runs an arena once per interval. It credits an outage, then stores the heartbeat: a crash in between repeats the
// credit, which GiveBack makes idempotent.
func (d *Director) tick(ctx context.Context, id string, running []string) (err error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	last, _ := d.ticks.Load(id)
	seen, _ := last.(int64)
	now := d.gameNow()
	step := int64(t.Rules.Arena.Tick) * 1000
	if seen != 0 && (now-t.StartedAt)/step == (seen-t.StartedAt)/step {
		return nil
	}
	if seen == 0 {
		seen, err = d.Arenas.ArenaBeat(ctx, id)
		if err != nil {
			return err
		}
	}
	if now >= arena.ClosesAt(t) { // ends in time are recorded before the games that are left are void
		if _, err := d.CatchUp(ctx); err != nil {
			return err
		}
	}
	playing, err := d.elsewhere(ctx, t, running)
	if err != nil {
		return err
	}
	_, err = d.apply(ctx, id, Order{}, func(t *tournament.Tournament) (*tournament.Revision, error) {
		return d.arenaStep(t, max(seen, t.StartedAt), now, playing)
	}, nil)
	if err == nil {
		err = d.Arenas.BeatArena(ctx, id, now)
	}
	if err == nil {
		d.ticks.Store(id, now)
	}
	return err
}

// arenaStep credits an outage, closes an arena that is over, or pairs its free players. It is idempotent.
func (d *Director) arenaStep(
	t *tournament.Tournament, seen, now int64, playing map[string]bool,
) (*tournament.Revision, error) {
	next, err := arena.Extend(t, seen, now)
	if err != nil || next.Status != tournament.Running {
		return &tournament.Revision{Tournament: t}, err
	}
	if now >= arena.EndsAt(next.Tournament) {
		return next.Then(arena.Close(next.Tournament, now))
	}
	pairs, err := arena.Tick(next.Tournament, now, func(e tournament.Entry) bool {
		busy, known := playing[e.ID]
		return e.Bot() == 0 && (busy || !known) // later arrivals wait for the next tick
	})
	if err != nil || len(pairs) == 0 {
		return next, err
	}
	return next.Then(arena.AppendPairings(next.Tournament, pairs, d.NewID, now))
}

// elsewhere reports, by waiting entry of an arena, whether its players are at another game: their clocks run there, or
// it is a game of another arena in the hall, with clocks not known here.
func (d *Director) elsewhere(ctx context.Context, t *tournament.Tournament, running []string) (map[string]bool, error) {
	out := map[string]bool{}
	var players []string
	for _, i := range arena.IdleOf(t, func(tournament.Entry) bool { return false }) {
		e, _ := t.Entry(i.Player)
		out[e.ID] = false
		players = append(players, e.Members...)
	}
	if len(players) < 2 {
		return out, nil
	}
	busy, err := d.Arenas.Playing(ctx, players)
	if err != nil {
		return nil, err
	}
	others, err := d.otherArenas(ctx, t.ID, running)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, other := range others {
		for id := range arena.OpenGames(other) {
			e, _ := other.Entry(id)
			for _, player := range e.Members {
				there[player] = true
			}
		}
	}
	for id := range out {
		e, _ := t.Entry(id)
		out[id] = slices.ContainsFunc(e.Members, func(p string) bool { return busy[p] || there[p] })
	}
	return out, nil
}

// arenaOver records the end of a game of an arena.
func (d *Director) arenaOver(ctx context.Context, t *tournament.Tournament, g Finished) (*tournament.Revision, error) {
	given, err := d.givenBack(ctx, t, g.At)
	if err != nil {
		return nil, err
	}
	end := arena.GameEnd{Round: g.Round, Board: g.Board, Reason: g.Reason, At: g.At}
	if g.Ranks != nil && !g.Aborted {
		moves, berserk, err := d.Arenas.Played(ctx, g.GameID)
		if err != nil {
			return nil, err
		}
		end.Ranks = g.Ranks
		end.Moves = moves
		end.Berserk = berserk
	}
	return given.Then(arena.Over(given.Tournament, end))
}

// givenBack returns an arena credited for an outage, if a game has ended after it closed: the game may have been over
// before the first tick after the outage.
func (d *Director) givenBack(ctx context.Context, t *tournament.Tournament, at int64) (*tournament.Revision, error) {
	if at < arena.ClosesAt(t) {
		return t.Unchanged()
	}
	seen, err := d.Arenas.ArenaBeat(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	return arena.Extend(t, seen, at)
}

// withGrace returns an arena with the usual grace for its clocks, unless another is set.
func (d *Director) withGrace(t *tournament.Tournament) *tournament.Tournament {
	next := *t
	if d.Base != nil && next.Rules.Arena.Grace == 0 {
		base, _ := d.Base(t.TimeControl)
		next.Rules.Arena.Grace = int(arena.Grace(base))
	}
	return &next
}

// JoinArena lets a player wait for opponents in an arena, under the given entry if it has none there. It refuses a
// player who waits or plays in another arena: games with clocks do not overlap.
func (d *Director) JoinArena(
	ctx context.Context, id string, e tournament.Entry, o Order,
) (*tournament.Tournament, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	e.ID = cmp.Or(registration.Left(t, e.Members), d.NewID())
	return d.inOneArena(ctx, id, e.Members, o, func(t *tournament.Tournament) (*tournament.Revision, error) {
		shape, err := d.Variant(t.Variant, t.Options)
		if err != nil {
			return nil, err
		}
		now := d.gameNow()
		next, err := arena.Join(t, e, shape.For(t.Rules), now)
		if err == nil && len(next.Entries) > len(t.Entries) {
			next.Delta.Acts = []tournament.Act{{Kind: tournament.ActRegister, By: o.By, At: now, Entry: e.ID}}
		}
		return next, err
	})
}

// SetWaiting lets an entry of an arena wait for opponents, or go away; its open game goes on.
func (d *Director) SetWaiting(
	ctx context.Context, id, entry string, waits bool, o Order,
) (*tournament.Tournament, error) {
	op := func(t *tournament.Tournament) (*tournament.Revision, error) {
		return arena.Wait(t, entry, waits, d.gameNow())
	}
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	if e, known := t.Entry(entry); known && waits {
		return d.inOneArena(ctx, id, e.Members, o, op)
	}
	return d.apply(ctx, id, o, op, nil)
}

// inOneArena carries out a step after which players wait in an arena, unless any of them is in another. It checks again
// afterwards and withdraws them on a conflict, because another process may have let them into another arena at the same
// time.
func (d *Director) inOneArena(
	ctx context.Context, id string, players []string, o Order, op operation,
) (*tournament.Tournament, error) {
	unlock, err := d.locks.lock(ctx, theArenas)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := d.inNoOther(ctx, id, players); err != nil {
		return nil, err
	}
	t, err := d.apply(ctx, id, o, op, nil)
	if err != nil {
		return nil, err
	}
	refused := d.inNoOther(ctx, id, players)
	if refused == nil {
		return t, nil
	}
	_, err = d.apply(ctx, id, Order{By: o.By}, func(t *tournament.Tournament) (*tournament.Revision, error) {
		for _, e := range t.Entries {
			if slices.Equal(e.Members, players) {
				return arena.Wait(t, e.ID, false, d.gameNow())
			}
		}
		return t.Unchanged()
	}, nil)
	return nil, errors.Join(refused, err)
}

// inNoOther returns an error if any of these players waits or plays in another running arena.
func (d *Director) inNoOther(ctx context.Context, id string, players []string) error {
	running, err := d.Arenas.Arenas(ctx)
	if err != nil {
		return err
	}
	others, err := d.otherArenas(ctx, id, running)
	for _, t := range others {
		open := arena.OpenGames(t)
		for _, e := range t.Entries {
			_, plays := open[e.ID]
			if (plays || arena.InArena(t, e)) && slices.ContainsFunc(players, func(p string) bool { return slices.Contains(e.Members, p) }) {
				return tournament.NotNow("%s is in the arena %s, which has to be left first", e.Name, t.Name)
			}
		}
	}
	return err
}

// otherArenas returns the running arenas without this arena.
func (d *Director) otherArenas(
	ctx context.Context, id string, running []string,
) (others []*tournament.Tournament, err error) {
	for _, other := range running {
		if other == id {
			continue
		}
		t, err := d.Store.Load(ctx, other)
		if err != nil {
			return nil, err
		}
		others = append(others, t)
	}
	return others, nil
}
