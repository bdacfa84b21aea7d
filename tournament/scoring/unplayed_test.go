package scoring_test

import (
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// TestWhichGamesAreNone: a game of two is none in the sense of the regulations if a side won it before both had moved
// because the other did not play.
func TestWhichGamesAreNone(t *testing.T) {
	for _, c := range []struct {
		reason      string
		plies       int
		ranks       []int
		result      string
		adjudicated bool
	}{
		{"time", 0, []int{2, 1}, "--+", false},
		{"time", 1, []int{1, 2}, "+--", false},
		{"time", 2, []int{1, 2}, "1-0", false},
		{"forfeit", 1, []int{1, 2}, "+--", false},
		{"forfeit", 7, []int{1, 2}, "1-0", false},
		{"resignation", 1, []int{1, 2}, "1-0", false},
		{"resignation", 0, []int{2, 1}, "--+", false},
		{"adjudication", 0, []int{2, 1}, "--+", false},
		{"adjudication", 1, []int{2, 1}, "0-1", true},
		{"adjudication", 9, []int{1, 1}, "1/2-1/2", true},
		{"agreement", 0, []int{1, 1}, "1/2-1/2", false},
	} {
		tm := tournamenttest.InRound(t, tournamenttest.Running(t, "Ada", "Bob"),
			tournament.Pairing{Board: 1, Seats: []string{"e1", "e2"}})
		next, err := scoring.GameOver(tm, 1, 1, c.ranks, c.plies, "", c.reason, 9)
		p := tournamenttest.Must(t)(next, err).Rounds[0].Pairings[0]
		if p.Text() != c.result || p.Result.Adjudicated != c.adjudicated {
			t.Errorf("%s after %d plies: %s, adjudicated %v", c.reason, c.plies, p.Text(), p.Result.Adjudicated)
		}
	}
}
