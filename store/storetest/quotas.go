package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"quatuor/engine/table"
)

// opens returns a stranger's game with a player, seated without an invitation, in limit games at once.
func opens(stranger, player string, limit int) table.NewGame {
	return table.NewGame{
		Variant: "quixo/duel", Players: []string{stranger, player}, Controls: []string{"300+3"}, Start: true,
		CreatedBy: stranger,
		Quotas:    []table.Quota{table.ChallengeQuota(player, 2, limit)},
	}
}

// statuses opens games at the same moment and counts them by their status; errors other than the refusal fail the test.
func statuses(t *testing.T, many int, refusal error, open func(i int) ([]*table.Snapshot, error)) map[table.Status]int {
	t.Helper()
	var mu sync.Mutex
	counts := map[table.Status]int{}
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			games, err := open(i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				counts[games[0].Game.Status]++
			case refusal == nil || !errors.Is(err, refusal):
				t.Error(err)
			}
		})
	}
	group.Wait()
	return counts
}

// challengeRace lets many strangers, at several instances, challenge the same player at the same moment.
func challengeRace(t *testing.T, instances ...Ports) {
	var tables []*table.Tables
	for i, p := range instances {
		tables = append(tables, tablesOn(t, p, fmt.Sprint("instance", i), ended{make(chan string, 100)}))
	}
	at := func(i int) *table.Tables { return tables[i%len(tables)] }
	for _, limit := range []int{1, 3} {
		player := fmt.Sprint("player", limit)
		counts := statuses(t, 40, nil, func(i int) ([]*table.Snapshot, error) {
			return at(i).Open(t.Context(), opens(fmt.Sprint("stranger", i), player, limit))
		})
		equal(t, "games by status", counts, map[table.Status]int{table.Running: limit, table.Waiting: 40 - limit})
	}
	counts := statuses(t, 20, table.ErrBotGames, func(i int) ([]*table.Snapshot, error) {
		return at(i).Open(t.Context(), withBot(fmt.Sprint("b", i)))
	})
	equal(t, "games with bots", counts, map[table.Status]int{table.Running: table.MaxBotGames})
}

func withBot(id string) table.NewGame {
	return table.NewGame{
		ID: id, Variant: "quixo/duel", Players: []string{"ann", table.BotID(1)}, Controls: []string{"300+3"}, Start: true,
		CreatedBy: "ann",
	}
}

// quotas are freed by a first move and by the end of a game, and hold over a restart.
func quotas(t *testing.T, p Ports) {
	tables := tablesOn(t, p, "test", ended{make(chan string, 100)})
	open := func(stranger string) *table.Snapshot {
		t.Helper()
		games, err := tables.Open(t.Context(), opens(stranger, "bob", 1))
		must(t, err)
		return games[0]
	}
	first := open("s1")
	equal(t, "the first", first.Game.Status, table.Running)
	equal(t, "the second", open("s2").Game.Status, table.Waiting)
	play := func(s *table.Snapshot, seat int8) {
		t.Helper()
		now, err := tables.Snapshot(t.Context(), s.Game.ID)
		must(t, err)
		_, err = tables.Play(t.Context(), tables.Arrive(s.Game.ID), table.Move{
			Act: table.Act{Game: s.Game.ID, Seat: seat, By: "x"}, Turn: now.Game.Turn, Token: []string{"a1-a5", "b1-b5"}[seat-1],
		})
		must(t, err)
	}
	play(first, 1)
	equal(t, "after the other's move", open("s3").Game.Status, table.Waiting)
	play(first, 2)
	third := open("s4")
	equal(t, "after the player's first move", third.Game.Status, table.Running)
	_, err := tables.Resign(t.Context(), tables.Arrive(third.Game.ID), table.Act{Game: third.Game.ID, Seat: 1, By: "s4"})
	must(t, err)
	equal(t, "after a game is over", open("s5").Game.Status, table.Running)
	equal(t, "again", open("s6").Game.Status, table.Waiting)
	state, err := p.Games.Quotas(t.Context(), []string{table.ChallengeQuota("bob", 2, 1).Key})
	must(t, err)
	equal(t, "the quota", state, map[string]table.QuotaState{"player/bob": {Last: 3, First: 3, Live: 1}})
	for i := range table.MaxBotGames {
		_, err := tables.Open(t.Context(), withBot(fmt.Sprint("b", i)))
		must(t, err)
	}
	again, err := tables.Open(t.Context(), withBot("b0"))
	must(t, err)
	equal(t, "a request sent again", again[0].Game.ID, "b0")
	_, err = tables.Open(t.Context(), withBot("more"))
	refused(t, "one more bot", err, table.ErrBotGames)
	var games []table.NewGame // of a tournament they do not count
	create(t, p, "t")
	for i := range 2 {
		w := withBot(fmt.Sprint("t", i))
		w.Tournament = &table.Place{ID: "t", Round: 1, Board: i + 1}
		games = append(games, w)
	}
	for _, w := range games {
		_, err := tables.Open(t.Context(), w)
		must(t, err)
	}
}
