package director

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
)

// TestOnlyPresentEntriesArePaired plays rounds of Swiss tournaments, with arrivals and departures before each: entries
// absent at the draw have a zero-point bye, and of the others at most one has no game.
func TestOnlyPresentEntriesArePaired(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(rt *rapid.T) {
		m := newMemory()
		d := newDirector(m, &counter{})
		tm, err := d.Create(ctx, "", swissSettings(), "ada")
		if err != nil {
			rt.Fatal(err)
		}
		list := make([]tournament.Entry, rapid.IntRange(4, 11).Draw(rt, "entries"))
		for i := range list {
			list[i] = tournament.Entry{Name: fmt.Sprintf("P%02d", i), Rating: float64(2000 - i)}
		}
		do := func(next *tournament.Tournament, err error) {
			rt.Helper()
			if err != nil {
				rt.Fatal(err)
			}
			tm = next
		}
		do(d.Do(ctx, tm.ID, AddEntries(list), organiser))
		do(d.Do(ctx, tm.ID, OpenCheckIn(false), organiser))
		for round := 1; round <= 3; round++ {
			if tm.CheckIn == tournament.CheckInClosed && rapid.Bool().Draw(rt, "open again") {
				do(d.Do(ctx, tm.ID, OpenCheckIn(rapid.Bool().Draw(rt, "anew")), organiser))
			}
			for _, e := range tm.Entries {
				do(d.Do(ctx, tm.ID, SetPresent(e.ID, rapid.Bool().Draw(rt, e.Name)), organiser))
			}
			do(d.Do(ctx, tm.ID, CloseCheckIn, organiser))
			if tm.Status == tournament.Draft {
				started, err := d.Do(ctx, tm.ID, Start, organiser)
				if tm.Present() < 2 {
					if !errors.Is(err, tournament.ErrState) {
						rt.Fatalf("started with %d: %v", tm.Present(), err)
					}
					return
				}
				do(started, err)
			}
			next, err := d.Do(ctx, tm.ID, NextRound, organiser)
			if tm.Present() < 2 || errors.Is(err, tournament.ErrUnpairable) { // all present entries have met
				return
			}
			do(next, err)
			checkPresence(rt, tm)
			for _, p := range tm.Rounds[round-1].Pairings {
				if p.Bye == tournament.NoBye {
					do(d.Do(ctx, tm.ID, SetResult(round, p.Board, tournament.Verdict{Ranks: []int{1, 2}}, ""), organiser))
				}
			}
		}
	})
}

// checkPresence fails unless exactly the present entries are paired in the latest round, or have the bye of an odd
// field.
func checkPresence(t *rapid.T, tm *tournament.Tournament) {
	byes := map[string]tournament.Bye{}
	games := 0
	for _, p := range tm.Rounds[len(tm.Rounds)-1].Pairings {
		if p.Bye == tournament.NoBye {
			games++
		}
		for _, id := range p.Seats {
			byes[id] = p.Bye
		}
	}
	allocated := 0
	for _, e := range tm.Entries {
		switch bye, listed := byes[e.ID]; {
		case !listed:
			t.Fatalf("%s is in no pairing", e.Name)
		case bye == tournament.PairingAllocated && e.Present:
			allocated++
		case (bye == tournament.ZeroPoint) == e.Present:
			t.Fatalf("%s is there: %v, and has the bye %q", e.Name, e.Present, bye)
		}
	}
	if 2*games+allocated != tm.Present() || allocated > 1 {
		t.Fatalf("%d games and %d byes for %d who are there", games, allocated, tm.Present())
	}
}

// TestAutomaticRoundsWaitForTheCheckIn starts the next round when the check-in is closed.
func TestAutomaticRoundsWaitForTheCheckIn(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := swissSettings()
	s.AutoRounds = true
	tm := started(t, d, s, 4)
	steps := []func() (*tournament.Tournament, error){
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, NextRound, organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, OpenCheckIn(false), organiser) },
		func() (*tournament.Tournament, error) {
			return d.Do(ctx, tm.ID, SetResult(1, 1, tournament.Verdict{Ranks: []int{1, 2}}, ""), organiser)
		},
		func() (*tournament.Tournament, error) {
			return d.Do(ctx, tm.ID, SetResult(1, 2, tournament.Verdict{Ranks: []int{1, 2}}, ""), organiser)
		},
	}
	for _, step := range steps {
		next, err := step()
		if err != nil {
			t.Fatal(err)
		}
		tm = next
	}
	if len(tm.Rounds) != 1 {
		t.Fatalf("%d rounds while the check-in is open", len(tm.Rounds))
	}
	for _, e := range tm.Entries[:3] {
		if _, err := d.Do(ctx, tm.ID, SetPresent(e.ID, true), organiser); err != nil {
			t.Fatal(err)
		}
	}
	tm, err := d.Do(ctx, tm.ID, CloseCheckIn, organiser)
	if err != nil || len(tm.Rounds) != 2 {
		t.Fatalf("%d rounds after the check-in, %v", len(tm.Rounds), err)
	}
}

// TestAddingSeveralEntries stores all or none, in a single act that can be undone.
func TestAddingSeveralEntries(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm, err := d.Create(ctx, "", swissSettings(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	bad := []tournament.Entry{{Name: "Ada"}, {Name: ""}}
	if err := d.TryEntries(ctx, tm.ID, bad, organiser); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("trying: %v", err)
	}
	if _, err := d.Do(ctx, tm.ID, AddEntries(bad), organiser); !errors.Is(err, tournament.ErrInvalid) ||
		len(load(t, m, tm.ID).Entries) != 0 {
		t.Errorf("a faulty entry: %v, %d stored", err, len(load(t, m, tm.ID).Entries))
	}
	good := []tournament.Entry{{Name: "Ada"}, {Name: "Bob"}, {Name: "Cleo"}}
	if err := d.TryEntries(ctx, tm.ID, good, Order{Expect: 7}); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("trying on another version: %v", err)
	}
	if err := d.TryEntries(ctx, tm.ID, good, organiser); err != nil || len(load(t, m, tm.ID).Entries) != 0 {
		t.Errorf("trying: %v, %d stored", err, len(load(t, m, tm.ID).Entries))
	}
	tm, err = d.Do(ctx, tm.ID, AddEntries(good), organiser)
	if err != nil || len(m.see(t, tm).Entries) != 3 {
		t.Fatalf("%v, %d entries", err, len(tm.Entries))
	}
	acts, err := d.Acts(ctx, tm.ID)
	if err != nil || acts[len(acts)-1].Kind != tournament.ActEnterAll {
		t.Fatalf("acts %+v, %v", acts, err)
	}
	tm, err = d.Undo(ctx, tm.ID, tm.Version, organiser)
	if err != nil || len(m.see(t, tm).Entries) != 0 {
		t.Errorf("undone: %v, %d entries", err, len(tm.Entries))
	}
}
