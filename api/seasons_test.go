package api_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// seasonOf makes a season of parts, by their paths, and returns its path.
func seasonOf(t *testing.T, by person, parts ...string) string {
	t.Helper()
	return "/seasons/" + by.post("/seasons", map[string]any{
		"name": "2026/27", "from": "2026-09-01", "to": "2027-06-30", "parts": partsOf(parts...),
	}).want(t, http.StatusCreated).text("id")
}

// partsOf returns parts of a season by their paths.
func partsOf(paths ...string) (parts []any) {
	for _, p := range paths {
		fields := strings.Split(strings.Trim(p, "/"), "/")
		part := map[string]any{"kind": strings.TrimSuffix(fields[0], "s"), "id": fields[1], "weight": "2"}
		if fields[0] == "series" {
			part["kind"] = "series"
		}
		if len(fields) > 2 {
			part["season"] = 1
		}
		parts = append(parts, part)
	}
	return parts
}

// TestSeason puts a tournament, a series, a ladder and a league together.
func TestSeason(t *testing.T) {
	s := newService(t, withRealPages)
	olga, otto, root := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	ada, bob, cleo := s.register("ada"), s.register("bob"), s.register("cleo")
	cup, evening := s.finished(t, olga, ada, bob, cleo), s.finished(t, olga, bob, ada, cleo)
	series, ladder := seriesOf(t, olga, evening), ladderOf(t, olga, cleo, ada)
	league := leagueOf(t, olga, "round_robin", "x y", "z")
	_, divisions := divisionsOf(olga.post(league+"/seasons/1/confirm", nil, anyVersion).want(t, http.StatusOK))
	season := seasonOf(t, olga, cup, series, ladder, league+"/seasons/1")

	rows := func() (rows []string) {
		answer := s.anonymous().get(season).want(t, http.StatusOK)
		for i := range answer.list("standings") {
			row := fmt.Sprint(answer.at("standings", i, "rank"), " ", answer.text("standings", i, "name"), " ", answer.text("standings", i, "points"))
			for k := range answer.list("standings", i, "results") {
				row += fmt.Sprint(" ", answer.number("standings", i, "results", k, "part"), ":", answer.text("standings", i, "results", k, "points"))
			}
			rows = append(rows, row)
		}
		return rows
	}
	want := func(step string, want ...string) {
		t.Helper()
		if got := rows(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", step, got, want)
		}
	}
	want("before the league", "1 Player ada 122 0:50 2:36 1:36", "2 Player cleo 110 2:50 1:30 0:30", "3 Player bob 86 1:50 0:36")
	playDivision(t, olga, divisions[0], "y x")
	want("with the league", "1 Player ada 122 0:50 2:36 1:36", "2 Player cleo 110 2:50 1:30 0:30", "3 Player bob 86 1:50 0:36",
		"4 y 50 3:50", "5 x 36 3:36")

	for body, field := range map[string]string{
		`{"to":"2026-08-31"}`: "/to",
		`{"best":-1}`:         "/best",
		`{"parts":[{"kind":"ladder","id":"none"}]}`:                      "/parts/0/id",
		`{"parts":[{"kind":"league","id":"` + path.Base(league) + `"}]}`: "/parts/0/number",
		`{"parts":[{"kind":"ladder","id":"x","season":1}]}`:              "/parts/0/number",
	} {
		answer := olga.send(http.MethodPatch, season, body, anyVersion).want(t, http.StatusUnprocessableEntity)
		if got := answer.text("errors", 0, "pointer"); got != field {
			t.Errorf("%s names %s, not %s: %s", body, got, field, answer.raw)
		}
	}
	for _, twice := range [][]string{
		{cup, cup},
		{series, evening},
		{"/tournaments/" + divisions[0], league + "/seasons/1"},
		{ladder, ladder},
		{series, seriesOf(t, olga, cup, evening)},
	} {
		olga.send(http.MethodPatch, season, map[string]any{"parts": partsOf(twice...)}, anyVersion).
			refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"/parts/1"`)
	}
	for _, p := range []person{otto, ada} {
		p.send(http.MethodPatch, season, `{"best":2}`, anyVersion).want(t, http.StatusForbidden)
		p.send(http.MethodDelete, season, nil, anyVersion).want(t, http.StatusForbidden)
	}
	olga.send(http.MethodPatch, season, `{"best":2}`).want(t, http.StatusPreconditionRequired)
	olga.send(http.MethodPatch, season, `{"best":2}`, header{"If-Match", `"v9"`}).want(t, http.StatusPreconditionFailed)

	page := s.visitor().get(season).want(t, http.StatusOK)
	page.has(t, "18 × 2 = 36", "/standings/", "?player="+cleo.player, "Winter", "webcal:")
	s.visitor().get("/embed"+season).want(t, http.StatusOK).has(t, "Player ada")
	s.visitor().get(season+".ics").want(t, http.StatusOK).has(t, "BEGIN:VCALENDAR", "Evening")
	s.anonymous().get("/calendar?season="+path.Base(season)).want(t, http.StatusOK)
	s.visitor().get("/seasons").want(t, http.StatusOK).has(t, "2026/27", "Player cleo")
	s.visitor().get("/seasons?year=1999").want(t, http.StatusOK)
	csv := string(s.anonymous().get(season+"/export?format=csv").want(t, http.StatusOK).raw)
	if !strings.Contains(csv, "1,Player ada,122,50,36,36,") {
		t.Errorf("the file is\n%s", csv)
	}
	player := s.anonymous().get(season+"/players/"+ada.player).want(t, http.StatusOK)
	if got := fmt.Sprint(player.number("won"), player.number("drawn"), player.number("lost"), player.number("white")+player.number("black"),
		player.number("longest_streak"), len(player.list("opponents"))); got != "3 0 1 4 2 2" && got != "3 0 1 4 3 2" {
		t.Errorf("ada's figures are %s", player.raw)
	}
	s.anonymous().get(season+"/players/"+otto.player).want(t, http.StatusNotFound)
	s.visitor().get(season+"/players/"+ada.player).want(t, http.StatusOK).has(t, "3 won, 0 drawn, 1 lost")

	before := rows()
	olga.send(http.MethodPut, cup+"/rounds/1/pairings/1/result", `{"result":"1/2-1/2","reason":"slip"}`, anyVersion).want(t, http.StatusOK)
	if got := rows(); slices.Equal(got, before) {
		t.Errorf("a correction changes nothing: %q", got)
	}
	root.post("/players/"+cleo.player+"/merge", map[string]any{
		"player_id": root.post("/players", `{"name":"Cleo"}`).want(t, http.StatusCreated).text("id"),
	}).want(t, http.StatusOK)
	olga.send(http.MethodDelete, series, nil, anyVersion).want(t, http.StatusNoContent)
	olga.send(http.MethodDelete, league, nil, anyVersion).want(t, http.StatusNoContent)
	if n := len(s.anonymous().get(season).want(t, http.StatusOK).list("parts")); n != 2 {
		t.Errorf("%d parts are left of four, of which two were deleted", n)
	}
	olga.send(http.MethodPatch, season, `{"best":1}`, anyVersion).want(t, http.StatusOK) // though two are gone
	root.send(http.MethodDelete, season, nil, anyVersion).want(t, http.StatusNoContent)
	s.anonymous().get(season).want(t, http.StatusNotFound)
	s.visitor().get(season).want(t, http.StatusNotFound)
}

// TestSeasonForm makes and changes a season by the form.
func TestSeasonForm(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob := s.register("ada"), s.register("bob")
	cup := path.Base(s.finished(t, olga, ada, bob, s.register("cleo")))
	v := s.visits("olga")
	v.get("/seasons/new").want(t, http.StatusOK).has(t, "tournament:"+cup+":0", `name="from"`)
	form := func(more ...string) []string {
		return append([]string{
			"key", "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11", "name", "Season", "from", "2026-09-01", "to", "2027-06-30", "best", "0", "least", "1",
			"table", "5 3 1", "part", "tournament:" + cup + ":0", "weight-tournament:" + cup + ":0", "1,5",
		}, more...)
	}
	v.post("/seasons/new", form("counts", "tournament:"+cup+":0", "to", "x")...).want(t, http.StatusSeeOther) // the first one counts
	at := v.post("/seasons/new", form("counts", "tournament:"+cup+":0")...).want(t, http.StatusSeeOther).header.Get("Location")
	season, _, _ := strings.Cut(at, "?")
	v.get(season).want(t, http.StatusOK).has(t, "5 × 1.5 = 7.5", "season-part")
	v.get(season+"/edit").want(t, http.StatusOK).has(t, `value="1.5"`)
	v.post(season+"/edit", form("seen", `"v1"`, "counts", "tournament:"+cup+":0", "counts", "x")...).want(t, http.StatusSeeOther)
	v.post(season+"/edit", form("seen", `"v1"`)...).want(t, http.StatusPreconditionFailed)
	v.post("/seasons/new", "key", "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b12", "name", "", "from", "2026", "to", "").
		want(t, http.StatusUnprocessableEntity)
	v.post("/seasons/new", form("part", "tournament:x:y")...).want(t, http.StatusBadRequest)
	s.visits("ada").get("/seasons/new").want(t, http.StatusForbidden)
	v.post(season+"/delete", "seen", `"v2"`).to(t, "/seasons?said=season_deleted")
}
