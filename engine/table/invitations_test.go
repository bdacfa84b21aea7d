package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"quatuor/engine/chance"
	"quatuor/engine/sentence"
)

// invite opens a game by ada and invites the others.
func (e *evening) invite(variant string, players ...string) *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), invitationOf(variant, players...))
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

func invitationOf(variant string, players ...string) NewGame {
	w := NewGame{Variant: variant, Players: players, Controls: []string{"60"}, Rated: true, Start: true, CreatedBy: "ada"}
	for i, p := range players {
		if p != "ada" {
			w.Invited = w.Invited.With(int8(i + 1))
		}
	}
	return w
}

func (e *evening) accept(id, player string) (*Snapshot, error) {
	return e.AcceptInvitation(e.t.Context(), e.Arrive(id), player, player)
}

func (e *evening) decline(id, player string) (*Snapshot, error) {
	return e.DeclineInvitation(e.t.Context(), e.Arrive(id), player, player, sentence.Typed("declined by "+player))
}

func TestAGameWaitsForAllItsPlayers(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.invite("quivive/melee", "ada", "bob", "cyd").Game.ID
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		s := must(t)(e.accept(id, "cyd"))
		if s.Game.Status != Waiting || s.Game.Invited != 0b010 || len(s.Project(s.Viewer("ada")).Legal) != 0 {
			t.Errorf("after one of two: %+v", s.Game)
		}
		if _, err := e.play(id, 1, 1, "a1"); !errors.Is(err, ErrNotStarted) {
			t.Errorf("a move before all have accepted: %v", err)
		}
		if _, err := e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 2, By: "bob"}); !errors.Is(err, ErrNotStarted) {
			t.Errorf("resigning before all have accepted: %v", err)
		}
		if _, err := e.Start(t.Context(), e.Arrive(id), "ada"); !errors.Is(err, ErrNotStarted) ||
			!strings.Contains(err.Error(), "seat 2") {
			t.Errorf("starting before all have accepted: %v", err)
		}
		for _, c := range s.Clocks(e.now()) {
			if c.Running || c.Remaining != 60_000 {
				t.Errorf("a clock runs: %+v", c)
			}
		}
		time.Sleep(time.Hour)
		again := must(t)(e.accept(id, "cyd"))
		if again.Game.Version != s.Game.Version {
			t.Error("accepting again changes the game")
		}
		if err := second(e.accept(id, "eve")); !errors.Is(err, ErrNotYourSeat) {
			t.Errorf("accepting for nobody: %v", err)
		}
		began := e.now()
		s = must(t)(e.accept(id, "bob"))
		if s.Game.Status != Running || s.Game.StartedAt != began || s.Game.Deadline != began+60_000 ||
			kindsOf(s.Lines) != "accept accept start" {
			t.Errorf("after the last: %s, started at %d, deadline %d, %s", s.Game.Status, s.Game.StartedAt, s.Game.Deadline,
				kindsOf(s.Lines))
		}
		if late := must(t)(e.accept(id, "bob")); late.Game.Version != s.Game.Version {
			t.Error("accepting a running game changes it")
		}
		if err := second(e.decline(id, "bob")); !errors.Is(err, ErrNoInvitation) {
			t.Errorf("declining a running game: %v", err)
		}
	})
}

func TestWithoutInvitedPlayersAGameStartsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		if s := e.invite("quixo/duel", "ada", "ada2"); s.Game.Status != Waiting {
			t.Errorf("with a player invited it is %s", s.Game.Status)
		}
		w := invitationOf("quixo/duel", "ada", "bob")
		w.Invited = 0
		games, err := e.Open(t.Context(), w)
		if err != nil || games[0].Game.Status != Running {
			t.Errorf("%+v, %v", games, err)
		}
	})
}

