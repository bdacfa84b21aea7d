package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"quatuor/cmd/quatuor/client"
)

func TestGameFromLoginToItsEnd(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ctx := t.Context()
	ada, bob := p.Register(ctx, "ada", "Ada L."), p.Register(ctx, "bob", "Bob M.")
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"} {
		game := openGame(ctx, t, ada, bob, variant)
		playOut(ctx, t, game, ada, bob)
		var end client.FullGame
		if err := p.Client().Get(ctx, "/games/"+game, &end); err != nil {
			t.Fatal(err)
		}
		if end.Status != "finished" || end.Outcome == nil || end.Position == "" {
			t.Errorf("%s: %+v", variant, end.Game)
		}
		if end.Outcome.Reason != "replay" {
			var changes struct {
				Items []any `json:"items"`
			}
			if err := p.Client().Get(ctx, "/games/"+game+"/rating-changes", &changes); err != nil || len(changes.Items) != 2 {
				t.Errorf("%s: rating changes %v, %v: they are there when the last move is answered", variant, changes, err)
			}
		}
	}
	p.Stop()
}

func openGame(ctx context.Context, t *testing.T, one, two client.Player, variant string) string {
	t.Helper()
	var game client.Game
	err := one.Post(ctx, "/games", map[string]any{
		"variant": variant, "time_control": "300+3", "rated": true, "start": "now",
		"seats": []map[string]string{{"player_id": one.ID}, {"player_id": two.ID}},
	}, &game)
	if err != nil {
		t.Fatal(err)
	}
	return game.ID
}

// playOut plays random moves from both seats until the game is over.
func playOut(ctx context.Context, t *testing.T, game string, players ...client.Player) {
	t.Helper()
	chance := rand.New(rand.NewPCG(1, 2))
	for {
		for i, player := range players {
			seat := i + 1
			var g client.Game
			if err := player.Get(ctx, "/games/"+game, &g); err != nil {
				t.Fatal(err)
			}
			if g.Over() {
				return
			}
			legal := g.Legal[strconv.Itoa(seat)]
			if len(legal) == 0 {
				continue
			}
			move := map[string]any{"seat": seat, "turn": g.Turn, "move": legal[chance.IntN(len(legal))]}
			if err := player.Post(ctx, "/games/"+game+"/moves", move, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}
