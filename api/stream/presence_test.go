package stream

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine/table"
)

// here returns whether ada is connected, and how many seconds ago she was last seen; -1 if that is not shown.
func (f *fair) here() (bool, int64) {
	connected, last := f.hub.Present("g1", "ada")
	if last == 0 {
		return connected, -1
	}
	return connected, (time.Now().UnixMilli() - last) / 1000
}

func (f *fair) wantHere(when string, want bool, ago int64) {
	f.t.Helper()
	synctest.Wait()
	if connected, last := f.here(); connected != want || last != ago {
		f.t.Errorf("%s: connected %v, seen %d s ago; want %v and %d", when, connected, last, want, ago)
	}
}

func TestReadersArePresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.wantHere("at first", false, -1)
		watcher := f.open("", "")
		watcher.want("state|0|v0 since 0 seat1=false")
		phone, laptop := f.open("ada", ""), f.open("ada", "")
		phone.next()
		laptop.next()
		f.wantHere("with two streams", true, -1)
		watcher.want("presence||v0 since 0 seat1=false")
		phone.next() // she gets it, too
		laptop.next()
		_ = phone.answer.Body.Close()
		time.Sleep(2 * streamLasts)
		f.wantHere("with one of two streams", true, -1)
		_ = laptop.answer.Body.Close()
		synctest.Wait()
		time.Sleep(streamLasts - time.Second)
		f.wantHere("just after the last stream has closed", true, 4)
		back := f.open("ada", "")
		back.next()
		time.Sleep(2 * streamLasts)
		f.wantHere("with a stream that came back", true, -1)
		_ = back.answer.Body.Close()
		synctest.Wait()
		time.Sleep(2 * streamLasts)
		f.wantHere("some time after", false, 10)
	})
}

func TestPresenceIsDebounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		watcher := f.open("", "")
		watcher.want("state|0|v0 since 0 seat1=false")
		s, _ := f.Snapshot(t.Context(), "g1")
		f.hub.Seen(s, "ada")
		for range 5 {
			stream := f.open("ada", "")
			stream.next()
			_ = stream.answer.Body.Close()
			synctest.Wait()
		}
		f.tell(table.LineMove)
		watcher.want("move|1|v1 since 0 seat1=false", "presence||v1 since 1 seat1=false")
		time.Sleep(streamLasts + 2*presenceEvery)
		f.tell(table.LineMove)
		watcher.want("presence||v1 since 1 seat1=false", "move|2|v2 since 1 seat1=false")
	})
}

func TestStrangersAreNotPresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		s, _ := f.Snapshot(t.Context(), "g1")
		f.hub.Seen(s, "eve")
		f.hub.Seen(s, "")
		eve := f.open("eve", "")
		eve.next()
		for _, who := range []string{"eve", ""} {
			if connected, last := f.hub.Present("g1", who); connected || last != 0 {
				t.Errorf("%q is noted though she does not sit in the game", who)
			}
		}
		f.hub.Seen(s, "ada")
		f.wantHere("after a request", true, 0)
		time.Sleep(requestLasts - time.Second)
		f.wantHere("before half a minute has passed", true, 29)
		time.Sleep(2 * time.Second)
		f.wantHere("after it", false, 31)
		f.finish(table.Finished, table.LineLeft)
		over, _ := f.Snapshot(t.Context(), "g1")
		f.hub.Seen(over, "ada")
		f.wantHere("after the game, when nobody is told any more", false, -1)
		if n := heldBy(t, f.hub.presence); n != 0 {
			t.Errorf("%d players of a game that is over are held", n)
		}
	})
}

func TestPlayersLongGoneAreForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("sees more players than are remembered")
	}
	synctest.Test(t, func(t *testing.T) {
		p := newPresence(func(string) {})
		for i := range presenceHeld {
			p.seen(strings.Repeat("g", i%7)+string(rune(i)), "ada")
		}
		held := heldBy(t, p)
		time.Sleep(2 * presenceKept)
		synctest.Wait()
		for i := range presenceHeld {
			p.seen(string(rune(i)), "bob")
		}
		if n := heldBy(t, p); n > presenceHeld+1 || held < 1000 {
			t.Errorf("%d players are held, %d before", n, held)
		}
	})
}

// heldBy counts the players that are remembered, and holds the presence's own count against it.
func heldBy(t *testing.T, p *presence) (n int) {
	t.Helper()
	for _, those := range p.games {
		n += len(those)
	}
	if n != p.held {
		t.Errorf("%d players are held, %d were counted", n, p.held)
	}
	return n
}
