package tournamenttest

import (
	"testing"

	"quatuor/tournament"
)

// DrawnUp returns a Swiss of seven with the first round e1-e2 e3-e4 e5-e6 e7:PAB, published or not.
func DrawnUp(t testing.TB, published bool) *tournament.Tournament {
	t.Helper()
	tm := Swiss(t, tournament.PairingRules{}, 7, 6, 5, 4, 3, 2, 1)
	pairings := AnyRound(tm)
	pairings[3].Bye = tournament.PairingAllocated
	tm = Must(t)(tm.AddRound(pairings))
	if published {
		tm = Must(t)(tm.Publish(Games(), 3000))
	}
	return tm
}
