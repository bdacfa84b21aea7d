package ratings_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
	"quatuor/tournament/adminlog"
)

// list is the list of the tests.
const list = "quixo/blitz"

// kept is ratings in a database with the present schema, in which rows need no games.
type kept struct {
	*ratings.Ratings
	orm *gorm.DB
	log []adminlog.Entry
}

// migrated returns an empty database file with the present schema, which is made once.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "quatuor-ratings-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "empty.db")
	if err := migrations.SQLite(context.Background(), sqlite.OpenMigrating(path)); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func open(t *testing.T) *kept {
	t.Helper()
	file, err := migrated()
	path := filepath.Join(t.TempDir(), "test.db")
	if err = cmp.Or(err, os.WriteFile(path, file, 0o600)); err != nil {
		t.Fatal(err)
	}
	pool := sqlite.OpenPlain(path)
	pool.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = pool.Close() })
	orm, err := gorm.Open(gormsqlite.New(gormsqlite.Config{Conn: pool}), &gorm.Config{SkipDefaultTransaction: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range []string{"foreign_keys = OFF", "synchronous = OFF", "journal_mode = MEMORY"} {
		if err := orm.Exec("PRAGMA " + setting).Error; err != nil {
			t.Fatal(err)
		}
	}
	k := &kept{orm: orm}
	transaction := func(ctx context.Context, work func(tx *gorm.DB) error) error {
		return orm.WithContext(ctx).Transaction(work)
	}
	k.Ratings = ratings.New(ratings.Config{
		Reads: orm, Snapshot: transaction, Write: transaction, Pending: outbox.Alone{Reads: orm}.Pending, Record: k.record,
		Long: func(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
			return transaction(ctx, func(tx *gorm.DB) error { return work(ctx, tx) })
		},
		Log: func(_ context.Context, _ *gorm.DB, e adminlog.Entry) error {
			k.log = append(k.log, e)
			return nil
		},
	})
	return k
}

// record stores a recording, as the batches of the store do.
func (k *kept) record(ctx context.Context, r *ratings.Recording) error {
	return k.orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		moved, err := outbox.Move(tx, outbox.OfRatings, r.To, "seq = ? AND regulation = ?", r.From, r.Regulation)
		if err != nil || !moved {
			return cmp.Or(err, ledger.ErrBehind)
		}
		for _, sum := range r.Lists {
			err := tx.Exec(`INSERT INTO rating_lists (list, games, last_at) VALUES (?, ?, ?) ON CONFLICT (list) DO UPDATE
				SET games = games + excluded.games, last_at = max(last_at, excluded.last_at)`, sum.List, sum.Games, sum.LastAt).Error
			if err != nil {
				return err
			}
		}
		return errors.Join(db.Create(tx, r.Rows), db.Upsert(tx, r.Current...))
	})
}

// exec runs statements.
func (k *kept) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, text := range statements {
		if err := k.orm.Exec(text).Error; err != nil {
			t.Fatal(err)
		}
	}
}

// empty removes what is rated.
func (k *kept) empty(t *testing.T) {
	t.Helper()
	k.exec(t, "DELETE FROM rating_rows", "DELETE FROM current_ratings", "DELETE FROM rating_lists", "UPDATE cursors SET seq = 0")
}

// player stores a player with ratings to start with, as JSON.
func (k *kept) player(t *testing.T, id, given string) {
	t.Helper()
	err := k.orm.Exec(`INSERT INTO players (id, name, name_key, club, birth_year, rating, claim_hash, created_by, created_at, version)
		VALUES (?, ?, ?, '', 0, ?, '', '', 0, 1)`, id, "Name of "+id, id, given).Error
	if err != nil {
		t.Fatal(err)
	}
}

// ended puts a game of two into the outbox.
func (k *kept) ended(t *testing.T, seq int64, white, black string, at int64) {
	t.Helper()
	game := fmt.Sprint("game", seq)
	row := outbox.Row{
		Seq: seq, GameID: game, Variant: "quixo/duel", List: list, Rated: true, Players: []string{white, black},
		Sides: []int{1, 2}, Ranks: []int{1, 2}, Reason: "line", Plies: 30, FinishedAt: at,
	}
	if err := k.orm.Create(&row).Error; err != nil {
		t.Fatal(err)
	}
	for _, player := range row.Players {
		err := k.orm.Exec("INSERT INTO game_players (player_id, created_at, game_id) VALUES (?, ?, ?)", player, at, game).Error
		if err != nil {
			t.Fatal(err)
		}
	}
}

