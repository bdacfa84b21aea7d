package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/internal/limit"
	"quatuor/api/rest"
)

// visit is the context of a request, and what the middleware knows of the request. Everything is in one place, so that
// it is found at once: operations ask their contexts several times.
type visit struct {
	context.Context // which ends with the request, or before it
	operation       *operation
	at              time.Time // when it had been read
	sender          rest.Sender
	who             auth.Identity
	body            wholeBody
	lasting         lasting // the context, where the request acts on a game

	limited bool
	room    limit.Verdict // of the limiter asked last
}

// visitOf gives the visit of a request; nil before it has been received.
func visitOf(c echo.Context) *visit {
	v, _ := c.Request().Context().(*visit)
	return v
}

// Value gives what packages rest and auth ask for, and what the request's own context holds.
func (v *visit) Value(key any) any {
	switch key.(type) {
	case rest.SenderKey:
		return &v.sender
	case auth.ContextKey:
		return &v.who
	}
	return v.Context.Value(key)
}

// take counts the request with a limiter.
func (v *visit) take(l *limit.Limiter, key string) error {
	if l.Off() {
		return nil
	}
	verdict := l.TakeAt(key, v.at)
	if !verdict.OK {
		return &auth.LimitError{Verdict: verdict}
	}
	v.room, v.limited = verdict, true
	return nil
}

// tellRoom tells the client how much it may still do.
func (v *visit) tellRoom(h http.Header) {
	if v.limited {
		limitHeaders(h, v.room)
	}
}
