package stream

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine"
	"quatuor/engine/table"
)

func TestStateThenWhatHappensThenTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.tell(table.LineStart)
		l := f.open("", "")
		l.want("state|1|v1 since 0 seat1=false")
		f.tell(table.LineMove)
		l.want("move|2|v2 since 1 seat1=false")
		f.tell(table.LineOffer)
		l.want("offer|3|v3 since 2 seat1=false")
		f.tell(table.LineDecline, table.LineMove)
		l.want("offer||v5 since 3 seat1=false", "move|5|v5 since 3 seat1=false")
		f.tell(table.LinePause)
		l.want("clock|6|v6 since 5 seat1=false")
		f.finish(table.Finished, table.LineMove)
		l.want("move||v7 since 6 seat1=false", "over|7|v7 since 6 seat1=false", "end")
	})
}

func TestHeaderOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFair(t).open("", "")
		for name, want := range map[string]string{
			"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
		} {
			if got := l.answer.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}

// TestDropEndsWhatIsOpen drops all readers. They come back, and what they missed comes with it.
func TestDropEndsWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		ada, eve := f.open("ada", ""), f.open("", "")
		ada.want("state|0|v0 since 0 seat1=true")
		eve.want("state|0|v0 since 0 seat1=false")
		if n := f.hub.Drop(); n != 2 {
			t.Errorf("%d streams were dropped, want 2", n)
		}
		ada.want("end")
		eve.want("end")
		synctest.Wait()
		if n := f.hub.Readers(); n != 0 {
			t.Errorf("%d readers are left", n)
		}
		f.step(table.LineMove)
		again := f.open("ada", "0")
		again.want("state|1|v1 since 0 seat1=true")
		f.tell(table.LineMove)
		again.want("move|2|v2 since 1 seat1=true")
		if n := f.hub.Drop() + f.hub.Drop(); n != 1 {
			t.Errorf("%d streams were dropped, want 1", n)
		}
	})
}

// TestAChangeWhileAStreamBegins: another instance's change arrives after the game was read for a new reader, and before
// the reader is known to have it. The reader gets the lines of the change, not the whole again.
func TestAChangeWhileAStreamBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.step(table.LineStart, table.LineMove)
		f.mu.Lock()
		f.read = func() {
			if f.hub.Readers() == 0 {
				return // the first look, before it has joined
			}
			f.mu.Lock()
			f.read = nil
			f.mu.Unlock()
			s, _ := f.step(table.LineMove)
			f.hub.SyncGame(s)
		}
		f.mu.Unlock()
		l := f.open("", "")
		l.want("state|2|v2 since 0 seat1=false", "move|3|v3 since 2 seat1=false")
	})
}

func TestAbortIsAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		l := f.open("", "")
		l.want("state|0|v0 since 0 seat1=false")
		f.finish(table.Aborted, table.LineAbort)
		l.want("over|1|v1 since 0 seat1=false", "end")
	})
}

func TestUnknownGameIsAnErrorBeforeTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		answer, err := f.client.Get("http://pipe/?game=none")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		if answer.StatusCode != http.StatusNotFound || f.hub.Readers() != 0 {
			t.Errorf("status %d with %d readers left", answer.StatusCode, f.hub.Readers())
		}
	})
}

func TestPingCarriesTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		start := time.Now().UTC()
		l := f.open("", "")
		l.next()
		for i := 1; i <= 3; i++ {
			at := start.Add(time.Duration(i) * 15 * time.Second).Format("2006-01-02T15:04:05.000Z")
			l.want(`ping||{"server_time":"` + at + `"}`)
		}
	})
}

func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.tell(table.LineStart, table.LineMove, table.LineMove)
		current, behind, nonsense := f.open("", "3"), f.open("", "2"), f.open("", "x")
		behind.want("state|3|v3 since 0 seat1=false")
		nonsense.want("state|3|v3 since 0 seat1=false")
		synctest.Wait()
		f.tell(table.LineMove)
		for _, l := range []*listener{current, behind, nonsense} {
			l.want("move|4|v4 since 3 seat1=false")
		}
	})
}

func TestResumeOfAFinishedGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.finish(table.Finished, table.LineStart, table.LineLeft)
		if l := f.open("", "2"); l.answer.StatusCode != http.StatusNoContent {
			t.Errorf("who knows the end gets %d, want 204", l.answer.StatusCode)
		}
		f.open("", "1").want("state||v2 since 0 seat1=false", "over|2|v2 since 0 seat1=false", "end")
	})
}

func TestAGapIsFilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		l := f.open("", "")
		l.next()
		f.step(table.LineStart) // published at another instance only
		f.tell(table.LineMove)
		l.want("clock||v2 since 0 seat1=false", "move|2|v2 since 0 seat1=false")
		s, _ := f.step(table.LineMove)
		f.hub.GameChanged(s, nil) // learned without its lines
		l.want("move|3|v3 since 2 seat1=false")
		f.hub.GameChanged(s, s.Lines[2:]) // and once more, late
		f.tell(table.LineMove)
		l.want("move|4|v4 since 3 seat1=false")
	})
}

func TestEachClassIsRenderedOnceAndSeesItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		var spectators []*listener
		for range 8 {
			spectators = append(spectators, f.open("", ""))
		}
		player := f.open("ada", "")
		for _, l := range append(spectators, player) {
			l.next()
		}
		f.mu.Lock()
		clear(f.renders)
		f.mu.Unlock()
		f.tell(table.LineMove)
		player.want("move|1|v1 since 0 seat1=true")
		for _, l := range spectators {
			l.want("move|1|v1 since 0 seat1=false")
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if a, b := f.renders[engine.Viewer{}], f.renders[engine.ViewerOf(1)]; a != 1 || b != 1 || len(f.renders) != 2 {
			t.Errorf("rendered %v, want once for spectators and once for seat 1", f.renders)
		}
	})
}

// flood makes more changes than a queue holds and lets the quick reader take each of them.
func flood(f *fair, quick *listener) {
	f.t.Helper()
	quick.next()
	for i := range 3 * queueLength {
		f.tell(table.LineMove)
		if got := quick.next(); !strings.HasPrefix(got, "move|") {
			f.t.Fatalf("event %d: %q", i, got)
		}
	}
}

func TestASlowReaderIsDroppedWithoutDelayingOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		slow, quick := f.open("", ""), f.open("", "")
		flood(f, quick)
		slow.want("state|0|v0 since 0 seat1=false") // what was under way when it stopped reading
		got := 0
		for slow.next() != "end" {
			got++
		}
		if got > queueLength {
			t.Errorf("the slow reader got %d changes, more than its queue holds", got)
		}
		if n := f.hub.Readers(); n != 1 {
			t.Errorf("%d readers, want the quick one alone", n)
		}
	})
}

func TestAReaderThatNeverReadsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.open("", "")
		flood(f, f.open("", ""))
		time.Sleep(writeTimeout + time.Second) // fake time: the blocked write ends
		synctest.Wait()
		if n := f.hub.Readers(); n != 1 {
			t.Errorf("%d readers, want the one that reads alone", n)
		}
	})
}

func TestCloseEndsTheStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		l := f.open("", "")
		l.next()
		f.hub.Close()
		l.want("end")
		synctest.Wait()
		if n := f.hub.Readers(); n != 0 {
			t.Errorf("%d readers left", n)
		}
	})
}

func TestAReaderThatLeavesIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		l := f.open("", "")
		l.next()
		_ = l.answer.Body.Close()
		synctest.Wait()
		if n := f.hub.Readers(); n != 0 || len(f.hub.topics) != 0 {
			t.Errorf("%d readers and %d topics left", n, len(f.hub.topics))
		}
	})
}
