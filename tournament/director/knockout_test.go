package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
)

// cupSettings is a knock-out of duels with a replay, two tie-break games and armageddon.
func cupSettings(auto bool) tournament.Settings {
	s := duelSettings()
	s.Format, s.AutoRounds = tournament.Knockout, auto
	s.Rules.Match = tournament.KnockoutRules{
		ThirdPlace: true, Replays: 1, TieBreakGames: 2, TieBreakControl: "60+1", Decision: tournament.Armageddon,
	}
	return s
}

// only returns the single game that is being played.
func only(t testing.TB, m *memory) Opening {
	t.Helper()
	games := m.running()
	if len(games) != 1 {
		t.Fatalf("%d games are being played, want one", len(games))
	}
	return games[0]
}

// TestMatchGoesOn: a first game, a replay, two tie-break games with a shorter time control, the seats exchanged each
// time; then armageddon, where a draw is a win for seat 2. All games stay with the pairing.
func TestMatchGoesOn(t *testing.T) {
	m := newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, cupSettings(false), 2)
	var ids []string
	first := only(t, m).Players
	for i, control := range []string{"300+3", "300+3", "60+1", "60+1"} {
		g := only(t, m)
		want := slices.Clone(first)
		if i%2 == 1 {
			slices.Reverse(want)
		}
		if !slices.Equal(g.Players, want) || g.TimeControl != control || g.Round != 1 || g.Board != 1 || !g.Rated {
			t.Fatalf("game %d: %+v, want %v with %s", i+1, g, want, control)
		}
		ids = append(ids, g.GameID)
		if i == 1 {
			m.end(t, g.GameID) // void
		} else {
			m.end(t, g.GameID, 1, 1)
		}
		catch(t, d)
	}
	last := only(t, m)
	if last.TimeControl != "60+1" {
		t.Errorf("armageddon with %s, want 60+1", last.TimeControl)
	}
	m.end(t, last.GameID, 1, 1)
	catch(t, d)
	tm = load(t, m, tm.ID)
	p := tm.Rounds[0].Pairings[0]
	if p.Text() != "0-1" || p.GameID != last.GameID || p.Result.Reason != tournament.ReasonArmageddon {
		t.Errorf("after armageddon: %s by %+v", p.Text(), p.Result)
	}
	var kept []string
	for i, g := range p.Earlier {
		kept = append(kept, g.ID)
		if (g.Ranks == nil) != (i == 1) || g.Number != i+1 {
			t.Errorf("game %d is kept as %+v", i+1, g)
		}
	}
	if !slices.Equal(kept, ids) {
		t.Errorf("games %v are kept, want %v", kept, ids)
	}
	if tm, err := d.Do(context.Background(), tm.ID, Finish, organiser); err != nil || tm.Status != tournament.Finished {
		t.Errorf("finish: %v", err)
	}
}

// TestLotDecides a match in the end, the same lot each time that it is drawn, and not always the same seat's.
func TestLotDecides(t *testing.T) {
	winners := make(map[string]bool)
	for i := range 12 {
		var texts []string
		for range 2 {
			m := newMemory()
			d := newDirector(m, &counter{n: 100 * i})
			d.NewSeed = func() string { return fmt.Sprintf("%064x", i) }
			s := cupSettings(false)
			s.Rules.Match = tournament.KnockoutRules{Decision: tournament.ByLot}
			tm := inFirstRound(t, d, s, 2)
			m.end(t, only(t, m).GameID, 1, 1)
			catch(t, d)
			p := load(t, m, tm.ID).Rounds[0].Pairings[0]
			if len(m.running()) != 0 || p.Result == nil || p.Result.Reason != tournament.ReasonLot {
				t.Fatalf("after a draw: %+v", p)
			}
			texts = append(texts, p.Text())
		}
		if texts[0] != texts[1] {
			t.Fatalf("seed %d: %s, and again %s", i, texts[0], texts[1])
		}
		winners[texts[0]] = true
	}
	if !winners["1-0"] || !winners["0-1"] || len(winners) != 2 {
		t.Errorf("12 lots gave %v, want 1-0 and 0-1", winners)
	}
}

