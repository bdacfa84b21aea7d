package scoring_test

import (
	"errors"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// noShowRound plays a round of four; seat loser (from 0) loses board 1 after this number of plies, for this reason.
func noShowRound(
	t *testing.T, tm *tournament.Tournament, loser int, plies int, reason string,
) (*tournament.Tournament, tournament.Delta) {
	t.Helper()
	tm = tournamenttest.InRound(t, tm, tournament.Pairing{Board: 1, Seats: []string{"e1", "e2"}},
		tournament.Pairing{Board: 2, Seats: []string{"e3", "e4"}})
	n := len(tm.Rounds)
	ranks := []int{1, 1}
	ranks[loser] = 2
	next, err := scoring.GameOver(tm, n, 1, ranks, plies, "", reason, 77)
	tm = tournamenttest.Must(t)(next, err)
	return tournamenttest.Must(t)(scoring.GameOver(tm, n, 2, []int{1, 2}, 9, "", "line", 78)), next.Delta
}

func TestNoShowsAreWithdrawn(t *testing.T) {
	tm := tournamenttest.Running(t, "Ada", "Bob", "Cleo", "Dan")
	tm.Play.NoShows = 2
	tm, delta := noShowRound(t, tm, 1, 1, "forfeit")
	if len(delta.Entries) != 0 {
		t.Fatalf("one no-show takes nobody out: %+v", delta.Entries)
	}
	tm, delta = noShowRound(t, tm, 1, 2, "time")
	if len(delta.Entries) != 0 {
		t.Fatalf("a game that was played counts as a no-show: %+v", delta.Entries)
	}
	tm, delta = noShowRound(t, tm, 1, 0, "time")
	bob, _ := tm.Entry("e2")
	if bob.Status != tournament.Withdrawn || bob.WithdrawnFrom != 4 || len(delta.Entries) != 1 || len(delta.Changes) != 1 {
		t.Errorf("after two no-shows: %+v, %+v", bob, delta)
	}
	if len(delta.Acts) != 1 || delta.Acts[0].Entry != "e2" || delta.Acts[0].By != tournament.ServerAccount {
		t.Errorf("the history: %+v", delta.Acts)
	}
	if ada, _ := tm.Entry("e1"); ada.Status == tournament.Withdrawn {
		t.Error("who came is withdrawn")
	}
}

func TestPlayRulesAreChecked(t *testing.T) {
	for field, rules := range map[string]tournament.PlayRules{
		"play/no_show_ms": {NoShowMs: -1}, "play/no_shows": {NoShows: 101}, "play/delay_moves": {DelayMoves: -1},
		"play/delay_ms": {DelayMs: 1 << 40},
	} {
		s := tournamenttest.Settings()
		s.Play = rules
		_, err := tournament.New("t", "ada", s, tournamenttest.Checks, 1)
		var faults tournament.FieldErrors
		if !errors.As(err, &faults) || faults[0].Field != field {
			t.Errorf("%+v: %v", rules, err)
		}
	}
	tm := tournamenttest.Running(t, "Ada", "Bob")
	s := tm.Settings()
	s.Play = tournament.PlayRules{NoShowMs: 60_000, NoShows: 1, DelayMoves: 2, DelayMs: 5, Takebacks: true}
	next := tournamenttest.Must(t)(tm.Configure(s, tournamenttest.Checks))
	if next.Play != s.Play {
		t.Errorf("a running tournament keeps %+v", next.Play)
	}
}
