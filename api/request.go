package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/internal/limit"
	"quatuor/engine/table"
	"quatuor/tournament/adminlog"
)

// request holds the state of a request and the context of the work on it. Everything is in one value, so that it costs
// a single allocation and look-ups are cheap: operations do several.
type request struct {
	context.Context // of the connection, or of no end; see bound
	operation       *contract.Operation
	begun           time.Time
	at              time.Time      // when it had been read
	arrival         *table.Arrival // of a request that acts on a game
	address         string         // of the client, as it is logged
	id              string         // in the log
	identity        auth.Identity
	body            contract.Body
	target          target // the game or tournament that it acts on
	endless         bool   // the work on it may last as long as its connection
	forwarded       bool   // authenticated and sent by another instance
	again           bool   // another instance may have carried it out already

	limited bool
	verdict limit.Verdict // of the last limiter

	release func() // releases the store's resources for it; nil for none
	bounded sync.Once
	work    context.Context // Context within workTime
	stop    context.CancelFunc

	idHeader [1]string // the value of a header
}

// workTime bounds the work on a request, from when it first waits for something.
const workTime = 30 * time.Second

// requestOf returns the request of an echo context; nil before its body has been read.
func requestOf(c echo.Context) *request {
	q, _ := c.Request().Context().(*request)
	return q
}

// bind makes the request a context that ends with its connection or after workTime; those of streams and pages end with
// their connections alone. A request that acts on a game counts once it has arrived, even if the sender hangs up, and
// so does a request from another instance: these end by their time alone.
func (q *request) bind(connection context.Context) {
	q.Context = connection
	switch o := q.operation; {
	case q.forwarded, o != nil && o.ActsOnGame:
		q.Context = context.WithoutCancel(connection)
	case o == nil || o.Streaming:
		q.endless = true
	}
}

// Deadline, Done and Err are those of a context that ends after workTime. Its timer is set when something first waits
// for it: most requests, moves among them, do not.
func (q *request) Deadline() (time.Time, bool) { return q.bound().Deadline() }

// Done returns the channel that is closed when the work has to end.
func (q *request) Done() <-chan struct{} { return q.bound().Done() }

// Err returns why the work has to end.
func (q *request) Err() error { return q.bound().Err() }

func (q *request) bound() context.Context {
	q.bounded.Do(func() {
		q.work, q.stop = q.Context, func() {}
		if !q.endless {
			q.work, q.stop = context.WithTimeout(q.Context, workTime)
		}
	})
	return q.work
}

// over is the context of a request that has been answered before anything waited for its end.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// end releases the resources of the request.
func (q *request) end() {
	q.bounded.Do(func() {
		q.work, q.stop = q.Context, func() {}
		if !q.endless {
			q.work = over
		}
	})
	q.stop()
	if q.release != nil {
		q.release()
	}
	if q.arrival != nil {
		q.arrival.Done()
	}
}

// Value returns the values that packages rest and auth look up, and those of the request's own context.
func (q *request) Value(key any) any {
	switch key.(type) {
	case auth.ContextKey:
		return &q.identity
	case adminlog.ActorKey:
		return adminlog.Actor{
			Via: adminlog.ViaRequest, Account: q.identity.AccountID, Name: q.identity.Login, Request: q.id, At: q.at.UnixMilli(),
		}
	}
	return q.Context.Value(key)
}

// take counts the request with a limiter.
func (q *request) take(l *limit.Limiter, key string) error {
	if l.Off() {
		return nil
	}
	verdict := l.TakeAt(key, q.at)
	if !verdict.OK {
		return &auth.LimitError{Verdict: verdict}
	}
	q.verdict, q.limited = verdict, true
	return nil
}

// setRateHeaders sets the RateLimit headers.
func (q *request) setRateHeaders(h http.Header) {
	if q.limited {
		q.verdict.SetHeaders(h)
	}
}