// TestCupToTheEnd plays seven entries to the end: a bye for the best, a withdrawal, a forfeit, a match for the third
// place; the standings follow.
func TestCupToTheEnd(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, cupSettings(true), 7)
	r := tm.Rounds[0]
	if len(r.Pairings) != 4 || r.Pairings[3].Bye != tournament.PairingAllocated ||
		r.Pairings[3].Seats[0] != tm.Entries[0].ID {
		t.Fatalf("round 1: %+v, want three matches and a bye for number 1", r.Pairings)
	}
	// Favourites win: 4 against 5, 3 against 6, 2 against 7.
	for range 3 {
		win(t, m, m.running()[0], "p4", "p3", "p2")
	}
	catch(t, d)
	tm = load(t, m, tm.ID)
	if len(tm.Rounds) != 2 || len(m.running()) != 2 {
		t.Fatalf("%d rounds, %d games; want the semi-finals", len(tm.Rounds), len(m.running()))
	}
	// 3 leaves while the semi-finals are played, loses, and forfeits the match for the third place.
	if _, err := d.Do(ctx, tm.ID, Withdraw(tm.Entries[2].ID), organiser); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		win(t, m, m.running()[0], "p1", "p2")
	}
	catch(t, d)
	tm = load(t, m, tm.ID)
	final := tm.Rounds[2]
	if len(final.Pairings) != 2 || !final.Pairings[1].Result.Forfeit {
		t.Fatalf("round 3: %+v, want a final, and a forfeit for the third place", final.Pairings)
	}
	win(t, m, only(t, m), "p2")
	catch(t, d)
	table, err := d.Standings(load(t, m, tm.ID), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range table.Rows {
		got = append(got, fmt.Sprintf("%d-%d %s %d", row.Rank, row.Shared, row.Entry.Name, row.Out))
	}
	want := []string{"1-1 P02 0", "2-2 P01 3", "3-3 P04 2", "4-4 P03 2", "5-7 P05 1", "5-7 P06 1", "5-7 P07 1"}
	if !slices.Equal(got, want) {
		t.Errorf("standings %v\nwant %v", got, want)
	}
	if _, err := d.Do(ctx, tm.ID, Finish, organiser); err != nil {
		t.Error(err)
	}
}

// win lets whichever of these players is in the game win it.
func win(t testing.TB, m *memory, g Opening, players ...string) {
	t.Helper()
	if slices.Contains(players, g.Players[0]) {
		m.end(t, g.GameID, 1, 2)
	} else {
		m.end(t, g.GameID, 2, 1)
	}
}

// TestResultsOfMatches by hand need a winner, and cannot change the winner once the next round exists. While nothing
// has been played in that, it can be deleted and paired again.
func TestResultsOfMatches(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, cupSettings(false), 4)
	set := func(board int, text string) error {
		v, err := tournament.ParseVerdict(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Do(ctx, tm.ID, SetResult(1, board, v, ""), organiser)
		return err
	}
	if err := set(1, "1/2-1/2"); !errors.Is(err, tournament.ErrInvalid) ||
		!strings.Contains(err.Error(), "must have a winner") {
		t.Errorf("a drawn match: %v, want ErrInvalid", err)
	}
	for board := 1; board <= 2; board++ {
		if err := set(board, "1-0"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); err != nil {
		t.Fatal(err)
	}
	before := load(t, m, tm.ID)
	for _, text := range []string{"0-1", "---"} {
		if err := set(1, text); !errors.Is(err, tournament.ErrState) || !strings.Contains(err.Error(), "delete round 2") {
			t.Errorf("%s after the final was drawn: %v, want ErrState", text, err)
		}
	}
	if err := set(1, "+--"); err != nil {
		t.Errorf("the same winner in other words: %v", err)
	}
	if _, err := d.Do(ctx, tm.ID, DropRound(2), organiser); err != nil {
		t.Fatal(err)
	}
	if err := set(1, "0-1"); err != nil {
		t.Fatal(err)
	}
	again, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(again.Rounds[1].Pairings[0].Seats, before.Rounds[0].Pairings[0].Seats[0]) {
		t.Error("who lost after the correction plays the final")
	}
}

// TestCupByHand: an arbiter cannot change pairings, only seats, as long as nothing was played.
func TestCupByHand(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, cupSettings(false), 4)
	seats := tm.Rounds[0].Pairings[0].Seats
	swap := []tournament.Edit{
		{Kind: tournament.SwapEntries, Entries: []string{seats[0], tm.Rounds[0].Pairings[1].Seats[0]}},
	}
	if _, err := d.Do(ctx, tm.ID, EditRound(1, swap, ""), organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("two change places: %v, want ErrState", err)
	}
	reseat := []tournament.Edit{{Kind: tournament.Reseat, Board: 1}}
	edited, err := d.Do(ctx, tm.ID, EditRound(1, reseat, ""), organiser)
	if err != nil {
		t.Fatal(err)
	}
	if got := edited.Rounds[0].Pairings[0].Seats; got[0] != seats[1] || len(m.running()) != 2 {
		t.Errorf("seats %v with %d games, want %v exchanged", got, len(m.running()), seats)
	}
	m.end(t, edited.Rounds[0].Pairings[0].GameID, 1, 1)
	catch(t, d)
	if _, err := d.Do(ctx, tm.ID, EditRound(1, reseat, ""), organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("seats exchanged between the games of a match: %v, want ErrState", err)
	}
	if _, err := d.Do(ctx, tm.ID, DropRound(1), organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a round deleted after a drawn game: %v, want ErrState", err)
	}
}

