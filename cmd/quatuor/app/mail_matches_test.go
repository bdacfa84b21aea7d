package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
)

// TestMailOfMatches: a captain is sent an e-mail for each proposal of the other captain, and when the line-up is due
// within a day.
func TestMailOfMatches(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel() // it waits more than it computes
		a, box := mailApp(t, nil)
		testMailOfMatches(t, []*App{a}, box)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		if testing.Short() {
			t.Skip("starts PostgreSQL")
		}
		box := newMailbox(t)
		all := instances(t, dbtest.Cluster(t, "fsync=off").Schema(t), 2, func(c *Config) { box.withMail(c) })
		setUp(t, all[0])
		testMailOfMatches(t, all, box)
	})
}

func testMailOfMatches(t *testing.T, all []*App, box *mailbox) {
	a := all[0]
	ada, bob := player(t, all, "ada")[0], player(t, all, "bob")[0]
	setAddress(t, a, accountOf(t, a, "ada"), "ada@x.example")
	var made harness.Game
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	makeOrganiser(t, all, ada.Token)
	must(ada.Post(t.Context(), "/tournaments", map[string]any{
		"name": "League", "variant": "quixo/duel", "format": "team_round_robin", "time_control": "300+3",
		"teams": map[string]any{"boards": []any{map[string]any{}, map[string]any{}}, "days": 21, "deadline_minutes": 60},
	}, &made))
	league := "/tournaments/" + made.ID
	for i, captain := range []string{ada.ID, bob.ID} {
		second := player(t, all, fmt.Sprint("second", i))[0]
		must(ada.Post(t.Context(), league+"/entries", map[string]any{
			"name": fmt.Sprint("Team ", i+1), "members": []string{captain, second.ID}, "captain": captain,
		}, nil))
	}
	must(ada.Post(t.Context(), league+"/start", nil, nil))
	must(ada.Post(t.Context(), league+"/rounds", nil, nil))
	if got := box.next(); got.path(t) != league {
		t.Errorf("%+v", got)
	}
	proposal := league + "/rounds/1/matches/1/date/proposal"
	look := func() {
		t.Helper()
		for i := range 2 { // found once
			must(all[i%len(all)].Store.Mail().QueueMatches(t.Context(), time.Now().UnixMilli()))
		}
		a.mail.Wake()
	}
	for days := 3; days < 5; days++ {
		at := time.Now().Add(time.Duration(days) * 24 * time.Hour).UTC().Truncate(time.Minute)
		must(bob.Post(t.Context(), proposal, map[string]any{"at": at.Format(time.RFC3339)}, nil))
		look()
		got := box.next()
		if !strings.HasPrefix(got.path(t), league+"/team?team=") || !strings.Contains(got.text, "Team 2") || !strings.Contains(got.text, at.Format("15:04")) {
			t.Errorf("%+v", got)
		}
		if days == 4 {
			must(ada.Post(t.Context(), proposal, map[string]any{"at": at.Format(time.RFC3339)}, nil))
		}
	}
	look() // agreed: nothing is pending
	soon := map[string]any{"at": time.Now().Add(20 * time.Hour).UTC().Format(time.RFC3339)}
	must(ada.Post(t.Context(), proposal, soon, nil))
	must(bob.Post(t.Context(), proposal, soon, nil))
	look()
	if got := box.next(); !strings.HasPrefix(got.path(t), league+"/team?team=") || !strings.Contains(got.text, "is due on") {
		t.Errorf("%+v", got)
	}
	box.waitEmpty(a)
	if len(box.got) != 0 {
		t.Errorf("once more: %+v", box.next())
	}
}
