package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestTheHistoryOfATournament: every act, in order, with its author, and an undo of the last act.
func TestTheHistoryOfATournament(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, swissSettings(), 4)
	id := tm.ID
	if _, err := d.Do(ctx, id, DrawRound, Order{By: "arne"}); err != nil {
		t.Fatal(err)
	}
	tm, err := d.Do(ctx, id, PublishStarting(0, false), Order{By: "arne"})
	if err != nil {
		t.Fatal(err)
	}
	m.end(t, tm.Rounds[0].Pairings[1].GameID, 1, 2)
	catch(t, d)
	if _, err := d.Do(ctx, id, SetResult(1, 1, tournament.Verdict{Ranks: []int{1, 1}}, "agreed"), organiser); err != nil {
		t.Fatal(err)
	}
	acts, err := d.Acts(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, a := range acts {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %d.%d %s>%s %s", a.Kind, a.By, a.Round, a.Board, a.Before,
			a.After, a.Why)))
	}
	want := `create ada 0.0 >
entry_add ada 0.0 >
entry_add ada 0.0 >
entry_add ada 0.0 >
entry_add ada 0.0 >
start ada 0.0 >
round_draw arne 1.0 >
round_publish arne 1.0 >
result ada 1.1 >1/2-1/2 agreed
result server 1.2 >1-0 line`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("history\n%s\nwant\n%s", got, want)
	}
	last := d.Undoable(load(t, m, id), acts)
	if last != load(t, m, id).Version {
		t.Fatalf("act %d can be taken back, want the last", last)
	}
	if _, err := d.Undo(ctx, id, last-2, organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("an earlier act was taken back: %v", err)
	}
	tm, err = d.Undo(ctx, id, last, organiser)
	if err != nil || tm.Rounds[0].Pairings[0].Result != nil || tm.Rounds[0].Pairings[1].Result == nil ||
		tm.Version != last+1 {
		t.Fatalf("%+v, %v; want the result gone and the other one there", tm, err)
	}
	m.see(t, tm)
	if _, err := d.Undo(ctx, id, last, organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("taken back twice: %v", err)
	}
	if acts, _ := d.Acts(ctx, id); acts[len(acts)-2].Kind != tournament.ActUndo &&
		acts[len(acts)-1].Kind != tournament.ActUndo {
		t.Errorf("the history does not say that something was taken back: %+v", acts)
	}
}

// TestAPublishedRoundIsTakenBack, with its games, unless a player has moved in any.
func TestAPublishedRoundIsTakenBack(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, swissSettings(), 4)
	games := m.running()
	m.games[games[0].GameID].moved = true
	if _, err := d.Undo(ctx, tm.ID, tm.Version, organiser); !errors.Is(err, tournament.ErrState) || len(m.running()) != 2 {
		t.Errorf("somebody has moved: %v, %d games; want ErrState and both", err, len(m.running()))
	}
	m.games[games[0].GameID].moved = false
	back, err := d.Undo(ctx, tm.ID, tm.Version, organiser)
	if err != nil || len(back.Rounds) != 0 || len(m.running()) != 0 {
		t.Fatalf("%d rounds, %d games, %v; want none", len(back.Rounds), len(m.running()), err)
	}
	tm, err = d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	tm, err = d.Do(ctx, tm.ID, DropRound(1), organiser)
	if err != nil {
		t.Fatal(err)
	}
	tm, err = d.Undo(ctx, tm.ID, tm.Version, organiser)
	if err != nil || len(m.running()) != 2 {
		t.Fatalf("%d games, %v; want the round with new games", len(m.running()), err)
	}
	m.see(t, tm)
	if _, err := d.PairedFrom(ctx, tm.ID, 1); err != nil {
		t.Errorf("what the round was paired from did not come back: %v", err)
	}
}

