package pages

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// errMissing is for what a page's own address names wrongly.
var errMissing = errors.New("there is no such page")

// guard turns a handler's error into a page that says no more than the visitor may know.
func (p *Pages) guard(handler echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := handler(c)
		var known *echo.HTTPError
		switch {
		case err == nil || c.Response().Committed:
			return err
		case errors.Is(err, errMissing), errors.Is(err, table.ErrNotFound), errors.Is(err, tournament.ErrNotFound),
			errors.Is(err, club.ErrNotFound):
			return p.Error(c, http.StatusNotFound)
		case errors.As(err, &known):
			return p.Error(c, known.Code)
		case c.Request().Context().Err() != nil:
			return err // the visitor has left
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

// Error answers with an error page.
func (p *Pages) Error(c echo.Context, status int) error {
	body := errorBody{Status: status, Request: c.Response().Header().Get(echo.HeaderXRequestID)}
	return p.answer(c, status, "error", frame{Body: body})
}
