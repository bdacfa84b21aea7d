package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/crashtest"
	"quatuor/store/dbtest"
)

// spoilt copies a data folder that no server works on and changes what is stored in the copy.
func spoilt(t *testing.T, data, statement string) string {
	t.Helper()
	dir := t.TempDir()
	content, err := os.ReadFile(filepath.Join(data, "quatuor.db"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "quatuor.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db := dbtest.OpenFile(t, path)
	db.SetMaxOpenConns(1) // which counts its changes
	var changed int
	if _, err = db.Exec(statement); err == nil {
		err = db.QueryRow("SELECT total_changes()").Scan(&changed)
	}
	if err != nil || changed == 0 {
		t.Fatalf("%s: %d rows were changed, error %v", statement, changed, err)
	}
	return dir
}

// TestCheckFindsWhatIsWrong spoils an installation in several places, each by itself. check must find each, and restore
// must refuse a backup of it.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	skipInShort(t, "plays a tournament and checks twenty databases")
	t.Parallel()
	data := crashtest.PlayedFolder(t, runner(t))
	if out := mustQuatuor(t, "check", "--data", data); !strings.Contains(out, "everything is as it should be") {
		t.Fatal(out)
	}
	for _, c := range []struct{ statement, says string }{
		{"UPDATE lines SET remaining = remaining + 1 WHERE kind = 'move' AND n = 2", "its time left in ms is"},
		{"UPDATE lines SET text = 'z9' WHERE kind = 'move' AND n = 2", "line 2 cannot be carried out"},
		{"DELETE FROM lines WHERE n = 3", "line 3 cannot be carried out"},
		{"UPDATE games SET position = position || '.'", "its position is not the one that its moves lead to"},
		{"UPDATE games SET turn = turn + 1", "its turn is"},
		{"UPDATE live_games SET deadline = deadline + 1 WHERE deadline > 0", "its deadline is"},
		{"UPDATE games SET outcome = replace(outcome, '[1,2]', '[2,1]')", "its outcome is"},
		{"UPDATE games SET clock = (SELECT clock FROM games LIMIT 1)", "its clock is"},
		{"UPDATE pairings SET result = replace(result, '[1,2]', '[2,1]')", "its result is 0-1, and its game"},
		{"UPDATE pairings SET result = NULL WHERE board = 1 AND round = 1", "counts as complete, and 1 boards have no result"},
		{
			"UPDATE pairings SET result = NULL WHERE board = 1 AND round = 1; UPDATE tournaments SET status = 'running'",
			"is over and has brought no result",
		},
		{"UPDATE pairings SET game_id = game_id || '-' WHERE board = 1 AND round = 1", "is not there"},
		{"UPDATE rounds SET status = 'published'", "counts as open, and every board has a result"},
		{"UPDATE rating_rows SET value_after = value_after + 1e-9", "a rating is stored as game"},
		{"UPDATE current_ratings SET value = value + 1", "current ratings are not what their rows lead to"},
		{"DELETE FROM rating_rows WHERE seq = (SELECT min(seq) FROM rating_rows)", "a rating is stored as nothing and should be game"},
		{"DELETE FROM outbox WHERE seq = 2", "its end is not in the outbox"},
	} {
		dir := spoilt(t, data, c.statement)
		if out, ok := quatuor(t, "check", "--data", dir); ok || !strings.Contains(out, c.says) ||
			!strings.Contains(out, "not as they should be") {
			t.Errorf("%s: check succeeds: %v; want %q in\n%s", c.statement, ok, c.says, out)
		}
	}
	broken, copied, fresh := spoilt(t, data, "UPDATE games SET turn = turn + 1"), filepath.Join(t.TempDir(), "b.db"),
		t.TempDir()
	mustQuatuor(t, "backup", "--data", broken, copied)
	if out, ok := quatuor(t, "restore", "--data", fresh, copied); ok || !strings.Contains(out, "its turn is") {
		t.Errorf("a backup that is not sound was restored:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(fresh, "quatuor.db")); !os.IsNotExist(err) {
		t.Errorf("a refused restore has left a database: %v", err)
	}
	if out, ok := quatuor(t, "restore", "--data", data, copied); ok || !strings.Contains(out, "--force") {
		t.Errorf("an installation was replaced unasked:\n%s", out)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if out, ok := quatuor(t, "check", "--data", missing); ok || !strings.Contains(out, "no installation in "+missing) {
		t.Errorf("check of nothing:\n%s", out)
	}
	if out, ok := quatuor(t, "backup", "--database", "postgres://x", copied+"2"); ok || !strings.Contains(out, "pg_dump") {
		t.Errorf("backup of PostgreSQL:\n%s", out)
	}
}