func TestInvitationsAreDeclined(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.invite("quivive/melee", "ada", "bob", "cyd").Game.ID
		must(t)(e.accept(id, "bob"))
		if err := second(e.decline(id, "eve")); !errors.Is(err, ErrNotYourSeat) {
			t.Errorf("by somebody else: %v", err)
		}
		s := must(t)(e.decline(id, "cyd"))
		last := s.Lines[len(s.Lines)-1]
		if s.Game.Status != Aborted || last.Kind != LineAbort || last.Seat != 3 || last.Text != "declined by cyd" ||
			s.Game.Deadline != 0 {
			t.Errorf("%+v, %+v", s.Game, last)
		}
		if again := must(t)(e.decline(id, "cyd")); again.Game.Version != s.Game.Version {
			t.Error("declining again changes the game")
		}
		if err := second(e.decline(id, "bob")); !errors.Is(err, ErrGameOver) {
			t.Errorf("declining what another has declined: %v", err)
		}
		if err := second(e.accept(id, "cyd")); !errors.Is(err, ErrGameOver) {
			t.Errorf("accepting what was declined: %v", err)
		}
		if n := e.journal.ends(); n != 1 {
			t.Errorf("%d outbox rows", n)
		}
	})
}

// TestInvitationsExpire lets the time pass with and without a restart in its midst; the server's absence is given back.
func TestInvitationsExpire(t *testing.T) {
	for _, away := range []time.Duration{0, 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			journal := newMemory()
			begun := time.Now().Add(3*time.Minute - 24*time.Hour)
			games, err := New(Config{Storage: stored(journal), Now: func() time.Time { return begun }}).
				Open(t.Context(), invitationOf("quixo/duel", "ada", "bob"))
			if err != nil {
				t.Fatal(err)
			}
			id := games[0].Game.ID
			if err := journal.Beat(t.Context(), "test", time.Now().UnixMilli()); err != nil {
				t.Fatal(err)
			}
			e := start(t, journal)
			defer func() { e.stop() }()
			time.Sleep(time.Minute)
			synctest.Wait()
			if away > 0 {
				e.stop()
				time.Sleep(away)
				e = start(t, journal)
			}
			time.Sleep(2*time.Minute - 2*time.Second)
			synctest.Wait()
			if s := e.see(id); s.Game.Status != Waiting {
				t.Fatalf("it is %s before its time was over", s.Game.Status)
			}
			time.Sleep(4 * time.Second)
			synctest.Wait()
			s := e.see(id)
			last := s.Lines[len(s.Lines)-1]
			if s.Game.Status != Aborted || last.Seat != 0 || !strings.Contains(last.Text, "24 hours") || s.Game.Outcome != nil {
				t.Errorf("%+v, %+v", s.Game, last)
			}
			if err := second(e.accept(id, "bob")); !errors.Is(err, ErrGameOver) {
				t.Errorf("too late: %v", err)
			}
		})
	}
}

// TestNoncesComeAfterAcceptance counts the seats' time from the last acceptance.
func TestNoncesComeAfterAcceptance(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		w := invitationOf("quiwin/duel", "ada", "bob")
		w.Nonces = true
		games, err := e.Open(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		id := games[0].Game.ID
		if _, err := e.commit(id, 1, chance.Nonce{1}); !errors.Is(err, ErrNotStarted) {
			t.Errorf("before all have accepted: %v", err)
		}
		if c := games[0].Chance(games[0].Viewer("ada")); c.Until != 0 || len(c.Awaited) != 0 {
			t.Errorf("nonces are awaited before all have accepted: %+v", c)
		}
		time.Sleep(time.Hour)
		s := must(t)(e.accept(id, "bob"))
		if c := s.Chance(s.Viewer("ada")); s.Game.Status != Waiting || c.Until != e.now()+nonceTime || len(c.Awaited) != 2 {
			t.Errorf("after all have accepted: %s, %+v", s.Game.Status, c)
		}
		must(t)(e.commit(id, 1, chance.Nonce{1}))
		must(t)(e.commit(id, 2, chance.Nonce{2}))
		must(t)(e.nonce(id, 1, chance.Nonce{1}))
		if s = must(t)(e.nonce(id, 2, chance.Nonce{2})); s.Game.Status != Running {
			t.Errorf("with all nonces it is %s", s.Game.Status)
		}
	})
}

