package table

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// assignment assigns owners among processes that share a journal.
type assignment struct {
	mu    sync.Mutex
	games map[string]string
	rest  string // owns the others
	alone bool
}

func (a *assignment) give(process string, games ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, g := range games {
		a.games[g] = process
	}
	if len(games) == 0 {
		a.rest = process
	}
}

// holder is a process.
type holder struct {
	*assignment
	name string
}

func (h holder) Mine(game string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	owner, known := h.games[game]
	return known && owner == h.name || !known && h.rest == h.name
}

func (h holder) Alone() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.alone
}

// owning are two processes that share a journal, with the numbers of flags that each has stored, and taken over.
type owning struct {
	*assignment
	one, two *evening
	fell     [2]atomic.Int64
	taken    [2]atomic.Int64
}

func ownedBubble(t *testing.T, f func(t *testing.T, o *owning)) {
	synctest.Test(t, func(t *testing.T) {
		journal, o := newMemory(), &owning{assignment: &assignment{games: map[string]string{}, rest: "one"}}
		start := func(i int, name string) *evening {
			return startWith(t, Config{
				Storage: stored(journal), Shared: true, Instance: name, Owners: holder{o.assignment, name},
				FlagFell: func(time.Duration) { o.fell[i].Add(1) }, FlagTaken: func() { o.taken[i].Add(1) },
			})
		}
		o.one, o.two = start(0, "one"), start(1, "two")
		defer o.two.stop()
		defer o.one.stop()
		f(t, o)
	})
}

