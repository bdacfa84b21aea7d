package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
)

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
	*service
	root person
	desk *visitor
}

// act is an act of administration at one door.
type act struct {
	route string
	kind  adminlog.Kind
	do    func(t *testing.T, a *administration)
}

func (a *administration) version(path, name string) string {
	a.t.Helper()
	_, rest, found := strings.Cut(string(a.desk.get(path).want(a.t, http.StatusOK).raw), `name="`+name+`" value="`)
	if !found {
		a.t.Fatalf("%s has no %s", path, name)
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func (a *administration) player(name string) string {
	a.t.Helper()
	return a.root.post("/players", map[string]any{"name": name}).want(a.t, http.StatusCreated).text("id")
}

func (a *administration) mark(player string) string {
	a.t.Helper()
	body := map[string]any{
		"player_id": player, "reason": "engine", "from": "2020-01-01T00:00:00Z", "until": "2020-02-01T00:00:00Z",
	}
	return a.root.post("/rating-marks", body).want(a.t, http.StatusCreated).text("id")
}

func (a *administration) tournament() string {
	a.t.Helper()
	body := map[string]any{"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 3, "time_control": "300+3"}
	return a.root.post("/tournaments", body).want(a.t, http.StatusCreated).text("id")
}

// invitation returns the code of an invitation for an organiser.
func (a *administration) invitation() string {
	a.t.Helper()
	return a.desk.post("/admin/invitations", "uses", "1", "days", "3", "role", "organiser").want(a.t, http.StatusCreated).
		handedOut(a.t, "invitation")
}

func (a *administration) reset(account string) string {
	a.t.Helper()
	return a.root.post("/accounts/"+account+"/password-reset", nil).want(a.t, http.StatusCreated).text("code")
}

var anyTag = header{"If-Match", "*"}

// actsOfBackups are those on backups.
var actsOfBackups = []act{
	{"POST /admin/backups", adminlog.BackupMade, func(t *testing.T, a *administration) {
		a.desk.post("/admin/backups").to(t, "/admin/backups?said=backup_begun")
	}},
	{"POST /api/v1/admin/backups", adminlog.BackupMade, func(t *testing.T, a *administration) {
		a.root.post("/admin/backups", nil).want(t, http.StatusAccepted)
	}},
	{"GET /admin/backups/:name", adminlog.BackupTaken, func(t *testing.T, a *administration) {
		a.desk.get("/admin/backups/"+a.backup()).want(t, http.StatusOK)
	}},
	{"GET /api/v1/admin/backups/:backup_name", adminlog.BackupTaken, func(t *testing.T, a *administration) {
		a.root.get("/admin/backups/"+a.backup()).want(t, http.StatusOK)
	}},
}

// actsOfAccounts are those on accounts and the installation.
var actsOfAccounts = []act{
	{"PATCH /api/v1/accounts/:account_id", adminlog.RoleChanged, func(t *testing.T, a *administration) {
		a.root.send(http.MethodPatch, "/accounts/account-of-ada", `{"role":"organiser"}`, anyTag).want(t, http.StatusOK)
	}},
	{"POST /admin/accounts/:id", adminlog.RoleChanged, func(t *testing.T, a *administration) {
		a.desk.post("/admin/accounts/account-of-ada", "role", "player", "was", "organiser 0").
			to(t, "/admin?said=account_changed")
	}},
	{"PATCH /api/v1/accounts/:account_id", adminlog.AccountDisabled, func(t *testing.T, a *administration) {
		a.root.send(http.MethodPatch, "/accounts/account-of-eve", `{"disabled":true}`, anyTag).want(t, http.StatusOK)
	}},
	{"PATCH /api/v1/accounts/:account_id", adminlog.AccountEnabled, func(t *testing.T, a *administration) {
		a.root.send(http.MethodPatch, "/accounts/account-of-eve", `{"disabled":false}`, anyTag).want(t, http.StatusOK)
	}},
	{"POST /api/v1/accounts/:account_id/password-reset", adminlog.ResetMade, func(_ *testing.T, a *administration) { a.reset("account-of-ada") }},
	{"POST /admin/accounts/:id/reset", adminlog.ResetMade, func(t *testing.T, a *administration) {
		a.desk.post("/admin/accounts/account-of-ada/reset").want(t, http.StatusCreated)
	}},
	{"POST /reset", adminlog.ResetUsed, func(t *testing.T, a *administration) {
		a.visitor().post("/reset", "code", a.reset("account-of-ada"), "password", "another good horse").
			want(t, http.StatusSeeOther)
	}},
	{"PATCH /api/v1/settings", adminlog.SettingsChanged, func(t *testing.T, a *administration) {
		a.root.send(http.MethodPatch, "/settings", `{"name":"Club","registration":"open"}`, anyTag).want(t, http.StatusOK)
	}},
	{"POST /admin/settings", adminlog.SettingsChanged, func(t *testing.T, a *administration) {
		version := a.version("/admin/settings", "version")
		a.desk.post("/admin/settings", "name", "New", "language", "en", "time_zone", "", "registration", "open", "reach",
			"local", "version", version).
			to(t, "/admin?said=saved")
	}},
	{"POST /api/v1/invitations", adminlog.InvitationMade, func(t *testing.T, a *administration) {
		a.root.post("/invitations", map[string]any{"days": 3}).want(t, http.StatusCreated)
	}},
	{"POST /admin/invitations", adminlog.InvitationMade, func(_ *testing.T, a *administration) { a.invitation() }},
	{"POST /admin/invitations/:id/end", adminlog.InvitationEnded, func(t *testing.T, a *administration) {
		page := string(a.desk.get("/admin").want(t, http.StatusOK).raw)
		_, rest, _ := strings.Cut(page, `action="/admin/invitations/`)
		id, _, _ := strings.Cut(rest, "/end")
		a.desk.post("/admin/invitations/"+id+"/end").want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/accounts", adminlog.AccountCreated, func(t *testing.T, a *administration) {
		body := map[string]any{"login": "olga", "password": password, "invitation": a.invitation()}
		a.anonymous().post("/accounts", body).want(t, http.StatusCreated)
	}},
	{"POST /register", adminlog.AccountCreated, func(t *testing.T, a *administration) {
		a.visitor().post("/register", "login", "otto", "password", password, "name", "Otto", "invitation", a.invitation()).
			want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/me/tokens", adminlog.AdminTokenMade, func(_ *testing.T, a *administration) { a.root.tokenFor("admin", "read") }},
	{"DELETE /api/v1/me/tokens/:token_id", adminlog.AdminTokenEnded, func(t *testing.T, a *administration) {
		id := a.root.get("/me/tokens").want(t, http.StatusOK).text("items", 0, "id")
		a.root.send(http.MethodDelete, "/me/tokens/"+id, nil).want(t, http.StatusNoContent)
	}},
}

// actsOfPlayers are those on players and ratings.
var actsOfPlayers = []act{
	{"POST /api/v1/players", adminlog.PlayersAdded, func(_ *testing.T, a *administration) { a.player("New") }},
	{"POST /api/v1/players/import", adminlog.PlayersAdded, func(t *testing.T, a *administration) {
		a.root.post("/players/import", "name\nOne\nTwo\n", asTable).want(t, http.StatusCreated)
	}},
	{"PATCH /api/v1/players/:player_id", adminlog.PlayerChanged, func(t *testing.T, a *administration) {
		a.root.send(http.MethodPatch, "/players/player-of-ada", `{"name":"Ada L."}`, anyTag).want(t, http.StatusOK)
	}},
	{"POST /api/v1/players/:player_id/claim-code", adminlog.ClaimCodeMade, func(t *testing.T, a *administration) {
		a.root.post("/players/"+a.player("X")+"/claim-code", nil).want(t, http.StatusCreated)
	}},
	{"POST /admin/players/:id/claim", adminlog.ClaimCodeMade, func(t *testing.T, a *administration) {
		a.desk.post("/admin/players/"+a.player("Y")+"/claim").want(t, http.StatusCreated)
	}},
	{"POST /api/v1/players/:player_id/merge", adminlog.PlayersMerged, func(t *testing.T, a *administration) {
		a.root.post("/players/player-of-ada/merge", map[string]any{"player_id": a.player("Ada")}).want(t, http.StatusOK)
	}},
	{"POST /admin/merge", adminlog.PlayersMerged, func(t *testing.T, a *administration) {
		a.desk.post("/admin/merge", "keep", "player-of-ada", "gone", a.player("Ada"), "name", "Ada").
			want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/rating-marks", adminlog.MarkMade, func(_ *testing.T, a *administration) { a.mark("player-of-ada") }},
	{"POST /admin/ratings/marks", adminlog.MarkMade, func(t *testing.T, a *administration) {
		a.desk.post("/admin/ratings/marks", "player", "player-of-ada", "from", "2021-01-01", "until", "2021-01-02", "reason",
			"x").want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/rating-marks/:mark_id/lift", adminlog.MarkLifted, func(t *testing.T, a *administration) {
		a.root.post("/rating-marks/"+a.mark("player-of-eve")+"/lift", nil).want(t, http.StatusOK)
	}},
	{"POST /admin/ratings/marks/:id/lift", adminlog.MarkLifted, func(t *testing.T, a *administration) {
		a.desk.post("/admin/ratings/marks/"+a.mark("player-of-eve")+"/lift").want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/rating-imports", adminlog.RatingsImported, func(t *testing.T, a *administration) {
		a.root.post("/rating-imports", "player,list,rating\nplayer-of-eve,quixo-blitz,1777\n", asTable).want(t, http.StatusOK)
	}},
	{"POST /admin/ratings/import", adminlog.RatingsImported, func(t *testing.T, a *administration) {
		a.desk.post("/admin/ratings/import", "csv", "player,list,rating\nplayer-of-eve,quixo-blitz,1778\n", "do", "import").
			want(t, http.StatusSeeOther)
	}},
	{"POST /api/v1/ratings/:list/recompute", adminlog.RatingsRecomputed, func(t *testing.T, a *administration) {
		ada, bob := a.register("player"), a.register("partner")
		_, list := ratedGame(t, a.service, ada, bob)
		err := a.db.Ratings().Renew(t.Context(), func(d ledger.Draft) error {
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
		a.root.post("/ratings/"+list+"/recompute", nil).want(t, http.StatusOK)
	}},
}

// actsOfDeletion delete persons; in them, each entry is the deleted person's or an admin's.
var actsOfDeletion = []act{
	{"DELETE /api/v1/players/:player_id", adminlog.PersonDeleted, func(t *testing.T, a *administration) {
		a.root.send(http.MethodDelete, "/players/"+a.register("gone").player, nil).want(t, http.StatusNoContent)
	}},
	{"POST /admin/players/:id/delete", adminlog.PersonDeleted, func(t *testing.T, a *administration) {
		a.desk.post("/admin/players/"+a.register("lost").player+"/delete", "sure", "yes").want(t, http.StatusSeeOther)
	}},
	{"DELETE /api/v1/me", adminlog.PersonDeleted, func(t *testing.T, a *administration) {
		a.register("left").send(http.MethodDelete, "/me", map[string]any{"password": password}).want(t, http.StatusNoContent)
	}},
}

// actsOfTournaments are acts that are in no tournament's own history.
var actsOfTournaments = []act{
	{"POST /api/v1/tournaments/import", adminlog.TournamentTaken, func(t *testing.T, a *administration) {
		a.root.post(importDuels, begun, asText).want(t, http.StatusCreated)
	}},
	{"POST /tournaments/new/import", adminlog.TournamentTaken, func(t *testing.T, a *administration) {
		report := a.root.reportOf("Report")
		form := a.root.newForm(map[string]string{
			"name": "", "format": "", "rounds": "", "variant": "quixo/duel", "control": "none",
		})
		form.Del("rated")
		form.Set("key", "00000000-0000-4000-9000-000000000001")
		a.root.upload("/tournaments/new/import", "file", report, form).want(t, http.StatusOK)
	}},
	{"DELETE /api/v1/tournaments/:tournament_id", adminlog.TournamentDeleted, func(t *testing.T, a *administration) {
		a.root.send(http.MethodDelete, "/tournaments/"+a.tournament(), nil, anyTag).want(t, http.StatusNoContent)
	}},
	{"POST /tournaments/:id/desk/delete", adminlog.TournamentDeleted, func(t *testing.T, a *administration) {
		id := a.tournament()
		a.desk.post("/tournaments/"+id+"/desk/delete", "confirm", "Cup", "version", a.root.versionOf(id)).
			want(t, http.StatusSeeOther)
	}},
	{"PUT /api/v1/tournaments/:tournament_id/arbiters", adminlog.ArbitersChanged, func(t *testing.T, a *administration) {
		body := map[string]any{"logins": []string{"ada"}}
		a.root.send(http.MethodPut, "/tournaments/"+a.tournament()+"/arbiters", body, anyTag).want(t, http.StatusOK)
	}},
	{"POST /tournaments/:id/desk/arbiters", adminlog.ArbitersChanged, func(t *testing.T, a *administration) {
		id := a.tournament()
		_, form, _ := strings.Cut(string(a.desk.get("/tournaments/"+id+"/desk?tab=settings").want(t, http.StatusOK).raw),
			"/desk/arbiters")
		_, form, _ = strings.Cut(form, `name="seen" value="`)
		seen, _, _ := strings.Cut(form, `"`)
		a.desk.post("/tournaments/"+id+"/desk/arbiters", "seen", seen, "login", "ada").want(t, http.StatusSeeOther)
	}},
}

// TestEveryActOfAdministrationIsLogged walks all routes that store something: each is administration, and leaves an
// entry of its kind that names its actor and the request, or is in notAdministration.
func TestEveryActOfAdministrationIsLogged(t *testing.T) {
	s := newService(t, withRealPages)
	a := &administration{service: s, root: s.withRole("root", account.RoleAdmin)}
	a.desk = s.visits("root")
	s.register("ada")
	s.register("eve")
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
	for _, route := range s.server.Routes() {
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
	a.t.Helper()
	all, _, err := a.db.People().AdminLog(a.t.Context(), adminlog.Filter{Kind: kind}, 100, "")
	if err != nil {
		a.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e adminlog.Entry) bool { return e.By.Via != adminlog.ViaRequest })
}

func TestSetUpIsLogged(t *testing.T) {
	s := newService(t, withRealPages, decided)
	code, err := s.guard.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.visitor().post("/setup", append([]string{"code", code}, setupForm...)...).want(t, http.StatusSeeOther)
	all, _, err := s.db.People().AdminLog(t.Context(), adminlog.Filter{}, 10, "")
	if err != nil || len(all) != 1 || all[0].Kind != adminlog.SetUp || all[0].By.Name != "olga" ||
		all[0].After["name"] != "Tuesday Club" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestAdminLogIsForAdmins reads the log in every role, and tries to change it.
func TestAdminLogIsForAdmins(t *testing.T) {
	s := newService(t, withRealPages)
	ada, olga, root := s.register("ada"), s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	s.anonymous().get("/admin/log").refused(t, http.StatusUnauthorized, "unauthorized")
	ada.get("/admin/log").refused(t, http.StatusForbidden, "insufficient-scope")
	olga.get("/admin/log").refused(t, http.StatusForbidden, "insufficient-scope")
	root.tokenFor("read", "play", "organise").get("/admin/log").refused(t, http.StatusForbidden, "insufficient-scope")
	root.tokenFor("admin").get("/admin/log").want(t, http.StatusOK)
	s.visitor().get("/admin/log").to(t, "/login?next=/admin/log")
	s.visits("ada").get("/admin/log").want(t, http.StatusForbidden)
	s.visits("olga").get("/admin/log").want(t, http.StatusForbidden)

	root.send(http.MethodPatch, "/accounts/"+ada.account, `{"role":"organiser"}`, anyTag).want(t, http.StatusOK)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if a := root.send(method, "/admin/log", nil); a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s is answered %d", method, a.status)
		}
	}
	first := root.get("/admin/log?person=ADA&kind=role_changed&limit=1").want(t, http.StatusOK)
	if first.text("items", 0, "by", "login") != "root" || first.text("items", 0, "about", "name") != "ada" ||
		first.text("items", 0, "before", "role") != "player" || first.text("items", 0, "after", "role") != "organiser" {
		t.Errorf("%s", first.raw)
	}
	one := root.get("/admin/log?limit=1").want(t, http.StatusOK)
	two := root.get("/admin/log?limit=1&cursor="+one.text("next_cursor")).want(t, http.StatusOK)
	if one.text("items", 0, "id") == two.text("items", 0, "id") ||
		!strings.Contains(one.header.Get("Link"), "/admin/log?") {
		t.Errorf("two pages are %s and %s", one.raw, two.raw)
	}
	root.get("/admin/log?cursor=x").refused(t, http.StatusBadRequest, "bad-cursor")
	root.get("/admin/log?kind=x").refused(t, http.StatusBadRequest, "malformed")
	v := s.visits("root")
	v.get("/admin").has(t, `href="/admin/log"`)
	v.get("/admin/log?kind=x").want(t, http.StatusBadRequest)
	v.get("/admin/log?person=nobody").want(t, http.StatusOK).has(t, "Nothing found")
	for _, in := range languages() {
		v.get("/admin/log?person=ada", inLanguage(in)).want(t, http.StatusOK).
			has(t, "<del>player</del>", "<strong>organiser</strong>").
			says(t, textOf(t, in, "admin_log.kind.role_changed"))
	}
}