// TestInvitationIsAnsweredOnce lets everything that can end an invitation happen at the same moment, on two instances.
func TestInvitationIsAnsweredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		one, two := startAs(t, journal, "one", true), startAs(t, journal, "two", true)
		for n := range 60 {
			id := one.invite("quivive/melee", "ada", "bob", "cyd").Game.ID
			var wg sync.WaitGroup
			for _, act := range []func() error{
				func() error { return second(one.accept(id, "bob")) },
				func() error { return second(two.accept(id, "bob")) },
				func() error { return second(two.accept(id, "cyd")) },
				func() error { return second(one.decline(id, "cyd")) },
				func() error { return second(two.Abort(t.Context(), id, "ada", sentence.Typed("no time"))) },
			}[n%3:] {
				wg.Go(func() { _ = act() })
			}
			wg.Wait()
			synctest.Wait()
			s := one.see(id)
			starts := strings.Count(kindsOf(s.Lines), "start")
			aborts := strings.Count(kindsOf(s.Lines), "abort")
			if starts == 1 && (s.Game.Status != Running && s.Game.Status != Aborted || s.Game.Invited != 0) ||
				starts+aborts > 2 || aborts > 1 || starts > 1 {
				t.Errorf("%s: %s, %b", kindsOf(s.Lines), s.Game.Status, s.Game.Invited)
			}
			if starts == 0 && s.Game.StartedAt != 0 || starts == 0 && s.Game.Status == Running {
				t.Errorf("it runs without a start: %s", kindsOf(s.Lines))
			}
			if !s.Game.Status.Over() {
				must(t)(one.Abort(t.Context(), id, "ada", sentence.Typed("next")))
			}
		}
		two.stop()
		one.stop()
	})
}

// TestInvitationsInAnyOrder carries out any sequence of acts, and of restarts, beside a plain account of what must
// become of the game.
func TestInvitationsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx, now, journal := context.Background(), time.UnixMilli(1_700_000_000_000), newMemory()
		open := func() *Tables {
			return New(Config{Storage: stored(journal), Now: func() time.Time {
				return now
			}, Logger: slog.New(slog.DiscardHandler)})
		}
		tables := open()
		players := []string{"ada", "bob", "cyd", "bob"}
		w := invitationOf("quivive/melee", players...)
		w.Rated, w.Controls = false, []string{"none"}
		games, err := tables.Open(ctx, w)
		if err != nil {
			rt.Fatal(err)
		}
		id, expires := games[0].Game.ID, now.Add(24*time.Hour)
		waits, status, moves := map[string]bool{"bob": true, "cyd": true}, Waiting, 0
		for range rapid.IntRange(1, 12).Draw(rt, "acts") {
			who := rapid.SampledFrom([]string{"ada", "bob", "cyd", "eve"}).Draw(rt, "who")
			if status == Waiting && now.After(expires) {
				status = Aborted
			}
			var err error
			seated := who != "eve"
			switch act := rapid.SampledFrom([]string{"accept", "accept", "decline", "abort", "move", "time", "restart"}).
				Draw(rt, "act"); act {
			case "accept":
				if seated && status == Waiting {
					if delete(waits, who); len(waits) == 0 {
						status = Running
					}
				}
				_, err = tables.AcceptInvitation(ctx, tables.Arrive(id), who, who)
				if ok := seated && !status.Over(); ok != (err == nil) {
					rt.Fatalf("%s accepts a game that is %s: %v", who, status, err)
				}
			case "decline":
				_, err = tables.DeclineInvitation(ctx, tables.Arrive(id), who, who, sentence.Typed("no"))
				if seated && status == Waiting {
					status = Aborted
					if err != nil {
						rt.Fatalf("%s declines: %v", who, err)
					}
				}
			case "abort":
				_, err = tables.Abort(ctx, id, who, sentence.Typed("no time"))
				if status.Over() != errors.Is(err, ErrGameOver) {
					rt.Fatalf("a game that is %s is broken off: %v", status, err)
				}
				status = Aborted
			case "move":
				s, failed := tables.Snapshot(ctx, id)
				if failed != nil {
					rt.Fatal(failed)
				}
				seat := s.Match.Pending().Awaited[0]
				_, err = tables.Play(ctx, tables.Arrive(id), Move{
					Act: Act{Game: id, Seat: int8(seat)}, Turn: s.Match.Turn(), Token: string(s.Match.State().Legal(seat)[0]),
				})
				if (err == nil) != (status == Running) {
					rt.Fatalf("a move in a game that is %s: %v", status, err)
				}
				if err == nil {
					moves++
				}
			case "time":
				now = now.Add(time.Duration(rapid.IntRange(1, 30).Draw(rt, "hours")) * time.Hour)
			case "restart":
				tables = open()
			}
			check(rt, journal, id, status, moves, now.After(expires))
		}
	})
}

