package rest_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// hallNight returns the address of a rated Swiss of four in the hall, with two rounds, the first of them published.
func hallNight(t *testing.T, p apitest.Person, players ...apitest.Person) string {
	t.Helper()
	at := "/tournaments/" + p.Post("/tournaments", map[string]any{
		"name": "Hall night", "variant": "quixo/duel", "format": "swiss", "rounds": 2, "time_control": "300+3",
		"venue": "hall", "rated": true,
	}).Want(t, http.StatusCreated).Text("id")
	for _, one := range players {
		p.Post(at+"/entries", map[string]any{"player_id": one.Player}).Want(t, http.StatusCreated)
	}
	p.Post(at+"/start", nil).Want(t, http.StatusOK)
	p.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
	return at
}

// TestResultsThatNeitherWonAreShown at every door, as they were entered at the desk and over the API; players cannot
// enter them.
func TestResultsThatNeitherWonAreShown(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob, cleo, dora := s.Register("ada"), s.Register("bob"), s.Register("cleo"), s.Register("dora")
	at := hallNight(t, olga, ada, bob, cleo, dora)
	board := at + "/rounds/1/pairings/1/result"
	tag := olga.Get(board).Want(t, http.StatusOK).Header.Get("ETag")
	for _, p := range []apitest.Person{ada, bob, s.Anonymous()} {
		if p.Send(http.MethodPut, board, map[string]any{"result": "1/2-0"}, apitest.Header{"If-Match", tag}).Status < 400 {
			t.Errorf("player %q entered a result of an arbiter", p.Player)
		}
	}
	desk := olga.Get("/"+at+"/desk?tab=results&board=1").Want(t, http.StatusOK).
		Says(t, `value="1/2-0"`, `value="0-1/2"`, `value="0-0"`).Page()
	seen := regexp.MustCompile(`name="seen" value="([^"]*)"`).FindStringSubmatch(desk)[1]
	olga.PostForm(at+"/desk/results/1/1",
		url.Values{"seen": {html.UnescapeString(seen)}, "result": {"1/2-0"}, "reason": {"phone"}}).
		Want(t, http.StatusSeeOther)
	olga.Send(http.MethodPut, at+"/rounds/1/results",
		map[string]any{"results": []any{map[string]any{"board": 2, "result": "0-0"}}}, apitest.AnyVersion).
		Want(t, http.StatusOK)
	for i, want := range []string{"1/2-0", "0-0"} {
		if got := olga.Get(at+"/rounds/1").Want(t, http.StatusOK).Text("pairings", i, "result"); got != want {
			t.Errorf("board %d is %s, want %s", i+1, got, want)
		}
	}
	page := s.Anonymous()
	page.Get("/"+at+"?tab=round&round=1").Want(t, http.StatusOK).Says(t, "½ – 0", "0 – 0")
	page.Get("/"+at+"/history").Want(t, http.StatusOK).Says(t, "½ – 0")
	csv := string(page.Get(at+"/export?format=csv&table=pairings").Want(t, http.StatusOK).Raw)
	report := string(page.Get(at+"/export?format=trf").Want(t, http.StatusOK).Raw)
	if !strings.Contains(csv, ",0.5,0,,") || !strings.Contains(csv, ",0,0,,") {
		t.Errorf("the table is\n%s", csv)
	}
	if n := strings.Count(report, " w ="); n != 1 || strings.Count(report, " b 0")+strings.Count(report, " w 0") != 3 {
		t.Errorf("the report is\n%s", report)
	}
	if games := page.Get("/games?tournament=" + strings.TrimPrefix(at, "/tournaments/")); strings.Contains(string(games.Raw), `"hall"`) {
		t.Errorf("they are games of the ratings: %s", games.Raw)
	}
	olga.Post(at+"/rounds", nil).Want(t, http.StatusCreated) // the next round is paired from them
}

// TestTheDeskOffersWhatAnArenaTakes: results that neither won are refused in an arena, and not on offer.
func TestTheDeskOffersWhatAnArenaTakes(t *testing.T) {
	x := newHallArena(t, "quixo/duel", "300", 20, 1, 2, 0, apitest.WithPages)
	x.watch()
	desk := x.olga.Get("/"+x.path+"/desk?tab=results&board=1").Want(t, http.StatusOK).Page()
	for _, result := range []string{"1/2-0", "0-1/2", "0-0", "1/2-1/2"} {
		taken := x.enter(1, map[string]any{"result": result}).Status == http.StatusOK
		if offered := strings.Contains(desk, `value="`+result+`"`); offered != taken || taken != (result == "1/2-1/2") {
			t.Errorf("%s is offered: %v, taken: %v", result, offered, taken)
		}
	}
}

