// Package app is the program without its command line: it puts the database, the tables, the tournaments, the ratings
// and the API together and runs them, so that tests can run exactly what ships.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/forward"
	"quatuor/api/hooks"
	"quatuor/api/mail"
	"quatuor/api/settings"
	"quatuor/api/stream"
	"quatuor/cmd/quatuor/backups"
	"quatuor/engine/bots"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/store"
	"quatuor/store/hints"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// App is an instance of the service.
type App struct {
	Store    *store.Store
	Tables   *table.Tables
	Director *director.Director
	Guard    *auth.Guard
	Club     *settings.Club
	Handler  *api.Server // the API and the pages

	config    Config
	ratings   *ledger.Ledger
	lists     *systems.Config
	consumers *consumers
	hub       *stream.Hub
	commands  *command.Service
	bots      *bots.Bots
	publisher *publisher     // to other instances; nil with SQLite
	relay     *relay         // from other instances; nil with SQLite
	peers     *forward.Peers // targets of forwarded acts; nil if none are configured
	mail      *mail.Service  // nil if no mail server is configured
	hooks     *hooks.Service
	listener  net.Listener      // nil before Listen
	later     chan net.Listener // opened while the service runs
	notice    string            // see Notice
	checking  checking
	proxy     proxySeen
	trusted   []*net.IPNet    // reverse proxies
	backups   *backups.Keeper // nil with PostgreSQL
	gate      *gate
	ending    context.Context // ends when the App closes
	end       context.CancelFunc
	measures  *measures
	revealed  atomic.Int64 // when line-ups were last looked for, ms
	rewriting sync.Mutex   // held by a rewrite of the database file
	logger    *slog.Logger

	certificates *certificates // of TLS; nil where none is served
	redirecting  net.Listener  // of requests that are redirected to HTTPS; nil for none
}

// New opens the database and puts the parts together. Nothing runs yet. The caller must call Close.
func New(ctx context.Context, c Config) (_ *App, err error) {
	c.setDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	offered, err := variantsOnOffer(c.Games)
	if err != nil {
		return nil, err
	}
	certified, err := c.newCertificates()
	if err != nil {
		return nil, err
	}
	stored, err := c.create(c.Logger)
	if err != nil {
		return nil, err
	}
	lists, err := c.ratingLists()
	if err != nil {
		return nil, err
	}
	stored.Instance, stored.Address = uuid.NewString(), strings.TrimRight(c.PeerAddress, "/")
	db, err := store.Open(ctx, stored)
	if err != nil {
		return nil, err
	}
	a := &App{
		Store: db, config: c, hub: stream.NewHub(), lists: lists, logger: c.Logger,
		later: make(chan net.Listener), gate: newGate(), certificates: certified,
	}
	shared, batching := stored.DSN != "", time.Duration(0)
	if shared {
		batching = gatherEnds
	}
	a.consumers = newConsumers(c.Logger, db, batching)
	a.ending, a.end = context.WithCancel(context.WithoutCancel(ctx))
	a.measures = newMeasures(a.hub.Readers)
	a.measures.countCheckpointFailures(db.CheckpointFailures)
	a.measures.watchConnections(db.Connections)
	a.measures.countRunning(db.Games().CountRunning)
	if c.Database == "" {
		a.measures.watchDisk(c.Data)
	}
	if certified != nil {
		a.measures.watchCertificates(certified)
	}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	a.bots = bots.New(bots.Config{
		Games: db.Games(), Logger: c.Logger, Moved: a.measures.botMoved, Mine: db.Members().Mine,
	})
	told := &notifiers{
		games: []table.Notifier{a.hub, a.bots}, tournaments: []director.Notifier{a.hub, hookWaker{a}},
		calls: []func([]string){a.hub.CallAnswered},
	}
	if shared {
		a.newPublisher(stored)
		told.games, told.tournaments = append(told.games, a.publisher), append(told.tournaments, a.publisher)
		told.calls = append(told.calls, a.publisher.callAnswered)
	}
	a.Tables = table.New(table.Config{
		Storage: db.Games().Storage(), Notifier: told, Follower: a.consumers, Logger: c.Logger, Instance: stored.Instance,
		Shared: shared, Peers: db.Peers(), Owners: owners(db, stored), FlagFell: a.measures.flagFell,
		FlagTaken: a.measures.taken.Inc,
		RatesBots: func(g *table.Game) bool { return lists.RatesBots(listOf(g)) },
		Now:       c.Now, NewSeed: c.NewSeed,
	})
	a.measures.countBroken(a.Tables.Broken)
	a.hub.Now = a.Tables.Time
	a.Director = director.New(director.Config{
		Store: db.Tournaments(), Tables: Openings(a.Tables), Arenas: NewArenas(db, a.Tables), Notifier: told, Slips: db.Slips(), CallAnswered: told.CallAnswered,
		Follow: a.followHall, JudgeRecord: JudgeRecord,
		Variant: CheckVariant(offered), TimeControl: CheckTimeControl, Ends: CheckEnd, Base: BaseTime, Mine: db.Members().Mine,
		Now: a.Tables.ServiceTime, GameTime: a.Tables.Time, Log: c.Logger,
		Ratings: a.ratingsIn, Names: a.namesOf, List: ratingList,
	})
	if err := systems.Adopt(ctx, db.Ratings(), lists, db.Served); err != nil {
		return nil, err
	}
	db.RateBy(lists.Text())
	a.ratings = ledger.NewBy(db.Ratings(), lists)
	a.consumers.set(
		consumer{name: store.OfRatings, consume: a.consumeForRatings},
		consumer{name: store.OfTournaments, consume: a.consumeForTournaments, repair: a.repairTournaments},
	)
	a.measures.countWaiting(a.consumers.backlogs)
	a.newClub()
	a.newBackups()
	if err := a.newPeers(); err != nil {
		return nil, err
	}
	if err := a.newHandler(offered); err != nil {
		return nil, err
	}
	if shared {
		a.newRelay()
	}
	return a, nil
}

