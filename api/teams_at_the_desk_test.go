package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestTeamsAreImported: the report of a tournament of teams is one again here, over REST and by the form.
func TestTeamsAreImported(t *testing.T) {
	x := newLeague(t, fourGames, 4, withRealPages)
	for match := range 2 {
		at := fmt.Sprint(x.path, "/rounds/1/matches/", match+1)
		for _, c := range x.captains {
			c.post(at+"/lineup/final", nil)
		}
		for i, result := range []string{"1-0", "1/2-1/2", "+--", "0-1"} {
			x.olga.send(http.MethodPut, fmt.Sprint(at, "/boards/", i+1), map[string]any{"result": result}, header{"If-Match", "*"}).want(t, http.StatusOK)
		}
	}
	report := string(x.olga.get(x.path+"/export?format=trf").want(t, http.StatusOK).raw)
	order := map[string]any{"report": report, "variant": "quixo/duel", "time_control": "300+3", "name": "Again"}
	order["check"] = true
	if check := x.olga.post("/tournaments/import", order).want(t, http.StatusOK); check.number("new_players") != 20 {
		t.Errorf("%s", check.raw)
	}
	order["format"] = "swiss"
	x.olga.post("/tournaments/import", order).want(t, http.StatusUnprocessableEntity).has(t, "team_swiss")
	delete(order, "check")
	delete(order, "format")
	again := x.olga.post("/tournaments/import", order).want(t, http.StatusCreated)
	path := "/tournaments/" + again.text("id")
	if again.text("format") != "team_swiss" || again.text("teams", "colours") != "WBWB" || again.text("status") != "running" {
		t.Errorf("%s", again.raw)
	}
	for i := range 4 {
		for _, column := range []string{"match_points", "game_points", "rank"} {
			want, got := x.olga.get(x.path+"/standings").at("rows", i, column), x.olga.get(path+"/standings").at("rows", i, column)
			if want != got {
				t.Errorf("row %d: %s %v, want %v", i, column, got, want)
			}
		}
	}
	out := string(x.olga.get(path+"/export?format=trf").want(t, http.StatusOK).raw)
	cells := regexp.MustCompile(`(?m)^(?:001|310|300|330|320|352|362|162|192) .*$`)
	if got, want := cells.FindAllString(out, -1), cells.FindAllString(report, -1); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("written as\n%s\nwant\n%s", out, report)
	}
	x.olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	x.olga.get("/"+path+"/matches/1/1").want(t, http.StatusOK)
	x.olga.get("/"+path+"/desk").want(t, http.StatusOK)
}

// TestTeamsComeAndGo: a team enters late, another withdraws, and the rare settings are in the form.
func TestTeamsComeAndGo(t *testing.T) {
	x := newLeague(t, fourGames, 4, withRealPages)
	var members []string
	for i := range 4 {
		members = append(members, x.register(fmt.Sprint("late", i)).player)
	}
	late := x.olga.post(x.path+"/entries", map[string]any{"name": "Late", "members": members, "captain": members[1]}).want(t, http.StatusCreated)
	if late.text("captain", "id") != members[1] {
		t.Errorf("%s", late.raw)
	}
	x.olga.post(x.path+"/entries/"+x.entries[0]+"/withdraw", nil).want(t, http.StatusOK)
	for match := range 2 {
		at := fmt.Sprint(x.path, "/rounds/1/matches/", match+1)
		for _, c := range x.captains {
			c.post(at+"/lineup/final", nil)
		}
		for i := range 4 {
			x.olga.send(http.MethodPut, fmt.Sprint(at, "/boards/", i+1), `{"result":"1-0"}`, header{"If-Match", "*"})
		}
	}
	x.olga.post(x.path+"/rounds", nil).want(t, http.StatusCreated).has(t, late.text("id"), `"bye":"ZPB","forfeit":false`)
	y := x.olga.post("/tournaments", strings.Replace(fourGames, "League", "Rare", 1)).want(t, http.StatusCreated)
	desk := "/tournaments/" + y.text("id") + "/desk"
	form := x.olga.get("/"+desk+"?tab=settings").want(t, http.StatusOK).has(t, `name="team_colours"`, `value="2 1 0"`, `value="1 0.5 0 0"`)
	fields := url.Values{"seen": {form.value("seen")}, "match_points": {"3 1 0"}, "gaps": {"any"}, "team_colours": {"WWBB"}, "squads_close": {"2"}}
	x.olga.form(desk+"/settings", fields).want(t, http.StatusSeeOther)
	now := x.olga.get("/tournaments/" + y.text("id"))
	if now.number("teams", "match_points", "win") != 3 || now.text("teams", "colours") != "WWBB" || now.text("teams", "gaps") != "any" ||
		now.number("teams", "squads_close") != 2 || now.number("points", "win") != 3 {
		t.Errorf("%s", now.raw)
	}
	fields = url.Values{"seen": {x.olga.get("/" + desk + "?tab=settings").value("seen")}, "match_points": {"3 1"}}
	x.olga.form(desk+"/settings", fields).want(t, http.StatusUnprocessableEntity).says(t, "write 3 numbers with blanks between them")
}
