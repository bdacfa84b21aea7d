package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
	"quatuor/tournament/prizes"
)

// mountDeskSettings adds the forms of the tabs Settings and Prizes.
func (p *Pages) mountDeskSettings(e *echo.Echo) {
	for path, handler := range map[string]echo.HandlerFunc{
		"settings": p.deskSaveSettings, "arbiters": p.deskArbiters, "delete": p.deskDelete, "prizes": p.deskSavePrizes,
	} {
		e.POST("/tournaments/:id/desk/"+path, p.guard(handler))
	}
}

// settingsPart is what the tab Settings shows.
type settingsPart struct {
	Form      tournamentForm
	Seen      string
	Reported  bool // a report file can tell of the tournament
	Logins    []string
	Deletable bool
}

// digestOf returns a digest of a value that a form shows, so that others' changes of it are not lost.
func digestOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("pages: " + err.Error()) // plain values always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// unlessOther returns a precondition: a part of the tournament is still as the form that a digest came from has shown it.
func unlessOther[T any](of func(*tournament.Tournament) T, digest string) func(*tournament.Tournament) error {
	return func(t *tournament.Tournament) error {
		if digestOf(of(t)) != digest {
			return tournament.Refuse(tournament.ErrStale, "it has been changed meanwhile")
		}
		return nil
	}
}

func settingsOf(t *tournament.Tournament) tournament.Settings { return t.Settings() }
func arbitersOf(t *tournament.Tournament) []string            { return t.Arbiters }
func prizesOf(t *tournament.Tournament) tournament.Prizes     { return t.Prizes }

// SeenArbiters returns a digest of the arbiters.
func (b *deskBody) SeenArbiters() string { return digestOf(arbitersOf(b.Tournament)) }

func (p *Pages) deskSettings(c echo.Context, b *deskBody) error {
	part := settingsPart{
		Form: p.tournamentForm(b.Settings(), b.Typed), Seen: digestOf(b.Settings()), Reported: exchange.Tells(b.Format),
		Deletable: b.CanDelete() == nil || b.Version == 1,
	}
	part.Form.Fixed = !b.Before()
	logins := map[string]string{}
	for _, id := range b.Arbiters {
		login, err := p.loginOf(c.Request().Context(), id, logins)
		if err != nil {
			return err
		}
		part.Logins = append(part.Logins, login)
	}
	b.Part = part
	return nil
}

func (p *Pages) deskSaveSettings(c echo.Context) error {
	return p.deskDo(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		form := p.tournamentForm(t.Settings(), c.Request().Form)
		form.Fixed = t.CanDelete() != nil
		settings, err := p.readSettings(form, c.Request().Form)
		if err != nil {
			return "", err
		}
		o = director.Order{By: o.By, If: unlessOther(settingsOf, c.FormValue("seen"))}
		_, err = p.Director.Update(ctx, t.ID, settings, o)
		return "saved", form.named(err)
	})
}

// deskArbiters adds an arbiter by the login, or removes one.
func (p *Pages) deskArbiters(c echo.Context) error {
	return p.deskDo(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		login := strings.ToLower(strings.TrimSpace(c.FormValue("login") + c.FormValue("remove")))
		found, err := p.People.AccountByLogin(ctx, login)
		if errors.Is(err, account.ErrNotFound) {
			return "", tournament.Fault("login", "no account has the login %q", login)
		}
		if err != nil {
			return "", err
		}
		arbiters := slices.DeleteFunc(slices.Clone(t.Arbiters), func(id string) bool { return id == found.ID })
		if c.FormValue("remove") == "" {
			arbiters = append(arbiters, found.ID)
		}
		o = director.Order{By: o.By, If: unlessOther(arbitersOf, c.FormValue("seen"))}
		_, err = p.Director.SetArbiters(ctx, t.ID, arbiters, o)
		return "saved", err
	})
}

// deskDelete deletes a tournament that has not started, if its name is written down.
func (p *Pages) deskDelete(c echo.Context) error {
	deleted := false
	err := p.deskDo(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		if strings.TrimSpace(c.FormValue("confirm")) != t.Name {
			return "", tournament.Fault("confirm", "write the name of the tournament to delete it")
		}
		err := p.Director.Delete(ctx, t.ID, o)
		deleted = err == nil
		return "", err
	})
	if deleted {
		c.Response().Header().Set(echo.HeaderLocation, "/tournaments?"+url.Values{"said": {"deleted"}}.Encode())
	}
	return err
}

// prizesPart is what the tab Prizes shows.
type prizesPart struct {
	Seen       string
	Sharing    string
	Several    bool
	Unit       string
	Categories []prizeFields // the present ones and an empty one
}

