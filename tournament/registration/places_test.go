package registration_test

import (
	"errors"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
)

// TestPlaces checks that players register until all places are taken, that the organiser may enter more, and that a
// withdrawal frees a place.
func TestPlaces(t *testing.T) {
	open := &tournament.Tournament{ID: "t", Status: tournament.Open, MaxEntries: 2}
	shape := tournament.Shape{Min: 2, Max: 2, Members: 1}
	register := func(t *tournament.Tournament, id string) (*tournament.Revision, error) {
		return registration.Register(t, tournament.Entry{ID: id, Name: id, Members: []string{"player " + id}}, shape)
	}
	one, err := register(open, "a")
	if err != nil || one.Full() || one.PlacesLeft() != 1 {
		t.Fatalf("after one: %v, %d left", err, one.PlacesLeft())
	}
	two, err := register(one.Tournament, "b")
	if err != nil || !two.Full() {
		t.Fatalf("after two: %v", err)
	}
	if _, err := register(two.Tournament, "c"); !errors.Is(err, tournament.ErrFull) || errors.Is(err, tournament.ErrState) {
		t.Errorf("a third registers: %v", err)
	}
	three, err := registration.AddEntry(two.Tournament, tournament.Entry{ID: "c", Name: "c"}, shape)
	if err != nil || three.Taken() != 3 || three.PlacesLeft() != 0 || !three.Full() {
		t.Fatalf("the organiser enters a third: %v", err)
	}
	left, err := registration.Withdraw(two.Tournament, "a")
	if err != nil || left.PlacesLeft() != 1 {
		t.Fatalf("after a withdrawal: %v", err)
	}
	taken, err := register(left.Tournament, "d")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := register(taken.Tournament, "a"); !errors.Is(err, tournament.ErrFull) {
		t.Errorf("comes back though the place is taken: %v", err)
	}
	if back, err := registration.Reinstate(taken.Tournament, "a"); err != nil || back.Taken() != 3 {
		t.Errorf("the organiser takes it back: %v", err)
	}
	if unlimited := (&tournament.Tournament{Entries: three.Entries}); unlimited.Full() || unlimited.PlacesLeft() != 0 {
		t.Error("without a limit it is full")
	}
}
