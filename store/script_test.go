package store

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

var errUnheld = errors.New("not held")

// filled sets every field of a row to something of its own.
func filled[R any](t *testing.T) *R {
	t.Helper()
	var row R
	control, err := clock.Parse("300+3")
	if err != nil {
		t.Fatal(err)
	}
	for i := range reflect.TypeFor[R]().NumField() {
		field := reflect.ValueOf(&row).Elem().Field(i)
		n := int64(i + 1)
		text := fmt.Sprint("text ", n)
		switch field.Interface().(type) {
		case *string:
			field.Set(reflect.ValueOf(&text))
		case *int64:
			field.Set(reflect.ValueOf(&n))
		case jsonOf[[]string]:
			field.Set(reflect.ValueOf(jsonOf[[]string]{[]string{text, ""}}))
		case jsonOf[map[string]string]:
			field.Set(reflect.ValueOf(jsonOf[map[string]string]{map[string]string{"a": text}}))
		case jsonOf[[]int8]:
			field.Set(reflect.ValueOf(jsonOf[[]int8]{[]int8{int8(n), 2}}))
		case jsonOf[[]int]:
			field.Set(reflect.ValueOf(jsonOf[[]int]{[]int{int(n), 2}}))
		case jsonOf[clock.State]:
			field.Set(reflect.ValueOf(jsonOf[clock.State]{clock.New([]clock.Control{control, control}, false)}))
		case jsonOrNull[[]int]:
			field.Set(reflect.ValueOf(jsonOrNull[[]int]{&[]int{int(n)}}))
		case jsonOrNull[outcome]:
			field.Set(reflect.ValueOf(jsonOrNull[outcome]{&outcome{[]int{int(n)}, engine.Reason(text)}}))
		default:
			fillPlain(t, field, n, text)
		}
	}
	return &row
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
	default:
		t.Fatalf("a column of %s", field.Type())
	}
}

// writes checks that a statement writes every column of a row to its place.
func writes[R any](t *testing.T, h *held, id statementID, put func(*script, *R), change func(*R)) {
	t.Helper()
	row := filled[R](t)
	s := newScript(errUnheld)
	s.call(id)
	put(s, row)
	if err := h.backend.run(t.Context(), s); err != nil {
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

func TestScriptsWriteEveryColumn(t *testing.T) {
	h := hold(t)
	if _, err := h.w.db.Exec("PRAGMA foreign_keys = 0"); err != nil { // the rows belong to nothing
		t.Fatal(err)
	}
	writes(t, h, addGame, func(s *script, r *gameRow) { r.put(s) }, nil)
	writes(t, h, seat, func(s *script, r *gamePlayerRow) { r.put(s) }, nil)
	writes(t, h, addLine, func(s *script, r *lineRow) { l := r.line(); s.line(r.GameID, &l) }, nil)
	writes(t, h, addOutbox, func(s *script, r *outboxRow) { r.put(s) }, func(r *outboxRow) { r.Seq = 1 })
	writes(t, h, addRating, func(s *script, r *ratingRow) { r.put(s) }, nil)
	writes(t, h, setCurrent, func(s *script, r *currentRow) { r.put(s) }, nil)
	writes(t, h, countGames, func(s *script, r *listRow) { r.put(s) }, nil)
}

// TestScriptIsUnpackedAsItWasPacked takes every kind of argument, and more of them than a guard has places for.
func TestScriptIsUnpackedAsItWasPacked(t *testing.T) {
	s := newScript(nil)
	s.call(unseat)
	s.string("")
	s.whole(-1)
	s.call(addLine)
	s.whole(-1, 1<<62)
	s.real(0.1)
	s.yes(true)
	s.yes(false)
	s.null()
	s.string("t\x00é")
	s.numbers([]int8{1, -2})
	s.numbers(nil)
	s.json([]string{"a"})
	want := map[statementID][]any{
		unseat:  {""},
		addLine: {int64(-1), int64(1 << 62), 0.1, true, false, nil, "t\x00é", "[1,-2]", "null", `["a"]`},
	}
	calls := 0
	for id, args := range s.calls() {
		calls++
		if !reflect.DeepEqual(args, want[id]) {
			t.Errorf("call %d: %v, want %v", calls, args, want[id])
		}
	}
	if calls != len(want) {
		t.Errorf("%d calls", calls)
	}
}

// TestFailedScriptTellsWhy looks at what becomes of SQLite's own words and codes.
func TestFailedScriptTellsWhy(t *testing.T) {
	h := hold(t, "g")
	err := h.backend.run(t.Context(), stepJob(t, "g", 0).script)
	if err != nil {
		t.Fatal(err)
	}
	double := stepJob(t, "g", 1).script
	line := table.Line{N: 2}
	double.call(addLine)
	double.line("g", &line)
	if err := h.backend.run(t.Context(), double); !duplicate(err) || !says("lines.game_id, lines.n")(err) {
		t.Errorf("a line that is there already: %v", err)
	}
	orphan := stepJob(t, "g", 1).script
	line.N = 3
	orphan.call(addLine)
	orphan.line("nobody", &line)
	if err := h.backend.run(t.Context(), orphan); duplicate(err) || !says("FOREIGN KEY")(err) {
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
	next.Status, next.Version, next.StartedAt = table.Running, 1, 5
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
	if err := h.Games().Create(t.Context(), []table.Game{{ID: "g", Players: []string{"p"}, Variant: "other"}}); err != nil {
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
