// Package organise is the page for creating tournaments and importing them from a file, and the form of their settings,
// which the desk has too.
package organise

import (
	"context"
	"math/bits"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Mount adds the page for creating tournaments.
func (p *Pages) Mount(e *echo.Echo) {
	p.Get(e, "/tournaments/new", p.newTournament)
	p.Post(e, "/tournaments/new", command.OnNothing, p.createTournament)
	p.Post(e, "/tournaments/new/import", command.OnNothing, p.importTournament)
	p.mountPlayers(e)
	// A reload of the answer to the import form is a GET.
	e.Match([]string{http.MethodGet, http.MethodHead}, "/tournaments/new/import", func(c echo.Context) error {
		return c.Redirect(http.StatusSeeOther, "/tournaments/new#import")
	})
}

// newBody holds the data of the page for a new tournament.
type newBody struct {
	Form    forms.TournamentForm
	Import  importForm
	Key     string // of the form, so that it creates a single tournament however often it is sent
	Alert   *forms.Alert
	Hint    *hint
	Summary forms.Summary
	Like    string             // the tournament that the settings come from
	Earlier []director.Summary // those that settings can be taken from
}

// maxEarlier is the number of tournaments that the page offers to copy.
const maxEarlier = 20

// mayCreate returns a visitor with the right to create tournaments. Visitors who are not logged in are redirected to
// the login page: then ok is false without an error.
func (p *Pages) mayCreate(c echo.Context) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if who.Anonymous() {
		return who, false, c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape("/tournaments/new"))
	}
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return who, false, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return who, true, nil
}

// usualSettings are those of a new tournament.
func (p *Pages) usualSettings() tournament.Settings {
	return tournament.Settings{
		Format: tournament.Swiss, Venue: tournament.InHall, TimeControl: "none", Points: tournament.StandardPoints, Rated: true,
	}
}

func (p *Pages) newTournament(c echo.Context) error {
	who, ok, err := p.mayCreate(c)
	if !ok {
		return err
	}
	settings, like := p.usualSettings(), c.QueryParam("like")
	typed := c.QueryParams()
	if like != "" {
		t, _, err := access.Tournament(c.Request().Context(), p.Tournaments, like, who)
		if err != nil {
			return err
		}
		settings, typed = t.Settings(), nil
		settings.StartsAt = 0
	}
	return p.showNew(c, http.StatusOK, who, newBody{Form: forms.New(p.Kit, settings, typed), Like: like})
}

// showNew answers with the page; b has Form, and Alert after a form that was not carried out.
func (p *Pages) showNew(c echo.Context, status int, who auth.Identity, b newBody) (err error) {
	b.Key = b.Form.Typed.Get("key")
	if _, err := uuid.Parse(b.Key); err != nil {
		b.Key = uuid.NewString()
	}
	b.Import.TournamentForm = forms.New(p.Kit, tournament.Settings{}, b.Import.Typed)
	b.Hint = advise(b.Form.Typed.Get("players"), b.Form.Typed.Get("hours"), b.Form.Field("control"))
	advised := 0
	if b.Hint != nil && b.Hint.Format.AdvisesRounds() {
		advised = b.Hint.Rounds
	}
	b.Summary = b.Form.Summary(0, advised)
	b.Earlier, _, err = p.TournamentList.List(c.Request().Context(), director.Filter{Organiser: who.AccountID}, maxEarlier, "")
	if err != nil {
		return err
	}
	return p.Answer(c, status, "new", kit.Frame{Section: "tournaments", Body: b})
}

