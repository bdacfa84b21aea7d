package store

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
)

var errUnheld = errors.New("not held")

// filled sets every column of a row to something of its own.
func filled[R any](t *testing.T) *R {
	t.Helper()
	var row R
	for i, name := range db.ColumnsOf(&row) {
		f := db.SchemaOf(&row).FieldsByDBName[name]
		fill(t, f.ReflectValueOf(t.Context(), reflect.ValueOf(&row).Elem()), int64(i+1))
	}
	return &row
}

func fill(t *testing.T, field reflect.Value, n int64) {
	t.Helper()
	text := fmt.Sprint("text ", n)
	control, err := clock.Parse("300+3")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	switch field.Interface().(type) {
	case *string:
		value = &text
	case *int64:
		value = &n
	case []string:
		value = []string{text, ""}
	case map[string]string:
		value = map[string]string{"a": text}
	case []int8:
		value = []int8{int8(n), 2}
	case []int:
		value = []int{int(n), 2}
	case clock.State:
		value = clock.New([]clock.Control{control, control}, false)
	case rating.Period:
		value = rating.Period{Number: int(n), Value: 0.1, Tally: rating.Tally{Surplus: 1e-17}}
	case *engine.Outcome:
		value = &engine.Outcome{Ranks: []int{int(n)}, Reason: engine.Reason(text)}
	default:
		fillPlain(t, field, n, text)
		return
	}
	field.Set(reflect.ValueOf(value))
}

func fillPlain(t *testing.T, field reflect.Value, n int64, text string) {
	t.Helper()
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Float64:
		field.SetFloat(float64(n) + 0.1)
	case reflect.Int, reflect.Int8, reflect.Int64:
		field.SetInt(n)
	case reflect.Uint16:
		field.SetUint(uint64(n))
	default:
		t.Fatalf("a column of %s", field.Type())
	}
}

// writes checks that a statement writes every column of a row to its place.
func writes[R any](t *testing.T, h *held, id statementID, change func(*R)) {
	t.Helper()
	row := filled[R](t)
	b := newBatch(errUnheld)
	b.insert(id, row)
	if err := h.backend.run(t.Context(), b); err != nil {
		t.Fatalf("%T: %v", row, err)
	}
	if change != nil {
		change(row)
	}
	var stored R
	if err := h.reads.Take(&stored).Error; err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&stored, row) {
		t.Errorf("stored as\n%+v, not\n%+v", stored, *row)
	}
}

func TestBatchesWriteEveryColumn(t *testing.T) {
	h := hold(t)
	if _, err := h.f.writer.DB().Exec("PRAGMA foreign_keys = 0"); err != nil { // the rows belong to nothing
		t.Fatal(err)
	}
	writes[gameRow](t, h, addGame, nil)
	writes[liveRow](t, h, addLive, nil)
	writes[lineRow](t, h, addLine, nil)
	writes(t, h, addOutbox, func(r *outbox.Row) { r.Seq = 1 })
	writes[ratings.Row](t, h, addRating, nil)
	writes[ratings.Current](t, h, setCurrent, nil)
	writes[ratings.List](t, h, countGames, nil)
}

// TestLinesAreWrittenAsRows compares what is written without reflection with what the row's fields and JSON would be.
func TestLinesAreWrittenAsRows(t *testing.T) {
	for _, l := range []table.Line{
		{},
		{
			N: 1, Kind: table.LineMove, Seat: 2, Text: "c1-c5", At: 3, Turn: 4, Elapsed: 5, Claimed: new(int64(6)), Remaining: 7,
			By: "account", Said: "said",
		},
	} {
		row, line := newBatch(nil), newBatch(nil)
		row.insert(addLine, &lineRow{"g", l})
		line.line("g", &l)
		if !reflect.DeepEqual(line, row) {
			t.Errorf("%+v is written as\n%+v, not\n%+v", l, line, row)
		}
	}
	for _, seats := range [][]int8{nil, {}, {1}, {1, 2, 8}} {
		if want := db.Text(seats); seatList(seats) != want {
			t.Errorf("%v is written as %s, not %s", seats, seatList(seats), want)
		}
	}
}

