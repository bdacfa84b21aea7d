package storetest

import (
	"sync"
	"testing"

	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// finished plays a game of a tournament to its end.
func finished(t *testing.T, p Ports, id, tournamentID string, round, board int) {
	t.Helper()
	g := newGame(t, id, "ann", "bob")
	if tournamentID != "" {
		g.Tournament = &table.Place{ID: tournamentID, Round: round, Board: board}
	}
	do(t, p, g, start, func(g table.Game) table.Step { return finish(g, 9000) })
}

func settle(t *testing.T, p Ports) {
	v := create(t, p, "t")
	v = save(t, p, v, tournament.Delta{Rounds: []tournament.Round{
		{Number: 1, Pairings: []tournament.Pairing{pairing(1, "g1", "e1", "e2"), pairing(2, "g2", "e3", "e4")}},
	}})
	finished(t, p, "casual", "", 0, 0)
	finished(t, p, "g1", "t", 1, 1)
	finished(t, p, "casual too", "", 0, 0)
	g2 := newGame(t, "g2", "ann", "bob")
	g2.Tournament = &table.Place{ID: "t", Round: 1, Board: 2}
	do(t, p, g2, start, func(g table.Game) table.Step { return abort(g, 9500) })
	pending, err := p.Tournaments.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "pending", pending, []director.Finished{
		{Seq: 2, GameID: "g1", TournamentID: "t", Round: 1, Board: 1, Ranks: []int{1, 2}, Reason: "line", Plies: 1, Moved: []bool{false, false}, At: 9000},
		{Seq: 4, GameID: "g2", TournamentID: "t", Round: 1, Board: 2, Aborted: true, Reason: "abort", Moved: []bool{false, false}, At: 9500},
	})
	first, err := p.Tournaments.Pending(t.Context(), 1)
	must(t, err)
	equal(t, "one pending", first, pending[:1])

	won := pairing(1, "g1", "e1", "e2")
	won.Result = &tournament.Result{Ranks: []int{1, 2}}
	delta := tournament.Delta{
		Pairings: []tournament.RoundPairing{{Round: 1, Pairing: won}},
		Changes:  []tournament.Change{{Round: 1, Board: 1, After: won.Result, By: "server", At: 9000}},
	}
	next := *v
	next.Version++
	must(t, p.Tournaments.RecordResult(t.Context(), 2, &next, v.Version, delta))
	settled := load(t, p, "t")
	equal(t, "the result", settled.Rounds[0].Pairings[0].Result, won.Result)
	next.Name = "counted twice"
	must(t, p.Tournaments.RecordResult(t.Context(), 2, &next, next.Version, delta))
	must(t, p.Tournaments.RecordResult(t.Context(), 1, &next, next.Version, delta))
	equal(t, "after settling again", load(t, p, "t"), settled)
	changes, err := p.Tournaments.History(t.Context(), "t")
	must(t, err)
	equal(t, "history", changes, delta.Changes)
	must(t, p.Tournaments.RecordResult(t.Context(), 4, nil, 0, tournament.Delta{}))
	pending, err = p.Tournaments.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "pending at the end", pending, []director.Finished{})
}

func settleStale(t *testing.T, p Ports) {
	v := create(t, p, "t")
	finished(t, p, "g1", "t", 1, 1)
	next := *v
	next.Version = 8
	err := p.Tournaments.RecordResult(t.Context(), 1, &next, 7, tournament.Delta{})
	refused(t, "settling on another version", err, tournament.ErrStale)
	pending, err := p.Tournaments.Pending(t.Context(), 10)
	must(t, err)
	if len(pending) != 1 {
		t.Fatalf("the cursor moved though the tournament was not saved: %v", pending)
	}
}

func settleRace(t *testing.T, p Ports) {
	v := create(t, p, "t")
	finished(t, p, "g1", "t", 1, 1)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			next := *v
			next.Version++
			err := p.Tournaments.RecordResult(t.Context(), 1, &next, v.Version, tournament.Delta{
				Changes: []tournament.Change{{Round: 1, Board: 1, By: "server"}},
			})
			if err != nil {
				t.Errorf("a game that another has settled: %v, want no error", err)
			}
		})
	}
	group.Wait()
	changes, err := p.Tournaments.History(t.Context(), "t")
	must(t, err)
	if len(changes) != 1 {
		t.Errorf("the game was settled %d times", len(changes))
	}
	equal(t, "version", load(t, p, "t").Version, 2)
}
