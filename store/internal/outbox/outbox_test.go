package outbox_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
	"quatuor/tournament/director"
)

// open returns a database with the present schema, in which rows of the outbox need no games.
func open(t *testing.T) *gorm.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	if err := migrations.SQLite(t.Context(), sqlite.OpenMigrating(path)); err != nil {
		t.Fatal(err)
	}
	pool := sqlite.OpenPlain(path)
	pool.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = pool.Close() })
	orm, err := gorm.Open(gormsqlite.New(gormsqlite.Config{Conn: pool}), &gorm.Config{SkipDefaultTransaction: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := orm.Exec("PRAGMA foreign_keys = OFF").Error; err != nil {
		t.Fatal(err)
	}
	return orm
}

// add stores rows.
func add(t *testing.T, orm *gorm.DB, rows ...outbox.Row) {
	t.Helper()
	for i := range rows {
		if err := orm.Create(&rows[i]).Error; err != nil {
			t.Fatal(err)
		}
	}
}

// row returns a row of a game of two.
func row(seq int64, game, tournament string) outbox.Row {
	return outbox.Row{
		Seq: seq, GameID: game, Variant: "quixo/duel", List: "quixo-blitz", Players: []string{"ann", "bob"},
		Sides: []int{1, 2}, Ranks: []int{1, 2}, Reason: "line", TournamentID: tournament,
	}
}

// finished returns a finished game.
func finished(variant string, players ...string) table.Game {
	g := table.Game{
		ID: "g", Variant: variant, Seats: len(players), Players: players, Rated: true, Plies: 9, FinishedAt: 5000,
		Status: table.Finished, Outcome: &engine.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonLine},
	}
	for range players {
		g.Controls = append(g.Controls, "300+3")
	}
	return g
}

// TestGamesLeaveRows makes the row of a game that is over, and reads it as the consumers do.
func TestGamesLeaveRows(t *testing.T) {
	duel := finished("quixo/duel", "ann", "bob")
	placed := duel
	placed.Tournament = &table.Place{ID: "t", Round: 2, Board: 3}
	hall := placed
	hall.Hall = true
	aborted := duel
	aborted.Status, aborted.Outcome = table.Aborted, nil
	teams := finished("quixo/teams", "ann", "bob", "cid", "dan")
	teams.Outcome = &engine.Outcome{Ranks: []int{1, 2, 1, 2}, Reason: engine.ReasonTime}
	for _, tt := range []struct {
		name     string
		game     table.Game
		moved    table.SeatSet
		fewest   int
		ledger   ledger.Finished
		director director.Finished
	}{
		{
			"a casual game", duel, table.SeatSet(0).With(1), 4,
			ledger.Finished{
				GameID: "g", Variant: "quixo/duel", Rated: true, Players: []string{"ann", "bob"},
				Sides: []int{1, 2}, Ranks: []int{1, 2}, Reason: "line", Plies: 9, FinishedAt: 5000, Moved: []bool{true, false}, Fewest: 4,
			},
			director.Finished{
				GameID: "g", Ranks: []int{1, 2}, Reason: "line", Plies: 9, Moved: []bool{true, false}, At: 5000,
			},
		},
		{
			"a game of a tournament", placed, table.SeatSet(3), 4,
			ledger.Finished{
				GameID: "g", Variant: "quixo/duel", Rated: true, Players: []string{"ann", "bob"},
				Sides: []int{1, 2}, Ranks: []int{1, 2}, Reason: "line", Plies: 9, FinishedAt: 5000, Moved: []bool{true, true}, Fewest: 4,
				Tournament: true,
			},
			director.Finished{
				GameID: "g", TournamentID: "t", Round: 2, Board: 3, Ranks: []int{1, 2}, Reason: "line", Plies: 9,
				Moved: []bool{true, true}, At: 5000,
			},
		},
		{
			"a game in the hall, which comes from its tournament", hall, 0, 0,
			ledger.Finished{
				GameID: "g", Variant: "quixo/duel", Rated: true, Players: []string{"ann", "bob"},
				Sides: []int{1, 2}, Ranks: []int{1, 2}, Reason: "hall", FinishedAt: 5000, Moved: []bool{true, true},
				Fewest: ledger.NotCounted, Tournament: true,
			},
			director.Finished{
				GameID: "g", Ranks: []int{1, 2}, Reason: "hall", Moved: []bool{true, true}, At: 5000,
			},
		},
		{
			"an aborted game", aborted, 0, 0,
			ledger.Finished{
				GameID: "g", Variant: "quixo/duel", Rated: true, Players: []string{"ann", "bob"},
				Sides: []int{1, 2}, Reason: "abort", Plies: 9, FinishedAt: 5000, Moved: []bool{false, false},
			},
			director.Finished{
				GameID: "g", Aborted: true, Reason: "abort", Plies: 9, Moved: []bool{false, false}, At: 5000,
			},
		},
		{
			"a game of teams", teams, table.SeatSet(0).With(1).With(4), 1,
			ledger.Finished{
				GameID: "g", Variant: "quixo/teams", Rated: true,
				Players: []string{"ann", "bob", "cid", "dan"}, Sides: []int{1, 2, 1, 2}, Ranks: []int{1, 2, 1, 2}, Reason: "time",
				Plies: 9, FinishedAt: 5000, Moved: []bool{true, false, false, true}, Fewest: 1,
			},
			director.Finished{
				GameID: "g", Ranks: []int{1, 2, 1, 2}, Reason: "time", Plies: 9, Moved: []bool{true, false, false, true}, At: 5000,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := outbox.RowOf(&tt.game, tt.moved, tt.fewest)
			if err != nil {
				t.Fatal(err)
			}
			tt.ledger.List = ledger.ListID("quixo", "blitz")
			if got := r.ForLedger(); !reflect.DeepEqual(got, tt.ledger) {
				t.Errorf("for the ledger %+v,\nwant %+v", got, tt.ledger)
			}
			if got := r.ForDirector(); !reflect.DeepEqual(got, tt.director) {
				t.Errorf("for the director %+v,\nwant %+v", got, tt.director)
			}
		})
	}
}

