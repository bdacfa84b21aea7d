package tournamenttest

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
)

// Swiss returns a started Swiss of five rounds with entries e1, e2 … of these ratings.
func Swiss(t testing.TB, rules tournament.PairingRules, ratings ...float64) *tournament.Tournament {
	t.Helper()
	s := Settings()
	s.Format = tournament.Swiss
	s.Rules = rules
	s.RoundCount = 5
	tm, err := tournament.New("t", "ada", s, Checks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, rating := range ratings {
		tm = Must(t)(registration.AddEntry(tm, Seeded(i+1, rating), tournament.Shape{Members: 1}))
	}
	return Must(t)(tm.Start(5, Seed, 2000))
}

// Seeded returns entry e1, e2 … with a rating.
func Seeded(i int, rating float64) tournament.Entry {
	return tournament.Entry{
		ID:      fmt.Sprint("e", i),
		Name:    fmt.Sprint("N", i),
		Members: []string{fmt.Sprint("p", i)},
		Rating:  rating,
	}
}

// PlayedOut adds a round that pairs neighbours by number; the first seats win.
func PlayedOut(t testing.TB, tm *tournament.Tournament) *tournament.Tournament {
	t.Helper()
	tm = InRound(t, tm, AnyRound(tm)...)
	for _, p := range tm.Rounds[len(tm.Rounds)-1].Pairings {
		if p.Result == nil {
			tm = Must(t)(scoring.SetResult(tm, len(tm.Rounds), p.Board, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1))
		}
	}
	return tm
}

// InOrder returns the ids of the entries in the order of their numbers.
func InOrder(tm *tournament.Tournament) string {
	var ids []string
	for _, e := range tm.Numbered() {
		ids = append(ids, e.ID)
	}
	return strings.Join(ids, " ")
}
