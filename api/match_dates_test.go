package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
)

// datedLeague is a league in which a round has three weeks for its matches.
func datedLeague(t *testing.T, n int, change ...func(*configuration)) *league {
	t.Helper()
	return newLeague(t, `{"name":"League","variant":"quixo/duel","format":"team_round_robin","time_control":"300+3",
		"teams":{"boards":[{},{"game":"quits/duel"}],"days":21,"deadline_minutes":60}}`, n, change...)
}

// at returns a time so long from now, as it is sent.
func (x *league) at(d time.Duration) string {
	return x.now().Add(d).UTC().Truncate(time.Minute).Format(time.RFC3339)
}

// propose sends a captain's proposal of a date.
func (p person) propose(match, at string) *answer {
	return p.post(match+"/date/proposal", map[string]any{"at": at})
}

// TestDatesOfMatches: captains propose and agree, an arbiter sets a date and a last day, and line-ups are due before
// each match by itself.
func TestDatesOfMatches(t *testing.T) {
	x := datedLeague(t, 4)
	list := x.matches(1)
	match, other := list[0], list[1]
	white, black := x.sides(match)
	home, away, anyone := lasting(x.captains[white]), x.captains[black], x.anonymous()
	x.olga = lasting(x.olga)
	const week = 7 * 24 * time.Hour
	last, first, second := anyone.get(match).text("date", "last_day"), x.at(week), x.at(week+24*time.Hour)
	if got := anyone.get(match); got.at("date", "agreed") != false || got.text("date", "at") != last {
		t.Errorf("%s", got.raw)
	}

	for who, p := range map[string]person{"another captain": x.captains[3-white-black], "a member": x.second[white], "the organiser": x.olga} {
		if who == "another captain" {
			stranger, _ := x.sides(other)
			p = x.captains[stranger]
		}
		if got := p.propose(match, first); got.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", who, got.status, got.raw)
		}
	}
	anyone.propose(match, first).want(t, http.StatusUnauthorized)
	home.propose(match, x.at(59*time.Minute)).want(t, http.StatusUnprocessableEntity).has(t, "at the earliest")
	home.propose(match, x.at(4*week)).want(t, http.StatusUnprocessableEntity).has(t, "the last day")
	home.propose(match, "soon").want(t, http.StatusBadRequest)
	home.send(http.MethodPut, match+"/date", map[string]any{"at": first}, header{"If-Match", "*"}).want(t, http.StatusForbidden)

	home.propose(match, first).want(t, http.StatusOK)
	seen := map[string]*answer{"away": away.get(match), "staff": x.olga.get(match), "public": anyone.get(match)}
	if seen["away"].text("date", "proposals", 0, "entry_id") != x.entries[white] || len(seen["staff"].list("date", "proposals")) != 1 {
		t.Errorf("%s", seen["away"].raw)
	}
	seen["public"].lacks(t, "proposals", first[:16])
	away.propose(match, second).want(t, http.StatusOK)
	if got := home.get(match); got.at("date", "agreed") != false || len(got.list("date", "proposals")) != 2 {
		t.Errorf("%s", got.raw)
	}
	home.propose(match, second).want(t, http.StatusOK)
	agreed := anyone.get(match)
	due, _ := time.Parse(time.RFC3339, agreed.text("due_at"))
	when, _ := time.Parse(time.RFC3339, second)
	if agreed.at("date", "agreed") != true || !when.Equal(due.Add(time.Hour)) {
		t.Errorf("%s", agreed.raw)
	}
	away.propose(match, x.at(week+48*time.Hour)).want(t, http.StatusOK) // what was agreed stands
	if got := anyone.get(match); got.text("date", "at") != agreed.text("date", "at") {
		t.Errorf("%s", got.raw)
	}
	away.post(match+"/date/proposal", map[string]any{}).want(t, http.StatusOK)
	if got := away.get(match); len(got.list("date", "proposals")) != 0 {
		t.Errorf("%s", got.raw)
	}

	x.olga.send(http.MethodPut, other+"/date", map[string]any{"at": second, "last_day": second}, header{"If-Match", "*"}).
		want(t, http.StatusUnprocessableEntity)
	x.olga.send(http.MethodPut, other+"/date", map[string]any{"last_day": x.at(5 * week)}, header{"If-Match", "*"}).want(t, http.StatusOK)
	x.olga.send(http.MethodPut, other+"/date", map[string]any{"at": second}, header{"If-Match", `"old"`}).want(t, http.StatusPreconditionFailed)
	if got := anyone.get(other); got.text("date", "at") != got.text("date", "last_day") || got.at("date", "agreed") != false {
		t.Errorf("%s", got.raw)
	}
	h := x.olga.get(x.path+"/history").want(t, http.StatusOK)
	h.has(t, "match_date", "agreed: ")
	x.olga.post(x.path+"/undo", map[string]any{"act": h.number("undoable")}).want(t, http.StatusOK)
	if got := anyone.get(other); got.text("date", "last_day") != last {
		t.Errorf("after the undo %s", got.raw)
	}

	x.pass(week + 24*time.Hour - 61*time.Minute)
	x.due(t)
	if anyone.get(match).at("revealed") != false {
		t.Error("revealed before its time")
	}
	x.pass(2 * time.Minute)
	x.due(t)
	if anyone.get(match).at("revealed") != true || anyone.get(other).at("revealed") != false {
		t.Error("not each match is revealed by itself")
	}
	home.propose(match, x.at(48*time.Hour)).want(t, http.StatusConflict)
	x.olga.send(http.MethodPut, match+"/date", map[string]any{"at": x.at(48 * time.Hour)}, header{"If-Match", "*"}).want(t, http.StatusConflict)
	game := anyone.get("/games/" + anyone.get(match).text("boards", 0, "game_id"))
	if begins, _ := time.Parse(time.RFC3339, game.text("starts_at")); !begins.Equal(when) {
		t.Errorf("the game starts at %q, and the match is at %s", game.text("starts_at"), second)
	}
	x.pass(2 * week)
	x.due(t)
	if anyone.get(other).at("revealed") != true {
		t.Error("a match without a date is not revealed on its last day")
	}
}