// TestGamesWithoutRows refuses games of which no list is known.
func TestGamesWithoutRows(t *testing.T) {
	unknown, untimed := finished("chess", "ann", "bob"), finished("quixo/duel", "ann", "bob")
	untimed.Controls[1] = "soon"
	for _, g := range []table.Game{unknown, untimed} {
		if r, err := outbox.RowOf(&g, 0, 0); err == nil {
			t.Errorf("%s with %v has the row %+v", g.Variant, g.Controls, r)
		}
	}
}

// TestOldAndCorrectedRows reads rows without what was not stored once, and a row that replaces another: the director
// learns no second result from it.
func TestOldAndCorrectedRows(t *testing.T) {
	old := row(3, "old", "t")
	if f := old.ForLedger(); f.Moved != nil || f.Fewest != ledger.NotCounted {
		t.Errorf("of an old row the ledger sees the moves %v, of the slowest %d", f.Moved, f.Fewest)
	}
	again := row(7, "g", "t")
	again.Corrects, again.FinishedAt = 3, 99
	if f := again.ForLedger(); f.Corrects != 3 || f.Ranks == nil {
		t.Errorf("of a correction the ledger sees %+v", f)
	}
	want := director.Finished{Seq: 7, GameID: "g", At: 99}
	if f := again.ForDirector(); !reflect.DeepEqual(f, want) {
		t.Errorf("of a correction the director sees %+v, want %+v", f, want)
	}
}

// TestConsumers moves the cursors of both consumers along an outbox: each has its own rows.
func TestConsumers(t *testing.T) {
	orm := open(t)
	consumers := outbox.Alone{Reads: orm}
	// state is what a consumer sees: its cursor, whether there is more, and how many wait.
	type state struct {
		at, waiting int64
		some        bool
	}
	expect := func(consumer string, want state) {
		t.Helper()
		var got state
		var err error
		if got.at, got.some, err = consumers.Pending(t.Context(), consumer); err != nil {
			t.Fatal(err)
		}
		if got.waiting, err = outbox.Waiting(orm, consumer); err != nil {
			t.Fatal(err)
		}
		cursor, err := outbox.CursorOf(orm, consumer)
		if err != nil || cursor != got.at || got != want {
			t.Errorf("%s: %+v, cursor %d (%v), want %+v", consumer, got, cursor, err, want)
		}
	}
	last := func(want int64) {
		t.Helper()
		if last, err := outbox.LastPlace(orm); err != nil || last != want {
			t.Errorf("the last place is %d (%v), want %d", last, err, want)
		}
	}
	expect(outbox.OfRatings, state{0, 0, false})
	last(0)
	add(t, orm, row(1, "casual", ""), row(2, "placed", "t"), row(3, "later", ""))
	expect(outbox.OfRatings, state{0, 3, true})
	expect(outbox.OfTournaments, state{0, 1, true})
	move := func(consumer string, to, from int64, want bool) {
		t.Helper()
		if moved, err := outbox.Move(orm, consumer, to, "seq = ?", from); err != nil || moved != want {
			t.Errorf("the cursor of %s moves from %d: %v (%v), want %v", consumer, from, moved, err, want)
		}
	}
	move(outbox.OfTournaments, 2, 0, true)
	move(outbox.OfTournaments, 3, 0, false) // another was faster
	expect(outbox.OfTournaments, state{2, 0, false})
	expect(outbox.OfRatings, state{0, 3, true})
	move(outbox.OfRatings, 2, 0, true)
	expect(outbox.OfRatings, state{2, 1, true})
	last(3)
	add(t, orm, row(-1, "without a place", "")) // as games end on PostgreSQL
	expect(outbox.OfRatings, state{2, 2, true})
	last(3)
	if err := outbox.Lock(orm); err != nil {
		t.Errorf("SQLite needs no lock: %v", err)
	}
}

// TestAloneConsumesAtOnce checks that the only instance does its own work, and passes on why it failed.
func TestAloneConsumesAtOnce(t *testing.T) {
	failed := errors.New("failed")
	calls := 0
	err := outbox.Alone{}.Consume(t.Context(), &outbox.Ended{}, outbox.OfRatings, func(context.Context) error {
		calls++
		return failed
	})
	if !errors.Is(err, failed) || calls != 1 {
		t.Errorf("%d calls, %v; want one and its error", calls, err)
	}
}
