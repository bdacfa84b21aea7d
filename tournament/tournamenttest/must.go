package tournamenttest

import (
	"testing"

	"quatuor/tournament"
)

// Must returns a function that takes the results of an act and returns the tournament; it fails the test if the act
// failed.
func Must(t testing.TB) func(next *tournament.Revision, err error) *tournament.Tournament {
	return func(next *tournament.Revision, err error) *tournament.Tournament {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return next.Tournament
	}
}