// due reveals the line-ups that are due.
func (s *service) due(t *testing.T) {
	t.Helper()
	if err := s.reveal(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// TestCaptainsAgreeAtOnce: both propose the same date at the same time, again and again; it is agreed once, and nothing
// is left over.
func TestCaptainsAgreeAtOnce(t *testing.T) {
	x := datedLeague(t, 2)
	match := x.matches(1)[0]
	for i := range 6 {
		at := x.at(time.Duration(i+2) * 24 * time.Hour)
		var both sync.WaitGroup
		for _, p := range x.captains {
			both.Go(func() { p.propose(match, at).want(t, http.StatusOK) })
		}
		both.Wait()
		got := x.olga.get(match)
		agreed, _ := time.Parse(time.RFC3339, got.text("date", "at"))
		if want, _ := time.Parse(time.RFC3339, at); got.at("date", "agreed") != true || len(got.list("date", "proposals")) != 0 || !agreed.Equal(want) {
			t.Fatalf("%s", got.raw)
		}
	}
}

// TestDatesOnPages: two captains agree through the forms of their team, and an arbiter sets the date on the page of the
// match.
func TestDatesOnPages(t *testing.T) {
	x := datedLeague(t, 2, withRealPages)
	rest := x.matches(1)[0]
	page := strings.Replace(rest, "/rounds/1/matches/", "/matches/1/", 1)
	white, black := x.sides(rest)
	form := func(p person, fields url.Values) *answer { return p.form(page+"/date", fields) }
	typed := x.now().Add(9 * 24 * time.Hour).UTC().Format("2006-01-02T15:04")
	form(x.captains[white], url.Values{"do": {"propose"}, "at": {typed}, "team": {x.entries[white]}}).want(t, http.StatusSeeOther)
	mine := x.captains[black].get("/"+x.path+"/team").want(t, http.StatusOK).page()
	_, agree, found := strings.Cut(mine, `name="agree" value="`)
	if agree, _, _ = strings.Cut(agree, `"`); !found || strings.Contains(mine, `value="back"`) {
		t.Fatalf("nothing to agree to: %s", mine)
	}
	if other := x.second[black].get("/" + x.path + "/team").page(); !strings.Contains(other, typed[8:10]) || strings.Contains(other, `name="agree"`) {
		t.Error("a member sees no proposal, or could agree to it")
	}
	form(x.captains[black], url.Values{"do": {"agree"}, "agree": {agree}}).want(t, http.StatusSeeOther)
	if got := x.olga.get(rest); got.at("date", "agreed") != true {
		t.Errorf("%s", got.raw)
	}
	form(x.second[white], url.Values{"do": {"propose"}, "at": {typed}}).want(t, http.StatusNotFound)
	form(x.captains[white], url.Values{"do": {"set"}, "at": {typed}, "seen": {"*"}}).want(t, http.StatusForbidden)
	form(x.captains[white], url.Values{"do": {"else"}}).want(t, http.StatusBadRequest)
	for do, said := range map[string]string{"propose": "date_unreadable", "set": "date_unreadable"} {
		if got := form(x.olga, url.Values{"do": {do}, "at": {"soon"}}); got.status != http.StatusSeeOther || !strings.Contains(got.header.Get("Location"), said) {
			t.Errorf("%s: %d %s", do, got.status, got.header.Get("Location"))
		}
	}
	later := x.now().Add(12 * 24 * time.Hour).UTC().Format("2006-01-02T15:04")
	tag := strings.Trim(x.olga.get(rest).header.Get("ETag"), "")
	form(x.olga, url.Values{"do": {"set"}, "at": {later}, "seen": {tag}}).want(t, http.StatusSeeOther)
	if got := x.anonymous().get(rest).text("date", "at"); !strings.HasPrefix(got, later[:10]) {
		t.Errorf("the match is at %s, not %s", got, later)
	}
}

// TestCalendarOfATeam: the matches of a team keep their ids, are confirmed once they are agreed, and move with their
// dates.
func TestCalendarOfATeam(t *testing.T) {
	x := datedLeague(t, 4, withRealPages)
	match := x.matches(1)[0]
	white, black := x.sides(match)
	number := strconv.Itoa(int(x.anonymous().get(match).number("seats", 1, "number")))
	read := func(address string) *ics.VEvent {
		t.Helper()
		cal, err := ics.ParseCalendar(strings.NewReader(string(x.anonymous().get(address).want(t, http.StatusOK).raw)))
		if err != nil || len(cal.Events()) != 1 {
			t.Fatalf("%s: %v", address, err)
		}
		return cal.Events()[0]
	}
	addresses := []string{"/" + x.path + ".ics?team=" + number, "/calendar?tournament=" + path.Base(x.path) + "&team=" + number}
	status := func(e *ics.VEvent) string { return e.GetProperty(ics.ComponentPropertyStatus).Value }
	for i, address := range addresses {
		before := read(address)
		if status(before) != "TENTATIVE" && i == 0 {
			t.Errorf("%s: %s", address, before.Serialize(&ics.SerializationConfiguration{MaxLength: 75, NewLine: "\r\n"}))
		}
		at := x.at(time.Duration(5+i) * 24 * time.Hour)
		x.captains[white].propose(match, at).want(t, http.StatusOK)
		x.captains[black].propose(match, at).want(t, http.StatusOK)
		after := read(address)
		start, err := after.GetStartAt()
		want, _ := time.Parse(time.RFC3339, at)
		older, newer := before.GetProperty(ics.ComponentPropertySequence).Value, after.GetProperty(ics.ComponentPropertySequence).Value
		if err != nil || !start.Equal(want) || status(after) != "CONFIRMED" || after.Id() != before.Id() || older == newer {
			t.Errorf("%s: at %v, %s, sequence %s then %s", address, start, status(after), older, newer)
		}
	}
	x.anonymous().get("/"+x.path+".ics?team=none").want(t, http.StatusNotFound)
	if page := x.captains[black].get("/" + x.path + "/team").page(); !strings.Contains(page, ".ics?team="+number) {
		t.Error("My team does not lead to the calendar")
	}
}

// TestProposedDatesCannotBeSeen: in two worlds that differ in nothing but the dates that captains have proposed, all
// who are in neither team get the same bytes with the same headers from everything that can be read of the tournament,
// and their streams send nothing. What is agreed then comes with the very next version. Those who may see a proposal
// have another tag after each.
func TestProposedDatesCannotBeSeen(t *testing.T) {
	at := time.Now().Truncate(time.Second)
	x := datedLeague(t, 4, withRealPages, func(c *configuration) { c.clock = func() time.Time { return at } })
	match, other := x.matches(1)[0], x.matches(1)[1]
	white, black := x.sides(match)
	elsewhere, _ := x.sides(other)
	id := strings.TrimPrefix(x.path, "/tournaments/")
	requests := below(t, x.service, x.entries[white], x.captains[white].player, false)
	for _, path := range []string{"//tournaments/{id}.ics?team=1", "//tournaments/{id}.ics?team=2", "//tournaments/{id}.ics", "//", "/export?format=json"} {
		requests = append(requests, question{method: http.MethodGet, path: path})
	}
	outside := map[string]person{
		"anyone": x.anonymous(), "a stranger": x.register("stranger"), "the captain of another match": x.captains[elsewhere],
	}
	if testing.Short() {
		delete(outside, "a stranger")
		requests = slices.DeleteFunc(requests, func(r question) bool { return strings.Contains(r.path, "?") && !strings.Contains(r.path, "team=") })
	}
	inside := map[string]person{"white": x.captains[white], "black": x.captains[black], "a member": x.second[black], "staff": x.olga}
	look := func() answered {
		seen := answered{}
		for who, p := range outside {
			for _, r := range requests {
				seen[who+": "+r.String()] = p.asked(t, id, r)
			}
		}
		return seen
	}
	server := httptest.NewServer(x.server)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	stream := outside["anyone"].publicly(t, server, "/api/v1"+x.path+"/events")
	first := idOf(t, frame(t, stream))
	tags := func(path string) map[string]string {
		out := map[string]string{}
		for who, p := range inside {
			out[who] = p.get(path).want(t, http.StatusOK).header.Get("ETag")
		}
		return out
	}
	before, last := look(), tags(match)
	const week = 7 * 24 * time.Hour
	for i, act := range []func(){
		func() { x.captains[white].propose(match, x.at(week)).want(t, http.StatusOK) },
		func() { x.captains[white].propose(match, x.at(week+time.Minute)).want(t, http.StatusOK) },
		func() { x.captains[black].propose(match, x.at(week+time.Hour)).want(t, http.StatusOK) },
		func() { x.captains[white].post(match+"/date/proposal", map[string]any{}).want(t, http.StatusOK) },
	} {
		act()
		differences(t, before, look())
		now := tags(match)
		for who, tag := range now {
			if tag == last[who] {
				t.Errorf("after proposal %d the tag of %s is still %s", i+1, who, tag)
			}
		}
		last = now
	}
	if len(before) < 60 {
		t.Errorf("only %d answers were compared", len(before))
	}
	x.captains[white].propose(match, x.at(week+time.Hour)).want(t, http.StatusOK)
	if next := frame(t, stream); idOf(t, next) != first+1 {
		t.Errorf("after event %d came\n%s", first, next)
	}
	agreed := x.olga.get(match).want(t, http.StatusOK)
	change := map[string]any{"at": x.at(week)}
	x.olga.send(http.MethodPut, match+"/date", change, header{"If-Match", last["staff"]}).want(t, http.StatusPreconditionFailed)
	x.olga.send(http.MethodPut, match+"/date", change, agreed.etag()).want(t, http.StatusOK)
}
