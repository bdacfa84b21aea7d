package director

import (
	"context"
	"errors"
	"testing"

	"quatuor/tournament"
)

// swissSettings is a Swiss of three rounds.
func swissSettings() tournament.Settings {
	s := duelSettings()
	s.Format, s.RoundCount = tournament.Swiss, 3
	return s
}

// names maps the entries' names to their ids.
func names(tm *tournament.Tournament) map[string]string {
	out := make(map[string]string)
	for _, e := range tm.Entries {
		out[e.Name] = e.ID
	}
	return out
}

// TestARoundByHand draws a round up, changes it, publishes it, changes it again, and deletes it: games follow.
func TestARoundByHand(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, swissSettings(), 4)
	id, entry := tm.ID, names(tm)
	tm, err := d.Do(ctx, id, DrawRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if w := d.Review(tm, 1); len(w) != 0 || len(m.running()) != 0 {
		t.Errorf("as it was drawn up: warnings %v, games %v", w, m.running())
	}
	seen := Order{By: "arne", Expect: tm.Version}
	swap := []tournament.Edit{{Kind: tournament.SwapEntries, Entries: []string{entry["P03"], entry["P04"]}}}
	_, err = d.Do(ctx, id, EditRound(1, swap, ""), seen)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Do(ctx, id, EditRound(1, swap, ""), seen); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("a second arbiter at the same time: %v, want ErrStale", err)
	}
	tm, err = d.Do(ctx, id, PublishStarting(0, false), organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	before := m.running()
	if len(before) != 2 {
		t.Fatalf("%d games, want 2", len(before))
	}
	m.games[before[1].GameID].moved = true
	if _, err := d.Do(ctx, id, EditRound(1, swap, ""), organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a board where somebody has moved: %v, want ErrState", err)
	}
	if _, err := d.Do(ctx, id, DropRound(1), organiser); !errors.Is(err, tournament.ErrState) || len(m.running()) != 2 {
		t.Errorf("a round in which somebody has moved was deleted: %v", err)
	}
	tm, err = d.Do(ctx, id, EditRound(1, []tournament.Edit{{Kind: tournament.Reseat, Board: 1}}, "they sat down wrongly"),
		organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	after := m.running()
	if len(after) != 2 || after[0].GameID != before[1].GameID || after[1].Players[0] != before[0].Players[1] {
		t.Errorf("games %+v, before %+v; want the second, and the first anew with other seats", after, before)
	}
	m.games[before[1].GameID].moved = false
	tm, err = d.Do(ctx, id, DropRound(1), organiser)
	if err != nil || len(tm.Rounds) != 0 || len(m.running()) != 0 {
		t.Fatalf("%d rounds, games %+v, %v; want none", len(tm.Rounds), m.running(), err)
	}
	catch(t, d) // the games that were broken off have no effect
	if tm := load(t, m, id); len(tm.Rounds) != 0 || len(m.history[id]) != 0 {
		t.Errorf("%d rounds, history %+v", len(tm.Rounds), m.history[id])
	}
	if _, err := d.Do(ctx, id, NextRound, organiser); err != nil || len(m.running()) != 2 {
		t.Errorf("drawn up anew: games %+v, %v", m.running(), err)
	}
}

// TestCorrectedAfterTheNextRound: standings follow, pairings stay, and a round that has not begun can be paired again.
func TestCorrectedAfterTheNextRound(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, swissSettings(), 6)
	decide(t, d, tm.ID, 1, "1-0")
	tm, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	second := clone(tm.Rounds[1])
	leader := tm.Rounds[0].Pairings[0].Seats
	tm, err = d.Do(ctx, tm.ID, SetResult(1, 1, tournament.Verdict{Ranks: []int{2, 1}}, "written down wrongly"), organiser)
	if err != nil {
		t.Fatal(err)
	}
	if clone(tm.Rounds[1]).Pairings[0].GameID != second.Pairings[0].GameID || len(tm.Rounds[1].Pairings) != 3 {
		t.Error("the second round changed")
	}
	table, err := d.Standings(load(t, m, tm.ID), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		if row.Entry.ID == leader[0] && row.Points != 0 || row.Entry.ID == leader[1] && row.Points != 10 {
			t.Errorf("%s has %s", row.Entry.Name, row.Points)
		}
	}
	if got := d.Repairable(ctx, tm, 1); len(got) != 1 || got[0] != 2 {
		t.Errorf("rounds that can be drawn up anew: %v, want 2", got)
	}
	m.games[second.Pairings[2].GameID].moved = true
	if got := d.Repairable(ctx, tm, 1); got != nil {
		t.Errorf("after a move in round 2: %v, want none", got)
	}
	m.games[second.Pairings[2].GameID].moved = false
	if _, err := d.Do(ctx, tm.ID, DropRound(2), organiser); err != nil {
		t.Fatal(err)
	}
	tm, err = d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range tm.Rounds[1].Pairings {
		for seat, id := range p.Seats {
			if id == leader[0] && p.Scores[seat] != 0 || id == leader[1] && p.Scores[seat] != 10 {
				t.Errorf("board %d was drawn up anew from %v", p.Board, p.Scores)
			}
		}
	}
	if w := d.Review(tm, 2); len(w) != 0 {
		t.Errorf("drawn up anew, the round breaks %v", w)
	}
}
