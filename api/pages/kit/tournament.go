package kit

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/internal/calendar"
	"quatuor/api/stream"
	"quatuor/engine/table"
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

// GameIfAny returns a game as it is now, nil if there is none.
func (k *Kit) GameIfAny(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := k.Games.Snapshot(ctx, id)
	if errors.Is(err, table.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Season is the way to a calendar.
type Season struct {
	Path      string       // of the file
	Subscribe template.URL // for programs, "" where the address is not known
}

// Season returns the way to the calendar at a path.
func (k *Kit) Season(c echo.Context, path string) Season {
	_, host, known := strings.Cut(k.Address(c), "://")
	if !known {
		return Season{Path: path}
	}
	return Season{path, template.URL("webcal://" + host + path)} //nolint:gosec // of the configured address or the checked Host
}

// Calendar answers with the public tournaments among ids as iCalendar in the reader's language; with those of a team if
// the address names its number.
func (k *Kit) Calendar(c echo.Context, name string, ids ...string) error {
	ctx, in := c.Request().Context(), k.Reader(c)
	team, ok := calendar.OneTeam(c.QueryParam("team"))
	if !ok {
		return ErrMissing
	}
	list, err := calendar.Read(ctx, k.Tournaments, ids...)
	if err != nil {
		return err
	}
	cal := calendar.Calendar{
		Name: name, Site: k.Club(ctx).Name, Address: k.Address(c), Team: team,
		Round: func(name string, round int) string { return Say(in, "feed.round", "Name", name, "Round", round) },
	}
	return k.File(c, calendar.Kind, cal.Of(list...))
}

// TopicsOf are the topics of a visitor's own things, and others.
func TopicsOf(who auth.Identity, others ...string) []string {
	if who.PlayerID != "" {
		others = append(others, stream.OfPlayer(who.PlayerID))
	}
	return others
}
