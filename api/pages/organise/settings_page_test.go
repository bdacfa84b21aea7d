package organise_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestTieBreaksArePickedInOrder, place by place; codes that were typed count before them, and picks that were left as
// they are change nothing, whatever the format.
func TestTieBreaksArePickedInOrder(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	page := olga.Get("//tournaments/new").Want(t, http.StatusOK)
	const usual = "BH/C1, BH, DE, SB, WIN"
	page.Has(t, `name="tie_breaks_shown" value="`+usual+`"`, `<label for="pick-1">`, `<option value="BH/C1" selected>`,
		`<option value="SB">SB – Sonneborn-Berger</option>`)
	shown := url.Values{}
	for i, code := range strings.Split(usual, ", ") {
		shown.Set(fmt.Sprint("tie_break_", i+1), code)
	}
	shown.Set("tie_breaks_shown", usual)
	olga.Get("//tournaments/new?"+shown.Encode()).Want(t, http.StatusOK) // as the button for the advice sends them
	made := func(picks []string, fields map[string]string) []any {
		t.Helper()
		form := olga.NewTournamentForm(fields)
		form.Set("tie_breaks_shown", usual)
		for i, code := range picks {
			form.Set(fmt.Sprint("tie_break_", i+1), code)
		}
		to := olga.PostForm("/tournaments/new", form).Want(t, http.StatusSeeOther).Header.Get("Location")
		id, _, _ := strings.Cut(strings.TrimPrefix(to, "/tournaments/"), "/")
		return olga.Get("/tournaments/"+id).Want(t, http.StatusOK).List("tie_breaks")
	}
	for _, one := range []struct {
		what   string
		picks  []string
		fields map[string]string
		want   []any
	}{
		{"picked", []string{"SB", "", "DE", "", "", "", ""}, nil, []any{"SB", "DE"}},
		{"picks left as they were", strings.Split(usual+", , ", ", "), map[string]string{"format": "round_robin", "rounds": ""}, []any{"DE", "SB", "WIN"}},
		{"codes typed", []string{"SB", "DE"}, map[string]string{"tie_breaks": "WIN, BH"}, []any{"WIN", "BH"}},
		{"nothing picked", make([]string, 7), nil, []any{"BH/C1", "BH", "DE", "SB", "WIN"}},
	} {
		if got := made(one.picks, one.fields); !slices.Equal(got, one.want) {
			t.Errorf("%s: made %v, want %v", one.what, got, one.want)
		}
	}
	bad := olga.NewTournamentForm(map[string]string{"name": " "})
	bad.Set("tie_breaks_shown", usual)
	bad.Set("tie_break_1", "DE")
	bad.Set("tie_break_3", "BH")
	olga.PostForm("/tournaments/new", bad).Want(t, http.StatusUnprocessableEntity).
		Has(t, `name="tie_breaks" value="DE, BH"`, `name="tie_breaks_shown" value="DE, BH"`)
	olga.Get("//tournaments/new?format=knockout").Want(t, http.StatusOK).Lacks(t, "tie_break_1")
}

// TestSettingsAreSummedUp beside their form, with how long it takes.
func TestSettingsAreSummedUp(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for query, want := range map[string]string{
		"":                                "<p>Swiss system · 5 rounds · in the hall · rated · about 2 h 30 min</p>",
		"sent=1&rounds=7&venue=server":    "<p>Swiss system · 7 rounds · on the server · not rated · about 3 h 30 min</p>",
		"format=round_robin&players=5":    "<p>Round-robin · 5 rounds · ",
		"players=40&hours=3":              "<p>Swiss system · 6 rounds · in the hall · rated · about 3 h</p>",
		"format=knockout":                 "<p>Knock-out · in the hall · rated</p>",
		"other_control=7+min+%2B+5+s":     "about 2 h</p>",
		"other_control=nonsense":          "about 2 h 30 min",
		"other_control=3+days":            "· rated</p>",
		"max_entries=20&name=%3Cb%3ECup":  "<p class=\"what\">&lt;b&gt;Cup</p>",
		"rounds=-3&format=swiss&sent=one": "5 rounds",
	} {
		page := string(olga.Get("//tournaments/new?"+query, apitest.Header{"Accept-Language", "en"}).Want(t, http.StatusOK).
			Raw)
		_, card, _ := strings.Cut(page, `id="summary"`)
		card, _, _ = strings.Cut(card, "</aside>")
		if !strings.Contains(card, want) {
			t.Errorf("%s: want %s in %s", query, want, card)
		}
	}
	form := olga.NewTournamentForm(map[string]string{"other_control": "7 min + 5 s", "format": "knockout", "other_tie_break_control": "1 min + 1 s"})
	to := olga.PostForm("/tournaments/new", form).Want(t, http.StatusSeeOther).Header.Get("Location")
	id, _, _ := strings.Cut(strings.TrimPrefix(to, "/tournaments/"), "/")
	made := olga.Get("/tournaments/"+id).Want(t, http.StatusOK)
	if made.Text("time_control") != "420+5" || made.Text("pairing", "tie_break_time_control") != "60+1" {
		t.Errorf("%s", made.Raw)
	}
	olga.Get("//tournaments/"+id+"/desk?tab=settings").Want(t, http.StatusOK).
		Has(t, `id="summary"`, `<option value="60&#43;1" selected>1 min`)
	seen := seenIn(olga, "//tournaments/"+id+"/desk?tab=settings")
	olga.PostForm("/tournaments/"+id+"/desk/settings", url.Values{"sent": {"1"}, "version": {"1"}, "seen": {seen}, "other_tie_break_control": {"2 min"}}).
		Want(t, http.StatusSeeOther)
	if made := olga.Get("/tournaments/" + id); made.Text("pairing", "tie_break_time_control") != "120" {
		t.Errorf("%s", made.Raw)
	}
}
