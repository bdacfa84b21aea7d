package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"quatuor/engine"
	"quatuor/engine/table"
)

// Instances tests the contract between several instances on the same database; open returns the ports of two of them.
func Instances(t *testing.T, open func(t *testing.T) (one, two Ports)) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, one, two Ports)
	}{
		{"a dead instance's games end", deadInstance},
		{"both let the same flags fall", bothSweep},
		{"strangers at both challenge one player", func(t *testing.T, one, two Ports) { challengeRace(t, one, two) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, two := open(t)
			c.run(t, one, two)
		})
	}
}

// ended waits for games to be over.
type ended struct{ games chan string }

// GameChanged notes a game that is over.
func (e ended) GameChanged(s *table.Snapshot, _ []table.Line) {
	if s.Game.Status.Over() {
		e.games <- s.Game.ID
	}
}

// tablesOn runs tables on an instance until the test ends.
func tablesOn(t *testing.T, p Ports, name string, e ended) *table.Tables {
	t.Helper()
	tables := table.New(table.Config{Storage: p.Games.Storage(), Instance: name, Shared: true, Notifier: e})
	must(t, tables.Recover(t.Context()))
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := tables.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return tables
}

func quick(id string) table.NewGame {
	return table.NewGame{
		ID: id, Variant: "quixo/duel", Players: []string{"ann", "bob"}, Controls: []string{"0.3"}, Start: true,
	}
}

// lostOnce demands that a game was lost on time by its first seat, at its deadline, and that the outbox has it once.
func lostOnce(t *testing.T, p Ports, id string, deadline int64) {
	t.Helper()
	g, lines, err := p.Games.Load(t.Context(), id)
	must(t, err)
	equal(t, "outcome of "+id, g.Outcome, &engine.Outcome{Ranks: []int{2, 1}, Reason: engine.ReasonTime})
	equal(t, "end of "+id, g.FinishedAt, deadline)
	equal(t, "lines of "+id, len(lines), 2)
	_, told, err := p.Ratings.Pending(t.Context(), 100)
	must(t, err)
	times := 0
	for _, f := range told {
		if f.GameID == id {
			times++
		}
	}
	equal(t, "how often the end of "+id+" is told", times, 1)
}

// deadInstance opens a game on an instance that never looks at its flags.
func deadInstance(t *testing.T, dead, alive Ports) {
	over := ended{make(chan string, 1)}
	tablesOn(t, alive, "alive", over)
	opened, err := table.New(table.Config{Storage: dead.Games.Storage(), Instance: "dead", Shared: true}).
		Open(t.Context(), quick("g"))
	must(t, err)
	// as it does once it runs
	must(t, dead.Games.Watch(t.Context(), []table.Armed{{ID: "g", Deadline: opened[0].Game.Deadline}}))
	select {
	case <-over.games:
	case <-time.After(30 * time.Second):
		t.Fatal("the flag of a dead instance's game does not fall")
	}
	lostOnce(t, alive, "g", opened[0].Game.Deadline)
}

// bothSweep lets two instances find the same overdue games of a third.
func bothSweep(t *testing.T, one, two Ports) {
	const many = 20
	over := ended{make(chan string, many)}
	dead := table.New(table.Config{Storage: one.Games.Storage(), Instance: "dead", Shared: true})
	deadlines := map[string]int64{}
	for i := range many {
		opened, err := dead.Open(t.Context(), quick(string(rune('a'+i))))
		must(t, err)
		deadlines[opened[0].Game.ID] = opened[0].Game.Deadline
	}
	must(t, one.Games.Beat(t.Context(), "dead", time.Now().UnixMilli())) // so that it is not taken for an outage
	tablesOn(t, one, "one", over)
	tablesOn(t, two, "two", over)
	for range many {
		select {
		case <-over.games:
		case <-time.After(30 * time.Second):
			t.Fatal("not all flags of a dead instance's games fall")
		}
	}
	for id, deadline := range deadlines {
		lostOnce(t, two, id, deadline)
	}
}
