package app

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"quatuor/api/forward"
	"quatuor/api/problem"
	"quatuor/engine/table"
)

const (
	// probeTimeout bounds how long the database may take until the service counts as not ready, and whyTimeout how long
	// finding the reason may take: together less than a proxy's timeout.
	probeTimeout = 1200 * time.Millisecond
	whyTimeout   = 500 * time.Millisecond
)

// ready returns why requests cannot be served, nil if they can.
func (a *App) ready(ctx context.Context) error {
	if !a.gate.isOpen() {
		return problem.ErrStarting
	}
	stored, games := a.databaseReady(ctx), a.Tables.Ready()
	if stored == nil && games == nil {
		return nil
	}
	asking, cancel := context.WithTimeout(ctx, whyTimeout)
	defer cancel()
	schema, err := a.Store.Schema(asking)
	switch {
	case err == nil && schema.Migrating:
		return errors.Join(problem.ErrMigrating, stored, games)
	case stored != nil:
		return stored
	case errors.Is(games, table.ErrUnavailable): // though the database answers now
		return errors.Join(problem.ErrStandstill, games)
	}
	return games
}

// databaseReady reports whether the database answers within a time and has a schema to work with.
func (a *App) databaseReady(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	err := a.Store.Ready(within)
	if err == nil {
		schema, e := a.Store.Schema(within)
		if err = e; err == nil && schema.Older {
			err = problem.ErrSchema
		}
	}
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		return errors.Join(table.ErrUnavailable, err)
	}
	return err
}

// outlive is the time that streams go on without the database.
const outlive = 8 * time.Second

// endStreams ends all streams when the database has been away for a while, and those that begin before it is back,
// until ctx ends. They would send pings and no changes: only this instance may be cut off, and through the proxy their
// readers find another. A single instance keeps its streams, and so does an instance that can read the database but not
// write it, as on a full disk.
func (a *App) endStreams(ctx context.Context) {
	limit := cmp.Or(a.config.Outlive, outlive)
	var since time.Time // zero while the database answers
	every(ctx, limit/8, func() {
		alone, games := a.Store.Members().Alone(), a.Tables.Ready()
		switch {
		case alone || !errors.Is(games, table.ErrUnavailable) || a.databaseReady(ctx) == nil:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) >= limit && ctx.Err() == nil:
			if n := a.hub.Drop(); n > 0 {
				a.logger.Warn("the database is away; the readers of streams are sent to other instances", "streams", n)
			}
		}
	})
}

// gate blocks requests, but not probes, until the service has resumed the running games.
type gate struct {
	done   atomic.Bool
	opened chan struct{}
}

func newGate() *gate { return &gate{opened: make(chan struct{})} }

// open lets everything through. It is called once.
func (g *gate) open() {
	g.done.Store(true)
	close(g.opened)
}

func (g *gate) isOpen() bool { return g.done.Load() }

// before puts the gate before a handler. Requests that wait when ctx ends are refused. Other instances that connect do
// not wait: they know of this instance by its heartbeats, which begin once games can be acted on, and would take it for
// frozen.
func (g *gate) before(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.isOpen() && r.URL.Path != "/healthz" && r.URL.Path != "/readyz" && r.URL.Path != forward.Path {
			select {
			case <-g.opened:
			case <-r.Context().Done():
				return
			case <-ctx.Done():
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