// prizeFields are the fields of one category.
type prizeFields struct {
	Index                int
	Name, List, Clubs    string
	RatingFrom, RatingTo string
	AgeFrom, AgeTo       string
	Unrated              bool
}

// Many is how many categories a form sends at most.
const maxCategories = 40

func (p *Pages) deskPrizes(_ echo.Context, b *deskBody) error {
	part := prizesPart{Seen: digestOf(b.Prizes), Sharing: b.Field("sharing", b.Prizes.Sharing), Several: b.Prizes.Several, Unit: prizes.Money(max(b.Prizes.Unit, 1))}
	for i, category := range append(slices.Clone(b.Prizes.Categories), tournament.PrizeCategory{}) {
		part.Categories = append(part.Categories, fieldsOf(i, category, b))
	}
	b.Part = part
	return nil
}

func fieldsOf(i int, category tournament.PrizeCategory, b *deskBody) prizeFields {
	name := func(field string) string { return fmt.Sprintf("%s-%d", field, i) }
	text := func(n float64) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	var lines []string
	for _, prize := range category.Prizes {
		line := prize.Text
		if prize.Amount > 0 {
			line = strings.TrimSpace(prizes.Money(prize.Amount) + " " + line)
		}
		lines = append(lines, line)
	}
	return prizeFields{
		Index: i, Name: b.Field(name("name"), category.Name), List: b.Field(name("prizes"), strings.Join(lines, "\n")),
		Clubs: b.Field(name("clubs"), strings.Join(category.Clubs, ", ")), Unrated: category.Unrated,
		RatingFrom: b.Field(name("rating-from"), text(category.RatingFrom)), RatingTo: b.Field(name("rating-to"), text(category.RatingTo)),
		AgeFrom: b.Field(name("age-from"), text(float64(category.AgeFrom))), AgeTo: b.Field(name("age-to"), text(float64(category.AgeTo))),
	}
}

func (p *Pages) deskSavePrizes(c echo.Context) error {
	return p.deskDo(c, "prizes", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		won, err := prizesIn(c.Request().Form)
		if err != nil {
			return "", err
		}
		o = director.Order{By: o.By, If: unlessOther(prizesOf, c.FormValue("seen"))}
		_, err = p.Director.SetPrizes(ctx, t.ID, won, o)
		return "saved", err
	})
}

// prizesIn reads the prizes from a form. A category without a name and prizes is left out.
func prizesIn(form url.Values) (tournament.Prizes, error) {
	out := tournament.Prizes{Sharing: form.Get("sharing"), Several: form.Get("several") != ""}
	unit, err := number(form.Get("unit"), "unit")
	if err != nil {
		return out, err
	}
	out.Unit = int64(math.Round(min(max(unit, 0), 1e9) * 100))
	for i := range maxCategories {
		field := func(name string) string { return strings.TrimSpace(form.Get(fmt.Sprintf("%s-%d", name, i))) }
		category := tournament.PrizeCategory{Name: field("name"), Unrated: field("unrated") != ""}
		for line := range strings.SplitSeq(field("prizes"), "\n") {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			first, rest, _ := strings.Cut(line, " ")
			prize := tournament.Prize{Text: line}
			if amount, err := number(first, "prizes"); err == nil && amount >= 0 && amount <= 1e9 {
				prize = tournament.Prize{Amount: int64(math.Round(amount * 100)), Text: strings.TrimSpace(rest)}
			}
			category.Prizes = append(category.Prizes, prize)
		}
		if category.Name == "" && len(category.Prizes) == 0 {
			continue
		}
		for name, into := range map[string]*float64{"rating-from": &category.RatingFrom, "rating-to": &category.RatingTo} {
			if *into, err = number(field(name), name); err != nil {
				return out, err
			}
		}
		for name, into := range map[string]*int{"age-from": &category.AgeFrom, "age-to": &category.AgeTo} {
			years, err := number(field(name), name)
			if err != nil {
				return out, err
			}
			*into = int(min(max(years, -1), 1000))
		}
		for club := range strings.SplitSeq(field("clubs"), ",") {
			if club = strings.TrimSpace(club); club != "" {
				category.Clubs = append(category.Clubs, club)
			}
		}
		out.Categories = append(out.Categories, category)
	}
	if len(out.Categories) == 0 {
		return tournament.Prizes{}, nil
	}
	return out, nil
}

// withoutSlash leads from an address that ends with a slash to the page that is meant.
func withoutSlash(c echo.Context) error {
	target := *c.Request().URL
	target.Path = strings.TrimRight(target.Path, "/")
	target.RawPath = ""
	return c.Redirect(http.StatusMovedPermanently, target.RequestURI())
}