// owners returns the assignment of games to instances; nil where there can be no other instance.
func owners(db *store.Store, stored store.Config) table.Owners {
	if stored.DSN == "" {
		return nil
	}
	return db.Members()
}

// newPublisher links the other instances on the same PostgreSQL. The link runs with the relay, after the tables are made.
func (a *App) newPublisher(stored store.Config) {
	link := hints.New(hints.Config{
		DSN: stored.DSN, Instance: stored.Instance, Now: func() time.Time { return a.Tables.Time() },
		Beat: min(a.config.HealEvery, hints.DefaultBeat), Logger: a.logger,
	})
	a.measures.countHints(link.Sent, link.Received)
	a.publisher = &publisher{link}
	a.hub.Announce(a.publisher.present)
}

// newRelay makes the relay from other instances on the same PostgreSQL, before anything runs.
func (a *App) newRelay() {
	a.measures.countOwned(a.Tables.Owned)
	a.Store.Members().Observe(a.Tables.OwnersChanged)
	a.Store.Members().Observe(a.bots.OwnersChanged)
	a.measures.watchClock(a.Tables.Offset)
	a.measures.countInstances(func() int { return len(a.Store.Members().All()) })
	a.relay = newRelay(&relay{
		link: a.publisher.link, hub: a.hub, tables: a.Tables, director: a.Director, bots: a.bots, guard: a.Guard,
		commands: a.commands, limits: a.Handler, versions: a.Store.Versions, every: a.config.HealEvery,
		measures: a.measures, logger: a.logger,
	})
}

// notifiers publishes every change to several notifiers.
type notifiers struct {
	games       []table.Notifier
	tournaments []director.Notifier
	calls       []func(players []string)
}

// GameChanged calls each.
func (n *notifiers) GameChanged(s *table.Snapshot, news []table.Line) {
	for _, one := range n.games {
		one.GameChanged(s, news)
	}
}

// CallAnswered has the streams of players that called an arbiter look for the answer.
func (n *notifiers) CallAnswered(players []string) {
	for _, one := range n.calls {
		one(players)
	}
}

// TournamentChanged calls each.
func (n *notifiers) TournamentChanged(t *tournament.Tournament, what director.Topic, to director.Audience) {
	for _, one := range n.tournaments {
		one.TournamentChanged(t, what, to)
	}
}

// URL returns the address of the service for people on the same machine. It is known after Listen.
func (a *App) URL() string { return a.scheme() + "://" + reachable(a.listener.Addr().String()) }

// reachable turns the address of all interfaces into an address that a browser on the same machine can open.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// newHTTPServer sets the limits that keep slow clients from holding connections; streams lift theirs themselves.
func (a *App) newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		ErrorLog:          slog.NewLogLogger(errorLog{a.logger.Handler()}, slog.LevelWarn),
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // of the whole request, body included
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
}

// shutdownTimeout bounds the requests under way once the program is to end.
const shutdownTimeout = 10 * time.Second

// Run credits the running clocks with the time that the service was away, finishes interrupted steps, and serves until
// ctx ends. Then requests are answered first, and clocks and consumers stop last. Listen comes before it.
func (a *App) Run(ctx context.Context) error {
	behind, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var group errgroup.Group
	err := a.serve(ctx, func(ctx context.Context) error {
		if err := a.Tables.Recover(ctx); err != nil {
			return fmt.Errorf("recovering the running games: %w", err)
		}
		a.runBehind(behind, &group)
		if err := systems.Same(ctx, a.Store.Ratings(), a.lists); err != nil { // another instance came at the same time
			return err
		}
		return a.resume(ctx)
	})
	stop()
	return errors.Join(err, group.Wait())
}

