package store

import (
	"errors"
	"strings"
	"testing"

	"quatuor/engine/table"
	"quatuor/store/internal/sqlite/sqlitetest"
)

// held is a store on SQLite with its writer's connection.
type held struct {
	*Store
	f *file
}

func hold(t *testing.T, games ...string) *held {
	t.Helper()
	s := open(t, Config{Dir: folder(t)})
	for _, id := range games {
		g := table.Game{ID: id, Variant: "quixo/duel", Seats: 2, Status: table.Running}
		if err := s.Games().Create(t.Context(), []table.Game{g}); err != nil {
			t.Fatal(err)
		}
	}
	return &held{Store: s, f: s.backend.(*file)}
}

// stepBatch is a move in a game.
func stepBatch(t *testing.T, id string, from int64) *batch {
	t.Helper()
	b, err := encodeStep(table.Step{
		Game: &table.Game{ID: id, Variant: "quixo/duel", Seats: 2, Status: table.Running, Version: from + 1}, From: from,
		Lines: []table.Line{{N: from + 1, Kind: table.LineMove, Text: "a1-a5"}},
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// onCommit calls f just before every commit; if f returns something other than 0, the commit fails.
func (h *held) onCommit(t *testing.T, f func() int) {
	t.Helper()
	if err := sqlitetest.OnCommit(t.Context(), h.f.writer.DB(), f); err != nil {
		t.Fatal(err)
	}
}

func (h *held) version(t *testing.T, id string) int64 {
	t.Helper()
	g, lines, err := h.Games().Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(lines)) != g.Version {
		t.Errorf("game %s has version %d and %d lines", id, g.Version, len(lines))
	}
	return g.Version
}

func says(word string) func(error) bool {
	return func(err error) bool { return err != nil && strings.Contains(err.Error(), word) }
}

// TestFlagsAreUrgent: the batch of a flag that fell goes before others, that of a move or of a leaving player does not.
func TestFlagsAreUrgent(t *testing.T) {
	for _, c := range []struct {
		line   table.Line
		urgent bool
	}{
		{table.Line{N: 1, Kind: table.LineLeft, Seat: 1, Text: "time"}, true},
		{table.Line{N: 1, Kind: table.LineLeft, Seat: 1, By: "ann"}, false},
		{table.Line{N: 1, Kind: table.LineMove, Seat: 1}, false},
	} {
		b, err := encodeStep(table.Step{
			Game:  &table.Game{ID: "g", Variant: "quixo/duel", Seats: 2, Status: table.Running, Version: 1},
			Lines: []table.Line{c.line},
		}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.forSQLite().Urgent; got != c.urgent {
			t.Errorf("%+v: urgent %v, want %v", c.line, got, c.urgent)
		}
	}
}

// TestClosedStoreIsUnavailable writes to a store that is closed.
func TestClosedStoreIsUnavailable(t *testing.T) {
	s := open(t, Config{Dir: folder(t)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err == nil {
		t.Error("a closed store says that it is ready")
	}
	if err := s.Games().Beat(t.Context(), "x", 1); !errors.Is(err, table.ErrUnavailable) {
		t.Errorf("a write after Close is answered with %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}
