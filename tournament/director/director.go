package director

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// Config configures a director. Store, Tables, Variant, TimeControl and Now are required.
type Config struct {
	Store    Store
	Tables   Tables
	Notifier Notifier // nil for none
	Arenas   Arenas   // nil where no arenas are run
	Slips    Slips    // nil where players cannot report results or call the arbiter

	// CallAnswered is called with the players of a board once its call for the arbiter is answered. It must not block;
	// nil for none.
	CallAnswered func(players []string)

	// Follow waits, for a limited time, until the ratings have taken in results in the hall, so that a client which reads
	// next sees them. It is called without locks; nil for none.
	Follow func(ctx context.Context)

	// Variant, TimeControl and Ends judge what a tournament names; see tournament.Checks.
	Variant     func(id string, options map[string]string) (tournament.Shape, error)
	TimeControl func(text string) (string, error)
	Ends        func(variant string, options map[string]string, control string) error // nil: see there

	// Base judges time controls for arenas; see tournament.Checks. Mine reports whether this process holds the lease of
	// a key; nil for always.
	Base func(control string) (seconds int64, timed bool)
	Mine func(key string) bool

	// Ratings returns the ratings of players in the list of a variant with a time control before a time, ms UTC, or now
	// if that is 0, without unrated players. Names returns their names. Tournaments of teams need both.
	Ratings func(ctx context.Context, variant, control string, players []string, before int64) (map[string]float64, error)
	Names   func(ctx context.Context, players []string) (map[string]string, error)

	// List returns the rating list of a variant with a time control; nil: a single list for each variant.
	List func(variant, control string) string

	// JudgeRecord judges the record of a game in the hall: its variant and options are these, every move in it is
	// legal, and nothing in it contradicts the ranks by seat. Its errors are tournament.FieldErrors about "record". It
	// may be nil; then no records are taken.
	JudgeRecord func(ctx context.Context, variant string, options map[string]string, ranks []int, text string) error

	Now func() time.Time
	// GameTime returns the time of the clocks of games and of arenas; nil for Now.
	GameTime func() time.Time
	NewID    func() string // ids of tournaments, entries and games; nil makes UUIDs of version 7
	NewSeed  func() string // 64 hex digits for drawing lots; nil for random digits
	Log      *slog.Logger  // nil uses the default
}

// Director runs all tournaments. It is safe for concurrent use; commands on the same tournament are serialised, in this
// process by a lock and between processes by the stored version.
type Director struct {
	Config
	locks        locks
	tables       cache[*standings.Standings]
	explanations cache[*pairing.Explanation]
	ticks        sync.Map      // the times, ms UTC, of this process's last tick of each running arena, by id
	explaining   chan struct{} // binary semaphore: explanations of large fields take long, so they run in turn
	catchingUp   chan struct{} // binary semaphore of CatchUp

	mu            sync.Mutex
	pendingRepair map[string]bool // tournaments with a stored change, but without its effects
}

