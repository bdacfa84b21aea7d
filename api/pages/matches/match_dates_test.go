package matches_test

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"quatuor/api/apitest"
)

// TestDatesOfMatches: captains propose and agree, an arbiter sets a date and a last day, and line-ups are due before
// each match by itself.
func TestDatesOfMatches(t *testing.T) {
	x := apitest.DatedLeague(t, 4)
	list := x.Matches(1)
	match, other := list[0], list[1]
	white, black := x.Sides(match)
	home, away, anyone := apitest.LongLived(x.Captains[white]), x.Captains[black], x.Anonymous()
	x.Olga = apitest.LongLived(x.Olga)
	const week = 7 * 24 * time.Hour
	last, first, second := anyone.Get(match).Text("date", "last_day"), x.At(week), x.At(week+24*time.Hour)
	if got := anyone.Get(match); got.At("date", "agreed") != false || got.Text("date", "at") != last {
		t.Errorf("%s", got.Raw)
	}

	for who, p := range map[string]apitest.Person{"another captain": x.Captains[3-white-black], "a member": x.Second[white], "the organiser": x.Olga} {
		if who == "another captain" {
			stranger, _ := x.Sides(other)
			p = x.Captains[stranger]
		}
		if got := p.Propose(match, first); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", who, got.Status, got.Raw)
		}
	}
	anyone.Propose(match, first).Want(t, http.StatusUnauthorized)
	home.Propose(match, x.At(59*time.Minute)).Want(t, http.StatusUnprocessableEntity).Has(t, "at the earliest")
	home.Propose(match, x.At(4*week)).Want(t, http.StatusUnprocessableEntity).Has(t, "the last day")
	home.Propose(match, "soon").Want(t, http.StatusBadRequest)
	home.Send(http.MethodPut, match+"/date", map[string]any{"at": first}, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusForbidden)

	home.Propose(match, first).Want(t, http.StatusOK)
	seen := map[string]*apitest.Answer{"away": away.Get(match), "staff": x.Olga.Get(match), "public": anyone.Get(match)}
	if seen["away"].Text("date", "proposals", 0, "entry_id") != x.Entries[white] || len(seen["staff"].List("date", "proposals")) != 1 {
		t.Errorf("%s", seen["away"].Raw)
	}
	seen["public"].Lacks(t, "proposals", first[:16])
	away.Propose(match, second).Want(t, http.StatusOK)
	if got := home.Get(match); got.At("date", "agreed") != false || len(got.List("date", "proposals")) != 2 {
		t.Errorf("%s", got.Raw)
	}
	home.Propose(match, second).Want(t, http.StatusOK)
	agreed := anyone.Get(match)
	due, _ := time.Parse(time.RFC3339, agreed.Text("due_at"))
	when, _ := time.Parse(time.RFC3339, second)
	if agreed.At("date", "agreed") != true || !when.Equal(due.Add(time.Hour)) {
		t.Errorf("%s", agreed.Raw)
	}
	away.Propose(match, x.At(week+48*time.Hour)).Want(t, http.StatusOK) // the agreed date remains
	if got := anyone.Get(match); got.Text("date", "at") != agreed.Text("date", "at") {
		t.Errorf("%s", got.Raw)
	}
	away.Post(match+"/date/proposal", map[string]any{}).Want(t, http.StatusOK)
	if got := away.Get(match); len(got.List("date", "proposals")) != 0 {
		t.Errorf("%s", got.Raw)
	}

	x.Olga.Send(http.MethodPut, other+"/date", map[string]any{"at": second, "last_day": second},
		apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusUnprocessableEntity)
	x.Olga.Send(http.MethodPut, other+"/date", map[string]any{"last_day": x.At(5 * week)}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	x.Olga.Send(http.MethodPut, other+"/date", map[string]any{"at": second}, apitest.Header{"If-Match", `"old"`}).Want(t, http.StatusPreconditionFailed)
	if got := anyone.Get(other); got.Text("date", "at") != got.Text("date", "last_day") ||
		got.At("date", "agreed") != false {
		t.Errorf("%s", got.Raw)
	}
	h := x.Olga.Get(x.Path+"/history").Want(t, http.StatusOK)
	h.Has(t, "match_date", "agreed: ")
	x.Olga.Post(x.Path+"/undo", map[string]any{"act": h.Number("undoable")}).Want(t, http.StatusOK)
	if got := anyone.Get(other); got.Text("date", "last_day") != last {
		t.Errorf("after the undo %s", got.Raw)
	}

	x.Pass(week + 24*time.Hour - 61*time.Minute)
	revealDue(t, x.Service)
	if anyone.Get(match).At("revealed") != false {
		t.Error("revealed before its time")
	}
	x.Pass(2 * time.Minute)
	revealDue(t, x.Service)
	if anyone.Get(match).At("revealed") != true || anyone.Get(other).At("revealed") != false {
		t.Error("not each match is revealed by itself")
	}
	home.Propose(match, x.At(48*time.Hour)).Want(t, http.StatusConflict)
	x.Olga.Send(http.MethodPut, match+"/date", map[string]any{"at": x.At(48 * time.Hour)}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusConflict)
	game := anyone.Get("/games/" + anyone.Get(match).Text("boards", 0, "game_id"))
	if begins, _ := time.Parse(time.RFC3339, game.Text("starts_at")); !begins.Equal(when) {
		t.Errorf("the game starts at %q, and the match is at %s", game.Text("starts_at"), second)
	}
	x.Pass(2 * week)
	revealDue(t, x.Service)
	if anyone.Get(other).At("revealed") != true {
		t.Error("a match without a date is not revealed on its last day")
	}
}

