package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/store"
	"quatuor/tournament/league"
)

// TestCheckComputesSeasons finds a player in two divisions of a league.
func TestCheckComputesSeasons(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	db, err := store.Open(t.Context(), store.Config{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	division := league.Division{Members: []league.Member{{Name: "~Ada"}}}
	err = db.Seasons().CreateLeague(t.Context(), league.Settings{ID: "l", Name: "L"}, league.Plan{
		League: "l", Number: 1, Confirmed: true, State: league.State{Divisions: []league.Division{division, division}},
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := run([]string{"check", "--data", data}, strings.NewReader(""), &out, &errs); status != exitFailure ||
		!strings.Contains(out.String(), "league l, season 1: ") {
		t.Errorf("status %d: %s%s", status, &out, &errs)
	}
}
