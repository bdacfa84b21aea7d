package administration_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// notAdministration are the beginnings of routes that are no administration, each with the reason.
var notAdministration = map[string]string{
	"POST /api/v1/games": "the game's own log", "POST /games": "the game's own log", "POST /play": "the game's own log",
	"POST /api/v1/results/": "the tournament's history", "POST /r/": "the tournament's history",
	"POST /tournaments/:id/":                     "the tournament's history",
	"POST /api/v1/tournaments/:tournament_id/":   "the tournament's history",
	"PUT /api/v1/tournaments/:tournament_id/":    "the tournament's history",
	"PATCH /api/v1/tournaments/:tournament_id":   "the tournament's history",
	"DELETE /api/v1/tournaments/:tournament_id/": "the tournament's history",
	"POST /api/v1/tournaments":                   "the tournament's history",
	"POST /tournaments/new":                      "the tournament's history",
	"POST /api/v1/series":                        "sport", "PATCH /api/v1/series/": "sport", "DELETE /api/v1/series/": "sport", "POST /series/": "sport",
	"POST /api/v1/leagues": "sport", "PATCH /api/v1/leagues/": "sport", "DELETE /api/v1/leagues/": "sport", "POST /leagues/": "sport",
	"POST /api/v1/seasons": "sport", "PATCH /api/v1/seasons/": "sport", "DELETE /api/v1/seasons/": "sport", "POST /seasons/": "sport",
	"POST /api/v1/ladders": "sport", "PATCH /api/v1/ladders/": "sport", "DELETE /api/v1/ladders/": "sport", "PUT /api/v1/ladders/": "sport", "POST /ladders/": "sport",
	"POST /api/v1/sessions": "one's own", "DELETE /api/v1/sessions": "one's own", "POST /login": "one's own",
	"POST /logout":     "one's own",
	"POST /api/v1/me/": "one's own", "PATCH /api/v1/me": "one's own", "DELETE /api/v1/me/": "one's own",
	"POST /me/":             "one's own",
	"POST /api/v1/webhooks": "one's own", "DELETE /api/v1/webhooks": "one's own",
	"POST /api/v1/players/:player_id/claim": "one's own", "POST /api/v1/replay": "stores nothing",
	"POST /admin/check": "stores nothing",
}

// administration is a service with all that can be administered, and its admins.
type administration struct {
	*apitest.Service
	root apitest.Person
	desk *apitest.Visitor
}

// act is an act of administration, over REST or by a form.
type act struct {
	route string
	kind  adminlog.Kind
	do    func(t *testing.T, a *administration)
}

