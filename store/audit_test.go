package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/internal/sqlite"
	"quatuor/tournament"
)

// shell opens a database file as any other program would.
func shell(t *testing.T, path string) *sql.DB {
	t.Helper()
	db := dbtest.OpenFile(t, sqlite.FileDSN(path, nil))
	return db
}

// audited collects all faults of a store that is only read.
func audited(t *testing.T, dir string) string {
	t.Helper()
	s, err := OpenToRead(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return faultsOf(t, s)
}

func faultsOf(t *testing.T, s *Store) string {
	t.Helper()
	faults, err := s.Faults(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	games := int64(0)
	err = s.EachGame(t.Context(), func(g StoredGame) error {
		games++
		faults = append(faults, g.Faults...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.CountGames(t.Context()); err != nil || n != games {
		t.Errorf("%d games were handed out of %d, error %v", games, n, err)
	}
	return strings.Join(faults, "\n")
}

// TestFaultsAreFound spoils a stored club, a place at a time.
func TestFaultsAreFound(t *testing.T) {
	filled := folder(t)
	s := open(t, Config{Dir: filled})
	fillClub(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ statement, says string }{
		{"", ""},
		{"UPDATE outbox SET seq = 7", "6 places in the outbox are missing"},
		{"DELETE FROM outbox", "its end is not in the outbox\n"},
		{"UPDATE outbox SET ranks = '[2,1]'", "the outbox tells its end with another Ranks"},
		{"UPDATE outbox SET plies = 99", "the outbox tells its end with another Plies"},
		{"UPDATE outbox SET moved = 3", "the outbox tells its end with another Moved"},
		{"UPDATE outbox SET moved = NULL", ""}, // it ended before this was stored
		{"UPDATE outbox SET fewest = 9", "the outbox tells its end with another Fewest"},
		{"UPDATE outbox SET fewest = NULL", ""}, // likewise
		{"UPDATE outbox SET game_id = 'running'", "the outbox says that it is over, and it is running"},
		{"UPDATE cursors SET seq = 5 WHERE consumer = 'ratings'", "1 consumers have counted games"},
		{"UPDATE tournaments SET entry_count = 5", "1 tournaments name another number"},
		{"UPDATE games SET board = 9 WHERE id = 'over'", "1 games belong to no pairing"},
		{"DELETE FROM game_players WHERE game_id = 'over'", "missing among the games of player ann"},
		{"INSERT INTO game_players VALUES ('zoe', 1000, 'over')", "stands among the games of 3 players, and 2 sit"},
		{"DELETE FROM games WHERE id = 'over'", "names a row of games that is not there"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filled)); err != nil {
			t.Fatal(err)
		}
		if c.statement != "" {
			if _, err := shell(t, filepath.Join(dir, databaseFile)).Exec(c.statement); err != nil {
				t.Fatalf("%s: %v", c.statement, err)
			}
		}
		got := audited(t, dir)
		if c.says == "" && got != "" || !strings.Contains(got+"\n", c.says) {
			t.Errorf("%s: found %q, want %q", c.statement, got, c.says)
		}
	}
}

// fillClub stores a tournament with a finished game, many that are not, and a running game.
func fillClub(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	cup := &tournament.Tournament{
		ID: "cup", Format: tournament.RoundRobin, Status: tournament.Running, Entries: []tournament.Entry{
			{ID: "1", Number: 1, Status: tournament.Confirmed}, {ID: "2", Number: 2, Status: tournament.Confirmed},
		},
		Rounds: []tournament.Round{
			{Number: 1, Status: tournament.Published, Pairings: []tournament.Pairing{
				{Board: 1, Seats: []string{"1", "2"}, GameID: "over"},
			}},
		},
	}
	createPlayers(t, s, "ann", "bob")
	if err := s.Tournaments().Create(ctx, cup); err != nil {
		t.Fatal(err)
	}
	over := table.Game{
		ID: "over", Variant: "quixo/duel", Seats: 2, Players: []string{"ann", "bob"}, Controls: []string{"60", "60"},
		CreatedAt: 1000, Status: table.Running, Tournament: &table.Place{ID: "cup", Round: 1, Board: 1},
	}
	games := []table.Game{over, {ID: "running", Variant: "quixo/duel", Seats: 2, Status: table.Running}}
	for i := range 2 * auditPage {
		games = append(games, table.Game{ID: "waiting-" + strings.Repeat("x", i), Status: table.Waiting})
	}
	if err := s.Games().Create(ctx, games); err != nil {
		t.Fatal(err)
	}
	over.Status = table.Finished
	over.Version = 1
	over.FinishedAt = 2000
	over.Outcome = &engine.Outcome{
		Ranks: []int{1, 2}, Reason: engine.ReasonLine,
	}
	err := s.Games().Append(ctx, table.Step{
		Game: &over, Lines: []table.Line{{N: 1, Kind: table.LineMove, Seat: 1, Text: "a1-a5"}}, Moved: table.SeatSet(0).
			With(1), Fewest: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenToReadChangesNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenToRead(t.Context(), Config{Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "no installation") {
		t.Errorf("an empty directory: %v", err)
	}
	running := open(t, Config{Dir: dir})
	s, err := OpenToRead(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatalf("beside a running server: %v", err)
	}
	defer s.Close()
	for what, err := range map[string]error{
		"create": s.Games().Create(t.Context(), []table.Game{{ID: "g"}}),
		"beat":   s.Games().Beat(t.Context(), "x", 1),
	} {
		if !errors.Is(err, errReading) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n, err := s.CountGames(context.Background()); n != 0 || err != nil {
		t.Errorf("%d games, error %v", n, err)
	}
	if err := running.Close(); err != nil {
		t.Fatal(err)
	}
	for version, says := range map[string]string{"0": "start the service once", "99999": "newer than this program"} {
		if _, err := shell(t, filepath.Join(dir, databaseFile)).
			Exec("UPDATE goose_db_version SET version_id = " + version); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenToRead(t.Context(), Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("schema %s: %v", version, err)
		}
	}
}
