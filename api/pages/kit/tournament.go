package kit

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// VisibleTournament loads the tournament of the address as the visitor may see it, and reports whether the visitor is on
// its staff.
func (k *Kit) VisibleTournament(c echo.Context) (t *tournament.Tournament, staff bool, err error) {
	who := auth.Session(c)
	if t, staff, err = access.Tournament(c.Request().Context(), k.Tournaments, c.Param("id"), who); err != nil {
		return nil, false, err
	}
	return access.View(who, t), staff, nil
}

// PublicTournament loads the tournament of the address as the public sees it, whatever the visitor's rights.
func (k *Kit) PublicTournament(c echo.Context) (*tournament.Tournament, error) {
	nobody := auth.Identity{}
	t, _, err := access.Tournament(c.Request().Context(), k.Tournaments, c.Param("id"), nobody)
	if err != nil {
		return nil, err
	}
	return access.View(nobody, t), nil
}

// StaffTournament returns the tournament of an address if the visitor has the right to the action. An anonymous visitor
// is redirected to the login page: then t and err are nil.
func (k *Kit) StaffTournament(c echo.Context, action auth.Action) (t *tournament.Tournament, err error) {
	who, form := auth.Session(c), c.Request().Method == http.MethodPost
	if who.Anonymous() && form {
		return nil, k.ToLogin(c, "/tournaments/"+url.PathEscape(c.Param("id"))+"/desk")
	}
	if t, _, err = access.Tournament(c.Request().Context(), k.Tournaments, c.Param("id"), who); err != nil {
		return nil, err
	}
	if who.Anonymous() {
		return nil, k.ToLogin(c, c.Request().URL.RequestURI())
	}
	if err := who.Demand(who.LevelIn(t), action); err != nil {
		return nil, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return t, nil
}

// RoundParam parses ?round=; 0 means the latest.
func RoundParam(c echo.Context) (int, error) {
	text := c.QueryParam("round")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, ErrMissing
	}
	return n, nil
}

// Drafts lists the draft tournaments that have the visitor on their staff; they are hidden from others.
func (k *Kit) Drafts(c echo.Context) (list []director.Summary, err error) {
	who, ctx := auth.Session(c), c.Request().Context()
	if who.Anonymous() {
		return nil, nil
	}
	lines, _, err := k.TournamentList.List(
		ctx, director.Filter{Status: []tournament.Status{tournament.Draft}}, PageLength, "",
	)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		t, staff, err := access.Tournament(ctx, k.Tournaments, line.ID, who)
		if errors.Is(err, tournament.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if staff && t.Status == tournament.Draft {
			list = append(list, line)
		}
	}
	return list, nil
}

// Creates reports whether the visitor may create tournaments.
func (k *Kit) Creates(c echo.Context) bool {
	who := auth.Session(c)
	return who.Can(who.Level(), auth.CreateTournaments)
}
