package director

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

func catch(t testing.TB, d *Director) int {
	t.Helper()
	n, err := d.CatchUp(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func load(t testing.TB, m *memory, id string) *tournament.Tournament {
	t.Helper()
	tm, err := m.Load(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return tm
}

// TestARoundIsPlayed follows a round from its pairing to the standings.
func TestARoundIsPlayed(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 4)
	if tm.RoundCount != 3 || tm.LotSeed != testSeed || !slices.Equal(tm.TieBreaks, []string{"DE", "SB", "WIN"}) {
		t.Errorf("started with %d rounds, seed %q, tie-breaks %v", tm.RoundCount, tm.LotSeed, tm.TieBreaks)
	}
	tm, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	games := m.running()
	want := Opening{
		GameID: tm.Rounds[0].Pairings[0].GameID, TournamentID: tm.ID, Round: 1, Board: 1, Variant: "quixo/duel",
		Players: []string{"p1", "p4"}, TimeControl: "300+3", Options: map[string]string{"repetition": "draw"}, Rated: true,
	}
	if len(games) != 2 || !reflect.DeepEqual(games[0], want) {
		t.Fatalf("games %+v, want two, the first being %+v", games, want)
	}
	m.end(t, games[0].GameID, 2, 1)
	m.end(t, games[1].GameID, 1, 2)
	if n := catch(t, d); n != 2 {
		t.Errorf("%d games taken, want 2", n)
	}
	tm = load(t, m, tm.ID)
	if tm.Rounds[0].Status != tournament.Complete || len(tm.Rounds) != 1 {
		t.Errorf("round 1 is %s, %d rounds: want it complete and no other", tm.Rounds[0].Status, len(tm.Rounds))
	}
	table, err := d.Standings(load(t, m, tm.ID), 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, row := range table.Rows {
		lines = append(lines, fmt.Sprintf("%d %s %s", row.Rank, row.Entry.Name, row.Points))
	}
	if got, want := strings.Join(lines, ", "), "1 P02 1, 1 P04 1, 3 P01 0, 3 P03 0"; got != want {
		t.Errorf("standings %s, want %s", got, want)
	}
	if history := m.history[tm.ID]; len(history) != 2 || history[0].By != tournament.ServerAccount ||
		history[0].Before != nil {
		t.Errorf("history %+v, want two results by the server", history)
	}
}

// TestARoundWithoutGames has byes for all. It is complete at once, and the next round follows.
func TestARoundWithoutGames(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := swissSettings()
	s.Rules.HalfPointByes = 1
	tm := started(t, d, s, 4)
	for _, e := range tm.Entries {
		if _, err := d.Do(ctx, tm.ID, RequestByes(e.ID, []tournament.RequestedBye{{Round: 1, Bye: tournament.HalfPoint}}),
			organiser); err != nil {
			t.Fatal(err)
		}
	}
	tm, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if r := tm.Rounds[0]; r.Status != tournament.Complete || len(r.Pairings) != 4 || len(m.running()) != 0 {
		t.Fatalf("round 1 is %+v with %d games, want it complete, of four byes", r, len(m.running()))
	}
	tm, err = d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil || len(tm.Rounds) != 2 || len(m.running()) != 2 {
		t.Fatalf("round 2: %v, %d rounds, %d games; want two games", err, len(tm.Rounds), len(m.running()))
	}
}

// TestRoundsComeByThemselves lets the last result of a round bring the next, up to the end and not beyond.
func TestRoundsComeByThemselves(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := duelSettings()
	s.AutoRounds = true
	s.Format = tournament.DoubleRoundRobin
	tm := started(t, d, s, 3)
	if len(tm.Rounds) != 0 {
		t.Fatalf("%d rounds right after the start, want 0", len(tm.Rounds))
	}
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); err != nil {
		t.Fatal(err)
	}
	for round := 1; round <= 6; round++ {
		games := m.running()
		if len(games) != 1 || games[0].Round != round {
			t.Fatalf("round %d: games %+v", round, games)
		}
		m.end(t, games[0].GameID, 1, 2)
		catch(t, d)
	}
	tm = load(t, m, tm.ID)
	if len(m.running()) != 0 || len(tm.Rounds) != 6 {
		t.Errorf("%d games running, %d rounds; want 0 and 6", len(m.running()), len(tm.Rounds))
	}
	if tm, err := d.Do(ctx, tm.ID, Finish, organiser); err != nil || tm.Status != tournament.Finished ||
		tm.FinishedAt != testTime.UnixMilli() {
		t.Errorf("finish: %+v, %v", tm, err)
	}
}

// TestResultByHand: the arbiter's word ends the server's game, which changes nothing any more.
func TestResultByHand(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 4)
	games := m.running()
	m.end(t, games[1].GameID, 1, 2) // over, but not yet taken from the outbox
	for board, text := range map[int]string{1: "0-1", 2: "+--"} {
		v, err := tournament.ParseVerdict(text)
		if err != nil {
			t.Fatal(err)
		}
		answered, err := d.Do(ctx, tm.ID, SetResult(1, board, v, "agreed at the board"), Order{By: "arbiter"})
		if err != nil {
			t.Fatal(err)
		}
		m.see(t, answered)
	}
	if n := len(m.running()); n != 0 {
		t.Errorf("%d games still running, want none", n)
	}
	if n := catch(t, d); n != 2 {
		t.Errorf("%d rows taken, want the aborted and the finished game", n)
	}
	tm = load(t, m, tm.ID)
	for i, want := range []string{"0-1", "+--"} {
		p := tm.Rounds[0].Pairings[i]
		if p.Text() != want || p.Result.Source != tournament.ByArbiter {
			t.Errorf("board %d: %s by %s, want %s by the arbiter", i+1, p.Text(), p.Result.Source, want)
		}
	}
	if h := m.history[tm.ID]; len(h) != 2 || h[0].By != "arbiter" || h[0].Why != "agreed at the board" ||
		h[0].At != testTime.UnixMilli() {
		t.Errorf("history %+v, want the two changes by the arbiter", h)
	}
}

// TestVoidGames are played again with the seats exchanged, twice, and then are a draw.
func TestVoidGames(t *testing.T) {
	m := newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, automatic(), 2)
	for i, want := range [][]string{{"p1", "p2"}, {"p2", "p1"}, {"p1", "p2"}} {
		games := m.running()
		if len(games) != 1 || !slices.Equal(games[0].Players, want) {
			t.Fatalf("game %d: %+v, want players %v", i+1, games, want)
		}
		m.end(t, games[0].GameID)
		catch(t, d)
	}
	tm = load(t, m, tm.ID)
	p := tm.Rounds[0].Pairings[0]
	if len(m.running()) != 0 || p.Text() != "1/2-1/2" || p.Games != 3 || p.Result.Reason != "replay" {
		t.Errorf("after three void games: %d running, %+v", len(m.running()), p)
	}
	if h := m.history[tm.ID]; len(h) != 3 || h[0].After != nil || h[2].After == nil {
		t.Errorf("history %+v, want two exchanges and a draw", h)
	}
}