// due reveals the line-ups that are due.
func revealDue(t *testing.T, s *apitest.Service) {
	t.Helper()
	if err := s.RevealLineUps(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// TestCaptainsAgreeAtOnce: both propose the same date at the same time, again and again; it is agreed once, and nothing
// is left over.
func TestCaptainsAgreeAtOnce(t *testing.T) {
	x := apitest.DatedLeague(t, 2)
	match := x.Matches(1)[0]
	for i := range 6 {
		at := x.At(time.Duration(i+2) * 24 * time.Hour)
		var both sync.WaitGroup
		for _, p := range x.Captains {
			both.Go(func() { p.Propose(match, at).Want(t, http.StatusOK) })
		}
		both.Wait()
		got := x.Olga.Get(match)
		agreed, _ := time.Parse(time.RFC3339, got.Text("date", "at"))
		if want, _ := time.Parse(time.RFC3339, at); got.At("date", "agreed") != true || len(got.List("date", "proposals")) != 0 || !agreed.Equal(want) {
			t.Fatalf("%s", got.Raw)
		}
	}
}

// TestDatesOnPages: two captains agree through the forms of their team, and an arbiter sets the date on the page of the
// match.
func TestDatesOnPages(t *testing.T) {
	x := apitest.DatedLeague(t, 2, apitest.WithPages)
	rest := x.Matches(1)[0]
	page := strings.Replace(rest, "/rounds/1/matches/", "/matches/1/", 1)
	white, black := x.Sides(rest)
	form := func(p apitest.Person, fields url.Values) *apitest.Answer { return p.PostForm(page+"/date", fields) }
	typed := x.Now().Add(9 * 24 * time.Hour).UTC().Format("2006-01-02T15:04")
	form(x.Captains[white], url.Values{"do": {"propose"}, "at": {typed}, "team": {x.Entries[white]}}).
		Want(t, http.StatusSeeOther)
	mine := x.Captains[black].Get("/"+x.Path+"/team").Want(t, http.StatusOK).Page()
	_, agree, found := strings.Cut(mine, `name="agree" value="`)
	if agree, _, _ = strings.Cut(agree, `"`); !found || strings.Contains(mine, `value="back"`) {
		t.Fatalf("nothing to agree to: %s", mine)
	}
	if other := x.Second[black].Get("/" + x.Path + "/team").Page(); !strings.Contains(other, typed[8:10]) || strings.Contains(other, `name="agree"`) {
		t.Error("a member sees no proposal, or could agree to it")
	}
	form(x.Captains[black], url.Values{"do": {"agree"}, "agree": {agree}}).Want(t, http.StatusSeeOther)
	if got := x.Olga.Get(rest); got.At("date", "agreed") != true {
		t.Errorf("%s", got.Raw)
	}
	form(x.Second[white], url.Values{"do": {"propose"}, "at": {typed}}).Want(t, http.StatusNotFound)
	form(x.Captains[white], url.Values{"do": {"set"}, "at": {typed}, "seen": {"*"}}).Want(t, http.StatusForbidden)
	form(x.Captains[white], url.Values{"do": {"else"}}).Want(t, http.StatusBadRequest)
	for do, said := range map[string]string{"propose": "date_unreadable", "set": "date_unreadable"} {
		if got := form(x.Olga, url.Values{"do": {do}, "at": {"soon"}}); got.Status != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), said) {
			t.Errorf("%s: %d %s", do, got.Status, got.Header.Get("Location"))
		}
	}
	later := x.Now().Add(12 * 24 * time.Hour).UTC().Format("2006-01-02T15:04")
	tag := strings.Trim(x.Olga.Get(rest).Header.Get("ETag"), "")
	form(x.Olga, url.Values{"do": {"set"}, "at": {later}, "seen": {tag}}).Want(t, http.StatusSeeOther)
	if got := x.Anonymous().Get(rest).Text("date", "at"); !strings.HasPrefix(got, later[:10]) {
		t.Errorf("the match is at %s, not %s", got, later)
	}
}

