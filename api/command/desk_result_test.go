package command

import (
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestDeskResultOutcomes judges results of the board of a and b, by the state that the arbiter saw and the present state.
func TestDeskResultOutcomes(t *testing.T) {
	white := tournament.Verdict{Ranks: []int{1, 2}}
	black := tournament.Verdict{Ranks: []int{2, 1}}
	open := tournament.Pairing{Board: 1, Seats: []string{"a", "b"}}
	won := open
	won.Result = &tournament.Result{Ranks: white.Ranks, Source: tournament.ByArbiter, Reason: "seen"}
	anew := open
	anew.Seats = []string{"a", "c"}
	rated := true
	for _, c := range []struct {
		name          string
		saw, now      tournament.Pairing
		verdict       tournament.Verdict
		why           string
		sure          bool
		slip, running bool
		want          Outcome
	}{
		{"a first result", open, open, white, "", false, false, false, Entered},
		{"sent twice", open, won, white, "", false, false, false, Same},
		{"sent twice with its reason", open, won, white, "seen", false, false, false, Same},
		{"the same with another reason", won, won, white, "again", false, false, false, Entered},
		{"the same, and rated", won, won, tournament.Verdict{Ranks: white.Ranks, Rated: &rated}, "", false, true, false, Entered},
		{"the same, adjudicated", won, won, tournament.Verdict{Ranks: white.Ranks, Adjudicated: true}, "why", false, false, false, Entered},
		{"the same, for ratings alone", won, won, tournament.Verdict{Ranks: white.Ranks, RatingOnly: true}, "why", false, false, false, Entered},
		{"another was faster", open, won, black, "", false, false, false, AskChanged},
		{"another was faster, with a reason", open, won, black, "why", true, true, false, AskChanged},
		{"others sit there", open, anew, white, "", false, false, false, AskPaired},
		{"others sit there, whatever is known", open, anew, white, "why", true, true, true, AskPaired},
		{"while the game is on", open, open, white, "", false, false, true, AskRunning},
		{"while the game is on, knowingly", open, open, white, "", true, false, true, Entered},
		{"a correction", won, won, black, "", false, false, false, AskReason},
		{"a correction with a reason", won, won, black, "why", false, false, false, Entered},
		{"a slip of the finger", won, won, black, "", false, true, false, Entered},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := &DeskResult{
				BoardResult: BoardResult{Board: Board{Round: 1, Board: 1, Why: c.why}, Verdict: c.verdict},
				Saw:         strings.Trim(BoardTag(c.saw), `"`), Sure: c.sure, Pairing: c.now,
			}
			got := in.judge(c.slip, c.running)
			if got != c.want || got.Asks() != (c.want != Entered && c.want != Same) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
