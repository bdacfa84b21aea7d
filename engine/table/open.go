package table

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// NewGame describes a game to be created.
type NewGame struct {
	ID         string // "" = a new id is made
	Variant    string
	Seats      int      // 0 = the number of players
	Players    []string // player ids by seat; "" for an open seat
	Open       bool     // seats may be open: the first to come take them
	Private    bool     // with Open: unlisted; sitting down takes its code
	Controls   []string // time controls by seat, or the same for all
	Lag, Rated bool
	Nonces     bool // the seats add to the seed: the game is dealt, and starts, once all have
	// time limit for a seat's first move, ms of its own turn, after which it forfeits; 0 = none but the clock
	Grace      int64
	Delay      Delay
	Takebacks  bool
	Options    map[string]string
	Tournament *Place
	CreatedBy  string
	Invited    SeatSet // seats of players that must accept before the game starts
	Quotas     []Quota // of players of a casual game that are seated without an invitation
	Start      bool    // clocks run at once, unless players are invited or nonces awaited, or it starts later
	StartsAt   int64   // the clocks of a tournament game start then by the service's time, ms UTC; 0 = no start time
	Together   bool    // with StartsAt: or as soon as the players of all seats are at the board

	uses []QuotaUse
}

// Open stores new games and starts those with Start. A game with an id that exists already is returned unchanged.
// Errors wrap ErrSetup and name the part that was wrong, or are ErrBotGames; then nothing is stored.
func (t *Tables) Open(ctx context.Context, wanted ...NewGame) ([]*Snapshot, error) {
	t.acting.RLock()
	defer t.acting.RUnlock()
	if len(wanted) == 1 && len(wanted[0].quotas()) > 0 {
		return t.openWithin(ctx, wanted[0])
	}
	return t.openAll(ctx, wanted...)
}

