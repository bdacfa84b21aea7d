package desk_test

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

	"quatuor/api/apitest"
	"quatuor/api/pages/kit"
	"quatuor/tournament/account"
)

// rounds is a tournament with its desk: olga runs it, arno is its arbiter.
type rounds struct {
	s          *apitest.Service
	olga, arno apitest.Person
	id         string
}

// newRounds starts a Swiss over the board.
func newRounds(t *testing.T, entries int) *rounds {
	t.Helper()
	s := apitest.New(t, apitest.WithPages)
	d := &rounds{s: s, olga: s.WithRole("olga", account.RoleOrganiser), arno: s.Register("arno")}
	d.id = d.olga.Draft("Thursday")
	d.arbiters(t, "arno")
	d.olga.Post("/tournaments/"+d.id+"/open", nil).Want(t, http.StatusOK)
	for i := range entries {
		d.olga.Post("/tournaments/"+d.id+"/entries", map[string]any{"name": fmt.Sprintf("Player %c", 'A'+i), "rating": 2000 - i}).Want(t, http.StatusCreated)
	}
	d.olga.Post("/tournaments/"+d.id+"/start", nil).Want(t, http.StatusOK)
	return d
}

func (d *rounds) arbiters(t *testing.T, logins ...string) {
	t.Helper()
	tag := apitest.Header{"If-Match", d.olga.Get("/tournaments/" + d.id + "/arbiters").Header.Get("ETag")}
	d.olga.Send(http.MethodPut, "/tournaments/"+d.id+"/arbiters", map[string]any{"logins": logins}, tag).
		Want(t, http.StatusOK)
}

func (d *rounds) tab(name string) string { return "//tournaments/" + d.id + "/desk?tab=" + name }

func (d *rounds) to(form string) string { return "/tournaments/" + d.id + "/desk/" + form }

// seen returns the hidden field "seen" of the first form of a tab.
func (d *rounds) seen(t *testing.T, tab string) string {
	t.Helper()
	found := regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(d.olga.Get(d.tab(tab)).Want(t, http.StatusOK).Page())
	if found == nil {
		t.Fatalf("there is no form in the tab %s", tab)
	}
	return found[1]
}

