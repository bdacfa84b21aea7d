package storetest

import (
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// arenas tests the queries for arenas beyond those of tournaments: which run, when they were last checked, and players
// with other games.
func arenas(t *testing.T, p Ports) {
	ctx := t.Context()
	v := create(t, p, "arena")
	v.Format = tournament.Arena
	v.Status = tournament.Running
	v.Given = 5000
	v.GivenAt = 9000
	v.GivenLate = 7000
	v = save(t, p, v, tournament.Delta{Entries: []tournament.Entry{entry(1)}})
	create(t, p, "another")
	ids, err := p.Tournaments.Arenas(ctx)
	must(t, err)
	equal(t, "running arenas", ids, []string{"arena"})
	for at := range int64(3) {
		seen, err := p.Tournaments.ArenaBeat(ctx, "arena")
		must(t, err)
		equal(t, "last look", seen, at)
		must(t, p.Tournaments.BeatArena(ctx, "arena", at+1))
	}
	waits := v.Entries[0]
	waits.Waiting, waits.Tonight = 7000, 3
	save(t, p, v, tournament.Delta{Entries: []tournament.Entry{waits}})
	v = load(t, p.Reopen(t), "arena")
	equal(t, "who waits, after a restart", v.Entries, []tournament.Entry{waits})
	equal(t, "time given back", []int64{v.Given, v.GivenAt, v.GivenLate}, []int64{5000, 9000, 7000})
}

// playing tests which players are found at a game with clocks.
func playing(t *testing.T, p Ports) {
	now := time.UnixMilli(1_000_000)
	for id, status := range map[string]table.Status{"w": table.Waiting, "r": table.Running} {
		g := newGame(t, id, id+"ann", id+"bob")
		g.Status, g.CreatedAt = status, now.UnixMilli()
		must(t, p.Games.Create(t.Context(), []table.Game{g}))
	}
	untimed := newGame(t, "u", "uann", "ubob")
	untimed.Status = table.Running
	untimed.CreatedAt = now.UnixMilli()
	untimed.Controls = []string{"none", "none"}
	must(t, p.Games.Create(t.Context(), []table.Game{untimed}))
	found, err := p.Games.Playing(t.Context(), []string{"rann", "wann", "uann", "nobody"}, now)
	must(t, err)
	equal(t, "who plays", found, map[string]bool{"rann": true})
}
