package organise_test

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine"
	"quatuor/tournament/account"
)

// TestImportFormHasEveryOption holds the form that takes a report file to the contract: whatever POST
// /tournaments/import takes has a field, and the API then returns what was typed there.
func TestImportFormHasEveryOption(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	report := olga.ReportFile("Report")
	anna := apitest.MakePlayer(t, olga, "Anna Known")
	first := func(id string) string {
		entries := olga.Get("/tournaments/"+id+"/entries").Want(t, http.StatusOK)
		return fmt.Sprint(entries.At("items", 0, "members"))
	}
	said := func(path ...any) func(string) any {
		return func(id string) any { return olga.Get("/tournaments/"+id).Want(t, http.StatusOK).At(path...) }
	}
	type option struct {
		fields map[string]string
		says   func(id string) any
		want   any
	}
	known := map[string]option{
		"report":  {map[string]string{}, said("rounds_paired"), 1.0},
		"name":    {map[string]string{"name": "Another"}, said("name"), "Another"},
		"variant": {map[string]string{"variant": "quits/duel"}, said("variant"), "quits/duel"},
		"format": {
			map[string]string{"format": "round_robin", "rounds": "1", "tie_breaks": "SB"},
			said("format"),
			"round_robin",
		},
		"rounds":       {map[string]string{"rounds": "3"}, said("rounds"), 3.0},
		"time_control": {map[string]string{"other_control": "420+5"}, said("time_control"), "420+5"},
		"tie_breaks":   {map[string]string{"tie_breaks": "SB, BH"}, said("tie_breaks"), []any{"SB", "BH"}},
		"rated":        {map[string]string{"rated": "1"}, said("rated"), true},
		"auto_rounds":  {map[string]string{"auto": "1"}, said("auto_rounds"), true},
		"names_only":   {map[string]string{"names_only": "1"}, func(id string) any { return first(id) }, "[]"},
		"players": {map[string]string{"known": "1 Anna Known"}, func(id string) any {
			return strings.Contains(first(id), anna)
		}, true},
		"check": {map[string]string{"check": "1", "name": "Only checked"}, nil, nil},
	}
	properties := slices.Sorted(maps.Keys(apitest.Contract().Components.Schemas["TournamentImport"].Value.Properties))
	properties = slices.DeleteFunc(properties, func(name string) bool { return name == "options" })
	for key, fields := range map[string]map[string]string{
		"repetition": {"repetition": "5"},
		"max_plies":  {"max_plies": "90"}, "draws": {"draws": "1"},
	} {
		want := map[string]any{"repetition": "5", "max_plies": "90", "draws": "forbidden"}[key]
		known["options/"+key] = option{fields, said("options", key), want}
	}
	for _, o := range engine.CommonOptions() {
		properties = append(properties, "options/"+o.Key)
	}
	page := olga.Get("//tournaments/new").Want(t, http.StatusOK).Page()
	_, page, _ = strings.Cut(page, `action="/tournaments/new/import"`)
	for i, name := range properties {
		one, ok := known[name]
		if !ok {
			t.Errorf("the API takes %s, and the form does not", name)
			continue
		}
		form := olga.NewTournamentForm(map[string]string{
			"name": "", "format": "", "rounds": "", "variant": "quixo/duel", "control": "none",
		})
		form.Del("rated")
		form.Set("key", fmt.Sprintf("00000000-0000-4000-9000-%012d", i))
		for field, value := range one.fields {
			form.Set(field, value)
			if !strings.Contains(page, `name="`+field+`"`) {
				t.Errorf("%s: the form has no field %q", name, field)
			}
		}
		answer := olga.Upload("/tournaments/new/import", "file", report, form).Want(t, http.StatusOK)
		if one.says == nil {
			answer.Says(t, "Nothing is stored", "1 of 2 rounds paired", "4 entries")
			if strings.Contains(olga.Get("//tournaments").Page(), "Only checked") {
				t.Errorf("a check stored a tournament")
			}
			continue
		}
		_, id, _ := strings.Cut(answer.Page(), `href="/tournaments/`)
		id, _, _ = strings.Cut(id, "/")
		if got := one.says(id); !reflect.DeepEqual(got, one.want) {
			t.Errorf("%s: the API says %v, want %v", name, got, one.want)
		}
	}
}

// TestImportFormNamesPlayers: named players are found, and none is guessed; what was typed stays.
func TestImportFormNamesPlayers(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	report := olga.ReportFile("Report")
	for _, name := range []string{"Anna Known", "Twin One", "Twin One"} {
		apitest.MakePlayer(t, olga, name)
	}
	for i, test := range []struct{ known, says string }{
		{"1 Nobody", "no player is called"},
		{"1 Twin One", "several players are called"},
		{"1 00000000-0000-4000-9000-000000000000", "there is no such player"},
		{"1 http://x/players/nothing", "there is no such player"},
		{"Anna Known", "write the number in the file"},
		{"0 Anna Known", "write the number in the file"},
		{"1 Anna Known\n1 Twin One", "stands there twice"},
		{"9 Anna Known", `role="alert"`},
		{"1 Anna Known\n2 = anna known", `role="alert"`},
	} {
		form := olga.NewTournamentForm(map[string]string{
			"name": "Kept name", "format": "", "rounds": "",
			"known": test.known,
		})
		form.Set("key", fmt.Sprintf("00000000-0000-4000-9000-%012d", i))
		answer := olga.Upload("/tournaments/new/import", "file", report, form).Want(t, http.StatusUnprocessableEntity)
		answer.Says(t, test.says, `id="import-name" name="name" value="Kept name"`, `<details class="fold" open>`)
	}
}
