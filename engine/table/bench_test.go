package table

import (
	"context"
	"math/rand/v2"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
)

// taking is a journal that takes everything at once.
type taking struct{ *memory }

func (taking) Append(context.Context, Step) error { return nil }

// script is a game of random moves, made before anything is measured.
type script struct {
	variant string
	seats   int
	moves   []Move
}

func writeScript(b *testing.B, rules engine.Rules, chance *rand.Rand) script {
	b.Helper()
	info := rules.Info()
	setup, err := engine.NewSetup(info, info.Seats[0], "", nil)
	if err != nil {
		b.Fatal(err)
	}
	m, err := engine.NewMatch(rules, setup)
	s := script{variant: info.ID, seats: info.Seats[0]}
	for err == nil && !m.Pending().Over() {
		seat := m.Pending().Awaited[0]
		legal := m.State().Legal(seat)
		token := string(legal[chance.IntN(len(legal))])
		s.moves = append(s.moves, Move{Act: Act{Seat: int8(seat), By: "somebody"}, Turn: m.Turn(), Token: token})
		m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: token})
	}
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkMove is the tables' part of a request with a move, and of what the answer shows, in random games of every
// variant without secrets. Nothing is stored.
func BenchmarkMove(b *testing.B) {
	chance := rand.New(rand.NewPCG(1, 2))
	var scripts []script
	for range 20 {
		for _, rules := range catalog.All() {
			if !rules.Info().Secret {
				scripts = append(scripts, writeScript(b, rules, chance))
			}
		}
	}
	journal := taking{newMemory()}
	t := New(Config{Storage: stored(journal)})
	t.suspension.pulse.Store(1 << 60)
	left, next, id := script{}, 0, ""
	var room []byte
	b.ReportAllocs()
	for b.Loop() {
		if len(left.moves) == 0 {
			left, next = scripts[next], (next+1)%len(scripts)
			id = openForBench(b, t, left)
		}
		m := left.moves[0]
		left.moves = left.moves[1:]
		moveForBench(b, t, id, m, &room)
	}
}

func openForBench(b *testing.B, t *Tables, s script) string {
	b.Helper()
	players := []string{
		"01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002",
		"01890000-0000-7000-8000-000000000003", "01890000-0000-7000-8000-000000000004", "5",
	}
	g, err := t.newGame(NewGame{
		Variant: s.variant, Players: players[:s.seats], Controls: []string{"3600+60"}, CreatedBy: "somebody",
	})
	if err != nil {
		b.Fatal(err)
	}
	t.remember(g)
	if _, err := t.Start(b.Context(), t.Arrive(g.ID), "somebody"); err != nil {
		b.Fatal(err)
	}
	return g.ID
}

func moveForBench(b *testing.B, t *Tables, id string, m Move, room *[]byte) {
	m.Game = id
	a := t.Arrive(id)
	before, err := t.Snapshot(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	viewer := before.Viewer(before.Game.Players[m.Seat-1])
	after, err := t.Play(b.Context(), a, m)
	if err != nil {
		b.Fatal(err)
	}
	shown := after.Outline(viewer)
	if *room, err = after.AppendView((*room)[:0], viewer); err != nil {
		b.Fatal(err)
	}
	if shown.Plies == 0 || after.Clock(m.Seat, a.At).Moves == 0 {
		b.Fatal("nothing is shown")
	}
}
