package table

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// waits returns the number of games with a pending credit.
func (o *outages) waits() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.games)
}

// TestEveryGameGetsTheOutage starts again with games of all kinds of clocks, some of them without a move, some with an
// offer after the last heartbeat, some with flags that fell before it. That rows and logs fit together is checked when
// the tables stop.
func TestEveryGameGetsTheOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		chance := rand.New(rand.NewPCG(1, 2))
		remaining := map[string]int64{}
		games := 3 * creditBatchSize
		if testing.Short() {
			games = creditBatchSize + 10
		}
		for i := range games {
			control := []string{"60", "25.5", "300+3", "none", "2/40+5:60y3x10", "20y3x10"}[i%6]
			id := e.open([]string{"quixo/duel", "quits/duel"}[i%2], control).Game.ID
			if i%5 == 0 && i%2 == 0 {
				e.mustPlay(id, 1, 1, "a1-a5")
			}
			remaining[id] = 0
			time.Sleep(time.Duration(chance.IntN(20)) * time.Millisecond)
		}
		e.stop()
		late := New(Config{Storage: stored(journal)}) // acts after the last heartbeat
		for id := range remaining {
			s, err := late.Snapshot(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if chance.IntN(10) == 0 && s.Game.Status == Running {
				_, _ = late.Offer(t.Context(), late.Arrive(id), Act{Game: id, Seat: 1})
			}
		}
		died := e.now()
		for id := range remaining {
			s, _ := late.Snapshot(t.Context(), id)
			remaining[id] = s.Clocks(died)[0].Remaining
		}
		time.Sleep(10 * time.Minute)
		again := start(t, journal)
		defer again.stop()
		if again.outages.waits() != len(remaining) && again.outages.waits() == 0 {
			t.Error("nobody is owed anything")
		}
		synctest.Wait()
		if n := again.outages.waits(); n != 0 {
			t.Errorf("%d games wait for their share", n)
		}
		if left, _ := journal.Outages(t.Context()); len(left) != 0 {
			t.Errorf("outages stay noted: %v", left)
		}
		lost := 0
		for id, want := range remaining {
			s := again.see(id)
			if s.Game.Status != Running {
				lost++
				continue
			}
			if got := s.Clocks(again.now())[0].Remaining; got != want {
				t.Errorf("%s: %d ms remain, want %d; log %+v", s.Game.Controls[0], got, want, s.Lines)
			}
			last := s.Lines[len(s.Lines)-1]
			if armed := again.flags.index[id]; last.Kind != LineOutage || (armed != nil) != (s.Game.Deadline != 0) ||
				armed != nil && armed.at != s.Game.Deadline {
				t.Errorf("armed %+v for deadline %d, last line %+v", armed, s.Game.Deadline, last)
			}
		}
		if lost == len(remaining) {
			t.Error("no game is left")
		}
	})
}

// TestBrokenGameBlocksNoOther breaks the log of a game, which gets its share once it is mended.
func TestBrokenGameBlocksNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		broken, good := e.open("quixo/duel", "60").Game.ID, e.open("quixo/duel", "60").Game.ID
		e.mustPlay(broken, 1, 1, "a1-a5")
		e.cancel()
		<-e.ended
		journal.logs[broken][1].Text = "a1-a1"
		// A flag that fell just before the end makes the log be read.
		_ = journal.Beat(t.Context(), "test", e.now()+61_000)
		time.Sleep(10 * time.Minute)
		again := start(t, journal)
		synctest.Wait()
		if _, err := again.Snapshot(t.Context(), broken); !errors.Is(err, errBroken) {
			t.Errorf("error %v, want errBroken", err)
		}
		if _, err := again.play(broken, 2, 2, "b1-b5"); !errors.Is(err, errBroken) {
			t.Errorf("error %v, want errBroken", err)
		}
		if s := again.see(good); s.Game.Outcome == nil {
			t.Errorf("the other game: %+v", s.Game)
		}
		fresh := again.open("quixo/duel", "60").Game.ID
		again.mustPlay(fresh, 1, 1, "a1-a5")
		again.cancel()
		<-again.ended
		journal.logs[broken][1].Text = "a1-a5"
		mended := start(t, journal)
		defer mended.stop()
		synctest.Wait()
		if s := mended.see(broken); s.Game.Outcome == nil || s.Game.Outcome.String() != "=1,2:time" {
			t.Errorf("mended: %+v", s.Game)
		}
		if left, _ := journal.Outages(t.Context()); len(left) != 0 || mended.outages.waits() != 0 {
			t.Errorf("outages stay noted: %v; %d games wait", left, mended.outages.waits())
		}
	})
}

