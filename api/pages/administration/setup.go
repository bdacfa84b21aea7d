package administration

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/api/settings"
	"quatuor/tournament/club"
)

// setupBody holds the data of the page of the set-up.
type setupBody struct {
	Typed     map[string]string
	Fault     *accounts.Fault
	Languages []accounts.Language
	Zones     []string
	Fixed     decided
}

// commonZones are suggested as time zones; others can be typed.
var commonZones = []string{
	"Europe/Amsterdam", "Europe/Athens", "Europe/Berlin", "Europe/Brussels", "Europe/Dublin", "Europe/Helsinki", "Europe/Lisbon",
	"Europe/London", "Europe/Luxembourg", "Europe/Madrid", "Europe/Paris", "Europe/Prague", "Europe/Rome", "Europe/Vienna",
	"Europe/Warsaw", "Europe/Zurich", "Africa/Casablanca", "Africa/Dakar", "America/Chicago", "America/Denver",
	"America/Los_Angeles", "America/Montreal", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo",
	"Australia/Sydney", "Indian/Reunion", "Pacific/Auckland", "Pacific/Noumea", "UTC",
}

// decided are the settings configured at the start of the service: choices on a page do not change them.
type decided struct{ Name, Registration, Reach bool }

func (p *Pages) decided() decided {
	g := p.Settings.Given
	return decided{Name: g.Name != "", Registration: g.Registration != "", Reach: g.Reach != ""}
}

// setupFields are the inputs that keep their text when a set-up is refused; passwords are typed again.
var setupFields = []string{"code", "name", "language", "time_zone", "registration", "reach", "login", "player_name"}

func (p *Pages) setupForm(c echo.Context) error {
	needed, err := p.guard.NeedsSetup(c.Request().Context())
	if err != nil {
		return err
	}
	if !needed {
		return kit.ErrMissing
	}
	stored, err := p.Settings.Stored(c.Request().Context()) // of an installation that has lost its admins
	if err != nil {
		return err
	}
	body := p.setupBody(map[string]string{
		"code": c.QueryParam("code"), "name": stored.Name, "welcome": stored.Welcome, "imprint": stored.Imprint,
		"language":  cmp.Or(stored.Language, p.Reader(c).Language()),
		"time_zone": stored.TimeZone, "registration": cmp.Or(stored.Registration, string(auth.RegistrationInvite)),
		"reach": string(cmp.Or(stored.Reach, club.ReachNetwork)),
	})
	return p.Answer(c, http.StatusOK, "setup", kit.Frame{Secret: true, Body: body})
}

func (p *Pages) setupBody(typed map[string]string) *setupBody {
	return &setupBody{Typed: typed, Languages: accounts.OfferedLanguages(), Zones: commonZones, Fixed: p.decided()}
}

func (p *Pages) setUp(c echo.Context) error {
	ctx := c.Request().Context()
	given, err := typedSettings(c, setupFields...)
	if err != nil {
		return err
	}
	password := c.FormValue("password")
	if err = p.guard.CheckSetup(ctx, given["code"], c.RealIP()); err == nil {
		err = p.settled(c, given, password)
	}
	if err != nil {
		fault, status, fatal := p.accounts.Fault(c, err)
		if fatal != nil {
			return fatal
		}
		body := p.setupBody(given)
		body.Fault = fault
		return p.Answer(c, status, "setup", kit.Frame{Secret: true, Body: body})
	}
	if err := p.accounts.Enter(c, given["login"], password); err != nil {
		return err
	}
	return p.Back(c, "/admin/address", "set_up")
}

// settled makes the first account and stores the settings that were typed.
func (p *Pages) settled(c echo.Context, given map[string]string, password string) error {
	ctx := c.Request().Context()
	chosen, err := checkSettings(given)
	if err != nil {
		return err
	}
	player := given["player_name"]
	if player != "" {
		if player, err = accounts.CleanName(player); err != nil {
			return err
		}
	}
	first := auth.NewAccount{Login: given["login"], Password: password, PlayerName: player, Address: c.RealIP()}
	if _, err := p.guard.SetUp(ctx, given["code"], first, chosen); err != nil {
		return err
	}
	p.Settings.Changed()
	if err := p.Settings.Apply(ctx, chosen.Reach); err != nil { // it is in force with the next start
		p.Logger.WarnContext(ctx, "the network cannot reach the service yet", "error", err)
	}
	return nil
}

// typedSettings is typedAll with the texts about the club, which may have line breaks.
func typedSettings(c echo.Context, names ...string) (map[string]string, error) {
	given, err := accounts.TypedAll(c, names...)
	if err == nil {
		given["welcome"], given["imprint"] = c.FormValue("welcome"), c.FormValue("imprint")
	}
	return given, err
}

// checkSettings returns the club's settings that were typed; a *settings.Invalid if they cannot be taken.
func checkSettings(given map[string]string) (club.Settings, error) {
	return settings.Check(club.Settings{
		Name: given["name"], Welcome: given["welcome"], Imprint: given["imprint"],
		Language: given["language"], TimeZone: given["time_zone"],
		Registration: given["registration"], Reach: club.Reach(given["reach"]), Resets: given["resets"] == "yes",
	})
}
