package table

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/clock"
)

var ruling = Ruling{By: "arbiter", Reason: "  a wrong\ncube "}

func must(t testing.TB) func(*Snapshot, error) *Snapshot {
	return func(s *Snapshot, err error) *Snapshot {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestPausesAreASetOfCauses(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.open("quixo/duel", "60").Game.ID
		if _, err := e.Resume(ctx, e.Arrive(id), ruling, ""); !errors.Is(err, ErrNotPaused) {
			t.Errorf("a running game is resumed: %v", err)
		}
		time.Sleep(10 * time.Second)
		s := must(t)(e.Pause(ctx, e.Arrive(id), ruling, ""))
		if s.Game.Status != Paused || s.Game.Deadline != 0 || s.Lines[1].Text != "arbiter a wrong cube" {
			t.Errorf("paused: %+v", s.Lines)
		}
		version := must(t)(e.Pause(ctx, e.Arrive(id), ruling, "alarm")).Game.Version
		if again := must(t)(e.Pause(ctx, e.Arrive(id), ruling, "alarm")); again.Game.Version != version {
			t.Error("the same cause again is another line")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, err := e.play(id, 1, 1, "a1-a5"); !errors.Is(err, ErrPaused) {
			t.Errorf("a move in a pause: %v", err)
		}
		if _, err := e.Resume(ctx, e.Arrive(id), ruling, ""); !errors.Is(err, ErrPaused) {
			t.Errorf("one of two causes must be named: %v", err)
		}
		if _, err := e.Resume(ctx, e.Arrive(id), ruling, "thirst"); !errors.Is(err, ErrNotPaused) {
			t.Errorf("a cause that there is not: %v", err)
		}
		if s := must(t)(e.Resume(ctx, e.Arrive(id), ruling, "arbiter")); s.Game.Status != Paused {
			t.Error("the alarm is still on")
		}
		s = must(t)(e.Resume(ctx, e.Arrive(id), ruling, ""))
		if left := s.Clocks(e.now())[0].Remaining; s.Game.Status != Running || left != 50_000 {
			t.Errorf("after the pause %d ms are left, and the game is %s", left, s.Game.Status)
		}
		time.Sleep(50*time.Second + time.Millisecond)
		synctest.Wait()
		if s := e.see(id); s.Game.Status != Finished || s.Game.Outcome.Reason != engine.ReasonTime {
			t.Errorf("the flag does not fall after a pause: %s", s.Game.Status)
		}
		if _, err := e.Pause(ctx, e.Arrive(id), ruling, ""); !errors.Is(err, ErrGameOver) {
			t.Errorf("a game that is over is paused: %v", err)
		}
	})
}

func TestAPauseOutlastsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(5 * time.Second)
		must(t)(e.Pause(t.Context(), e.Arrive(id), ruling, "alarm"))
		e.stop()
		time.Sleep(time.Hour)
		e = start(t, journal)
		defer e.stop()
		if s := e.see(id); len(s.Lines) != 2 || s.Game.Status != Paused {
			t.Errorf("an outage touched a paused game: %+v", s.Lines)
		}
		s := must(t)(e.Resume(t.Context(), e.Arrive(id), ruling, ""))
		if left := s.Clocks(e.now())[0].Remaining; left != 55_000 {
			t.Errorf("%d ms are left after pause and outage", left)
		}
	})
}

func TestTheArbiterChangesClocks(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.open("quixo/duel", "60").Game.ID
		time.Sleep(20 * time.Second)
		s := must(t)(e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: 1, Add: true, Ms: 30_000}))
		if s.Clocks(e.now())[0].Remaining != 70_000 || s.Lines[1].Remaining != 70_000 || s.Game.Deadline != e.now()+70_000 {
			t.Errorf("30 s added: %+v", s.Lines[1])
		}
		s = must(t)(e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: 2, Ms: 5_000}))
		if s.Clocks(e.now())[1].Remaining != 5_000 {
			t.Error("the waiting seat's clock is not set")
		}
		periods := 2
		for _, c := range []ClockChange{
			{Seat: 3, Ms: 1}, {Seat: 1, Ms: -1}, {Seat: 1, Ms: 1, Periods: &periods}, {Seat: 1, Add: true, Ms: 1 << 62}, {Seat: 0, Ms: 1},
		} {
			if _, err := e.ChangeClock(ctx, e.Arrive(id), ruling, c); !errors.Is(err, ErrClock) {
				t.Errorf("%+v gives error %v", c, err)
			}
		}
		if _, err := e.ChangeClock(ctx, e.Arrive(id), Ruling{By: "x", Reason: " \n"},
			ClockChange{Seat: 1, Ms: 1}); !errors.Is(err, ErrNoReason) {
			t.Errorf("without a reason: %v", err)
		}
		must(t)(e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: 1, Add: true, Ms: -1_000_000}))
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if s := e.see(id); s.Game.Outcome == nil || s.Game.Outcome.Ranks[0] != 2 {
			t.Error("a clock without time does not flag")
		}
	})
}

