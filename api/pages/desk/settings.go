package desk

import (
	"context"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
)

// mountSettings adds the forms of the tabs Settings and Prizes.
func (p *Pages) mountSettings(e *echo.Echo) {
	for path, handler := range map[string]echo.HandlerFunc{
		"settings": p.saveSettings, "arbiters": p.setArbiters, "delete": p.delete, "prizes": p.savePrizes,
	} {
		p.Post(e, "/tournaments/:id/desk/"+path, command.OnTournament, handler)
	}
}

// settingsPart holds the data of the tab Settings.
type settingsPart struct {
	Form      forms.TournamentForm
	Summary   forms.Summary
	Seen      string
	Logins    []string
	Deletable bool
}

// SeenArbiters returns a digest of the arbiters.
func (b *deskBody) SeenArbiters() string { return unquoted(command.Tag(b.Arbiters)) }

func (p *Pages) settings(c echo.Context, b *deskBody) error {
	part := settingsPart{
		Form: forms.New(p.Kit, b.Settings(), b.Typed), Seen: unquoted(command.Tag(b.Settings())),
		Deletable: b.CanDelete() == nil || b.Version == 1,
	}
	part.Form.Fixed = !b.Before()
	part.Summary = part.Form.Summary(b.Taken(), 0)
	logins := map[string]string{}
	for _, id := range b.Arbiters {
		login, err := p.history.LoginOf(c.Request().Context(), id, logins)
		if err != nil {
			return err
		}
		part.Logins = append(part.Logins, login)
	}
	b.Part = part
	return nil
}

func (p *Pages) saveSettings(c echo.Context) error {
	return p.do(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, version int64) (string, error) {
		form := forms.New(p.Kit, t.Settings(), c.Request().Form)
		form.Fixed = t.CanDelete() != nil
		patch, err := form.Patch(c.Request().Form)
		if err == nil {
			_, err = command.UpdateSettings.Run(ctx, p.Commands, command.On{ID: t.ID, Seen: seenIn(c, version)}, patch)
		}
		return "saved", form.Named(err)
	})
}

// setArbiters adds an arbiter by login, or removes an arbiter.
func (p *Pages) setArbiters(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "settings", said: "saved"}, command.SetArbiters, func(t *tournament.Tournament) (logins []string, err error) {
		login, known := strings.ToLower(strings.TrimSpace(c.FormValue("login")+c.FormValue("remove"))), map[string]string{}
		for _, id := range t.Arbiters {
			other, err := p.history.LoginOf(c.Request().Context(), id, known)
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
	err := p.do(c, "settings", auth.RunTournament, func(ctx context.Context, t *tournament.Tournament, version int64) (string, error) {
		if strings.TrimSpace(c.FormValue("confirm")) != t.Name {
			return "", tournament.Fault("confirm", "write the name of the tournament to delete it")
		}
		_, err := command.Delete.Run(ctx, p.Commands, command.On{ID: t.ID, Seen: seenIn(c, version)}, command.None{})
		deleted = err == nil
		return "", err
	})
	if deleted {
		c.Response().Header().Set(echo.HeaderLocation, "/tournaments?"+url.Values{"said": {"deleted"}}.Encode())
	}
	return err
}
