package ratings_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"pgregory.net/rapid"

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
	defer os.RemoveAll(dir)
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

// standing is a player's place in a ranking.
type standing struct {
	player string
	rank   int
	value  float64
}

// pages reads a ranking to its end.
func pages(t *testing.T, read func(after string) ([]ledger.Ranked, string, error)) (all []standing) {
	t.Helper()
	for after, more := "", true; more; more = after != "" {
		if len(all) > 100 {
			t.Fatalf("the pages have no end: %v", all)
		}
		page, next, err := read(after)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			all = append(all, standing{r.PlayerID, r.Rank, r.Rating.Value})
		}
		after = next
	}
	return all
}

// TestRankingInPages ranks players with few different ratings: pages of any size make up the same ranking, in which
// equal ratings share a rank. Players without a rating yet, and those who have not played of late, are left out.
func TestRankingInPages(t *testing.T) {
	k := open(t)
	rapid.Check(t, func(r *rapid.T) {
		k.empty(t)
		var rows []ledger.Row
		var want []standing
		since := rapid.Int64Range(0, 600).Draw(r, "since")
		for i := range rapid.IntRange(0, 8).Draw(r, "players") {
			row := rated(int64(i+1), 1, fmt.Sprint("player", i), 1500+10*float64(rapid.IntRange(0, 2).Draw(r, "value")))
			row.Unrated = rapid.IntRange(0, 4).Draw(r, "unrated") == 0
			rows = append(rows, row)
			if !row.Unrated && row.At >= since {
				want = append(want, standing{row.PlayerID, 0, row.After})
			}
		}
		slices.SortStableFunc(want, func(a, b standing) int { return cmp.Compare(b.value, a.value) })
		for i := range want {
			want[i].rank = 1 + slices.IndexFunc(want, func(s standing) bool { return s.value == want[i].value })
		}
		if err := k.Record(t.Context(), 0, int64(len(rows)), rows); err != nil {
			r.Fatal(err)
		}
		limit := rapid.IntRange(1, 4).Draw(r, "limit")
		now := pages(t, func(after string) ([]ledger.Ranked, string, error) {
			return k.Ranking(t.Context(), list, since, limit, after)
		})
		then := pages(t, func(after string) ([]ledger.Ranked, string, error) {
			return k.AsOf(t.Context(), list, since, 10_000, limit, after)
		})
		if !slices.Equal(now, want) || !slices.Equal(then, want) {
			r.Errorf("in pages of %d now %v, as of a moment %v, want %v", limit, now, then, want)
		}
	})
	if _, _, err := k.Ranking(t.Context(), list, 0, 1, "nonsense"); err == nil {
		t.Error("a cursor of no ranking is taken")
	}
}

// stored is all that is rated.
type stored struct {
	Rows    []ratings.Row
	Current []ratings.Current
	Lists   []ratings.List
	Cursor  int64
}

