package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"quatuor/engine/chance"
	"quatuor/engine/sentence"
)

// openGame opens a game by ada; its seats without a name are open.
func (e *evening) openGame(w NewGame) *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), w)
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

func openTo(variant string, players ...string) NewGame {
	return NewGame{
		Variant: variant, Players: players, Controls: []string{"60"}, Rated: true, Start: true, CreatedBy: "ada", Open: true,
	}
}

func (e *evening) sit(id, player string, seat int8) (*Snapshot, error) {
	return e.Sit(e.t.Context(), e.Arrive(id), Sitting{By: player, Player: player, Seat: seat})
}

func (e *evening) leaveSeat(id, player string) (*Snapshot, error) {
	return e.LeaveSeat(e.t.Context(), e.Arrive(id), player, player, sentence.Typed("declined by "+player))
}

func TestATableFillsUp(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		s := e.openGame(openTo("quixo/teams", "ada", "", "", ""))
		id := s.Game.ID
		if s.Game.Status != Waiting || s.Game.Invited != 0b1110 || s.Game.Deadline != e.now()+listedTime || !s.Game.Listed() {
			t.Fatalf("as it was made: %+v", s.Game)
		}
		if s = must(t)(e.sit(id, "bob", 0)); s.Game.Players[1] != "bob" || s.Game.Invited != 0b1100 {
			t.Errorf("the first who comes sits at the first open seat: %+v", s.Game)
		}
		if s = must(t)(e.sit(id, "cyd", 4)); !slices.Equal(s.Game.Players, []string{"ada", "bob", "", "cyd"}) {
			t.Errorf("a seat can be named: %v", s.Game.Players)
		}
		for _, seat := range []int8{2, 4, 1, 9} {
			if err := second(e.sit(id, "eve", seat)); !errors.Is(err, ErrSeatTaken) || !strings.Contains(err.Error(), "[3]") {
				t.Errorf("seat %d, which is not open: %v", seat, err)
			}
		}
		if again := must(t)(e.sit(id, "cyd", 3)); again.Game.Version != s.Game.Version {
			t.Error("to sit down again changes the game")
		}
		if s = must(t)(e.leaveSeat(id, "bob")); s.Game.Players[1] != "" || s.Game.Invited != 0b0110 ||
			s.Game.Status != Waiting {
			t.Errorf("after one has left: %+v", s.Game)
		}
		if again := must(t)(e.leaveSeat(id, "bob")); again.Game.Version != s.Game.Version {
			t.Error("to leave again changes the game")
		}
		if err := second(e.leaveSeat(id, "eve")); !errors.Is(err, ErrNotYourSeat) {
			t.Errorf("one who does not sit there leaves: %v", err)
		}
		must(t)(e.sit(id, "eve", 0))
		began := e.now()
		s = must(t)(e.sit(id, "bob", 0))
		if s.Game.Status != Running || s.Game.StartedAt != began ||
			!slices.Equal(s.Game.Players, []string{"ada", "eve", "bob", "cyd"}) {
			t.Errorf("with the last seat taken: %+v", s.Game)
		}
		if got := kindsOf(s.Lines); got != "accept accept stand accept accept start" {
			t.Error(got)
		}
		if err := second(e.sit(id, "dan", 0)); !errors.Is(err, ErrSeatTaken) {
			t.Errorf("too late: %v", err)
		}
		if err := second(e.leaveSeat(id, "cyd")); !errors.Is(err, ErrNoInvitation) {
			t.Errorf("leaving a game that runs: %v", err)
		}
		if g, lines, err := e.journal.Load(t.Context(), id); err != nil || Audit(g, lines) != nil {
			t.Error(err, Audit(g, lines))
		}
	})
}

func TestAPrivateGameNeedsItsCode(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		w := openTo("quixo/duel", "ada", "")
		w.Private = true
		s := e.openGame(w)
		id, code := s.Game.ID, s.Game.Code
		if len(code) < 20 || s.Game.Listed() || s.Game.Deadline != e.now()+invitationTime {
			t.Fatalf("%+v", s.Game)
		}
		for _, wrong := range []string{"", code[1:], strings.ToLower(code)} {
			_, err := e.Sit(t.Context(), e.Arrive(id), Sitting{By: "bob", Player: "bob", Code: wrong})
			if !errors.Is(err, ErrCode) {
				t.Errorf("with %q: %v", wrong, err)
			}
		}
		if s = must(t)(e.Sit(t.Context(), e.Arrive(id), Sitting{By: "bob", Player: "bob", Code: code})); s.Game.Status != Running {
			t.Errorf("%+v", s.Game)
		}
	})
}