// tags returns what an arbiter sees of each board of a round, by board.
func (d *rounds) tags(t *testing.T, round int) map[string]string {
	t.Helper()
	page := d.arno.Get(fmt.Sprintf("%s&round=%d", d.tab("results"), round)).Want(t, http.StatusOK).Page()
	out := map[string]string{}
	for _, row := range regexp.MustCompile(`data-board="([0-9]+)" data-tag="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		out[row[1]] = row[2]
	}
	return out
}

// result enters a result as the page's script does.
func (d *rounds) result(who apitest.Person, round, board int, fields url.Values) *apitest.Answer {
	d.s.T.Helper()
	return who.PostForm(fmt.Sprintf("%s/%d/%d", d.to("results"), round, board), fields,
		apitest.Header{"Accept", "application/json"})
}

func (d *rounds) draw(t *testing.T, n int) {
	t.Helper()
	d.olga.PostForm(d.to("round/pair"), url.Values{"round": {fmt.Sprint(n)}}).Want(t, http.StatusSeeOther)
}

func (d *rounds) publish(t *testing.T) {
	t.Helper()
	d.olga.PostForm(d.to("round/publish"), url.Values{"seen": {d.seen(t, "round")}}).Want(t, http.StatusSeeOther)
}

func (d *rounds) stored(t *testing.T, n int) *apitest.Answer {
	t.Helper()
	return d.olga.Get(fmt.Sprintf("/tournaments/%s/rounds/%d", d.id, n)).Want(t, http.StatusOK)
}

// TestDeskRoundFromDraftToResults follows a round from its draft: changed by hand, published, results, the next draft.
func TestDeskRoundFromDraftToResults(t *testing.T) {
	d := newRounds(t, 7)
	d.olga.Get(d.tab("round")).Want(t, http.StatusOK).Says(t, "Pair next round", "Before the first round")
	d.draw(t, 1)
	d.olga.PostForm(d.to("round/pair"), url.Values{"round": {"1"}}).Want(t, http.StatusPreconditionFailed).Says(t, "Someone else changed the tournament")
	d.arno.Get(d.tab("round")).Want(t, http.StatusOK).Says(t, "draft, not published", "Player A", "Publish", "Swap", "Why these pairings?")
	before := d.stored(t, 1)
	one, two := before.Text("pairings", 0, "seats", 0), before.Text("pairings", 1, "seats", 0)
	seen := d.seen(t, "round")
	d.arno.PostForm(d.to("round/edit"), url.Values{"act": {"swap"}, "seat": {one, two}, "seen": {seen}}).
		Want(t, http.StatusSeeOther)
	d.arno.PostForm(d.to("round/edit"), url.Values{"act": {"swap"}, "seat": {one, two}, "seen": {seen}}).Want(t, http.StatusPreconditionFailed)
	if after := d.stored(t, 1); after.Text("pairings", 0, "seats", 0) != two ||
		after.Text("pairings", 1, "seats", 0) != one {
		t.Errorf("not swapped, or swapped twice: %s", after.Raw)
	}
	d.olga.PostForm(d.to("round/edit"), url.Values{"act": {"unpair:1"}, "seen": {d.seen(t, "round")}}).
		Want(t, http.StatusSeeOther)
	d.olga.Get(d.tab("round")).Says(t, "Without a game", "First pair those without a game", "disabled")
	d.olga.PostForm(d.to("round/publish"), url.Values{"seen": {d.seen(t, "round")}}).Want(t, http.StatusConflict).Says(t, `role="alert"`)
	left := before.Text("pairings", 0, "seats", 1)
	d.olga.PostForm(d.to("round/edit"), url.Values{"act": {"pair"}, "seat": {left, two}, "seen": {d.seen(t, "round")}}).Want(t, http.StatusSeeOther)
	d.olga.PostForm(d.to("round/edit"), url.Values{"act": {"reseat:1"}, "seen": {d.seen(t, "round")}}).
		Want(t, http.StatusSeeOther)
	d.publish(t)
	d.olga.Get(d.tab("results")).Want(t, http.StatusOK).Says(t, "3 of 3 results are missing", "Save result")
	for board, tag := range d.tags(t, 1) {
		d.arno.PostForm(d.to("results/1/"+board), url.Values{"seen": {tag}, "result": {"1-0"}}).Want(t, http.StatusSeeOther)
	}
	d.olga.Get(d.tab("results")).Says(t, "All results are in.", "Pair next round")
	d.draw(t, 2)
	d.olga.PostForm(d.to("round/delete"), url.Values{"seen": {d.seen(t, "round")}}).Want(t, http.StatusSeeOther)
	d.draw(t, 2)
	d.olga.PostForm(d.to("round/redraw"), url.Values{"seen": {d.seen(t, "round")}}).Want(t, http.StatusSeeOther)
	if again := d.stored(t, 2); again.Text("status") != "paired" {
		t.Errorf("%s", again.Raw)
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
			if a.Status != http.StatusOK || len(a.Raw) > 300 {
				t.Errorf("board %d: %d, %d bytes: %s", board, a.Status, len(a.Raw), a.Raw)
			}
		})
	}
	wg.Wait()
	round := d.stored(t, 1)
	for i := range 12 {
		if round.Text("pairings", i, "result") != "0-1" {
			t.Errorf("board %d has %q", i+1, round.Text("pairings", i, "result"))
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
	d.result(d.olga, 1, 1, first).Want(t, http.StatusOK).Has(t, `"result":"1-0"`)
	d.result(d.olga, 1, 1, first).Want(t, http.StatusOK).Has(t, `"result":"1-0"`) // sent again after a lost answer
	d.result(d.arno, 1, 1, first).Want(t, http.StatusOK)
	other := url.Values{"seen": {seen}, "result": {"0-1"}}
	d.result(d.arno, 1, 1, other).Want(t, http.StatusConflict).Has(t, `"ask":"changed"`, `"result":"1-0"`)
	d.arno.PostForm(d.to("results/1/1"), other).Want(t, http.StatusConflict).Says(t, "Someone else entered 1 – 0 at board 1 meanwhile. Replace it with 0 – 1?", `role="alert"`, "Save mine", "Keep theirs")
	now := d.tags(t, 1)["1"]
	d.result(d.arno, 1, 1, url.Values{"seen": {now}, "result": {"0-1"}}).Want(t, http.StatusConflict).
		Has(t, `"ask":"reason"`)
	d.result(d.arno, 1, 1, url.Values{"seen": {now}, "result": {"0-1"}, "reason": {"misread slip"}}).Want(t, http.StatusOK).Has(t, `"result":"0-1"`)
	// correcting one's own slip needs no reason
	d.result(d.arno, 1, 1, url.Values{"seen": {d.tags(t, 1)["1"]}, "result": {"1/2-1/2"}}).Want(t, http.StatusOK)
	d.olga.Get(d.tab("results")+"&board=1").Want(t, http.StatusOK).
		Says(t, "History of this board", "misread slip", "arno", "olga")
	if changes := d.olga.Get("/tournaments/"+d.id+"/rounds/1/pairings/1/result").Want(t, http.StatusOK).List("history"); len(changes) != 3 {
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
	d.olga.PostForm(d.to("round/edit"), url.Values{
		"act": {"swap"}, "seat": {round.Text("pairings", 0, "seats", 0), round.Text("pairings", 1, "seats", 0)}, "seen": {d.seen(t, "round")},
	}).Want(t, http.StatusSeeOther)
	now := make([]string, 2)
	for i := range now {
		seat := d.stored(t, 1).Text("pairings", 0, "seats", i)
		now[i] = d.olga.Get("/tournaments/"+d.id+"/entries/"+seat).Want(t, http.StatusOK).Text("name")
	}
	question := "Board 1 was re-paired; " + strings.Join(now, " – ") + " sit there now. Save 1 – 0 for them?"
	asked := d.result(d.arno, 1, 1, url.Values{"seen": {old}, "result": {"1-0"}}).Want(t, http.StatusConflict).
		Has(t, `"ask":"paired"`, question)
	d.arno.PostForm(d.to("results/1/1"), url.Values{"seen": {old}, "result": {"1-0"}}).Want(t, http.StatusConflict).
		Says(t, question, `role="alert"`)
	if after := d.stored(t, 1); after.Text("pairings", 0, "result") != "" {
		t.Errorf("%s", after.Raw)
	}
	d.result(d.arno, 1, 1, url.Values{"seen": {asked.Text("tag")}, "result": {"1-0"}, "sure": {"1"}}).
		Want(t, http.StatusOK)
}

// TestWhatIsNotAResult refuses everything else without changing anything.
func TestWhatIsNotAResult(t *testing.T) {
	d := newRounds(t, 5)
	d.draw(t, 1)
	d.arno.PostForm(d.to("results/1/1"), url.Values{"result": {"1-0"}}).Want(t, http.StatusNotFound) // not published
	d.publish(t)
	seen := d.tags(t, 1)["1"]
	for name, fields := range map[string]url.Values{
		"nothing": {"seen": {seen}}, "no result": {"seen": {seen}, "result": {""}},
		"nonsense":                       {"seen": {seen}, "result": {"2-0"}},
		"an adjudication without reason": {"seen": {seen}, "result": {"1-0"}, "adjudicated": {"1"}},
		"a control character":            {"seen": {seen}, "result": {"1-0"}, "reason": {"a\u202eb"}},
		"a long reason":                  {"seen": {seen}, "result": {"1-0"}, "reason": {strings.Repeat("x", 501)}},
	} {
		if a := d.result(d.arno, 1, 1, fields); a.Status != http.StatusUnprocessableEntity || !strings.Contains(string(a.Raw), `"error"`) {
			t.Errorf("%s: %d %s", name, a.Status, a.Raw)
		}
		if a := d.arno.PostForm(d.to("results/1/1"), fields); a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Page(), `role="alert"`) {
			t.Errorf("%s, as a page: %d", name, a.Status)
		}
	}
	if a := d.arno.PostForm(d.to("results/1/1"), url.Values{"seen": {seen}, "result": {"1-0"}, "reason": {strings.Repeat("x", 5<<20)}}); a.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of five megabytes: %d", a.Status)
	}
	for _, path := range []string{
		"results/1/3", "results/1/9", "results/2/1", "results/x/1", "results/1/x",
		"results/0/1",
	} {
		d.arno.PostForm(d.to(path), url.Values{"seen": {seen}, "result": {"1-0"}}).Want(t, http.StatusNotFound)
	}
	for _, bad := range []url.Values{{"act": {"unpair:x"}}, {"act": {"unpair:99999999999999999999"}}} {
		bad.Set("seen", d.seen(t, "round"))
		d.arno.PostForm(d.to("round/edit"), bad).Want(t, http.StatusBadRequest)
	}
	for _, bad := range []url.Values{{"act": {"swap"}}, {"act": {"nonsense"}}, {"act": {"bye"}, "bye": {"XXX"}}, {"act": {"swap"}, "seat": {"nobody", "no one"}}} {
		bad.Set("seen", d.seen(t, "round"))
		d.arno.PostForm(d.to("round/edit"), bad).Want(t, http.StatusUnprocessableEntity)
	}
	if after := d.stored(t, 1); after.Text("pairings", 0, "result") != "" {
		t.Errorf("%s", after.Raw)
	}
}

// TestDeskRoundIsForStaff tries every form and page as each that may not.
func TestDeskRoundIsForStaff(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	other := d.s.WithRole("otto", account.RoleOrganiser)
	id := other.Draft("Friday")
	tag := apitest.Header{"If-Match", other.Get("/tournaments/" + id + "/arbiters").Header.Get("ETag")}
	foreign, player := d.s.Register("fritz"), d.s.Register("paul")
	other.Send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"fritz"}}, tag).Want(t, http.StatusOK)
	seen, names := d.seen(t, "round"), "Player B"
	forms := []string{"round/pair", "round/edit", "round/publish", "round/delete", "round/redraw", "results/1/1", "results/1/1/adjourn", "results/1/1/again", "results/1/1/clear", "results/1/1/venue", "results/1/1/record"}
	pages := []string{"?tab=round", "?tab=results", "?tab=arbiter", "?tab=results&round=1", "?tab=results&round=1&board=1", "/results/1", "/live"}
	for who, p := range map[string]apitest.Person{"stranger": d.s.Anonymous(), "player": player, "other organiser": other, "other's arbiter": foreign} {
		for _, form := range forms {
			a := p.PostForm(d.to(form), url.Values{"seen": {seen}, "round": {"2"}, "result": {"1-0"}, "reason": {"x"}, "act": {"unpair:1"}})
			if !slices.Contains([]int{http.StatusForbidden, http.StatusSeeOther, http.StatusNotFound}, a.Status) || a.Status == http.StatusSeeOther && !strings.HasPrefix(a.Header.Get("Location"), "/login") {
				t.Errorf("%s by %s: %d", form, who, a.Status)
			}
			if strings.Contains(a.Page(), names) {
				t.Errorf("%s tells %s of the draft", form, who)
			}
		}
		for _, path := range pages {
			a := p.Get("//tournaments/" + d.id + "/desk" + path)
			if a.Status == http.StatusOK || strings.Contains(a.Page(), names) {
				t.Errorf("%s for %s: %d", path, who, a.Status)
			}
		}
	}
	if round := d.stored(t, 1); round.Text("status") != "paired" || len(round.List("pairings")) != 3 {
		t.Errorf("%s", round.Raw)
	}
}

// TestAResultBreaksARunningGameOffOnlyWhenSure demands a confirmation before a result breaks off a game on the server.
func TestAResultBreaksARunningGameOffOnlyWhenSure(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	id, _ := apitest.BoardOne(t, round, ada, bob)
	d := &rounds{s: s, olga: olga, arno: olga, id: strings.TrimPrefix(path, "/tournaments/")}
	fields := url.Values{"seen": {d.tags(t, 1)["1"]}, "result": {"1-0"}}
	d.result(olga, 1, 1, fields).Want(t, http.StatusConflict).Has(t, `"ask":"running"`)
	olga.PostForm(d.to("results/1/1"), fields).Want(t, http.StatusConflict).
		Says(t, "is being played on the server", `name="sure"`)
	olga.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"running"`)
	fields.Set("sure", "1")
	d.result(olga, 1, 1, fields).Want(t, http.StatusOK)
	olga.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"aborted"`)
}

// TestPublishWithClocksThatStartLater sends the choices of the form.
func TestPublishWithClocksThatStartLater(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	d := &rounds{s: s, olga: olga, arno: olga, id: strings.TrimPrefix(path, "/tournaments/")}
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{ada, bob} {
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	d.draw(t, 1)
	olga.Get(d.tab("round")).Says(t, "The clocks start", "when both are there")
	for _, bad := range []url.Values{{"start": {"later"}, "minutes-later": {"0"}}, {"start": {"later"}, "minutes-later": {"1441"}}, {"start": {"together"}, "minutes-together": {"x"}}} {
		bad.Set("seen", d.seen(t, "round"))
		olga.PostForm(d.to("round/publish"), bad).Want(t, http.StatusUnprocessableEntity).Says(t, `role="alert"`, `value="`+bad.Get("start")+`" checked`)
	}
	olga.PostForm(d.to("round/publish"), url.Values{"start": {"together"}, "minutes-together": {"10"}, "seen": {d.seen(t, "round")}}).Want(t, http.StatusSeeOther)
	olga.Get(d.tab("round")).Says(t, "as soon as both players are there")
	olga.Get(d.tab("arbiter")).Says(t, "not here yet", "The clocks start at")
	game := d.stored(t, 1).Text("pairings", 0, "game_id")
	ada.Get("//games/"+game).Want(t, http.StatusOK).
		Says(t, "I am here", "The clocks start as soon as all players are here")
	ada.PostForm("/games/"+game+"/accept", nil).Want(t, http.StatusSeeOther)
	bob.PostForm("/games/"+game+"/accept", nil).Want(t, http.StatusSeeOther)
	s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK).Has(t, `"running"`)
}

// TestBoardsInTheHallOnTheDesk enters results of a rated tournament in the hall: rated or not, removed, and moved to
// the server.
func TestBoardsInTheHallOnTheDesk(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob, cyd, dan := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob"), s.Register("cyd"), s.Register("dan")
	made := olga.Post("/tournaments", map[string]any{
		"name": "Hall", "variant": "quixo/duel", "format": "swiss", "rounds": 2, "time_control": "300+3", "venue": "hall", "rated": true,
	}).Want(t, http.StatusCreated)
	d := &rounds{s: s, olga: olga, arno: olga, id: made.Text("id")}
	path := "/tournaments/" + d.id
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{ada, bob, cyd, dan} {
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	d.draw(t, 1)
	if page := olga.Get(d.tab("round")).Want(t, http.StatusOK).Page(); strings.Contains(page, "The clocks start") {
		t.Error("clocks are offered for boards in the hall")
	}
	d.publish(t)
	board := func(form string, fields url.Values) *apitest.Answer {
		fields.Set("seen", d.tags(t, 1)["1"])
		return olga.PostForm(d.to("results/1/1")+form, fields)
	}
	result := func() *apitest.Answer { return olga.Get(path+"/rounds/1/pairings/1/result").Want(t, http.StatusOK) }
	board("", url.Values{"result": {"1-0"}, "rateable": {"1"}}).Want(t, http.StatusSeeOther)
	result().Has(t, `"rated":false`)
	board("", url.Values{"result": {"1-0"}, "rateable": {"1"}, "rated": {"1"}}).Want(t, http.StatusSeeOther)
	result().Has(t, `"rated":true`)
	olga.Get(d.tab("results")+"&board=1").Want(t, http.StatusOK).Says(t, "Counts for ratings", "Remove the result")
	moves := "[Variant \"quixo/duel\"]\r\n[Result \"1,2\"]\r\n\r\nc1-c5 a1-a5 2:!resignation 1,2\r\n"
	board("/record", url.Values{"record": {"nonsense"}}).Want(t, http.StatusUnprocessableEntity).Says(t, `role="alert"`)
	board("/record", url.Values{"record": {moves}}).Want(t, http.StatusSeeOther)
	olga.Get(d.tab("results")+"&board=1").Want(t, http.StatusOK).Says(t, "Record of the moves", "c1-c5 a1-a5")
	result().Has(t, `"recorded":true`)
	ada.PostForm(d.to("results/1/1/record"), url.Values{"record": {moves}}).Want(t, http.StatusForbidden)
	board("/clear", url.Values{"reason": {" "}}).Want(t, http.StatusUnprocessableEntity)
	board("/clear", url.Values{"reason": {"wrong board"}}).Want(t, http.StatusSeeOther)
	result().Lacks(t, `"result":"1-0","rated"`)
	if left := d.stored(t, 1).Text("pairings", 0, "result"); left != "" {
		t.Errorf("the result %q was not removed", left)
	}
	board("/venue", url.Values{"venue": {"moon"}, "reason": {"x"}}).Want(t, http.StatusUnprocessableEntity)
	board("/venue", url.Values{"venue": {"server"}, "reason": {"left early"}}).Want(t, http.StatusSeeOther)
	olga.Get(d.tab("arbiter")).Want(t, http.StatusOK).Says(t, "Games being played", "data-clock")
}

// TestCallsComeFirst shows a call from a game in the tab Arbiter, and the answer leads back to it.
func TestCallsComeFirst(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	id, _ := apitest.BoardOne(t, round, ada, bob)
	olga.Get("/"+path+"/desk?tab=arbiter").Want(t, http.StatusOK).Lacks(t, "the clock has stopped")
	ada.PostForm("/games/"+id+"/call", url.Values{"word": {"the clock has stopped"}}).Want(t, http.StatusSeeOther)
	page := olga.Get("/"+path+"/desk?tab=arbiter").Want(t, http.StatusOK).Says(t, "the clock has stopped").Page()
	found := regexp.MustCompile(`name="call" value="([^"]+)"`).FindStringSubmatch(page)
	if found == nil || strings.Index(page, "the clock has stopped") > strings.Index(page, "data-clock") {
		t.Fatalf("the call does not stand before the games:\n%s", page)
	}
	olga.PostForm(path+"/desk/calls", url.Values{"call": {found[1]}, "status": {"settled"}, "tab": {"arbiter"}}).Want(t, http.StatusSeeOther)
	olga.Get("/"+path+"/desk?tab=arbiter").Want(t, http.StatusOK).Lacks(t, "the clock has stopped")
}