func (t *Tables) openAll(ctx context.Context, wanted ...NewGame) ([]*Snapshot, error) {
	games := make([]Game, len(wanted))
	for i, w := range wanted {
		g, err := t.newGame(w)
		if err != nil {
			return nil, err
		}
		games[i] = g
	}
	if len(wanted) == 1 && wanted[0].begins() {
		s, err := t.openStarted(ctx, games[0])
		return []*Snapshot{s}, err
	}
	if err := t.Journal.Create(ctx, games); err != nil {
		return nil, err
	}
	for i, w := range wanted {
		if w.ID == "" {
			t.remember(games[i])
		}
	}
	// The games of a large round start at the same moment, and share the journal's commits.
	snapshots := make([]*Snapshot, len(games))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxConcurrentStarts)
	for i, g := range games {
		group.Go(func() (err error) {
			snapshots[i], err = t.opened(ctx, g, &wanted[i])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return snapshots, nil
}

// begins reports whether a game is certainly new, and starts at once.
func (w *NewGame) begins() bool {
	return w.ID == "" && w.Start && w.Invited == 0 && !w.Open && !w.Nonces && w.StartsAt == 0
}

// openStarted stores a new game together with its start, as a single write.
func (t *Tables) openStarted(ctx context.Context, game Game) (*Snapshot, error) {
	t.suspension.creditStop(ctx, t.time.steady())
	if t.suspension.active() {
		return nil, ErrUnavailable
	}
	s, err := fold(game, nil)
	if err != nil {
		return nil, err
	}
	d := draftOf(s)
	if err := d.start(game.CreatedBy, t.now()); err != nil {
		return nil, err
	}
	g := t.cache.take(game.ID)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	return t.commitBy(ctx, g, d, t.Journal.Begin)
}

// remember caches a game that was just created under a new id, so that it is not read from the journal to be started.
func (t *Tables) remember(game Game) {
	s, err := fold(game, nil)
	if err != nil {
		return // the same shows when it is read
	}
	g := t.cache.take(game.ID)
	defer t.cache.release(g)
	g.snap.CompareAndSwap(nil, s)
}

// maxConcurrentStarts is the maximum number of games that are started concurrently.
const maxConcurrentStarts = 256

// opened returns a stored game, after starting it if that is wanted and it can be.
func (t *Tables) opened(ctx context.Context, g Game, w *NewGame) (s *Snapshot, err error) {
	if w.ID == "" { // it has just been stored
		s = t.cache.peek(g.ID)
	}
	if s == nil {
		s, err = t.Snapshot(ctx, g.ID)
	}
	if err == nil && w.Start && s.Game.Status == Waiting && s.Game.Invited == 0 && s.Game.StartsAt == 0 && s.Match != nil {
		return t.Start(ctx, t.Arrive(g.ID), g.CreatedBy)
	}
	if err == nil && s.Game.Status == Waiting {
		t.arm(g.ID, s.Game.Deadline)
		t.cluster.watch(&s.Game, nil)
		if s.Game.Invited != 0 && s.Game.Tournament == nil || s.Game.Deadline != 0 && !t.cluster.owns(g.ID) {
			t.Notifier.GameChanged(s, nil) // for invited players, open seats, and the owner
		}
	}
	return s, err
}

func (t *Tables) newGame(w NewGame) (Game, error) {
	rules, err := catalog.Find(w.Variant)
	if err != nil {
		return Game{}, errors.Join(ErrSetup, err)
	}
	seedHex := ""
	if rules.Info().Secret {
		seed := t.NewSeed()
		seedHex = hex.EncodeToString(seed[:])
	}
	id := w.ID
	if id == "" {
		id = t.newID()
	}
	seats := cmp.Or(w.Seats, len(w.Players))
	if w.StartsAt != 0 {
		if w, err = t.planned(w, seats); err != nil {
			return Game{}, err
		}
	}
	code := ""
	if w.Private && w.Open {
		code = t.NewCode()
	}
	for i, p := range w.Players {
		if w.Open && p == "" {
			w.Invited = w.Invited.With(int8(i + 1))
		}
	}
	s, err := begin(Game{
		ID: id, Variant: w.Variant, Seats: seats, SeedHex: seedHex, Options: w.Options, Players: slices.Clone(w.Players),
		Controls: w.Controls, Lag: w.Lag, Rated: w.Rated, Nonces: w.Nonces, Tournament: w.Tournament, CreatedBy: w.CreatedBy,
		CreatedAt: t.now(), Delay: w.Delay, Takebacks: w.Takebacks, Clock: clock.State{}.WithGrace(w.Grace),
		Invited: w.Invited, StartsAt: w.StartsAt, Open: w.Open, Code: code, Uses: w.uses,
	})
	if err != nil {
		return Game{}, err
	}
	if w.Tournament == nil {
		if err := checkCasual(s.Game); err != nil {
			return Game{}, err
		}
	}
	if err := checkBots(s.Game); err != nil {
		return Game{}, err
	}
	if err := t.checkMixed(&s.Game); err != nil {
		return Game{}, err
	}
	info := rules.Info()
	s.Game.Takebacks = w.Takebacks && !info.Secret && info.SidesAt(s.Game.Seats) == 2
	return s.Game, checkPlayers(w, s.Game.Seats)
}

// begin returns a game before its first line, with defaults filled in.
func begin(g Game) (*Snapshot, error) {
	rules, err := catalog.Find(g.Variant)
	if err != nil {
		return nil, errors.Join(ErrSetup, err)
	}
	setup, err := engine.NewSetup(rules.Info(), g.Seats, g.SeedHex, g.Options)
	if err != nil {
		return nil, errors.Join(ErrSetup, err)
	}
	if g.Nonces && !rules.Info().Secret {
		return nil, sentence.Errorf("%w: %s has no chance in it to which the seats could add nonces", ErrSetup, g.Variant)
	}
	controls, err := parseControls(g.Controls, setup.Seats)
	if err != nil {
		return nil, err
	}
	g.Seats = setup.Seats
	g.Options = setup.Regulations.Chosen()
	g.Controls = controlTexts(controls)
	g.Status, g.Clock = Waiting, clock.New(controls, g.Lag).WithGrace(g.Clock.Grace())
	g.Turn = 0
	g.Awaited = nil
	g.Position = ""
	switch g.Deadline = 0; {
	case g.StartsAt != 0:
		g.Deadline = g.StartsAt
	case g.Invited != 0:
		g.Deadline = g.CreatedAt + g.invitationTimeout()
	case g.Nonces:
		g.Deadline = g.CreatedAt + nonceTime
	}
	if g.Nonces {
		return &Snapshot{Game: g}, nil
	}
	match, err := engine.NewMatch(rules, setup)
	if err != nil {
		return nil, errors.Join(ErrSetup, err)
	}
	g.Turn = match.Turn()
	g.Awaited = seatNumbers(match.Pending().Awaited)
	g.Position = match.Position()
	return &Snapshot{Game: g, Match: match}, nil
}

func checkPlayers(w NewGame, seats int) error {
	if len(w.Players) != seats {
		return sentence.Errorf("%w: %d players for %d seats", ErrSetup, len(w.Players), seats)
	}
	seen := map[string]bool{}
	for i, p := range w.Players {
		if p == "" && w.Open && w.Tournament == nil {
			continue
		}
		if p == "" {
			return sentence.Errorf("%w: seat %d has no player", ErrSetup, i+1)
		}
		if seen[p] && w.Rated {
			return sentence.Errorf("%w: a rated game needs different players; one sits at two seats", ErrSetup)
		}
		seen[p] = true
	}
	return nil
}

func parseControls(texts []string, seats int) ([]clock.Control, error) {
	if len(texts) != 1 && len(texts) != seats {
		return nil, sentence.Errorf("%w: %d time controls for %d seats; give one for all, or one each", ErrSetup, len(texts),
			seats)
	}
	controls := make([]clock.Control, seats)
	for i := range controls {
		c, err := clock.Parse(texts[i%len(texts)])
		if err != nil {
			return nil, errors.Join(ErrSetup, err)
		}
		controls[i] = c
	}
	return controls, nil
}

func controlTexts(controls []clock.Control) []string {
	texts := make([]string, len(controls))
	for i, c := range controls {
		texts[i] = c.String()
	}
	return texts
}

// Start starts a waiting game: the clocks of the awaited seats run from the arrival's stamp.
func (t *Tables) Start(ctx context.Context, a *Arrival, by string) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error { return d.start(by, at) })
}

