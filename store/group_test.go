package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/store/internal/outbox"
)

// act is a step as it is drawn: a game that a store creates, or what it does next, from a version that may be wrong.
type act struct {
	kind  table.LineKind
	lines int
	off   int64 // how far its version is from the previous version
	on    int   // store
}

// actsTogether sends random steps of several games to two instances at once: each answer, and all rows in the end, are
// as if SQLite had carried out the steps sequentially.
func actsTogether(t *testing.T, dsn string) {
	dir := t.TempDir()
	stores := []*Store{open(t, Config{DSN: dsn}), open(t, Config{DSN: dsn})}
	simple := open(t, Config{Dir: dir, MaxBatch: 1})
	round := 0
	rapid.Check(t, func(r *rapid.T) {
		round++
		kinds := []table.LineKind{
			table.LineMove, table.LineMove, table.LineMove, table.LinePause, table.LineResume, table.LineStart, table.LineAbort,
			table.LineLeft,
		}
		var group sync.WaitGroup
		ids := make([]string, rapid.IntRange(1, 6).Draw(r, "games"))
		for n := range ids {
			ids[n] = fmt.Sprintf("%06d-%d", round, n)
			acts := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) act {
				return act{
					rapid.SampledFrom(kinds).Draw(r, "kind"), rapid.IntRange(1, 3).Draw(r, "lines"),
					rapid.SampledFrom([]int64{0, 0, 0, 0, -1, 1}).Draw(r, "off"), rapid.IntRange(0, 1).Draw(r, "store"),
				}
			}), 1, 8).Draw(r, "acts")
			group.Go(func() {
				if err := carryOut(ids[n], acts, stores, simple); err != nil {
					r.Errorf("game %s: %v", ids[n], err)
				}
			})
		}
		group.Wait()
		if err := errors.Join(sameRows[gameRow](stores[0], simple, "id", ids),
			sameRows[liveRow](stores[0], simple, "game_id", ids),
			sameRows[lineRow](stores[0], simple, "game_id, n", ids),
			sameRows[gamePlayerRow](stores[0], simple, "game_id, player_id", ids),
			sameRows[outbox.Row](stores[0], simple, "game_id", ids)); err != nil {
			r.Error(err)
		}
	})
	var ended, paused int64
	err := errors.Join(simple.reads.Model(&outbox.Row{}).Count(&ended).Error,
		simple.reads.Model(&lineRow{}).Where("kind = ?", table.LinePause).Count(&paused).Error)
	if err != nil || ended == 0 || paused == 0 {
		t.Errorf("%d games ended and %d were paused, error %v: the test shows nothing", ended, paused, err)
	}
}

// carryOut creates a game on both databases, does the same there, and compares the answers.
func carryOut(id string, acts []act, stores []*Store, simple *Store) error {
	ctx := context.Background()
	g := table.Game{
		ID: id, Variant: "quixo/duel", Seats: 2, Players: []string{"ann", ""}, Controls: []string{"60", "60"},
		Status: table.Waiting,
	}
	for _, s := range []*Store{stores[0], simple, stores[1]} { // the last of them finds it there
		if err := s.Games().Create(ctx, []table.Game{g}); err != nil {
			return err
		}
	}
	for i, a := range acts {
		next := g
		from := g.Version + a.off
		next.Version = from + int64(a.lines)
		next.Plies = i
		next.Deadline = int64(i * 1000)
		next.Position, next.Awaited = fmt.Sprint("position ", i), []int8{int8(i%2 + 1)}
		step := table.Step{Game: &next, From: from}
		for n := range a.lines {
			step.Lines = append(step.Lines, table.Line{
				N: from + int64(n) + 1, Kind: a.kind, Seat: 1, Text: fmt.Sprint("line ", i), By: "ann",
			})
		}
		switch a.kind {
		case table.LinePause:
			next.Status = table.Paused
		case table.LineAbort:
			next.Status, next.FinishedAt = table.Aborted, 9000
		case table.LineLeft:
			next.Status, next.FinishedAt = table.Finished, 9000
			next.Outcome = &engine.Outcome{Ranks: []int{2, 1}, Reason: engine.ReasonTime}
		default:
			next.Status, next.Players = table.Running, []string{"ann", fmt.Sprint("player ", i%3)}
			if a.kind != table.LineStart && g.Status != table.Waiting {
				next.Players = g.Players
			}
		}
		got, want := stores[a.on].Games().Append(ctx, step), simple.Games().Append(ctx, step)
		if (got == nil) != (want == nil) || errors.Is(got, table.ErrConflict) != errors.Is(want, table.ErrConflict) {
			return fmt.Errorf("act %d, %+v: %w, want %w", i, a, got, want)
		}
		if want == nil {
			g = next
		}
	}
	return nil
}

// sameRows compares the rows of games in two databases.
func sameRows[R any](got, want *Store, order string, ids []string) error {
	column := "game_id"
	if order == "id" {
		column = order
	}
	var rows [2][]R
	for i, s := range []*Store{got, want} {
		if err := s.reads.Where(column+" IN ?", ids).Order(order).Find(&rows[i]).Error; err != nil {
			return err
		}
	}
	for i := range rows {
		for n := range rows[i] {
			if row, is := any(&rows[i][n]).(*outbox.Row); is {
				row.Seq = 0 // places are given in the order of ends
			}
		}
	}
	if !reflect.DeepEqual(rows[0], rows[1]) {
		return fmt.Errorf("%T: rows\n%+v, want\n%+v", *new(R), rows[0], rows[1])
	}
	return nil
}
