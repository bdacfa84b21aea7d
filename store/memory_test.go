package store

import (
	"fmt"
	"reflect"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/tournament"
)

// end stores a game that is over at once.
func (h *held) end(t *testing.T, id string, at *table.Place) {
	t.Helper()
	g := table.Game{
		ID: id, Variant: "quixo/duel", Seats: 2, Players: []string{"a", "b"}, Controls: []string{"300+3", "300+3"},
		Rated: true, Tournament: at, Status: table.Running,
	}
	if err := h.Games().Create(t.Context(), []table.Game{g}); err != nil {
		t.Fatal(err)
	}
	g.Version = 1
	g.Status = table.Finished
	g.Outcome = &engine.Outcome{Ranks: []int{1, 2}, Reason: "line"}
	g.Plies = 9
	step := table.Step{Game: &g, Lines: []table.Line{{N: 1, Kind: table.LineMove}}}
	if err := h.Games().Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
}

func (h *held) rate(t *testing.T, from, to int64, rows ...ledger.Row) {
	t.Helper()
	if err := h.Ratings().Record(t.Context(), from, to, rows); err != nil {
		t.Fatal(err)
	}
}

func TestDirectorIsNotLeftWithoutAGame(t *testing.T) {
	h := hold(t)
	cup := tournament.Tournament{ID: "t", Variant: "quixo/duel", Status: tournament.Running}
	if err := h.Tournaments().Create(t.Context(), &cup); err != nil {
		t.Fatal(err)
	}
	waits := func() int {
		t.Helper()
		games, err := h.Tournaments().Pending(t.Context(), 9)
		if err != nil {
			t.Fatal(err)
		}
		return len(games)
	}
	for i := range 3 {
		if n := waits() + waits(); n != 0 {
			t.Errorf("%d games wait before one has ended", n)
		}
		h.end(t, fmt.Sprint("casual", i), nil)
		if n := waits(); n != 0 {
			t.Errorf("%d games wait after a casual one has ended", n)
		}
		h.end(t, fmt.Sprint("cup", i), &table.Place{ID: "t", Round: 1, Board: 1})
		for range 2 {
			if n := waits(); n != 1 {
				t.Errorf("%d games wait after one has ended", n)
			}
		}
		if err := h.Tournaments().RecordResult(t.Context(), int64(2*i+2), nil, 0, tournament.Delta{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCurrentRatingsAreTheLast(t *testing.T) {
	h := hold(t)
	for i := range 3 {
		h.end(t, fmt.Sprint("g", i), nil)
	}
	h.rate(t, 0, 2,
		ledger.Row{GameID: "g0", PlayerID: "a", List: "l", Seat: 1, Seq: 1, After: 1600, GamesAfter: 1},
		ledger.Row{GameID: "g1", PlayerID: "a", List: "l", Seat: 1, Seq: 2, After: 1620.5, GamesAfter: 2, Reached: true},
		ledger.Row{GameID: "g1", PlayerID: "b", List: "l", Seat: 2, Seq: 2, After: 1500, GamesAfter: 1})
	same := func(want map[string]rating.Rating) {
		t.Helper()
		current, err := h.Ratings().Current(t.Context(), "l", []string{"a", "b", "c"})
		if err != nil || !reflect.DeepEqual(current, want) {
			t.Errorf("current are %v, error %v; want %v", current, err, want)
		}
	}
	same(map[string]rating.Rating{"a": {Value: 1620.5, Games: 2, Reached2400: true}, "b": {Value: 1500, Games: 1}})
	if err := h.Ratings().Rewrite(t.Context(), 2, 2, 1, []string{"l"}, []ledger.Row{
		{GameID: "g1", PlayerID: "b", List: "l", Seat: 2, Seq: 2, After: 1499, GamesAfter: 1},
	}); err != nil {
		t.Fatal(err)
	}
	same(map[string]rating.Rating{"b": {Value: 1499, Games: 1}})
	h.rate(t, 2, 3, ledger.Row{GameID: "g2", PlayerID: "b", List: "l", Seat: 2, Seq: 3, After: 1505, GamesAfter: 2})
	same(map[string]rating.Rating{"b": {Value: 1505, Games: 2}})
}
