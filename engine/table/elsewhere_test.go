package table

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// counting is a journal that counts what is read.
type counting struct {
	*memory
	whole, since, versions int
}

func (c *counting) Load(ctx context.Context, id string) (Game, []Line, error) {
	c.whole++
	return c.memory.Load(ctx, id)
}

func (c *counting) LoadSince(ctx context.Context, id string, version int64) (Game, []Line, error) {
	c.since++
	return c.memory.LoadSince(ctx, id, version)
}

func (c *counting) Version(ctx context.Context, id string) (int64, error) {
	c.versions++
	return c.memory.Version(ctx, id)
}

// TestWhatIsNewIsReadAlone follows a game that is played through another process: its log is read once, and then only
// what is new, takebacks and pauses too.
func TestWhatIsNewIsReadAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here := startAs(t, newMemory(), "here", true)
		defer here.stop()
		journal := &counting{memory: here.journal}
		there := New(Config{Storage: stored(journal), Shared: true, Instance: "there"})
		ctx, game := t.Context(), here.openWithTakebacks("quixo/duel")
		id := game.Game.ID
		ada, bob := Act{Game: id, Seat: 1, By: "ada"}, Act{Game: id, Seat: 2, By: "bob"}
		arbiter := Ruling{By: "olga", Reason: "a fly"}
		last := int64(0)
		for i, act := range []func() (*Snapshot, error){
			func() (*Snapshot, error) { return here.play(id, 1, 1, "a1-a5") },
			func() (*Snapshot, error) { return here.play(id, 2, 2, "e1-e5") },
			func() (*Snapshot, error) { return here.AskBack(ctx, here.Arrive(id), ada) },
			func() (*Snapshot, error) { return here.AgreeBack(ctx, here.Arrive(id), bob) },
			func() (*Snapshot, error) { return here.play(id, 1, 4, "b1-b5") },
			func() (*Snapshot, error) { return here.Pause(ctx, here.Arrive(id), arbiter, CauseArbiter) },
			func() (*Snapshot, error) { return here.Resume(ctx, here.Arrive(id), arbiter, CauseArbiter) },
		} {
			here.pass(time.Second)
			want := must(t)(act())
			if i == 1 {
				continue // a hint that is lost: the next hint brings both
			}
			for range 2 { // a hint may come twice
				got := must(t)(there.SnapshotAt(ctx, id, want.Game.Version))
				sameState(t, got, want)
			}
			last = want.Game.Version
		}
		must(t)(there.SnapshotAt(ctx, id, last-1)) // late
		if journal.whole != 1 || journal.since != 5 || journal.versions != 0 {
			t.Errorf("the journal was asked for %d logs, %d parts and %d versions; want 1, 5 and 0", journal.whole,
				journal.since, journal.versions)
		}
	})
}

func sameState(t *testing.T, got, want *Snapshot) {
	t.Helper()
	if got.Game.Version != want.Game.Version || got.Match.Position() != want.Match.Position() ||
		got.Match.Turn() != want.Match.Turn() ||
		got.Match.Plies() != want.Match.Plies() || got.Game.Status != want.Game.Status || len(got.Lines) != len(want.Lines) {
		t.Errorf("version %d is\n%s, want\n%s", got.Game.Version, got.Match.Position(), want.Match.Position())
	}
	for i := range got.Lines {
		if got.Lines[i].N != want.Lines[i].N || got.Lines[i].Text != want.Lines[i].Text {
			t.Errorf("line %d is %+v, want %+v", i+1, got.Lines[i], want.Lines[i])
		}
	}
}
