package desk

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
	"quatuor/tournament/prizes"
)

// mountSettings adds the forms of the tabs Settings and Prizes.
func (p *Pages) mountSettings(e *echo.Echo) {
	for path, handler := range map[string]echo.HandlerFunc{
		"settings": p.saveSettings, "arbiters": p.setArbiters, "delete": p.delete, "prizes": p.savePrizes,
	} {
		p.Post(e, "/tournaments/:id/desk/"+path, command.OnTournament, handler)
	}
}

// settingsPart is what the tab Settings shows.
type settingsPart struct {
	Form      forms.TournamentForm
	Summary   forms.Summary
	Seen      string
	Reported  bool // the tournament can be exported as a report file
	Logins    []string
	Deletable bool
}

// SeenArbiters returns a digest of the arbiters.
func (b *deskBody) SeenArbiters() string { return unquoted(command.Tag(b.Arbiters)) }

func (p *Pages) settings(c echo.Context, b *deskBody) error {
	part := settingsPart{
		Form: forms.New(p.Kit, b.Settings(), b.Typed), Seen: unquoted(command.Tag(b.Settings())), Reported: exchange.Exportable(b.Format),
		Deletable: b.CanDelete() == nil || b.Version == 1,
	}
	part.Form.Fixed = !b.Before()
	part.Summary = part.Form.Summary(b.Taken(), 0)
	logins := map[string]string{}
	for _, id := range b.Arbiters {
		login, err := p.tournaments.LoginOf(c.Request().Context(), id, logins)
		if err != nil {
			return err
		}
		part.Logins = append(part.Logins, login)
	}
	b.Part = part
	return nil
}

func (p *Pages) saveSettings(c echo.Context) error {
	return p.do(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		form := forms.New(p.Kit, t.Settings(), c.Request().Form)
		form.Fixed = t.CanDelete() != nil
		patch, err := form.Patch(c.Request().Form)
		if err == nil {
			_, err = command.UpdateSettings.Run(ctx, p.Commands, command.On{ID: t.ID, Seen: seenIn(c, o.Expect)}, patch)
		}
		return "saved", form.Named(err)
	})
}

// setArbiters adds an arbiter by the login, or removes one.
func (p *Pages) setArbiters(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "settings", said: "saved"}, command.SetArbiters, func(t *tournament.Tournament) (logins []string, err error) {
		login, known := strings.ToLower(strings.TrimSpace(c.FormValue("login")+c.FormValue("remove"))), map[string]string{}
		for _, id := range t.Arbiters {
			other, err := p.tournaments.LoginOf(c.Request().Context(), id, known)
			if err != nil {
				return nil, err
			}
			if other != login && other != "" {
				logins = append(logins, other)
			}
		}
		if c.FormValue("remove") == "" {
			logins = append(logins, login)
		}
		return logins, nil
	})
}

// delete deletes a tournament that has not started, if its name is written down.
func (p *Pages) delete(c echo.Context) error {
	deleted := false
	err := p.do(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		if strings.TrimSpace(c.FormValue("confirm")) != t.Name {
			return "", tournament.Fault("confirm", "write the name of the tournament to delete it")
		}
		_, err := command.Delete.Run(ctx, p.Commands, command.On{ID: t.ID, Seen: seenIn(c, o.Expect)}, command.None{})
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

// maxCategories is the maximum number of prize categories in a form.
const maxCategories = 40

func (p *Pages) prizes(_ echo.Context, b *deskBody) error {
	part := prizesPart{
		Seen:    unquoted(command.Tag(b.Prizes)),
		Sharing: b.Field("sharing", b.Prizes.Sharing),
		Several: b.Prizes.Several,
		Unit:    prizes.Money(max(b.Prizes.Unit, 1)),
	}
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

func (p *Pages) savePrizes(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "prizes", said: "saved"}, command.SetPrizes, func(*tournament.Tournament) (tournament.Prizes, error) {
		return prizesIn(c.Request().Form)
	})
}

// prizesIn reads the prizes from a form. A category without a name and prizes is left out.
func prizesIn(form url.Values) (tournament.Prizes, error) {
	out := tournament.Prizes{Sharing: form.Get("sharing"), Several: form.Get("several") != ""}
	unit, err := forms.Number(form.Get("unit"), "unit")
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
			if amount, err := forms.Number(first, "prizes"); err == nil && amount >= 0 && amount <= 1e9 {
				prize = tournament.Prize{Amount: int64(math.Round(amount * 100)), Text: strings.TrimSpace(rest)}
			}
			category.Prizes = append(category.Prizes, prize)
		}
		if category.Name == "" && len(category.Prizes) == 0 {
			continue
		}
		for name, into := range map[string]*float64{"rating-from": &category.RatingFrom, "rating-to": &category.RatingTo} {
			if *into, err = forms.Number(field(name), name); err != nil {
				return out, err
			}
		}
		for name, into := range map[string]*int{"age-from": &category.AgeFrom, "age-to": &category.AgeTo} {
			years, err := forms.Number(field(name), name)
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
