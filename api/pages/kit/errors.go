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
	// ErrMissing is for what a page's own address names wrongly.
	ErrMissing = echo.NewHTTPError(http.StatusNotFound)
	// ErrUnreadable is for an address that no link leads to: its parameters are not words, or stand there twice.
	ErrUnreadable = echo.NewHTTPError(http.StatusBadRequest)
)

// maxParam is how many bytes a parameter in an address may have.
const maxParam = 1000

// CheckAddress sees that the parameters in an address are words that can be looked up.
func CheckAddress(c echo.Context) error {
	query, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return ErrUnreadable
	}
	for name, values := range query {
		long := name == "moves" && c.Path() == AnalysisPath // which says itself how long it may be
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

// Readable reports whether a text is a word of a fair length that can be looked up.
func Readable(text string) bool { return len(text) <= maxParam && wording.Word(text) == nil }

// Guarded turns a handler's error into a page that says no more than the visitor may know.
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
			return err // the server knows why
		case errors.As(err, &known):
			return k.Error(c, known.Code)
		case c.Request().Context().Err() != nil:
			return err // the visitor has left
		}
		if status := problem.Of(err, "", "").Status; status < http.StatusInternalServerError {
			return k.Error(c, status)
		}
		k.Logger.ErrorContext(c.Request().Context(), "page failed", "route", c.Path(), "error", err)
		return k.Error(c, http.StatusInternalServerError)
	}
}

// errorBody is what the error page shows.
type errorBody struct {
	Status  int
	Request string // the request's id, if it has one
}

// crossOriginBody is what the page says of a form that seems to come from another site.
type crossOriginBody struct {
	From string // where the browser says that it comes from
	Host string // what the server was asked as
}

// CrossOrigin answers with a page that says why a form was not carried out, and what to do.
func (k *Kit) CrossOrigin(c echo.Context, status int) error {
	r := c.Request()
	body := crossOriginBody{From: clip.Text(r.Header.Get("Origin"), shownAddress), Host: clip.Text(r.Host, shownAddress)}
	return k.Answer(c, status, "cross-origin", Frame{Body: body})
}

// WrongHost answers with a page that says why the service does not answer under the name that was asked for, and what
// to do.
func (k *Kit) WrongHost(c echo.Context, status int) error {
	return k.Answer(c, status, "wrong-host", Frame{Body: clip.Text(c.Request().Host, shownAddress)})
}

// shownAddress is how many characters of an address that was sent are shown.
const shownAddress = 100

// Error answers with an error page.
func (k *Kit) Error(c echo.Context, status int) error {
	body := errorBody{Status: status, Request: c.Response().Header().Get(echo.HeaderXRequestID)}
	return k.Answer(c, status, "error", Frame{Body: body})
}

// AnalysisPath is the address of the board on which moves are tried without a game. Everything is in its parameters:
//
//	variant, seats       what is played, and by how many
//	repetition, steps …  the regulations, by their names
//	seed                 of a variant with chance: what is drawn
//	position             where the line begins, unless at the beginning
//	moves                the line, tokens of a record with "_" between them
//	ply                  how many of them are shown; all without
//	move                 one more to be made after those shown
//	flip                 how often the board is turned on
//	game                 the game that it comes from, to lead back to
const AnalysisPath = "/analysis"