// TestCallsAreHeardOnEveryTab until an arbiter has seen them, and by the tournament's staff alone.
func TestCallsAreHeardOnEveryTab(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	id, _ := apitest.BoardOne(t, round, ada, bob)
	desk := "/" + path + "/desk"
	heard := func(calls bool) {
		t.Helper()
		for _, at := range []string{"?tab=entries", "?tab=round", "?tab=results", "?tab=prizes", "?tab=settings"} {
			page := olga.Get(desk+at).Want(t, http.StatusOK)
			if calls {
				page.Says(t, "is calling.", path+`/desk?tab=arbiter"`)
			} else {
				page.Lacks(t, "is calling.")
			}
		}
	}
	heard(false)
	ada.PostForm("/games/"+id+"/call", url.Values{"word": {"the clock has stopped"}}).Want(t, http.StatusSeeOther)
	heard(true)
	bob.Get(desk).Want(t, http.StatusForbidden)
	page := olga.Get(desk+"?tab=arbiter").Want(t, http.StatusOK).Page()
	if strings.Count(page, "is calling.") != 1 {
		t.Errorf("the tab that lists the calls points to them, too:\n%s", page)
	}
	call := regexp.MustCompile(`name="call" value="([^"]+)"`).FindStringSubmatch(page)[1]
	olga.PostForm(path+"/desk/calls", url.Values{"call": {call}, "status": {"seen"}, "tab": {"arbiter"}}).Want(t, http.StatusSeeOther)
	heard(false)
}

