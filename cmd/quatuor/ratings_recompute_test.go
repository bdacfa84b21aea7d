package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/crashtest"
)

// TestRecomputeVerifies spoils what is stored of the ratings: a verification names the player, the list, the game and
// what it should be, beside a running service or without it, and a recomputation puts it right.
func TestRecomputeVerifies(t *testing.T) {
	if testing.Short() {
		t.Skip("left to the full run: it plays a tournament")
	}
	data := crashtest.PlayedFolder(t, runner(t))
	if out := mustQuatuor(t, "ratings", "recompute", "--verify", "--data", data); !strings.HasSuffix(out, "identical\n") {
		t.Fatal(out)
	}
	for _, c := range []struct{ statement, says string }{
		{"UPDATE rating_rows SET k = 99 WHERE seq = (SELECT min(seq) FROM rating_rows) AND seat = 1", `(?m)^player \S+, \S+, game \S+: K is 99, should be 40$`},
		{"DELETE FROM rating_rows WHERE seq = (SELECT min(seq) FROM rating_rows)", `player \S+, \S+, game \S+: is missing, should be `},
		{"UPDATE current_ratings SET value = 1", `player \S+, quixo-blitz, current rating: Value is 1, `},
		{"UPDATE rating_lists SET games = 1000", `quixo-blitz, number of games: Games is 1000, should be `},
		{"DELETE FROM rating_rows; DELETE FROM current_ratings; DELETE FROM rating_lists", `and \d+ more rating rows`},
	} {
		dir := spoilt(t, data, c.statement)
		out, ok := quatuor(t, "ratings", "recompute", "--verify", "--data", dir)
		if ok || !regexp.MustCompile(c.says).MatchString(out) || !strings.Contains(out, "not what the games lead to") {
			t.Errorf("%s: verified: %v; want %q in\n%s", c.statement, ok, c.says, out)
		}
		if out := mustQuatuor(t, "ratings", "recompute", "--data", dir); !strings.Contains(out, "wrong and are right now") {
			t.Errorf("%s: recomputed:\n%s", c.statement, out)
		}
		if out := mustQuatuor(t, "ratings", "recompute", "--verify", "--data", dir); !strings.HasSuffix(out, "identical\n") {
			t.Errorf("%s: after a recomputation:\n%s", c.statement, out)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if out, ok := quatuor(t, "ratings", "recompute", "--verify", "--data", missing); ok ||
		!strings.Contains(out, "no installation in "+missing) {
		t.Errorf("verification of nothing:\n%s", out)
	}
}
