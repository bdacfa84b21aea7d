package seasons_test

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// standingsOf returns rank, name, points and the results of each row, dropped results in brackets.
func standingsOf(t *testing.T, p apitest.Person, series string) (rows []string) {
	t.Helper()
	answer := p.Get(series).Want(t, http.StatusOK)
	for i := range answer.List("standings") {
		row := fmt.Sprint(answer.At("standings", i, "rank"), " ", answer.Text("standings", i, "name"), " ",
			answer.Text("standings", i, "points"), ":")
		for k := range answer.List("standings", i, "results") {
			points := answer.Text("standings", i, "results", k, "points")
			if answer.At("standings", i, "results", k, "counted") == false {
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
	s := apitest.New(t, apitest.WithPages)
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	ada, bob, cleo := s.Register("ada"), s.Register("bob"), s.Register("cleo")
	first, second := s.PlayOut(t, olga, ada, bob, cleo), s.PlayOut(t, olga, bob, ada, cleo)
	draft := "/tournaments/" + olga.Post("/tournaments", `{"name":"Spring","variant":"quixo/duel","format":"swiss","rounds":5,
		"time_control":"none"}`).Want(t, http.StatusCreated).Text("id")
	series := apitest.SeriesOf(t, olga, first, second, draft)
	want := func(step string, rows ...string) {
		t.Helper()
		if got := standingsOf(t, s.Anonymous(), series); fmt.Sprint(got) != fmt.Sprint(rows) {
			t.Errorf("%s:\n got %q\nwant %q", step, got, rows)
		}
	}
	want("two events", "1 Player bob 64.5: 37.5 27", "2 Player ada 64.5: 37.5 27", "3 Player cleo 45: 22.5 22.5")
	if n := len(s.Anonymous().Get(series).List("events")); n != 2 {
		t.Errorf("strangers see %d events, and one of three is a draft", n)
	}
	olga.Send(http.MethodDelete, draft, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	if n := len(olga.Get(series).List("events")); n != 2 {
		t.Errorf("%d events are left", n)
	}
	olga.Send(http.MethodPatch, series, `{"best":1}`, apitest.AnyVersion).Want(t, http.StatusOK)
	want("the best counts", "1 Player bob 37.5: 37.5 (27)", "2 Player ada 37.5: 37.5 (27)",
		"3 Player cleo 22.5: 22.5 (22.5)")
	csv := string(s.Anonymous().Get(series+"/export?format=csv").Want(t, http.StatusOK).Raw)
	if !strings.Contains(csv, "1,Player bob,37.5,(27),37.5\r\n") {
		t.Errorf("the file is\n%s", csv)
	}
	page := string(s.Visitor().Get(series).Want(t, http.StatusOK).Raw)
	for _, part := range []string{`<strong class="half">37½</strong>`, `<span class="whole">27</span></s>`} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not have %s:\n%s", part, page)
		}
	}
	if !strings.Contains(page, "18 × 1.5 = 27") {
		t.Errorf("the page does not have how 27 came about:\n%s", page)
	}
	olga.Send(http.MethodPut, second+"/rounds/1/pairings/1/result", `{"result":"1/2-1/2","reason":"slip"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	root.Post("/players/"+ada.Player+"/merge", map[string]any{
		"player_id": root.Post("/players", `{"name":"Ada"}`).Want(t, http.StatusCreated).Text("id"),
	}).Want(t, http.StatusOK)
	want("corrected", "1 Player bob 37.5: 37.5 (27)", "2 Player ada 37.5: 37.5 (24.75)",
		"3 Player cleo 24.75: 24.75 (22.5)")

	for body, field := range map[string]string{
		`{"best":-1}`:                           "/best",
		`{"table":["5","6"]}`:                   "/table/1",
		`{"events":[{"tournament_id":"none"}]}`: "/events/0/tournament_id",
		`{"events":[{"tournament_id":"` + path.Base(first) + `"},{"tournament_id":"` + path.Base(first) + `"}]}`: "/events/1/tournament_id",
	} {
		answer := olga.Send(http.MethodPatch, series, body, apitest.AnyVersion).Want(t, http.StatusUnprocessableEntity)
		if got := fmt.Sprint(answer.At("errors", 0, "pointer"), answer.At("errors", 0, "field")); !strings.Contains(got,
			field) {
			t.Errorf("%s names %s, not %s: %s", body, got, field, answer.Raw)
		}
	}
	other := s.WithRole("otto", account.RoleOrganiser)
	for _, p := range []apitest.Person{other, ada} {
		p.Send(http.MethodPatch, series, `{"best":2}`, apitest.AnyVersion).Want(t, http.StatusForbidden)
		p.Send(http.MethodDelete, series, nil, apitest.AnyVersion).Want(t, http.StatusForbidden)
	}
	ada.Post("/series", `{"name":"Mine"}`).Want(t, http.StatusForbidden)
	olga.Send(http.MethodPatch, series, `{"best":2}`).Want(t, http.StatusPreconditionRequired)
	olga.Send(http.MethodPatch, series, `{"best":2}`, apitest.Header{"If-Match", `"v1"`}).
		Want(t, http.StatusPreconditionFailed)
	root.Send(http.MethodDelete, series, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	s.Anonymous().Get(series).Want(t, http.StatusNotFound)
}