// TestARoundThatCameByItselfIsNotTakenBack: the result before it is not the last word any more.
func TestARoundThatCameByItselfIsNotTakenBack(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := swissSettings()
	s.AutoRounds = true
	tm := inFirstRound(t, d, s, 4)
	decide(t, d, tm.ID, 1, "1-0")
	tm = load(t, m, tm.ID)
	acts, err := d.Acts(ctx, tm.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(tm.Rounds) != 2 || d.Undoable(tm, acts) != 0 {
		t.Fatalf("%d rounds, act %d can be taken back; want 2 rounds and none", len(tm.Rounds), d.Undoable(tm, acts))
	}
	last := acts[len(acts)-1]
	if last.Kind != tournament.ActPair || last.By != tournament.ServerAccount || last.Round != 2 {
		t.Errorf("the history ends with %+v, want round 2 by the server", last)
	}
	if _, err := d.Undo(ctx, tm.ID, tm.Version-1, organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("%v, want ErrState", err)
	}
}

// TestAResultTakenBack leaves a game to be played again: the arbiter's result had aborted the first game.
func TestAResultTakenBack(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, swissSettings(), 4)
	old := tm.Rounds[0].Pairings[0].GameID
	tm, err := d.Do(ctx, tm.ID, SetResult(1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "the wrong board"), organiser)
	if err != nil || len(m.running()) != 1 {
		t.Fatalf("%v, %d games", err, len(m.running()))
	}
	tm, err = d.Undo(ctx, tm.ID, tm.Version, organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	catch(t, d)
	games := m.running()
	if p := tm.Rounds[0].Pairings[0]; p.Result != nil || p.GameID == old || len(games) != 2 ||
		games[1].GameID != p.GameID {
		t.Errorf("%+v, games %+v; want a new game", p, games)
	}
}

// TestAnAdjournedGameIsPaused, and again by a second order if the first was cut off.
func TestAnAdjournedGameIsPaused(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, swissSettings(), 4)
	game := tm.Rounds[0].Pairings[0].GameID
	m.step = func(name string) error {
		if name == "pause" {
			return errors.New("cut off")
		}
		return nil
	}
	if _, err := d.Adjourn(ctx, tm.ID, 1, 1, "Friday at 8", organiser); err == nil || load(t, m, tm.ID).
		Rounds[0].Pairings[0].Adjourned == "" {
		t.Fatalf("%v; want an error, and the note", err)
	}
	m.step = func(string) error { return nil }
	version := load(t, m, tm.ID).Version
	if _, err := d.Adjourn(ctx, tm.ID, 1, 1, "Friday at 8", organiser); err != nil || !m.games[game].paused ||
		load(t, m, tm.ID).Version != version {
		t.Errorf("%v, game %+v", err, m.games[game])
	}
	m.end(t, game, 1, 2)
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Text() != "1-0" || p.Adjourned != "" {
		t.Errorf("played to its end: %+v", p)
	}
}

// TestNoRoundWaitsForAnAdjournedGame where the regulations count it as a draw for the pairing: for nothing else, and it
// is a game all the same.
func TestNoRoundWaitsForAnAdjournedGame(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := swissSettings()
	s.Rules.AdjournedDraw = true
	tm := inFirstRound(t, d, s, 6)
	id, first := tm.ID, tm.Rounds[0].Pairings[0]
	if _, err := d.Adjourn(ctx, id, 1, 1, "Friday at 8", organiser); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Do(ctx, id, NextRound, organiser); !errors.Is(err, tournament.ErrState) {
		t.Fatalf("boards 2 and 3 are played: %v, want ErrState", err)
	}
	for board := 2; board <= 3; board++ {
		if _, err := d.Do(ctx, id, SetResult(1, board, tournament.Verdict{Ranks: []int{1, 2}}, ""), organiser); err != nil {
			t.Fatal(err)
		}
	}
	tm, err := d.Do(ctx, id, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	for _, p := range tm.Rounds[1].Pairings {
		for seat, entry := range p.Seats {
			if slices.Contains(first.Seats, entry) && p.Scores[seat] != 5 {
				t.Errorf("board %d was paired from %v, with the adjourned game as a draw", p.Board, p.Scores)
			}
		}
		if slices.Contains(p.Seats, first.Seats[0]) && slices.Contains(p.Seats, first.Seats[1]) {
			t.Errorf("the two whose game goes on meet again: %v", p.Seats)
		}
	}
	if h, err := d.PairedFrom(ctx, id, 2); err != nil || h.Field[0].Cells[0].Kind != tournament.Played ||
		h.Field[0].Score() != 5 {
		t.Errorf("paired from %+v, %v", h.Field[0].Cells, err)
	}
	table, err := d.Standings(load(t, m, id), 2)
	if err != nil || table.Rows[0].Points != 10 {
		t.Fatalf("%+v, %v; want nothing for the game that goes on", table, err)
	}
	m.end(t, first.GameID, 1, 2)
	catch(t, d)
	tm = load(t, m, id)
	if p := tm.Rounds[0].Pairings[0]; p.Text() != "1-0" || tm.Rounds[0].Status != tournament.Complete ||
		tm.Rounds[1].Pairings[0].Scores == nil {
		t.Errorf("round 1 is %s, its first board %+v", tm.Rounds[0].Status, p)
	}
	if _, err := d.Adjourn(ctx, id, 1, 2, "after all", organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a game of round 1 was adjourned after round 2 had been paired: %v", err)
	}
}
