package tournamenttest

import (
	"testing"

	"quatuor/tournament"
)

// Hall returns a running tournament of four in the hall, in its first round.
func Hall(t *testing.T, rated bool) *tournament.Tournament {
	t.Helper()
	tm := Swiss(t, tournament.PairingRules{}, 4, 3, 2, 1)
	s := tm.Settings()
	s.Venue = tournament.InHall
	tm = Must(t)(tm.Configure(s, Checks))
	tm.Rated = rated
	return InRound(t, tm, AnyRound(tm)...)
}

// Board returns a board of the latest round.
func Board(t *testing.T, tm *tournament.Tournament, n int) tournament.Pairing {
	t.Helper()
	p, err := tm.Pairing(len(tm.Rounds), n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
