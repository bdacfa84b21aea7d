package organise_test

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/apitest"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/tournament/account"
)

// setting is a tournament's setting of the API, and its field in a form.
type setting struct {
	fields map[string]string // what is typed, beside what every form has
	want   any               // what the API then returns
}

// formSettings are the settings by their paths in a tournament of the API.
func formSettings() map[string]setting {
	swiss := func(fields map[string]string, want any) setting { return setting{fields, want} }
	cup := func(name, value string, want any) setting {
		return setting{map[string]string{"format": "knockout", "rounds": "", name: value}, want}
	}
	tables := func(fields map[string]string, want any) setting {
		form := map[string]string{"format": "table_swiss", "variant": "quivive/melee"}
		maps.Copy(form, fields)
		return setting{form, want}
	}
	keizer := func(name, value string, want any) setting {
		return setting{map[string]string{"format": "keizer", "rounds": "", "venue": "hall", name: value}, want}
	}
	return map[string]setting{
		"name":                           swiss(map[string]string{"name": "Friday"}, "Friday"),
		"variant":                        swiss(map[string]string{"variant": "quits/duel"}, "quits/duel"),
		"format":                         swiss(map[string]string{"format": "round_robin"}, "round_robin"),
		"rounds":                         swiss(map[string]string{"rounds": "7"}, 7.0),
		"time_control":                   swiss(map[string]string{"other_control": "420+5"}, "420+5"),
		"tie_breaks":                     swiss(map[string]string{"tie_breaks": "SB, BH"}, []any{"SB", "BH"}),
		"rated":                          swiss(map[string]string{"rated": "1"}, true),
		"venue":                          swiss(map[string]string{"venue": "server"}, "server"),
		"auto_rounds":                    swiss(map[string]string{"auto": "1"}, true),
		"max_entries":                    swiss(map[string]string{"max_entries": "20"}, 20.0),
		"starts_at":                      swiss(map[string]string{"starts": "2031-05-06T19:30"}, "2031-05-06T19:30:00.000Z"),
		"options/repetition":             swiss(map[string]string{"repetition": "5"}, "5"),
		"options/max_plies":              swiss(map[string]string{"max_plies": "90"}, "90"),
		"options/draws":                  swiss(map[string]string{"draws": "1"}, "forbidden"),
		"points/win":                     swiss(map[string]string{"win": "3"}, 3.0),
		"points/draw":                    swiss(map[string]string{"draw": "0.4"}, 0.4),
		"points/loss":                    swiss(map[string]string{"loss": "0.1"}, 0.1),
		"points/bye":                     swiss(map[string]string{"bye": "0.5"}, 0.5),
		"points/forfeit_win":             swiss(map[string]string{"forfeit_win": "0.5"}, 0.5),
		"points/forfeit_loss":            swiss(map[string]string{"loss": "0.2", "forfeit_loss": "0.1"}, 0.1),
		"pairing/acceleration":           swiss(map[string]string{"acceleration": "1"}, "baku"),
		"pairing/initial_colour":         swiss(map[string]string{"initial_colour": "black"}, "black"),
		"pairing/full_point_byes":        swiss(map[string]string{"full_byes": "1"}, true),
		"pairing/half_point_byes":        swiss(map[string]string{"half_byes": "3"}, 3.0),
		"pairing/missed_rounds":          swiss(map[string]string{"missed": "1"}, "HPB"),
		"pairing/adjourned":              swiss(map[string]string{"adjourned": "1"}, "draw"),
		"pairing/reasons":                swiss(map[string]string{"reasons": "1"}, "staff"),
		"pairing/varma":                  swiss(map[string]string{"format": "round_robin", "varma": "1"}, true),
		"pairing/third_place":            cup("third", "1", true),
		"pairing/replays":                cup("replays", "4", 4.0),
		"pairing/tie_break_games":        cup("tie_break_games", "0", 0.0),
		"pairing/tie_break_time_control": cup("tie_break_control", "60+1", "60+1"),
		"pairing/decision":               cup("decision", "lot", "lot"),
		"pairing/keizer/top":             keizer("top", "80", 80.0),
		"pairing/keizer/own":             keizer("own", "2", 2.0),
		"pairing/keizer/absences":        keizer("absences", "3", 3.0),
		"pairing/keizer/gap":             keizer("gap", "2", 2.0),
		"pairing/keizer/meetings":        keizer("meetings", "4", 4.0),
		"pairing/keizer/close":           keizer("close", "30", 30.0),
		"pairing/keizer/silence":         keizer("silence", "absent", "absent"),
		"points/places":                  tables(map[string]string{"places": "5 3 2 1"}, []any{[]any{5.0, 3.0, 2.0, 1.0}}),
		"pairing/tables/sizes":           tables(map[string]string{"size3": "1"}, []any{3.0}),
		"pairing/tables/preferred":       tables(map[string]string{"size3": "1", "size4": "1", "preferred": "3"}, 3.0),
		"pairing/tables/meetings":        tables(map[string]string{"scores_first": "1"}, "second"),
		"pairing/tables/clubs":           tables(map[string]string{"clubs_apart": "1"}, true),
		"pairing/tables/seeding":         tables(map[string]string{"unseeded": "1"}, "off"),
		"pairing/tables/short_tables":    tables(map[string]string{"short": "1"}, true),
		"pairing/tables/partners":        tables(map[string]string{"variant": "quixo/teams", "rotate": "1"}, "rotate"),
		"play/no_show_ms":                swiss(map[string]string{"no_show": "1.5"}, 90_000.0),
		"play/no_shows":                  swiss(map[string]string{"no_shows": "2"}, 2.0),
		"play/delay_moves":               swiss(map[string]string{"delay_moves": "3"}, 3.0),
		"play/delay_ms":                  swiss(map[string]string{"delay": "2"}, 120_000.0),
		"play/takebacks":                 swiss(map[string]string{"takebacks": "1"}, true),
		"play/bots":                      swiss(map[string]string{"bots": "1", "venue": "server"}, true),
	}
}

