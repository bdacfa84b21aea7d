package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"quatuor/cmd/quatuor/client"
	"quatuor/store/storetest"
)

// TestTwoInstances runs two instances on one PostgreSQL: a game is played on both in turns, and when the one that
// started a game is killed, the other knows every move and lets the flag fall.
func TestTwoInstances(t *testing.T) {
	skipInShort(t, "starts a PostgreSQL cluster")
	dsn := storetest.Cluster(t, "fsync=off").Schema(t)
	folder := t.TempDir() // neither may write anything there
	admin := command(t, "admin", "create", "--database", dsn, "--login", "olga", "--password-stdin")
	admin.Stdin = strings.NewReader("correct horse battery\n")
	if out, err := admin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"--database", dsn, "--registration", "open", "--rate-limit", "0"}
	one, two := serve(t, folder, args...), serve(t, folder, args...)
	ctx := t.Context()
	ada, bob := one.Register(ctx, "ada", "Ada L."), two.Register(ctx, "bob", "Bob M.")
	game := openGame(ctx, t, ada, bob, "quits/duel")
	for turn := 1; turn <= 10; turn++ {
		by := []client.Player{ada, bob}[(turn-1)%2]
		var g client.Game
		if err := by.Get(ctx, "/games/"+game, &g); err != nil || g.Turn != turn {
			t.Fatalf("the other instance shows turn %d, want %d; %v", g.Turn, turn, err)
		}
		seat := g.Awaited[0]
		move := map[string]any{"seat": seat, "turn": turn, "move": g.Legal[strconv.Itoa(seat)][0]}
		if err := by.Post(ctx, "/games/"+game+"/moves", move, nil); err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
	}
	var hasty client.Game
	err := ada.Post(ctx, "/games", map[string]any{
		"variant": "quixo/duel", "time_control": "0.5", "start": "now",
		"seats": []map[string]string{{"player_id": ada.ID}, {"player_id": bob.ID}},
	}, &hasty)
	if err != nil {
		t.Fatal(err)
	}
	one.Kill()
	for deadline := time.Now().Add(patience); !hasty.Over(); {
		if err := bob.Get(ctx, "/games/"+hasty.ID, &hasty); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("the flag of a dead instance's game does not fall")
		}
	}
	if hasty.Outcome == nil || hasty.Outcome.Reason != "time" {
		t.Errorf("the game ended by %+v", hasty.Outcome)
	}
	ada.Base = two.URL
	var g client.FullGame
	if err := ada.Get(ctx, "/games/"+game, &g); err != nil || len(g.Moves()) != 10 || len(g.Events) != 11 {
		t.Errorf("after the death of an instance that another survived: %+v, %v", g.Events, err)
	}
	two.Stop()
	if out := mustQuatuor(t, "check", "--database", dsn); !strings.Contains(out, "2 games with 13 lines replayed") {
		t.Error(out)
	}
}
