package store

import (
	"runtime"
	"testing"
	"time"

	"quatuor/store/dbtest"
)

// BenchmarkMoves measures durable moves of 64 writers on SQLite and on PostgreSQL: how many a second, and what each
// costs this process and the database server in CPU time, which other work on the machine hardly touches, and in
// transactions.
func BenchmarkMoves(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("the server's CPU time is read from /proc")
	}
	const games, writers = 2048, 64
	b.Run("SQLite", func(b *testing.B) {
		w := openBench(b, Config{Dir: b.TempDir()}, games)
		before := dbtest.OwnCPU(b)
		w.play(b, writers, w.Games().Append)
		b.ReportMetric(micros(dbtest.OwnCPU(b)-before)/float64(b.N), "µs-instance/move")
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		server := dbtest.Cluster(b)
		dsn := server.Schema(b)
		w := openBench(b, Config{DSN: dsn}, games)
		if err := w.Close(); err != nil { // so that the server has counted all
			b.Fatal(err)
		}
		commits := server.Commits(b)
		s, err := Open(b.Context(), Config{DSN: dsn})
		if err != nil {
			b.Fatal(err)
		}
		w.Store = s
		before, server0 := dbtest.OwnCPU(b), server.CPU(b)
		w.play(b, writers, w.Games().Append)
		own, theirs := dbtest.OwnCPU(b)-before, server.CPU(b)-server0
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(micros(own)/float64(b.N), "µs-instance/move")
		b.ReportMetric(micros(theirs)/float64(b.N), "µs-server/move")
		b.ReportMetric(float64(server.Commits(b)-commits)/float64(b.N), "commits/move")
	})
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
