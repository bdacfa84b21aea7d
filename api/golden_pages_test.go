package api_test

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

var (
	updateGolden = flag.Bool("update", false, "write testdata/pages.tsv anew")
	dumpPages    = flag.String("pages", "", "folder to write every page of the golden test to, to compare two versions "+
		"of the program")
)

// inOwnProcess is set in the environment of the process that the golden test starts for itself.
const inOwnProcess = "QUATUOR_GOLDEN_PROCESS"

// TestPagesAreAsTheyWere compares every page of an evening, as a guest, a player and an admin see it, with what it was:
// a digest of each is in testdata/pages.tsv. The bubble's clock and the seeded random source make the evening the same
// each time. To see a difference, run the test on both versions with -args -pages=FOLDER and compare the folders.
func TestPagesAreAsTheyWere(t *testing.T) {
	if os.Getenv(inOwnProcess) == "" { // ids depend on those that a process has made before, and lots are drawn by ids
		again := exec.Command(os.Args[0], append(slices.Clone(os.Args[1:]), "-test.run=^"+t.Name()+"$", "-test.count=1")...)
		again.Env = append(os.Environ(), inOwnProcess+"=1", "TZ=UTC")
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	cryptotest.SetGlobalRandom(t, 1)
	synctest.Test(t, func(t *testing.T) {
		e := playGoldenEvening(t)
		streams := e.streams(t)
		visitors := []struct {
			name string
			*apitest.Visitor
		}{{"guest", e.s.Visitor()}, {"player", e.s.LoggedIn("ada")}, {"admin", e.s.LoggedIn("olga")}}
		var lines []string
		all, programs := map[string]string{}, map[string]string{}
		for _, path := range e.pages(t) {
			ids := all
			if strings.HasPrefix(path, "/me/") { // they were added later, and the other numbers stay
				ids = programs
			}
			for _, v := range visitors {
				page := v.Get(path)
				path, body := numberIDs(path, ids), numberIDs(incidental.ReplaceAllString(string(page.Raw), "$1"), ids)
				lines = append(lines, fmt.Sprintf("%s\t%s\t%d\t%x", path, v.name, page.Status, sha256.Sum256([]byte(body))))
				dumpPage(t, v.name, path, body)
			}
		}
		compareGolden(t, "pages.tsv", strings.Join(lines, "\n")+"\n")
		compareGolden(t, "streams.txt", numberIDs(incidental.ReplaceAllString(streams, "$1"), all))
	})
}

// incidental matches what differs between runs of the same program, or means nothing to people: digests of files, of
// pages and of what a form was made of, ids of requests, the folder of backups, the size of the
// database, and the room on the disk.
var incidental = regexp.MustCompile(`(/static/[a-z.-]+\?v=|name="seen" value="|version=|state )\.?[0-9a-f]{8,}|<code>[0-9a-f]{24}</code>|<code>[^<]*backups</code>|[0-9.]+ .B of [0-9.]+ .B free|<dd>[0-9.]+ .B</dd>`)

// uuid matches an id, which depends on the ids that the process has made before.
var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// numberIDs numbers the ids in their order of appearance, and puts the numbers in their place.
func numberIDs(text string, seen map[string]string) string {
	return uuid.ReplaceAllStringFunc(text, func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprint("id-", len(seen)+1)
		}
		return seen[id]
	})
}

