package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"quatuor/api/pages/kit"
	"quatuor/tournament/account"
)

// rounds is a tournament with its desk: olga runs it, arno is its arbiter.
type rounds struct {
	s          *service
	olga, arno person
	id         string
}

// newRounds starts a Swiss over the board.
func newRounds(t *testing.T, entries int) *rounds {
	t.Helper()
	s := newService(t, withRealPages)
	d := &rounds{s: s, olga: s.withRole("olga", account.RoleOrganiser), arno: s.register("arno")}
	d.id = d.olga.draft("Thursday")
	d.arbiters(t, "arno")
	d.olga.post("/tournaments/"+d.id+"/open", nil).want(t, http.StatusOK)
	for i := range entries {
		d.olga.post("/tournaments/"+d.id+"/entries", map[string]any{"name": fmt.Sprintf("Player %c", 'A'+i), "rating": 2000 - i}).want(t, http.StatusCreated)
	}
	d.olga.post("/tournaments/"+d.id+"/start", nil).want(t, http.StatusOK)
	return d
}

func (d *rounds) arbiters(t *testing.T, logins ...string) {
	t.Helper()
	tag := header{"If-Match", d.olga.get("/tournaments/" + d.id + "/arbiters").header.Get("ETag")}
	d.olga.send(http.MethodPut, "/tournaments/"+d.id+"/arbiters", map[string]any{"logins": logins}, tag).want(t, http.StatusOK)
}

func (d *rounds) tab(name string) string { return "//tournaments/" + d.id + "/desk?tab=" + name }

func (d *rounds) to(form string) string { return "/tournaments/" + d.id + "/desk/" + form }

// seen returns the hidden field "seen" of the first form of a tab.
func (d *rounds) seen(t *testing.T, tab string) string {
	t.Helper()
	found := regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(d.olga.get(d.tab(tab)).want(t, http.StatusOK).page())
	if found == nil {
		t.Fatalf("there is no form in the tab %s", tab)
	}
	return found[1]
}