func TestTheArbiterEndsGames(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.open("quixo/duel", "60").Game.ID
		for _, ranks := range [][]int{nil, {1}, {2, 2}, {1, 3}, {1, 2, 3}, {1, 1, 1, 1}} {
			if _, err := e.Adjudicate(ctx, e.Arrive(id), ruling, ranks); !errors.Is(err, ErrRanks) {
				t.Errorf("ranks %v give error %v", ranks, err)
			}
		}
		must(t)(e.Pause(ctx, e.Arrive(id), ruling, ""))
		s := must(t)(e.Adjudicate(ctx, e.Arrive(id), ruling, []int{2, 1}))
		if s.Game.Status != Finished || s.Game.Outcome.String() != "=2,1:adjudication" || e.journal.ends() != 1 {
			t.Errorf("adjudicated: %s, %s", s.Game.Status, s.Game.Outcome)
		}
		for what, err := range map[string]error{
			"takeback":     second(e.TakeBack(ctx, e.Arrive(id), ruling, s.Game.Turn, 1)),
			"adjudication": second(e.Adjudicate(ctx, e.Arrive(id), ruling, []int{1, 2})),
			"forfeit":      second(e.Forfeit(ctx, e.Arrive(id), ruling, 1)),
			"resume":       second(e.Resume(ctx, e.Arrive(id), ruling, "")),
			"clock":        second(e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: 1, Ms: 1})),
		} {
			if !errors.Is(err, ErrGameOver) {
				t.Errorf("%s of a game that is over: %v", what, err)
			}
		}
		other := e.open("quits/duel", "60").Game.ID
		s = must(t)(e.Forfeit(ctx, e.Arrive(other), ruling, 1))
		if s.Game.Outcome.String() != "=2,1:forfeit" || s.Lines[1].Reason() != "a wrong cube" {
			t.Errorf("forfeited: %s, %+v", s.Game.Outcome, s.Lines[1])
		}
	})
}

func second(_ *Snapshot, err error) error { return err }

func TestATakebackGivesANewTurn(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.open("quixo/duel", "60+5").Game.ID
		for turn, token := range []string{"a1-a5", "e1-e5", "a2-a5"} {
			time.Sleep(10 * time.Second)
			e.mustPlay(id, int8(turn%2+1), turn+1, token)
		}
		time.Sleep(7 * time.Second)
		if _, err := e.TakeBack(ctx, e.Arrive(id), ruling, 3, 1); !errors.Is(err, ErrStaleTurn) {
			t.Errorf("an old turn: %v", err)
		}
		if _, err := e.TakeBack(ctx, e.Arrive(id), ruling, 4, 4); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("more moves than there are: %v", err)
		}
		s := must(t)(e.TakeBack(ctx, e.Arrive(id), ruling, 4, 2))
		if s.Game.Turn != 5 || s.Game.Plies != 1 || !slices.Equal(s.Game.Awaited, []int8{2}) {
			t.Errorf("after the takeback: turn %d, %d plies, awaited %v", s.Game.Turn, s.Game.Plies, s.Game.Awaited)
		}
		clocks := s.Clocks(e.now())
		if clocks[0].Remaining != 55_000 || clocks[1].Remaining != 60_000 || s.Game.Deadline != e.now()+60_000 {
			t.Errorf("the clocks show %d and %d", clocks[0].Remaining, clocks[1].Remaining)
		}
		if _, err := e.TakeBack(ctx, e.Arrive(id), ruling, 4, 2); !errors.Is(err, ErrStaleTurn) {
			t.Errorf("the same order again: %v", err)
		}
		if _, err := e.play(id, 1, 3, "a2-a5"); err != nil {
			t.Logf("a repeated old move: %v", err)
		}
		if s := e.see(id); s.Game.Plies != 1 {
			t.Error("a move for an old turn was made again")
		}
		e.mustPlay(id, 2, 5, "e1-e5")
		fresh, err := fold(e.see(id).Game, e.see(id).Lines)
		if err != nil || fresh.Match.Turn() != 6 || fresh.Match.Plies() != 2 {
			t.Errorf("the log leads to another game: %v", err)
		}
		secret := e.open("quiwin/duel", "60").Game.ID
		g := e.see(secret)
		e.mustPlay(secret, 1, 1, string(g.Match.State().Legal(1)[0]))
		if _, err := e.TakeBack(ctx, e.Arrive(secret), ruling, 1, 1); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("a sealed choice is taken back: %v", err)
		}
	})
}