// TestInvitedPlayersOfAnOpenGame lets an invited player decline, which opens the seat, and the creator leave, which
// ends the game.
func TestInvitedPlayersOfAnOpenGame(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		w := openTo("quivive/melee", "ada", "bob", "")
		w.Invited = w.Invited.With(2)
		id := e.openGame(w).Game.ID
		s := must(t)(e.decline(id, "bob"))
		if last := s.Lines[len(s.Lines)-1]; s.Game.Status != Waiting || last.Kind != LineRefuse ||
			last.Text != "declined by bob" || len(s.Game.OpenSeats()) != 2 {
			t.Errorf("%+v, %+v", s.Game, last)
		}
		must(t)(e.sit(id, "cyd", 0))
		if g, lines, err := e.journal.Load(t.Context(), id); err != nil || Audit(g, lines) != nil {
			t.Error(err, Audit(g, lines))
		}
		s = must(t)(e.leaveSeat(id, "ada"))
		if s.Game.Status != Aborted || s.Game.Players[1] != "cyd" {
			t.Errorf("the creator left: %+v", s.Game)
		}
		if again := must(t)(e.leaveSeat(id, "ada")); again.Game.Version != s.Game.Version {
			t.Error("leaving again changes the game")
		}
		for who, err := range map[string]error{"bob": second(e.sit(id, "bob", 0)), "cyd": second(e.leaveSeat(id, "cyd"))} {
			if !errors.Is(err, ErrGameOver) {
				t.Errorf("%s, when it is over: %v", who, err)
			}
		}
		for _, who := range []string{"bob", "eve"} {
			if err := second(e.sit(e.invite("quixo/duel", "ada", "cyd").Game.ID, who, 0)); !errors.Is(err, ErrNotOpen) {
				t.Errorf("a game that is not open: %v", err)
			}
		}
	})
}

func TestOpenGamesExpire(t *testing.T) {
	for control, hours := range map[string]int{"60": 1, "3days": 24, "none": 24} {
		if testing.Short() && hours > 1 {
			continue
		}
		bubble(t, func(t *testing.T, e *evening) {
			w := openTo("quixo/duel", "ada", "")
			w.Controls = []string{control}
			id := e.openGame(w).Game.ID
			time.Sleep(time.Duration(hours)*time.Hour - time.Second)
			synctest.Wait()
			if s := e.see(id); s.Game.Status != Waiting {
				t.Errorf("%s: before its time: %+v", control, s.Game)
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if s := e.see(id); s.Game.Status != Aborted || !strings.Contains(s.Lines[0].Text, fmt.Sprintf("%d hours", hours)) {
				t.Errorf("%s: %+v, %+v", control, s.Game, s.Lines)
			}
		})
	}
}

// TestNoncesComeAfterTheLastSeat counts the time for additions to the seed once all seats are taken.
func TestNoncesComeAfterTheLastSeat(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		w := openTo("quiwin/duel", "ada", "")
		w.Nonces = true
		id := e.openGame(w).Game.ID
		time.Sleep(time.Minute)
		s := must(t)(e.sit(id, "bob", 0))
		if s.Game.Status != Waiting || s.Game.Deadline != e.now()+nonceTime {
			t.Errorf("%+v", s.Game)
		}
		for seat := int8(1); seat <= 2; seat++ {
			must(t)(e.commit(id, seat, chance.Nonce{byte(seat)}))
		}
		must(t)(e.nonce(id, 1, chance.Nonce{1}))
		if s = must(t)(e.nonce(id, 2, chance.Nonce{2})); s.Game.Status != Running {
			t.Errorf("%+v", s.Game)
		}
	})
}

func TestOpenGamesThatCannotBe(t *testing.T) {
	tables := New(Config{Storage: stored(newMemory())})
	for what, change := range map[string]func(*NewGame){
		"an open seat in a game that is not open": func(w *NewGame) { w.Open = false },
		"an open seat in a tournament":            func(w *NewGame) { w.Tournament = &Place{ID: "t", Round: 1, Board: 1} },
		"one player twice in a rated game": func(w *NewGame) {
			w.Players = []string{
				"ada", "ada",
				"",
			}
			w.Variant = "quivive/melee"
		},
	} {
		w := openTo("quixo/duel", "ada", "")
		change(&w)
		if _, err := tables.Open(t.Context(), w); !errors.Is(err, ErrSetup) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestTheLastSeatIsTakenOnce lets everything happen at the same moment that can become of the last seats, on two
// instances.
func TestTheLastSeatIsTakenOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		one, two := startAs(t, journal, "one", true), startAs(t, journal, "two", true)
		for n := range 80 {
			id := one.openGame(openTo("quivive/melee", "ada", "", "")).Game.ID
			must(t)(one.sit(id, "bob", 0))
			var wg sync.WaitGroup
			for _, act := range []func() error{
				func() error { return second(one.sit(id, "cyd", 0)) },
				func() error { return second(two.sit(id, "dan", 0)) },
				func() error { return second(one.sit(id, "eve", 3)) },
				func() error { return second(two.leaveSeat(id, "bob")) },
				func() error { return second(two.leaveSeat(id, "ada")) },
			}[:2+n%4] {
				wg.Go(func() { _ = act() })
			}
			wg.Wait()
			synctest.Wait()
			once(t, journal, id)
		}
		two.stop()
		one.stop()
	})
}