// tags returns what an arbiter sees of each board of a round, by board.
func (d *rounds) tags(t *testing.T, round int) map[string]string {
	t.Helper()
	page := d.arno.get(fmt.Sprintf("%s&round=%d", d.tab("results"), round)).want(t, http.StatusOK).page()
	out := map[string]string{}
	for _, row := range regexp.MustCompile(`data-board="([0-9]+)" data-tag="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		out[row[1]] = row[2]
	}
	return out
}

// result enters a result as the page's script does.
func (d *rounds) result(who person, round, board int, fields url.Values) *answer {
	d.s.t.Helper()
	return who.form(fmt.Sprintf("%s/%d/%d", d.to("results"), round, board), fields, header{"Accept", "application/json"})
}

func (d *rounds) draw(t *testing.T, n int) {
	t.Helper()
	d.olga.form(d.to("round/pair"), url.Values{"round": {fmt.Sprint(n)}}).want(t, http.StatusSeeOther)
}

func (d *rounds) publish(t *testing.T) {
	t.Helper()
	d.olga.form(d.to("round/publish"), url.Values{"seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
}

func (d *rounds) stored(t *testing.T, n int) *answer {
	t.Helper()
	return d.olga.get(fmt.Sprintf("/tournaments/%s/rounds/%d", d.id, n)).want(t, http.StatusOK)
}

// TestDeskRoundFromDraftToResults goes the way of a round: drawn up, changed by hand, published, results, the next one.
func TestDeskRoundFromDraftToResults(t *testing.T) {
	d := newRounds(t, 7)
	d.olga.get(d.tab("round")).want(t, http.StatusOK).says(t, "Pair next round", "Before the first round")
	d.draw(t, 1)
	d.olga.form(d.to("round/pair"), url.Values{"round": {"1"}}).want(t, http.StatusPreconditionFailed).says(t, "Someone else changed the tournament")
	d.arno.get(d.tab("round")).want(t, http.StatusOK).says(t, "draft, not published", "Player A", "Publish", "Swap", "Why these pairings?")
	before := d.stored(t, 1)
	one, two := before.text("pairings", 0, "seats", 0), before.text("pairings", 1, "seats", 0)
	seen := d.seen(t, "round")
	d.arno.form(d.to("round/edit"), url.Values{"act": {"swap"}, "seat": {one, two}, "seen": {seen}}).want(t, http.StatusSeeOther)
	d.arno.form(d.to("round/edit"), url.Values{"act": {"swap"}, "seat": {one, two}, "seen": {seen}}).want(t, http.StatusPreconditionFailed)
	if after := d.stored(t, 1); after.text("pairings", 0, "seats", 0) != two || after.text("pairings", 1, "seats", 0) != one {
		t.Errorf("not swapped, or swapped twice: %s", after.raw)
	}
	d.olga.form(d.to("round/edit"), url.Values{"act": {"unpair:1"}, "seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
	d.olga.get(d.tab("round")).says(t, "Without a game", "First pair those without a game", "disabled")
	d.olga.form(d.to("round/publish"), url.Values{"seen": {d.seen(t, "round")}}).want(t, http.StatusConflict).says(t, `role="alert"`)
	left := before.text("pairings", 0, "seats", 1)
	d.olga.form(d.to("round/edit"), url.Values{"act": {"pair"}, "seat": {left, two}, "seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
	d.olga.form(d.to("round/edit"), url.Values{"act": {"reseat:1"}, "seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
	d.publish(t)
	d.olga.get(d.tab("results")).want(t, http.StatusOK).says(t, "3 of 3 results are missing", "Save result")
	for board, tag := range d.tags(t, 1) {
		d.arno.form(d.to("results/1/"+board), url.Values{"seen": {tag}, "result": {"1-0"}}).want(t, http.StatusSeeOther)
	}
	d.olga.get(d.tab("results")).says(t, "All results are in.", "Pair next round")
	d.draw(t, 2)
	d.olga.form(d.to("round/delete"), url.Values{"seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
	d.draw(t, 2)
	d.olga.form(d.to("round/redraw"), url.Values{"seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
	if again := d.stored(t, 2); again.text("status") != "paired" {
		t.Errorf("%s", again.raw)
	}
}

// TestTwoArbitersEnterResults has arbiters enter results of all boards at the same time, each board once.
func TestTwoArbitersEnterResults(t *testing.T) {
	d := newRounds(t, 24)
	d.draw(t, 1)
	d.publish(t)
	tags := d.tags(t, 1)
	var wg sync.WaitGroup
	for board := 1; board <= 12; board++ {
		who := d.olga
		if board%2 == 0 {
			who = d.arno
		}
		wg.Go(func() {
			a := d.result(who, 1, board, url.Values{"seen": {tags[fmt.Sprint(board)]}, "result": {"0-1"}})
			if a.status != http.StatusOK || len(a.raw) > 300 {
				t.Errorf("board %d: %d, %d bytes: %s", board, a.status, len(a.raw), a.raw)
			}
		})
	}
	wg.Wait()
	round := d.stored(t, 1)
	for i := range 12 {
		if round.text("pairings", i, "result") != "0-1" {
			t.Errorf("board %d has %q", i+1, round.text("pairings", i, "result"))
		}
	}
}

// TestTheSameBoardTwice has two arbiters enter the same board: the second is shown what the first entered.
func TestTheSameBoardTwice(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	d.publish(t)
	seen := d.tags(t, 1)["1"]
	first := url.Values{"seen": {seen}, "result": {"1-0"}}
	d.result(d.olga, 1, 1, first).want(t, http.StatusOK).has(t, `"result":"1-0"`)
	d.result(d.olga, 1, 1, first).want(t, http.StatusOK).has(t, `"result":"1-0"`) // sent again after a lost answer
	d.result(d.arno, 1, 1, first).want(t, http.StatusOK)
	other := url.Values{"seen": {seen}, "result": {"0-1"}}
	d.result(d.arno, 1, 1, other).want(t, http.StatusConflict).has(t, `"ask":"changed"`, `"result":"1-0"`)
	d.arno.form(d.to("results/1/1"), other).want(t, http.StatusConflict).says(t, "Someone else entered 1 – 0 at board 1 meanwhile. Replace it with 0 – 1?", `role="alert"`, "Save mine", "Keep theirs")
	now := d.tags(t, 1)["1"]
	d.result(d.arno, 1, 1, url.Values{"seen": {now}, "result": {"0-1"}}).want(t, http.StatusConflict).has(t, `"ask":"reason"`)
	d.result(d.arno, 1, 1, url.Values{"seen": {now}, "result": {"0-1"}, "reason": {"misread slip"}}).want(t, http.StatusOK).has(t, `"result":"0-1"`)
	// a slip of one's own finger needs no reason
	d.result(d.arno, 1, 1, url.Values{"seen": {d.tags(t, 1)["1"]}, "result": {"1/2-1/2"}}).want(t, http.StatusOK)
	d.olga.get(d.tab("results")+"&board=1").want(t, http.StatusOK).says(t, "History of this board", "misread slip", "arno", "olga")
	if changes := d.olga.get("/tournaments/"+d.id+"/rounds/1/pairings/1/result").want(t, http.StatusOK).list("history"); len(changes) != 3 {
		t.Errorf("%d changes, want 3", len(changes))
	}
}

// TestResultsOfABoardPairedAgain refuses a result for other players than the arbiter has seen at the board.
func TestResultsOfABoardPairedAgain(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	d.publish(t)
	old := d.tags(t, 1)["1"]
	round := d.stored(t, 1)
	d.olga.form(d.to("round/edit"), url.Values{
		"act": {"swap"}, "seat": {round.text("pairings", 0, "seats", 0), round.text("pairings", 1, "seats", 0)}, "seen": {d.seen(t, "round")},
	}).want(t, http.StatusSeeOther)
	now := make([]string, 2)
	for i := range now {
		seat := d.stored(t, 1).text("pairings", 0, "seats", i)
		now[i] = d.olga.get("/tournaments/"+d.id+"/entries/"+seat).want(t, http.StatusOK).text("name")
	}
	question := "Board 1 was re-paired; " + strings.Join(now, " – ") + " sit there now. Save 1 – 0 for them?"
	asked := d.result(d.arno, 1, 1, url.Values{"seen": {old}, "result": {"1-0"}}).want(t, http.StatusConflict).
		has(t, `"ask":"paired"`, question)
	d.arno.form(d.to("results/1/1"), url.Values{"seen": {old}, "result": {"1-0"}}).want(t, http.StatusConflict).
		says(t, question, `role="alert"`)
	if after := d.stored(t, 1); after.text("pairings", 0, "result") != "" {
		t.Errorf("%s", after.raw)
	}
	d.result(d.arno, 1, 1, url.Values{"seen": {asked.text("tag")}, "result": {"1-0"}, "sure": {"1"}}).want(t, http.StatusOK)
}

// TestWhatIsNotAResult refuses everything else without changing anything.
func TestWhatIsNotAResult(t *testing.T) {
	d := newRounds(t, 5)
	d.draw(t, 1)
	d.arno.form(d.to("results/1/1"), url.Values{"result": {"1-0"}}).want(t, http.StatusNotFound) // not published
	d.publish(t)
	seen := d.tags(t, 1)["1"]
	for name, fields := range map[string]url.Values{
		"nothing": {"seen": {seen}}, "no result": {"seen": {seen}, "result": {""}}, "nonsense": {"seen": {seen}, "result": {"2-0"}},
		"an adjudication without reason": {"seen": {seen}, "result": {"1-0"}, "adjudicated": {"1"}},
		"a control character":            {"seen": {seen}, "result": {"1-0"}, "reason": {"a\u202eb"}},
		"a long reason":                  {"seen": {seen}, "result": {"1-0"}, "reason": {strings.Repeat("x", 501)}},
	} {
		if a := d.result(d.arno, 1, 1, fields); a.status != http.StatusUnprocessableEntity || !strings.Contains(string(a.raw), `"error"`) {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
		if a := d.arno.form(d.to("results/1/1"), fields); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.page(), `role="alert"`) {
			t.Errorf("%s, as a page: %d", name, a.status)
		}
	}
	if a := d.arno.form(d.to("results/1/1"), url.Values{"seen": {seen}, "result": {"1-0"}, "reason": {strings.Repeat("x", 5<<20)}}); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of five megabytes: %d", a.status)
	}
	for _, path := range []string{"results/1/3", "results/1/9", "results/2/1", "results/x/1", "results/1/x", "results/0/1"} {
		d.arno.form(d.to(path), url.Values{"seen": {seen}, "result": {"1-0"}}).want(t, http.StatusNotFound)
	}
	for _, bad := range []url.Values{{"act": {"unpair:x"}}, {"act": {"unpair:99999999999999999999"}}} {
		bad.Set("seen", d.seen(t, "round"))
		d.arno.form(d.to("round/edit"), bad).want(t, http.StatusBadRequest)
	}
	for _, bad := range []url.Values{{"act": {"swap"}}, {"act": {"nonsense"}}, {"act": {"bye"}, "bye": {"XXX"}}, {"act": {"swap"}, "seat": {"nobody", "no one"}}} {
		bad.Set("seen", d.seen(t, "round"))
		d.arno.form(d.to("round/edit"), bad).want(t, http.StatusUnprocessableEntity)
	}
	if after := d.stored(t, 1); after.text("pairings", 0, "result") != "" {
		t.Errorf("%s", after.raw)
	}
}

// TestDeskRoundIsForStaff tries every form and page as each that may not.
func TestDeskRoundIsForStaff(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	other := d.s.withRole("otto", account.RoleOrganiser)
	id := other.draft("Friday")
	tag := header{"If-Match", other.get("/tournaments/" + id + "/arbiters").header.Get("ETag")}
	foreign, player := d.s.register("fritz"), d.s.register("paul")
	other.send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"fritz"}}, tag).want(t, http.StatusOK)
	seen, names := d.seen(t, "round"), "Player B"
	forms := []string{"round/pair", "round/edit", "round/publish", "round/delete", "round/redraw", "results/1/1", "results/1/1/adjourn", "results/1/1/again", "results/1/1/clear", "results/1/1/venue", "results/1/1/record"}
	pages := []string{"?tab=round", "?tab=results", "?tab=arbiter", "?tab=results&round=1", "?tab=results&round=1&board=1", "/results/1", "/live"}
	for who, p := range map[string]person{"stranger": d.s.anonymous(), "player": player, "other organiser": other, "other's arbiter": foreign} {
		for _, form := range forms {
			a := p.form(d.to(form), url.Values{"seen": {seen}, "round": {"2"}, "result": {"1-0"}, "reason": {"x"}, "act": {"unpair:1"}})
			if !slices.Contains([]int{http.StatusForbidden, http.StatusSeeOther, http.StatusNotFound}, a.status) || a.status == http.StatusSeeOther && !strings.HasPrefix(a.header.Get("Location"), "/login") {
				t.Errorf("%s by %s: %d", form, who, a.status)
			}
			if strings.Contains(a.page(), names) {
				t.Errorf("%s tells %s of the draft", form, who)
			}
		}
		for _, path := range pages {
			a := p.get("//tournaments/" + d.id + "/desk" + path)
			if a.status == http.StatusOK || strings.Contains(a.page(), names) {
				t.Errorf("%s for %s: %d", path, who, a.status)
			}
		}
	}
	if round := d.stored(t, 1); round.text("status") != "paired" || len(round.list("pairings")) != 3 {
		t.Errorf("%s", round.raw)
	}
}

// TestArbitersActOnTheGamesPage pauses, resumes, changes a clock, takes back, and decides; each as its form sends it.
func TestArbitersActOnTheGamesPage(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	game := "/games/" + id
	play(t, id, seated[0], 1, "c1-c5")
	olga.get("/"+path+"/desk?tab=arbiter").want(t, http.StatusOK).says(t, "Games being played", "data-clock", "1 move", "Act as arbiter")
	olga.get("/"+game).want(t, http.StatusOK).says(t, "For the arbiter", "Take moves back", "Decide the game")
	for _, p := range []person{ada, s.anonymous(), s.withRole("otto", account.RoleOrganiser)} {
		if page := p.get("/"+game).want(t, http.StatusOK).page(); strings.Contains(page, "For the arbiter") {
			t.Error("a player is offered the arbiter's acts")
		}
	}
	why := func(pairs ...string) url.Values {
		v := url.Values{"reason": {"The lamp failed."}}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v
	}
	for _, act := range []string{"pause", "resume", "clock", "takeback", "forfeit", "decide", "start"} {
		ada.form(game+"/arbiter/"+act, why("seat", "1")).want(t, http.StatusForbidden)
		s.anonymous().form(game+"/arbiter/"+act, why()).want(t, http.StatusSeeOther)
	}
	olga.form(game+"/arbiter/nothing", why()).want(t, http.StatusNotFound)
	olga.form(game+"/arbiter/pause", url.Values{"reason": {" "}}).want(t, http.StatusUnprocessableEntity).says(t, `role="alert"`)
	olga.form(game+"/arbiter/pause", why()).want(t, http.StatusSeeOther)
	olga.get("/"+game).says(t, "Resume")
	olga.form(game+"/arbiter/clock", why("seat", "2", "how", "add", "time", "1:00")).want(t, http.StatusSeeOther)
	if now := olga.get(game).want(t, http.StatusOK); now.number("seats", 1, "remaining_ms") < 358_000 {
		t.Errorf("%s", now.raw)
	}
	olga.form(game+"/arbiter/clock", why("seat", "2", "how", "add", "time", "soon")).want(t, http.StatusUnprocessableEntity).says(t, `value="soon"`, "such as 5:00", "Please check your input.", "ruling\" open")
	olga.get("/"+game).want(t, http.StatusOK).lacks(t, "ruling\" open")
	olga.get("/"+game+"?said=ruled").want(t, http.StatusOK).says(t, "ruling\" open")
	olga.form(game+"/arbiter/resume", why()).want(t, http.StatusSeeOther)
	olga.form(game+"/arbiter/takeback", why("turn", "1", "plies", "1")).want(t, http.StatusConflict).says(t, `role="alert"`)
	olga.form(game+"/arbiter/takeback", why("turn", "2", "plies", "1")).want(t, http.StatusSeeOther)
	after := olga.get(game).want(t, http.StatusOK)
	if after.number("plies") != 0 {
		t.Errorf("%s", after.raw)
	}
	seated[0].post(game+"/moves", move(1, 3, "c1-c5")).want(t, http.StatusOK)
	olga.form(game+"/arbiter/decide", why("result", "+--")).want(t, http.StatusUnprocessableEntity)
	olga.form(game+"/arbiter/decide", why("result", "0-1")).want(t, http.StatusSeeOther)
	if r := olga.get(path+"/rounds/1").want(t, http.StatusOK); r.text("pairings", 0, "result") != "0-1" {
		t.Errorf("%s", r.raw)
	}
	if page := olga.get("/"+game).want(t, http.StatusOK).page(); strings.Contains(page, "Take moves back") {
		t.Error("a game that is over can be acted on")
	}
}

// TestAResultBreaksARunningGameOffOnlyWhenSure demands a confirmation before a result breaks off a game on the server.
func TestAResultBreaksARunningGameOffOnlyWhenSure(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	id, _ := boardOne(t, round, ada, bob)
	d := &rounds{s: s, olga: olga, arno: olga, id: strings.TrimPrefix(path, "/tournaments/")}
	fields := url.Values{"seen": {d.tags(t, 1)["1"]}, "result": {"1-0"}}
	d.result(olga, 1, 1, fields).want(t, http.StatusConflict).has(t, `"ask":"running"`)
	olga.form(d.to("results/1/1"), fields).want(t, http.StatusConflict).says(t, "is being played on the server", `name="sure"`)
	olga.get("/games/"+id).want(t, http.StatusOK).has(t, `"running"`)
	fields.Set("sure", "1")
	d.result(olga, 1, 1, fields).want(t, http.StatusOK)
	olga.get("/games/"+id).want(t, http.StatusOK).has(t, `"aborted"`)
}

// TestPublishWithClocksThatStartLater sends the choices of the form.
func TestPublishWithClocksThatStartLater(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	d := &rounds{s: s, olga: olga, arno: olga, id: strings.TrimPrefix(path, "/tournaments/")}
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	for _, p := range []person{ada, bob} {
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	d.draw(t, 1)
	olga.get(d.tab("round")).says(t, "The clocks start", "when both are there")
	for _, bad := range []url.Values{{"start": {"later"}, "minutes-later": {"0"}}, {"start": {"later"}, "minutes-later": {"1441"}}, {"start": {"together"}, "minutes-together": {"x"}}} {
		bad.Set("seen", d.seen(t, "round"))
		olga.form(d.to("round/publish"), bad).want(t, http.StatusUnprocessableEntity).says(t, `role="alert"`, `value="`+bad.Get("start")+`" checked`)
	}
	olga.form(d.to("round/publish"), url.Values{"start": {"together"}, "minutes-together": {"10"}, "seen": {d.seen(t, "round")}}).want(t, http.StatusSeeOther)
	olga.get(d.tab("round")).says(t, "as soon as both players are there")
	olga.get(d.tab("arbiter")).says(t, "not here yet", "The clocks start at")
	game := d.stored(t, 1).text("pairings", 0, "game_id")
	ada.get("//games/"+game).want(t, http.StatusOK).says(t, "I am here", "The clocks start as soon as all players are here")
	ada.form("/games/"+game+"/accept", nil).want(t, http.StatusSeeOther)
	bob.form("/games/"+game+"/accept", nil).want(t, http.StatusSeeOther)
	s.anonymous().get("/games/"+game).want(t, http.StatusOK).has(t, `"running"`)
}

// TestBoardsInTheHallOnTheDesk enters results of a rated tournament in the hall: rated or not, removed, and moved to
// the server.
func TestBoardsInTheHallOnTheDesk(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob, cyd, dan := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob"), s.register("cyd"), s.register("dan")
	made := olga.post("/tournaments", map[string]any{
		"name": "Hall", "variant": "quixo/duel", "format": "swiss", "rounds": 2, "time_control": "300+3", "venue": "hall", "rated": true,
	}).want(t, http.StatusCreated)
	d := &rounds{s: s, olga: olga, arno: olga, id: made.text("id")}
	path := "/tournaments/" + d.id
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	for _, p := range []person{ada, bob, cyd, dan} {
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	d.draw(t, 1)
	if page := olga.get(d.tab("round")).want(t, http.StatusOK).page(); strings.Contains(page, "The clocks start") {
		t.Error("clocks are offered for boards in the hall")
	}
	d.publish(t)
	board := func(form string, fields url.Values) *answer {
		fields.Set("seen", d.tags(t, 1)["1"])
		return olga.form(d.to("results/1/1")+form, fields)
	}
	result := func() *answer { return olga.get(path+"/rounds/1/pairings/1/result").want(t, http.StatusOK) }
	board("", url.Values{"result": {"1-0"}, "rateable": {"1"}}).want(t, http.StatusSeeOther)
	result().has(t, `"rated":false`)
	board("", url.Values{"result": {"1-0"}, "rateable": {"1"}, "rated": {"1"}}).want(t, http.StatusSeeOther)
	result().has(t, `"rated":true`)
	olga.get(d.tab("results")+"&board=1").want(t, http.StatusOK).says(t, "Counts for ratings", "Remove the result")
	moves := "[Variant \"quixo/duel\"]\r\n[Result \"1,2\"]\r\n\r\nc1-c5 a1-a5 2:!resignation 1,2\r\n"
	board("/record", url.Values{"record": {"nonsense"}}).want(t, http.StatusUnprocessableEntity).says(t, `role="alert"`)
	board("/record", url.Values{"record": {moves}}).want(t, http.StatusSeeOther)
	olga.get(d.tab("results")+"&board=1").want(t, http.StatusOK).says(t, "Record of the moves", "c1-c5 a1-a5")
	result().has(t, `"recorded":true`)
	ada.form(d.to("results/1/1/record"), url.Values{"record": {moves}}).want(t, http.StatusForbidden)
	board("/clear", url.Values{"reason": {" "}}).want(t, http.StatusUnprocessableEntity)
	board("/clear", url.Values{"reason": {"wrong board"}}).want(t, http.StatusSeeOther)
	result().lacks(t, `"result":"1-0","rated"`)
	if left := d.stored(t, 1).text("pairings", 0, "result"); left != "" {
		t.Errorf("the result %q was not removed", left)
	}
	board("/venue", url.Values{"venue": {"moon"}, "reason": {"x"}}).want(t, http.StatusUnprocessableEntity)
	board("/venue", url.Values{"venue": {"server"}, "reason": {"left early"}}).want(t, http.StatusSeeOther)
	olga.get(d.tab("arbiter")).want(t, http.StatusOK).says(t, "Games being played", "data-clock")
}

// TestCallsComeFirst shows a call from a game in the tab Arbiter, and the answer leads back to it.
func TestCallsComeFirst(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	id, _ := boardOne(t, round, ada, bob)
	olga.get("/"+path+"/desk?tab=arbiter").want(t, http.StatusOK).lacks(t, "the clock has stopped")
	ada.form("/games/"+id+"/call", url.Values{"word": {"the clock has stopped"}}).want(t, http.StatusSeeOther)
	page := olga.get("/"+path+"/desk?tab=arbiter").want(t, http.StatusOK).says(t, "the clock has stopped").page()
	found := regexp.MustCompile(`name="call" value="([^"]+)"`).FindStringSubmatch(page)
	if found == nil || strings.Index(page, "the clock has stopped") > strings.Index(page, "data-clock") {
		t.Fatalf("the call does not stand before the games:\n%s", page)
	}
	olga.form(path+"/desk/calls", url.Values{"call": {found[1]}, "status": {"settled"}, "tab": {"arbiter"}}).want(t, http.StatusSeeOther)
	olga.get("/"+path+"/desk?tab=arbiter").want(t, http.StatusOK).lacks(t, "the clock has stopped")
}

