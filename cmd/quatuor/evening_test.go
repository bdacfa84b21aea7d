package main

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/harness"
)

func TestGameFromLoginToItsEnd(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ctx := t.Context()
	ada, bob := p.Register(ctx, "ada", "Ada L."), p.Register(ctx, "bob", "Bob M.")
	variants := []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"}
	if testing.Short() {
		variants = variants[:1]
	}
	for _, variant := range variants {
		game := openGame(ctx, t, ada, bob, variant)
		playOut(ctx, t, game, ada, bob)
		var end harness.FullGame
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

// checkEvening looks at what is left of the README's club evening: it ends with the rating of a result that was entered
// by hand for a board in the hall.
func checkEvening(t *testing.T, out, data string) {
	t.Helper()
	if strings.Contains(out, "null") || !regexp.MustCompile(`\n1\t\w+\t1520\t1\n2\t\w+\t1480\t1\n$`).MatchString(out) {
		t.Errorf("no ratings at the end of\n%s", out)
	}
	if out, err := command(t, "check", "--data", data).CombinedOutput(); err != nil {
		t.Errorf("checked: %v\n%s", err, out)
	}
	if out, err := command(t, "ratings", "recompute", "--verify", "--data", data).CombinedOutput(); err != nil {
		t.Errorf("verified: %v\n%s", err, out)
	}
	checkFindsHallFaults(t, data)
}

// checkFindsHallFaults spoils what is stored of a board in the hall; check must find it.
func checkFindsHallFaults(t *testing.T, data string) {
	t.Helper()
	mustQuatuor(t, "backup", "--data", data, filepath.Join(data, "copy.db")) // the log of the database goes into its file
	for _, c := range []struct{ statement, says string }{
		{"UPDATE pairings SET result = replace(result, '[1,2]', '[2,1]') WHERE hall_game <> ''", "its game in the hall ended otherwise"},
		{"UPDATE pairings SET result = replace(result, '\"rated\":true', '\"rated\":false') WHERE hall_game <> ''", "differ in whether they are rated"},
		{"UPDATE pairings SET result = NULL WHERE hall_game <> ''", "no game was played, and one in the hall counts"},
		{"UPDATE pairings SET hall_game = '' WHERE hall_game <> ''", "1 games in the hall count and belong to no board"},
		{"UPDATE pairings SET hall_game = 'other' WHERE hall_game <> ''", "its game in the hall is not there"},
		{"UPDATE games SET players = replace(players, '[', '[\"x\",') WHERE hall", "other players sit at it"},
		{"UPDATE outbox SET corrects = 1, revision = 1 WHERE reason = 'hall'", "its first row in the outbox corrects another"},
		{"UPDATE outbox SET ranks = '[2,1]' WHERE reason = 'hall'", "the outbox tells its end with another Ranks"},
	} {
		if out, ok := quatuor(t, "check", "--data", spoilt(t, data, c.statement)); ok || !strings.Contains(out, c.says) {
			t.Errorf("%s: check succeeds: %v; want %q in\n%s", c.statement, ok, c.says, out)
		}
	}
}

func openGame(ctx context.Context, t *testing.T, one, two harness.Player, variant string) string {
	t.Helper()
	game, err := harness.Open(ctx, one, map[string]any{
		"variant": variant, "time_control": "300+3", "rated": true, "start": "now",
		"seats": []map[string]string{{"player_id": one.ID}, {"player_id": two.ID}},
	}, two)
	if err != nil {
		t.Fatal(err)
	}
	return game.ID
}

// playOut plays random moves from both seats until the game is over.
func playOut(ctx context.Context, t *testing.T, game string, players ...harness.Player) {
	t.Helper()
	chance := rand.New(rand.NewPCG(1, 2))
	for {
		for i, player := range players {
			seat := i + 1
			var g harness.Game
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
