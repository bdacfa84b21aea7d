package board

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/face"
)

// named calls seats as their numbers.
func named(seat engine.Seat) string { return fmt.Sprintf("S%d", seat) }

// did returns what the last of some moves did, as a viewer sees it.
func did(t *testing.T, variant, moves string, v engine.Viewer) string {
	t.Helper()
	m := start(t, variant)
	words := ""
	for _, text := range strings.Fields(moves) {
		e := engine.Event{Kind: engine.Moved, Text: text}
		if seat, token, found := strings.Cut(text, ":"); found {
			e.Seat, e.Text = engine.Seat(seat[0]-'0'), token
		}
		next, err := m.After(e)
		if err != nil {
			t.Fatal(err)
		}
		shown := next.State().Redact(v, []engine.Event{e})[0]
		words, _ = catalog.FaceOf(variant).Did(Words(english), face.Move{
			Event: shown, Before: m.State().View(v), After: next.State().View(v), Name: named,
		})
		m = next
	}
	return words
}

func TestWhatAMoveDid(t *testing.T) {
	for _, test := range []struct{ variant, moves, want string }{
		{"quixo/duel", "c1-c5", "takes the cube at c1 (blank) and pushes it into column c at c5"},
		{"quixo/duel", "a1-e1 c1-c5 e1-a1", "takes the cube at e1 (x) and pushes it into row 1 at a1"},
		{
			"quixo/teams", "c1-c5>3", "takes the cube at c1 (blank) and pushes it into column c at c5; its dot points to seat 3",
		},
		{"quits/duel", "b2-c3", "moves a marble from b2 to c3"},
		{"quits/duel", "a1>e1", "slides row 1: the tile from a1 goes to e1"},
		{"quits/short", "b2-c3 d4-c5 c3-d4 c5-b4 d4-e5", "moves a marble from d4 to e5; a marble of S1 is out at e5: 1 of 1"},
		{"quivive/duel", "+d4", "puts a podium on d4, now 2 high"},
	} {
		if got := did(t, test.variant, test.moves, engine.Viewer{}); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.variant, test.moves, got, test.want)
		}
	}
}

// TestDeedsOfWholeGames describes every move of random games in every language, without what its viewer may not know.
func TestDeedsOfWholeGames(t *testing.T) {
	chance, languages := rand.New(rand.NewPCG(5, 6)), message.Load().All()
	for _, variant := range catalog.IDs() {
		m, said := start(t, variant), map[string]bool{}
		for {
			next, going := step(t, m, chance)
			if !going {
				break
			}
			for _, v := range []engine.Viewer{{}, engine.ViewerOf(1)} {
				events := next.Events()
				last := next.State().Redact(v, events)[len(events)-1]
				for _, in := range languages {
					words, _ := catalog.FaceOf(variant).Did(Words(in), face.Move{
						Event: last, Before: m.State().View(v), After: next.State().View(v), Name: named,
					})
					if words == "" {
						t.Fatalf("%s: nothing is said about %v", variant, last)
					}
					said[words] = true
				}
				if m.Rules().Info().Secret && !next.Pending().Over() {
					noSecret(t, m, next, v)
				}
			}
			m = next
		}
		if len(said) < 9 {
			t.Errorf("%s: only %d different sentences", variant, len(said))
		}
	}
}

// noSecret demands that a choice that is still sealed is described to its viewers as any other would be.
func noSecret(t *testing.T, before, after *engine.Match, v engine.Viewer) {
	t.Helper()
	events := after.Events()
	last := after.State().Redact(v, events)[len(events)-1]
	if last.Text != "" {
		return
	}
	words, _ := catalog.FaceOf(before.Info().ID).Did(Words(english), face.Move{
		Event: last, Before: before.State().View(v), After: after.State().View(v), Name: named,
	})
	if want := "has chosen; the choice is sealed"; words != want {
		t.Errorf("a sealed choice is told as %q", words)
	}
}