// fallen waits for the flag of a game as it was before, looking every millisecond for so long, and returns how long
// after its deadline it was stored.
func (o *owning) fallen(t *testing.T, before Game, within time.Duration) time.Duration {
	t.Helper()
	id, deadline := before.ID, before.Deadline
	time.Sleep(time.Duration(deadline-o.one.now()) * time.Millisecond)
	for {
		synctest.Wait()
		if game, _, _ := o.one.journal.Load(t.Context(), id); game.Status == Finished {
			if game.FinishedAt != deadline {
				t.Errorf("it fell at %d, not at its deadline %d", game.FinishedAt, deadline)
			}
			return time.Duration(o.one.now()-deadline) * time.Millisecond
		}
		if late := time.Duration(o.one.now()-deadline) * time.Millisecond; late > within {
			t.Fatalf("no flag %s after the deadline", late)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestOnlyTheOwnerArms opens a game at a process that does not own it: a hint arms it at its owner, and nowhere else.
func TestOnlyTheOwnerArms(t *testing.T) {
	ownedBubble(t, func(t *testing.T, o *owning) {
		o.give("two")
		game := o.one.open("quixo/duel", "60").Game
		id := game.ID
		o.give("one")
		o.give("two", id)
		mine := o.one.open("quixo/duel", "600").Game.ID
		o.one.ChangedElsewhere(id)
		o.two.ChangedElsewhere(id, mine)
		synctest.Wait()
		if one, two := o.one.Owned(), o.two.Owned(); one != 1 || two != 1 {
			t.Errorf("one waits for %d deadlines, two for %d, want 1 each", one, two)
		}
		if late := o.fallen(t, game, time.Second); late != minGrace+time.Millisecond {
			t.Errorf("the flag was stored %s after its deadline", late)
		}
		if o.fell[0].Load() != 0 || o.fell[1].Load() != 1 || o.taken[1].Load() != 0 {
			t.Errorf("flags %d and %d, %d taken over", o.fell[0].Load(), o.fell[1].Load(), o.taken[1].Load())
		}
	})
}

// TestNewGamesAreOnesOwn chooses ids that make a new game the process's own.
func TestNewGamesAreOnesOwn(t *testing.T) {
	tables := New(Config{Storage: stored(newMemory()), Owners: oneInTwo{}})
	for range 20 {
		if id := tables.newID(); !tables.cluster.owns(id) {
			t.Errorf("%s is another's", id)
		}
	}
}

// oneInTwo owns every other game. A process with few games of its own does not always find any.
type oneInTwo struct{}

func (oneInTwo) Mine(game string) bool { return game[len(game)-1] >= '8' }
func (oneInTwo) Alone() bool           { return false }

// TestFlagsAreTakenOver kills the owner of a game with a clock that runs: the new owner stores its flag in time, or at
// once if the deadline has passed. A process that only lost the game stores nothing.
func TestFlagsAreTakenOver(t *testing.T) {
	for _, dead := range []time.Duration{20 * time.Second, 59_500 * time.Millisecond} {
		t.Run(dead.String(), func(t *testing.T) {
			ownedBubble(t, func(t *testing.T, o *owning) {
				o.give("two")
				game := o.two.open("quixo/duel", "60").Game
				lost := o.one.open("quixo/duel", "30").Game.ID // stays two's as well, but two never hears of it
				time.Sleep(dead)
				synctest.Wait()
				o.two.stop()
				late := 2500 * time.Millisecond // as long as it takes to notice
				time.Sleep(late)
				o.give("one")
				o.one.OwnersChanged()
				want := minGrace + time.Millisecond
				if dead+late > 60*time.Second {
					want = dead + late - 60*time.Second
				}
				if got := o.fallen(t, game, 4*time.Second); got != want {
					t.Errorf("the flag was stored %s after its deadline, want %s", got, want)
				}
				if game, _, _ := o.one.journal.Load(t.Context(), lost); game.Status != Finished {
					t.Error("of a game without an owner no flag falls")
				}
				if o.taken[0].Load() == 0 {
					t.Error("no flag counts as taken over")
				}
			})
		})
	}
}

// TestLostGamesAreDropped has a game given to another process that lives and records its flag.
func TestLostGamesAreDropped(t *testing.T) {
	ownedBubble(t, func(t *testing.T, o *owning) {
		game := o.one.open("quixo/duel", "60").Game
		o.give("two", game.ID)
		o.one.OwnersChanged()
		o.two.OwnersChanged()
		synctest.Wait()
		if one, two := o.one.Owned(), o.two.Owned(); one != 0 || two != 1 {
			t.Errorf("one waits for %d deadlines, two for %d", one, two)
		}
		o.fallen(t, game, time.Second)
		if o.fell[0].Load() != 0 || o.fell[1].Load() != 1 {
			t.Errorf("flags %d and %d", o.fell[0].Load(), o.fell[1].Load())
		}
	})
}

// TestSweepIsTheSafetyNet notifies no process of a game: its owner finds the overdue flag after a second; where the
// owner sleeps another process does, after three.
func TestSweepIsTheSafetyNet(t *testing.T) {
	for _, c := range []struct {
		owner       string
		least, most time.Duration
	}{{"two", overdue, 2 * overdue}, {"three", overdueElsewhere, overdueElsewhere + overdue}} {
		t.Run(c.owner, func(t *testing.T) {
			ownedBubble(t, func(t *testing.T, o *owning) {
				o.give(c.owner)
				game := o.one.open("quixo/duel", "60").Game
				if late := o.fallen(t, game, 10*time.Second); late < c.least || late > c.most+100*time.Millisecond {
					t.Errorf("the flag was stored %s after its deadline, want %s to %s", late, c.least, c.most)
				}
				if c.owner == "two" && o.fell[1].Load() != 1 {
					t.Error("another one than the owner stored it")
				}
			})
		})
	}
}

// TestInTimeAtAnotherProcess lets moves come to the owner after their deadline, which were stamped in time at another
// process: they count, as long as they took no longer than twice the slowest recent move, even if an act comes here
// first.
func TestInTimeAtAnotherProcess(t *testing.T) {
	for _, c := range []struct {
		name         string
		slow, takes  time.Duration // another act took, and the move
		alone, meets bool          // with an act that is late
		counts       bool
	}{
		{name: "within the least grace", takes: 29 * time.Millisecond, counts: true},
		{name: "slower than any other", takes: 40 * time.Millisecond},
		{name: "as slow as others", slow: 200 * time.Millisecond, takes: 390 * time.Millisecond, counts: true},
		{name: "slower than the most", slow: 400 * time.Millisecond, takes: 520 * time.Millisecond},
		{name: "others were slow long ago", slow: -200 * time.Millisecond, takes: 100 * time.Millisecond},
		{name: "meets a late act", takes: 25 * time.Millisecond, meets: true, counts: true},
		{name: "no other lives", takes: 25 * time.Millisecond, alone: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ownedBubble(t, func(t *testing.T, o *owning) {
				o.mu.Lock()
				o.alone = c.alone
				o.mu.Unlock()
				id, other := o.one.open("quixo/duel", "60").Game.ID, o.one.open("quixo/duel", "600").Game.ID
				time.Sleep(45 * time.Second)
				if c.slow < 0 {
					o.one.ArriveAt(other, o.one.now()+c.slow.Milliseconds()).Done()
				}
				time.Sleep(15 * time.Second) // at the deadline
				if c.slow > 0 {
					o.one.ArriveAt(other, o.one.now()-c.slow.Milliseconds()).Done()
				}
				stamp, late := o.one.now(), make(chan error, 1)
				time.Sleep(5 * time.Millisecond)
				if c.meets {
					go func() {
						_, err := o.one.play(id, 1, 1, "b1-b5")
						late <- err
					}()
				}
				time.Sleep(c.takes - 5*time.Millisecond)
				_, err := o.one.Play(t.Context(), o.one.ArriveAt(id, stamp), Move{
					Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "a1-a5",
				})
				if c.counts && err != nil || !c.counts && !errors.Is(err, ErrFlagFallen) {
					t.Errorf("the move: %v; it counts: %v", err, c.counts)
				}
				if c.meets {
					if err := <-late; !errors.Is(err, ErrStaleTurn) {
						t.Errorf("the late act: %v, want %v", err, ErrStaleTurn)
					}
				}
			})
		})
	}
}

// clone returns a journal that keeps the same.
func (m *memory) clone() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := newMemory()
	for id := range m.games {
		c.games[id] = m.games[id]
		c.logs[id] = append([]Line(nil), m.logs[id]...)
	}
	return c
}

// anything returns an act on a game of two.
func anything(r *rapid.T, s *Snapshot) func(t *Tables) (*Snapshot, error) {
	id, ctx := s.Game.ID, context.Background()
	seat := rapid.Int8Range(1, 2).Draw(r, "seat")
	act := Act{Game: id, Seat: seat, By: "x"}
	arbiter := Ruling{By: "olga", Reason: "a fly"}
	turn := max(1, s.Match.Turn()-rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(r, "before"))
	token := "z9"
	if legal := s.Match.State().Legal(engine.Seat(seat)); len(legal) > 0 {
		token = string(rapid.SampledFrom(legal).Draw(r, "move"))
	}
	moves := func(t *Tables) (*Snapshot, error) {
		return t.Play(ctx, t.Arrive(id), Move{Act: act, Turn: turn, Token: token})
	}
	return rapid.SampledFrom([]func(t *Tables) (*Snapshot, error){
		moves, moves, moves, moves, moves,
		func(t *Tables) (*Snapshot, error) { return t.Offer(ctx, t.Arrive(id), act) },
		func(t *Tables) (*Snapshot, error) { return t.Decline(ctx, t.Arrive(id), act) },
		func(t *Tables) (*Snapshot, error) { return t.AskBack(ctx, t.Arrive(id), act) },
		func(t *Tables) (*Snapshot, error) { return t.AgreeBack(ctx, t.Arrive(id), act) },
		func(t *Tables) (*Snapshot, error) { return t.Pause(ctx, t.Arrive(id), arbiter, CauseArbiter) },
		func(t *Tables) (*Snapshot, error) { return t.Resume(ctx, t.Arrive(id), arbiter, CauseArbiter) },
		func(t *Tables) (*Snapshot, error) { return t.Snapshot(ctx, id) },
		func(t *Tables) (*Snapshot, error) {
			return t.AbortIf(ctx, t.Arrive(id), "x", sentence.Fixed("no"), func(*Snapshot) error { return ErrNotYourSeat })
		},
	}).Draw(r, "act")
}

// TestNothingStaleIsAnswered acts at random through two processes with what each has last seen in its cache. Every
// answer is that of a third process that has just started and reads everything.
func TestNothingStaleIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(struct{ testing.TB }{t}, func(r *rapid.T) { // without its deadline, which a bubble does not have
			journal := &counting{memory: newMemory()}
			both := []*Tables{
				New(Config{Storage: stored(journal), Shared: true}), New(Config{Storage: stored(journal), Shared: true}),
			}
			games, err := both[0].Open(context.Background(), NewGame{
				Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"60"}, Start: true, Takebacks: true,
			})
			if err != nil {
				r.Fatal(err)
			}
			s := games[0]
			for range rapid.IntRange(1, 25).Draw(r, "acts") {
				time.Sleep(time.Duration(rapid.IntRange(0, 9_000).Draw(r, "wait")) * time.Millisecond)
				do := anything(r, s)
				fresh := New(Config{Storage: stored(journal.clone()), Shared: true})
				want, wantErr := do(fresh)
				got, err := do(both[rapid.IntRange(0, 1).Draw(r, "process")])
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || (got == nil) != (want == nil) {
					r.Fatalf("answered %v, want %v", err, wantErr)
				}
				stored, lines, _ := journal.Load(context.Background(), s.Game.ID)
				if got != nil {
					if got.Game.Version != want.Game.Version || got.Game.Version != stored.Version ||
						got.Match.Position() != want.Match.Position() {
						r.Fatalf("answered version %d, want %d, stored %d", got.Game.Version, want.Game.Version, stored.Version)
					}
				}
				if s, err = fold(stored, lines); err != nil {
					r.Fatal(err)
				}
				if stored.Status.Over() {
					return
				}
			}
		})
	})
}

