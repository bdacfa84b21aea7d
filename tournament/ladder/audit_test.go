package ladder

import (
	"slices"
	"strings"
	"testing"
)

// TestAudit plants an impossible act in a sound log: the error names it, and does so before Events meets it.
func TestAudit(t *testing.T) {
	sound := []Act{
		{N: 1, At: 10, Kind: ActJoin, Player: "a"},
		{N: 2, At: 10, Kind: ActJoin, Player: "b"},
		{N: 3, At: 20, Kind: ActHoliday, Player: "a", Until: 30},
		{N: 4, At: 40, Kind: ActChallenge, Challenge: "c", Player: "b", Other: "a"},
		{N: 5, At: 50, Kind: ActAccept, Challenge: "c", Player: "a"},
		{N: 6, At: 50, Kind: ActGame, Challenge: "c", Game: "g"},
		{N: 7, At: 60, Kind: ActReport, Challenge: "c", Player: "a", Score: 0.5},
		{N: 8, At: 70, Kind: ActResult, Challenge: "c", Score: 1},
		{N: 9, At: 80, Kind: ActLeave, Player: "a"},
		{N: 10, At: 80, Kind: ActJoin, Player: "a"},
	}
	if err := Audit(sound); err != nil {
		t.Errorf("a sound log: %v", err)
	}
	for name, tt := range map[string]struct {
		n     int
		spoil func(*Act)
		says  string
	}{
		"back in time":                 {5, func(a *Act) { a.At = 39 }, "act 5 (accept) cannot have been done: it lies before"},
		"a join of nobody":             {1, func(a *Act) { a.Player = "" }, "act 1 (join) cannot"},
		"a second join":                {2, func(a *Act) { a.Player = "a" }, "act 2 (join) cannot"},
		"who is not there leaves":      {9, func(a *Act) { a.Player = "x" }, `player "x" is not on the ladder`},
		"a holiday of a stranger":      {3, func(a *Act) { a.Player = "x" }, "act 3 (holiday) cannot"},
		"a challenger from elsewhere":  {4, func(a *Act) { a.Player = "x" }, "act 4 (challenge) cannot"},
		"a defender from elsewhere":    {4, func(a *Act) { a.Other = "x" }, `act 4 (challenge) cannot have been done: player "x"`},
		"a challenge without an id":    {4, func(a *Act) { a.Challenge = "" }, "act 4 (challenge) cannot"},
		"an answer to nothing":         {5, func(a *Act) { a.Challenge = "d" }, `act 5 (accept) cannot have been done: nobody has made challenge "d"`},
		"an answer of the challenger":  {5, func(a *Act) { a.Player = "b" }, `player "b" was not challenged`},
		"a game of nothing":            {6, func(a *Act) { a.Challenge = "d" }, "act 6 (game) cannot"},
		"a report of a stranger":       {7, func(a *Act) { a.Player = "x" }, `player "x" has no part in challenge "c"`},
		"a report on nothing":          {7, func(a *Act) { a.Challenge = "" }, "act 7 (report) cannot"},
		"a result that is no score":    {8, func(a *Act) { a.Score = 0.7 }, "0.7 is no score"},
		"a result of nothing":          {8, func(a *Act) { a.Challenge = "d" }, "act 8 (result) cannot"},
		"an act of another kind":       {3, func(a *Act) { a.Kind = "dance" }, "act 3 (dance) cannot"},
		"a challenge that comes twice": {5, func(a *Act) { *a = Act{N: 5, At: 50, Kind: ActChallenge, Challenge: "c"} }, "was made before"},
	} {
		spoilt := slices.Clone(sound)
		tt.spoil(&spoilt[tt.n-1])
		if err := Audit(spoilt); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", name, err, tt.says)
		}
	}
}
