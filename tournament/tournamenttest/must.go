package tournamenttest

import (
	"testing"

	"quatuor/tournament"
)

// Must returns a function with which an act that must succeed is called in place.
func Must(t *testing.T) func(next *tournament.Tournament, _ tournament.Delta, err error) *tournament.Tournament {
	return func(next *tournament.Tournament, _ tournament.Delta, err error) *tournament.Tournament {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
}
