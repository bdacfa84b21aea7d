// Package bots makes the moves of bots in running games. It subscribes to stored steps, and plays through
// [table.Tables] as people do: by the same rules, on the same clocks, with the same guard of the turn, so that
// notifications are idempotent. Where several processes share the games, the owner of a game plays its bots; a new
// owner scans for pending moves.
//
// A bot's work follows from the game alone. Nothing is stored: after a restart, and every now and then, the running
// games with bots are searched for missed work.
//
//	the game                                          the bot
//	awaits its seat                                   moves; level 3 thinks for a tenth of a second, less on a low clock
//	wants its part of the seed (nonces)               sends its commitment, and then its nonce
//	has a draw offer for its side                     declines, unless a person is its partner
//	has a request for a takeback for its side         agrees, unless a person is its partner; in a tournament it does not answer
//
// Bots never resign. A fault of a bot costs it a good move, not the game: then it makes the first legal move.
package bots

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"quatuor/engine/player"
	"quatuor/engine/table"
)

// Tables are the running games, as [table.Tables] has them.
type Tables interface {
	Arrive(game string) *table.Arrival
	Snapshot(ctx context.Context, game string) (*table.Snapshot, error)
	Play(ctx context.Context, a *table.Arrival, m table.Move) (*table.Snapshot, error)
	Decline(ctx context.Context, a *table.Arrival, act table.Act) (*table.Snapshot, error)
	AgreeBack(ctx context.Context, a *table.Arrival, act table.Act) (*table.Snapshot, error)
	CommitNonce(ctx context.Context, a *table.Arrival, n table.Nonce) (*table.Snapshot, error)
	SendNonce(ctx context.Context, a *table.Arrival, n table.Nonce) (*table.Snapshot, error)
	Time() time.Time
}

// Config configures the bots of a process. Games is required; the rest has defaults.
type Config struct {
	Games   table.Archive
	Logger  *slog.Logger
	Workers int           // bots that think at the same time; 0 for the number of processors less 1, at least 1
	Think   time.Duration // of level 3 for a move, where its clock allows it; 0 for DefaultThink
	// positions that level 3 looks at, instead of a time, so that its moves can be repeated; 0 for none
	Nodes int
	// Mine reports whether this process owns a game; nil if it owns all. Only those are played here.
	Mine func(game string) bool
	// Moved is called after each move of a bot with the time it has thought.
	Moved func(level int, thought time.Duration)
}

// DefaultThink is the thinking time of level 3.
const DefaultThink = 100 * time.Millisecond

const (
	// sweepEvery is the interval between searches of the games for missed work.
	sweepEvery = 10 * time.Second
	// settled is the time after a change of owners until all processes know of it; then the games are looked through
	// once more.
	settled = time.Second
)

// Bots attends to the games of a process. It is a [table.Notifier].
type Bots struct {
	Config
	tables Tables

	mu      sync.Mutex
	pending map[string]int64 // games to attend to, with the deadline of the next flag, 0 for none
	busy    map[string]bool  // games that a worker attends to
	wake    chan struct{}
	owners  chan struct{} // they have changed
}

// New returns bots that nothing runs yet.
func New(c Config) *Bots {
	c.Logger = cmp.Or(c.Logger, slog.Default())
	c.Workers = cmp.Or(c.Workers, max(runtime.GOMAXPROCS(0)-1, 1))
	c.Think = cmp.Or(c.Think, DefaultThink)
	if c.Moved == nil {
		c.Moved = func(int, time.Duration) {}
	}
	if c.Mine == nil {
		c.Mine = func(string) bool { return true }
	}
	return &Bots{
		Config: c, pending: map[string]int64{}, busy: map[string]bool{}, wake: make(chan struct{}, c.Workers),
		owners: make(chan struct{}, 1),
	}
}

// OwnersChanged starts a search for games that have become this process's own. It returns at once.
func (b *Bots) OwnersChanged() {
	select {
	case b.owners <- struct{}{}:
	default:
	}
}