func (a *administration) version(path, name string) string {
	a.T.Helper()
	_, rest, found := strings.Cut(string(a.desk.Get(path).Want(a.T, http.StatusOK).Raw), `name="`+name+`" value="`)
	if !found {
		a.T.Fatalf("%s has no %s", path, name)
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func (a *administration) player(name string) string {
	a.T.Helper()
	return a.root.Post("/players", map[string]any{"name": name}).Want(a.T, http.StatusCreated).Text("id")
}

func (a *administration) mark(player string) string {
	a.T.Helper()
	body := map[string]any{
		"player_id": player, "reason": "engine", "from": "2020-01-01T00:00:00Z", "until": "2020-02-01T00:00:00Z",
	}
	return a.root.Post("/rating-marks", body).Want(a.T, http.StatusCreated).Text("id")
}

func (a *administration) tournament() string {
	a.T.Helper()
	body := map[string]any{"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 3, "time_control": "300+3"}
	return a.root.Post("/tournaments", body).Want(a.T, http.StatusCreated).Text("id")
}

// invitation returns the code of an invitation for an organiser.
func (a *administration) invitation() string {
	a.T.Helper()
	return a.desk.Post("/admin/invitations", "uses", "1", "days", "3", "role", "organiser").Want(a.T, http.StatusCreated).
		HandedOut(a.T, "invitation")
}

func (a *administration) reset(account string) string {
	a.T.Helper()
	return a.root.Post("/accounts/"+account+"/password-reset", nil).Want(a.T, http.StatusCreated).Text("code")
}

// actsOfBackups are those on backups.
var actsOfBackups = []act{
	{"POST /admin/backups", adminlog.BackupMade, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/backups").RedirectsTo(t, "/admin/backups?said=backup_begun")
	}},
	{"POST /api/v1/admin/backups", adminlog.BackupMade, func(t *testing.T, a *administration) {
		a.root.Post("/admin/backups", nil).Want(t, http.StatusAccepted)
	}},
	{"GET /admin/backups/:name", adminlog.BackupTaken, func(t *testing.T, a *administration) {
		a.desk.Get("/admin/backups/"+a.backup()).Want(t, http.StatusOK)
	}},
	{"GET /api/v1/admin/backups/:backup_name", adminlog.BackupTaken, func(t *testing.T, a *administration) {
		a.root.Get("/admin/backups/"+a.backup()).Want(t, http.StatusOK)
	}},
}

// actsOfAccounts are those on accounts and the installation.
var actsOfAccounts = []act{
	{"PATCH /api/v1/accounts/:account_id", adminlog.RoleChanged, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodPatch, "/accounts/account-of-ada", `{"role":"organiser"}`, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}},
	{"POST /admin/accounts/:id", adminlog.RoleChanged, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/accounts/account-of-ada", "role", "player", "was", "organiser 0").
			RedirectsTo(t, "/admin?said=account_changed")
	}},
	{"PATCH /api/v1/accounts/:account_id", adminlog.AccountDisabled, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodPatch, "/accounts/account-of-eve", `{"disabled":true}`, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}},
	{"PATCH /api/v1/accounts/:account_id", adminlog.AccountEnabled, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodPatch, "/accounts/account-of-eve", `{"disabled":false}`, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}},
	{"POST /api/v1/accounts/:account_id/password-reset", adminlog.ResetMade, func(_ *testing.T, a *administration) { a.reset("account-of-ada") }},
	{"POST /admin/accounts/:id/reset", adminlog.ResetMade, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/accounts/account-of-ada/reset").Want(t, http.StatusCreated)
	}},
	{"POST /reset", adminlog.ResetUsed, func(t *testing.T, a *administration) {
		a.Visitor().Post("/reset", "code", a.reset("account-of-ada"), "password", "another good horse").
			Want(t, http.StatusSeeOther)
	}},
	{"PATCH /api/v1/settings", adminlog.SettingsChanged, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodPatch, "/settings", `{"name":"Club","registration":"open"}`, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}},
	{"POST /admin/settings", adminlog.SettingsChanged, func(t *testing.T, a *administration) {
		version := a.version("/admin/settings", "version")
		a.desk.Post("/admin/settings", "name", "New", "language", "en", "time_zone", "", "registration", "open", "reach",
			"local", "version", version).
			RedirectsTo(t, "/admin?said=saved")
	}},
	{"POST /api/v1/invitations", adminlog.InvitationMade, func(t *testing.T, a *administration) {
		a.root.Post("/invitations", map[string]any{"days": 3}).Want(t, http.StatusCreated)
	}},
	{"POST /admin/invitations", adminlog.InvitationMade, func(_ *testing.T, a *administration) { a.invitation() }},
	{"POST /admin/invitations/:id/end", adminlog.InvitationEnded, func(t *testing.T, a *administration) {
		page := string(a.desk.Get("/admin").Want(t, http.StatusOK).Raw)
		_, rest, _ := strings.Cut(page, `action="/admin/invitations/`)
		id, _, _ := strings.Cut(rest, "/end")
		a.desk.Post("/admin/invitations/"+id+"/end").Want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/accounts", adminlog.AccountCreated, func(t *testing.T, a *administration) {
		body := map[string]any{"login": "olga", "password": apitest.Password, "invitation": a.invitation()}
		a.Anonymous().Post("/accounts", body).Want(t, http.StatusCreated)
	}},
	{"POST /register", adminlog.AccountCreated, func(t *testing.T, a *administration) {
		a.Visitor().Post("/register", "login", "otto", "password", apitest.Password, "name", "Otto", "invitation",
			a.invitation()).
			Want(t, http.StatusSeeOther)
	}},
	{
		"POST /api/v1/me/tokens", adminlog.AdminTokenMade,
		func(_ *testing.T, a *administration) { a.root.TokenFor("admin", "read") },
	},
	{"DELETE /api/v1/me/tokens/:token_id", adminlog.AdminTokenEnded, func(t *testing.T, a *administration) {
		id := a.root.Get("/me/tokens").Want(t, http.StatusOK).Text("items", 0, "id")
		a.root.Send(http.MethodDelete, "/me/tokens/"+id, nil).Want(t, http.StatusNoContent)
	}},
}

