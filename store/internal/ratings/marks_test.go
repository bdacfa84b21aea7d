package ratings_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/tournament/adminlog"
)

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
