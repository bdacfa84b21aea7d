package storetest

import (
	"fmt"
	"testing"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

// newGame is a waiting game of Quixo with everything set that a row can hold.
func newGame(t *testing.T, id string, players ...string) table.Game {
	t.Helper()
	control, err := clock.Parse("300+3")
	if err != nil {
		t.Fatal(err)
	}
	return table.Game{
		ID: id, Variant: "quixo/duel", Seats: 2, Options: map[string]string{"max_plies": "80"}, Players: players,
		Controls: []string{"300+3", "300+3"}, Lag: true, Rated: true, CreatedBy: "account-1", CreatedAt: 1000,
		Status: table.Waiting, Turn: 1, Awaited: []int8{1}, Clock: clock.New([]clock.Control{control, control}, true),
		Position: "start",
	}
}

// start is the first step of a game.
func start(g table.Game) table.Step {
	return step(g, func(g *table.Game) {
		g.Status = table.Running
		g.StartedAt = 2000
		g.Deadline = 302_000
	}, table.Line{Kind: table.LineStart, At: 2000, Turn: 1, By: "account-1"})
}

// move is a step with a single move.
func move(g table.Game, token string) table.Step {
	thought := int64(700)
	return step(g, func(g *table.Game) {
		g.Turn++
		g.Plies++
		g.Awaited = []int8{3 - g.Awaited[0]}
		g.Position = "after " + token
		g.Deadline += 1000
	}, table.Line{
		Kind: table.LineMove, Seat: g.Awaited[0], Text: token, At: 2000 + g.Version, Turn: g.Turn, Elapsed: 800,
		Claimed: &thought, Remaining: 299_200, By: "account-2",
	})
}

// finish is a step that lets seat 1 win.
func finish(g table.Game, at int64) table.Step {
	return step(g, func(g *table.Game) {
		g.Status = table.Finished
		g.FinishedAt = at
		g.Deadline = 0
		g.Plies++
		g.Outcome = &engine.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonLine}
	}, table.Line{Kind: table.LineMove, Seat: 1, Text: "last", At: at, Turn: g.Turn})
}

// abort is a step that breaks a game off.
func abort(g table.Game, at int64) table.Step {
	return step(g, func(g *table.Game) {
		g.Status = table.Aborted
		g.FinishedAt = at
		g.Deadline = 0
	}, table.Line{Kind: table.LineAbort, At: at, Turn: g.Turn})
}

// step makes a step with a single line.
func step(g table.Game, change func(*table.Game), line table.Line) table.Step {
	from := g.Version
	change(&g)
	g.Version++
	line.N = g.Version
	return table.Step{Game: &g, From: from, Lines: []table.Line{line}}
}

// do creates a game and carries out steps, each made from the game as the last step left it.
func do(t *testing.T, p Ports, g table.Game, steps ...func(table.Game) table.Step) table.Game {
	t.Helper()
	must(t, p.Games.Create(t.Context(), []table.Game{g}))
	for _, s := range steps {
		next := s(g)
		must(t, p.Games.Append(t.Context(), next))
		g = *next.Game
	}
	return g
}

// loaded compares a stored game, clock included, with the wanted game.
func loaded(t *testing.T, p Ports, want table.Game, lines ...table.Line) {
	t.Helper()
	got, log, err := p.Games.Load(t.Context(), want.ID)
	must(t, err)
	sameGame(t, got, want)
	if len(log) != len(lines) {
		t.Fatalf("game %s has %d lines, want %d", want.ID, len(log), len(lines))
	}
	for i := range lines {
		equal(t, fmt.Sprintf("line %d", i+1), log[i], lines[i])
	}
}

func sameGame(t *testing.T, got, want table.Game) {
	t.Helper()
	gotClock, wantClock := string(got.Clock.AppendJSON(nil)), string(want.Clock.AppendJSON(nil))
	equal(t, "clock", gotClock, wantClock)
	got.Clock, want.Clock = clock.State{}, clock.State{}
	equal(t, "game "+want.ID, got, want)
}
