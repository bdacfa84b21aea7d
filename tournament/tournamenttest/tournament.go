// Package tournamenttest has the tournaments that tests of package tournament and of the packages on its acts begin
// with.
package tournamenttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
)

// Checks accept four formats, a single variant, time controls with a plus sign and two tie-breaks.
var Checks = tournament.Checks{
	Format: func(f tournament.Format, _ tournament.Shape) error {
		if !slices.Contains([]tournament.Format{tournament.RoundRobin, tournament.TableSwiss, tournament.Swiss, tournament.Knockout}, f) {
			return errors.New("there is no such format")
		}
		return nil
	},
	Variant: func(id string, _ map[string]string) (tournament.Shape, error) {
		if id != Settings().Variant {
			return tournament.Shape{}, errors.New("quixo/duel is known")
		}
		return tournament.Shape{Min: 2, Max: 2, Members: 1}, nil
	},
	TimeControl: func(text string) (string, error) {
		if !strings.Contains(text, "+") {
			return "", errors.New("write it as 300+3")
		}
		return strings.TrimPrefix(text, "0"), nil
	},
	TieBreak: func(_ tournament.Format, code string) error {
		if code != "DE" && code != "SB" {
			return errors.New("DE and SB are known")
		}
		return nil
	},
}

// Settings returns the settings of a round-robin with a name and a time control that are not in their normal form.
func Settings() tournament.Settings {
	return tournament.Settings{
		Name: " Friday ", Variant: "quixo/duel", Format: tournament.RoundRobin, TimeControl: "0300+3", TieBreaks: []string{"DE", "SB"},
	}
}

// Seed is a seed for drawing lots.
var Seed = strings.Repeat("0f", 32)

// Running returns a started tournament with these entries.
func Running(t testing.TB, names ...string) *tournament.Tournament {
	t.Helper()
	tm, err := tournament.New("t", "ada", Settings(), Checks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		e := tournament.Entry{ID: fmt.Sprint("e", i+1), Name: name, Members: []string{"player " + name}}
		tm = Must(t)(registration.AddEntry(tm, e, tournament.Shape{Members: 1}))
	}
	return Must(t)(tm.Start(3, Seed, 2000))
}

// NeverBegun is the Begun of a [tournament.Editing] if no game has a move.
func NeverBegun(string) error { return nil }

// Games returns a source of ids of games: g1, g2, …
func Games() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprint("g", n)
	}
}

// InRound adds and publishes a round of these pairings.
func InRound(t testing.TB, tm *tournament.Tournament, pairings ...tournament.Pairing) *tournament.Tournament {
	t.Helper()
	next, err := tm.AddRound(pairings)
	tm = Must(t)(next, err)
	next, err = tm.Publish(Games(), 3000)
	return Must(t)(next, err)
}

// AsJSON returns a value as JSON, for comparison.
func AsJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
