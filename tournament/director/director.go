package director

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
)

// Config is what a director needs. Store, Tables, Variant, TimeControl and Now are required.
type Config struct {
	Store    Store
	Tables   Tables
	Notifier Notifier // nil tells nobody

	// Variant, TimeControl and Ends judge what a tournament names; see tournament.Checks.
	Variant     func(id string, options map[string]string) (tournament.Shape, error)
	TimeControl func(text string) (string, error)
	Ends        func(variant string, options map[string]string, control string) error // nil: see there

	Now     func() time.Time
	NewID   func() string // ids of tournaments, entries and games; nil makes UUIDs of version 7
	NewSeed func() string // 64 hex digits for drawing lots; nil takes them from the system
	Log     *slog.Logger  // nil uses the default
}

// Director runs all tournaments. It is safe for concurrent use; what concerns one tournament happens in turn, in this
// process by a lock and between processes by the stored version.
type Director struct {
	Config
	turns  turns
	tables cache[*standings.Standings] // that were asked for lately
	whys   cache[*pairing.Explanation]
	gives  chan struct{} // holds a token while reasons are found: one at a time, for they take long in large fields
	catch  chan struct{}

	mu    sync.Mutex
	owing map[string]bool // tournaments with a step that was stored but not carried through
}

// New gives a director. Call [Director.Resume] once before anything else, and [Director.Catch] whenever a game has
// finished, and now and then besides.
func New(c Config) *Director {
	if c.Notifier == nil {
		c.Notifier = silent{}
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
		Config: c, tables: newCache[*standings.Standings](), whys: newCache[*pairing.Explanation](),
		catch: make(chan struct{}, 1), gives: make(chan struct{}, 1), owing: make(map[string]bool),
	}
}

type silent struct{}

func (silent) TournamentChanged(*tournament.Tournament, Topic, Audience) {}

func newSeed() string {
	var raw [32]byte
	rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// Order says who commands, and on what they build.
type Order struct {
	By     string // account id, for the history
	Expect int64  // the version that the caller has seen; another one is refused with ErrStale. 0 takes any
}

// fits refuses an order that builds on another version than the tournament's.
func (o Order) fits(t *tournament.Tournament) error {
	if o.Expect != 0 && t.Version != o.Expect {
		return tournament.Refuse(tournament.ErrStale, "version %d was expected and %d is stored", o.Expect, t.Version)
	}
	return nil
}

// tries is how often a change is judged anew after another process was faster.
const tries = 10

// step is one operation of package tournament; giving back its argument means that nothing changes.
type step func(*tournament.Tournament) (*tournament.Tournament, tournament.Delta, error)

// change carries out one command: judge, store, then do what follows. Its answer is the tournament as stored; what
// could not be carried through after that (a game not opened) is repeated later and no error. The act goes into the
// history.
func (d *Director) change(ctx context.Context, id string, o Order, act tournament.Act, op step) (*tournament.Tournament, error) {
	leave, err := d.turns.enter(ctx, id)
	if err != nil {
		return nil, err
	}
	defer leave()
	for range tries {
		t, err := d.Store.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := o.fits(t); err != nil {
			return nil, err
		}
		next, delta, err := op(t)
		if err != nil || next == t {
			return next, err
		}
		next.Succeed(t, delta)
		d.note(ctx, act, o, t, next, &delta)
		err = d.Store.Save(ctx, next, t.Version, delta)
		if errors.Is(err, tournament.ErrStale) {
			continue
		}
		if err != nil {
			d.owe(id) // the store may have kept it all the same
			return nil, err
		}
		return d.follow(context.WithoutCancel(ctx), t, next, delta), nil
	}
	return nil, tournament.ErrStale
}

func (d *Director) now() int64 { return d.Now().UnixMilli() }

func (d *Director) checks() tournament.Checks {
	return tournament.Checks{
		Format: checkFormat, Variant: d.Variant, TimeControl: d.TimeControl, Ends: d.Ends, TieBreak: standings.Check,
	}
}
