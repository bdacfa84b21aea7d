package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// clubDeed is an act on accounts, players, ratings or the club that the API and the pages both offer.
type clubDeed struct {
	name   string
	method string
	path   string // of the API
	body   string
	page   string // of the form
	form   map[string]string
}

// GUEST is a player without an account, PLAYER has the account ACCOUNT. All three are new for each door.
var clubDeeds = []clubDeed{
	{
		name: "offer a claim", method: "POST", path: "/players/GUEST/claim-code", page: "/admin/players/GUEST/claim",
	},
	{name: "offer a claim of a claimed player", method: "POST", path: "/players/PLAYER/claim-code", page: "/admin/players/PLAYER/claim"},
	{
		name: "offer a claim of nobody", method: "POST", path: "/players/nobody/claim-code",
		page: "/admin/players/nobody/claim",
	},
	{
		name: "name an organiser", method: "PATCH", path: "/accounts/ACCOUNT", body: `{"role":"organiser"}`,
		page: "/admin/accounts/ACCOUNT", form: map[string]string{"role": "organiser", "was": "player 0"},
	},
	{
		name: "disable an account", method: "PATCH", path: "/accounts/ACCOUNT", body: `{"disabled":true}`,
		page: "/admin/accounts/ACCOUNT", form: map[string]string{"disabled": "true", "was": "player 0"},
	},
	{
		name: "reset a password", method: "POST", path: "/accounts/ACCOUNT/password-reset",
		page: "/admin/accounts/ACCOUNT/reset",
	},
	{
		name: "merge", method: "POST", path: "/players/PLAYER/merge", body: `{"player_id":"GUEST"}`,
		page: "/admin/merge", form: map[string]string{"keep": "PLAYER", "gone": "GUEST"},
	},
	{
		name: "merge with oneself", method: "POST", path: "/players/PLAYER/merge", body: `{"player_id":"PLAYER"}`,
		page: "/admin/merge", form: map[string]string{"keep": "PLAYER", "gone": "PLAYER"},
	},
	{
		name: "mark a player", method: "POST", path: "/rating-marks",
		body: `{"player_id":"PLAYER","from":"2026-01-01T00:00:00Z","until":"2026-02-01T00:00:00Z","reason":"helped"}`,
		page: "/admin/ratings/marks",
		form: map[string]string{"player": "PLAYER", "from": "2026-01-01", "until": "2026-01-31", "reason": "helped"},
	},
	{
		name: "mark a player without an extent", method: "POST", path: "/rating-marks",
		body: `{"player_id":"PLAYER","reason":"helped"}`,
		page: "/admin/ratings/marks", form: map[string]string{"player": "PLAYER", "reason": "helped"},
	},
	{name: "lift a mark that is not there", method: "POST", path: "/rating-marks/nothing/lift", page: "/admin/ratings/marks/nothing/lift"},
	{
		name: "settings that cannot be", method: "PATCH", path: "/settings", body: `{"time_zone":"Mars/Olympus"}`,
		page: "/admin/settings", form: map[string]string{
			"name": "Club", "language": "en", "time_zone": "Mars/Olympus", "registration": "open", "reach": "local",
			"version": "0",
		},
	},
	{
		name: "unblock", method: "DELETE", path: "/me/blocks/PLAYER", page: "/me/unblock",
		form: map[string]string{"player": "PLAYER"},
	},
	{
		name: "a new password", method: "PATCH", path: "/me",
		body: `{"current_password":"wrong","password":"a staple of horses"}`,
		page: "/me/password", form: map[string]string{"current": "wrong", "password": "a staple of horses"},
	},
	{
		name: "challenge", method: "POST", path: "/games",
		body: `{"variant":"quixo/duel","seats":[{"player_id":"ME"},{"player_id":"PLAYER"}],"time_control":"none"}`,
		page: "/play", form: map[string]string{
			"with": "PLAYER", "variant": "quixo/duel:2", "time_control": "none", "first": "me",
			"key": "018f0000-0000-7000-8000-000000000000",
		},
	},
}

// TestBothDoorsOfTheClub does what can be done outside tournaments through the API and by the form of a page, as each
// kind of visitor, and demands the same outcome.
func TestBothDoorsOfTheClub(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	visitors := map[string]apitest.Person{
		"nobody": s.Anonymous(), "a player": s.Register("anna"), "an organiser": olga, "an admin": root,
	}
	made := 0
	for _, d := range clubDeeds {
		for name, who := range visitors {
			if d.name == "challenge" && who.Player == "" && who.Account != "" {
				continue // the API lets organisers open games of others; no form does
			}
			var outcomes [2]string
			for i, form := range []bool{false, true} {
				made++
				one := s.Register(fmt.Sprintf("someone%d", made))
				guest := olga.Post("/players", `{"name":"A guest"}`).Want(t, http.StatusCreated).Text("id")
				fill := strings.NewReplacer("GUEST", guest, "PLAYER", one.Player, "ACCOUNT", one.Account, "ME", who.Player).Replace
				var a *apitest.Answer
				if form {
					values := url.Values{}
					for field, value := range d.form {
						values.Set(field, fill(value))
					}
					a = who.PostForm(fill(d.page), values)
				} else {
					a = who.Send(d.method, fill(d.path), fill(d.body), apitest.AnyVersion)
				}
				outcomes[i] = outcomeOf(a, form)
			}
			if outcomes[0] != outcomes[1] {
				t.Errorf("%s as %s: the API says %s, the form %s", d.name, name, outcomes[0], outcomes[1])
			}
		}
	}
}