// TestSeatsOfAGame stores each player once, and open seats not at all.
func TestSeatsOfAGame(t *testing.T) {
	h := hold(t)
	g := table.Game{
		ID: "g", Variant: "quixo/duel", Seats: 4, Status: table.Waiting, Players: []string{"b", "", "a", "b"}, CreatedAt: 7,
	}
	if err := h.Games().Create(t.Context(), []table.Game{g}); err != nil {
		t.Fatal(err)
	}
	var rows []gamePlayerRow
	if err := h.reads.Order("player_id").Find(&rows).Error; err != nil {
		t.Fatal(err)
	}
	if want := []gamePlayerRow{{"a", 7, "g"}, {"b", 7, "g"}}; !slices.Equal(rows, want) {
		t.Errorf("the players are %+v, want %+v", rows, want)
	}
}

// TestColumnValues converts every kind of field that rows have.
func TestColumnValues(t *testing.T) {
	text, number := "t\x00é", int64(5)
	for _, c := range []struct {
		field any
		want  driver.Value
	}{
		{"", ""},
		{text, text},
		{&text, text},
		{(*string)(nil), nil},
		{-1, int64(-1)},
		{int8(-2), int64(-2)},
		{int64(1 << 62), int64(1 << 62)},
		{&number, number},
		{(*int64)(nil), nil},
		{0.1, 0.1},
		{true, true},
		{false, false},
		{table.Running, "running"},
		{table.SeatSet(5), int64(5)},
		{db.Text([]int8{1, -2}), "[1,-2]"},
		{db.Text([]int8(nil)), "null"},
		{nil, nil},
	} {
		if got := columnValue(c.field); got != c.want {
			t.Errorf("%#v is stored as %#v, want %#v", c.field, got, c.want)
		}
	}
}

// TestStepsMoveBetweenTheTables follows a game through its life: until it is over what changes is in live_games alone,
// and then in games alone; either way a reader sees it as it is.
func TestStepsMoveBetweenTheTables(t *testing.T) {
	h := hold(t)
	createPlayers(t, h.Store, "a", "b")
	control, err := clock.Parse("60")
	if err != nil {
		t.Fatal(err)
	}
	g := table.Game{
		ID: "g", Variant: "quixo/duel", Seats: 2, Status: table.Waiting, Players: []string{"a", "b"},
		Controls: []string{"60", "60"},
		Clock:    clock.New([]clock.Control{control, control}, false),
	}
	if err := h.Games().Create(t.Context(), []table.Game{g}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status table.Status
		kind   table.LineKind
		stored int64 // the version in games
		live   int64
	}{
		{table.Running, table.LineStart, 0, 1},
		{table.Running, table.LineMove, 0, 1},
		{table.Paused, table.LinePause, 0, 1},
		{table.Running, table.LineResume, 0, 1},
		{table.Running, table.LineMove, 0, 1},
		{table.Aborted, table.LineAbort, 6, 0},
	} {
		from := g.Version
		g.Version++
		g.Turn = int(g.Version) + 10
		g.Plies = int(g.Version) + 20
		g.Offer = int8(g.Version)
		g.Deadline = g.Version * 1000
		g.Position = fmt.Sprint("position ", g.Version)
		g.Awaited = []int8{int8(g.Version)}
		g.Status = c.status
		if c.kind != table.LineMove {
			g.Invited = table.SeatSet(g.Version % 3)
		}
		step := table.Step{Game: &g, From: from, Lines: []table.Line{{N: g.Version, Kind: c.kind}}}
		if err := h.Games().Append(t.Context(), step); err != nil {
			t.Fatal(err)
		}
		if err := h.Games().Append(t.Context(), step); !errors.Is(err, table.ErrConflict) {
			t.Errorf("%s, again: %v", c.kind, err)
		}
		var version, live int64
		if err := h.reads.Raw("SELECT version, (SELECT count(*) FROM live_games) FROM games").Row().
			Scan(&version, &live); err != nil {
			t.Fatal(err)
		}
		if version != c.stored || live != c.live {
			t.Errorf("after %s games holds version %d and there are %d live games, want %d and %d", c.kind, version, live,
				c.stored, c.live)
		}
		got, _, err := h.Games().Load(t.Context(), "g")
		if err != nil || !reflect.DeepEqual(got, g) {
			t.Errorf("after %s loaded is\n%+v, want\n%+v, error %v", c.kind, got, g, err)
		}
		listed, _, err := h.Games().List(t.Context(), table.Filter{Status: []table.Status{c.status}}, 5, "")
		if err != nil || len(listed) != 1 || !reflect.DeepEqual(listed[0], g) {
			t.Errorf("after %s listed are %+v, error %v", c.kind, listed, err)
		}
		rows, err := h.Games().Rows(t.Context(), []string{"g"})
		if err != nil || len(rows) != 1 || !reflect.DeepEqual(rows[0].Game, g) {
			t.Errorf("after %s the row is %+v, error %v", c.kind, rows, err)
		}
		if v, err := h.Games().Version(t.Context(), "g"); err != nil || v != g.Version {
			t.Errorf("after %s the version is %d, error %v", c.kind, v, err)
		}
	}
	if faults, err := h.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults %v, error %v", faults, err)
	}
}

