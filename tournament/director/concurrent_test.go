package director

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"quatuor/tournament"
)

// TestDeliveredTwice: rows that were settled before change nothing, be it a result or a void game.
func TestDeliveredTwice(t *testing.T) {
	m := newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 4)
	games := m.running()
	m.end(t, games[0].GameID, 1, 2)
	m.end(t, games[1].GameID)
	catch(t, d)
	before := load(t, m, tm.ID)
	m.replay = 2
	if n := catch(t, d); n != 2 {
		t.Fatalf("%d rows came again, want 2", n)
	}
	m.see(t, before)
	if len(m.history[tm.ID]) != 2 || len(m.running()) != 1 {
		t.Errorf("%d changes and %d running games, want 2 and the replay", len(m.history[tm.ID]), len(m.running()))
	}
}

// TestTwoProcessesSettleOneGame: another process settles the same void game between this process's read and write. Both
// must open the game that is stored, not a new game each.
func TestTwoProcessesSettleOneGame(t *testing.T) {
	m := newMemory()
	d, other := newDirector(m, &counter{}), newDirector(m, &counter{n: 1000})
	tm := inFirstRound(t, d, duelSettings(), 2)
	m.end(t, m.running()[0].GameID)
	m.loaded = func(string) {
		m.loaded = func(string) {}
		catch(t, other)
	}
	catch(t, d)
	games := m.running()
	if len(games) != 1 || games[0].GameID != load(t, m, tm.ID).Rounds[0].Pairings[0].GameID {
		t.Errorf("running %+v, want only the stored replay", games)
	}
	if n := len(m.history[tm.ID]); n != 1 {
		t.Errorf("%d changes, want 1", n)
	}
}

// TestChangedWhileSettling: another process changes the tournament between this process's read and write, first before
// a result is settled, then before the automatic next round is stored.
func TestChangedWhileSettling(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	ids := &counter{}
	d, other := newDirector(m, ids), newDirector(m, ids)
	tm := inFirstRound(t, d, automatic(), 4)
	changes := 0
	m.loaded = func(string) {
		again := m.loaded
		m.loaded = func(string) {}
		changes++
		if changes%2 == 1 {
			if _, err := other.Do(ctx, tm.ID, SetArbiters([]string{fmt.Sprint(changes)}), Order{}); err != nil {
				t.Error(err)
			}
		}
		m.loaded = again
	}
	for _, g := range m.running() {
		m.end(t, g.GameID, 1, 2)
	}
	catch(t, d)
	m.loaded = func(string) {}
	tm = load(t, m, tm.ID)
	if tm.Rounds[0].Status != tournament.Complete || len(tm.Rounds) != 2 || len(m.running()) != 2 || changes < 4 {
		t.Errorf("round 1 is %s, %d rounds, %d games after %d readings; want it complete, and the second open",
			tm.Rounds[0].Status, len(tm.Rounds), len(m.running()), changes)
	}
	// With the change in between, the other process has paired the round; this process must find nothing left to do.
	if owed := d.takePendingRepair(); len(owed) != 0 {
		t.Errorf("%v are owed a step", owed)
	}
}

// TestOtherGameReports: a replaced game reports nothing any more, even if it ended before.
func TestOtherGameReports(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, duelSettings(), 2)
	m.end(t, m.running()[0].GameID, 1, 2)
	if _, err := d.Do(ctx, tm.ID, PlayAgain(1, 1, "wrong opponents"), Order{By: "arbiter"}); err != nil {
		t.Fatal(err)
	}
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Result != nil {
		t.Fatalf("the old game decided: %s", p.Text())
	}
	m.end(t, m.running()[0].GameID, 2, 1)
	catch(t, d)
	if p := load(t, m, tm.ID).Rounds[0].Pairings[0]; p.Text() != "0-1" {
		t.Errorf("result %q, want 0-1 from the new game", p.Text())
	}
}

// TestAllAtOnce has two processes, each with an arbiter and a follower of the games, while players finish games and an
// organiser edits: no result may be lost or counted twice, no round paired twice, no game opened for nothing.
func TestAllAtOnce(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	ids := &counter{}
	directors := []*Director{newDirector(m, ids), newDirector(m, ids)}
	const players, rounds = 8, 7
	tm := inFirstRound(t, directors[0], automatic(), players)
	for round := 1; round <= rounds; round++ {
		var all sync.WaitGroup
		for board := 1; board <= players/2; board++ {
			p, err := load(t, m, tm.ID).Pairing(round, board)
			if err != nil {
				t.Fatal(err)
			}
			d := directors[board%2]
			all.Go(func() {
				if board == 1 {
					v, _ := tournament.ParseVerdict("0-1")
					retry(t, func() error {
						_, err := d.Do(ctx, tm.ID, SetResult(round, board, v, "by hand"), Order{By: "arbiter"})
						return err
					})
					return
				}
				m.end(t, p.GameID, 1, 2)
				retry(t, func() error { _, err := d.CatchUp(ctx); return err })
			})
		}
		all.Go(func() {
			retry(t, func() error {
				_, err := directors[round%2].Do(ctx, tm.ID, SetArbiters([]string{fmt.Sprint("arbiter", round)}), Order{})
				return err
			})
		})
		all.Go(func() {
			if _, err := directors[1].Standings(load(t, m, tm.ID), 0); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
	}
	for _, d := range directors {
		retry(t, func() error { _, err := d.CatchUp(ctx); return err })
	}
	checkAllAtOnce(t, m, tm.ID, players, rounds)
	for i, d := range directors {
		if n := len(d.locks.byID); n != 0 {
			t.Errorf("director %d keeps %d unused locks", i+1, n)
		}
	}
}

// retry repeats what was refused because the other process was faster too often.
func retry(t testing.TB, do func() error) {
	for {
		err := do()
		if err == nil {
			return
		}
		if !errors.Is(err, tournament.ErrStale) {
			t.Error(err)
			return
		}
	}
}

func checkAllAtOnce(t *testing.T, m *memory, id string, players, rounds int) {
	t.Helper()
	tm := load(t, m, id)
	if len(tm.Rounds) != rounds || len(m.games) != rounds*players/2 || len(m.running()) != 0 {
		t.Errorf("%d rounds, %d games, %d running; want %d, %d, 0", len(tm.Rounds), len(m.games), len(m.running()), rounds,
			rounds*players/2)
	}
	for _, r := range tm.Rounds {
		for _, p := range r.Pairings {
			want := "1-0"
			if p.Board == 1 {
				want = "0-1"
			}
			if p.Text() != want || m.games[p.GameID] == nil {
				t.Errorf("round %d board %d: %s in game %q, want %s", r.Number, p.Board, p.Text(), p.GameID, want)
			}
		}
	}
	if n := len(m.history[id]); n != rounds*players/2 {
		t.Errorf("%d changes, want one for each of the %d results", n, rounds*players/2)
	}
}

// TestWaitingEndsWithItsContext: a waiter with an ended context never gets the lock, and does not block others.
func TestWaitingEndsWithItsContext(t *testing.T) {
	var l locks
	unlock, err := l.lock(context.Background(), "t")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.lock(ctx, "t"); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting with a dead context: %v", err)
	}
	unlock()
	unlock, err = l.lock(context.Background(), "t")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if len(l.byID) != 0 {
		t.Errorf("%d locks are kept, want none", len(l.byID))
	}
}