// rated returns a player's row of a game.
func rated(seq int64, seat int, player string, after float64) ledger.Row {
	return ledger.Row{
		GameID: fmt.Sprint("game", seq), List: list, PlayerID: player, Seat: seat, Seq: seq, System: "elo", After: after,
		GamesAfter: 1, At: 100 * seq,
	}
}

// values returns the ratings of players.
func values(ratings map[string]rating.Rating) map[string]float64 {
	out := map[string]float64{}
	for id, r := range ratings {
		out[id] = r.Value
	}
	return out
}

// TestRecord writes rows of a game, and refuses what another writer has done or what follows another regulation.
func TestRecord(t *testing.T) {
	k := open(t)
	rows := []ledger.Row{rated(1, 1, "ann", 1510), rated(1, 2, "bob", 1490)}
	for _, tt := range []struct {
		name, regulation string
		from, to         int64
		rows             []ledger.Row
		want             error
	}{
		{"another regulation", "new", 0, 1, rows, ledger.ErrRegulation},
		{"a cursor that is elsewhere", "", 3, 4, rows, ledger.ErrBehind},
		{"the next game", "", 0, 1, rows, nil},
		{"the same game again", "", 0, 1, rows, ledger.ErrBehind},
		{"rows that exist", "", 1, 2, rows, ledger.ErrBehind},
		{"a game that counts for none", "", 1, 2, nil, nil},
	} {
		k.RateBy(tt.regulation)
		if err := k.Record(t.Context(), tt.from, tt.to, tt.rows); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if cursor, err := outbox.CursorOf(k.orm, outbox.OfRatings); err != nil || cursor != 2 {
		t.Errorf("the cursor is at %d (%v), want 2", cursor, err)
	}
	changes, err := k.Changes(t.Context(), "game1")
	if err != nil || !reflect.DeepEqual(changes, rows) {
		t.Errorf("the game has the rows %+v (%v), want %+v", changes, err, rows)
	}
	recorded, err := k.Recorded(t.Context(), []string{"game1", "game2"})
	if err != nil || !reflect.DeepEqual(recorded, map[string]bool{"game1": true}) {
		t.Errorf("recorded: %v (%v)", recorded, err)
	}
	lists, err := k.Lists(t.Context())
	want := []ledger.ListSummary{{List: list, Games: 1, Players: 2, LastAt: 100}}
	if err != nil || !reflect.DeepEqual(lists, want) {
		t.Errorf("lists %+v (%v), want %+v", lists, err, want)
	}
}

// TestRatingsOverTime reads ratings now, before a game and before a moment: without a game a player has what it was
// given.
func TestRatingsOverTime(t *testing.T) {
	k := open(t)
	k.player(t, "ann", `{"quixo/blitz": 1800}`)
	k.player(t, "bob", `{"quits/blitz": 1700}`)
	k.player(t, "cid", `{"quixo/blitz": 1600}`)
	for seq, after := range []float64{1810, 1820} {
		seq := int64(seq + 1)
		err := k.Record(t.Context(), seq-1, seq, []ledger.Row{rated(seq, 1, "ann", after), rated(seq, 2, "bob", after-300)})
		if err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"ann", "bob", "cid", "dan"}
	before := func(seq int64) func() (map[string]float64, error) {
		return func() (map[string]float64, error) {
			found, err := k.Before(t.Context(), seq, list, all)
			return values(found), err
		}
	}
	until := func(at int64) func() (map[string]float64, error) {
		return func() (map[string]float64, error) { return k.Until(t.Context(), list, all, at) }
	}
	for _, tt := range []struct {
		name string
		read func() (map[string]float64, error)
		want map[string]float64
	}{
		{"before the first game", before(1), map[string]float64{"ann": 1800, "cid": 1600}},
		{"before the second game", before(2), map[string]float64{"ann": 1810, "bob": 1510, "cid": 1600}},
		{"before the first game ended", until(100), map[string]float64{"ann": 1800, "cid": 1600}},
		{"once it has ended", until(101), map[string]float64{"ann": 1810, "bob": 1510, "cid": 1600}},
		{"at no moment", until(0), map[string]float64{"ann": 1820, "bob": 1520, "cid": 1600}},
		{"now", func() (map[string]float64, error) {
			found, err := k.Current(t.Context(), list, all)
			return values(found), err
		}, map[string]float64{"ann": 1820, "bob": 1520, "cid": 1600}},
	} {
		if got, err := tt.read(); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v (%v), want %v", tt.name, got, err, tt.want)
		}
	}
	history, err := k.History(t.Context(), list, "ann")
	if err != nil || len(history) != 2 || history[0].After != 1810 || history[1].After != 1820 {
		t.Errorf("the history of a player is %+v (%v)", history, err)
	}
}
