package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// traces are what names the person of these tests: login, name, earlier name and club.
var traces = regexp.MustCompile(`(?i)zyxel|quorg|vroxel`)

// erasable is an evening with a person who did everything there is to do.
type erasable struct {
	*goldenEvening
	zyx   person
	other string // another record of the person
}

// newErasable plays the evening of the golden pages with the person in the place of its last player.
func newErasable(t *testing.T) *erasable {
	t.Helper()
	s := newService(t, withRealPages, alone)
	e := &erasable{goldenEvening: &goldenEvening{s: s, olga: s.withRole("olga", account.RoleAdmin)}}
	e.zyx = s.open(account.Account{Login: "person", Role: account.RoleOrganiser}, &club.Player{
		ID: "zyx", Name: "Zyxelinde Early", Club: "Vroxel Club", BirthYear: 1917, Version: 1, OpenToChallenges: true,
		ChallengesAtOnce: 20,
	})
	opened, err := s.db.People().Account(t.Context(), e.zyx.account)
	if err != nil {
		t.Fatal(err)
	}
	named := opened
	named.Login = "zyxelinde" // which is not in the account's id
	if err := s.db.People().UpdateAccount(t.Context(), opened, named); err != nil {
		t.Fatal(err)
	}
	e.zyx = e.zyx.again()
	e.players = []person{e.zyx, s.register("bob"), s.register("cleo"), s.register("dan")}
	seen := e.olga.get("/players/zyx")
	e.olga.send(http.MethodPatch, "/players/zyx", `{"name":"Zyxelinde Quorg"}`, seen.etag()).want(t, http.StatusOK)
	e.other = e.olga.post("/players", `{"name":"Quorg, Zyxelinde"}`).want(t, http.StatusCreated).text("id")
	e.olga.post("/players/zyx/merge", map[string]any{"player_id": e.other}).want(t, http.StatusOK)
	e.zyx.tokenFor("read")

	casual := duel(t, e.zyx, e.players[1], "quivive/duel", "300+3").text("id")
	playToTheEnd(t, casual, e.zyx, e.players[1])
	e.cup(t)
	e.hall(t)
	draft := e.olga.post("/tournaments",
		`{"name":"Next week","variant":"quixo/duel","format":"swiss","rounds":5,"time_control":"300+3"}`).
		want(t, http.StatusCreated).text("id")
	e.olga.post("/tournaments/"+draft+"/entries", `{"player_id":"zyx"}`).want(t, http.StatusCreated)
	e.names["finished"], e.names["draft"], e.names["ada"] = "/games/"+casual, "/tournaments/"+draft, "/players/zyx"
	e.names["running"], e.names["open"] = e.names["finished"], e.names["finished"]
	return e
}

// cup plays a tournament on the server, and imports its file under another name.
func (e *erasable) cup(t *testing.T) {
	t.Helper()
	cup := e.event(t, `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":1,"time_control":"300+3","rated":true}`, 2)
	first := e.olga.post(cup+"/rounds", nil).want(t, http.StatusCreated).text("pairings", 0, "game_id")
	e.zyx.get("/me/export").want(t, http.StatusOK) // while a game runs
	e.end(t, first)
	e.olga.post(cup+"/finish", nil).want(t, http.StatusOK)
	file := string(e.olga.get(cup+"/export?format=trf").want(t, http.StatusOK).raw)
	number := 1
	if strings.Index(file, "Quorg") > strings.Index(file, "Player bob") {
		number = 2
	}
	e.olga.post("/tournaments/import", map[string]any{
		"name": "Elsewhere", "variant": "quixo/duel", "time_control": "300+3", "report": file,
		"players": []any{map[string]any{"number": number, "player_id": "zyx"}},
	}).want(t, http.StatusCreated)
	e.names = map[string]string{"cup": cup, "first": "/games/" + first, "melee": cup, "knockout": cup}
}

// hall plays a tournament in the hall: reports, a call, a correction with a reason.
func (e *erasable) hall(t *testing.T) {
	t.Helper()
	hall := e.event(t, `{"name":"Hall","variant":"quits/duel","format":"round_robin","time_control":"3600","rated":true,"venue":"hall"}`, 2)
	e.olga.post(hall+"/rounds", nil).want(t, http.StatusCreated)
	codes := codesOf(t, e.olga.get(hall+"/rounds/1/codes"))
	anyone := e.s.anonymous()
	anyone.post("/results/"+codes[0][0], said(t, anyone, codes[0][0], 1, "1-0")).want(t, http.StatusOK)
	anyone.post("/results/"+codes[0][0]+"/call", `{"word":"Zyxelinde Quorg talks"}`).want(t, http.StatusNoContent)
	e.olga.send(http.MethodPut, hall+"/rounds/1/pairings/1/result", `{"result":"1-0","reason":"Zyxelinde Quorg was late"}`, anyVersion).
		want(t, http.StatusOK)
	e.olga.post(hall+"/finish", nil).want(t, http.StatusOK)
	e.names["hall"], e.names["code"] = hall, codes[0][0]
	e.names["series"], e.names["ladder"] = seriesOf(t, e.olga, hall), ladderOf(t, e.olga, e.players...)
	e.names["league"] = leagueOf(t, e.olga, "round_robin", "Dee Eve", "Flo Gus")
	e.names["season"] = seasonOf(t, e.olga, e.names["series"], e.names["ladder"])
}

