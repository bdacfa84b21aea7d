package desk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestTeamsAreImported: the report of a team tournament is imported as a team tournament, over REST and by the form.
func TestTeamsAreImported(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.FourBoards, 4, apitest.WithPages)
	for match := range 2 {
		at := fmt.Sprint(x.Path, "/rounds/1/matches/", match+1)
		for _, c := range x.Captains {
			c.Post(at+"/lineup/final", nil)
		}
		for i, result := range []string{"1-0", "1/2-1/2", "+--", "0-1"} {
			x.Olga.Send(http.MethodPut, fmt.Sprint(at, "/boards/", i+1), map[string]any{"result": result}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
		}
	}
	report := string(x.Olga.Get(x.Path+"/export?format=trf").Want(t, http.StatusOK).Raw)
	order := map[string]any{"report": report, "variant": "quixo/duel", "time_control": "300+3", "name": "Again"}
	order["check"] = true
	if check := x.Olga.Post("/tournaments/import", order).Want(t, http.StatusOK); check.Number("new_players") != 20 {
		t.Errorf("%s", check.Raw)
	}
	order["format"] = "swiss"
	x.Olga.Post("/tournaments/import", order).Want(t, http.StatusUnprocessableEntity).Has(t, "team_swiss")
	delete(order, "check")
	delete(order, "format")
	again := x.Olga.Post("/tournaments/import", order).Want(t, http.StatusCreated)
	path := "/tournaments/" + again.Text("id")
	if again.Text("format") != "team_swiss" || again.Text("teams", "colours") != "WBWB" ||
		again.Text("status") != "running" {
		t.Errorf("%s", again.Raw)
	}
	for i := range 4 {
		for _, column := range []string{"match_points", "game_points", "rank"} {
			want, got := x.Olga.Get(x.Path+"/standings").At("rows", i, column), x.Olga.Get(path+"/standings").
				At("rows", i, column)
			if want != got {
				t.Errorf("row %d: %s %v, want %v", i, column, got, want)
			}
		}
	}
	out := string(x.Olga.Get(path+"/export?format=trf").Want(t, http.StatusOK).Raw)
	cells := regexp.MustCompile(`(?m)^(?:001|310|300|330|320|352|362|162|192) .*$`)
	if got, want := cells.FindAllString(out, -1), cells.FindAllString(report, -1); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("written as\n%s\nwant\n%s", out, report)
	}
	x.Olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	x.Olga.Get("/"+path+"/matches/1/1").Want(t, http.StatusOK)
	x.Olga.Get("/"+path+"/desk").Want(t, http.StatusOK)
}

// TestTeamsComeAndGo: a team enters late, another withdraws, and the rare settings are in the form.
func TestTeamsComeAndGo(t *testing.T) {
	x := apitest.NewTeamLeague(t, apitest.FourBoards, 4, apitest.WithPages)
	var members []string
	for i := range 4 {
		members = append(members, x.Register(fmt.Sprint("late", i)).Player)
	}
	late := x.Olga.Post(x.Path+"/entries", map[string]any{"name": "Late", "members": members, "captain": members[1]}).Want(t, http.StatusCreated)
	if late.Text("captain", "id") != members[1] {
		t.Errorf("%s", late.Raw)
	}
	x.Olga.Post(x.Path+"/entries/"+x.Entries[0]+"/withdraw", nil).Want(t, http.StatusOK)
	for match := range 2 {
		at := fmt.Sprint(x.Path, "/rounds/1/matches/", match+1)
		for _, c := range x.Captains {
			c.Post(at+"/lineup/final", nil)
		}
		for i := range 4 {
			x.Olga.Send(http.MethodPut, fmt.Sprint(at, "/boards/", i+1), `{"result":"1-0"}`, apitest.Header{"If-Match", "*"})
		}
	}
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated).Has(t, late.Text("id"), `"bye":"ZPB","forfeit":false`)
	y := x.Olga.Post("/tournaments", strings.Replace(apitest.FourBoards, "League", "Rare", 1)).Want(t, http.StatusCreated)
	desk := "/tournaments/" + y.Text("id") + "/desk"
	form := x.Olga.Get("/"+desk+"?tab=settings").Want(t, http.StatusOK).Has(t, `name="team_colours"`, `value="2 1 0"`, `value="1 0.5 0 0"`)
	fields := url.Values{"seen": {form.Value("seen")}, "match_points": {"3 1 0"}, "gaps": {"any"}, "team_colours": {"WWBB"}, "squads_close": {"2"}}
	x.Olga.PostForm(desk+"/settings", fields).Want(t, http.StatusSeeOther)
	now := x.Olga.Get("/tournaments/" + y.Text("id"))
	if now.Number("teams", "match_points", "win") != 3 || now.Text("teams", "colours") != "WWBB" || now.Text("teams", "gaps") != "any" ||
		now.Number("teams", "squads_close") != 2 || now.Number("points", "win") != 3 {
		t.Errorf("%s", now.Raw)
	}
	fields = url.Values{"seen": {x.Olga.Get("/" + desk + "?tab=settings").Value("seen")}, "match_points": {"3 1"}}
	x.Olga.PostForm(desk+"/settings", fields).Want(t, http.StatusUnprocessableEntity).Says(t, "write 3 numbers with blanks between them")
}
