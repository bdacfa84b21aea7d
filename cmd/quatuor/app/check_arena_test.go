package app

import (
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// TestCheckTellsLateGames compares void results of an arena with the ends of their games.
func TestCheckTellsLateGames(t *testing.T) {
	a := &tournament.Tournament{Status: tournament.Finished, StartedAt: 1000}
	a.Format = tournament.Arena
	a.Rules.Arena.Length = 1
	a.Rules.Arena.Grace = 30
	b := board{a, 1, tournament.Pairing{Board: 1, GameID: "g", Result: &tournament.Result{Forfeit: true}}}
	won := &engine.Outcome{Ranks: []int{1, 2}}
	for name, tt := range map[string]struct {
		end   gameEnd
		found bool
		fault bool
	}{
		"in time":    {gameEnd{status: table.Finished, outcome: won, at: 90_999}, true, true},
		"late":       {gameEnd{status: table.Finished, outcome: won, at: 91_000}, true, false},
		"broken off": {gameEnd{status: table.Aborted, at: 50_000}, true, false},
		"still runs": {gameEnd{status: table.Running}, true, false},
		"no game":    {gameEnd{}, false, false},
	} {
		if fault := b.compareResult(tt.end, tt.found, 0); strings.Contains(fault, "ended in time") != tt.fault {
			t.Errorf("%s: %q", name, fault)
		}
	}
}