// runBehind runs the work behind the requests until ctx ends.
func (a *App) runBehind(behind context.Context, group *errgroup.Group) {
	group.Go(func() error { return a.Tables.Run(behind) })
	group.Go(func() error { a.RunConsumers(behind); return nil })
	group.Go(func() error { a.forgetReplies(behind); return nil })
	group.Go(func() error { a.forgetAttempts(behind); return nil })
	group.Go(func() error { a.forgetEnded(behind); return nil })
	group.Go(func() error { a.storeUses(behind); return nil })
	group.Go(func() error { a.eraseRest(behind); return nil })
	group.Go(func() error { a.RunBots(behind); return nil })
	group.Go(func() error { a.runArenas(behind); return nil })
	if a.backups != nil {
		group.Go(func() error { a.backups.Run(behind); return nil })
	}
	group.Go(func() error { a.feedWatchdog(behind); return nil })
	if a.certificates != nil {
		group.Go(func() error { a.watchCertificates(behind); return nil })
	}
	group.Go(func() error { a.RunMail(behind); return nil })
	group.Go(func() error { a.RunHooks(behind); return nil })
	if a.relay != nil {
		group.Go(func() error { a.relay.run(behind); return nil })
		group.Go(func() error { a.endStreams(behind); return nil })
	}
}

// RunBots lets the bots play until ctx ends.
func (a *App) RunBots(ctx context.Context) { a.bots.Run(ctx, a.Tables) }

// unlessStopped drops an error that came because the service was stopped before it was ready.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// serve answers requests until ctx ends or a listener fails. Until start has returned it answers probes alone.
func (a *App) serve(ctx context.Context, start func(context.Context) error) error {
	group, failed := errgroup.WithContext(ctx)
	server := a.newHTTPServer(a.gate.before(failed, a.proxy.before(a.trusted, a.Handler)))
	if a.certificates != nil {
		server.TLSConfig = a.certificates.config
	}
	server.RegisterOnShutdown(a.hub.Close)
	group.Go(func() error { return a.serveOn(server, a.listener) })
	group.Go(func() error {
		if err := start(failed); err != nil {
			return unlessStopped(ctx, err)
		}
		a.gate.open()
		a.notifySystem(daemon.SdNotifyReady)
		return nil
	})
	group.Go(func() error {
		for {
			select {
			case more := <-a.later:
				group.Go(func() error { return a.serveOn(server, more) })
			case <-failed.Done():
				return nil
			}
		}
	})
	beside := a.serveBeside(group)
	group.Go(func() error {
		<-failed.Done()
		a.logger.Info("stopping", "within", shutdownTimeout.String())
		a.notifySystem(daemon.SdNotifyStopping)
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		for _, one := range beside {
			_ = one.Close()
		}
		if err := a.Store.Leave(ending); err != nil { // the others will notice
			a.logger.Warn("the end of this instance could not be announced to the others", "error", err)
		}
		drained := a.peers.Drain(ending)
		if err := server.Shutdown(ending); err != nil {
			return errors.Join(fmt.Errorf("some requests were cut off: %w", err), server.Close(), drained)
		}
		return drained
	})
	return group.Wait()
}

// serveBeside serves metrics, and redirects to HTTPS, on listeners of their own.
func (a *App) serveBeside(group *errgroup.Group) (all []*http.Server) {
	if a.config.MetricsListen != "" {
		metrics := a.newHTTPServer(a.measures.handler())
		metrics.Addr = a.config.MetricsListen
		group.Go(func() error { return unlessClosed(metrics.ListenAndServe()) })
		all = append(all, metrics)
	}
	if a.redirecting != nil {
		redirects := a.newHTTPServer(a.redirect())
		group.Go(func() error { return unlessClosed(redirects.Serve(a.redirecting)) })
		all = append(all, redirects)
	}
	return all
}

func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close releases the address and the database. It may be called on an App that was not completed.
func (a *App) Close() {
	a.hub.Close()
	a.end()
	a.checking.done.Wait()
	if a.backups != nil {
		a.backups.Wait()
	}
	if a.peers != nil {
		a.peers.Close()
	}
	for _, l := range []net.Listener{a.listener, a.redirecting} {
		if l != nil {
			_ = l.Close()
		}
	}
	if err := a.Store.Close(); err != nil {
		a.logger.Error("closing the database", "error", err)
	}
}