// TestTheDeskLeadsOnAfterTheLastRound to the prizes and to the end, which no tab but Settings has a button for.
func TestTheDeskLeadsOnAfterTheLastRound(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	at := "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "One round", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "none", "venue": "hall",
	}).Want(t, http.StatusCreated).Text("id")
	for _, name := range []string{"Ada", "Bob"} {
		olga.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated)
	}
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	olga.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
	desk := "/" + at + "/desk?tab="
	page := olga.Get(desk+"results").Want(t, http.StatusOK).Lacks(t, "#end").Page()
	seen := regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(page)[1]
	olga.Get(desk+"round").Want(t, http.StatusOK).Lacks(t, "#end")
	olga.PostForm(at+"/desk/results/1/1", url.Values{"result": {"1-0"}, "seen": {seen}}).Want(t, http.StatusSeeOther)
	olga.Get(desk+"results").Want(t, http.StatusOK).Says(t, "#end", "tab=prizes")
	olga.Get(desk+"round").Want(t, http.StatusOK).Says(t, "All rounds have been played.", "#end")
	olga.Get(desk+"settings").Want(t, http.StatusOK).Says(t, `id="end"`, "Finish tournament")
}

// TestResigningIsNotRunningOutOfTime: the page shows the other clock alone.
func TestResigningIsNotRunningOutOfTime(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	_, round := apitest.StartTournament(t, olga, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	ada.Get("//games/"+id).Want(t, http.StatusOK).Says(t, `role="timer"`)
	seated[0].Post("/games/"+id+"/resign", map[string]any{"seat": 1}).Want(t, http.StatusOK)
	page := ada.Get("//games/"+id).Want(t, http.StatusOK).Lacks(t, ">0:00<").Page()
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
	page := d.arno.Get(d.tab("results")).Want(t, http.StatusOK).Page()
	_, text, _ := strings.Cut(page, `data-written="`)
	var written map[string]string
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&written); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../static/desk/desk-results.js")
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
	d.result(d.olga, 1, 1, url.Values{"seen": {seen}, "result": {"1/2-1/2"}}).Want(t, http.StatusOK).
		Has(t, `"shown":"½ – ½"`)
	for kind, fields := range map[string]url.Values{
		"changed": {"seen": {seen}, "result": {"+--"}},
		"reason":  {"seen": {d.tags(t, 1)["1"]}, "result": {"0-1"}},
	} {
		asked := d.result(d.arno, 1, 1, fields).Want(t, http.StatusConflict).Has(t, `"ask":"`+kind+`"`)
		question := asked.Text("question")
		if question == "" {
			t.Errorf("%s: no question", kind)
		}
		d.arno.PostForm(d.to("results/1/1"), fields).Want(t, http.StatusConflict).Says(t, "<p>"+question+"</p>")
	}
}
