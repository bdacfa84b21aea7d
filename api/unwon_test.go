package api_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// hallNight returns the address of a rated Swiss of four in the hall, with two rounds, the first of them published.
func (p person) hallNight(t *testing.T, players ...person) string {
	t.Helper()
	at := "/tournaments/" + p.post("/tournaments", map[string]any{
		"name": "Hall night", "variant": "quixo/duel", "format": "swiss", "rounds": 2, "time_control": "300+3",
		"venue": "hall", "rated": true,
	}).want(t, http.StatusCreated).text("id")
	for _, one := range players {
		p.post(at+"/entries", map[string]any{"player_id": one.player}).want(t, http.StatusCreated)
	}
	p.post(at+"/start", nil).want(t, http.StatusOK)
	p.post(at+"/rounds", nil).want(t, http.StatusCreated)
	return at
}

// TestResultsThatNeitherWonAreShown at every door, as they were entered at the desk and over the API; players cannot
// enter them.
func TestResultsThatNeitherWonAreShown(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob, cleo, dora := s.register("ada"), s.register("bob"), s.register("cleo"), s.register("dora")
	at := olga.hallNight(t, ada, bob, cleo, dora)
	board := at + "/rounds/1/pairings/1/result"
	tag := olga.get(board).want(t, http.StatusOK).header.Get("ETag")
	for _, p := range []person{ada, bob, s.anonymous()} {
		if p.send(http.MethodPut, board, map[string]any{"result": "1/2-0"}, header{"If-Match", tag}).status < 400 {
			t.Errorf("player %q entered a result of an arbiter", p.player)
		}
	}
	desk := olga.get("/"+at+"/desk?tab=results&board=1").want(t, http.StatusOK).
		says(t, `value="1/2-0"`, `value="0-1/2"`, `value="0-0"`).page()
	seen := regexp.MustCompile(`name="seen" value="([^"]*)"`).FindStringSubmatch(desk)[1]
	olga.form(at+"/desk/results/1/1", url.Values{"seen": {html.UnescapeString(seen)}, "result": {"1/2-0"}, "reason": {"phone"}}).
		want(t, http.StatusSeeOther)
	olga.send(http.MethodPut, at+"/rounds/1/results",
		map[string]any{"results": []any{map[string]any{"board": 2, "result": "0-0"}}}, anyVersion).want(t, http.StatusOK)
	for i, want := range []string{"1/2-0", "0-0"} {
		if got := olga.get(at+"/rounds/1").want(t, http.StatusOK).text("pairings", i, "result"); got != want {
			t.Errorf("board %d is %s, want %s", i+1, got, want)
		}
	}
	page := s.anonymous()
	page.get("/"+at+"?tab=round&round=1").want(t, http.StatusOK).says(t, "½ – 0", "0 – 0")
	page.get("/"+at+"/history").want(t, http.StatusOK).says(t, "½ – 0")
	csv := string(page.get(at+"/export?format=csv&table=pairings").want(t, http.StatusOK).raw)
	report := string(page.get(at+"/export?format=trf").want(t, http.StatusOK).raw)
	if !strings.Contains(csv, ",0.5,0,,") || !strings.Contains(csv, ",0,0,,") {
		t.Errorf("the table is\n%s", csv)
	}
	if n := strings.Count(report, " w ="); n != 1 || strings.Count(report, " b 0")+strings.Count(report, " w 0") != 3 {
		t.Errorf("the report is\n%s", report)
	}
	if games := page.get("/games?tournament=" + strings.TrimPrefix(at, "/tournaments/")); strings.Contains(string(games.raw), `"hall"`) {
		t.Errorf("they are games of the ratings: %s", games.raw)
	}
	olga.post(at+"/rounds", nil).want(t, http.StatusCreated) // the next round is paired from them
}