// New returns a director. Call [Director.Resume] once before anything else, and [Director.CatchUp] whenever a game has
// finished, and periodically.
func New(c Config) *Director {
	if c.Notifier == nil {
		c.Notifier = nopNotifier{}
	}
	if c.Names == nil {
		c.Names = func(context.Context, []string) (map[string]string, error) { return map[string]string{}, nil }
	}
	if c.NewID == nil {
		c.NewID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if c.NewSeed == nil {
		c.NewSeed = newSeed
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return &Director{
		Config: c, tables: newCache[*standings.Standings](), explanations: newCache[*pairing.Explanation](),
		catchingUp: make(chan struct{}, 1), explaining: make(chan struct{}, 1), pendingRepair: make(map[string]bool),
	}
}

type nopNotifier struct{}

func (nopNotifier) TournamentChanged(*tournament.Tournament, Topic, Audience) {}

func newSeed() string {
	var raw [32]byte
	rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// Order is the author of a command and its precondition.
type Order struct {
	By     string // account id, for the history
	Expect int64  // the version that the caller has seen; 0 for any. If another version is stored, the result is ErrStale

	// If returns an error if the part of the tournament that the caller has seen has changed since; nil for any. It is
	// called with the tournament that the command is judged on, so that changes of other parts do no harm.
	If func(*tournament.Tournament) error
}

// check returns an error if the tournament is not as expected: ErrStale for another version.
func (o Order) check(t *tournament.Tournament) error {
	if o.Expect != 0 && t.Version != o.Expect {
		return tournament.Refuse(tournament.ErrStale, "version %d was expected, but version %d is stored", o.Expect,
			t.Version)
	}
	if o.If != nil {
		return o.If(t)
	}
	return nil
}

// tries is the maximum number of attempts of a change when other processes are faster.
const tries = 10

// apply is [Director.Do]; with a nil act, the change is not in the history.
func (d *Director) apply(
	ctx context.Context, id string, o Order, op operation, act *tournament.Act,
) (*tournament.Tournament, error) {
	next, err := d.applyLocked(ctx, id, o, op, act)
	if err != nil {
		return nil, err
	}
	if d.Follow != nil && ratesHall(next.Delta) {
		d.Follow(context.WithoutCancel(ctx))
	}
	return next.Tournament, nil
}

// ratesHall reports whether a stored change has results of games in the hall.
func ratesHall(delta tournament.Delta) bool {
	return len(delta.Changes) > 0 && slices.ContainsFunc(touched(delta), func(p tournament.RoundPairing) bool {
		return p.Pairing.HallGame != "" ||
			slices.ContainsFunc(p.Pairing.Boards, func(b tournament.MatchBoard) bool { return b.HallGame != "" })
	})
}

// applyLocked is apply under the tournament's lock. It returns what it stored, with the tournament after the effects.
func (d *Director) applyLocked(
	ctx context.Context, id string, o Order, op operation, act *tournament.Act,
) (*tournament.Revision, error) {
	unlock, err := d.locks.lock(ctx, id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	for range tries {
		t, err := d.Store.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := o.check(t); err != nil {
			return nil, err
		}
		next, err := op(t)
		if err != nil || next.Tournament == t {
			return next, err
		}
		next.Succeed(t)
		if act != nil {
			d.note(ctx, *act, o, t, next)
		}
		err = d.Store.Save(ctx, next.Tournament, t.Version, next.Delta)
		if errors.Is(err, tournament.ErrStale) {
			continue
		}
		if err != nil {
			d.repairLater(id) // it may have been stored in spite of the error
			return nil, err
		}
		return &tournament.Revision{Tournament: d.follow(context.WithoutCancel(ctx), t, next), Delta: next.Delta}, nil
	}
	return nil, tournament.ErrStale
}

// judging returns a tournament for a command that is only tried, or an error if it is not as expected.
func (d *Director) judging(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	t, err := d.Store.Load(ctx, id)
	if err == nil {
		err = o.check(t)
	}
	return t, err
}

func (d *Director) now() int64 { return d.Now().UnixMilli() }

// gameNow returns the time of the clocks of games and of arenas.
func (d *Director) gameNow() int64 {
	if d.GameTime == nil {
		return d.now()
	}
	return d.GameTime().UnixMilli()
}

func (d *Director) checks() tournament.Checks {
	return tournament.Checks{
		Format: checkFormat, Variant: d.Variant, TimeControl: d.TimeControl, Ends: d.Ends, Base: d.Base, TieBreak: standings.Check,
		Teams: team.Check,
	}
}

// Tournament returns a tournament with entries and rounds, or tournament.ErrNotFound.
func (d *Director) Tournament(ctx context.Context, id string) (*tournament.Tournament, error) {
	return d.Store.Load(ctx, id)
}

// History returns the result changes of a tournament, oldest first.
func (d *Director) History(ctx context.Context, id string) ([]tournament.Change, error) {
	return d.Store.History(ctx, id)
}

// Standings returns the standings of a tournament after a round, 0 for the last published one. Views of a tournament for
// the public and for its staff have the same. The result is shared: do not change it.
func (d *Director) Standings(t *tournament.Tournament, round int) (*standings.Standings, error) {
	if t.Status == tournament.Draft {
		return standings.After(t, round) // a change of a draft leaves the public version
	}
	return d.tables.get(cacheKey{id: t.ID, round: round}, t.PublicVersion,
		func() (*standings.Standings, error) { return standings.After(t.Public(), round) })
}

// cacheSize is the maximum number of values in a cache.
const cacheSize = 64

// cache is an LRU cache of values computed from tournaments. A value is invalid once the tournament's version changes.
type cache[T any] struct {
	values *lru.Cache[cacheKey, cached[T]]
}

type cacheKey struct {
	id    string
	round int
	staff bool // view of the organiser and arbiters
}

type cached[T any] struct {
	version int64
	value   T
}

func newCache[T any]() cache[T] {
	values, _ := lru.New[cacheKey, cached[T]](cacheSize) // fails only for a size below 1
	return cache[T]{values}
}

// get returns the value for a version, and computes it if it is not in the cache.
func (c cache[T]) get(key cacheKey, version int64, compute func() (T, error)) (T, error) {
	if value, ok := c.find(key, version); ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		c.values.Add(key, cached[T]{version, value})
	}
	return value, err
}

func (c cache[T]) find(key cacheKey, version int64) (value T, ok bool) {
	kept, ok := c.values.Get(key)
	if !ok || kept.version != version {
		return value, false
	}
	return kept.value, true
}
