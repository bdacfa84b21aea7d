package director

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// TestWhatARoundWasPairedFrom is kept with the round, and is after any correction what it was then: the same pairings
// come out of it.
func TestWhatARoundWasPairedFrom(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 4)
	decide(t, d, tm.ID, 1, "1-0")
	tm, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	want := pairing.HistoryOf(tm, 2)
	decide(t, d, tm.ID, 1, "0-1")
	corrected := load(t, m, tm.ID)
	got, err := d.PairedFrom(ctx, tm.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Field {
		if !reflect.DeepEqual(got.Field[i].Cells, want.Field[i].Cells) {
			t.Errorf("number %d had %+v, and it says %+v", i+1, want.Field[i].Cells, got.Field[i].Cells)
		}
	}
	if now := pairing.HistoryOf(corrected, 2); reflect.DeepEqual(now.Field[0].Cells, got.Field[0].Cells) {
		t.Error("the correction does not show in what the round would be paired from now")
	}
	if before := corrected.Cards(2)[0].Before; before[1] != want.Field[0].Score() {
		t.Errorf("number 1 came into round 2 with %s, and the card says %s", want.Field[0].Score(), before[1])
	}
	pairer, err := pairerFor(corrected)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pairer.Pair(got)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range corrected.Rounds[1].Pairings {
		if !reflect.DeepEqual(again[i].Seats, p.Seats) {
			t.Errorf("board %d: %v, and from what was kept %v", i+1, p.Seats, again[i].Seats)
		}
	}
	if _, err := d.PairedFrom(ctx, tm.ID, 3); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("a round that is not there: %v, want ErrNotFound", err)
	}
}

// decide enters the same result for all boards of a round.
func decide(t testing.TB, d *Director, id string, round int, text string) {
	t.Helper()
	tm, err := d.Tournament(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	v, err := tournament.ParseVerdict(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range tm.Rounds[round-1].Pairings {
		if p.Bye == tournament.NoBye {
			if _, err := d.Do(context.Background(), id, SetResult(round, p.Board, v, "by hand"), organiser); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// PairedFrom returns the history that a round was paired from, whatever has been corrected since. It returns
// tournament.ErrNotFound for a round that does not exist, or was paired before histories were stored.
func (d *Director) PairedFrom(ctx context.Context, id string, round int) (pairing.History, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return pairing.History{}, err
	}
	kept, err := d.Store.PairingInput(ctx, id, round)
	if err != nil {
		return pairing.History{}, err
	}
	return pairing.Read(kept.Text, t.LotSeed)
}
