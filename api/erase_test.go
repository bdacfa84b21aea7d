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

	"quatuor/api/apitest"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// traces are the texts that identify the person of these tests: login, name, earlier name and club.
var traces = regexp.MustCompile(`(?i)zyxel|quorg|vroxel`)

// erasable is an evening with a person that did everything there is to do.
type erasable struct {
	*goldenEvening
	zyx   apitest.Person
	other string // another record of the person
}

// newErasable plays the evening of the golden pages with the person in the place of its last player.
func newErasable(t *testing.T) *erasable {
	t.Helper()
	s := apitest.New(t, apitest.WithPages, apitest.Alone)
	e := &erasable{goldenEvening: &goldenEvening{s: s, olga: s.WithRole("olga", account.RoleAdmin)}}
	e.zyx = s.Open(account.Account{Login: "person", Role: account.RoleOrganiser}, &club.Player{
		ID: "zyx", Name: "Zyxelinde Early", Club: "Vroxel Club", BirthYear: 1917, Version: 1, OpenToChallenges: true,
		ChallengesAtOnce: 20,
	})
	opened, err := s.Store.People().Account(t.Context(), e.zyx.Account)
	if err != nil {
		t.Fatal(err)
	}
	named := opened
	named.Login = "zyxelinde" // which is not in the account's id
	if err := s.Store.People().UpdateAccount(t.Context(), opened, named); err != nil {
		t.Fatal(err)
	}
	e.zyx = e.zyx.Again()
	e.players = []apitest.Person{e.zyx, s.Register("bob"), s.Register("cleo"), s.Register("dan")}
	seen := e.olga.Get("/players/zyx")
	e.olga.Send(http.MethodPatch, "/players/zyx", `{"name":"Zyxelinde Quorg"}`, seen.IfMatch()).Want(t, http.StatusOK)
	e.other = e.olga.Post("/players", `{"name":"Quorg, Zyxelinde"}`).Want(t, http.StatusCreated).Text("id")
	e.olga.Post("/players/zyx/merge", map[string]any{"player_id": e.other}).Want(t, http.StatusOK)
	e.zyx.TokenFor("read")

	casual := apitest.Duel(t, e.zyx, e.players[1], "quivive/duel", "300+3").Text("id")
	apitest.PlayToTheEnd(t, casual, e.zyx, e.players[1])
	e.cup(t)
	e.hall(t)
	draft := e.olga.Post("/tournaments",
		`{"name":"Next week","variant":"quixo/duel","format":"swiss","rounds":5,"time_control":"300+3"}`).
		Want(t, http.StatusCreated).Text("id")
	e.olga.Post("/tournaments/"+draft+"/entries", `{"player_id":"zyx"}`).Want(t, http.StatusCreated)
	e.names["finished"], e.names["draft"], e.names["ada"] = "/games/"+casual, "/tournaments/"+draft, "/players/zyx"
	e.names["running"], e.names["open"] = e.names["finished"], e.names["finished"]
	return e
}

// cup plays a tournament on the server, and imports its file under another name.
func (e *erasable) cup(t *testing.T) {
	t.Helper()
	cup := e.event(t, `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":1,"time_control":"300+3","rated":true}`, 2)
	first := e.olga.Post(cup+"/rounds", nil).Want(t, http.StatusCreated).Text("pairings", 0, "game_id")
	e.zyx.Get("/me/export").Want(t, http.StatusOK) // while a game runs
	e.end(t, first)
	e.olga.Post(cup+"/finish", nil).Want(t, http.StatusOK)
	file := string(e.olga.Get(cup+"/export?format=trf").Want(t, http.StatusOK).Raw)
	number := 1
	if strings.Index(file, "Quorg") > strings.Index(file, "Player bob") {
		number = 2
	}
	e.olga.Post("/tournaments/import", map[string]any{
		"name": "Elsewhere", "variant": "quixo/duel", "time_control": "300+3", "report": file,
		"players": []any{map[string]any{"number": number, "player_id": "zyx"}},
	}).Want(t, http.StatusCreated)
	e.names = map[string]string{"cup": cup, "first": "/games/" + first, "melee": cup, "knockout": cup}
}

