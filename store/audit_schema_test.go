package store

import (
	"slices"
	"strings"
	"testing"
)

// schemaCompared changes the schema of a database on PostgreSQL place by place: each change is found, and none before.
func schemaCompared(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	if faults, err := s.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Fatalf("the schema as it was migrated: %v, error %v", faults, err)
	}
	for _, c := range []struct{ statement, says string }{
		{"CREATE INDEX further ON games (seats)", ""},
		{"DROP INDEX games_newest", "the schema of the database has lost the index games_newest"},
		{"DROP INDEX pairings_game; CREATE INDEX pairings_game ON pairings (game_id)", "another index pairings_game than"},
		{"ALTER TABLE accounts DROP CONSTRAINT accounts_login_key", "lost the unique key of accounts (login)"},
		{"ALTER TABLE arena_beats DROP CONSTRAINT arena_beats_tournament_id_fkey", "lost the foreign key of arena_beats (tournament_id) to tournaments"},
		{"ALTER TABLE arena_beats DROP CONSTRAINT arena_beats_pkey", "lost the primary key of arena_beats"},
		{"ALTER TABLE players DROP COLUMN challenges_at_once", "lost the column players.challenges_at_once"},
		{"ALTER TABLE players ALTER COLUMN club DROP NOT NULL", "another column players.club than"},
		{"ALTER TABLE players ALTER COLUMN birth_year TYPE text", "another column players.birth_year than"},
		{"DROP TRIGGER admin_log_unaltered ON admin_log", "lost the trigger admin_log_unaltered"},
		{"ALTER TABLE admin_log DISABLE TRIGGER admin_log_unchanged", "another trigger admin_log_unchanged than"},
		{"CREATE TRIGGER further BEFORE DELETE ON games FOR EACH STATEMENT EXECUTE FUNCTION admin_log_stays()", "has a trigger further that"},
		{"DROP TABLE arena_beats", "lost the table arena_beats"},
	} {
		before, err := s.schemaFaults(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for statement := range strings.SplitSeq(c.statement, "; ") {
			if err := s.reads.Exec(statement).Error; err != nil {
				t.Fatal(err)
			}
		}
		after, err := s.schemaFaults(t.Context())
		fresh := slices.DeleteFunc(after, func(fault string) bool { return slices.Contains(before, fault) })
		if all := strings.Join(fresh, "\n"); err != nil || (c.says == "") != (all == "") || !strings.Contains(all, c.says) {
			t.Errorf("%s: found %q, want %q, error %v", c.statement, all, c.says, err)
		}
	}
	faults, err := s.Faults(t.Context()) // none of the statements that name what is gone keeps it from its end
	if err != nil || len(faults) < 12 {
		t.Errorf("%q, error %v", faults, err)
	}
}

// TestSchemaOfAMigratedFile finds no fault in the schema of a file that the service has made.
func TestSchemaOfAMigratedFile(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	if faults, err := s.schemaFaults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("%v, error %v", faults, err)
	}
}