// TestCorrectionsForTheRatingsAlone are the arbiter's, after the next round was paired.
func TestCorrectionsForTheRatingsAlone(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob, cleo, dora := s.register("ada"), s.register("bob"), s.register("cleo"), s.register("dora")
	at := olga.hallNight(t, ada, bob, cleo, dora)
	board := at + "/rounds/1/pairings/1/result"
	put := func(p person, body map[string]any) *answer {
		return p.send(http.MethodPut, board, body, anyVersion)
	}
	for _, b := range []string{"1", "2"} {
		olga.send(http.MethodPut, at+"/rounds/1/pairings/"+b+"/result", map[string]any{"result": "1-0"}, anyVersion).
			want(t, http.StatusOK)
	}
	late := map[string]any{"result": "0-1", "only_rating": true, "reason": "the score sheet"}
	put(olga, late).want(t, http.StatusConflict) // the result itself can still be corrected
	olga.post(at+"/rounds", nil).want(t, http.StatusCreated)
	put(ada, late).want(t, http.StatusForbidden)
	put(olga, map[string]any{"result": "0-1", "only_rating": true}).want(t, http.StatusUnprocessableEntity)
	rating := func(p person) float64 {
		for _, item := range p.get("/players/"+p.player+"/ratings").want(t, http.StatusOK).list("items") {
			return item.(map[string]any)["rating"].(float64)
		}
		return 0
	}
	seats := olga.get(at+"/rounds/1").list("pairings", 0, "seats")
	before, table := rating(ada), string(olga.get(at+"/standings").want(t, http.StatusOK).raw)
	got := put(olga, late).want(t, http.StatusOK)
	if got.text("result") != "1-0" || got.text("rated_as") != "0-1" || len(seats) != 2 {
		t.Errorf("it is %s", got.raw)
	}
	if after := string(olga.get(at+"/standings").want(t, http.StatusOK).raw); after != table {
		t.Errorf("the standings were\n%s\nand are\n%s", table, after)
	}
	if after := rating(ada); after == before {
		t.Errorf("the rating is %v before and after", after)
	}
	s.anonymous().get("/"+at+"?tab=round&round=1").want(t, http.StatusOK).says(t, "1 – 0", "for the ratings 0 – 1")
	s.anonymous().get("/"+at+"/history").want(t, http.StatusOK).says(t, "for the ratings only")
	report := string(s.anonymous().get(at+"/export?format=trf").want(t, http.StatusOK).raw)
	if strings.Count(report, "### quatuor rating round 1 player") != 2 {
		t.Errorf("the report is\n%s", report)
	}
	act := olga.get(at+"/history").want(t, http.StatusOK).at("undoable")
	olga.post(at+"/undo", map[string]any{"act": act}).want(t, http.StatusOK)
	if again := rating(ada); again != before {
		t.Errorf("undone, the rating is %v, want %v", again, before)
	}
}

// TestImportIsConfirmed on the page that shows what it would do: the file is carried there, and nothing is stored before.
func TestImportIsConfirmed(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	report := olga.reportOf("Carried") + "YYY unknown\n"
	form := olga.newForm(map[string]string{"name": "Carried here", "format": "", "rounds": "", "control": "none"})
	form.Set("check", "1")
	summary := olga.upload("/tournaments/new/import", "file", report, form).want(t, http.StatusOK).
		says(t, "Nothing is stored yet", "<code>YYY</code>", "<code>001</code> players with their rounds", "4 players are new",
			"2 games have no result")
	if strings.Contains(olga.get("//tournaments").page(), "Carried here") {
		t.Fatal("it is stored before it is confirmed")
	}
	again := url.Values{}
	for _, f := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`).
		FindAllStringSubmatch(summary.page(), -1) {
		again.Set(html.UnescapeString(f[1]), html.UnescapeString(f[2]))
	}
	for range 2 { // the second one finds the first one's
		olga.form("/tournaments/new/import", again).want(t, http.StatusOK).says(t, "Carried here")
	}
	if n := strings.Count(olga.get("//tournaments").page(), ">Carried here<"); n != 1 {
		t.Errorf("%d are stored", n)
	}
	s.register("eve").form("/tournaments/new/import", again).want(t, http.StatusForbidden)
	again.Set("report", "no base64!")
	olga.form("/tournaments/new/import", again).want(t, http.StatusBadRequest)
	checked := olga.post("/tournaments/import", map[string]any{
		"report": report, "variant": "quixo/duel", "time_control": "none", "check": true,
	}).want(t, http.StatusOK)
	if checked.at("new_players") != 4.0 || len(checked.list("lines")) < 5 || len(checked.list("notes")) == 0 {
		t.Errorf("over the API it is %s", checked.raw)
	}
}