// formatSettings are those of teams and arenas.
func formatSettings() map[string]setting {
	teams := func(name, value string, want any) setting {
		return setting{map[string]string{"format": "team_swiss", "boards": "3", name: value}, want}
	}
	cups := func(name, value string, want any) setting {
		return setting{map[string]string{"format": "team_knockout", "rounds": "", "boards": "3", name: value}, want}
	}
	arena := func(name, value string, want any) setting {
		return setting{map[string]string{
			"format": "arena", "rounds": "", "venue": "server", "control": "180+2",
			name: value,
		}, want}
	}
	return map[string]setting{
		"teams/boards":                teams("boards", "Quits 600+5, unrated", []any{map[string]any{"game": "quits/duel", "rated": true, "time_control": "600+5"}, map[string]any{"rated": false}}),
		"teams/order":                 teams("line_up_order", "fixed", "fixed"),
		"teams/deadline_minutes":      teams("line_ups_due", "30", 30.0),
		"teams/minimum":               teams("manned", "3", 3.0),
		"teams/squad/most":            teams("squad_most", "5", 5.0),
		"teams/squad/least":           teams("squad_least", "2", 2.0),
		"teams/days":                  teams("match_days", "21", 21.0),
		"teams/squads_close":          teams("squads_close", "2", 2.0),
		"teams/colours":               teams("team_colours", "WWB", "WWB"),
		"teams/gaps":                  teams("gaps", "any", "any"),
		"teams/rating_margin":         teams("rating_margin", "150", 150.0),
		"teams/match_points/win":      teams("match_points", "3 1 0", 3.0),
		"teams/match_points/draw":     teams("match_points", "4 1.5 0", 1.5),
		"teams/match_points/loss":     teams("match_points", "3 2 0.5", 0.5),
		"teams/game_points/win":       teams("game_points", "2 1 0 0", 2.0),
		"teams/game_points/draw":      teams("game_points", "1 0.4 0 0", 0.4),
		"teams/game_points/loss":      teams("game_points", "3 2 1 0", 1.0),
		"teams/game_points/absence":   teams("game_points", "3 2 1 0.5", 0.5),
		"teams/pab/mp":                teams("pab", "2 1.5", 2.0),
		"teams/pab/gp":                teams("pab", "1 2.5", 2.5),
		"teams/primary":               teams("primary", "GP", "GP"),
		"teams/secondary":             teams("secondary", "none", "none"),
		"teams/preference":            teams("preference", "B", "B"),
		"teams/knockout_breaks":       cups("knockout_breaks", "TBR, LOT", []any{"TBR", "LOT"}),
		"teams/legs":                  cups("legs", "2", 2.0),
		"teams/tiebreak_clock":        cups("tiebreak_clock", "120+1", "120+1"),
		"pairing/arena/length":        arena("length", "90", 90.0),
		"pairing/arena/tick":          arena("tick", "7", 7.0),
		"pairing/arena/patience":      arena("patience", "20", 20.0),
		"pairing/arena/grace":         arena("grace", "400", 400.0),
		"pairing/arena/berserk":       arena("berserk", "1", true),
		"pairing/arena/berserk_moves": arena("berserk_moves", "8", 8.0),
		"pairing/arena/boards":        arena("hall_boards", "12", 12.0),
	}
}

// settingsOf returns the paths of the settings in a schema; those of objects are named individually.
func settingsOf(schema *openapi3.Schema, at string) (paths []string) {
	for name, property := range schema.Properties {
		switch {
		case len(property.Value.Properties) > 0:
			paths = append(paths, settingsOf(property.Value, at+name+"/")...)
		case name != "options":
			paths = append(paths, at+name)
		}
	}
	return paths
}

