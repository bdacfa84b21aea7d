package rest_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"quatuor/api/apitest"
)

// everything returns the state of a hall arena: each game with its table, seats and result, and the waiting players.
func (x *hallArena) everything() string {
	x.t.Helper()
	a := x.Anonymous().Get(x.path+"/arena").Want(x.t, http.StatusOK)
	return string(x.olga.Get(x.path+"/rounds/1").Want(x.t, http.StatusOK).Raw) + fmt.Sprint(a.At("rows"))
}

// away stops the service for some time, after which nothing may be lost, and looks after the arena.
func (x *hallArena) away(d time.Duration) {
	x.t.Helper()
	before := x.everything()
	x.Stop()
	x.Pass(d)
	x.Start()
	if after := x.everything(); after != before {
		x.t.Fatalf("after a restart there is\n%s\nand there was\n%s", after, before)
	}
}

// moments returns when the arena ends, and when it closes.
func (x *hallArena) moments() (end, closes time.Time) {
	x.t.Helper()
	a := x.Anonymous().Get(x.path+"/arena").Want(x.t, http.StatusOK)
	for text, into := range map[string]*time.Time{"ends_at": &end, "closes_at": &closes} {
		var err error
		if *into, err = time.Parse(time.RFC3339, a.Text(text)); err != nil {
			x.t.Fatal(err)
		}
	}
	return end, closes
}

// TestAHallArenaOverRestarts stops the service while tables play: games, codes and those that wait are as they were, the
// time is given back once, players are paired on, and within the grace a result still counts.
func TestAHallArenaOverRestarts(t *testing.T) {
	const minutes = 12
	x := newHallArena(t, "quixo/duel", "300", minutes, 4, 11, 0, stopped)
	began := x.Now()
	end, _ := x.moments()
	playOn := func(until time.Time) {
		t.Helper()
		for x.Now().Before(until) {
			x.watch()
			for _, board := range x.over() {
				x.enter(board, x.anyResult(2)).Want(t, http.StatusOK)
			}
		}
	}
	playOn(began.Add(4 * time.Minute))

	// A result right before the stop, without a look after it, and another by the codes from before.
	boards := slices.Sorted(maps.Keys(x.open))
	if len(boards) < 3 {
		t.Fatalf("%d games are played, want more", len(boards))
	}
	x.enter(boards[0], map[string]any{"result": "1-0"}).Want(t, http.StatusOK)
	seen := x.Now()
	x.away(3 * time.Minute)
	x.lookAfter(0)
	if now, _ := x.moments(); now.Sub(end) != x.Now().Sub(seen) {
		t.Errorf("%v given back for an outage of %v", now.Sub(end), x.Now().Sub(seen))
	}
	end, _ = x.moments()
	x.away(6 * time.Second) // no longer than a tick and two seconds
	x.lookAfter(0)
	x.lookAfter(5 * time.Second)
	if now, _ := x.moments(); now != end {
		t.Errorf("%v given back for nothing", now.Sub(end))
	}
	x.report(boards[1], "0-1")
	games := len(x.due)
	playOn(end)
	if len(x.due) < games+4 {
		t.Errorf("%d games after the restart", len(x.due)-games)
	}

	x.watch()
	if len(x.open) == 0 {
		t.Fatal("no game is open at the end")
	}
	x.lookAfter(4 * time.Minute)
	_, closes := x.moments()
	last := len(x.olga.Get(x.path + "/rounds/1").List("pairings"))
	seen = x.Now()
	x.away(time.Hour)
	x.lookAfter(0)
	now, closesNow := x.moments()
	if now != end || closesNow.Sub(closes) != x.Now().Sub(seen) {
		t.Errorf("within the grace the end moved by %v and the close by %v, want 0 and %v", now.Sub(end),
			closesNow.Sub(closes),
			x.Now().Sub(seen))
	}
	for board := range x.open {
		x.enter(board, map[string]any{"result": "1-0"}).Want(t, http.StatusOK)
	}
	a := x.look(5 * time.Second)
	if a.Text("status") != "finished" || len(x.olga.Get(x.path+"/rounds/1").List("pairings")) != last {
		t.Errorf("the arena is %s after its last game", a.Text("status"))
	}
	for board := range x.open {
		if p := x.olga.Get(fmt.Sprintf("%s/rounds/1", x.path)); p.Text("pairings", board-1, "result") != "1-0" {
			t.Errorf("game %d, entered within the grace, has %q", board, p.Text("pairings", board-1, "result"))
		}
	}
	x.computed(a)
}

// TestBytesOfAHallArenasResult measures what the wall and other open pages are sent for a result at twenty boards.
func TestBytesOfAHallArenasResult(t *testing.T) {
	x := newHallArena(t, "quixo/duel", "300", 30, 0, 40, 0, apitest.WithPages)
	x.smallChanges("/wall", "/arena", "?tab=round", "?tab=standings")
}