// hall plays a tournament in the hall: reports, a call, a correction with a reason.
func (e *erasable) hall(t *testing.T) {
	t.Helper()
	hall := e.event(t, `{"name":"Hall","variant":"quits/duel","format":"round_robin","time_control":"3600","rated":true,"venue":"hall"}`, 2)
	e.olga.Post(hall+"/rounds", nil).Want(t, http.StatusCreated)
	codes := apitest.CodesOf(t, e.olga.Get(hall+"/rounds/1/codes"))
	anyone := e.s.Anonymous()
	anyone.Post("/results/"+codes[0][0], apitest.Report(t, anyone, codes[0][0], 1, "1-0")).Want(t, http.StatusOK)
	anyone.Post("/results/"+codes[0][0]+"/call", `{"word":"Zyxelinde Quorg talks"}`).Want(t, http.StatusNoContent)
	e.olga.Send(http.MethodPut, hall+"/rounds/1/pairings/1/result", `{"result":"1-0","reason":"Zyxelinde Quorg was late"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	e.olga.Post(hall+"/finish", nil).Want(t, http.StatusOK)
	e.names["hall"], e.names["code"] = hall, codes[0][0]
	e.names["series"], e.names["ladder"] = apitest.SeriesOf(t, e.olga, hall), apitest.LadderOf(t, e.olga, e.players...)
	e.names["league"] = apitest.LeagueOf(t, e.olga, "round_robin", "Dee Eve", "Flo Gus")
	e.names["season"] = apitest.SeasonOf(t, e.olga, e.names["series"], e.names["ladder"])
}

// ratings returns all rating rows of all players as text.
func (e *erasable) ratings(t *testing.T) (text string) {
	t.Helper()
	for _, p := range e.players {
		lists, err := e.s.Store.Ratings().OfPlayer(t.Context(), p.Player)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lists {
			rows, err := e.s.Store.Ratings().History(t.Context(), l.List, p.Player)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s %s %v %d %v\n", p.Player, l.List, l.Rating, l.Rank, rows)
		}
	}
	return text
}

// shown returns everything that anyone can read: pages in some languages, lists and exports of the API, and what streams
// begin with.
func (e *erasable) shown(t *testing.T, languages ...string) map[string]string {
	t.Helper()
	shown := map[string]string{}
	visitors := map[string]*apitest.Visitor{
		"guest": e.s.Visitor(), "player": e.s.LoggedIn("bob"),
		"admin": e.s.LoggedIn("olga"),
	}
	for _, path := range e.pages(t) {
		for who, v := range visitors {
			for _, language := range languages {
				shown[who+" "+language+" "+path] = string(v.Get(path, apitest.Header{"Accept-Language", language}).Raw)
			}
		}
	}
	paths := []string{"/players", "/players/zyx", "/players/" + e.other, "/players/zyx/games", "/admin/log", "/ratings/quixo-blitz", e.names["finished"]}
	for _, game := range []string{"finished", "first"} {
		paths = append(paths, e.names[game]+"/record")
	}
	events := e.olga.Get("/tournaments").Want(t, http.StatusOK)
	for i := range events.List("items") {
		path := "/tournaments/" + events.Text("items", i, "id")
		paths = append(paths, path, path+"/entries", path+"/history", path+"/standings", path+"/calls")
		for _, format := range []string{"trf", "csv", "json", "record"} {
			paths = append(paths, path+"/export?format="+format)
		}
	}
	for _, path := range paths {
		shown[path] = string(e.olga.Get(path).Raw)
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
	r.Header.Set("Authorization", "Bearer "+e.olga.Token)
	w := &firstWrite{ResponseRecorder: httptest.NewRecorder(), stop: stop}
	e.s.Server.ServeHTTP(w, r)
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

// TestAPersonIsDeletedEverywhere deletes a person that did everything, and looks for the name wherever it could be.
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
	e.zyx.Send(http.MethodDelete, "/me", map[string]any{"password": apitest.Password}).Want(t, http.StatusNoContent)

	for where, text := range e.shown(t, []string{"en", "de", "fr"}[:apitest.Amount(1, 1, 3)]...) {
		if at := traces.FindStringIndex(text); at != nil {
			t.Errorf("%s: %s", where, text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
	}
	if after := e.ratings(t); after != before {
		t.Errorf("ratings were\n%s\nand are\n%s", before, after)
	}
	report, err := ledger.New(e.s.Store.Ratings(), elo.Club{}).Verify(t.Context())
	if err != nil || !report.OK() {
		t.Errorf("%+v, %v", report, err)
	}
	for language, name := range map[string]string{"en": "player 1001", "de": "Spieler 1001", "fr": "joueur 1001"} {
		for _, path := range []string{"/players/zyx", e.names["cup"] + "?tab=standings", e.names["finished"]} {
			e.s.Visitor().Get(path, apitest.Header{"Accept-Language", language}).Want(t, http.StatusOK).Has(t, name)
		}
	}
	if traces.MatchString(e.s.Log.String()) {
		t.Errorf("the log names the person: %s", e.s.Log)
	}
	files, err := filepath.Glob(filepath.Join(e.s.Folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if content, err := os.ReadFile(name); err != nil || traces.Match(content) {
			t.Errorf("%s holds %q, %v", name, traces.Find(content), err)
		}
	}
	e.zyx.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	e.olga.Send(http.MethodDelete, "/players/zyx", nil).Want(t, http.StatusNoContent) // once more
	e.olga.Post("/tournaments/"+strings.TrimPrefix(e.names["draft"], "/tournaments/")+"/entries", `{"player_id":"zyx"}`)
}

// TestWhoMayDelete: only owners with their password and admins, and not while others wait for the player.
func TestWhoMayDelete(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root, olga := s.WithRole("root", account.RoleAdmin), s.WithRole("olga", account.RoleOrganiser)
	ada, bob := s.Register("ada"), s.Register("bob")
	remove := func(p apitest.Person, path string, body any) *apitest.Answer {
		return p.Send(http.MethodDelete, path, body)
	}
	own := map[string]any{"password": apitest.Password}
	remove(s.Anonymous(), "/me", own).Refused(t, http.StatusUnauthorized, "unauthorized")
	remove(ada, "/me", map[string]any{"password": "wrong"}).Refused(t, http.StatusUnauthorized, "bad-login")
	remove(ada.TokenFor("play"), "/me", own).Refused(t, http.StatusForbidden, "session-needed")
	for _, p := range []apitest.Person{olga, ada, bob} {
		remove(p, "/players/"+ada.Player, nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	}
	remove(root, "/players/nobody", nil).Refused(t, http.StatusNotFound, "not-found")
	remove(root, "/me", own).Refused(t, http.StatusConflict, "last-admin")

	game := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	remove(ada, "/me", own).Refused(t, http.StatusConflict, "still-playing").Has(t, "you are in a game that is not over")
	s.LoggedIn("ada").Post("/me/delete", "confirm", apitest.Password).
		Alert(t, http.StatusConflict, "You are in a game that is not over")
	remove(root, "/players/"+ada.Player, nil).Refused(t, http.StatusConflict, "still-playing").Has(t, "the player is in a game that is not over")
	s.LoggedIn("ada").Post("/me/delete", "confirm", "wrong").Alert(t, http.StatusUnauthorized, "password is wrong")
	ada.Post("/games/"+game+"/resign", `{}`).Want(t, http.StatusOK)

	form := s.LoggedIn("root")
	page := "/admin/players/" + bob.Player
	form.Get(page).Want(t, http.StatusOK).Has(t, "Delete Player bob")
	s.LoggedIn("olga").Get(page).Want(t, http.StatusForbidden)
	s.Visitor().Post(page+"/delete", "sure", "yes").RedirectsTo(t, "/login")
	form.Post(page+"/delete").Alert(t, http.StatusUnprocessableEntity, "Tick the box")
	form.Post(page+"/delete", "sure", "yes").RedirectsTo(t, "/admin?said=person_deleted")
	form.Get(page).Want(t, http.StatusOK).Has(t, "Only results are left").Lacks(t, "Player bob")
	bob.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	s.Visitor().Post("/login", "login", "bob", "password", apitest.Password).Alert(t, http.StatusUnauthorized, "wrong")
	seen := root.Get("/players/" + bob.Player)
	root.Send(http.MethodPatch, "/players/"+bob.Player, `{"name":"Bob"}`, seen.IfMatch()).
		Refused(t, http.StatusConflict, "player-deleted")
	duelWith(ada, bob).Refused(t, http.StatusUnprocessableEntity, "invalid")

	s.LoggedIn("ada").Post("/me/delete", "confirm", apitest.Password).RedirectsTo(t, "/?said=account_deleted")
	s.Visitor().Get("/players").Want(t, http.StatusOK).Lacks(t, "player 100")
}

// duelWith challenges a player.
func duelWith(one, two apitest.Person) *apitest.Answer {
	return one.Post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300+3", "start": "now",
		"seats": []any{map[string]any{"player_id": one.Player}, map[string]any{"player_id": two.Player}},
	})
}

// TestOwnDataIsExported as files that can be read, without secrets, and with a limit on how often.
func TestOwnDataIsExported(t *testing.T) {
	e := newErasable(t)
	got := e.zyx.Get("/me/export", apitest.Header{"Accept-Language", "de"}).Want(t, http.StatusOK)
	t.Logf("%d bytes", len(got.Raw))
	archive, err := zip.NewReader(bytes.NewReader(got.Raw), int64(len(got.Raw)))
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
	e.zyx.Get("/me/export").Want(t, http.StatusOK)
	e.zyx.Get("/me/export").Refused(t, http.StatusTooManyRequests, "too-many-requests")
	e.s.Anonymous().Get("/me/export").Refused(t, http.StatusUnauthorized, "unauthorized")
}

// TestTheClubNamesWhoIsResponsible on the page about privacy; every page links to it.
func TestTheClubNamesWhoIsResponsible(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root := s.WithRole("root", account.RoleAdmin)
	s.Visitor().Get("/").Want(t, http.StatusOK).Has(t, `<a href="/privacy">`)
	s.Visitor().Get("/privacy").Want(t, http.StatusOK).Has(t, "has not named anyone")
	patch := func(text string) *apitest.Answer {
		return root.Send(http.MethodPatch, "/settings", map[string]any{"name": "Club", "imprint": text}, apitest.AnyVersion)
	}
	patch(strings.Repeat("é", 2001)).Refused(t, http.StatusBadRequest, "malformed")
	patch("Club <b>\nMain Street 1").Want(t, http.StatusOK).Has(t, "Main Street")
	s.Pass(2e9)
	s.Visitor().Get("/privacy").Want(t, http.StatusOK).Has(t, "Club &lt;b&gt;<br>\nMain Street 1").
		Lacks(t, "has not named")
	s.LoggedIn("root").Get("/admin/settings").Want(t, http.StatusOK).Has(t, "Main Street 1</textarea>")
	root.Get("/admin/log").Want(t, http.StatusOK).Has(t, "Main Street 1")
}

// TestMembersOfTeamsAreDeletedOnceTheTeamIsWithdrawn: while a team plays, its members and the admins that want to
// delete them read what has to be done first; after that it works.
func TestMembersOfTeamsAreDeletedOnceTheTeamIsWithdrawn(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.HallTeams("team_swiss", 1, 2, ""), 2, apitest.WithPages)
	root := x.WithRole("root", account.RoleAdmin)
	captain := x.Captains[0]
	login := strings.TrimPrefix(captain.Account, "account-of-")
	own := map[string]any{"password": apitest.Password}
	const you, other = "you sit at a board of a running tournament, or are in a team there",
		"the player sits at a board of a running tournament, or is in a team there"
	refused := func() {
		t.Helper()
		captain.Send(http.MethodDelete, "/me", own).Refused(t, http.StatusConflict, "still-playing").
			Has(t, you, "withdraw the team, first")
		root.Send(http.MethodDelete, "/players/"+captain.Player, nil).Refused(t, http.StatusConflict, "still-playing").
			Has(t, other, "withdraw the team, first")
		x.LoggedIn(login).Post("/me/delete", "confirm", apitest.Password).Alert(t, http.StatusConflict, "You sit at a board")
		x.LoggedIn("root").Post("/admin/players/"+captain.Player+"/delete", "sure", "yes").
			Alert(t, http.StatusConflict, "This player sits at a board")
	}
	refused()
	entries := x.Olga.Get(x.Path+"/entries").Want(t, http.StatusOK)
	for i := range entries.List("items") {
		if strings.Contains(fmt.Sprint(entries.At("items", i)), captain.Player) {
			x.Olga.Post(x.Path+"/entries/"+entries.Text("items", i, "id")+"/withdraw", nil, apitest.AnyVersion).
				Want(t, http.StatusOK)
		}
	}
	captain.Send(http.MethodDelete, "/me", own).Want(t, http.StatusNoContent)
	x.Olga.Get(x.Path+"/entries").Want(t, http.StatusOK).Has(t, "player 1001").Lacks(t, "Player "+login+`"`)
}
