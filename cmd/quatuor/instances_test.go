package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
)

// adminOnPostgres makes the first account of a database by the command line.
func adminOnPostgres(t *testing.T, dsn string) {
	t.Helper()
	admin := command(t, "admin", "create", "--database", dsn, "--login", "olga", "--password-stdin")
	admin.Stdin = strings.NewReader("correct horse battery\n")
	if out, err := admin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestTwoInstances runs two instances on a shared PostgreSQL: a game is played on both in turns, and when the instance
// that started a game is killed, the other knows every move and lets the flag fall.
func TestTwoInstances(t *testing.T) {
	skipInShort(t, "starts a PostgreSQL cluster")
	t.Parallel()
	dsn := dbtest.Cluster(t, "fsync=off").Schema(t)
	folder := t.TempDir() // neither may write anything there
	adminOnPostgres(t, dsn)
	args := []string{"--database", dsn, "--registration", "open", "--rate-limit", "0"}
	one, two := serve(t, folder, args...), serve(t, folder, args...)
	ctx := t.Context()
	ada, bob := one.Register(ctx, "ada", "Ada L."), two.Register(ctx, "bob", "Bob M.")
	game := openGame(ctx, t, ada, bob, "quits/duel")
	for turn := 1; turn <= 10; turn++ {
		by := []harness.Player{ada, bob}[(turn-1)%2]
		var g harness.Game
		if err := by.Get(ctx, "/games/"+game, &g); err != nil || g.Turn != turn {
			t.Fatalf("the other instance shows turn %d, want %d; %v", g.Turn, turn, err)
		}
		seat := g.Awaited[0]
		move := map[string]any{"seat": seat, "turn": turn, "move": g.Legal[strconv.Itoa(seat)][0]}
		if err := by.Post(ctx, "/games/"+game+"/moves", move, nil); err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
	}
	var hasty harness.Game
	err := ada.Post(ctx, "/games", map[string]any{
		"variant": "quixo/duel", "time_control": "0.5", "start": "now",
		"seats": []map[string]string{{"player_id": ada.ID}, {"player_id": bob.ID}},
	}, &hasty)
	if err != nil {
		t.Fatal(err)
	}
	one.Kill()
	until(t, "the flag of a dead instance's game does not fall", func() bool {
		if err := bob.Get(ctx, "/games/"+hasty.ID, &hasty); err != nil {
			t.Fatal(err)
		}
		return hasty.Over()
	})
	if hasty.Outcome == nil || hasty.Outcome.Reason != "time" {
		t.Errorf("the game ended by %+v", hasty.Outcome)
	}
	ada.Base = two.URL
	var g harness.FullGame
	if err := ada.Get(ctx, "/games/"+game, &g); err != nil || len(g.Moves()) != 10 || len(g.Events) != 11 {
		t.Errorf("after the death of an instance that another survived: %+v, %v", g.Events, err)
	}
	two.Stop()
	if out := mustQuatuor(t, "check", "--database", dsn); !strings.Contains(out, "2 games with 13 lines replayed") {
		t.Error(out)
	}
}

// TestCommandsTakeSeveralHosts runs the commands with addresses of several servers. The first cannot be written to: it
// is a standby, or no server.
func TestCommandsTakeSeveralHosts(t *testing.T) {
	skipInShort(t, "starts two PostgreSQL clusters")
	t.Parallel()
	server := dbtest.Cluster(t, "fsync=off")
	dsn := server.Schema(t)
	run := func(dsn string, args ...string) (string, error) {
		c := command(t, append(args, "--database", dsn)...)
		c.Dir = t.TempDir()
		c.Stdin = strings.NewReader("correct horse battery\n")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run(dsn, "admin", "create", "--login", "olga", "--password-stdin"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, both := server.Standby(t, dsn)
	defer server.Stop(t) // which would wait for the standby when the schema is dropped
	u, err := url.Parse(both)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	primary, standby, _ := strings.Cut(query.Get("host"), ",")
	given := filepath.Join(t.TempDir(), "given.csv")
	if err := os.WriteFile(given, []byte("player,list,rating\nno-such-player,quixo-blitz,1630\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, hosts := range []string{standby + "," + primary, t.TempDir() + "," + primary, primary + "," + standby} {
		query.Set("host", hosts)
		u.RawQuery = query.Encode()
		dsn := u.String()
		for _, tt := range []struct {
			args []string
			want string // in what it prints
			good bool
		}{
			{[]string{"admin", "create", "--login", "admin-" + strconv.Itoa(i), "--password-stdin"}, "", true},
			{[]string{"admin", "password", "--login", "olga", "--password-stdin"}, "", true},
			{[]string{"check"}, "", true},
			{[]string{"publish", filepath.Join(t.TempDir(), "site")}, "index.html is the first page", true},
			{[]string{"ratings", "recompute"}, "recomputed: 0 rating rows", true},
			{[]string{"ratings", "recompute", "--verify"}, "identical", true},
			{[]string{"ratings", "import", "--try", given}, "there is no player no-such-player", false},
			{[]string{"backup", filepath.Join(t.TempDir(), "copy.db")}, "with PostgreSQL use pg_dump", false},
			{[]string{"restore", given}, "with PostgreSQL use pg_restore", false},
		} {
			out, err := run(dsn, tt.args...)
			if (err == nil) != tt.good || !strings.Contains(out, tt.want) {
				t.Errorf("address %d: %v: %v\n%s", i, tt.args, err, out)
			}
		}
	}
}
