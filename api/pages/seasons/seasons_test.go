package seasons_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestSeason puts a tournament, a series, a ladder and a league together.
func TestSeason(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, otto, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	ada, bob, cleo := s.Register("ada"), s.Register("bob"), s.Register("cleo")
	cup, evening := s.PlayOut(t, olga, ada, bob, cleo), s.PlayOut(t, olga, bob, ada, cleo)
	series, ladder := apitest.SeriesOf(t, olga, evening), apitest.LadderOf(t, olga, cleo, ada)
	league := apitest.LeagueOf(t, olga, "round_robin", "x y", "z")
	_, divisions := divisionsOf(olga.Post(league+"/seasons/1/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK))
	season := apitest.SeasonOf(t, olga, cup, series, ladder, league+"/seasons/1")

	rows := func() (rows []string) {
		answer := s.Anonymous().Get(season).Want(t, http.StatusOK)
		for i := range answer.List("standings") {
			row := fmt.Sprint(answer.At("standings", i, "rank"), " ", answer.Text("standings", i, "name"), " ", answer.Text("standings", i, "points"))
			for k := range answer.List("standings", i, "results") {
				row += fmt.Sprint(" ", answer.Number("standings", i, "results", k, "part"), ":", answer.Text("standings", i, "results", k, "points"))
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
	want("before the league", "1 Player ada 122 0:50 2:36 1:36", "2 Player cleo 110 2:50 1:30 0:30",
		"3 Player bob 86 1:50 0:36")
	playDivision(t, olga, divisions[0], "y x")
	want("with the league", "1 Player ada 122 0:50 2:36 1:36", "2 Player cleo 110 2:50 1:30 0:30",
		"3 Player bob 86 1:50 0:36",
		"4 y 50 3:50", "5 x 36 3:36")

	for body, field := range map[string]string{
		`{"to":"2026-08-31"}`: "/to",
		`{"best":-1}`:         "/best",
		`{"parts":[{"kind":"ladder","id":"none"}]}`:                      "/parts/0/id",
		`{"parts":[{"kind":"league","id":"` + path.Base(league) + `"}]}`: "/parts/0/number",
		`{"parts":[{"kind":"ladder","id":"x","season":1}]}`:              "/parts/0/number",
	} {
		answer := olga.Send(http.MethodPatch, season, body, apitest.AnyVersion).Want(t, http.StatusUnprocessableEntity)
		if got := answer.Text("errors", 0, "pointer"); got != field {
			t.Errorf("%s names %s, not %s: %s", body, got, field, answer.Raw)
		}
	}
	for _, twice := range [][]string{
		{cup, cup},
		{series, evening},
		{"/tournaments/" + divisions[0], league + "/seasons/1"},
		{ladder, ladder},
		{series, apitest.SeriesOf(t, olga, cup, evening)},
	} {
		olga.Send(http.MethodPatch, season, map[string]any{"parts": apitest.PartsOf(twice...)}, apitest.AnyVersion).
			Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"/parts/1"`)
	}
	for _, p := range []apitest.Person{otto, ada} {
		p.Send(http.MethodPatch, season, `{"best":2}`, apitest.AnyVersion).Want(t, http.StatusForbidden)
		p.Send(http.MethodDelete, season, nil, apitest.AnyVersion).Want(t, http.StatusForbidden)
	}
	olga.Send(http.MethodPatch, season, `{"best":2}`).Want(t, http.StatusPreconditionRequired)
	olga.Send(http.MethodPatch, season, `{"best":2}`, apitest.Header{"If-Match", `"v9"`}).
		Want(t, http.StatusPreconditionFailed)

	page := s.Visitor().Get(season).Want(t, http.StatusOK)
	page.Has(t, "18 × 2 = 36", "/standings/", "?player="+cleo.Player, "Winter", "webcal:")
	s.Visitor().Get("/embed"+season).Want(t, http.StatusOK).Has(t, "Player ada")
	s.Visitor().Get(season+".ics").Want(t, http.StatusOK).Has(t, "BEGIN:VCALENDAR", "Evening")
	s.Anonymous().Get("/calendar?season="+path.Base(season)).Want(t, http.StatusOK)
	s.Visitor().Get("/seasons").Want(t, http.StatusOK).Has(t, "2026/27", "Player cleo")
	s.Visitor().Get("/seasons?year=1999").Want(t, http.StatusOK)
	csv := string(s.Anonymous().Get(season+"/export?format=csv").Want(t, http.StatusOK).Raw)
	if !strings.Contains(csv, "1,Player ada,122,50,36,36,") {
		t.Errorf("the file is\n%s", csv)
	}
	player := s.Anonymous().Get(season+"/players/"+ada.Player).Want(t, http.StatusOK)
	if got := fmt.Sprint(player.Number("won"), player.Number("drawn"), player.Number("lost"), player.Number("white")+player.Number("black"),
		player.Number("longest_streak"), len(player.List("opponents"))); got != "3 0 1 4 2 2" && got != "3 0 1 4 3 2" {
		t.Errorf("ada's figures are %s", player.Raw)
	}
	s.Anonymous().Get(season+"/players/"+otto.Player).Want(t, http.StatusNotFound)
	s.Visitor().Get(season+"/players/"+ada.Player).Want(t, http.StatusOK).Has(t, "3 won, 0 drawn, 1 lost")

	before := rows()
	olga.Send(http.MethodPut, cup+"/rounds/1/pairings/1/result", `{"result":"1/2-1/2","reason":"slip"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	if got := rows(); slices.Equal(got, before) {
		t.Errorf("a correction changes nothing: %q", got)
	}
	root.Post("/players/"+cleo.Player+"/merge", map[string]any{
		"player_id": root.Post("/players", `{"name":"Cleo"}`).Want(t, http.StatusCreated).Text("id"),
	}).Want(t, http.StatusOK)
	olga.Send(http.MethodDelete, series, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	olga.Send(http.MethodDelete, league, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	if n := len(s.Anonymous().Get(season).Want(t, http.StatusOK).List("parts")); n != 2 {
		t.Errorf("%d parts are left of four, of which two were deleted", n)
	}
	olga.Send(http.MethodPatch, season, `{"best":1}`, apitest.AnyVersion).Want(t, http.StatusOK) // though two are gone
	root.Send(http.MethodDelete, season, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	s.Anonymous().Get(season).Want(t, http.StatusNotFound)
	s.Visitor().Get(season).Want(t, http.StatusNotFound)
}

// TestSeasonForm makes and changes a season by the form.
func TestSeasonForm(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob := s.Register("ada"), s.Register("bob")
	cup := path.Base(s.PlayOut(t, olga, ada, bob, s.Register("cleo")))
	v := s.LoggedIn("olga")
	v.Get("/seasons/new").Want(t, http.StatusOK).Has(t, "tournament:"+cup+":0", `name="from"`)
	form := func(more ...string) []string {
		return append([]string{
			"key", "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11", "name", "Season", "from", "2026-09-01", "to", "2027-06-30", "best", "0", "least", "1",
			"table", "5 3 1", "part", "tournament:" + cup + ":0", "weight-tournament:" + cup + ":0", "1,5",
		}, more...)
	}
	v.Post("/seasons/new", form("counts", "tournament:"+cup+":0", "to", "x")...).
		Want(t, http.StatusSeeOther) // the first form counts
	at := v.Post("/seasons/new", form("counts", "tournament:"+cup+":0")...).Want(t, http.StatusSeeOther).
		Header.Get("Location")
	season, _, _ := strings.Cut(at, "?")
	v.Get(season).Want(t, http.StatusOK).Has(t, "5 × 1.5 = 7.5", "season-part")
	v.Get(season+"/edit").Want(t, http.StatusOK).Has(t, `value="1.5"`)
	v.Post(season+"/edit", form("seen", `"v1"`, "counts", "tournament:"+cup+":0", "counts", "x")...).
		Want(t, http.StatusSeeOther)
	v.Post(season+"/edit", form("seen", `"v1"`)...).Want(t, http.StatusPreconditionFailed)
	v.Post("/seasons/new", "key", "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b12", "name", "", "from", "2026", "to", "").
		Want(t, http.StatusUnprocessableEntity)
	v.Post("/seasons/new", form("part", "tournament:x:y")...).Want(t, http.StatusBadRequest)
	s.LoggedIn("ada").Get("/seasons/new").Want(t, http.StatusForbidden)
	v.Post(season+"/delete", "seen", `"v2"`).RedirectsTo(t, "/seasons?said=season_deleted")
}
