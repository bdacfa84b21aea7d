package league

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestTable computes the tables of a league of two divisions, and of the draft after it.
func TestTable(t *testing.T) {
	division := func(status tournament.Status, players string) *tournament.Tournament {
		event := &tournament.Tournament{Status: status, LotSeed: "lot"}
		for _, player := range strings.Fields(players) {
			event.Entries = append(event.Entries, tournament.Entry{Members: []string{player}})
		}
		return event
	}
	stored := func(tournament, players string) (d Division) {
		for _, player := range strings.Fields(players) {
			d.Members = append(d.Members, Member{Name: player, Because: Joins})
		}
		d.Tournament = tournament
		return d
	}
	for name, tt := range map[string]struct {
		top, low *tournament.Tournament // nil if deleted
		deleted  map[string]bool        // players
		table    string                 // of the season, with where it leads
		over     bool
		draft    string // of the season after it, or the refusal
	}{
		"finished": {
			top: division(tournament.Finished, "a b c"), low: division(tournament.Archived, "d e"),
			table: "[a b c:relegated][d:promoted e]", over: true, draft: "[a b d:promoted][c:relegated e]",
		},
		"one goes on": {
			top: division(tournament.Finished, "a b c"), low: division(tournament.Running, "d e"),
			table: "[a b c:relegated][d:promoted e]", draft: "division 2 of season 1 is not finished",
		},
		"in another order": {
			top: division(tournament.Finished, "c b a"), low: division(tournament.Finished, "e d"),
			table: "[c b a:relegated][e:promoted d]", over: true, draft: "[c b e:promoted][a:relegated d]",
		},
		"a deleted tournament": {
			top: division(tournament.Finished, "a b c"), table: "[a b c:relegated][d:promoted e]",
			draft: "the tournament of division 2 was deleted",
		},
		"a deleted player leaves": {
			top: division(tournament.Finished, "a b c"), low: division(tournament.Finished, "d e"), deleted: map[string]bool{"c": true},
			table: "[a b c:relegated][d:promoted e]", over: true, draft: "[a b d:promoted][e]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(id string) (*tournament.Tournament, error) {
				if event := map[string]*tournament.Tournament{"top": tt.top, "low": tt.low}[id]; event != nil {
					return event, nil
				}
				return nil, tournament.ErrNotFound
			}
			from := Source{
				Seen: read, Stored: read,
				Deleted: func([]string) (map[string]bool, error) { return tt.deleted, nil },
			}
			plan := Plan{Number: 1, Confirmed: true, State: State{
				Rules: Rules{Up: 1, Down: 1}, Divisions: []Division{stored("top", "a b c"), stored("low", "d e")},
			}}
			table, err := plan.Table(nil, from)
			if got := text(table, func(m Placed) Reason { return m.Then }); err != nil || got != tt.table || table.Over != tt.over {
				t.Errorf("%s, %v, over %v", got, err, table.Over)
			}
			draft, err := Plan{Number: 2, State: State{Rules: plan.State.Rules}}.Table([]Plan{plan}, from)
			got := text(draft, func(m Placed) Reason { return m.Because })
			if draft.Blocked != nil {
				got = draft.Blocked.Error()
			}
			if err != nil || !strings.Contains(got, tt.draft) || draft.Blocked != nil && !errors.Is(draft.Blocked, ErrState) {
				t.Errorf("%s, %v, want %s", got, err, tt.draft)
			}
		})
	}
}

// text writes the members of a table, and why those move that do not stay.
func text(t Table, why func(Placed) Reason) string {
	var out strings.Builder
	for _, d := range t.Divisions {
		var members []string
		for _, m := range d.Members {
			name := m.Name
			if reason := why(m); reason != "" && reason != Stays {
				name += ":" + string(reason)
			}
			members = append(members, name)
		}
		fmt.Fprintf(&out, "[%s]", strings.Join(members, " "))
	}
	return out.String()
}
