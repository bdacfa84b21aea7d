package app

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"quatuor/api/hooks"
	"quatuor/api/mail"
	"quatuor/rating/ledger"
	"quatuor/store"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/hook"
)

// consumer processes finished games, up to the end of the outbox.
type consumer struct {
	name string
	// consume returns when the consumer has processed the games that have ended, here or at another instance. The
	// consumers of a pass share Ended.
	consume func(context.Context, *store.Ended) error
	// completes unfinished work of this instance, with or without a lease; nil for none
	repair func(context.Context) error
}

// consumeForRatings rates the games that have ended.
func (a *App) consumeForRatings(ctx context.Context, e *store.Ended) error {
	return a.Store.Rate(ctx, e, func(ctx context.Context, in ledger.Store) error {
		_, err := a.ratings.CatchUpIn(ctx, in)
		return err
	})
}

// consumeForTournaments enters the results of the games that have ended.
func (a *App) consumeForTournaments(ctx context.Context, e *store.Ended) error {
	return a.Store.Consume(ctx, e, store.OfTournaments, func(ctx context.Context) error {
		_, err := a.Director.CatchUp(ctx)
		return err
	})
}

// outbox is the store's outbox.
type outbox interface {
	// Waiting returns the number of ended games that a consumer has not processed.
	Waiting(ctx context.Context, consumer string) (int64, error)
}

// consumers runs passes: all consumers of the outbox in turn. A pass follows each finished game, and an interval for
// games that another process finished. It implements table.Follower.
type consumers struct {
	all      []consumer
	outbox   outbox
	logger   *slog.Logger
	backlogs map[string]*backlog // by consumer
	batching time.Duration       // batching delay of a pass under load; 0 for none
	calls    chan chan struct{}  // callers of Follow, each waiting for a pass that begins after its call
	wake     chan struct{}       // holds a token when a pass is requested
}

const (
	// followInterval bounds the wait of a game that another process finished for a pass.
	followInterval = 2 * time.Second
	// batchDelay is the delay of a pass without a waiting request, as after a game lost on time: many games that end at
	// once are then handled as a batch, and delay the moves of others less.
	batchDelay = 20 * time.Millisecond
	// gatherEnds is the batching delay of a pass under load, where other instances share the database and a pass costs
	// all of them. It applies after a pass with at least minBatch waiters.
	gatherEnds = 2 * time.Millisecond
	minBatch   = 3
	// backlogLogDelay is the longest wait of games for a consumer without progress that is not logged.
	backlogLogDelay = 10 * time.Second
)

// backlog is the number of games that wait for a consumer, and since when it has made no progress.
type backlog struct {
	waiting atomic.Int64
	since   time.Time // zero while none waits
	logged  bool
}

func newConsumers(logger *slog.Logger, from outbox, batching time.Duration) *consumers {
	return &consumers{
		outbox: from, logger: logger, batching: batching, calls: make(chan chan struct{}), wake: make(chan struct{}, 1),
		backlogs: map[string]*backlog{},
	}
}

// set sets the consumers, before anything runs.
func (c *consumers) set(all ...consumer) {
	c.all = all
	for _, one := range all {
		c.backlogs[one.name] = &backlog{}
	}
}

// RunConsumers processes finished games until ctx ends. Run does so too.
func (a *App) RunConsumers(ctx context.Context) { a.consumers.run(ctx) }

// Follow returns when the consumers have processed all games that are over, or when ctx ends. Run must be running.
func (a *App) Follow(ctx context.Context) { a.consumers.Follow(ctx) }