// TestMovesReadNoVersion plays a game through a single process: no move reads anything.
func TestMovesReadNoVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := &counting{memory: newMemory()}
		tables := New(Config{Storage: stored(journal), Shared: true, Owners: oneInTwo{}})
		games, err := tables.Open(t.Context(), NewGame{
			Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"60+1"}, Start: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		*journal = counting{memory: journal.memory}
		id := games[0].Game.ID
		for turn, token := range []string{"a1-a5", "e1-e5", "b1-b5", "d1-d5"} {
			m := Move{Act: Act{Game: id, Seat: int8(turn%2 + 1)}, Turn: turn + 1, Token: token}
			if _, err := tables.Play(t.Context(), tables.Arrive(id), m); err != nil {
				t.Fatal(err)
			}
		}
		if journal.whole+journal.since+journal.versions != 0 {
			t.Errorf("the journal was asked for %d logs, %d parts and %d versions", journal.whole, journal.since,
				journal.versions)
		}
	})
}

// TestManyActThroughTwo plays a game through two processes at the same time: four players for each turn, each with a
// move of its own. A single move is acknowledged, and stored in the log.
func TestManyActThroughTwo(t *testing.T) {
	journal := newMemory()
	journal.before = func(Step) { runtime.Gosched() }
	both := []*Tables{
		New(Config{Storage: stored(journal), Shared: true}), New(Config{Storage: stored(journal), Shared: true}),
	}
	games, err := both[0].Open(t.Context(), NewGame{
		Variant: "quits/duel", Players: []string{"ada", "bob"}, Controls: []string{"none"}, Start: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := games[0]
	for turn := 1; turn < 60 && !s.Game.Status.Over(); turn++ {
		seat := s.Match.Pending().Awaited[0]
		legal := s.Match.State().Legal(seat)
		var acknowledged [4]atomic.Bool
		var players sync.WaitGroup
		for i := range acknowledged {
			token := string(legal[(turn*7+i)%len(legal)])
			players.Go(func() {
				on := both[i%2]
				_, err := on.Play(t.Context(), on.Arrive(s.Game.ID), Move{
					Act: Act{Game: s.Game.ID, Seat: int8(seat)}, Turn: turn, Token: token,
				})
				acknowledged[i].Store(err == nil)
				if err != nil && !errors.Is(err, ErrStaleTurn) && !errors.Is(err, ErrGameOver) {
					t.Error(err)
				}
			})
		}
		players.Wait()
		if s, err = both[turn%2].Snapshot(t.Context(), s.Game.ID); err != nil || len(s.Lines) != turn+1 {
			t.Fatalf("turn %d: %d lines, %v", turn, len(s.Lines), err)
		}
		for i := range acknowledged {
			if is := s.Lines[turn].Text == string(legal[(turn*7+i)%len(legal)]); acknowledged[i].Load() && !is {
				t.Errorf("turn %d: %s was acknowledged, %s is stored", turn, legal[(turn*7+i)%len(legal)], s.Lines[turn].Text)
			}
		}
	}
	for _, fault := range Audit(s.Game, s.Lines) {
		t.Error(fault)
	}
}

// TestFlagWhileTheJournalDoesNotAnswer has a deadline just after the journal has stopped to answer, before that is
// noticed: the flag does not fall, since the player gets the time back.
func TestFlagWhileTheJournalDoesNotAnswer(t *testing.T) {
	pair(t, func(t *testing.T, one, two *evening) {
		id := one.open("quixo/duel", "10.7").Game.ID
		time.Sleep(10*time.Second + 200*time.Millisecond)
		back := one.journal.stall()
		time.Sleep(3 * time.Second)
		back()
		time.Sleep(300 * time.Millisecond)
		synctest.Wait()
		for _, e := range []*evening{one, two} {
			if s := e.see(id); s.Game.Status != Running || len(s.Lines) != 2 || s.Lines[1].Kind != LineOutage {
				t.Errorf("%s after %+v", s.Game.Status, s.Lines)
			}
		}
	})
}

// TestWhatIsWatched has games looked at by other processes from their beginning, and again when an arbiter has changed
// a clock. A move costs nothing.
func TestWhatIsWatched(t *testing.T) {
	pair(t, func(t *testing.T, one, _ *evening) {
		watched := func(id string) int64 {
			time.Sleep(watchInterval)
			synctest.Wait()
			one.journal.mu.Lock()
			defer one.journal.mu.Unlock()
			at := one.journal.watched[id]
			clear(one.journal.watched)
			return at - one.now()
		}
		id := one.open("quixo/duel", "60").Game.ID
		if at := watched(id); at != 59_900 {
			t.Errorf("the new game is to be looked at in %d ms", at)
		}
		one.mustPlay(id, 1, 1, "a1-a5")
		if at := watched(id); at > 0 {
			t.Errorf("after a move it is to be looked at in %d ms", at)
		}
		if _, err := one.ChangeClock(t.Context(), one.Arrive(id), Ruling{By: "olga", Reason: "a fly"},
			ClockChange{Seat: 1, Ms: 20_000}); err != nil {
			t.Fatal(err)
		}
		if at := watched(id); at != 19_900 {
			t.Errorf("after a change of the other clock it is to be looked at in %d ms", at)
		}
		if untimed := one.open("quixo/duel", "none").Game.ID; watched(untimed) > 0 {
			t.Error("a game without clocks is to be looked at")
		}
	})
}