// TestManyTakebacks takes back again and again; stop audits the log.
func TestManyTakebacks(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id, chance := e.open("quits/duel", "600+1").Game.ID, rand.New(rand.NewPCG(5, 5))
		for range 150 {
			time.Sleep(time.Duration(chance.IntN(900)) * time.Millisecond)
			s := e.see(id)
			if s.Game.Status != Running {
				break
			}
			if s.Game.Plies > 2 && chance.IntN(3) == 0 {
				must(t)(e.TakeBack(t.Context(), e.Arrive(id), ruling, s.Game.Turn, 1+chance.IntN(3)))
				continue
			}
			seat := s.Game.Awaited[0]
			legal := s.Match.State().Legal(engine.Seat(seat))
			e.mustPlay(id, seat, s.Game.Turn, string(legal[chance.IntN(len(legal))]))
		}
	})
}

// TestArbitersAndPlayersAtOnce lets everything happen at the same time; each act is judged on what came before it, and
// stop audits what came of it.
func TestArbitersAndPlayersAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.open("quixo/duel", "600").Game.ID
		for turn := 1; turn <= 12; turn++ {
			s := e.see(id)
			seat := s.Game.Awaited[0]
			token := string(s.Match.State().Legal(engine.Seat(seat))[turn%10])
			var wg sync.WaitGroup
			wg.Go(func() { _, _ = e.play(id, seat, s.Game.Turn, token) })
			wg.Go(func() { _, _ = e.play(id, seat, s.Game.Turn, token) }) // on the player's other device
			wg.Go(func() { _, _ = e.TakeBack(ctx, e.Arrive(id), ruling, s.Game.Turn, 1) })
			wg.Go(func() { _, _ = e.Pause(ctx, e.Arrive(id), ruling, "") })
			wg.Go(func() { _, _ = e.Resume(ctx, e.Arrive(id), ruling, "") })
			wg.Go(func() { _, _ = e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: seat, Add: true, Ms: 10}) })
			wg.Wait()
			time.Sleep(time.Millisecond)
			if _, err := e.Resume(ctx, e.Arrive(id), ruling, ""); err != nil && !errors.Is(err, ErrNotPaused) {
				t.Fatal(err)
			}
		}
		if s := e.see(id); s.Game.Plies > 12 || len(s.Lines) < 24 {
			t.Errorf("%d plies, %d lines", s.Game.Plies, len(s.Lines))
		}
	})
}

// TestTimeNeverAppears plays duels with pauses, takebacks and changes of clocks at random times. Whatever happens, all
// the time that a seat shows comes from its control, from increments, or from an arbiter, or was given back with a
// move.
func TestTimeNeverAppears(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		rapid.Check(struct{ testing.TB }{t}, func(r *rapid.T) { // without its deadline, which a bubble does not have
			const base, increment = 20_000, 2_000
			id := e.open("quixo/duel", "20+2").Game.ID
			bound := [2]int64{base, base}
			kept := map[int][2]int64{0: bound} // when each ply began to be thought about
			check := func(s *Snapshot, what string) {
				for i, c := range s.Clocks(e.now()) {
					if c.Remaining > bound[i] || c.Remaining < 0 {
						r.Fatalf("after %s seat %d shows %d ms, and has been given %d", what, i+1, c.Remaining, bound[i])
					}
				}
			}
			for range rapid.IntRange(1, 40).Draw(r, "acts") {
				wait := rapid.IntRange(0, 2_500).Draw(r, "wait")
				before := e.see(id)
				time.Sleep(time.Duration(wait) * time.Millisecond)
				synctest.Wait()
				s := e.see(id)
				if s.Game.Status.Over() {
					break
				}
				if before.Game.Status == Running {
					seat := s.Game.Awaited[0] - 1
					if now, then := s.Clocks(e.now())[seat].Remaining,
						before.Clocks(e.now() - int64(wait))[seat].Remaining; now != then-int64(wait) {
						r.Fatalf("%d ms on a running clock became %d in %d ms", then, now, wait)
					}
				}
				check(e.doAnything(r, s, &bound, kept, increment), fmt.Sprint(s.Game.Version))
			}
		})
	})
}

