package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/internal/limit"
	"quatuor/tournament/adminlog"
)

// request is the context of a request, with what the middleware knows of the request. Everything is in one value, so
// that look-ups are cheap: operations do several.
type request struct {
	context.Context // which ends with the request, or before it
	operation       *contract.Operation
	at              time.Time // when it had been read
	sender          command.Sender
	id              string // in the log
	identity        auth.Identity
	body            contract.Body
	target          target // what it acts on
	forwarded       bool   // another instance has authenticated and sent it
	again           bool   // another instance may have carried it out already

	limited bool
	verdict limit.Verdict // of the last limiter
}

// requestOf returns the request of an echo context; nil before its body has been read.
func requestOf(c echo.Context) *request {
	q, _ := c.Request().Context().(*request)
	return q
}

// Value returns the values that packages rest and auth look up, and those of the request's own context.
func (q *request) Value(key any) any {
	switch key.(type) {
	case command.SenderKey:
		return &q.sender
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