// actsOfPlayers are those on players and ratings.
var actsOfPlayers = []act{
	{"POST /api/v1/players", adminlog.PlayersAdded, func(_ *testing.T, a *administration) { a.player("New") }},
	{"POST /api/v1/players/import", adminlog.PlayersAdded, func(t *testing.T, a *administration) {
		a.root.Post("/players/import", "name\nOne\nTwo\n", apitest.AsCSV).Want(t, http.StatusCreated)
	}},
	{"PATCH /api/v1/players/:player_id", adminlog.PlayerChanged, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodPatch, "/players/player-of-ada", `{"name":"Ada L."}`, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}},
	{"POST /api/v1/players/:player_id/claim-code", adminlog.ClaimCodeMade, func(t *testing.T, a *administration) {
		a.root.Post("/players/"+a.player("X")+"/claim-code", nil).Want(t, http.StatusCreated)
	}},
	{"POST /admin/players/:id/claim", adminlog.ClaimCodeMade, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/players/"+a.player("Y")+"/claim").Want(t, http.StatusCreated)
	}},
	{"POST /api/v1/players/:player_id/merge", adminlog.PlayersMerged, func(t *testing.T, a *administration) {
		a.root.Post("/players/player-of-ada/merge", map[string]any{"player_id": a.player("Ada")}).Want(t, http.StatusOK)
	}},
	{"POST /admin/merge", adminlog.PlayersMerged, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/merge", "keep", "player-of-ada", "gone", a.player("Ada"), "name", "Ada").
			Want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/rating-marks", adminlog.MarkMade, func(_ *testing.T, a *administration) { a.mark("player-of-ada") }},
	{"POST /admin/ratings/marks", adminlog.MarkMade, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/ratings/marks", "player", "player-of-ada", "from", "2021-01-01", "until", "2021-01-02", "reason",
			"x").Want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/rating-marks/:mark_id/lift", adminlog.MarkLifted, func(t *testing.T, a *administration) {
		a.root.Post("/rating-marks/"+a.mark("player-of-eve")+"/lift", nil).Want(t, http.StatusOK)
	}},
	{"POST /admin/ratings/marks/:id/lift", adminlog.MarkLifted, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/ratings/marks/"+a.mark("player-of-eve")+"/lift").Want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/rating-imports", adminlog.RatingsImported, func(t *testing.T, a *administration) {
		a.root.Post("/rating-imports", "player,list,rating\nplayer-of-eve,quixo-blitz,1777\n", apitest.AsCSV).
			Want(t, http.StatusOK)
	}},
	{"POST /admin/ratings/import", adminlog.RatingsImported, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/ratings/import", "csv", "player,list,rating\nplayer-of-eve,quixo-blitz,1778\n", "do", "import").
			Want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/ratings/:list/recompute", adminlog.RatingsRecomputed, func(t *testing.T, a *administration) {
		ada, bob := a.Register("player"), a.Register("partner")
		_, list := apitest.RatedGame(t, a.Service, ada, bob)
		err := a.Store.Ratings().Renew(t.Context(), func(d ledger.Draft) error {
			rows, err := d.Rows(t.Context(), 0, d.Cursor(), nil)
			if err != nil {
				return err
			}
			rows[0].After++
			return d.SetRows(t.Context(), nil, rows[:1])
		})
		if err != nil {
			t.Fatal(err)
		}
		a.root.Post("/ratings/"+list+"/recompute", nil).Want(t, http.StatusOK)
	}},
}

// actsOfDeletion delete persons; in them, each entry is the deleted person's or an admin's.
var actsOfDeletion = []act{
	{"DELETE /api/v1/players/:player_id", adminlog.PersonDeleted, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodDelete, "/players/"+a.Register("gone").Player, nil).Want(t, http.StatusNoContent)
	}},
	{"POST /admin/players/:id/delete", adminlog.PersonDeleted, func(t *testing.T, a *administration) {
		a.desk.Post("/admin/players/"+a.Register("lost").Player+"/delete", "sure", "yes").Want(t, http.StatusSeeOther)
	}},
	{"DELETE /api/v1/me", adminlog.PersonDeleted, func(t *testing.T, a *administration) {
		a.Register("left").Send(http.MethodDelete, "/me", map[string]any{"password": apitest.Password}).
			Want(t, http.StatusNoContent)
	}},
}