// TestVoidThenWon counts the seats of the game that was decided.
func TestVoidThenWon(t *testing.T) {
	m := newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 2)
	m.end(t, m.running()[0].GameID)
	catch(t, d)
	m.end(t, m.running()[0].GameID, 1, 2) // p2 now has the first seat
	catch(t, d)
	table, err := d.Standings(load(t, m, tm.ID), 1)
	if err != nil {
		t.Fatal(err)
	}
	if first := table.Rows[0]; first.Entry.Name != "P02" || first.Points != 10 {
		t.Errorf("first is %s with %s, want P02 with 1", first.Entry.Name, first.Points)
	}
}

// TestAbortedGame leaves its pairing to the arbiter to schedule again.
func TestAbortedGame(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 2)
	first := m.running()[0].GameID
	if err := m.Abort(ctx, first, sentence.Typed("power cut")); err != nil {
		t.Fatal(err)
	}
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Result != nil {
		t.Fatalf("the pairing has %+v, want it open", p.Result)
	}
	answered, err := d.Do(ctx, tm.ID, PlayAgain(1, 1, "power cut"), Order{By: "arbiter"})
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, answered)
	second := m.running()[0].GameID
	if second == first {
		t.Fatal("the old game was opened again")
	}
	// Ordered once more, the running game makes room.
	if _, err := d.Do(ctx, tm.ID, PlayAgain(1, 1, "wrong clocks"), Order{By: "arbiter"}); err != nil {
		t.Fatal(err)
	}
	if games := m.running(); len(games) != 1 || games[0].GameID == second {
		t.Fatalf("running %+v, want one new game", games)
	}
	m.end(t, m.running()[0].GameID, 2, 1)
	catch(t, d)
	if text := load(t, m, tm.ID).Rounds[0].Pairings[0].Text(); text != "0-1" {
		t.Errorf("result %s, want 0-1", text)
	}
}

