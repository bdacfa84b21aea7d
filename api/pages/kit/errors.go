package kit

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/internal/clip"
	"quatuor/api/problem"
	"quatuor/api/stream"
	"quatuor/tournament/wording"
)

var (
	// ErrMissing answers 404: the address names something that does not exist.
	ErrMissing = echo.NewHTTPError(http.StatusNotFound)
	// ErrUnreadable answers 400: parameters that no link or form produces, for example repeated or overlong values.
	ErrUnreadable = echo.NewHTTPError(http.StatusBadRequest)
)

// maxParam is the maximum length of a parameter in an address, bytes.
const maxParam = 1000

// CheckAddress returns ErrUnreadable unless every query and path parameter is [Readable] and none is repeated.
func CheckAddress(c echo.Context) error {
	query, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return ErrUnreadable
	}
	for name, values := range query {
		long := name == "moves" && c.Path() == AnalysisPath // which has its own limit
		if len(values) > 1 || !Readable(name) || !long && !Readable(values[0]) {
			return ErrUnreadable
		}
	}
	for _, value := range c.ParamValues() {
		if text, err := url.PathUnescape(value); err != nil || !Readable(text) {
			return ErrUnreadable
		}
	}
	return nil
}

// Readable reports whether a text is at most maxParam bytes of valid text, fit for a lookup.
func Readable(text string) bool { return len(text) <= maxParam && wording.Word(text) == nil }

// Guarded checks the address and turns a handler's error into an error page. Internal errors are logged, and their
// text is not shown.
func (k *Kit) Guarded(handler echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := CheckAddress(c)
		if err == nil {
			err = handler(c)
		}
		var known *echo.HTTPError
		var refused *stream.Refused
		switch {
		case err == nil || c.Response().Committed:
			return err
		case errors.As(err, &refused):
			return err // the server's error handler answers these
		case errors.As(err, &known):
			return k.Error(c, known.Code)
		case c.Request().Context().Err() != nil:
			return err // the client has disconnected
		}
		if status := problem.Of(err, "", "").Status; status < http.StatusInternalServerError {
			if status == http.StatusTooManyRequests {
				problem.SetHeaders(c.Response().Header(), err, status)
			}
			return k.Error(c, status)
		}
		k.Logger.ErrorContext(c.Request().Context(), "page failed", "route", c.Path(), "error", err)
		return k.Error(c, http.StatusInternalServerError)
	}
}

type errorBody struct {
	Status  int
	Request string // request id; "" if there is none
}

type crossOriginBody struct {
	From string // Origin header
	Host string // Host header
}

// CrossOrigin answers a rejected cross-origin form with a page that explains the reason and the remedy.
func (k *Kit) CrossOrigin(c echo.Context, status int) error {
	r := c.Request()
	body := crossOriginBody{
		From: clip.Text(r.Header.Get("Origin"), shownAddress),
		Host: clip.Text(r.Host, shownAddress),
	}
	return k.Answer(c, status, "cross-origin", Frame{Body: body})
}

// WrongHost answers a request for an unknown host name with a page that explains the reason and the remedy.
func (k *Kit) WrongHost(c echo.Context, status int) error {
	return k.Answer(c, status, "wrong-host", Frame{Body: clip.Text(c.Request().Host, shownAddress)})
}

// shownAddress is the maximum length of a client's address in a page, characters.
const shownAddress = 100

// Error answers with the error page for a status.
func (k *Kit) Error(c echo.Context, status int) error {
	body := errorBody{Status: status, Request: c.Response().Header().Get(echo.HeaderXRequestID)}
	return k.Answer(c, status, "error", Frame{Body: body})
}

// AnalysisPath is the address of the analysis board. Its whole state is in the parameters:
//
//	variant, seats       the variant and the number of seats
//	repetition, steps …  game options by name
//	seed                 random seed of a variant with chance
//	position             start of the line; default: the initial position
//	moves                the line: move tokens of a record, joined by "_"
//	ply                  number of moves shown; default: all
//	move                 a further move, played after those shown
//	flip                 number of times the board is turned
//	game                 id of the game to link back to
const AnalysisPath = "/analysis"