// actsOfTournaments are acts that are in no tournament's own history.
var actsOfTournaments = []act{
	{"POST /api/v1/tournaments/import", adminlog.TournamentTaken, func(t *testing.T, a *administration) {
		a.root.Post(apitest.ImportDuels, apitest.BegunTRF, apitest.AsText).Want(t, http.StatusCreated)
	}},
	{"POST /tournaments/new/import", adminlog.TournamentTaken, func(t *testing.T, a *administration) {
		report := a.root.ReportFile("Report")
		form := a.root.NewTournamentForm(map[string]string{
			"name": "", "format": "", "rounds": "", "variant": "quixo/duel", "control": "none",
		})
		form.Del("rated")
		form.Set("key", "00000000-0000-4000-9000-000000000001")
		a.root.Upload("/tournaments/new/import", "file", report, form).Want(t, http.StatusOK)
	}},
	{"DELETE /api/v1/tournaments/:tournament_id", adminlog.TournamentDeleted, func(t *testing.T, a *administration) {
		a.root.Send(http.MethodDelete, "/tournaments/"+a.tournament(), nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	}},
	{"POST /tournaments/:id/desk/delete", adminlog.TournamentDeleted, func(t *testing.T, a *administration) {
		id := a.tournament()
		a.desk.Post("/tournaments/"+id+"/desk/delete", "confirm", "Cup", "version", a.root.VersionOf(id)).
			Want(t, http.StatusSeeOther)
	}},
	{"PUT /api/v1/tournaments/:tournament_id/arbiters", adminlog.ArbitersChanged, func(t *testing.T, a *administration) {
		body := map[string]any{"logins": []string{"ada"}}
		a.root.Send(http.MethodPut, "/tournaments/"+a.tournament()+"/arbiters", body, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}},
	{"POST /tournaments/:id/desk/arbiters", adminlog.ArbitersChanged, func(t *testing.T, a *administration) {
		id := a.tournament()
		_, form, _ := strings.Cut(string(a.desk.Get("/tournaments/"+id+"/desk?tab=settings").Want(t, http.StatusOK).Raw),
			"/desk/arbiters")
		_, form, _ = strings.Cut(form, `name="seen" value="`)
		seen, _, _ := strings.Cut(form, `"`)
		a.desk.Post("/tournaments/"+id+"/desk/arbiters", "seen", seen, "login", "ada").Want(t, http.StatusSeeOther)
	}},
}

// TestEveryActOfAdministrationIsLogged walks all routes that store something: each is administration, and leaves an
// entry of its kind that names its actor and the request, or is in notAdministration.
func TestEveryActOfAdministrationIsLogged(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	a := &administration{Service: s, root: s.WithRole("root", account.RoleAdmin)}
	a.desk = s.LoggedIn("root")
	s.Register("ada")
	s.Register("eve")
	acts := slices.Concat(actsOfAccounts, actsOfBackups, actsOfPlayers, actsOfTournaments, actsOfDeletion)
	covered := map[string]bool{"POST /setup": true} // see TestSetUpIsLogged
	for _, one := range acts {
		covered[one.route] = true
		before := a.entries(one.kind)
		one.do(t, a)
		after := a.entries(one.kind)
		if len(after) != len(before)+1 {
			t.Errorf("%s leaves %d entries of kind %s", one.route, len(after)-len(before), one.kind)
			continue
		}
		if e := after[0]; e.By.Name == "" || e.By.Account == "" || e.By.Request == "" || e.At == 0 {
			t.Errorf("%s: the entry is %+v", one.route, e)
		}
	}
	for _, route := range s.Server.Routes() {
		elsewhere := strings.HasPrefix(route, "GET ") || strings.HasPrefix(route, "HEAD ") || !strings.Contains(route, " /")
		for prefix := range notAdministration {
			elsewhere = elsewhere || strings.HasPrefix(route, prefix)
		}
		if !covered[route] && !elsewhere {
			t.Errorf("%s stores something: log it and add it here, or say why it is no administration", route)
		}
		delete(covered, route)
	}
	delete(covered, "POST /setup")
	for route := range covered {
		t.Errorf("there is no %s", route)
	}
}

// entries returns those of a kind that a request has left, the latest first.
func (a *administration) entries(kind adminlog.Kind) []adminlog.Entry {
	a.T.Helper()
	all, _, err := a.Store.People().AdminLog(a.T.Context(), adminlog.Filter{Kind: kind}, 100, "")
	if err != nil {
		a.T.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e adminlog.Entry) bool { return e.By.Via != adminlog.ViaRequest })
}

func TestSetUpIsLogged(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, apitest.RegistrationByClub)
	code, err := s.Guard.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Visitor().Post("/setup", append([]string{"code", code}, apitest.SetupForm...)...).Want(t, http.StatusSeeOther)
	all, _, err := s.Store.People().AdminLog(t.Context(), adminlog.Filter{}, 10, "")
	if err != nil || len(all) != 1 || all[0].Kind != adminlog.SetUp || all[0].By.Name != "olga" ||
		all[0].After["name"] != "Tuesday Club" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestAdminLogIsForAdmins reads the log in every role, and tries to change it.
func TestAdminLogIsForAdmins(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, olga, root := s.Register("ada"), s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	s.Anonymous().Get("/admin/log").Refused(t, http.StatusUnauthorized, "unauthorized")
	ada.Get("/admin/log").Refused(t, http.StatusForbidden, "insufficient-scope")
	olga.Get("/admin/log").Refused(t, http.StatusForbidden, "insufficient-scope")
	root.TokenFor("read", "play", "organise").Get("/admin/log").Refused(t, http.StatusForbidden, "insufficient-scope")
	root.TokenFor("admin").Get("/admin/log").Want(t, http.StatusOK)
	s.Visitor().Get("/admin/log").RedirectsTo(t, "/login?next=/admin/log")
	s.LoggedIn("ada").Get("/admin/log").Want(t, http.StatusForbidden)
	s.LoggedIn("olga").Get("/admin/log").Want(t, http.StatusForbidden)

	root.Send(http.MethodPatch, "/accounts/"+ada.Account, `{"role":"organiser"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if a := root.Send(method, "/admin/log", nil); a.Status != http.StatusMethodNotAllowed {
			t.Errorf("%s is answered %d", method, a.Status)
		}
	}
	first := root.Get("/admin/log?person=ADA&kind=role_changed&limit=1").Want(t, http.StatusOK)
	if first.Text("items", 0, "by", "login") != "root" || first.Text("items", 0, "about", "name") != "ada" ||
		first.Text("items", 0, "before", "role") != "player" || first.Text("items", 0, "after", "role") != "organiser" {
		t.Errorf("%s", first.Raw)
	}
	one := root.Get("/admin/log?limit=1").Want(t, http.StatusOK)
	two := root.Get("/admin/log?limit=1&cursor="+one.Text("next_cursor")).Want(t, http.StatusOK)
	if one.Text("items", 0, "id") == two.Text("items", 0, "id") ||
		!strings.Contains(one.Header.Get("Link"), "/admin/log?") {
		t.Errorf("two pages are %s and %s", one.Raw, two.Raw)
	}
	root.Get("/admin/log?cursor=x").Refused(t, http.StatusBadRequest, "bad-cursor")
	root.Get("/admin/log?kind=x").Refused(t, http.StatusBadRequest, "malformed")
	v := s.LoggedIn("root")
	v.Get("/admin").Has(t, `href="/admin/log"`)
	v.Get("/admin/log?kind=x").Want(t, http.StatusBadRequest)
	v.Get("/admin/log?person=nobody").Want(t, http.StatusOK).Has(t, "Nothing found")
	for _, in := range apitest.Languages() {
		v.Get("/admin/log?person=ada", apitest.InLanguage(in)).Want(t, http.StatusOK).
			Has(t, "<del>player</del>", "<strong>organiser</strong>").
			Says(t, apitest.TextOf(t, in, "admin_log.kind.role_changed"))
	}
}