// ChangedElsewhere notes that other processes have changed games, possibly this process's own games with bots. It
// returns at once.
func (b *Bots) ChangedElsewhere(tables Tables, games ...string) {
	for _, game := range games {
		if !b.Mine(game) {
			continue
		}
		a := tables.Arrive(game)
		known := a.Known()
		a.Done()
		if known == nil || known.Game.Bots() != 0 {
			b.add(game, 0)
		}
	}
}

// GameChanged notes that a bot may have something to do. It returns at once.
func (b *Bots) GameChanged(s *table.Snapshot, _ []table.Line) {
	if s.Game.Bots() != 0 && (due(&s.Game) || s.TakebackOffer() != 0) {
		b.add(s.Game.ID, s.Game.Deadline)
	}
}

// due reports whether a game may want something of a bot of it, by its row.
func due(g *table.Game) bool {
	bots := g.Bots()
	if g.Status == table.Waiting {
		return g.Nonces && g.Invited == 0
	}
	if g.Status != table.Running {
		return false
	}
	return g.Offer != 0 || slices.ContainsFunc(g.Awaited, bots.Has)
}

// add has a game attended to, if it is this process's own.
func (b *Bots) add(game string, deadline int64) {
	if !b.Mine(game) {
		return
	}
	b.mu.Lock()
	b.pending[game] = deadline
	b.mu.Unlock()
	b.signal()
}

func (b *Bots) signal() {
	select {
	case b.wake <- struct{}{}:
	default: // all workers have been woken
	}
}

// Run attends to the games until ctx ends; then it waits for moves in progress.
func (b *Bots) Run(ctx context.Context, tables Tables) {
	b.tables = tables
	var wg sync.WaitGroup
	for range b.Workers {
		wg.Go(func() { b.work(ctx) })
	}
	timer := time.NewTimer(sweepEvery)
	defer timer.Stop()
	for ctx.Err() == nil {
		if err := b.sweep(ctx); err != nil && ctx.Err() == nil {
			b.Logger.Warn("looking for games in which a bot is to move", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-b.owners:
			timer.Reset(settled)
		case <-timer.C:
			timer.Reset(sweepEvery)
		}
	}
	wg.Wait()
}

// sweep adds the games that wait for a bot.
func (b *Bots) sweep(ctx context.Context) error {
	const page = 200
	for level := 1; level <= table.MaxBotLevel; level++ {
		f := table.Filter{Player: table.BotID(level), Status: []table.Status{table.Waiting, table.Running}}
		for cursor := ""; ; {
			games, next, err := b.Games.List(ctx, f, page, cursor)
			if err != nil {
				return err
			}
			for i := range games {
				if due(&games[i]) {
					b.add(games[i].ID, games[i].Deadline)
				}
			}
			if cursor = next; cursor == "" {
				break
			}
		}
	}
	return nil
}

// work attends to games in turn.
func (b *Bots) work(ctx context.Context) {
	bot := player.New()
	for {
		game, queued := b.next()
		if game == "" {
			select {
			case <-ctx.Done():
				return
			case <-b.wake:
				continue
			}
		}
		if ctx.Err() != nil {
			return
		}
		if !b.Mine(game) { // any more
			b.done(game)
			continue
		}
		if err := b.attend(ctx, bot, game, queued); err != nil && ctx.Err() == nil && !errors.Is(err, table.ErrUnavailable) {
			b.Logger.Warn("a bot could not act", "game", game, "error", err)
		}
		b.done(game)
	}
}

// next takes the game with the earliest deadline, and returns the number of others that wait; "" if no game is left for
// this worker.
func (b *Bots) next() (game string, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	best := int64(0)
	for id, deadline := range b.pending {
		if !b.busy[id] && (game == "" || deadline != 0 && (best == 0 || deadline < best)) {
			game, best = id, deadline
		}
	}
	if game != "" {
		delete(b.pending, game)
		b.busy[game] = true
	}
	return game, len(b.pending)
}

// done lets other workers attend to a game, and wakes a worker if something came in the meantime.
func (b *Bots) done(game string) {
	b.mu.Lock()
	delete(b.busy, game)
	_, again := b.pending[game]
	b.mu.Unlock()
	if again {
		b.signal()
	}
}
