package director

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// TestNobodyIsAtTwoGames refuses a player of another arena, and lets players of other games wait.
func TestNobodyIsAtTwoGames(t *testing.T) {
	h := newFight(t, 3)
	other := started(t, h.d, arenaSettings(), 0)
	if _, err := h.d.JoinArena(context.Background(), other.ID, tournament.Entry{Name: "p1", Members: []string{"p1"}},
		organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("joining two arenas: %v", err)
	}
	// nor does the desk let in a player still at a game of the other after a pause
	entered, err := h.d.Do(context.Background(), other.ID, AddEntries([]tournament.Entry{{Name: "p1", Members: []string{"p1"}}}), organiser)
	if err != nil {
		t.Fatal(err)
	}
	let := func() error {
		_, err := h.d.SetWaiting(context.Background(), other.ID, entered.Entries[0].ID, true, organiser)
		return err
	}
	if err := let(); !errors.Is(err, tournament.ErrState) {
		t.Errorf("let into two arenas: %v", err)
	}
	if _, err := h.d.SetWaiting(context.Background(), h.id, h.entry("p1").ID, false, organiser); err != nil {
		t.Fatal(err)
	}
	if err := let(); err != nil {
		t.Errorf("let into an arena after another was left: %v", err)
	}
	if _, err := h.d.SetWaiting(context.Background(), other.ID, entered.Entries[0].ID, false, organiser); err != nil {
		t.Fatal(err)
	}
	h.join(1)
	h.playing["p1"] = true
	tm := h.pass(5 * time.Second)
	if len(tm.Rounds[0].Pairings) != 1 {
		t.Fatalf("%d pairings, want one", len(tm.Rounds[0].Pairings))
	}
	if slices.Contains(h.running()[0].Players, "p1") {
		t.Error("who plays elsewhere was paired")
	}
}

// TestTwoArenasAtOnce has a player join two arenas at the same time, in the same process and in two.
func TestTwoArenasAtOnce(t *testing.T) {
	h := newFight(t, 0)
	other := started(t, h.d, arenaSettings(), 0)
	e := tournament.Entry{Name: "p", Members: []string{"p"}}
	waits := func() (in []string) {
		for _, id := range []string{h.id, other.ID} {
			if tm := load(t, h.memory, id); slices.ContainsFunc(tm.Entries, func(e tournament.Entry) bool { return arena.InArena(tm, e) }) {
				in = append(in, id)
			}
		}
		return in
	}
	done := make(chan error, 2)
	for _, id := range []string{h.id, other.ID} {
		go func() {
			_, err := h.d.JoinArena(context.Background(), id, e, Order{By: "p"})
			done <- err
		}()
	}
	if a, b := <-done, <-done; (a == nil) == (b == nil) || !errors.Is(errors.Join(a, b), tournament.ErrState) {
		t.Errorf("joining both: %v, %v", a, b)
	}
	in := waits()
	if len(in) != 1 {
		t.Fatalf("the player waits in %v", in)
	}
	tm := load(t, h.memory, in[0])
	if _, err := h.d.SetWaiting(context.Background(), in[0], tm.Entries[0].ID, false, Order{By: "p"}); err != nil {
		t.Fatal(err)
	}
	second, once := h.director(), false
	h.step = func(name string) error {
		if name == "save" && !once {
			once = true
			_, err := second.JoinArena(context.Background(), other.ID, e, Order{By: "p"})
			return err
		}
		return nil
	}
	if _, err := h.d.JoinArena(context.Background(), h.id, e, Order{By: "p"}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("joining while another process lets the player in elsewhere: %v", err)
	}
	if in := waits(); !slices.Equal(in, []string{other.ID}) {
		t.Errorf("the player waits in %v", in)
	}
}

// TestTwoArenasInTheHall lets a player wait that was called to a board of another arena, which has no clock on the server.
func TestTwoArenasInTheHall(t *testing.T) {
	h := newFight(t, 0)
	hall := arenaSettings()
	hall.Venue = tournament.InHall
	shape, err := h.d.Variant(hall.Variant, nil)
	if err != nil {
		t.Fatal(err)
	}
	var arenas []string
	for range 2 { // joined before they start
		tm := started(t, h.d, hall, 0)
		for _, p := range []string{"p", tm.ID} {
			waiting, err := arena.Join(tm, tournament.Entry{ID: p + tm.ID, Name: p, Members: []string{p}}, shape.For(tm.Rules), 1)
			if err != nil {
				t.Fatal(err)
			}
			waiting.Succeed(tm)
			if err := h.Save(context.Background(), waiting.Tournament, tm.Version, waiting.Delta); err != nil {
				t.Fatal(err)
			}
			tm = waiting.Tournament
		}
		arenas = append(arenas, tm.ID)
	}
	h.pass(30 * time.Second)
	games := 0
	for _, id := range arenas {
		games += arena.PlayedNow(load(t, h.memory, id))
	}
	if games != 1 {
		t.Errorf("%d games are played by one player", games)
	}
}

// TestALateGameStaysLate has a game end after the close and the process die before the next tick: the credit for that
// outage does not make the void game count.
func TestALateGameStaysLate(t *testing.T) {
	h := newFight(t, 4)
	tm := h.pass(14*time.Minute + 55*time.Second)
	closes := arena.ClosesAt(tm)
	h.at = h.at.Add(6 * time.Second)
	tm = h.over(h.running()[0].GameID, 1, 2)
	if !tm.Rounds[0].Pairings[0].Result.Void() {
		t.Fatalf("a game that ended a second late has %+v", tm.Rounds[0].Pairings[0].Result)
	}
	h.at = h.at.Add(time.Minute)
	h.d = h.director()
	h.tick()
	tm = load(t, h.memory, h.id)
	if arena.ClosesAt(tm) != closes || tm.Status != tournament.Finished {
		t.Errorf("%s; the close moved by %d ms", tm.Status, arena.ClosesAt(tm)-closes)
	}
}

// TestTheLastGameInTime has a game end right before the close that is recorded after it.
func TestTheLastGameInTime(t *testing.T) {
	h := newFight(t, 4)
	h.pass(14*time.Minute + 55*time.Second)
	game := h.running()[0].GameID
	h.pass(5 * time.Second)
	h.end(t, game, 1, 2)
	h.outbox[len(h.outbox)-1].At = h.at.UnixMilli() - 1
	tm := h.pass(5 * time.Second)
	if p := tm.Rounds[0].Pairings; p[0].Result.Void() || !p[1].Result.Void() || tm.Status != tournament.Finished {
		t.Errorf("%s; the results are %+v and %+v", tm.Status, p[0].Result, p[1].Result)
	}
}
