package administration_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// doorOfAdministration is a page or an operation of administration: its route with the parameters' names, and whether
// organisers have it, too.
type doorOfAdministration struct {
	route     string
	organiser bool
	body      string // of an operation
}

// doorsOfAdministration are all pages under /admin, and the operations of the API that do the same. Organisers have the
// accounts of players, invitations and codes; links for passwords only if the club's settings allow it.
var doorsOfAdministration = []doorOfAdministration{
	{"GET /admin", true, ""},
	{"GET /admin/address", false, ""},
	{"GET /admin/backups", false, ""},
	{"GET /admin/backups/:name", false, ""},
	{"GET /admin/doctor", false, ""},
	{"GET /admin/log", false, ""},
	{"GET /admin/merge", false, ""},
	{"GET /admin/players/:id", false, ""},
	{"GET /admin/ratings", false, ""},
	{"GET /admin/settings", false, ""},
	{"POST /admin/accounts/:id", false, ""},
	{"POST /admin/accounts/:id/reset", false, ""},
	{"POST /admin/backups", false, ""},
	{"POST /admin/check", false, ""},
	{"POST /admin/invitations", true, ""},
	{"POST /admin/invitations/:id/end", true, ""},
	{"POST /admin/merge", false, ""},
	{"POST /admin/players/:id/claim", true, ""},
	{"POST /admin/players/:id/delete", false, ""},
	{"POST /admin/ratings/import", false, ""},
	{"POST /admin/ratings/marks", false, ""},
	{"POST /admin/ratings/marks/:id/lift", false, ""},
	{"POST /admin/settings", false, ""},
	{"GET /api/v1/accounts", false, ""},
	{"GET /api/v1/accounts/:account", false, ""},
	{"PATCH /api/v1/accounts/:account", false, `{"disabled":false}`},
	{"POST /api/v1/accounts/:account/password-reset", false, ""},
	{"GET /api/v1/admin/backups", false, ""},
	{"GET /api/v1/admin/backups/:backup", false, ""},
	{"GET /api/v1/admin/log", false, ""},
	{"POST /api/v1/admin/backups", false, ""},
	{"GET /api/v1/rating-marks", false, ""},
	{"POST /api/v1/rating-imports", false, "player,list\n"},
	{"POST /api/v1/rating-marks", false, `{"player_id":"nobody","reason":"x"}`},
	{"POST /api/v1/rating-marks/:mark/lift", false, ""},
	{"POST /api/v1/ratings/club/recompute", false, ""},
	{"GET /api/v1/settings", false, ""},
	{"PATCH /api/v1/settings", false, `{"name":"Club"}`},
	{"POST /api/v1/invitations", true, `{}`},
	{"POST /api/v1/players/:id/claim-code", true, ""},
	{"POST /api/v1/players/:id/merge", false, `{"player_id":"player-of-eve"}`},
	{"DELETE /api/v1/players/:id", false, ""},
}

// TestAdministrationIsForItsRoles opens every door of administration in each role. The arbiter of a tournament has none
// beyond those of players.
func TestAdministrationIsForItsRoles(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, carl := s.WithRole("olga", account.RoleOrganiser), s.Register("carl")
	root, ada := s.WithRole("root", account.RoleAdmin), s.Register("ada")
	s.Register("eve")
	cup := olga.Post("/tournaments",
		`{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":1,"time_control":"300"}`).
		Want(t, http.StatusCreated).Text("id")
	olga.Send(http.MethodPut, "/tournaments/"+cup+"/arbiters", `{"logins":["carl"]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	for _, role := range []struct {
		name  string
		login string
		apitest.Person
	}{{"guest", "", s.Anonymous()}, {"player", "ada", ada}, {"arbiter", "carl", carl}, {"organiser", "olga", olga}, {"admin", "root", root}} {
		v := s.Visitor()
		if role.login != "" {
			v = s.LoggedIn(role.login)
		}
		for _, door := range doorsOfAdministration {
			method, path, _ := strings.Cut(door.route, " ")
			path = strings.NewReplacer(":id", "player-of-eve", ":name", "none", ":account", "account-of-eve",
				":backup", "quatuor-20260101T000000.000Z.db", ":mark", "01930000-0000-7000-8000-000000000000").Replace(path)
			if strings.Contains(path, "/accounts/player-of-") {
				path = strings.Replace(path, "player-of-", "account-of-", 1)
			}
			operation, isOperation := strings.CutPrefix(path, "/api/v1")
			var a *apitest.Answer
			switch {
			case isOperation && door.body != "":
				a = role.Send(method, operation, door.body, apitest.AnyVersion)
			case isOperation:
				a = role.Send(method, operation, nil)
			case method == http.MethodGet:
				a = v.Get(path)
			default:
				a = v.Post(path)
			}
			refusal := 0
			switch {
			case role.name == "guest" && isOperation:
				refusal = http.StatusUnauthorized
			case role.name == "guest":
				refusal = http.StatusSeeOther
			case role.name != "admin" && (role.name != "organiser" || !door.organiser):
				refusal = http.StatusForbidden
			}
			if refusal != 0 && a.Status != refusal {
				t.Errorf("%s for the %s: %d, want %d", door.route, role.name, a.Status, refusal)
			}
			if refusal == 0 && (a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden || a.Status >= 500) {
				t.Errorf("%s for the %s: %d", door.route, role.name, a.Status)
			}
			if refusal == http.StatusSeeOther && !strings.HasPrefix(a.Header.Get("Location"), "/login") {
				t.Errorf("%s leads guests to %s", door.route, a.Header.Get("Location"))
			}
			if refusal != 0 && strings.Contains(string(a.Raw), `action="`+path+`"`) {
				t.Errorf("%s shows the %s the form that it refuses", door.route, role.name)
			}
		}
	}
	for _, route := range s.Server.Routes() {
		_, path, _ := strings.Cut(route, " ")
		known := slices.ContainsFunc(doorsOfAdministration, func(d doorOfAdministration) bool { return d.route == route })
		if (path == "/admin" || strings.HasPrefix(path, "/admin/")) && !strings.HasPrefix(route, "HEAD ") && !known {
			t.Errorf("%s is in no row", route)
		}
	}
}
