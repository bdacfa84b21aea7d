package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"quatuor/store/dbtest"
	"quatuor/store/internal/sqlite"
)

const earlierSeats = 86

func TestEarlierSeatsOnSQLite(t *testing.T) {
	db := sqlite.OpenMigrating(filepath.Join(t.TempDir(), "old.db"))
	defer db.Close()
	marksBegun(t, db, goose.DialectSQLite3, "sqlite", questionMark)
}

func TestEarlierSeatsOnPostgres(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	db, err := sql.Open("pgx", server.Schema(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	marksBegun(t, db, goose.DialectPostgres, "postgres", dollar)
}

// marksBegun migrates a database with tournaments: those of a Scheveningen that have begun keep the earlier formula.
func marksBegun(t *testing.T, db *sql.DB, dialect goose.Dialect, folder string, placeholder func(int) string) {
	t.Helper()
	provider, err := newProvider(dialect, db, folder, inGo(placeholder))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), earlierSeats-1); err != nil {
		t.Fatal(err)
	}
	old := oldRows{t, db, placeholder}
	var no any = 0
	if dialect == goose.DialectPostgres {
		no = false
	}
	for id, row := range map[string]struct {
		format, status string
		startedAt      int
	}{
		"begun": {"team_scheveningen", "running", 7000}, "draft": {"team_scheveningen", "draft", 0}, "other": {"team_round_robin", "running", 7000},
	} {
		old.insert("tournaments", "id, name, variant, format, round_count, time_control, options, tie_breaks, points, rated, auto_rounds, "+
			"lot_seed, status, version, organiser, arbiters, created_at, starts_at, started_at, finished_at, entry_count, last_round",
			id, id, "quixo/duel", row.format, 3, "300+3", "{}", "[]", "{}", no, no, "", row.status, 1, "olga", "[]", 1, 0, row.startedAt, 0, 2, 0)
	}
	if _, err := provider.UpTo(t.Context(), earlierSeats); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"begun": true, "draft": false, "other": false} {
		var got bool
		err := db.QueryRowContext(t.Context(), "SELECT earlier_seats FROM tournaments WHERE id = "+placeholder(1), id).Scan(&got)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", id, got, err)
		}
	}
}
