package store

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"gorm.io/gorm"

	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/internal/db"
)

// bench is a store with games that run.
type bench struct {
	*Store
	games []table.Game
}

func openBench(b *testing.B, c Config, games int) *bench {
	b.Helper()
	s, err := Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return fillBench(b, s, games)
}

// fillBench stores games that run.
func fillBench(b testing.TB, s *Store, games int) *bench {
	b.Helper()
	control, err := clock.Parse("300+3")
	if err != nil {
		b.Fatal(err)
	}
	list := make([]table.Game, games)
	for i := range list {
		list[i] = table.Game{
			ID: fmt.Sprintf("0191f3a0-7c1e-7000-8000-%012d", i*7919%1_000_003), Variant: "quixo/duel", Seats: 2,
			Players:  []string{"0191f3a0-7c1e-7000-8000-00000000000a", "0191f3a0-7c1e-7000-8000-00000000000b"},
			Controls: []string{"300+3", "300+3"}, Rated: true, CreatedAt: int64(i), Status: table.Running, Turn: 1,
			Awaited: []int8{1}, Clock: clock.New([]clock.Control{control, control}, false), Deadline: 300_000,
			Position: "...../...../...../...../..... 1 -",
		}
	}
	for part := range db.Chunks(list) {
		if err := s.Games().Create(b.Context(), part); err != nil {
			b.Fatal(err)
		}
	}
	return &bench{s, list}
}

// next is a game's next step, an ordinary move.
func (w *bench) next(i int) table.Step {
	g := &w.games[i]
	from := g.Version
	g.Version++
	g.Turn++
	g.Plies++
	g.Awaited = []int8{3 - g.Awaited[0]}
	g.Deadline++
	return table.Step{Game: g, From: from, Lines: []table.Line{{
		N: g.Version, Kind: table.LineMove, Seat: 1, Text: "a1-a5", At: 1_700_000_000_000 + g.Version, Turn: g.Turn,
		Elapsed: 1234, Remaining: 298_766, By: "0191f3a0-7c1e-7000-8000-00000000000a",
	}}}
}

// play lets writers append b.N moves, each writer to games of its own.
func (w *bench) play(b *testing.B, writers int, append func(context.Context, table.Step) error) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	var group sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for writer := range writers {
		group.Go(func() {
			for i := writer; left.Add(-1) >= 0; i += writers {
				if i >= len(w.games) {
					i = writer
				}
				if err := append(context.Background(), w.next(i)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
}

// BenchmarkAppend measures durable moves on SQLite: alone, from 64 writers at once, and with a transaction for each.
func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name           string
		writers, batch int
	}{
		{"1_writer", 1, 0},
		{"64_writers", 64, 0},
		{"64_writers_a_transaction_each", 64, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := openBench(b, Config{Dir: b.TempDir(), MaxBatch: c.batch}, 2048)
			w.play(b, c.writers, w.Games().Append)
		})
	}
}

// BenchmarkAppendStatements measures what prepared batches save: the same steps by them and by gorm, in the same
// batches.
func BenchmarkAppendStatements(b *testing.B) {
	b.Run("prepared", func(b *testing.B) {
		w := openBench(b, Config{Dir: b.TempDir()}, 2048)
		w.play(b, 64, w.Games().Append)
	})
	b.Run("gorm", func(b *testing.B) {
		w := openBench(b, Config{Dir: b.TempDir()}, 2048)
		w.play(b, 64, w.appendByORM)
	})
}

// appendByORM does the work of Append with gorm.
func (w *bench) appendByORM(ctx context.Context, s table.Step) error {
	return w.backend.write(ctx, func(tx *gorm.DB) error {
		row := liveOf(s.Game)
		r := tx.Model(&liveRow{}).Where("game_id = ? AND version = ?", s.Game.ID, s.From).
			Select("version", "turn", "plies", "awaited", "offer", "clock", "deadline", "position").Updates(&row)
		if r.Error != nil || r.RowsAffected == 0 {
			return fmt.Errorf("update: %w, %d rows", r.Error, r.RowsAffected)
		}
		return tx.Create(&lineRow{s.Game.ID, s.Lines[0]}).Error
	})
}

// BenchmarkAppendPostgres measures durable moves on PostgreSQL, alone and from 64 writers at once, by group commit.
func BenchmarkAppendPostgres(b *testing.B) {
	server := dbtest.Cluster(b)
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("%d_writers", writers), func(b *testing.B) {
			w := openBench(b, Config{DSN: server.Schema(b)}, 2048)
			w.play(b, writers, w.Games().Append)
		})
	}
}

// BenchmarkAppendGrowth measures moves of 1,024 games among more and more that are stored.
func BenchmarkAppendGrowth(b *testing.B) {
	for _, stored := range []int{1_024, 10_240, 102_400} {
		b.Run(fmt.Sprintf("%d_games", stored), func(b *testing.B) {
			w := openBench(b, Config{Dir: b.TempDir()}, stored)
			w.games = w.games[stored-1_024:]
			w.play(b, 64, w.Games().Append)
		})
	}
}

// BenchmarkStart opens a database of 300,000 games and lists the 100,000 that run, as a restart does.
func BenchmarkStart(b *testing.B) {
	const all, over = 300_000, 200_000
	dir := b.TempDir()
	w := openBench(b, Config{Dir: dir}, all)
	err := w.backend.write(b.Context(), func(tx *gorm.DB) error {
		return endGames(tx, "created_at < ?", over)
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		s, err := Open(b.Context(), Config{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		armed, err := s.Games().Armed(b.Context(), nil)
		if err != nil || len(armed) != all-over {
			b.Fatalf("%d games armed, error %v", len(armed), err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// endGames lets many games be over, without results.
func endGames(tx *gorm.DB, which string, than int64) error {
	if err := tx.Model(&gameRow{}).Where(which, than).Update("status", table.Finished).Error; err != nil {
		return err
	}
	return tx.Exec("DELETE FROM live_games WHERE game_id IN (SELECT id FROM games WHERE status = 'finished')").Error
}

// BenchmarkFirstPage reads the newest 50 games that run among 1,000, 10,000 and 100,000 that are over.
func BenchmarkFirstPage(b *testing.B) {
	for _, stored := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d_games", stored), func(b *testing.B) {
			w := openBench(b, Config{Dir: b.TempDir()}, stored)
			err := w.backend.write(b.Context(), func(tx *gorm.DB) error {
				return endGames(tx, "created_at >= ?", 100)
			})
			if err != nil {
				b.Fatal(err)
			}
			running := table.Filter{Status: []table.Status{table.Running, table.Paused}}
			b.ResetTimer()
			for range b.N {
				page, _, err := w.Games().List(b.Context(), running, 50, "")
				if err != nil || len(page) != 50 {
					b.Fatalf("%d games, error %v", len(page), err)
				}
			}
		})
	}
}
