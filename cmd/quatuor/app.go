package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"quatuor/api/stream"
	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store"
	"quatuor/tournament/director"
)

// app is a running installation: the program without its command line.
type app struct {
	store    *store.Store
	tables   *table.Tables
	director *director.Director
	follower *follower
	hub      *stream.Hub
	server   *http.Server
	listener net.Listener
	measures *measures
	metrics  *http.Server // nil without
	url      string       // where it listens, for people on the same machine
	logger   *slog.Logger
}

// newApp opens the database, puts the parts together and binds the address. Nothing runs yet.
func newApp(ctx context.Context, s serveSettings, logger *slog.Logger) (_ *app, err error) {
	offered, err := variantsOnOffer(s.Games)
	if err != nil {
		return nil, err
	}
	config, err := s.config(logger)
	if err != nil {
		return nil, err
	}
	config.Instance = uuid.NewString()
	db, err := store.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	a := &app{store: db, hub: stream.NewHub(), follower: newFollower(logger), logger: logger}
	a.measures = newMeasures(a.hub.Readers)
	defer func() {
		if err != nil {
			a.close()
		}
	}()
	a.tables = table.New(table.Config{
		Journal: db.Games(), Notifier: a.hub, Follower: a.follower, Logger: logger, Instance: config.Instance,
		Shared: config.DSN != "", FlagFell: a.measures.flagFell,
	})
	a.hub.Now = a.tables.Time
	a.director = director.New(director.Config{
		Store: db.Tournaments(), Tables: openings{a.tables}, Notifier: a.hub,
		Variant: checkVariant(offered), TimeControl: checkTimeControl, Now: time.Now, Log: logger,
	})
	a.follower.consumers = []consumer{
		{"ratings", ledger.New(db.Ratings(), elo.Club{}).Catch},
		{"tournaments", a.director.Catch},
	}
	handler, err := a.handler(s, offered)
	if err != nil {
		return nil, err
	}
	err = a.bind(ctx, s, handler)
	return a, err
}

// bind takes the address, so that a port 0 is known before anything runs.
func (a *app) bind(ctx context.Context, s serveSettings, handler http.Handler) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("the address %s cannot be served: %w", s.Listen, err)
	}
	a.listener = listener
	a.url = "http://" + reachable(listener.Addr().String())
	a.server = newHTTPServer(handler)
	a.server.RegisterOnShutdown(a.hub.Close)
	if s.MetricsListen != "" {
		a.metrics = newHTTPServer(a.measures.handler())
		a.metrics.Addr = s.MetricsListen
	}
	return nil
}

// reachable turns the address of all interfaces into one that a browser on the same machine can open.
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
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // of the whole request, body included
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
}

// shutdownTimeout bounds how long requests under way may take once the program is to end.
const shutdownTimeout = 10 * time.Second

// run gives back the time the service was away, finishes interrupted steps, and serves until ctx ends. Then requests
// are answered first, and clocks and consequences stop last.
func (a *app) run(ctx context.Context) error {
	if err := a.tables.Recover(ctx); err != nil {
		return unlessStopped(ctx, fmt.Errorf("recovering the running games: %w", err))
	}
	behind, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var group errgroup.Group
	group.Go(func() error { return a.tables.Run(behind) })
	group.Go(func() error { a.follower.run(behind); return nil })
	group.Go(func() error { a.forgetReplies(behind); return nil })
	err := unlessStopped(ctx, a.director.Resume(ctx))
	if err == nil {
		err = a.serve(ctx)
	}
	stop()
	return errors.Join(err, group.Wait())
}

// unlessStopped drops an error that came because the service was told to stop before it was ready.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// serve answers requests until ctx ends or a listener fails.
func (a *app) serve(ctx context.Context) error {
	group, failed := errgroup.WithContext(ctx)
	group.Go(func() error { return unlessClosed(a.server.Serve(a.listener)) })
	if a.metrics != nil {
		group.Go(func() error { return unlessClosed(a.metrics.ListenAndServe()) })
	}
	group.Go(func() error {
		<-failed.Done()
		a.logger.Info("stopping", "within", shutdownTimeout.String())
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		if a.metrics != nil {
			_ = a.metrics.Close()
		}
		if err := a.server.Shutdown(ending); err != nil {
			return errors.Join(fmt.Errorf("some requests were cut off: %w", err), a.server.Close())
		}
		return nil
	})
	return group.Wait()
}

func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// close gives everything back. It may be called on an app that was not completed.
func (a *app) close() {
	if a.listener != nil {
		_ = a.listener.Close()
	}
	if err := a.store.Close(); err != nil {
		a.logger.Error("closing the database", "error", err)
	}
}

// secure reports whether people reach the service over https.
func (s serveSettings) secure() bool { return strings.HasPrefix(s.PublicURL, "https://") }
