package store

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// openedToRead refuses writes and another schema, and migrates nothing.
func openedToRead(t *testing.T, dsn string) {
	if s, err := OpenToRead(t.Context(), Config{DSN: dsn}); err == nil {
		_ = s.Close()
		t.Error("an empty database was opened")
	}
	live := open(t, Config{DSN: dsn})
	var tables int
	if err := live.reads.Raw("SELECT count(*) FROM goose_db_version").Row().Scan(&tables); err != nil || tables == 0 {
		t.Fatal(tables, err)
	}
	s, err := OpenToRead(t.Context(), Config{DSN: dsn})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, err := s.CountGames(t.Context()); n != 0 || err != nil {
		t.Errorf("%d games, %v", n, err)
	}
	if err := s.reads.Exec("UPDATE heartbeats SET at = 0").Error; err == nil {
		t.Error("one that is open to be read has written")
	}
	if err := s.Games().Beat(t.Context(), "x", 1); err == nil {
		t.Error("a heartbeat was stored")
	}
	for what, statement := range map[string]string{
		"newer":      "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)",
		"up to date": "DELETE FROM goose_db_version WHERE version_id > 20",
	} {
		if err := live.reads.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
		if s, err := OpenToRead(t.Context(), Config{DSN: dsn}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("another schema (%s): %v", what, err)
			if err == nil {
				_ = s.Close()
			}
		}
		if err := live.reads.Exec("DELETE FROM goose_db_version WHERE version_id = 99999").Error; err != nil {
			t.Fatal(err)
		}
	}
}

// columnsAdded adds a column to every table between two rounds of all questions, as another instance does that
// migrates: statements that are prepared already go on.
func columnsAdded(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	s.reads.Exec("SELECT 1")
	asked := 0
	for round := range 2 {
		for _, q := range questions {
			err := q.ask(t.Context(), s)
			if round == 0 && err == nil {
				asked++
			}
			if code := new(pgconn.PgError); errors.As(err, &code) {
				t.Errorf("round %d, %s: %v", round, q.name, err)
			}
		}
		var tables []string
		if err := s.reads.Raw("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> " +
			"'goose_db_version'").Scan(&tables).Error; err != nil {
			t.Fatal(err)
		}
		for _, name := range tables {
			if err := s.reads.Exec("ALTER TABLE " + name + " ADD COLUMN later" + strconv.Itoa(round) + " text").
				Error; err != nil {
				t.Fatal(err)
			}
		}
	}
	if asked < 30 {
		t.Errorf("%d questions were answered", asked)
	}
}

// TestSelectsNameTheirColumns looks for statements that take whatever columns there are.
func TestSelectsNameTheirColumns(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile("(?i)[\"`][^\"`]*(select|returning)\\s+([a-z_]+\\.)?\\*|[\"`]([a-z_]+\\.)\\*[,\"` ]")
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if found := all.Find(text); found != nil && !strings.HasSuffix(source, "_test.go") {
			t.Errorf("%s: %s", source, found)
		}
	}
	for text, want := range map[string]bool{
		"`SELECT * FROM a`": true, `"a.*, b"`: true, `"RETURNING *"`: true,
		`"SELECT count(*) FROM a"`: false,
	} {
		if all.MatchString(text) != want {
			t.Errorf("%s", text)
		}
	}
}