func (d *draft) start(by string, at int64) error {
	if d.Game.Status != Waiting {
		return nil
	}
	switch {
	case d.Game.Invited != 0 && !d.planned():
		return d.notAccepted()
	case d.Match == nil:
		return sentence.Errorf("%w: its seats have not all added to its seed", ErrNotStarted)
	}
	awaited := seatNumbers(d.Match.Pending().Awaited)
	c, _, err := d.Game.Clock.Apply(clock.Event{At: at, Kind: clock.Awaited, Await: awaited, HasAwait: true})
	if err != nil {
		return fmt.Errorf("game %s: start of the clocks: %w", d.Game.ID, err)
	}
	d.note(Line{Kind: LineStart, At: at, By: by})
	d.Game.Status = Running
	d.Game.StartedAt = at
	d.advance(d.Match, c)
	return nil
}

// The clocks of a tournament's game may start later than it is opened (Game.StartsAt). Until then the game waits, and
// its log records the players at the board:
//
//	what happens                                    line                                  the game then
//	a player comes to the board (accepts)           accept, one for each of its seats     waits for the others
//	the last one comes                              accept, and start in the same step    runs
//	the time has come                               start, at that time                   runs, without the missing
//	an arbiter starts it                            start, with the arbiter's account     runs
//	an arbiter decides the board, or pairs again    abort                                 is broken off
//
// Only a game that was opened to start sooner than its time waits for players. After the start the row still has the
// missing players (Game.Invited). An outage of the server postpones the time by its length.

// planned reports whether the game starts by itself at a time of its own.
func (s *Snapshot) planned() bool { return s.Game.StartsAt != 0 }

// planned returns the request with a start in the future and the seats that the game waits for.
func (t *Tables) planned(w NewGame, seats int) (NewGame, error) {
	if w.Tournament == nil || w.Nonces || w.Invited != 0 {
		return w, sentence.Errorf("%w: only a tournament's game without nonces and invitations can start at a time of its "+
			"own", ErrSetup)
	}
	w.StartsAt += t.Time().Sub(t.ServiceTime()).Milliseconds()
	w.StartsAt = max(w.StartsAt, t.now()) // it may be opened late, because the server was away
	for seat := int8(1); w.Together && int(seat) <= seats; seat++ {
		if int(seat) <= len(w.Players) && BotLevel(w.Players[seat-1]) == 0 { // a bot is always at the board
			w.Invited = w.Invited.With(seat)
		}
	}
	return w, nil
}

// StartPlanned starts a game before its time, by an arbiter, even without all players. A game that runs already is left
// as it is. Errors: ErrGameOver, ErrNotStarted for a game that waits for invited players or nonces.
func (t *Tables) StartPlanned(ctx context.Context, a *Arrival, by string) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if d.Game.Status.Over() {
			return ErrGameOver
		}
		return d.start(by, at)
	})
}

// Adjourn stops the clocks of a tournament's game for a cause, before they have started, too.
func (t *Tables) Adjourn(ctx context.Context, a *Arrival, r Ruling, cause string) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		if d.planned() {
			if err := d.start(l.By, l.At); err != nil {
				return err
			}
		}
		l.Kind, l.Text = LinePause, wordedText(cause, l.Text)
		err := d.pause(l)
		if errors.Is(err, ErrNotStarted) {
			return nil
		}
		return err
	})
}