// check compares the stored game with what must have become of it; expired games are broken off with the next act.
func check(rt *rapid.T, journal *memory, id string, status Status, moves int, expired bool) {
	g, lines, err := journal.Load(context.Background(), id)
	if err != nil {
		rt.Fatal(err)
	}
	if g.Status != status && !(expired && g.Status == Waiting) {
		rt.Fatalf("it is %s after %s, and should be %s", g.Status, kindsOf(lines), status)
	}
	kinds := kindsOf(lines)
	if started := strings.Contains(kinds, "start"); started != (g.StartedAt != 0) || started &&
		(g.Invited != 0 || !strings.HasPrefix(kinds, "accept accept accept start")) {
		rt.Fatalf("started at %d after %s, without the word of %b", g.StartedAt, kinds, g.Invited)
	}
	if strings.Count(kinds, "start") > 1 || strings.Count(kinds, "abort") > 1 || strings.Count(kinds, "move") != moves {
		rt.Fatal(kinds)
	}
	if faults := Audit(g, lines); faults != nil {
		rt.Fatal(faults)
	}
}

// TestAuditOfInvitations spoils what is stored of an accepted invitation.
func TestAuditOfInvitations(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.invite("quivive/melee", "ada", "bob", "cyd").Game.ID
		must(t)(e.accept(id, "bob"))
		must(t)(e.accept(id, "cyd"))
		g, lines, err := e.journal.Load(t.Context(), id)
		if err != nil || len(Audit(g, lines)) != 0 {
			t.Fatalf("%v, %v", Audit(g, lines), err)
		}
		for what, spoil := range map[string]func(*Game, []Line) []Line{
			"an acceptance that is not there": func(g *Game, l []Line) []Line { g.Version--; return l[1:] },
			"the start before the last acceptance": func(_ *Game, l []Line) []Line {
				l[1], l[2] = l[2], l[1]
				return l
			},
			"a seat that is invited still": func(g *Game, l []Line) []Line { g.Invited = 1; return l },
			"acceptance by a seat that was there from the start": func(_ *Game, l []Line) []Line {
				l[1].Seat = 2
				return l
			},
		} {
			spoilt := g
			if faults := Audit(spoilt, spoil(&spoilt, append([]Line(nil), lines...))); len(faults) == 0 {
				t.Errorf("%s: nothing is found", what)
			}
		}
	})
}