// once checks that a game began at most once, with its players at a seat each, or was broken off at most once.
func once(t interface{ Errorf(string, ...any) }, journal *memory, id string) {
	g, lines, err := journal.Load(context.Background(), id)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	kinds := kindsOf(lines)
	starts, aborts := strings.Count(kinds, "start"), strings.Count(kinds, "abort")
	seen := map[string]bool{}
	for _, p := range g.Players {
		if p != "" && seen[p] {
			t.Errorf("%s sits at two seats: %v", p, g.Players)
		}
		seen[p] = true
	}
	switch {
	case starts > 1 || aborts > 1 || starts+aborts > 1:
		t.Errorf("%s", kinds)
	case (starts == 1) != (g.Status == Running) || (aborts == 1) != (g.Status == Aborted):
		t.Errorf("it is %s after %s", g.Status, kinds)
	case starts == 1 && (seen[""] || g.Invited != 0 || g.StartedAt == 0):
		t.Errorf("it runs with an open seat: %+v", g)
	}
	if faults := Audit(g, lines); faults != nil {
		t.Errorf("%v", faults)
	}
}

// TestOpenSeatsInAnyOrder carries out any sequence of acts, and of restarts, beside a simple model of the seats.
func TestOpenSeatsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx, now, journal := context.Background(), time.UnixMilli(1_700_000_000_000), newMemory()
		open := func() *Tables {
			return New(Config{Storage: stored(journal), Now: func() time.Time {
				return now
			}, Logger: slog.New(slog.DiscardHandler)})
		}
		tables := open()
		w := openTo("quivive/melee", "ada", "bob", "", "")
		if rapid.Bool().Draw(rt, "bob is invited") {
			w.Invited = w.Invited.With(2)
		}
		games, err := tables.Open(ctx, w)
		if err != nil {
			rt.Fatal(err)
		}
		id, over := games[0].Game.ID, now.Add(time.Hour)
		seats, agreed, status := slices.Clone(w.Players), map[string]bool{"ada": true, "bob": w.Invited == 0}, Waiting
		for range rapid.IntRange(1, 14).Draw(rt, "acts") {
			who := rapid.SampledFrom([]string{"ada", "bob", "cyd", "dan", "eve"}).Draw(rt, "who")
			if status == Waiting && now.After(over) {
				status = Aborted
			}
			at := slices.Index(seats, who)
			switch act := rapid.SampledFrom([]string{"sit", "sit", "sit", "leave", "time", "restart"}).Draw(rt, "act"); act {
			case "sit":
				seat := rapid.IntRange(0, 5).Draw(rt, "seat")
				_, err := tables.Sit(ctx, tables.Arrive(id), Sitting{By: who, Player: who, Seat: int8(seat)})
				place := seat - 1
				if seat == 0 {
					place = slices.Index(seats, "")
				}
				may := status == Waiting && (at >= 0 || place >= 0 && place < 4 && seats[place] == "") || status == Running &&
					at >= 0
				if may != (err == nil) {
					rt.Fatalf("%s takes seat %d of %v (%s): %v", who, seat, seats, status, err)
				}
				if status == Waiting && may {
					if at < 0 {
						seats[place] = who
					}
					agreed[who] = true
					if !slices.ContainsFunc(seats, func(p string) bool { return !agreed[p] }) {
						status = Running
					}
				}
			case "leave":
				_, err := tables.LeaveSeat(ctx, tables.Arrive(id), who, who, sentence.Typed("no"))
				if status == Waiting && at >= 0 {
					if err != nil {
						rt.Fatalf("%s leaves: %v", who, err)
					}
					if who == "ada" {
						status = Aborted
					} else {
						seats[at] = ""
						delete(agreed, who)
					}
				} else if status == Running && at >= 0 && err == nil {
					rt.Fatal("a game that runs was left")
				}
			case "time":
				now = now.Add(time.Duration(rapid.IntRange(1, 30).Draw(rt, "minutes")) * time.Minute)
				if status == Running {
					return // flags fall
				}
			case "restart":
				tables = open()
			}
			once(rt, journal, id)
			g, lines, _ := journal.Load(ctx, id)
			if g.Status != status && !(now.After(over) && g.Status == Waiting) || !slices.Equal(g.Players, seats) {
				rt.Fatalf("it is %s with %v after %s, and should be %s with %v", g.Status, g.Players, kindsOf(lines), status, seats)
			}
		}
	})
}