// TestCorrectionsForTheRatingsAlone are the arbiter's, after the next round was paired.
func TestCorrectionsForTheRatingsAlone(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob, cleo, dora := s.Register("ada"), s.Register("bob"), s.Register("cleo"), s.Register("dora")
	at := hallNight(t, olga, ada, bob, cleo, dora)
	board := at + "/rounds/1/pairings/1/result"
	put := func(p apitest.Person, body map[string]any) *apitest.Answer {
		return p.Send(http.MethodPut, board, body, apitest.AnyVersion)
	}
	for _, b := range []string{"1", "2"} {
		olga.Send(http.MethodPut, at+"/rounds/1/pairings/"+b+"/result", map[string]any{"result": "1-0"}, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}
	late := map[string]any{"result": "0-1", "only_rating": true, "reason": "the score sheet"}
	put(olga, late).Want(t, http.StatusConflict) // the result itself can still be corrected
	olga.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
	put(ada, late).Want(t, http.StatusForbidden)
	put(olga, map[string]any{"result": "0-1", "only_rating": true}).Want(t, http.StatusUnprocessableEntity)
	rating := func(p apitest.Person) float64 {
		for _, item := range p.Get("/players/"+p.Player+"/ratings").Want(t, http.StatusOK).List("items") {
			return item.(map[string]any)["rating"].(float64)
		}
		return 0
	}
	seats := olga.Get(at+"/rounds/1").List("pairings", 0, "seats")
	before, table := rating(ada), string(olga.Get(at+"/standings").Want(t, http.StatusOK).Raw)
	got := put(olga, late).Want(t, http.StatusOK)
	if got.Text("result") != "1-0" || got.Text("rated_as") != "0-1" || len(seats) != 2 {
		t.Errorf("it is %s", got.Raw)
	}
	if after := string(olga.Get(at+"/standings").Want(t, http.StatusOK).Raw); after != table {
		t.Errorf("the standings were\n%s\nand are\n%s", table, after)
	}
	if after := rating(ada); after == before {
		t.Errorf("the rating is %v before and after", after)
	}
	s.Anonymous().Get("/"+at+"?tab=round&round=1").Want(t, http.StatusOK).Says(t, "1 – 0", "for the ratings 0 – 1")
	s.Anonymous().Get("/"+at+"/history").Want(t, http.StatusOK).Says(t, "for the ratings only")
	report := string(s.Anonymous().Get(at+"/export?format=trf").Want(t, http.StatusOK).Raw)
	if strings.Count(report, "### quatuor rating round 1 player") != 2 {
		t.Errorf("the report is\n%s", report)
	}
	act := olga.Get(at+"/history").Want(t, http.StatusOK).At("undoable")
	olga.Post(at+"/undo", map[string]any{"act": act}).Want(t, http.StatusOK)
	if again := rating(ada); again != before {
		t.Errorf("undone, the rating is %v, want %v", again, before)
	}
}

// TestImportIsConfirmed on the page that shows what it would do: the file is carried there, and nothing is stored before.
func TestImportIsConfirmed(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	report := olga.ReportFile("Carried") + "YYY unknown\n"
	form := olga.NewTournamentForm(map[string]string{
		"name": "Carried here", "format": "", "rounds": "",
		"control": "none",
	})
	form.Set("check", "1")
	summary := olga.Upload("/tournaments/new/import", "file", report, form).Want(t, http.StatusOK).
		Says(t, "Nothing is stored yet", "<code>YYY</code>", "<code>001</code> players with their rounds",
			"4 players are new",
			"2 games have no result")
	if strings.Contains(olga.Get("//tournaments").Page(), "Carried here") {
		t.Fatal("it is stored before it is confirmed")
	}
	again := url.Values{}
	for _, f := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`).
		FindAllStringSubmatch(summary.Page(), -1) {
		again.Set(html.UnescapeString(f[1]), html.UnescapeString(f[2]))
	}
	for range 2 { // the second request finds the first's
		olga.PostForm("/tournaments/new/import", again).Want(t, http.StatusOK).Says(t, "Carried here")
	}
	if n := strings.Count(olga.Get("//tournaments").Page(), ">Carried here<"); n != 1 {
		t.Errorf("%d are stored", n)
	}
	s.Register("eve").PostForm("/tournaments/new/import", again).Want(t, http.StatusForbidden)
	again.Set("report", "no base64!")
	olga.PostForm("/tournaments/new/import", again).Want(t, http.StatusBadRequest)
	checked := olga.Post("/tournaments/import", map[string]any{
		"report": report, "variant": "quixo/duel", "time_control": "none", "check": true,
	}).Want(t, http.StatusOK)
	if checked.At("new_players") != 4.0 || len(checked.List("lines")) < 5 || len(checked.List("notes")) == 0 {
		t.Errorf("over the API it is %s", checked.Raw)
	}
}