// doAnything does something at random, and keeps what each seat can have at most.
func (e *evening) doAnything(
	r *rapid.T, s *Snapshot, bound *[2]int64, kept map[int][2]int64, increment int64,
) *Snapshot {
	ctx, id := e.t.Context(), s.Game.ID
	seat := s.Game.Awaited[0]
	var err error
	switch what := rapid.IntRange(0, 9).Draw(r, "what"); {
	case what == 0:
		s, err = e.Pause(ctx, e.Arrive(id), ruling, "")
	case what == 1 && s.Game.Status == Paused:
		s, err = e.Resume(ctx, e.Arrive(id), ruling, "")
	case what == 2:
		ms := rapid.Int64Range(-9_000, 9_000).Draw(r, "ms")
		bound[seat-1] += max(ms, 0)
		s, err = e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: seat, Add: true, Ms: ms})
	case what == 3:
		ms := rapid.Int64Range(0, 9_000).Draw(r, "ms")
		bound[seat-1] = ms
		s, err = e.ChangeClock(ctx, e.Arrive(id), ruling, ClockChange{Seat: seat, Ms: ms})
	case what == 4 && s.Game.Plies > 0:
		plies := rapid.IntRange(1, min(3, s.Game.Plies)).Draw(r, "plies")
		*bound = kept[s.Game.Plies-plies]
		s, err = e.TakeBack(ctx, e.Arrive(id), ruling, s.Game.Turn, plies)
	case s.Game.Status == Running:
		legal := s.Match.State().Legal(engine.Seat(seat))
		bound[seat-1] += increment
		s, err = e.play(id, seat, s.Game.Turn, string(legal[len(legal)/2]))
		kept[s.Game.Plies] = *bound
	}
	if err != nil {
		r.Fatal(err)
	}
	return s
}

// TestPausingIsNeutral compares clocks with any number of pauses to clocks without.
func TestPausingIsNeutral(t *testing.T) {
	controls := []string{"60", "60+3", "30d5", "60b4", "10y3x5", "2/20+1:10"}
	rapid.Check(t, func(r *rapid.T) {
		control, err := clock.Parse(rapid.SampledFrom(controls).Draw(r, "control"))
		if err != nil {
			r.Fatal(err)
		}
		plain := clock.New([]clock.Control{control, control}, false)
		apply := func(s clock.State, e clock.Event) clock.State {
			next, _, err := s.Apply(e)
			if err != nil {
				r.Fatal(err)
			}
			return next
		}
		plain = apply(plain, clock.Event{At: 0, Kind: clock.Awaited, Await: []int8{1}, HasAwait: true})
		paused, shift, at, seat := plain, int64(0), int64(0), int8(1)
		for range rapid.IntRange(1, 12).Draw(r, "moves") {
			at += rapid.Int64Range(0, 4_000).Draw(r, "thought")
			if f, ok := plain.Next(); ok && f.At < at {
				return
			}
			if rapid.Bool().Draw(r, "pause") {
				long := rapid.Int64Range(0, 1<<40).Draw(r, "long")
				paused = apply(paused, clock.Event{At: at + shift, Kind: clock.Paused})
				shift += long
				paused = apply(paused, clock.Event{At: at + shift, Kind: clock.Resumed})
			}
			move := clock.Event{At: at, Kind: clock.Moved, Seat: seat, Await: []int8{3 - seat}, HasAwait: true}
			plain = apply(plain, move)
			move.At += shift
			paused = apply(paused, move)
			seat = 3 - seat
			for n := int8(1); n <= 2; n++ {
				a, b := plain.Seat(n, at), paused.Seat(n, at+shift)
				if a.Remaining != b.Remaining || a.Periods != b.Periods || a.Stage != b.Stage {
					r.Fatalf("seat %d: %+v without pauses, %+v with", n, a, b)
				}
			}
		}
	})
}