// ratings returns all rating rows of all players as text.
func (e *erasable) ratings(t *testing.T) (text string) {
	t.Helper()
	for _, p := range e.players {
		lists, err := e.s.db.Ratings().OfPlayer(t.Context(), p.player)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lists {
			rows, err := e.s.db.Ratings().History(t.Context(), l.List, p.player)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s %s %v %d %v\n", p.player, l.List, l.Rating, l.Rank, rows)
		}
	}
	return text
}

// shown returns everything that anyone can read: pages in some languages, lists and exports of the API, and what streams
// begin with.
func (e *erasable) shown(t *testing.T, languages ...string) map[string]string {
	t.Helper()
	shown := map[string]string{}
	visitors := map[string]*visitor{"guest": e.s.visitor(), "player": e.s.visits("bob"), "admin": e.s.visits("olga")}
	for _, path := range e.pages(t) {
		for who, v := range visitors {
			for _, language := range languages {
				shown[who+" "+language+" "+path] = string(v.get(path, header{"Accept-Language", language}).raw)
			}
		}
	}
	paths := []string{"/players", "/players/zyx", "/players/" + e.other, "/players/zyx/games", "/admin/log", "/ratings/quixo-blitz", e.names["finished"]}
	for _, game := range []string{"finished", "first"} {
		paths = append(paths, e.names[game]+"/record")
	}
	events := e.olga.get("/tournaments").want(t, http.StatusOK)
	for i := range events.list("items") {
		path := "/tournaments/" + events.text("items", i, "id")
		paths = append(paths, path, path+"/entries", path+"/history", path+"/standings", path+"/calls")
		for _, format := range []string{"trf", "csv", "json", "record"} {
			paths = append(paths, path+"/export?format="+format)
		}
	}
	for _, path := range paths {
		shown[path] = string(e.olga.get(path).raw)
	}
	for _, path := range []string{e.names["cup"] + "/events", e.names["finished"] + "/events", "/games/events"} {
		shown["stream "+path] = e.begins(t, path)
	}
	return shown
}

// begins returns what a stream sends at once.
func (e *erasable) begins(t *testing.T, path string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v1"+path, nil)
	r.Header.Set("Authorization", "Bearer "+e.olga.token)
	w := &firstWrite{ResponseRecorder: httptest.NewRecorder(), stop: stop}
	e.s.server.ServeHTTP(w, r)
	stop()
	return w.Body.String()
}

// firstWrite ends the request once something was sent.
type firstWrite struct {
	*httptest.ResponseRecorder
	stop func()
}

func (w *firstWrite) Write(b []byte) (int, error) {
	defer w.stop()
	return w.ResponseRecorder.Write(b)
}