func dumpPage(t *testing.T, visitor, path, body string) {
	t.Helper()
	if *dumpPages == "" {
		return
	}
	name := strings.NewReplacer("/", "_", "?", "_", "=", "-", "&", "_").Replace(strings.Trim(path, "/"))
	folder := filepath.Join(*dumpPages, visitor)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	body = strings.ReplaceAll(body, "><", ">\n<") // for diff
	if err := os.WriteFile(filepath.Join(folder, "page_"+name+".html"), []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compareGolden compares lines with a file in testdata and names those that differ.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *updateGolden {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	if len(was) != len(is) {
		t.Errorf("%s has %d lines, and %d are made", file, len(was), len(is))
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			t.Errorf("%s has no line\n%s", file, line)
		}
	}
	for _, line := range was {
		if !slices.Contains(is, line) {
			t.Errorf("%s has a line that is not made any more:\n%s", file, line)
		}
	}
}

// goldenEvening is an evening with something of everything.
type goldenEvening struct {
	s       *apitest.Service
	olga    apitest.Person
	players []apitest.Person
	names   map[string]string // of routes' parameters: the values that have a page
}

// playGoldenEvening plays a round on the server and in the hall, a table, a cup, and casual games in all their states.
func playGoldenEvening(t *testing.T) *goldenEvening {
	s := apitest.New(t, apitest.WithPages, apitest.Alone,
		func(c *apitest.Config) { c.Seed = func() [32]byte { return [32]byte{1} } })
	e := &goldenEvening{s: s, olga: s.WithRole("olga", account.RoleAdmin)}
	for _, login := range []string{"ada", "bob", "cleo", "dan"} {
		e.players = append(e.players, s.Register(login))
	}
	ada, bob := e.players[0], e.players[1]

	cup := e.event(t, `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3","rated":true,
		"tie_breaks":["BH","SB"]}`, 4)
	round := e.olga.Post(cup+"/rounds", nil).Want(t, http.StatusCreated)
	first, second := round.Text("pairings", 0, "game_id"), round.Text("pairings", 1, "game_id")
	e.end(t, first)
	e.seated(t, second)[0].Post("/games/"+second+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)

	hall := e.event(t, `{"name":"Hall","variant":"quits/duel","format":"round_robin","time_control":"3600","rated":true,"venue":"hall"}`, 4)
	e.olga.Post(hall+"/rounds", nil).Want(t, http.StatusCreated)
	codes := apitest.CodesOf(t, e.olga.Get(hall+"/rounds/1/codes"))
	s.Anonymous().Post("/results/"+codes[0][0], apitest.Report(t, s.Anonymous(), codes[0][0], 1, "1-0")).
		Want(t, http.StatusOK)
	s.Anonymous().Post("/results/"+codes[1][0]+"/call", `{"word":"my clock"}`).Want(t, http.StatusNoContent)
	e.olga.Send(http.MethodPut, hall+"/rounds/1/pairings/2/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)

	melee := e.event(t, apitest.Melee, 4)
	e.olga.Post(melee+"/rounds", nil).Want(t, http.StatusCreated)
	e.olga.Send(http.MethodPut, melee+"/rounds/1/pairings/1/result", `{"ranks":[1,2,3,4]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)

	knockout := e.event(t, apitest.Knockout, 4)
	e.olga.Post(knockout+"/rounds", nil).Want(t, http.StatusCreated)
	draft := e.olga.Post("/tournaments",
		`{"name":"Next week","variant":"quiwin/duel","format":"swiss","rounds":5,"time_control":"300+3"}`).
		Want(t, http.StatusCreated).Text("id")

	casual := apitest.Duel(t, ada, bob, "quivive/duel", "300+3").Text("id")
	apitest.PlayToTheEnd(t, casual, ada, bob)
	running := apitest.Duel(t, bob, ada, "quiwin/duel", "300+3").Text("id")
	open := ada.Post("/games", `{"variant":"quixo/duel","time_control":"300+3","seats":[{"player_id":"`+ada.Player+
		`"},{"open":true}],"start":"now"}`).
		Want(t, http.StatusCreated).Text("id")
	e.olga.TokenIn(strings.TrimPrefix(cup, "/tournaments/"), "helper")
	webhook, _ := e.olga.Webhook("hooks.example.org", "", apitest.AllNews...)
	e.olga.Post("/webhooks/"+webhook+"/test", nil).Want(t, http.StatusAccepted)
	e.names = map[string]string{
		"webhook": "/me/webhooks/" + webhook,
		"cup":     cup, "hall": hall, "melee": melee, "knockout": knockout, "draft": "/tournaments/" + draft,
		"finished": "/games/" + casual, "running": "/games/" + running, "open": "/games/" + open, "code": codes[0][0],
		"first": "/games/" + first, "ada": "/players/" + ada.Player,
	}
	e.names["series"], e.names["ladder"] = apitest.SeriesOf(t, e.olga, hall), apitest.LadderOf(t, e.olga, e.players...)
	e.names["league"] = apitest.LeagueOf(t, e.olga, "round_robin", "Dee Eve", "Flo Gus")
	e.names["season"] = apitest.SeasonOf(t, e.olga, e.names["series"], e.names["ladder"])
	return e
}

// event starts a tournament of the first players of the evening and returns its path.
func (e *goldenEvening) event(t *testing.T, settings string, players int) string {
	t.Helper()
	path := "/tournaments/" + e.olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
	e.olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for i, p := range e.players[:players] {
		e.olga.Post(path+"/entries", map[string]any{"player_id": p.Player, "rating": 1900 - 10*i}).Want(t, http.StatusCreated)
	}
	e.olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	return path
}

// seated returns the players of a game, by seats.
func (e *goldenEvening) seated(t *testing.T, game string) (seated []apitest.Person) {
	t.Helper()
	g := e.s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK)
	for i := range g.List("seats") {
		for _, p := range e.players {
			if p.Player == g.Text("seats", i, "player", "id") {
				seated = append(seated, p)
			}
		}
	}
	return seated
}

// end plays a game on: a move each, then the second seat resigns.
func (e *goldenEvening) end(t *testing.T, game string) {
	t.Helper()
	seats := e.seated(t, game)
	apitest.Play(t, game, seats[0], 1, "c1-c5")
	apitest.Play(t, game, seats[1], 2, "a1-e1")
	seats[1].Post("/games/"+game+"/resign", nil).Want(t, http.StatusOK)
}

// pages returns the addresses of all pages: each route with every tournament, game and player that it may show, and the
// tabs.
func (e *goldenEvening) pages(t *testing.T) (out []string) {
	t.Helper()
	events := []string{e.names["cup"], e.names["hall"], e.names["melee"], e.names["knockout"], e.names["draft"]}
	games := []string{e.names["first"], e.names["finished"], e.names["running"], e.names["open"]}
	rest := strings.NewReplacer(":round", "1", ":number", "1", ":list", "quixo-blitz", ":game", "quixo", ":question", "phone", ":slug",
		"illegal-move", ":code", e.names["code"])
	for _, route := range e.s.Server.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if method != http.MethodGet || notAPage.MatchString(path) {
			continue
		}
		switch below, of := cutRoute(path); of {
		case "/tournaments/:id":
			for _, event := range events {
				out = append(out, event+rest.Replace(below))
			}
		case "/admin/players/:id":
			out = append(out, "/admin"+e.names["ada"])
		case "/embed/tournaments/:id":
			out = append(out, "/embed"+e.names["cup"])
		case "/games/:id":
			for _, game := range games {
				out = append(out, game+rest.Replace(below))
			}
		case "/play/:id":
			out = append(out, strings.Replace(e.names["open"], "/games", "/play", 1)+below)
		case "/me/webhooks/:id":
			if e.names["webhook"] != "" {
				out = append(out, e.names["webhook"]+rest.Replace(below))
			}
		case "/ladders/:id":
			out = append(out, e.names["ladder"]+below)
		case "/leagues/:id":
			out = append(out, e.names["league"]+strings.ReplaceAll(below, ":season", "1"))
		case "/seasons/:id":
			out = append(out, e.names["season"]+strings.ReplaceAll(below, ":player",
				strings.TrimPrefix(e.names["ada"], "/players/")))
		case "/embed/seasons/:id":
			out = append(out, "/embed"+e.names["season"])
		case "/series/:id":
			out = append(out, e.names["series"]+below)
		case "/players/:id":
			out = append(out, e.names["ada"]+rest.Replace(below))
		default:
			out = append(out, rest.Replace(path))
		}
	}
	for _, event := range events {
		for _, tab := range []string{"round", "standings", "games", "players", "info"} {
			out = append(out, event+"?tab="+tab)
		}
		for _, tab := range []string{"entries", "round", "results", "arbiter", "settings"} {
			out = append(out, event+"/desk?tab="+tab)
		}
	}
	slices.Sort(out)
	for _, path := range out {
		if strings.Contains(path, ":") {
			t.Fatalf("the test knows no value for the parameter in %s", path)
		}
	}
	return out
}

// notAPage matches routes that show no page: the API, files, streams, probes, and addresses with a slash too many.
var notAPage = regexp.MustCompile(`^/(api|static|docs|healthz|readyz|openapi|\.well-known)|/live/?$|.+/$|^/admin/backups/:name$|^/admin/doctor$`)

// streams plays a round of a tournament, has the next round paired, and returns what each stream sent in that time, to
// a guest and to an admin. The games are not rated, for ratings come when they come.
func (e *goldenEvening) streams(t *testing.T) string {
	t.Helper()
	cup := e.event(t, `{"name":"Streamed","variant":"quixo/duel","format":"swiss","rounds":2,"time_control":"300+3","rated":false}`, 3)
	id := e.olga.Post(cup+"/rounds", nil).Want(t, http.StatusCreated).Text("pairings", 0, "game_id")
	game := "/games/" + id
	ctx, stop := context.WithCancel(t.Context())
	var open sync.WaitGroup
	var sent []*httptest.ResponseRecorder
	var names []string
	listen := func(path string, header http.Header) {
		request := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
		request.Header = header
		w := httptest.NewRecorder()
		sent, names = append(sent, w), append(names, path)
		open.Go(func() { e.s.Server.ServeHTTP(w, request) })
		synctest.Wait()
	}
	guest, admin := http.Header{"Accept": {"text/html"}}, http.Header{"Accept": {"text/html"}}
	for name, value := range e.s.LoggedIn("olga").Cookies {
		admin.Add("Cookie", name+"="+value)
	}
	listen("/api/v1"+game+"/events", http.Header{})
	listen("/api/v1"+cup+"/events", http.Header{})
	listen("/api/v1"+cup+"/events", http.Header{"Authorization": {"Bearer " + e.olga.Token}})
	for _, path := range []string{game + "/live", cup + "/live", "/live?0=/"} {
		listen(path, guest)
	}
	for _, path := range []string{game + "/live", cup + "/live", "/live?0=" + cup + "/desk?tab=arbiter", "/live?0=/play"} {
		listen(path, admin)
	}
	seats := e.seated(t, id)
	acts := []func(){
		func() { apitest.Play(t, id, seats[0], 1, "c1-c5") },
		func() { apitest.Play(t, id, seats[1], 2, "a1-e1") },
		func() { seats[0].Post(game+"/draw", `{"action":"offer"}`).Want(t, http.StatusOK) },
		func() { seats[0].Post(game+"/resign", nil).Want(t, http.StatusOK) },
		func() { e.olga.Post(cup+"/rounds", nil).Want(t, http.StatusCreated) },
	}
	for _, act := range acts {
		act()
		synctest.Wait()
		time.Sleep(2 * time.Second) // in the bubble: what is sent once a second has been sent
		synctest.Wait()
	}
	stop()
	open.Wait()
	var all strings.Builder
	for i, w := range sent {
		fmt.Fprintf(&all, "=== %s %d\n%s\n", names[i], w.Code, w.Body)
	}
	return all.String()
}

// cutRoute cuts a route after its first parameter, if that is an id.
func cutRoute(route string) (below, of string) {
	if before, after, is := strings.Cut(route, "/:id"); is {
		return after, before + "/:id"
	}
	return route, ""
}