// TestCrashBeforeTheOutageIsGivenBack ends the process when the outage is noted and no game has got it yet.
func TestCrashBeforeTheOutageIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(20 * time.Second)
		e.stop()
		time.Sleep(time.Minute)
		crashed := New(Config{Storage: stored(journal)})
		if err := crashed.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		again := start(t, journal)
		defer again.stop()
		s := again.see(id)
		if got := s.Clocks(again.now())[0].Remaining; got != 40_000 {
			t.Errorf("remaining %d, want 40000; log %+v", got, s.Lines)
		}
		whole := int64(0)
		for _, l := range s.Lines {
			if l.Kind == LineOutage {
				length, _ := strconv.ParseInt(l.Text, 10, 64)
				whole += length
			}
		}
		if whole != 120_000 {
			t.Errorf("outages of %d ms are in the log, want 120000", whole)
		}
	})
}

// TestAnActComesAfterTheOutage lets a player move before Run has come to the game: the log has the outage first.
func TestAnActComesAfterTheOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(20 * time.Second)
		e.stop()
		time.Sleep(time.Hour)
		again := New(Config{Storage: stored(journal)}) // its Run never gets anywhere
		if err := again.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		s, err := again.Play(t.Context(), again.Arrive(id), Move{Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "a1-a5"})
		if err != nil || len(s.Lines) != 3 || s.Lines[1].Kind != LineOutage || s.Lines[2].Remaining != 40_000 {
			t.Fatalf("error %v, log %+v", err, s)
		}
		stored, lines, _ := journal.Load(t.Context(), id)
		if faults := Audit(stored, lines); faults != nil {
			t.Error(faults)
		}
	})
}

// TestArmedRatherTooEarly compares the rough deadline of a game with a pending outage credit with the exact deadline.
func TestArmedRatherTooEarly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		beat := rapid.Int64Range(1, 1e6).Draw(t, "last heartbeat")
		o := Outage{beat, beat + rapid.Int64Range(0, 1e6).Draw(t, "length")}
		last := rapid.Int64Range(0, beat+beforeDue.Milliseconds()).Draw(t, "last line")
		deadline := last + rapid.Int64Range(0, 1e6).Draw(t, "left")
		exact := deadline
		if from := max(beat, last); deadline >= from && from < o.To {
			exact += o.To - from
		}
		if got := o.shift(deadline); got > exact || got < exact-beforeDue.Milliseconds() {
			t.Errorf("armed for %d, the flag falls at %d", got, exact)
		}
	})
}

func TestFillArmsAll(t *testing.T) {
	s := newSchedule()
	s.set("b", 50)
	s.fill([]Armed{{"a", 30}, {"b", 20}, {"none", 0}, {"c", 10}, {"d", 40}})
	games, next := s.due(35)
	if len(games) != 3 || games[0].game != "c" || games[1].game != "b" || games[2].game != "a" || next != 40 {
		t.Errorf("due %v, then %d", games, next)
	}
	s.set("d", 0)
	if _, next := s.due(1000); next != 0 || len(s.index) != 0 {
		t.Errorf("%d, %v are left", next, s.index)
	}
}

// TestGamesAtRestAreSmall demands that an idle running game takes no more than 2 KiB of memory beside the cache, which
// is bounded, and no goroutine, after a start as after its last move.
func TestGamesAtRestAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("opens thousands of games")
	}
	const games = 2048
	journal := newMemory()
	e := startAs(t, journal, "test", false)
	for range games {
		e.open("quixo/duel", "3600")
	}
	e.cancel()
	<-e.ended
	before, goroutines := heapInUse(), runtime.NumGoroutine()
	again := startAs(t, journal, "test", false)
	defer again.stop()
	for again.outages.waits() > 0 {
		runtime.Gosched()
	}
	again.cache.mu.Lock()
	again.cache.running.Purge()
	again.cache.mu.Unlock()
	began := time.Now()
	for runtime.NumGoroutine()-goroutines > 10 && time.Since(began) < 10*time.Second {
		runtime.Gosched() // those that have just given credit end
	}
	if n := runtime.NumGoroutine() - goroutines; n > 10 {
		t.Errorf("%d goroutines", n)
	}
	if each := (heapInUse() - before) / games; each > 2<<10 {
		t.Errorf("%d bytes for each game", each)
	}
	if len(again.flags.index) != games {
		t.Errorf("%d deadlines are armed", len(again.flags.index))
	}
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