// TestAPersonIsDeletedEverywhere deletes someone who did everything, and looks for the name wherever one can look.
func TestAPersonIsDeletedEverywhere(t *testing.T) {
	e := newErasable(t)
	before := e.ratings(t)
	found := 0
	for _, text := range e.shown(t, "en") {
		if traces.MatchString(text) {
			found++
		}
	}
	if found < 50 {
		t.Fatalf("the person is to be seen at %d places only", found)
	}
	e.zyx.send(http.MethodDelete, "/me", map[string]any{"password": password}).want(t, http.StatusNoContent)

	for where, text := range e.shown(t, []string{"en", "de", "fr"}[:amount(1, 1, 3)]...) {
		if at := traces.FindStringIndex(text); at != nil {
			t.Errorf("%s: %s", where, text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
	}
	if after := e.ratings(t); after != before {
		t.Errorf("ratings were\n%s\nand are\n%s", before, after)
	}
	report, err := ledger.New(e.s.db.Ratings(), elo.Club{}).Verify(t.Context())
	if err != nil || !report.OK() {
		t.Errorf("%+v, %v", report, err)
	}
	for language, name := range map[string]string{"en": "player 1001", "de": "Spieler 1001", "fr": "joueur 1001"} {
		for _, path := range []string{"/players/zyx", e.names["cup"] + "?tab=standings", e.names["finished"]} {
			e.s.visitor().get(path, header{"Accept-Language", language}).want(t, http.StatusOK).has(t, name)
		}
	}
	if traces.MatchString(e.s.log.String()) {
		t.Errorf("the log names the person: %s", e.s.log)
	}
	files, err := filepath.Glob(filepath.Join(e.s.folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if content, err := os.ReadFile(name); err != nil || traces.Match(content) {
			t.Errorf("%s holds %q, %v", name, traces.Find(content), err)
		}
	}
	e.zyx.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	e.olga.send(http.MethodDelete, "/players/zyx", nil).want(t, http.StatusNoContent) // once more
	e.olga.post("/tournaments/"+strings.TrimPrefix(e.names["draft"], "/tournaments/")+"/entries", `{"player_id":"zyx"}`)
}

// TestWhoMayDelete: owners with their password and nobody else but admins, and not while others wait for the player.
func TestWhoMayDelete(t *testing.T) {
	s := newService(t, withRealPages)
	root, olga := s.withRole("root", account.RoleAdmin), s.withRole("olga", account.RoleOrganiser)
	ada, bob := s.register("ada"), s.register("bob")
	remove := func(p person, path string, body any) *answer { return p.send(http.MethodDelete, path, body) }
	own := map[string]any{"password": password}
	remove(s.anonymous(), "/me", own).refused(t, http.StatusUnauthorized, "unauthorized")
	remove(ada, "/me", map[string]any{"password": "wrong"}).refused(t, http.StatusUnauthorized, "bad-login")
	remove(ada.tokenFor("play"), "/me", own).refused(t, http.StatusForbidden, "session-needed")
	for _, p := range []person{olga, ada, bob} {
		remove(p, "/players/"+ada.player, nil).refused(t, http.StatusForbidden, "insufficient-scope")
	}
	remove(root, "/players/nobody", nil).refused(t, http.StatusNotFound, "not-found")
	remove(root, "/me", own).refused(t, http.StatusConflict, "last-admin")

	game := duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	remove(ada, "/me", own).refused(t, http.StatusConflict, "still-playing").has(t, "you are in a game that is not over")
	s.visits("ada").post("/me/delete", "confirm", password).alert(t, http.StatusConflict, "You are in a game that is not over")
	remove(root, "/players/"+ada.player, nil).refused(t, http.StatusConflict, "still-playing").has(t, "the player is in a game that is not over")
	s.visits("ada").post("/me/delete", "confirm", "wrong").alert(t, http.StatusUnauthorized, "password is wrong")
	ada.post("/games/"+game+"/resign", `{}`).want(t, http.StatusOK)

	form := s.visits("root")
	page := "/admin/players/" + bob.player
	form.get(page).want(t, http.StatusOK).has(t, "Delete Player bob")
	s.visits("olga").get(page).want(t, http.StatusForbidden)
	s.visitor().post(page+"/delete", "sure", "yes").to(t, "/login")
	form.post(page+"/delete").alert(t, http.StatusUnprocessableEntity, "Tick the box")
	form.post(page+"/delete", "sure", "yes").to(t, "/admin?said=person_deleted")
	form.get(page).want(t, http.StatusOK).has(t, "Only results are left").lacks(t, "Player bob")
	bob.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	s.visitor().post("/login", "login", "bob", "password", password).alert(t, http.StatusUnauthorized, "wrong")
	seen := root.get("/players/" + bob.player)
	root.send(http.MethodPatch, "/players/"+bob.player, `{"name":"Bob"}`, seen.etag()).
		refused(t, http.StatusConflict, "player-deleted")
	duelWith(ada, bob).refused(t, http.StatusUnprocessableEntity, "invalid")

	s.visits("ada").post("/me/delete", "confirm", password).to(t, "/?said=account_deleted")
	s.visitor().get("/players").want(t, http.StatusOK).lacks(t, "player 100")
}

// duelWith challenges a player.
func duelWith(one, two person) *answer {
	return one.post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300+3", "start": "now",
		"seats": []any{map[string]any{"player_id": one.player}, map[string]any{"player_id": two.player}},
	})
}

// TestOwnDataIsExported as files that can be read, without secrets, and not as often as one likes.
func TestOwnDataIsExported(t *testing.T) {
	e := newErasable(t)
	got := e.zyx.get("/me/export", header{"Accept-Language", "de"}).want(t, http.StatusOK)
	t.Logf("%d bytes", len(got.raw))
	archive, err := zip.NewReader(bytes.NewReader(got.raw), int64(len(got.raw)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
		if strings.HasSuffix(f.Name, ".json") && !json.Valid(text) {
			t.Errorf("%s is no JSON: %s", f.Name, text)
		}
	}
	for name, part := range map[string]string{
		"README.txt": "Ihre Daten", "account.json": "zyxelinde", "player.json": "1917", "tokens.json": "test",
		"sessions.json": "since", "entries.csv": "Vroxel Club", "games.csv": "quivive/duel", "ratings.csv": "quixo-blitz",
		"rating-history.csv": "quixo-blitz", "admin-log.json": "player_changed", "reports.csv": "1", "ladders.csv": "join", "leagues.csv": "member", "calls.csv": "Quorg talks",
		"games/" + strings.TrimPrefix(e.names["finished"], "/games/") + ".record": "Zyxelinde Quorg",
	} {
		if !strings.Contains(files[name], part) {
			t.Errorf("%s lacks %q:\n%s", name, part, files[name])
		}
	}
	if text := fmt.Sprint(files); strings.Contains(text, "qt_") || strings.Contains(text, "$argon2") {
		t.Error("the export holds a secret")
	}
	e.zyx.get("/me/export").want(t, http.StatusOK)
	e.zyx.get("/me/export").refused(t, http.StatusTooManyRequests, "too-many-requests")
	e.s.anonymous().get("/me/export").refused(t, http.StatusUnauthorized, "unauthorized")
}

// TestTheClubNamesWhoIsResponsible on the page about privacy, to which every page leads.
func TestTheClubNamesWhoIsResponsible(t *testing.T) {
	s := newService(t, withRealPages)
	root := s.withRole("root", account.RoleAdmin)
	s.visitor().get("/").want(t, http.StatusOK).has(t, `<a href="/privacy">`)
	s.visitor().get("/privacy").want(t, http.StatusOK).has(t, "has not named anyone")
	patch := func(text string) *answer {
		return root.send(http.MethodPatch, "/settings", map[string]any{"name": "Club", "imprint": text}, anyVersion)
	}
	patch(strings.Repeat("é", 2001)).refused(t, http.StatusBadRequest, "malformed")
	patch("Club <b>\nMain Street 1").want(t, http.StatusOK).has(t, "Main Street")
	s.pass(2e9)
	s.visitor().get("/privacy").want(t, http.StatusOK).has(t, "Club &lt;b&gt;<br>\nMain Street 1").lacks(t, "has not named")
	s.visits("root").get("/admin/settings").want(t, http.StatusOK).has(t, "Main Street 1</textarea>")
	root.get("/admin/log").want(t, http.StatusOK).has(t, "Main Street 1")
}

// TestMembersOfTeamsAreDeletedOnceTheTeamIsWithdrawn: while a team plays, its members are told what to do first, and so
// is who deletes them; to do it works.
func TestMembersOfTeamsAreDeletedOnceTheTeamIsWithdrawn(t *testing.T) {
	x := newLeague(t, hallOf("team_swiss", 1, 2, ""), 2, withRealPages)
	root := x.withRole("root", account.RoleAdmin)
	captain := x.captains[0]
	login := strings.TrimPrefix(captain.account, "account-of-")
	own := map[string]any{"password": password}
	const you, other = "you sit at a board of a running tournament, or are in a team there",
		"the player sits at a board of a running tournament, or is in a team there"
	refused := func() {
		t.Helper()
		captain.send(http.MethodDelete, "/me", own).refused(t, http.StatusConflict, "still-playing").
			has(t, you, "withdraw the team, first")
		root.send(http.MethodDelete, "/players/"+captain.player, nil).refused(t, http.StatusConflict, "still-playing").
			has(t, other, "withdraw the team, first")
		x.visits(login).post("/me/delete", "confirm", password).alert(t, http.StatusConflict, "You sit at a board")
		x.visits("root").post("/admin/players/"+captain.player+"/delete", "sure", "yes").
			alert(t, http.StatusConflict, "This player sits at a board")
	}
	refused()
	entries := x.olga.get(x.path+"/entries").want(t, http.StatusOK)
	for i := range entries.list("items") {
		if strings.Contains(fmt.Sprint(entries.at("items", i)), captain.player) {
			x.olga.post(x.path+"/entries/"+entries.text("items", i, "id")+"/withdraw", nil, anyVersion).want(t, http.StatusOK)
		}
	}
	captain.send(http.MethodDelete, "/me", own).want(t, http.StatusNoContent)
	x.olga.get(x.path+"/entries").want(t, http.StatusOK).has(t, "player 1001").lacks(t, "Player "+login+`"`)
}
