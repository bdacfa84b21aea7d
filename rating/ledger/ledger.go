// Package ledger rates finished games: in the order of their ends, each exactly once.
//
// Finished games come from the outbox, in the order of their commits. The ledger is a consumer with a cursor there:
// rating rows are stored in the transaction that moves the cursor, and only if the cursor has not moved since it was
// read. So a batch is atomic in a crash, concurrent ledgers count no game twice, and a game that is in the outbox twice
// counts once.
//
// Ratings are a pure function of the games and of the ratings that players were entered with. A recomputation returns
// the same rows to the last bit.
//
// # Corrections
//
// The result of a game in the hall may be corrected, removed and entered again. The outbox then gets a further row of
// the game, which takes the place of the first: the game keeps its place in the order. When the ledger comes to a
// further row, it rates the game's list again from that place on and replaces the rows there in the transaction that
// moves the cursor. This holds the games since then, and their rows, in memory, a few hundred bytes each.
//
// # Which games are rated
//
//	the game                                                    rated
//	agreed to be unrated, or of an unrated event                no
//	of no list                                                  no
//	void (to be played again) or aborted: it has no ranks       no
//	without a single ply, however it ended                      no, unless it was played in the hall
//	with a seat that has no player                              no
//	with one player on two seats                                no
//	with fewer than two sides that have moved                   no
//	any other                                                   yes, for the seats that have moved
//
// A seat has moved if it has made a move that was not taken back; in the hall, all have if the game was played. Other
// seats are left out: the game is rated as if the rest had played it, with the ranks of the rest. So a loss on time, by
// forfeit or by resignation costs no rating before the loser's first move, in games of any number of seats.
//
// For games that ended before Finished.Moved was stored (it is nil) the older rule holds that they were rated by when
// they ended, so that a recomputation returns the same rows for them:
//
//	the game, if no reason for "no" above applies                rated
//	lost on time or by forfeit before every seat has moved,
//	that is with fewer plies than seats                         no
//	lost by resignation after a ply                             yes, for all seats
//	any other                                                   yes, for all seats
package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"quatuor/rating"
)

// batch is the maximum number of finished games of a transaction.
const batch = 256

// Ledger rates finished games. It is safe for concurrent use; several ledgers may work on the same store.
type Ledger struct {
	store Store
	by    Regulation
	mu    sync.Mutex // serializes this process; between processes the cursor decides

	// Progress receives the progress of a recomputation or verification, in places of the outbox; nil for none.
	Progress func(done, all int64)
}

// New returns a ledger that rates all lists by a system.
func New(store Store, system rating.System) *Ledger { return NewBy(store, Uniform{system}) }

// NewBy returns a ledger that rates by a regulation.
func NewBy(store Store, by Regulation) *Ledger { return &Ledger{store: store, by: by} }

// CatchUp rates all games that have finished since the last call, of this or another ledger, and returns the number of
// games that it took from the outbox, rated or not. A game that cannot be rated, for example with a single side, stops
// it with an error that wraps rating.ErrSeats and names the game, because the games after it depend on it.
func (l *Ledger) CatchUp(ctx context.Context) (taken int, err error) {
	return l.CatchUpIn(ctx, l.store)
}

// CatchUpIn is CatchUp by way of another store of the same data, for example that of a lease, which has read ahead.
func (l *Ledger) CatchUpIn(ctx context.Context, in Store) (taken int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return NewBy(in, l.by).catchUp(ctx)
}

func (l *Ledger) catchUp(ctx context.Context) (taken int, err error) {
	refusedAt := int64(-1)
	for {
		from, games, err := l.store.Pending(ctx, batch)
		if err != nil || len(games) == 0 {
			return taken, err
		}
		switch err := l.take(ctx, from, games); {
		case err == nil:
			taken += len(games)
			if len(games) < batch {
				return taken, nil
			}
		case !errors.Is(err, ErrBehind) || from == refusedAt:
			return taken, err
		default: // another ledger was faster
			refusedAt = from
		}
		if err := ctx.Err(); err != nil {
			return taken, err
		}
	}
}

