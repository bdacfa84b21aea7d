package tournamenttest

import (
	"fmt"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
)

// WithBots returns a tournament that admits bots, with players that are entered and no bot yet.
func WithBots(t *testing.T, format tournament.Format, players int) *tournament.Tournament {
	t.Helper()
	s := Settings()
	s.Format = format
	s.TieBreaks = nil
	s.Rated = true
	s.Play.Bots = true
	checks := Checks
	if format.Tables() {
		checks.Variant = func(string, map[string]string) (tournament.Shape, error) {
			return tournament.Shape{Min: 3, Max: 5, Members: 1}, nil
		}
	}
	tm, err := tournament.New("t", "ada", s, checks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range players {
		tm = Must(t)(registration.AddEntry(tm, tournament.Entry{
			ID: fmt.Sprint("e", i+1), Name: fmt.Sprint("N", i+1),
			Members: []string{fmt.Sprint("p", i+1)},
		}, tournament.Shape{Members: 1}))
	}
	return tm
}

// BotOf returns the entry of a bot as it is entered, under the id b and its level.
func BotOf(t *testing.T, level int) tournament.Entry {
	t.Helper()
	e, err := tournament.Shape{Members: 1}.BotEntry(level, 0)
	if err != nil {
		t.Fatal(err)
	}
	e.ID = fmt.Sprint("b", level)
	return e
}

// EnterBot returns the tournament with the bot of a level.
func EnterBot(t *testing.T, tm *tournament.Tournament, level int) *tournament.Tournament {
	t.Helper()
	return Must(t)(registration.AddEntry(tm, BotOf(t, level), tournament.Shape{Members: 1}))
}
