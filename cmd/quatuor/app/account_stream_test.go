package app

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"quatuor/cmd/quatuor/harness"
)

// accountLine is a line of an account's stream.
type accountLine struct {
	Event string `json:"event"`
	ID    string `json:"id"`
	Data  struct {
		ID     string `json:"id"`
		Status string `json:"status"`
	} `json:"data"`
}

// accountLines follows the account of a player at an instance, after an event that it had; "" for none.
func accountLines(t *testing.T, p harness.Player, last string) func(names ...string) accountLine {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.Base+"/api/v1/me/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.Token)
	request.Header.Set("Accept", "application/x-ndjson")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	answer, err := p.HTTP.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	lines := make(chan accountLine, 100)
	go func() {
		defer close(lines)
		for decoder := json.NewDecoder(answer.Body); ; {
			var line accountLine
			if decoder.Decode(&line) != nil {
				return
			}
			if line.Event != "ping" && line.ID != "" { // presence comes when it comes
				lines <- line
			}
		}
	}()
	return func(names ...string) (line accountLine) {
		t.Helper()
		for _, name := range names {
			select {
			case line = <-lines:
				if line.Event != name {
					t.Fatalf("the stream at %s has %+v, want %s", p.Base, line, name)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("the stream at %s has no %s", p.Base, name)
			}
		}
		return line
	}
}

// accountStreams follows two players at an instance each while they play at others, and resumes at yet another.
func accountStreams(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	ada, bob := player(t, all, "ada"), player(t, all, "bob")
	hers, his := accountLines(t, ada[0], ""), accountLines(t, bob[1], "")
	hers("state")
	his("state")
	g, err := harness.Open(t.Context(), ada[2], map[string]any{
		"variant": "quixo/duel", "time_control": "300", "start": "now",
		"seats": []any{map[string]any{"player_id": ada[2].ID}, map[string]any{"player_id": bob[2].ID}},
	})
	if err != nil {
		t.Fatal(err)
	}
	turn := hers("my_turn")
	his("game_started")
	move := map[string]any{"seat": 1, "turn": 1, "move": "c1-c5"}
	if err := ada[1].Post(t.Context(), "/games/"+g.ID+"/moves", move, nil); err != nil {
		t.Fatal(err)
	}
	his("my_turn")
	if err := bob[0].Post(t.Context(), "/games/"+g.ID+"/resign", nil, nil); err != nil {
		t.Fatal(err)
	}
	if over := hers("game_over"); over.Data.ID != g.ID || over.Data.Status != "finished" {
		t.Errorf("%+v", over)
	}
	his("game_over")
	accountLines(t, ada[1], turn.ID)("game_over")
}
