package pages

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestTeamPages shows a team to the member who is asked, and lets only members answer.
func TestTeamPages(t *testing.T) {
	w := newTown(t)
	w.tournaments["pairs"] = &tournament.Tournament{
		ID: "pairs", Name: "Pairs", Variant: "quixo/teams", Format: tournament.Swiss, Status: tournament.Open, TimeControl: "none",
		Organiser: "p8", RoundCount: 3, Entries: []tournament.Entry{
			{ID: "e1", Name: "The Owls", Members: []string{"p1", "p2", "p3"}, Status: tournament.Confirmed, Awaiting: []string{"p2", "p3"}},
			{ID: "e2", Name: "The Rooks", Members: []string{"p4", "p5"}, Status: tournament.Confirmed},
		},
	}
	form := `action="/tournaments/pairs/entries/e1/agree" method="post"`
	shows := func(path, as, text string, want bool) {
		t.Helper()
		if strings.Contains(w.page(path, as), text) != want {
			t.Errorf("%s as %q: %q there: %v", path, as, text, !want)
		}
	}
	for as, asked := range map[string]bool{"": false, "p1": false, "p2": true, "p3": true, "p4": false, "p8": false} {
		shows("/tournaments/pairs", as, form, asked)
		shows("/", as, `<a class="title" href="/tournaments/pairs">The Owls</a>`, asked)
	}
	for _, c := range []struct {
		path, as, to string
		status       int
	}{
		{"/tournaments/pairs/entries/e1/agree", "", "/login?next=/tournaments/pairs", http.StatusSeeOther},
		{"/tournaments/pairs/entries/e1/agree", "p4", "", http.StatusForbidden},
		{"/tournaments/pairs/entries/none/agree", "p2", "", http.StatusNotFound},
		{"/tournaments/none/entries/e1/agree", "p2", "", http.StatusNotFound},
		{"/tournaments/secret/entries/e1/decline", "p2", "", http.StatusNotFound},
		{"/tournaments/pairs/entries/e1/agree", "p2", "/tournaments/pairs", http.StatusSeeOther},
		{"/tournaments/pairs/entries/e1/agree", "p2", "/tournaments/pairs", http.StatusSeeOther},
		{"/tournaments/pairs/entries/e1/decline", "p2", "/tournaments/pairs", http.StatusSeeOther}, // too late
	} {
		if a := w.answer(c.path, c.as); a.Code != c.status || a.Header().Get("Location") != c.to {
			t.Errorf("%s as %q: %d to %q", c.path, c.as, a.Code, a.Header().Get("Location"))
		}
	}
	shows("/tournaments/pairs", "p2", form, false)
	shows("/", "p2", "The Owls", false)
	if e := w.tournaments["pairs"].Entries[0]; e.Status != tournament.Confirmed || len(e.Awaiting) != 1 || e.Awaiting[0] != "p3" {
		t.Errorf("after one member agreed: %+v", e)
	}
	if a := w.answer("/tournaments/pairs/entries/e1/decline", "p3"); a.Code != http.StatusSeeOther {
		t.Errorf("declining: %d", a.Code)
	}
	if e := w.tournaments["pairs"].Entries[0]; e.Status != tournament.Withdrawn {
		t.Errorf("after a member declined: %+v", e)
	}
	shows("/tournaments/pairs", "p3", form, false)
	shows("/tournaments/pairs", "p3", "withdrawn", true)
}
