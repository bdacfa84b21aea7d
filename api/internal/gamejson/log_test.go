package gamejson_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"quatuor/api/internal/gamejson"
	"quatuor/engine"
	"quatuor/engine/table"
)

// TestAnAnswerDoesNotDependOnWhatWasRenderedBefore renders the snapshots of a game in any order, with any part of the
// log and under changing names, and compares with what snapshots give that know nothing of each other.
func TestAnAnswerDoesNotDependOnWhatWasRenderedBefore(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/melee", "quiwin/duel"} {
		snapshots := playedOut(t, variant, chance)
		for range 300 {
			s := snapshots[chance.IntN(len(snapshots))]
			viewer := engine.ViewerOf(engine.Seat(chance.IntN(3)))
			since := chance.Int64N(int64(len(s.Lines)) + 3)
			alone := *s
			alone.Margin = nil
			names := []string{"", "", ""}
			if chance.IntN(3) == 0 { // a player has changed her name
				names[chance.IntN(3)] = "Ada \"L.\""
			}
			got, want := rendered(t, s, viewer, since, names...), rendered(t, &alone, viewer, since, names...)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s, version %d since %d:\n%s\nwant\n%s", variant, s.Game.Version, since, got, want)
			}
			var answer struct {
				Events []struct{ N int64 }
			}
			if err := json.Unmarshal(got, &answer); err != nil {
				t.Fatal(err)
			}
			if first := min(since, s.Game.Version); int64(len(answer.Events)) != s.Game.Version-first {
				t.Fatalf("%s, version %d since %d: %d events", variant, s.Game.Version, since, len(answer.Events))
			}
			for i, e := range answer.Events {
				if e.N != since+int64(i)+1 {
					t.Fatalf("%s, version %d since %d: event %d stands %d. in the list", variant, s.Game.Version, since, e.N, i+1)
				}
			}
		}
	}
}

func rendered(t *testing.T, s *table.Snapshot, v engine.Viewer, since int64, names ...string) []byte {
	t.Helper()
	text, err := gamejson.Append(nil, s, v, since, gamejson.Facts{Now: 1_700_000_000_000, Names: names})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// playedOut returns every snapshot of a game of random moves.
func playedOut(t *testing.T, variant string, chance *rand.Rand) []*table.Snapshot {
	t.Helper()
	tables := table.New(table.Config{Storage: table.Storage{Journal: inMemory{games: map[string]table.Game{}}}})
	players := []string{"ada", "bob"}
	if variant == "quivive/melee" {
		players = append(players, "cyd")
	}
	games, err := tables.Open(t.Context(), table.NewGame{
		Variant: variant, Players: players, Controls: []string{"300+3"}, Start: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	snapshots := games
	for s := games[0]; s.Game.Status == table.Running; snapshots = append(snapshots, s) {
		seat := s.Match.Pending().Awaited[0]
		legal := s.Project(engine.ViewerOf(seat)).Legal[seat]
		s, err = tables.Play(t.Context(), tables.Arrive(s.Game.ID), table.Move{
			Act: table.Act{Game: s.Game.ID, Seat: int8(seat)}, Turn: s.Match.Turn(),
			Token: string(legal[chance.IntN(len(legal))]),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return snapshots
}
