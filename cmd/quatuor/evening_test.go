package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

// fullView is a game with its log, as GET /games/{id} answers.
type fullView struct {
	gameView
	Position string `json:"position"`
	Events   []struct {
		N    int    `json:"n"`
		Kind string `json:"kind"`
		Seat int    `json:"seat"`
		Move string `json:"move"`
		Text string `json:"text"`
	} `json:"events"`
}

// moves lists the moves of the log in order.
func (v fullView) moves() []string {
	var moves []string
	for _, e := range v.Events {
		if e.Kind == "move" {
			moves = append(moves, fmt.Sprintf("%d:%s", e.Seat, e.Move))
		}
	}
	return moves
}

func TestGameFromLoginToItsEnd(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ctx := t.Context()
	ada, bob := p.register(ctx, "ada", "Ada L."), p.register(ctx, "bob", "Bob M.")
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"} {
		game := openGame(ctx, t, ada, bob, variant)
		playOut(ctx, t, game, ada, bob)
		var end fullView
		if err := p.client().get(ctx, "/games/"+game, &end); err != nil {
			t.Fatal(err)
		}
		if end.Status != "finished" || end.Outcome == nil || end.Position == "" {
			t.Errorf("%s: %+v", variant, end.gameView)
		}
		if end.Outcome.Reason != "replay" {
			var changes struct {
				Items []any `json:"items"`
			}
			if err := p.client().get(ctx, "/games/"+game+"/rating-changes", &changes); err != nil || len(changes.Items) != 2 {
				t.Errorf("%s: rating changes %v, %v: they are there when the last move is answered", variant, changes, err)
			}
		}
	}
	p.stop()
}

func openGame(ctx context.Context, t *testing.T, one, two seated, variant string) string {
	t.Helper()
	var game gameView
	err := one.post(ctx, "/games", map[string]any{
		"variant": variant, "time_control": "300+3", "rated": true, "start": "now",
		"seats": []map[string]string{{"player_id": one.player}, {"player_id": two.player}},
	}, &game)
	if err != nil {
		t.Fatal(err)
	}
	return game.ID
}

// playOut plays random moves from both seats until the game is over.
func playOut(ctx context.Context, t *testing.T, game string, players ...seated) {
	t.Helper()
	chance := rand.New(rand.NewPCG(1, 2))
	for {
		for i, player := range players {
			seat := i + 1
			var g gameView
			if err := player.get(ctx, "/games/"+game, &g); err != nil {
				t.Fatal(err)
			}
			if g.over() {
				return
			}
			legal := g.Legal[strconv.Itoa(seat)]
			if len(legal) == 0 {
				continue
			}
			move := map[string]any{"seat": seat, "turn": g.Turn, "move": legal[chance.IntN(len(legal))]}
			if err := player.post(ctx, "/games/"+game+"/moves", move, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}