func TestMovedSeats(t *testing.T) {
	move := func(seat int8) Line { return Line{Kind: LineMove, Seat: seat} }
	for want, lines := range map[SeatSet][]Line{
		0:    {{Kind: LineStart}, {Kind: LineLeft, Seat: 1}},
		0b01: {move(1), {Kind: LineLeft, Seat: 2}, move(1)},
		0b11: {move(1), move(2), {Kind: LineTakeback, Text: "2"}, move(2)},
		0b10: {move(1), {Kind: LineTakeback, Text: "1 by mistake"}, move(2)},
	} {
		if got := MovedIn(lines); got != want {
			t.Errorf("%+v: %b, want %b", lines, got, want)
		}
	}
}

// TestASeatThatHasLeftIsNotWaitedFor takes a seat out before it has moved.
func TestASeatThatHasLeftIsNotWaitedFor(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		w := invitationOf("quivive/melee", "ada", "bob", "cyd")
		w.Invited = 0
		games, err := e.Open(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		id := games[0].Game.ID
		must(t)(e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 3, By: "cyd"}))
		for seat := int8(1); seat <= 2; seat++ {
			s := e.see(id)
			if s.AllMoved() {
				t.Errorf("before seat %d has moved", seat)
			}
			e.mustPlay(id, seat, s.Match.Turn(), string(s.Match.State().Legal(s.Match.Pending().Awaited[0])[0]))
		}
		if !e.see(id).AllMoved() {
			t.Error("a seat that has left is waited for")
		}
	})
}

// TestWhatCasualGamesMustGive holds new games to their limits.
func TestWhatCasualGamesMustGive(t *testing.T) {
	endless := map[string]string{"repetition": "0", "max_plies": "0"}
	for i, c := range []struct {
		rated    bool
		controls string
		options  map[string]string
		at       string // what is refused, "" for nothing
	}{
		{true, "60", nil, ""},
		{true, "59.999", nil, "/time_control"},
		{true, "0.001", nil, "/time_control"},
		{true, "30+1", nil, ""},
		{true, "29+0.5", nil, "/time_control"},
		{true, "0+5", nil, ""},
		{true, "0.001+10", nil, "/time_control"},
		{true, "1d10", nil, ""},
		{true, "1d4", nil, ""},
		{true, "0.5d4", nil, "/time_control"},
		{true, "10b1", nil, ""},
		{true, "4b10", nil, "/time_control"},
		{true, "0y5x30", nil, ""},
		{true, "0y1x30", nil, "/time_control"},
		{true, "1/1:3600", nil, "/time_control"},
		{true, "3days", nil, ""},
		{true, "none", nil, ""},
		{true, "300 301", nil, "/seats"},
		{true, "300 none", nil, "/seats"},
		{true, "300 300+0", nil, ""},
		{false, "0.001", nil, ""},
		{false, "300 1", nil, ""},
		{false, "none", endless, "/options"},
		{true, "none", endless, "/options"},
		{false, "60", endless, ""},
		{false, "none 60", endless, ""},
		{false, "none", map[string]string{"repetition": "0"}, ""},
		{false, "none", map[string]string{"max_plies": "0"}, ""},
	} {
		tables := New(Config{Storage: stored(newMemory())})
		_, err := tables.Open(t.Context(), NewGame{
			Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: strings.Fields(c.controls), Rated: c.rated,
			Options: c.options,
		})
		var field *FieldError
		got := ""
		if errors.As(err, &field) {
			got = field.Pointer
		}
		if got != c.at || (err != nil) != (c.at != "") || err != nil && !errors.Is(err, ErrSetup) {
			t.Errorf("%d: %+v: %v", i, c, err)
		}
		_, err = tables.Open(t.Context(), NewGame{
			Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: strings.Fields(c.controls), Rated: c.rated,
			Options:    c.options,
			Tournament: &Place{ID: "t", Round: 1, Board: 1}, ID: fmt.Sprint("of a tournament ", i),
		})
		if err != nil {
			t.Errorf("%d: a game of a tournament that was set up before: %v", i, err)
		}
	}
}