// TestCallsAreHeardOnEveryTab until an arbiter has seen them, and by the tournament's staff alone.
func TestCallsAreHeardOnEveryTab(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	id, _ := boardOne(t, round, ada, bob)
	desk := "/" + path + "/desk"
	heard := func(calls bool) {
		t.Helper()
		for _, at := range []string{"?tab=entries", "?tab=round", "?tab=results", "?tab=prizes", "?tab=settings"} {
			page := olga.get(desk+at).want(t, http.StatusOK)
			if calls {
				page.says(t, "is calling.", path+`/desk?tab=arbiter"`)
			} else {
				page.lacks(t, "is calling.")
			}
		}
	}
	heard(false)
	ada.form("/games/"+id+"/call", url.Values{"word": {"the clock has stopped"}}).want(t, http.StatusSeeOther)
	heard(true)
	bob.get(desk).want(t, http.StatusForbidden)
	page := olga.get(desk+"?tab=arbiter").want(t, http.StatusOK).page()
	if strings.Count(page, "is calling.") != 1 {
		t.Errorf("the tab that lists the calls points to them, too:\n%s", page)
	}
	call := regexp.MustCompile(`name="call" value="([^"]+)"`).FindStringSubmatch(page)[1]
	olga.form(path+"/desk/calls", url.Values{"call": {call}, "status": {"seen"}, "tab": {"arbiter"}}).want(t, http.StatusSeeOther)
	heard(false)
}