// TestGameOfAMatchBrokenOff is played again under the same number in the match; the drawn game before it remains.
func TestGameOfAMatchBrokenOff(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, cupSettings(false), 2)
	m.end(t, only(t, m).GameID, 1, 1)
	catch(t, d)
	replay := only(t, m)
	if err := m.Abort(ctx, replay.GameID, sentence.Typed("power cut")); err != nil {
		t.Fatal(err)
	}
	catch(t, d)
	if _, err := d.Do(ctx, tm.ID, PlayAgain(1, 1, "power cut"), organiser); err != nil {
		t.Fatal(err)
	}
	again := only(t, m)
	p := load(t, m, tm.ID).Rounds[0].Pairings[0]
	if !slices.Equal(again.Players, replay.Players) || p.Games != 2 || len(p.Earlier) != 2 ||
		p.Earlier[1].ID != replay.GameID {
		t.Errorf("%+v of %+v, want the replay once more", again, p)
	}
	// A win before the first move wins a match with a game played: no forfeit.
	m.mu.Lock()
	m.finish(m.games[again.GameID], Finished{Ranks: []int{1, 2}, Reason: "time"})
	m.mu.Unlock()
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Text() != "1-0" {
		t.Errorf("the match ended %s, want 1-0", p.Text())
	}
}

// TestTakingBackAcrossRounds is refused where the next round followed from what would be taken back.
func TestTakingBackAcrossRounds(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, cupSettings(true), 4)
	games := m.running()
	v, _ := tournament.ParseVerdict("0-1")
	m.end(t, games[0].GameID, 1, 2)
	catch(t, d)
	corrected, err := d.Do(ctx, tm.ID, SetResult(1, 1, v, ""), organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.end(t, games[1].GameID, 1, 2)
	catch(t, d)
	if n := len(load(t, m, tm.ID).Rounds); n != 2 {
		t.Fatalf("%d rounds, want the final to have come by itself", n)
	}
	if _, err := d.Undo(ctx, tm.ID, corrected.Version, organiser); !errors.Is(err, tournament.ErrState) ||
		!strings.Contains(err.Error(), "delete round 2") {
		t.Errorf("taken back after the final was drawn: %v, want ErrState", err)
	}
}

// TestTeamsInACup: an entry of two players has a single seat, and games of more than two entries are refused.
func TestTeamsInACup(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := cupSettings(false)
	s.Variant = "quits/four"
	if _, err := d.Create(ctx, "", s, "ada"); !errors.Is(err, tournament.ErrInvalid) ||
		!strings.Contains(err.Error(), "games between two") {
		t.Errorf("four at a table: %v, want ErrInvalid", err)
	}
	s.Variant = "quixo/teams"
	tm, err := d.Create(ctx, "", s, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		e := tournament.Entry{
			Name: fmt.Sprint("T", i), Members: []string{fmt.Sprint("a", i), fmt.Sprint("b", i)}, Rating: float64(i),
		}
		if _, _, err := d.AddEntry(ctx, tm.ID, e, organiser); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Do(ctx, tm.ID, Start, organiser); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); err != nil {
		t.Fatal(err)
	}
	first := only(t, m)
	m.end(t, first.GameID, 1, 1, 1, 1)
	catch(t, d)
	second := only(t, m)
	want := []string{first.Players[1], first.Players[0], first.Players[3], first.Players[2]}
	if !slices.Equal(second.Players, want) {
		t.Errorf("the replay seats %v, want %v", second.Players, want)
	}
	m.end(t, second.GameID, 1, 2, 1, 2)
	catch(t, d)
	b := knockout.Of(pairing.HistoryOf(load(t, m, tm.ID), 2))
	if b.Rounds[0][0].Winner == 0 {
		t.Errorf("%+v has no winner", b.Rounds[0][0])
	}
}
