package api_test

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// seriesOf makes a series of tournaments, by their paths, and returns its path.
func seriesOf(t *testing.T, by person, events ...string) string {
	t.Helper()
	var parts []any
	for _, event := range events {
		parts = append(parts, map[string]any{"tournament_id": path.Base(event), "factor": "1.5"})
	}
	return "/series/" + by.post("/series", map[string]any{"name": "Winter", "events": parts}).
		want(t, http.StatusCreated).text("id")
}

// finished plays a round-robin of three in which players win in the order of a permutation, and returns its path.
func (s *service) finished(t *testing.T, olga person, players ...person) string {
	t.Helper()
	event := "/tournaments/" + olga.post("/tournaments", `{"name":"Evening","variant":"quixo/duel","format":"round_robin",
		"time_control":"none","venue":"hall","rated":false}`).want(t, http.StatusCreated).text("id")
	olga.post(event+"/open", nil).want(t, http.StatusOK)
	place := map[string]int{}
	for i, p := range players {
		entry := olga.post(event+"/entries", map[string]any{"player_id": p.player, "rating": 1900 - i}).want(t, http.StatusCreated)
		place[entry.text("id")] = i
	}
	olga.post(event+"/start", nil).want(t, http.StatusOK)
	for round := 1; round <= len(players); round++ {
		paired := olga.post(event+"/rounds", nil).want(t, http.StatusCreated)
		for i := range paired.list("pairings") {
			if bye, _ := paired.at("pairings", i, "bye").(string); bye != "" {
				continue
			}
			result := "1-0"
			if place[paired.text("pairings", i, "seats", 0)] > place[paired.text("pairings", i, "seats", 1)] {
				result = "0-1"
			}
			board := fmt.Sprintf("%s/rounds/%d/pairings/%v/result", event, round, paired.at("pairings", i, "board"))
			olga.send(http.MethodPut, board, map[string]any{"result": result}, anyVersion).want(t, http.StatusOK)
		}
	}
	olga.post(event+"/finish", nil).want(t, http.StatusOK)
	return event
}

// standingsOf returns rank, name, points and the results of each row, dropped ones in brackets.
func standingsOf(t *testing.T, p person, series string) (rows []string) {
	t.Helper()
	answer := p.get(series).want(t, http.StatusOK)
	for i := range answer.list("standings") {
		row := fmt.Sprint(answer.at("standings", i, "rank"), " ", answer.text("standings", i, "name"), " ",
			answer.text("standings", i, "points"), ":")
		for k := range answer.list("standings", i, "results") {
			points := answer.text("standings", i, "results", k, "points")
			if answer.at("standings", i, "results", k, "counted") == false {
				points = "(" + points + ")"
			}
			row += " " + points
		}
		rows = append(rows, row)
	}
	return rows
}

// TestSeries follows a grand prix: a deleted tournament, a corrected result and a merged player change its standings by
// themselves.
func TestSeries(t *testing.T) {
	s := newService(t, withRealPages)
	olga, root := s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	ada, bob, cleo := s.register("ada"), s.register("bob"), s.register("cleo")
	first, second := s.finished(t, olga, ada, bob, cleo), s.finished(t, olga, bob, ada, cleo)
	draft := "/tournaments/" + olga.post("/tournaments", `{"name":"Spring","variant":"quixo/duel","format":"swiss","rounds":5,
		"time_control":"none"}`).want(t, http.StatusCreated).text("id")
	series := seriesOf(t, olga, first, second, draft)
	want := func(step string, rows ...string) {
		t.Helper()
		if got := standingsOf(t, s.anonymous(), series); fmt.Sprint(got) != fmt.Sprint(rows) {
			t.Errorf("%s:\n got %q\nwant %q", step, got, rows)
		}
	}
	want("two events", "1 Player bob 64.5: 37.5 27", "2 Player ada 64.5: 37.5 27", "3 Player cleo 45: 22.5 22.5")
	if n := len(s.anonymous().get(series).list("events")); n != 2 {
		t.Errorf("strangers see %d events, and one of three is a draft", n)
	}
	olga.send(http.MethodDelete, draft, nil, anyVersion).want(t, http.StatusNoContent)
	if n := len(olga.get(series).list("events")); n != 2 {
		t.Errorf("%d events are left", n)
	}
	olga.send(http.MethodPatch, series, `{"best":1}`, anyVersion).want(t, http.StatusOK)
	want("the best counts", "1 Player bob 37.5: 37.5 (27)", "2 Player ada 37.5: 37.5 (27)", "3 Player cleo 22.5: 22.5 (22.5)")
	csv := string(s.anonymous().get(series+"/export?format=csv").want(t, http.StatusOK).raw)
	if !strings.Contains(csv, "1,Player bob,37.5,(27),37.5\r\n") {
		t.Errorf("the file is\n%s", csv)
	}
	page := string(s.visitor().get(series).want(t, http.StatusOK).raw)
	for _, part := range []string{`<strong class="half">37½</strong>`, `<span class="whole">27</span></s>`} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not have %s:\n%s", part, page)
		}
	}
	if !strings.Contains(page, "18 × 1.5 = 27") {
		t.Errorf("the page does not have how 27 came about:\n%s", page)
	}
	olga.send(http.MethodPut, second+"/rounds/1/pairings/1/result", `{"result":"1/2-1/2","reason":"slip"}`, anyVersion).want(t, http.StatusOK)
	root.post("/players/"+ada.player+"/merge", map[string]any{
		"player_id": root.post("/players", `{"name":"Ada"}`).want(t, http.StatusCreated).text("id"),
	}).want(t, http.StatusOK)
	want("corrected", "1 Player bob 37.5: 37.5 (27)", "2 Player ada 37.5: 37.5 (24.75)", "3 Player cleo 24.75: 24.75 (22.5)")

	for body, field := range map[string]string{
		`{"best":-1}`:                           "/best",
		`{"table":["5","6"]}`:                   "/table/1",
		`{"events":[{"tournament_id":"none"}]}`: "/events/0/tournament_id",
		`{"events":[{"tournament_id":"` + path.Base(first) + `"},{"tournament_id":"` + path.Base(first) + `"}]}`: "/events/1/tournament_id",
	} {
		answer := olga.send(http.MethodPatch, series, body, anyVersion).want(t, http.StatusUnprocessableEntity)
		if got := fmt.Sprint(answer.at("errors", 0, "pointer"), answer.at("errors", 0, "field")); !strings.Contains(got, field) {
			t.Errorf("%s names %s, not %s: %s", body, got, field, answer.raw)
		}
	}
	other := s.withRole("otto", account.RoleOrganiser)
	for _, p := range []person{other, ada} {
		p.send(http.MethodPatch, series, `{"best":2}`, anyVersion).want(t, http.StatusForbidden)
		p.send(http.MethodDelete, series, nil, anyVersion).want(t, http.StatusForbidden)
	}
	ada.post("/series", `{"name":"Mine"}`).want(t, http.StatusForbidden)
	olga.send(http.MethodPatch, series, `{"best":2}`).want(t, http.StatusPreconditionRequired)
	olga.send(http.MethodPatch, series, `{"best":2}`, header{"If-Match", `"v1"`}).want(t, http.StatusPreconditionFailed)
	root.send(http.MethodDelete, series, nil, anyVersion).want(t, http.StatusNoContent)
	s.anonymous().get(series).want(t, http.StatusNotFound)
}
