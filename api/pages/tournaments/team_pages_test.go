package tournaments_test

import (
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament"
)

// TestTeamPages: an invited member sees the team, and only members can answer.
func TestTeamPages(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Put(&tournament.Tournament{
		ID: "pairs", Name: "Pairs", Variant: "quixo/teams",
		Format: tournament.Swiss, Status: tournament.Open, TimeControl: "none",
		Organiser: "p8", RoundCount: 3, Entries: []tournament.Entry{
			{
				ID: "e1", Name: "The Owls", Members: []string{"p1", "p2", "p3"},
				Status: tournament.Confirmed, Awaiting: []string{"p2", "p3"},
			},
			{ID: "e2", Name: "The Rooks", Members: []string{"p4", "p5"}, Status: tournament.Confirmed},
		},
	})
	form := `action="/tournaments/pairs/entries/e1/agree" method="post"`
	shows := func(path, as, text string, want bool) {
		t.Helper()
		if strings.Contains(f.Page(path, as), text) != want {
			t.Errorf("%s as %q: %q there: %v", path, as, text, !want)
		}
	}
	for as, asked := range map[string]bool{"": false, "p1": false, "p2": true, "p3": true, "p4": false, "p8": false} {
		shows("/tournaments/pairs", as, form, asked)
		shows("/", as, `<a class="title" href="/tournaments/pairs">The Owls</a>`, asked)
	}
}
