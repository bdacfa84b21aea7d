package administration

import (
	"cmp"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/settings"
	"quatuor/tournament/club"
)

func (p *Pages) settingsForm(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ChangeSettings); !ok {
		return err
	}
	stored, err := p.Settings.Stored(c.Request().Context())
	if err != nil {
		return err
	}
	now := p.Settings.InForce(stored)
	typed := map[string]string{
		"name": cmp.Or(now.Name, settings.DefaultName), "welcome": now.Welcome, "imprint": now.Imprint,
		"language": cmp.Or(now.Language, p.Reader(c).Language()), "time_zone": now.TimeZone,
		"registration": now.Registration, "reach": string(now.Reach),
		"version": strconv.FormatInt(now.Version, 10),
	}
	if now.Resets {
		typed["resets"] = "yes"
	}
	return p.Show(c, "settings", "", p.setupBody(typed))
}

func (p *Pages) saveSettings(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ChangeSettings); !ok {
		return err
	}
	given, err := typedSettings(c, "name", "language", "time_zone", "registration", "reach", "resets", "version")
	if err != nil {
		return err
	}
	if err = p.storeSettings(c, given); err == nil {
		return p.Back(c, "/admin", "saved")
	}
	fault, status, fatal := p.accounts.Fault(c, err)
	if fatal != nil {
		return fatal
	}
	body := p.setupBody(given)
	body.Fault = fault
	return p.Answer(c, status, "settings", kit.Frame{Body: body})
}

func (p *Pages) storeSettings(c echo.Context, given map[string]string) error {
	seen := `"v` + given["version"] + `"`
	_, err := command.ClubSettings.Update(c.Request().Context(), p.Commands, command.On{Seen: &seen}, func(s *club.Settings) error {
		chosen, err := checkSettings(given)
		chosen.Version = s.Version
		*s = chosen
		return err
	})
	return err
}