func (p *Pages) createTournament(c echo.Context) error {
	who, ok, err := p.mayCreate(c)
	if !ok {
		return err
	}
	ctx := c.Request().Context()
	id, err := kit.FormID(c, "tournament", c.FormValue("key"))
	if err != nil {
		return err
	}
	form := forms.New(p.Kit, p.usualSettings(), c.Request().Form)
	var like *tournament.Tournament
	if id := c.FormValue("like"); id != "" {
		if like, _, err = access.Tournament(ctx, p.Tournaments, id, who); err != nil {
			return err
		}
		form = forms.New(p.Kit, like.Settings(), form.Typed) // settings that the form does not show are copied, too
	}
	settings, err := p.readSettings(form, c.Request().Form)
	if err == nil && settings.Format.AdvisesRounds() && settings.RoundCount == 0 {
		settings.RoundCount = forms.UsualRounds
		if h := advise(c.FormValue("players"), c.FormValue("hours"), settings.TimeControl); h != nil && h.Format.AdvisesRounds() {
			settings.RoundCount = h.Rounds
		}
	}
	if err == nil {
		var t *tournament.Tournament
		if t, err = command.CreateTournament.Run(ctx, p.Commands, command.NewTournament{ID: id, Settings: settings}); err == nil {
			if like != nil && c.FormValue("entries") != "" && len(t.Entries) == 0 {
				err = p.enterLike(ctx, t, access.View(who, like))
			}
			if err == nil {
				return p.Back(c, "/tournaments/"+t.ID+"/desk?tab=entries", "created")
			}
		}
	}
	alert, err := p.alertOf(c, form.Named(err))
	if err != nil {
		return err
	}
	return p.showNew(c, http.StatusUnprocessableEntity, who, newBody{Form: form, Alert: alert, Like: c.FormValue("like")})
}

// alertOf returns the message for a refusal; other errors are returned.
func (p *Pages) alertOf(c echo.Context, refusal error) (*forms.Alert, error) {
	status, said, fields := problem.Explain(refusal)
	if status != http.StatusUnprocessableEntity && status != http.StatusConflict {
		return nil, refusal
	}
	alert := &forms.Alert{Said: said, Fields: fields}
	var err error
	alert.Title, err = p.Reader(c).Text("desk.refused.invalid")
	return alert, err
}

// enterLike enters the players of an earlier tournament, with the ratings that they have now.
func (p *Pages) enterLike(ctx context.Context, t, like *tournament.Tournament) error {
	var ids []string
	for _, e := range like.Entries {
		ids = append(ids, e.Members...)
	}
	players, err := p.Players.Players(ctx, ids)
	if err != nil {
		return err
	}
	var list []tournament.Entry
	for _, e := range like.Entries {
		if e.Status == tournament.Withdrawn || e.Waits() || e.Bot() > 0 { // a player who was missing then may come now
			continue
		}
		entry := tournament.Entry{Name: e.Name, Club: e.Club, Members: e.Members, Rating: e.Rating}
		if now, err := roster.Strength(ctx, p.Ratings, t, e.Members, players); err != nil {
			return err
		} else if now > 0 {
			entry.Rating = now
		}
		list = append(list, entry)
	}
	_, err = command.AddEntries.Run(ctx, p.Commands, command.On{ID: t.ID}, command.Entries{Entries: list})
	return err
}

// readSettings returns the settings with the changes of a form, made like a client's changes: they become a
// TournamentPatch, which is validated against the contract and applied.
func (p *Pages) readSettings(f forms.TournamentForm, form url.Values) (tournament.Settings, error) {
	s := f.Settings
	patch, err := f.Patch(form)
	if err == nil {
		err = p.Commands.Offer.Apply(&s, patch)
	}
	return s, err
}

// Pages are the pages for new tournaments.
type Pages struct{ *kit.Kit }

// New returns the pages for new tournaments.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// hint advises on the format for a number of players and hours.
type hint struct {
	Players, Hours string // the texts typed
	Format         tournament.Format
	Rounds         int
	Each           int // minutes that a round takes, with a break
	Whole          int // minutes of all rounds
	Tight          bool
}

// advise returns a hint; nil if the numbers are not there.
func advise(players, hours, control string) *hint {
	n, err := strconv.Atoi(strings.TrimSpace(players))
	h, err2 := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(hours), ",", "."), 64)
	if err != nil || err2 != nil || n < 2 || n > 10_000 || !(h > 0 && h <= 1000) {
		return nil
	}
	out := &hint{Players: players, Hours: hours, Each: forms.RoundMinutes(control)}
	fit := int(h * 60 / float64(out.Each))
	all := n - 1 + n%2
	least := bits.Len(uint(n - 1)) // at most a single perfect score
	switch {
	case all <= fit && n <= 8 && 2*all <= fit && n <= 4:
		out.Format, out.Rounds = tournament.DoubleRoundRobin, 2*all
	case all <= fit && n <= 8:
		out.Format, out.Rounds = tournament.RoundRobin, all
	case fit < least:
		out.Format = tournament.Swiss
		out.Rounds = max(1, min(least, all))
		out.Tight = true
	default:
		out.Format, out.Rounds = tournament.Swiss, min(fit, least+2, all)
	}
	out.Whole = out.Rounds * out.Each
	return out
}
