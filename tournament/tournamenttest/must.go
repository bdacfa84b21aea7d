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

// Empty reports whether a change wrote the tournament's own fields only.
func Empty(d tournament.Delta) bool {
	return len(d.Entries) == 0 && len(d.RemovedEntry) == 0 && len(d.Rounds) == 0 && len(d.RemovedRounds) == 0 &&
		len(d.Pairings) == 0 && len(d.Changes) == 0 && len(d.Inputs) == 0 && len(d.Acts) == 0 && len(d.Records) == 0 &&
		len(d.LineUps) == 0
}