// TestFormsHaveEverySetting checks the forms for a new tournament and for its settings against the contract: each
// member of POST /tournaments and PATCH /tournaments/{id} has a field, and the API then shows the value typed there.
func TestFormsHaveEverySetting(t *testing.T) {
	if testing.Short() {
		t.Skip("makes two tournaments for each setting")
	}
	paths := []string{}
	for _, name := range []string{"NewTournament", "TournamentPatch"} {
		for _, path := range settingsOf(apitest.Contract().Components.Schemas[name].Value, "") {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	for _, option := range engine.CommonOptions() {
		paths = append(paths, "options/"+option.Key)
	}
	slices.Sort(paths)
	if len(paths) < 30 {
		t.Fatalf("the contract has the settings %v", paths)
	}
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	known := formSettings()
	maps.Copy(known, formatSettings())
	for _, rules := range catalog.All() {
		info := rules.Info()
		if info.Seats[0] != 2 && info.Sides != 2 {
			continue
		}
		for _, option := range info.Options {
			last := option.Values[len(option.Values)-1]
			path := "options/" + option.Key + " of " + info.ID
			paths = append(paths, path)
			known[path] = setting{map[string]string{"variant": info.ID, "opt:" + info.ID + ":" + option.Key: last}, last}
		}
	}
	for i, path := range paths {
		one, ok := known[path]
		if !ok {
			t.Errorf("the API takes %s, and no form does", path)
			continue
		}
		path, _, _ = strings.Cut(path, " of ")
		form := olga.NewTournamentForm(map[string]string{"rounds": "5", "name": fmt.Sprint("Number ", i)})
		page := olga.Get("//tournaments/new").Page()
		plain := olga.CreateBy(t, form)
		for name, value := range one.fields {
			form.Set(name, value)
			if !strings.Contains(page, `name="`+name+`"`) {
				t.Errorf("%s: the form has no field %q", path, name)
			}
		}
		saw := func(where, id string) {
			var at []any
			for _, part := range strings.Split(path, "/") {
				at = append(at, part)
			}
			if got := olga.Get("/tournaments/"+id).Want(t, http.StatusOK).At(at...); !reflect.DeepEqual(got, one.want) {
				t.Errorf("%s: %s, the API says %v, want %v", path, where, got, one.want)
			}
		}
		form.Set("key", fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
		saw("created with it", olga.CreateBy(t, form))
		form.Set("seen", seenIn(olga, "//tournaments/"+plain+"/desk?tab=settings"))
		olga.PostForm("/tournaments/"+plain+"/desk/settings", form).Want(t, http.StatusSeeOther)
		saw("changed to it", plain)

		// The form then shows what it was sent: saving it unchanged changes nothing.
		shown := olga.Get("//tournaments/"+plain+"/desk?tab=settings").Want(t, http.StatusOK).Page()
		for name, value := range one.fields {
			if name == "other_control" {
				name, value = "control", one.want.(string)
			}
			if !showsField(shown, name, value) {
				t.Errorf("%s: the settings do not show %s as %q", path, name, value)
			}
		}
	}
}

// TestPointsInTheFormFollowTheWin: a bye and a forfeit win that are left unset follow a win that is changed.
func TestPointsInTheFormFollowTheWin(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	form := olga.NewTournamentForm(map[string]string{
		"rounds": "5", "name": "Three for a win", "win": "3", "draw": "1", "forfeit_win": "1", "bye": "1",
	})
	id := olga.CreateBy(t, form)
	points := olga.Get("/tournaments/"+id).Want(t, http.StatusOK).At("points").(map[string]any)
	if points["forfeit_win"] != 3.0 || points["bye"] != 3.0 {
		t.Errorf("the points are %v", points)
	}
	form.Set("seen", seenIn(olga, "//tournaments/"+id+"/desk?tab=settings"))
	form.Set("bye", "1")
	form.Set("forfeit_win", "3")
	olga.PostForm("/tournaments/"+id+"/desk/settings", form).Want(t, http.StatusSeeOther)
	if bye := olga.Get("/tournaments/"+id).At("points", "bye"); bye != 1.0 {
		t.Errorf("a bye of 1 that is set is %v", bye)
	}
}

// seenIn returns the first digest in the forms of a page.
func seenIn(p apitest.Person, path string) string {
	_, rest, _ := strings.Cut(p.Get(path).Want(p.Service.T, http.StatusOK).Page(), `name="seen" value="`)
	digest, _, _ := strings.Cut(rest, `"`)
	return digest
}

// showsField reports whether a page shows a field with a value: as text, as a ticked box or as a choice.
func showsField(page, name, value string) bool {
	for _, field := range []string{
		`<input id="` + name + `"`, `<input type="checkbox" name="` + name + `"`,
		`<select id="` + name + `"`,
	} {
		_, rest, found := strings.Cut(page, field)
		if !found {
			continue
		}
		if strings.HasPrefix(field, "<select") {
			rest, _, _ = strings.Cut(rest, "</select>")
			return strings.Contains(rest, `<option value="`+value+`" selected>`) ||
				strings.Contains(rest, `<option selected>`+value+`<`)
		}
		rest, _, _ = strings.Cut(rest, ">")
		return strings.HasSuffix(rest, " checked") || strings.Contains(rest, `value="`+value+`"`) &&
			!strings.Contains(field, "checkbox")
	}
	return strings.Contains(page, `name="`+name+`" value="`+value+`" checked`)
}