// TestCalendarOfATeam: the matches of a team keep their ids, are confirmed once they are agreed, and move with their
// dates.
func TestCalendarOfATeam(t *testing.T) {
	x := apitest.DatedLeague(t, 4, apitest.WithPages)
	match := x.Matches(1)[0]
	white, black := x.Sides(match)
	number := strconv.Itoa(int(x.Anonymous().Get(match).Number("seats", 1, "number")))
	read := func(address string) *ics.VEvent {
		t.Helper()
		cal, err := ics.ParseCalendar(strings.NewReader(string(x.Anonymous().Get(address).Want(t, http.StatusOK).Raw)))
		if err != nil || len(cal.Events()) != 1 {
			t.Fatalf("%s: %v", address, err)
		}
		return cal.Events()[0]
	}
	addresses := []string{
		"/" + x.Path + ".ics?team=" + number,
		"/calendar?tournament=" + path.Base(x.Path) + "&team=" + number,
	}
	status := func(e *ics.VEvent) string { return e.GetProperty(ics.ComponentPropertyStatus).Value }
	for i, address := range addresses {
		before := read(address)
		if status(before) != "TENTATIVE" && i == 0 {
			t.Errorf("%s: %s", address, before.Serialize(&ics.SerializationConfiguration{MaxLength: 75, NewLine: "\r\n"}))
		}
		at := x.At(time.Duration(5+i) * 24 * time.Hour)
		x.Captains[white].Propose(match, at).Want(t, http.StatusOK)
		x.Captains[black].Propose(match, at).Want(t, http.StatusOK)
		after := read(address)
		start, err := after.GetStartAt()
		want, _ := time.Parse(time.RFC3339, at)
		older, newer := before.GetProperty(ics.ComponentPropertySequence).
			Value, after.GetProperty(ics.ComponentPropertySequence).Value
		if err != nil || !start.Equal(want) || status(after) != "CONFIRMED" || after.Id() != before.Id() || older == newer {
			t.Errorf("%s: at %v, %s, sequence %s then %s", address, start, status(after), older, newer)
		}
	}
	x.Anonymous().Get("/"+x.Path+".ics?team=none").Want(t, http.StatusNotFound)
	if page := x.Captains[black].Get("/" + x.Path + "/team").Page(); !strings.Contains(page, ".ics?team="+number) {
		t.Error("My team does not lead to the calendar")
	}
}
