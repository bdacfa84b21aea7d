//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store/dbtest"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
)

// envGames sets the number of finished games in the benchmarks of recomputations.
const envGames = "QUATUOR_BENCH_GAMES"

// benchGames returns that number.
func benchGames(b *testing.B) int {
	b.Helper()
	text := os.Getenv(envGames)
	if text == "" {
		return 100_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s is %q; it must be a number of games", envGames, text)
	}
	return n
}

// fillHistory stores a number of finished games among a hundredth as many players, as an outbox would hold them after
// years: most of two, every eighth of four, every hundredth void, every thousandth corrected afterwards. Nothing of it
// is rated, but the cursor is at the end.
func fillHistory(b testing.TB, s *Store, games int) {
	b.Helper()
	template := table.Game{
		ID: "template", Variant: "quixo/duel", Seats: 2, Players: []string{"a", "b"}, Controls: []string{"300+3", "300+3"},
		Rated:  true,
		Status: table.Finished, FinishedAt: 1, Position: "...../...../...../...../..... 1 -",
	}
	if err := s.Games().Create(b.Context(), []table.Game{template}); err != nil {
		b.Fatal(err)
	}
	const part = 20_000
	for from := 0; from < games; from += part {
		err := s.backend.write(b.Context(), func(tx *gorm.DB) error {
			return copyGames(tx, from+1, min(from+part, games), max(games/100, 10))
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	err := s.backend.write(b.Context(), func(tx *gorm.DB) error {
		correct := selectInto("outbox", &outbox.Row{}, map[string]string{
			"seq": "(SELECT max(seq) FROM outbox) + row_number() OVER (ORDER BY seq)", "ranks": "'[1,1]'", "corrects": "seq",
			"revision": "1",
		}) + " FROM outbox WHERE seq % 1000 = 17"
		if err := tx.Exec(correct).Error; err != nil {
			return err
		}
		return tx.Exec("UPDATE cursors SET seq = (SELECT max(seq) FROM outbox)").Error
	})
	if err != nil {
		b.Fatal(err)
	}
}

// copyGames adds games and their rows of the outbox, by number.
func copyGames(tx *gorm.DB, from, to, players int) error {
	const numbers = "WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE " +
		"n < ?) "
	const game = "'0191f3a0-7c1e-7000-8000-' || substr(CAST(1000000000000 + n AS text), 2)"
	one := "(n * 7919) % " + strconv.Itoa(players)
	other := "((n * 7919) % " + strconv.Itoa(players) + " + 1 + (n * 104729) % " + strconv.Itoa(players-1) + ") % " +
		strconv.Itoa(players)
	player := func(number string) string {
		return "substr(CAST(1000000000000 + " + number + " AS text), 2)"
	}
	const id = `"0191f3a0-7c1e-7000-9000-`
	duel := "'[" + id + "' || " + player(one) + " || '\"," + id + "' || " + player(other) + " || '\"]'"
	var four []string
	for i := range 4 {
		four = append(four, "'"+id+"' || "+player("(n * 7919 + "+strconv.Itoa(i)+") % "+strconv.Itoa(players))+" || '\"'")
	}
	ended := map[string]string{
		"seq": "n", "game_id": game, "variant": "CASE WHEN n % 8 = 0 THEN 'quits/four' ELSE 'quixo/duel' END",
		"list":    "CASE WHEN n % 8 = 0 THEN 'quits-rapid' WHEN n % 2 = 0 THEN 'quixo-blitz' ELSE 'quixo-rapid' END",
		"rated":   "rated",
		"players": "CASE WHEN n % 8 = 0 THEN '[' || " + strings.Join(four, " || ',' || ") + " || ']' ELSE " + duel + " END",
		"sides":   "CASE WHEN n % 8 = 0 THEN '[1,2,3,4]' ELSE '[1,2]' END",
		"ranks": "CASE WHEN n % 100 = 50 THEN NULL WHEN n % 8 = 0 THEN '[3,1,4,2]' WHEN n * 31 % 7 < 3 THEN '[1,2]' " +
			"WHEN n * 31 % 7 < 6 THEN '[2,1]' ELSE '[1,1]' END",
		"reason": "'line'", "plies": "20", "aborted": "lag", "tournament_id": "NULL", "round": "0", "board": "0",
		"finished_at": "1700000000000 + n * 60000", "moved": "15", "corrects": "0", "revision": "0", "fewest": "NULL",
	}
	for _, add := range []string{
		selectInto("games", &gameRow{}, map[string]string{"id": game}), selectInto("outbox", &outbox.Row{}, ended),
	} {
		into, values, _ := strings.Cut(add, ") SELECT ")
		if err := tx.Exec(into+") "+numbers+"SELECT "+values+" FROM games, numbers WHERE id = 'template'", from, to).
			Error; err != nil {
			return err
		}
	}
	return nil
}

// selectInto begins an INSERT … SELECT of all columns of a table, some by expressions.
func selectInto(table string, row any, by map[string]string) string {
	columns := db.ColumnsOf(row)
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = c
		if by[c] != "" {
			values[i] = by[c]
		}
	}
	return `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) SELECT ` + strings.Join(values, ", ")
}

// onBoth runs a benchmark on SQLite and on PostgreSQL, each with a history of its own.
func onBoth(b *testing.B, run func(b *testing.B, s *Store, games int)) {
	b.Helper()
	games := benchGames(b)
	for _, engine := range []struct {
		name   string
		config func(b *testing.B) Config
	}{
		{"SQLite", func(b *testing.B) Config { return Config{Dir: b.TempDir()} }},
		{"PostgreSQL", func(b *testing.B) Config { return Config{DSN: dbtest.Cluster(b, "max_wal_size=4GB").Schema(b)} }},
	} {
		b.Run(engine.name, func(b *testing.B) {
			s, err := Open(b.Context(), engine.config(b))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() {
				if err := s.Close(); err != nil {
					b.Error(err)
				}
			})
			fillHistory(b, s, games)
			run(b, s, games)
		})
	}
}

// BenchmarkRecompute measures ratings recompute and ratings recompute --verify.
func BenchmarkRecompute(b *testing.B) {
	onBoth(b, func(b *testing.B, s *Store, games int) {
		l := ledger.New(s.Ratings(), elo.Club{})
		var peak uint64 // of the heap
		l.Progress = func(int64, int64) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
		}
		rate := func(b *testing.B, work func(context.Context) (ledger.Report, error)) {
			spent := cpuTime(b)
			for b.Loop() {
				if _, err := work(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			all := float64(games) * float64(b.N)
			b.ReportMetric(all/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(all/(cpuTime(b)-spent).Seconds(), "games/CPU-s")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
		}
		b.Run("from_nothing", func(b *testing.B) { rate(b, l.Recompute) })
		b.Run("nothing_wrong", func(b *testing.B) { rate(b, l.Recompute) })
		b.Run("verify", func(b *testing.B) { rate(b, l.Verify) })
	})
}

// cpuTime returns the processor time of this process, without that of a PostgreSQL server.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// TestRatingsAreTheSameOnBoth rates a history game by game with the ledger of one database, corrections and void games
// included, and computes it at once on the other: rows, current ratings and sums are the same to the last bit.
func TestRatingsAreTheSameOnBoth(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	served := ""
	for _, c := range []Config{{Dir: folder(t)}, {DSN: server.Schema(t)}} {
		s := open(t, c)
		fillHistory(t, s, 3000)
		l := ledger.New(s.Ratings(), elo.Club{})
		var err error
		if c.Dir != "" {
			if err = s.backend.write(t.Context(), func(tx *gorm.DB) error {
				return tx.Exec("UPDATE cursors SET seq = 0").
					Error
			}); err == nil {
				_, err = l.CatchUp(t.Context())
			}
		} else {
			_, err = l.Recompute(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if report, err := l.Verify(t.Context()); err != nil || !report.OK() || report.Rated != 2970 {
			t.Errorf("%+v: %+v, %v", c, report, err)
		}
		now := everything(t, s)
		if served == "" {
			served = now
		} else if now != served {
			t.Error("the rows differ")
		}
	}
}

// everything returns all that is stored of ratings as text.
func everything(t *testing.T, s *Store) string {
	t.Helper()
	var all string
	err := s.Ratings().Look(t.Context(), func(p ledger.Past) error {
		rows, err := p.Rows(t.Context(), math.MinInt64, math.MaxInt64, nil)
		standings, err2 := p.Standings(t.Context(), "", "", nil)
		sums, err3 := p.Sums(t.Context())
		all = fmt.Sprintf("%+v\n%+v\n%+v", rows, standings, sums)
		return errors.Join(err, err2, err3)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