// TestFailedBatchTellsWhy looks at what becomes of SQLite's own words and codes.
func TestFailedBatchTellsWhy(t *testing.T) {
	h := hold(t, "g")
	err := h.backend.run(t.Context(), stepBatch(t, "g", 0))
	if err != nil {
		t.Fatal(err)
	}
	double := stepBatch(t, "g", 1)
	line := table.Line{N: 2}
	double.insert(addLine, &lineRow{"g", line})
	if err := h.backend.run(t.Context(), double); !db.Duplicate(err) || !says("lines.game_id, lines.n")(err) {
		t.Errorf("a line that is there already: %v", err)
	}
	orphan := stepBatch(t, "g", 1)
	line.N = 3
	orphan.insert(addLine, &lineRow{"nobody", line})
	if err := h.backend.run(t.Context(), orphan); db.Duplicate(err) || !says("FOREIGN KEY")(err) {
		t.Errorf("a line of no game: %v", err)
	}
	if v := h.version(t, "g"); v != 1 {
		t.Errorf("version %d after two failures", v)
	}
}

// TestQuietStepOfAGameThatDoesNotRun writes a move as the first step of a game that waits: more of its row must change
// than with a move.
func TestQuietStepOfAGameThatDoesNotRun(t *testing.T) {
	h := hold(t)
	waiting := table.Game{ID: "w", Variant: "quixo/duel", Seats: 2, Status: table.Waiting}
	if err := h.Games().Create(t.Context(), []table.Game{waiting}); err != nil {
		t.Fatal(err)
	}
	next := waiting
	next.Status = table.Running
	next.Version = 1
	next.StartedAt = 5
	step := table.Step{Game: &next, Lines: []table.Line{{N: 1, Kind: table.LineMove}}}
	if !ordinary(step) {
		t.Fatal("the test shows nothing")
	}
	if err := h.Games().Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	g, _, err := h.Games().Load(t.Context(), "w")
	if err != nil || g.Status != table.Running || g.StartedAt != 5 {
		t.Errorf("stored as %s, started at %d, error %v", g.Status, g.StartedAt, err)
	}
	if err := h.Games().Append(t.Context(), step); !errors.Is(err, table.ErrConflict) {
		t.Errorf("again: %v", err)
	}
}

// TestCreatingOneGameTwice leaves the first as it is.
func TestCreatingOneGameTwice(t *testing.T) {
	h := hold(t, "g")
	if err := h.Games().Create(t.Context(), []table.Game{{
		ID: "g", Players: []string{"p"},
		Variant: "other",
	}}); err != nil {
		t.Fatal(err)
	}
	g, _, err := h.Games().Load(t.Context(), "g")
	if err != nil || g.Variant != "quixo/duel" {
		t.Errorf("stored is %q, error %v", g.Variant, err)
	}
	var seated int64
	if err := h.reads.Model(&gamePlayerRow{}).Count(&seated).Error; err != nil || seated != 0 {
		t.Errorf("%d are seated, error %v", seated, err)
	}
}