// TestTheDeskLeadsOnAfterTheLastRound to the prizes and to the end, which no tab but Settings has a button for.
func TestTheDeskLeadsOnAfterTheLastRound(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	at := "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "One round", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "none", "venue": "hall",
	}).want(t, http.StatusCreated).text("id")
	for _, name := range []string{"Ada", "Bob"} {
		olga.post(at+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated)
	}
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	olga.post(at+"/rounds", nil).want(t, http.StatusCreated)
	desk := "/" + at + "/desk?tab="
	page := olga.get(desk+"results").want(t, http.StatusOK).lacks(t, "#end").page()
	seen := regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(page)[1]
	olga.get(desk+"round").want(t, http.StatusOK).lacks(t, "#end")
	olga.form(at+"/desk/results/1/1", url.Values{"result": {"1-0"}, "seen": {seen}}).want(t, http.StatusSeeOther)
	olga.get(desk+"results").want(t, http.StatusOK).says(t, "#end", "tab=prizes")
	olga.get(desk+"round").want(t, http.StatusOK).says(t, "All rounds have been played.", "#end")
	olga.get(desk+"settings").want(t, http.StatusOK).says(t, `id="end"`, "Finish tournament")
}

// TestResigningIsNotRunningOutOfTime: the page shows the other clock alone.
func TestResigningIsNotRunningOutOfTime(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	_, round := running(t, olga, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	ada.get("//games/"+id).want(t, http.StatusOK).says(t, `role="timer"`)
	seated[0].post("/games/"+id+"/resign", map[string]any{"seat": 1}).want(t, http.StatusOK)
	page := ada.get("//games/"+id).want(t, http.StatusOK).lacks(t, ">0:00<").page()
	if n := strings.Count(page, `role="timer"`); n != 1 {
		t.Errorf("%d clocks after a resignation, want 1", n)
	}
}

// TestTheScriptWritesWhatTheServerWrites: results that the desk's script shows by itself come from the page, and its
// questions are those of the page without it.
func TestTheScriptWritesWhatTheServerWrites(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	d.publish(t)
	page := d.arno.get(d.tab("results")).want(t, http.StatusOK).page()
	_, text, _ := strings.Cut(page, `data-written="`)
	var written map[string]string
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&written); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("pages/static/desk/desk-results.js")
	if err != nil {
		t.Fatal(err)
	}
	entered := regexp.MustCompile(`\['[150]', '([^']+)'\]`).FindAllStringSubmatch(string(script), -1)
	if len(entered) != 6 {
		t.Fatalf("the script enters %q", entered)
	}
	for _, result := range entered {
		if got, want := written[result[1]], kit.PrettyResult(result[1]); got == "" || got != want {
			t.Errorf("%s is shown as %q, want %q", result[1], got, want)
		}
	}
	if found := regexp.MustCompile(`[½−]|replaceAll`).FindString(string(script)); found != "" {
		t.Errorf("the script writes %q by itself", found)
	}
	for _, name := range regexp.MustCompile(`word\('([a-z]+)'\)`).FindAllStringSubmatch(string(script), -1) {
		if !strings.Contains(page, "data-word-"+name[1]+"=") {
			t.Errorf("the page has no text for the script's word %s", name[1])
		}
	}
	seen := d.tags(t, 1)["1"]
	d.result(d.olga, 1, 1, url.Values{"seen": {seen}, "result": {"1/2-1/2"}}).want(t, http.StatusOK).has(t, `"shown":"½ – ½"`)
	for kind, fields := range map[string]url.Values{
		"changed": {"seen": {seen}, "result": {"+--"}},
		"reason":  {"seen": {d.tags(t, 1)["1"]}, "result": {"0-1"}},
	} {
		asked := d.result(d.arno, 1, 1, fields).want(t, http.StatusConflict).has(t, `"ask":"`+kind+`"`)
		question := asked.text("question")
		if question == "" {
			t.Errorf("%s: no question", kind)
		}
		d.arno.form(d.to("results/1/1"), fields).want(t, http.StatusConflict).says(t, "<p>"+question+"</p>")
	}
}
