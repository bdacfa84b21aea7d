// Package seasons serves the pages of what a club runs over a season: series of tournaments, ladders and
// leagues, and all of it together.
package seasons

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/api/stream"
	"quatuor/tournament/season"
)

// Pages are the pages of seasons.
type Pages struct{ *kit.Kit }

// New returns the pages of seasons.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the pages; those that change something only where people can log in.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/series/:id": p.series, "/ladders/:id": p.ladder,
		"/leagues/:id": p.league, "/leagues/:id/seasons/:season": p.league,
		"/seasons": p.seasons, "/seasons/:id": p.season, "/seasons/:id/players/:player": p.seasonPlayer,
	})
	p.Get(e, "/embed/seasons/:id", p.embedSeason)
	p.Live("/ladders/:id", kit.Soon, func(c echo.Context) []string {
		return []string{stream.OfLadder(c.Param("id")), stream.AnyGame}
	})
	computed := func(echo.Context) []string { return []string{stream.AnyTournament, stream.AnyGame} }
	for _, route := range []string{"/series/:id", "/leagues/:id", "/leagues/:id/seasons/:season", "/seasons/:id"} {
		p.Live(route, kit.Later, computed)
	}
	if p.Guard == nil {
		return
	}
	seriesSheet.mount(p, e, "/series")
	seasonSheet.mount(p, e, "/seasons")
	p.mountLadders(e)
	p.mountLeagues(e)
}

// mayCreate reports whether the visitor may create series; if not, it answers, or leads to the login page.
func (p *Pages) mayCreate(c echo.Context) (ok bool, err error) {
	who := auth.Session(c)
	if who.Anonymous() {
		return false, c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape(c.Request().URL.Path))
	}
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return false, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return true, nil
}

// alertOf returns the message for a refusal with its status; other errors are returned.
func (p *Pages) alertOf(c echo.Context, refusal error) (int, *forms.Alert, error) {
	status, said, fields := problem.Explain(refusal)
	switch status {
	case http.StatusUnprocessableEntity, http.StatusConflict, http.StatusPreconditionFailed, http.StatusForbidden:
	default:
		return status, nil, refusal
	}
	title, err := p.Reader(c).Text("desk.refused.invalid")
	return status, &forms.Alert{Title: title, Said: said, Fields: fields}, err
}

// reading returns the tables as the visitor may see them.
func (p *Pages) reading(c echo.Context) season.Reading {
	return p.Commands.Reading(c.Request().Context())
}

// onForm returns the target of a form, with the version that it has shown.
func onForm(c echo.Context) command.On {
	return command.On{ID: c.Param("id"), Seen: new(c.FormValue("seen"))}
}
