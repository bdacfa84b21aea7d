package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/store/internal/sqlite"
)

// BenchmarkAppendBesideReaders measures durable moves while others read without end: the 99th percentile in ms, and the
// size of the write-ahead log in MiB at the end.
func BenchmarkAppendBesideReaders(b *testing.B) {
	const readers, writers = 4, 8
	dir := b.TempDir()
	w := openBench(b, Config{Dir: dir}, 512)
	ctx, stop := context.WithCancel(b.Context())
	var group sync.WaitGroup
	for i := range readers {
		group.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				if _, _, err := w.Games().Load(ctx, w.games[n%len(w.games)].ID); err != nil && ctx.Err() == nil {
					b.Error(err)
				}
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	var mu sync.Mutex
	var took []time.Duration
	w.play(b, writers, func(ctx context.Context, s table.Step) error {
		began := time.Now()
		err := w.Games().Append(ctx, s)
		mu.Lock()
		defer mu.Unlock()
		took = append(took, time.Since(began))
		return err
	})
	stop()
	group.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
	log, err := os.Stat(filepath.Join(dir, databaseFile+sqlite.LogSuffix))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(log.Size())/(1<<20), "log-MiB")
}