func (k *kept) stored(t *testing.T) (s stored) {
	t.Helper()
	var err error
	s.Cursor, err = outbox.CursorOf(k.orm, outbox.OfRatings)
	err = errors.Join(err, k.orm.Order("seq, seat").Find(&s.Rows).Error, k.orm.Order("list, player_id").Find(&s.Current).Error,
		k.orm.Order("list").Find(&s.Lists).Error)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRewrite corrects ratings from a place on: it leaves what recording the corrected games would have left.
func TestRewrite(t *testing.T) {
	k := open(t)
	rapid.Check(t, func(r *rapid.T) {
		const games = 5
		draw := func(from int) (rows []ledger.Row) {
			for seq := from; seq <= games; seq++ {
				if rapid.IntRange(0, 3).Draw(r, "skipped") == 0 {
					continue // it counts for no player
				}
				one := rapid.IntRange(0, 2).Draw(r, "player")
				value := float64(rapid.IntRange(1400, 1600).Draw(r, "value"))
				rows = append(rows, rated(int64(seq), 1, fmt.Sprint("player", one), value),
					rated(int64(seq), 2, fmt.Sprint("player", one+1), value-1))
			}
			return rows
		}
		start := rapid.IntRange(1, games).Draw(r, "start")
		before := draw(1)
		kept := slices.DeleteFunc(slices.Clone(before), func(row ledger.Row) bool { return row.Seq >= int64(start) })
		corrected := draw(start)
		k.empty(t)
		if err := k.Record(t.Context(), 0, games+1, slices.Concat(kept, corrected)); err != nil {
			r.Fatal(err)
		}
		want := k.stored(t)
		k.empty(t)
		if err := k.Record(t.Context(), 0, games, before); err != nil {
			r.Fatal(err)
		}
		if err := k.Rewrite(t.Context(), games, games+1, int64(start), []string{list}, corrected); err != nil {
			r.Fatal(err)
		}
		if got := k.stored(t); !reflect.DeepEqual(got, want) {
			r.Errorf("corrected from %d on:\n%+v\nwant\n%+v", start, got, want)
		}
		if err := k.Rewrite(t.Context(), games, games+1, 1, []string{list}, nil); !errors.Is(err, ledger.ErrBehind) {
			r.Errorf("corrected at a cursor that has moved: %v", err)
		}
	})
}

// TestMarks marks a player as a cheat: the games that the mark covers are rated again, and again when it is lifted.
func TestMarks(t *testing.T) {
	k := open(t)
	k.player(t, "ann", "{}")
	k.ended(t, 1, "ann", "bob", 100)
	k.ended(t, 2, "ann", "bob", 200)
	k.ended(t, 3, "cid", "bob", 300)
	mark := ledger.Mark{ID: "m", PlayerID: "ann", From: 150, Until: 400, Reason: "an engine", By: "olga", At: 1000}
	// pending returns the games that are to be rated: place, place of the first row, marked seats.
	pending := func() (games []string) {
		t.Helper()
		_, finished, err := k.Pending(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range finished {
			games = append(games, fmt.Sprint(f.GameID, " ", f.Seq, " ", f.Corrects, " ", f.Marked))
		}
		return games
	}
	if err := k.Mark(t.Context(), mark); err != nil {
		t.Fatal(err)
	}
	want := []string{"game1 1 0 []", "game2 2 0 [true false]", "game3 3 0 []", "game2 4 2 [true false]"}
	if got := pending(); !slices.Equal(got, want) {
		t.Errorf("under the mark %v, want %v", got, want)
	}
	again := mark
	again.ID = "other"
	if err := k.Mark(t.Context(), again); !errors.Is(err, ledger.ErrMarked) {
		t.Errorf("the same mark again: %v", err)
	}
	lifted, err := k.Lift(t.Context(), "m", "pia", 2000)
	if err != nil || lifted.LiftedBy != "pia" || lifted.Reason != "an engine" {
		t.Errorf("lifted %+v (%v)", lifted, err)
	}
	want = []string{"game1 1 0 []", "game2 2 0 []", "game3 3 0 []", "game2 4 2 []", "game2 5 2 []"}
	if got := pending(); !slices.Equal(got, want) {
		t.Errorf("once it is lifted %v, want %v", got, want)
	}
	for _, id := range []string{"m", "unknown"} {
		if _, err := k.Lift(t.Context(), id, "pia", 3000); !errors.Is(err, ledger.ErrNoMark) {
			t.Errorf("lifting %s: %v", id, err)
		}
	}
	if marks, err := k.Marks(t.Context(), "ann"); err != nil || !reflect.DeepEqual(marks, []ledger.Mark{lifted}) {
		t.Errorf("marks %+v (%v), want the lifted one", marks, err)
	}
	if len(k.log) != 2 || k.log[0].Kind != adminlog.MarkMade || k.log[1].Kind != adminlog.MarkLifted {
		t.Errorf("logged %+v, want the mark and its end", k.log)
	}
}

// TestGive enters ratings to start with: all of them or none.
func TestGive(t *testing.T) {
	k := open(t)
	k.player(t, "ann", `{"quits/blitz": 1700}`)
	k.player(t, "bob", "{}")
	k.ended(t, 1, "bob", "cid", 100)
	give := func(ids ...string) (given []ledger.GivenRating) {
		for _, id := range ids {
			given = append(given, ledger.GivenRating{PlayerID: id, List: list, Value: 1900, Deviation: 80})
		}
		return given
	}
	for _, tt := range []struct {
		name     string
		given    []ledger.GivenRating
		try      bool
		refusals []string
		want     map[string]float64 // afterwards
	}{
		{"a trial", give("ann"), true, []string{""}, map[string]float64{}},
		{"an unknown player", give("ann", "eve"), false, []string{"", "unknown"}, map[string]float64{}},
		{"a player who has played", give("ann", "bob"), false, []string{"", "played"}, map[string]float64{}},
		{"a player", give("ann"), false, []string{""}, map[string]float64{"ann": 1900}},
	} {
		out, err := k.Give(t.Context(), tt.given, 5000, tt.try)
		if err != nil {
			t.Fatal(err)
		}
		var refusals []string
		for _, o := range out {
			refusals = append(refusals, o.Refusal)
		}
		current, err := k.Current(t.Context(), list, []string{"ann", "bob", "eve"})
		if err != nil || !slices.Equal(refusals, tt.refusals) || !reflect.DeepEqual(values(current), tt.want) {
			t.Errorf("%s: refusals %q, then %v (%v), want %q and %v", tt.name, refusals, current, err, tt.refusals, tt.want)
		}
	}
	current, err := k.Current(t.Context(), list, []string{"ann"})
	if want := (rating.Rating{Value: 1900, Deviation: 80, Since: 5000}); err != nil || current["ann"] != want {
		t.Errorf("the player starts from %+v (%v), want %+v", current["ann"], err, want)
	}
	if other, err := k.Current(t.Context(), "quits/blitz", []string{"ann"}); err != nil || other["ann"].Value != 1700 {
		t.Errorf("in another list the player has %+v (%v), want what it had", other["ann"], err)
	}
	if len(k.log) != 1 || k.log[0].After["count"] != "1" {
		t.Errorf("logged %+v, want the one that was stored", k.log)
	}
}

// TestGamesOfPlayers reads games between two players, and games of a player that were not rated.
func TestGamesOfPlayers(t *testing.T) {
	k := open(t)
	k.ended(t, 1, "ann", "bob", 100)
	k.ended(t, 2, "bob", "ann", 200)
	k.ended(t, 3, "ann", "cid", 300)
	k.exec(t, "UPDATE outbox SET tournament_id = 't' WHERE seq = 2")
	var rows []ledger.Row
	for seq := int64(1); seq <= 2; seq++ {
		rows = append(rows, rated(seq, 1, "ann", 1500), rated(seq, 2, "bob", 1500))
	}
	if err := k.Record(t.Context(), 0, 3, rows); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		until, before int64
		want          []ledger.Meeting
	}{
		{"all", 1000, 9, []ledger.Meeting{{At: 100, Casual: true}, {At: 200}}},
		{"until the second ended", 200, 9, []ledger.Meeting{{At: 100, Casual: true}}},
		{"before the second", 1000, 2, []ledger.Meeting{{At: 100, Casual: true}}},
	} {
		met, err := k.Meetings(t.Context(), list, [2]string{"ann", "bob"}, 0, tt.until, tt.before)
		if err != nil || !reflect.DeepEqual(met, tt.want) {
			t.Errorf("%s: %+v (%v), want %+v", tt.name, met, err, tt.want)
		}
	}
	uncounted, err := k.Uncounted(t.Context(), list, "ann", 10)
	if err != nil || len(uncounted) != 1 || uncounted[0].GameID != "game3" {
		t.Errorf("not rated: %+v (%v), want game3", uncounted, err)
	}
	games, err := k.Games(t.Context(), []string{"game1", "game3", "unknown"})
	if err != nil || len(games) != 2 || len(games["game1"].Rows) != 2 || len(games["game3"].Rows) != 0 {
		t.Errorf("games with their rows: %+v (%v)", games, err)
	}
}

// TestRenew reads the past with the last result of each game, in the place of its first, and puts a draft in the place
// of what is stored, under the regulation that it follows.
func TestRenew(t *testing.T) {
	k := open(t)
	k.ended(t, 1, "ann", "bob", 100)
	k.ended(t, 2, "ann", "cid", 200)
	k.exec(t, `INSERT INTO outbox SELECT 3, game_id, variant, list, rated, players, sides, '[2,1]', reason, plies, aborted,
		tournament_id, round, board, finished_at, moved, 1, 1, fewest FROM outbox WHERE seq = 1`)
	if err := k.Record(t.Context(), 0, 3, []ledger.Row{rated(1, 1, "ann", 1500), rated(1, 2, "bob", 1500)}); err != nil {
		t.Fatal(err)
	}
	err := k.Look(t.Context(), func(p ledger.Past) error {
		games, to, err := p.Games(t.Context(), 0, nil)
		if err != nil || to != 3 || len(games) != 2 {
			t.Fatalf("%d games up to %d (%v), want 2 up to 3", len(games), to, err)
		}
		if first := games[0]; first.Seq != 1 || !slices.Equal(first.Ranks, []int{2, 1}) {
			t.Errorf("the corrected game is %+v", first)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	draft := func(d ledger.Draft) error {
		old, err := d.Rows(t.Context(), 0, d.Cursor(), nil)
		if err != nil || len(old) != 2 {
			t.Fatalf("old rows %+v (%v), want 2", old, err)
		}
		row := rated(1, 1, "ann", 1480)
		r := ledger.Standing{List: list, PlayerID: "ann", Rating: row.Rating(), Seq: 1, LastAt: 100}
		return errors.Join(d.SetRows(t.Context(), old, []ledger.Row{row}),
			d.SetStandings(t.Context(), []ledger.Standing{{List: list, PlayerID: "bob"}}, []ledger.Standing{r}),
			d.SetSums(t.Context(), []ledger.Sum{{List: list, Games: 1, LastAt: 100}}))
	}
	k.RateBy("new")
	if err := k.Renew(t.Context(), draft); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("under another regulation: %v", err)
	}
	if err := k.Adopting().Renew(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	got := k.stored(t)
	if len(got.Rows) != 1 || got.Rows[0].After != 1480 || len(got.Current) != 1 || got.Current[0].Value != 1480 {
		t.Errorf("renewed: %+v, want the row of ann alone", got)
	}
	regulation, lists, err := k.Regulation(t.Context())
	if err != nil || regulation != "new" || !slices.Equal(lists, []string{list}) {
		t.Errorf("the ratings of %v follow %q (%v), want new", lists, regulation, err)
	}
	if err := k.Adopt(t.Context(), "third", "fourth"); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("adopting from a regulation that is not stored: %v", err)
	}
}