// take rates a batch and moves the cursor over it.
func (l *Ledger) take(ctx context.Context, from int64, games []Finished) error {
	if slices.ContainsFunc(games, func(f Finished) bool { return f.Corrects != 0 }) {
		return l.takeCorrected(ctx, from, games)
	}
	fresh, err := l.unrecorded(ctx, games)
	if err != nil {
		return err
	}
	rows, err := l.rate(ctx, from+1, fresh, func(list string, players []string) (map[string]rating.Rating, error) {
		return l.store.Current(ctx, list, players)
	})
	if err != nil {
		return err
	}
	return l.store.Record(ctx, from, games[len(games)-1].Seq, rows)
}

// ratingsOf returns the ratings that games are rated with.
type ratingsOf func(list string, players []string) (map[string]rating.Rating, error)

// rate returns the rows of games; start is the first.
func (l *Ledger) rate(ctx context.Context, start int64, games []Finished, ratings ratingsOf) ([]Row, error) {
	b, err := l.open(ctx, start, games, ratings)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, f := range games {
		more, err := b.rate(f)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// takeCorrected is take for a batch with corrections: it rates the lists of its games again, from the first game on
// that was corrected.
func (l *Ledger) takeCorrected(ctx context.Context, from int64, games []Finished) error {
	start, to := from+1, games[len(games)-1].Seq
	lists := map[string]bool{}
	for _, f := range games {
		lists[f.List] = true
		if f.Corrects != 0 {
			start = min(start, f.Corrects)
		}
	}
	var later []Finished
	err := l.store.Between(ctx, start-1, to, func(f Finished) error {
		if f.Corrects == 0 && lists[f.List] && f.rated() != nil {
			later = append(later, f)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rows, err := l.rate(ctx, start, later, func(list string, players []string) (map[string]rating.Rating, error) {
		return l.store.Before(ctx, start, list, players)
	})
	if err != nil {
		return err
	}
	return l.store.Rewrite(ctx, from, to, start, slices.Sorted(maps.Keys(lists)), rows)
}

// unrecorded returns the games that are rated and have no rows yet.
func (l *Ledger) unrecorded(ctx context.Context, games []Finished) ([]Finished, error) {
	var fresh []Finished
	var ids []string // ids to load from the store
	seen := map[string]bool{}
	for _, f := range games {
		if f.rated() == nil || seen[f.GameID] || f.Known != nil && f.Known.Recorded {
			continue
		}
		seen[f.GameID] = true
		fresh = append(fresh, f)
		if f.Known == nil {
			ids = append(ids, f.GameID)
		}
	}
	if len(ids) == 0 {
		return fresh, nil
	}
	recorded, err := l.store.Recorded(ctx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(fresh, func(f Finished) bool { return recorded[f.GameID] }), nil
}

// open returns a book with the ratings of all players of the games; start is the first.
func (l *Ledger) open(ctx context.Context, start int64, games []Finished, ratings ratingsOf) (*book, error) {
	b := newBook(l.by)
	b.meetings = loading(ctx, l.store, start)
	players := map[string][]string{}
	seen := map[place]bool{}
	for _, f := range games {
		for i, player := range f.Players {
			p := place{f.List, player}
			switch {
			case seen[p]:
				continue
			case f.Known == nil:
				players[f.List] = append(players[f.List], player)
			case f.Known.Current[i] != nil:
				b.ratings[p] = *f.Known.Current[i]
			}
			seen[p] = true
		}
	}
	for list, names := range players {
		current, err := ratings(list, names)
		if err != nil {
			return nil, fmt.Errorf("ratings of %s: %w", list, err)
		}
		for player, r := range current {
			b.ratings[place{list, player}] = r
		}
	}
	return b, nil
}

// Reassign changes the players of games. change gets a function that recomputes all ratings in the store of its own
// transaction; the ledger rates nothing else until it returns.
func (l *Ledger) Reassign(change func(recompute func(context.Context, Store) error) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return change(func(ctx context.Context, in Store) error {
		_, err := NewBy(in, l.by).Recompute(ctx)
		return err
	})
}
