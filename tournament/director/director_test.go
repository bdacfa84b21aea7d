package director

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
)

func catch(t testing.TB, d *Director) int {
	t.Helper()
	n, err := d.Catch(context.Background())
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

// TestARoundIsPlayed follows one round from its pairing to the standings.
func TestARoundIsPlayed(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 4)
	if tm.RoundCount != 3 || tm.LotSeed != testSeed || !slices.Equal(tm.TieBreaks, []string{"DE", "SB", "WIN"}) {
		t.Errorf("started with %d rounds, seed %q, tie-breaks %v", tm.RoundCount, tm.LotSeed, tm.TieBreaks)
	}
	tm, err := d.NextRound(ctx, tm.ID, organiser)
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
	table, err := d.Standings(ctx, tm.ID, 0)
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
	if history := m.history[tm.ID]; len(history) != 2 || history[0].By != tournament.ServerAccount || history[0].Before != nil {
		t.Errorf("history %+v, want two results by the server", history)
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
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
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
	if tm, err := d.Finish(ctx, tm.ID, organiser); err != nil || tm.Status != tournament.Finished || tm.FinishedAt != testTime.UnixMilli() {
		t.Errorf("finish: %+v, %v", tm, err)
	}
}

// TestResultByHand: the arbiter's word ends the server's game, which changes nothing any more.
func TestResultByHand(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 4)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	games := m.running()
	m.end(t, games[1].GameID, 1, 2) // over, but not yet taken from the outbox
	for board, text := range map[int]string{1: "0-1", 2: "+--"} {
		v, err := tournament.ParseVerdict(text)
		if err != nil {
			t.Fatal(err)
		}
		answered, err := d.SetResult(ctx, tm.ID, 1, board, v, "agreed at the board", Order{By: "arbiter"})
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
	if h := m.history[tm.ID]; len(h) != 2 || h[0].By != "arbiter" || h[0].Why != "agreed at the board" || h[0].At != testTime.UnixMilli() {
		t.Errorf("history %+v, want the two changes by the arbiter", h)
	}
}

// TestVoidGames are played again with the seats exchanged, twice, and then are a draw.
func TestVoidGames(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := duelSettings()
	s.AutoRounds = true
	tm := started(t, d, s, 2)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
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
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 2)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	m.end(t, m.running()[0].GameID)
	catch(t, d)
	m.end(t, m.running()[0].GameID, 1, 2) // p2 now has the first seat
	catch(t, d)
	table, err := d.Standings(ctx, tm.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if first := table.Rows[0]; first.Entry.Name != "P02" || first.Points != 10 {
		t.Errorf("first is %s with %s, want P02 with 1", first.Entry.Name, first.Points)
	}
}

// TestAbortedGame leaves its pairing to the arbiter, who has it played anew.
func TestAbortedGame(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 2)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	first := m.running()[0].GameID
	if err := m.Abort(ctx, first, "power cut"); err != nil {
		t.Fatal(err)
	}
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Result != nil {
		t.Fatalf("the pairing has %+v, want it open", p.Result)
	}
	answered, err := d.PlayAgain(ctx, tm.ID, 1, 1, "power cut", Order{By: "arbiter"})
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, answered)
	second := m.running()[0].GameID
	if second == first {
		t.Fatal("the old game was opened again")
	}
	// Ordered once more, the running game makes room.
	if _, err := d.PlayAgain(ctx, tm.ID, 1, 1, "wrong clocks", Order{By: "arbiter"}); err != nil {
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
	tm, err := d.Create(ctx, s, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for i, members := range [][]string{{"a", "b"}, {"c", "d"}} {
		e := tournament.Entry{Name: fmt.Sprint("Team ", i+1), Members: members, Rating: float64(1600 - i)}
		if _, _, err := d.AddEntry(ctx, tm.ID, e, organiser); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := d.AddEntry(ctx, tm.ID, tournament.Entry{Name: "Alone", Members: []string{"e"}}, organiser); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("one player as a team: %v, want ErrInvalid", err)
	}
	if _, err := d.Start(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
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

// TestOutOfDate refuses commands that build on another version, and repeats those that build on none.
func TestOutOfDate(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 2)
	s := tm.Settings()
	s.Name = "Saturday"
	if _, err := d.Update(ctx, tm.ID, s, Order{By: "ada", Expect: tm.Version - 1}); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("an old version: %v, want ErrStale", err)
	}
	if err := d.Delete(ctx, tm.ID, Order{Expect: tm.Version - 1}); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("deleting an old version: %v, want ErrStale", err)
	}
	if err := d.Delete(ctx, tm.ID, Order{}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("deleting a running tournament: %v, want ErrState", err)
	}
	if answered, err := d.Update(ctx, tm.ID, s, Order{By: "ada", Expect: tm.Version}); err != nil || answered.Version != tm.Version+1 {
		t.Fatalf("the present version: %v, %v", answered, err)
	}
	// Another process changes the tournament each time between this one's reading and writing.
	other := newDirector(m, &counter{n: 1000})
	faster := 3
	m.loaded = func(string) {
		if faster > 0 {
			faster--
			again := m.loaded
			m.loaded = func(string) {}
			arbiters := []string{fmt.Sprint("arbiter", faster)}
			if _, err := other.SetArbiters(ctx, tm.ID, arbiters, Order{}); err != nil {
				t.Error(err)
			}
			m.loaded = again
		}
	}
	answered, err := d.NextRound(ctx, tm.ID, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.see(t, answered); !slices.Equal(got.Arbiters, []string{"arbiter0"}) || len(got.Rounds) != 1 {
		t.Errorf("arbiters %v and %d rounds: one of the changes was lost", got.Arbiters, len(got.Rounds))
	}
}

func TestLifeBeforeTheStart(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	if _, err := d.Create(ctx, tournament.Settings{Format: tournament.Swiss, Variant: "quixo/duel"}, "ada"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a nameless Swiss: %v, want ErrInvalid", err)
	}
	s := duelSettings()
	s.Variant = "quits/four"
	if _, err := d.Create(ctx, s, "ada"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a round-robin of four at a board: %v, want ErrInvalid", err)
	}
	tm, err := d.Create(ctx, duelSettings(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	player := func(name string) tournament.Entry {
		return tournament.Entry{Name: name, Members: []string{name}}
	}
	if _, _, err := d.Register(ctx, tm.ID, player("x"), Order{}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("registering for a draft: %v, want ErrState", err)
	}
	if _, err := d.Open(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	ids := make([]string, 4)
	for i := range ids {
		answered, e, err := d.Register(ctx, tm.ID, player(fmt.Sprint("x", i)), Order{})
		if err != nil || e.ID == "" || e.Status != tournament.Registered {
			t.Fatalf("entry %+v, %v", e, err)
		}
		m.see(t, answered)
		ids[i] = e.ID
	}
	steps := []func() (*tournament.Tournament, error){
		func() (*tournament.Tournament, error) { return d.ConfirmEntry(ctx, tm.ID, ids[0], organiser) },
		func() (*tournament.Tournament, error) { return d.Withdraw(ctx, tm.ID, ids[1], organiser) },
		func() (*tournament.Tournament, error) { return d.Reinstate(ctx, tm.ID, ids[1], organiser) },
		func() (*tournament.Tournament, error) { return d.RemoveEntry(ctx, tm.ID, ids[2], organiser) },
		func() (*tournament.Tournament, error) {
			return d.UpdateEntry(ctx, tm.ID, tournament.Entry{ID: ids[3], Name: "Z", Members: []string{"z"}, Rating: 1800}, organiser)
		},
		func() (*tournament.Tournament, error) { return d.Withdraw(ctx, tm.ID, ids[0], organiser) },
		func() (*tournament.Tournament, error) { return d.Close(ctx, tm.ID, organiser) },
		func() (*tournament.Tournament, error) { return d.Start(ctx, tm.ID, organiser) },
		func() (*tournament.Tournament, error) { return d.DrawRound(ctx, tm.ID, organiser) },
		func() (*tournament.Tournament, error) { return d.DropRound(ctx, tm.ID, organiser) },
		func() (*tournament.Tournament, error) { return d.DrawRound(ctx, tm.ID, organiser) },
		func() (*tournament.Tournament, error) { return d.PublishRound(ctx, tm.ID, organiser) },
	}
	for i, step := range steps {
		if tm, err = step(); err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
		m.see(t, tm)
	}
	if p := tm.Rounds[0].Pairings; len(p) != 1 || tm.Entries[0].Name != "Z" || tm.Entries[2].Number != 0 || len(m.running()) != 1 {
		t.Errorf("entries %+v, pairings %+v, games %+v", tm.Entries, p, m.running())
	}
	if _, err := d.Tournament(ctx, "nowhere"); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("an unknown tournament: %v, want ErrNotFound", err)
	}
}

func TestDeleteADraft(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm, err := d.Create(ctx, duelSettings(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Delete(ctx, tm.ID, Order{Expect: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Load(ctx, tm.ID); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("after deleting: %v, want ErrNotFound", err)
	}
}

// TestWithdrawalForfeits what is still to come.
func TestWithdrawalForfeits(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := duelSettings()
	s.AutoRounds = true
	tm := started(t, d, s, 4)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	p4 := tm.Entries[3].ID
	answered, err := d.Withdraw(ctx, tm.ID, p4, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := m.see(t, answered).Entry(p4); e.WithdrawnFrom != 2 || len(m.running()) != 2 {
		t.Errorf("withdrawn from round %d with %d games running, want 2 and 2", e.WithdrawnFrom, len(m.running()))
	}
	for len(m.running()) > 0 {
		m.end(t, m.running()[0].GameID, 1, 2)
		catch(t, d)
	}
	tm = load(t, m, tm.ID)
	for _, want := range []struct {
		round, board int
		text         string
	}{{1, 1, "1-0"}, {2, 1, "--+"}, {3, 1, "+--"}} {
		p, err := tm.Pairing(want.round, want.board)
		if err != nil || p.Text() != want.text {
			t.Errorf("round %d board %d: %s (%v), want %s", want.round, want.board, p.Text(), err, want.text)
		}
	}
	table, err := d.Standings(ctx, tm.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if last := table.Rows[3]; last.Entry.ID != p4 || last.Rank != 0 {
		t.Errorf("last line %+v, want P04 without a rank", last)
	}
}

// TestEveryoneWithdraws lets the rounds that nobody plays pass by at once.
func TestEveryoneWithdraws(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := duelSettings()
	s.AutoRounds = true
	tm := started(t, d, s, 4)
	for _, e := range tm.Entries {
		if _, err := d.Withdraw(ctx, tm.ID, e.ID, organiser); err != nil {
			t.Fatal(err)
		}
	}
	answered, err := d.NextRound(ctx, tm.ID, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if tm = m.see(t, answered); len(tm.Rounds) != 3 || tm.Rounds[2].Status != tournament.Complete || len(m.games) != 0 {
		t.Errorf("%d rounds, %d games; want 3 complete rounds without games", len(tm.Rounds), len(m.games))
	}
}

// TestForfeitBeforeTheFirstMove is no game in the sense of the regulations.
func TestForfeitBeforeTheFirstMove(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 2)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	m.finish(m.games[m.running()[0].GameID], Finished{Ranks: []int{2, 1}, Reason: "time"})
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Text() != "--+" || p.Result.Reason != "time" {
		t.Errorf("result %s (%+v), want --+ by time", p.Text(), p.Result)
	}
}

// TestNonsenseFromTheOutbox leaves the pairing open and the queue moving.
func TestNonsenseFromTheOutbox(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 4)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	games := m.running()
	m.end(t, games[0].GameID, 1, 2, 3)
	m.outbox = append(m.outbox, Finished{Seq: 2, GameID: "elsewhere", TournamentID: "gone", Round: 1, Board: 1, Ranks: []int{1, 2}})
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
	tm := started(t, d, duelSettings(), 2)
	if _, err := d.NextRound(ctx, tm.ID, organiser); err != nil {
		t.Fatal(err)
	}
	first, err := d.Standings(ctx, tm.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := d.Standings(ctx, tm.ID, 0); again != first {
		t.Error("the same version was computed twice")
	}
	m.end(t, m.running()[0].GameID, 2, 1)
	catch(t, d)
	if after, _ := d.Standings(ctx, tm.ID, 0); after == first || after.Rows[0].Points != 10 {
		t.Errorf("after the result: %+v", after.Rows)
	}
	for range 2 * cacheSize {
		other := started(t, d, duelSettings(), 2)
		if _, err := d.Standings(ctx, other.ID, 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(d.tables.tables); n > cacheSize {
		t.Errorf("%d tables kept, want at most %d", n, cacheSize)
	}
	if _, err := d.Crosstable(ctx, tm.ID, 9); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("crosstable of round 9: %v, want ErrNotFound", err)
	}
	if table, err := d.Crosstable(ctx, tm.ID, 1); err != nil || len(table.Rows) != 2 {
		t.Errorf("crosstable %+v, %v", table, err)
	}
}
