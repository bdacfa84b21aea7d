package storetest

import (
	"testing"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/table"
)

// nonces lets the seats of a game add to its seed, with a restart before each of them: what was acknowledged determines
// the deal.
func nonces(t *testing.T, p Ports) {
	parts := []chance.Nonce{{1}, {2}}
	server := [32]byte{3}
	open := func() *table.Tables {
		return table.New(table.Config{Journal: p.Games, NewSeed: func() [32]byte { return server }})
	}
	_, err := open().Open(t.Context(), table.NewGame{
		ID: "g", Variant: "quiwin/duel", Players: []string{"ann", "bob"}, Controls: []string{"60"}, Nonces: true, Start: true,
	})
	must(t, err)
	send := func(seat int, do func(*table.Tables, *table.Arrival, table.Nonce) (*table.Snapshot, error)) *table.Snapshot {
		t.Helper()
		p = p.Reopen(t)
		tables := open()
		n := table.Nonce{Act: table.Act{Game: "g", Seat: int8(seat)}, Nonce: parts[seat-1], Commitment: parts[seat-1].Commitment()}
		s, err := do(tables, tables.Arrive("g"), n)
		must(t, err)
		return s
	}
	commit := func(tables *table.Tables, a *table.Arrival, n table.Nonce) (*table.Snapshot, error) {
		return tables.CommitNonce(t.Context(), a, n)
	}
	reveal := func(tables *table.Tables, a *table.Arrival, n table.Nonce) (*table.Snapshot, error) {
		return tables.SendNonce(t.Context(), a, n)
	}
	send(1, commit)
	send(2, commit)
	equal(t, "status before the last nonce", send(2, reveal).Game.Status, table.Waiting)
	dealt := send(1, reveal)
	equal(t, "status after the last nonce", dealt.Game.Status, table.Running)
	p = p.Reopen(t)
	s, err := open().Snapshot(t.Context(), "g")
	must(t, err)
	want := chance.GameSeed(engine.NewSeed(server), parts).Commitment()
	equal(t, "commitment of the game's seed", s.Project(engine.Viewer{}).Commitment, want)
	game, log, err := p.Games.Load(t.Context(), "g")
	must(t, err)
	equal(t, "faults of the stored game", len(table.Audit(game, log)), 0)
	loaded(t, p, dealt.Game, dealt.Lines...)
}