// TestTeamsSitAcross seats partners at 1 and 3 against 2 and 4, and takes the side's rank from its first seat.
func TestTeamsSitAcross(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := duelSettings()
	s.Variant = "quixo/teams"
	tm, err := d.Create(ctx, "", s, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for i, members := range [][]string{{"a", "b"}, {"c", "d"}} {
		e := tournament.Entry{Name: fmt.Sprint("Team ", i+1), Members: members, Rating: float64(1600 - i)}
		if _, _, err := d.AddEntry(ctx, tm.ID, e, organiser); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := d.AddEntry(ctx, tm.ID, tournament.Entry{Name: "Alone", Members: []string{"e"}},
		organiser); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("one player as a team: %v, want ErrInvalid", err)
	}
	if _, err := d.Do(ctx, tm.ID, Start, organiser); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); err != nil {
		t.Fatal(err)
	}
	g := m.running()[0]
	if !slices.Equal(g.Players, []string{"a", "c", "b", "d"}) {
		t.Errorf("players by seat %v, want a c b d", g.Players)
	}
	m.end(t, g.GameID, 3, 1, 3, 1)
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Text() != "0-1" {
		t.Errorf("result %s, want 0-1", p.Text())
	}
}

// TestForfeitBeforeTheFirstMove is no game in the sense of the regulations.
func TestForfeitBeforeTheFirstMove(t *testing.T) {
	m := newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 2)
	m.finish(m.games[m.running()[0].GameID], Finished{Ranks: []int{2, 1}, Reason: "time"})
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Text() != "--+" || p.Result.Reason != "time" {
		t.Errorf("result %s (%+v), want --+ by time", p.Text(), p.Result)
	}
}

// TestNonsenseFromTheOutbox leaves the pairing open and the queue moving.
func TestNonsenseFromTheOutbox(t *testing.T) {
	m := newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 4)
	games := m.running()
	m.end(t, games[0].GameID, 1, 2, 3)
	m.outbox = append(m.outbox, Finished{
		Seq: 2, GameID: "elsewhere", TournamentID: "gone", Round: 1, Board: 1, Ranks: []int{1, 2},
	})
	m.end(t, games[1].GameID, 1, 2)
	if n := catch(t, d); n != 3 || m.cursor != 3 {
		t.Errorf("%d taken, cursor %d; want 3 and 3", n, m.cursor)
	}
	tm = load(t, m, tm.ID)
	if p := tm.Rounds[0].Pairings; p[0].Result != nil || p[1].Text() != "1-0" {
		t.Errorf("boards %+v, want the first open and 1-0 on the second", p)
	}
}

// TestStandingsAreKeptByVersion, and not forever.
func TestStandingsAreKeptByVersion(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 2)
	first, err := d.Standings(load(t, m, tm.ID), 0)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := d.Standings(load(t, m, tm.ID), 0); again != first {
		t.Error("the same version was computed twice")
	}
	m.end(t, m.running()[0].GameID, 2, 1)
	catch(t, d)
	if after, _ := d.Standings(load(t, m, tm.ID), 0); after == first || after.Rows[0].Points != 10 {
		t.Errorf("after the result: %+v", after.Rows)
	}
	for range 2 * cacheSize {
		other := started(t, d, duelSettings(), 2)
		if _, err := d.Standings(load(t, m, other.ID), 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := d.tables.values.Len(); n > cacheSize {
		t.Errorf("%d tables kept, want at most %d", n, cacheSize)
	}
	draft, err := d.Create(ctx, "", duelSettings(), "")
	if err != nil {
		t.Fatal(err)
	}
	entered := *load(t, m, draft.ID)
	entered.TieBreaks = nil
	for _, of := range []*tournament.Tournament{draft, &entered} {
		if table, err := d.Standings(of, 0); err != nil || len(table.Columns) != len(of.TieBreaks) {
			t.Errorf("standings of a draft with tie-breaks %v: %+v, %v", of.TieBreaks, table, err)
		}
	}
}