// Wake requests a pass and returns at once.
func (c *consumers) Wake() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Follow returns after a pass that began after the call, or when ctx ends.
func (c *consumers) Follow(ctx context.Context) {
	done := make(chan struct{})
	select {
	case c.calls <- done:
	case <-ctx.Done():
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// run makes passes until ctx ends, and then a last pass.
func (c *consumers) run(ctx context.Context) {
	ticker := time.NewTicker(followInterval)
	defer ticker.Stop()
	busy := false
	for {
		var waiting []chan struct{}
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		case <-c.wake:
			waiting = c.delay(ctx)
		case <-ticker.C:
			c.watchBacklog(ctx)
		case <-ctx.Done():
			c.pass(context.WithoutCancel(ctx))
			return
		}
		if busy && c.batching > 0 && len(waiting) > 0 {
			waiting = c.until(time.After(c.batching), waiting)
		}
		waiting = c.gather(waiting)
		busy = len(waiting) >= minBatch
		c.pass(ctx)
		for _, done := range waiting {
			close(done)
		}
	}
}

// delay waits for more games to end, up to batchDelay or the first call of Follow.
func (c *consumers) delay(ctx context.Context) (waiting []chan struct{}) {
	timer := time.NewTimer(batchDelay)
	defer timer.Stop()
	select {
	case done := <-c.calls:
		return []chan struct{}{done}
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// until adds calls of Follow up to a moment to the waiters of the pass.
func (c *consumers) until(moment <-chan time.Time, waiting []chan struct{}) []chan struct{} {
	for {
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		case <-moment:
			return waiting
		}
	}
}

// gather adds calls of Follow that are already blocked to the waiters of the pass.
func (c *consumers) gather(waiting []chan struct{}) []chan struct{} {
	for {
		select {
		case done := <-c.calls:
			waiting = append(waiting, done)
		default:
			return waiting
		}
	}
}

func (c *consumers) pass(ctx context.Context) {
	var ended store.Ended
	for _, one := range c.all {
		var err error
		if one.repair != nil {
			err = one.repair(ctx)
		}
		err = errors.Join(err, one.consume(ctx, &ended))
		if err != nil && ctx.Err() == nil {
			c.logger.Error("what follows from finished games could not be carried out; trying again", "consumer", one.name,
				"error", err)
		}
	}
}

// watchBacklog logs when games wait for a consumer without progress.
func (c *consumers) watchBacklog(ctx context.Context) {
	for _, one := range c.all {
		n, err := c.outbox.Waiting(ctx, one.name)
		if err != nil {
			return // the passes log it
		}
		s := c.backlogs[one.name]
		switch before := s.waiting.Swap(n); {
		case n == 0 || n < before:
			if s.logged {
				c.logger.Info("what follows from finished games is being carried out again", "consumer", one.name, "games", n)
			}
			s.since, s.logged = time.Time{}, false
		case s.since.IsZero():
			s.since = time.Now()
		case !s.logged && time.Since(s.since) > backlogLogDelay:
			s.logged = true
			c.logger.Warn("finished games wait for what follows from them, and none is taken", "consumer", one.name, "games", n)
		}
	}
}

// resume completes work that a crash may have interrupted. The service starts even if a season cannot be completed, so
// that games go on.
func (a *App) resume(ctx context.Context) error {
	if err := a.Director.Resume(ctx); err != nil {
		return err
	}
	if err := a.commands.Reader.Repair(ctx); err != nil && ctx.Err() == nil {
		a.logger.Error("seasons of leagues are half-made; confirm them again", "error", err)
	}
	if err := a.commands.OpenLadderGames(ctx); err != nil && ctx.Err() == nil {
		a.logger.Error("games of ladders could not be opened; their players can open them", "error", err)
	}
	return nil
}

// hookOwner is the key that assigns the sending of webhooks to an instance: its owner.
const hookOwner = "webhooks"

// hookNetworks returns the networks of private addresses that webhooks may lead to.
func (c Config) hookNetworks() (all []netip.Prefix, err error) {
	for _, text := range c.HookNetworks {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, UsageErrorf("--webhook-networks takes networks such as 10.0.0.0/8, not %q", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

// newHooks makes the service of webhooks.
func (a *App) newHooks() error {
	networks, err := a.config.hookNetworks()
	if err != nil {
		return err
	}
	c := hooks.Config{
		Store: a.Store.Hooks(), People: a.Store.People(), Tournaments: a.Director, Networks: networks,
		Address: strings.TrimRight(a.config.PublicURL, "/"), Club: a.Club.Current, Now: a.Tables.ServiceTime, Logger: a.logger,
		Mine: func() bool { return a.Store.Members().Mine(hookOwner) }, Disabled: a.hookDisabled,
	}
	adapt(&c, a.config.AdaptHooks)
	a.hooks = hooks.New(c)
	a.measures.countHooks(a.hooks.Sent, a.hooks.Failed)
	return nil
}

// hookDisabled has an e-mail sent to the owner of a webhook that was disabled.
func (a *App) hookDisabled(ctx context.Context, h hook.Hook) error {
	if a.mail == nil {
		return nil
	}
	return a.mail.HookDisabled(ctx, h.AccountID, h.Name)
}

// RunHooks sends to webhooks until ctx ends.
func (a *App) RunHooks(ctx context.Context) { a.hooks.Run(ctx) }

// hookWaker wakes the sender of webhooks when a tournament has changed.
type hookWaker struct{ app *App }

// TournamentChanged implements director.Notifier.
func (w hookWaker) TournamentChanged(*tournament.Tournament, director.Topic, director.Audience) {
	if w.app.hooks != nil {
		w.app.hooks.Wake()
	}
}

// mailServer returns the mail server of the configuration; nil if there is none.
func (c Config) mailServer() (*mail.Server, error) {
	switch {
	case c.SMTPURL == "" && c.MailFrom == "":
		return nil, nil
	case c.SMTPURL == "":
		return nil, UsageErrorf("--mail-from needs --smtp-url, the address of the mail server")
	case c.PublicURL == "":
		return nil, UsageErrorf("--smtp-url needs --public-url: links in e-mails begin with it")
	}
	server, err := mail.NewServer(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, UsageErrorf("--smtp-url: %w", err)
	}
	return server, nil
}

// mailOwner is the key that assigns the sending of e-mails to an instance: its owner.
const mailOwner = "mail"

// newMail makes the service of e-mail if a mail server is configured.
func (a *App) newMail() error {
	server, err := a.config.mailServer()
	if err != nil || server == nil {
		return err
	}
	c := mail.Config{
		Server: server, Address: strings.TrimRight(a.config.PublicURL, "/"), Store: a.Store.Mail(), People: a.Store.People(),
		Tournaments: a.Director, Guard: a.Guard, Club: a.Club.Current, Now: a.Tables.ServiceTime, Logger: a.logger,
		Mine: func() bool { return a.Store.Members().Mine(mailOwner) },
	}
	adapt(&c, a.config.AdaptMail)
	a.mail = mail.New(c)
	a.measures.countMail(a.mail.Waiting, a.mail.Sent, a.mail.Dropped)
	return nil
}

// RunMail sends e-mails until ctx ends, if a mail server is configured.
func (a *App) RunMail(ctx context.Context) {
	if a.mail != nil {
		a.mail.Run(ctx)
	}
}
