package stream

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"quatuor/engine"
	"quatuor/engine/quiwin"
	"quatuor/engine/table"
)

// hand is a game of Qui'win as a source of snapshots.
type hand struct {
	snapshot *table.Snapshot
}

func newHand(t *testing.T, seed string) *hand {
	t.Helper()
	rules := quiwin.Variants()[0]
	setup, err := engine.NewSetup(rules.Info(), 0, strings.Repeat(seed, 32), nil)
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	return &hand{&table.Snapshot{Match: match, Game: table.Game{
		ID: "g", Variant: "quiwin/duel", Seats: 2, Players: []string{"ada", "bob"}, Status: table.Running,
	}}}
}

func (h *hand) Snapshot(context.Context, string) (*table.Snapshot, error) { return h.snapshot, nil }

// choose lets a seat take its first or last legal move.
func (h *hand) choose(t *testing.T, hub *Hub, seat engine.Seat, last bool) {
	t.Helper()
	legal := h.snapshot.Match.State().Legal(seat)
	token := legal[0]
	if last {
		token = legal[len(legal)-1]
	}
	match, err := h.snapshot.Match.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(token)})
	if err != nil {
		t.Fatal(err)
	}
	next := *h.snapshot
	next.Match = match
	next.Game.Version++
	next.Lines = append(next.Lines[:len(next.Lines):len(next.Lines)], table.Line{
		N: next.Game.Version, Kind: table.LineMove, Seat: int8(seat), Text: string(token),
	})
	h.snapshot = &next
	hub.GameChanged(&next, next.Lines[len(next.Lines)-1:])
}

// whisper runs the stream of a player while seat 2 chooses the first or the last of its tiles.
func whisper(t *testing.T, seed, player string, last bool) string {
	t.Helper()
	hub, h := NewHub(), newHand(t, seed)
	feed := hub.GameFeed(h, func(_ context.Context, s *table.Snapshot, v engine.Viewer, _ int64) ([]byte, error) {
		return json.Marshal([]any{s.Project(v).View, s.Project(v).Legal, s.Log(v)})
	})
	answer := httptest.NewRecorder()
	done := make(chan error)
	go func() { done <- feed.Serve(t.Context(), answer, "g", Reader{Player: player}) }()
	synctest.Wait()
	h.choose(t, hub, 2, last)
	synctest.Wait()
	hub.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return answer.Body.String()
}

// TestStreamsRevealNoSecrets compares what is heard of games that differ in what is hidden alone.
func TestStreamsRevealNoSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		public := whisper(t, "01", "", false)
		if !strings.Contains(public, `"has_chosen":true`) || !strings.Contains(public, "event: move\nid: 1\n") {
			t.Errorf("a spectator does not hear that seat 2 has chosen: %s", public)
		}
		for _, other := range []string{
			whisper(t, "01", "", true), whisper(t, "77", "", false), whisper(t, "77", "cyd", true),
		} {
			if other != public {
				t.Errorf("spectators hear different things:\n%s\n%s", public, other)
			}
		}
		if whisper(t, "01", "ada", false) != whisper(t, "01", "ada", true) {
			t.Error("seat 1 hears what seat 2 has chosen")
		}
		if whisper(t, "01", "bob", false) == whisper(t, "01", "bob", true) || whisper(t, "01", "ada", false) == public {
			t.Error("a seat does not hear its own secrets: the test sees nothing")
		}
	})
}
