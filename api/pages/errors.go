package pages

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
	// errMissing is for what a page's own address names wrongly.
	errMissing = echo.NewHTTPError(http.StatusNotFound)
	// errUnreadable is for an address that no link leads to: its parameters are not words, or stand there twice.
	errUnreadable = echo.NewHTTPError(http.StatusBadRequest)
)

// maxParam is how many bytes a parameter in an address may have.
const maxParam = 1000

// checkAddress sees that the parameters in an address are words that can be looked up.
func checkAddress(c echo.Context) error {
	query, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return errUnreadable
	}
	for name, values := range query {
		long := name == "moves" && c.Path() == analysisPath // which says itself how long it may be
		if len(values) > 1 || !readable(name) || !long && !readable(values[0]) {
			return errUnreadable
		}
	}
	for _, value := range c.ParamValues() {
		if text, err := url.PathUnescape(value); err != nil || !readable(text) {
			return errUnreadable
		}
	}
	return nil
}

// readable reports whether a text is a word of a fair length that can be looked up.
func readable(text string) bool { return len(text) <= maxParam && wording.Word(text) == nil }

// guard turns a handler's error into a page that says no more than the visitor may know.
func (p *Pages) guard(handler echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := checkAddress(c)
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
			return p.Error(c, known.Code)
		case c.Request().Context().Err() != nil:
			return err // the visitor has left
		}
		if status := problem.Of(err, "", "").Status; status < http.StatusInternalServerError {
			return p.Error(c, status)
		}
		p.Logger.ErrorContext(c.Request().Context(), "page failed", "route", c.Path(), "error", err)
		return p.Error(c, http.StatusInternalServerError)
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
func (p *Pages) CrossOrigin(c echo.Context, status int) error {
	r := c.Request()
	body := crossOriginBody{From: clip.Text(r.Header.Get("Origin"), shownAddress), Host: clip.Text(r.Host, shownAddress)}
	return p.answer(c, status, "cross-origin", frame{Body: body})
}

// WrongHost answers with a page that says why the service does not answer under the name that was asked for, and what
// to do.
func (p *Pages) WrongHost(c echo.Context, status int) error {
	return p.answer(c, status, "wrong-host", frame{Body: clip.Text(c.Request().Host, shownAddress)})
}

// shownAddress is how many characters of an address that was sent are shown.
const shownAddress = 100

// Error answers with an error page.
func (p *Pages) Error(c echo.Context, status int) error {
	body := errorBody{Status: status, Request: c.Response().Header().Get(echo.HeaderXRequestID)}
	return p.answer(c, status, "error", frame{Body: body})
}
