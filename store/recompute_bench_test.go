package store

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store/storetest"
)

// envGames says how many finished games the benchmarks of recomputations rate.
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

// fillHistory stores so many finished games among a hundredth as many players, as an outbox would hold them after years:
// most of two, every eighth of four, every hundredth void, every thousandth corrected afterwards. Nothing of it is rated,
// but the cursor is at the end.
func fillHistory(b testing.TB, s *Store, games int) {
	b.Helper()
	template := table.Game{
		ID: "template", Variant: "quixo/duel", Seats: 2, Players: []string{"a", "b"}, Controls: []string{"300+3", "300+3"}, Rated: true,
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
		correct := selectInto("outbox", &outboxRow{}, map[string]string{
			"seq": "(SELECT max(seq) FROM outbox) + row_number() OVER (ORDER BY seq)", "ranks": "'[1,1]'", "corrects": "seq", "revision": "1",
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
	const numbers = "WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?) "
	const game = "'0191f3a0-7c1e-7000-8000-' || substr(CAST(1000000000000 + n AS text), 2)"
	games := "INSERT INTO games " + selectInto("", &gameRow{}, map[string]string{"id": game})
	_ = games
	one := "(n * 7919) % " + strconv.Itoa(players)
	other := "((n * 7919) % " + strconv.Itoa(players) + " + 1 + (n * 104729) % " + strconv.Itoa(players-1) + ") % " + strconv.Itoa(players)
	player := func(number string) string {
		return "substr(CAST(1000000000000 + " + number + " AS text), 2)"
	}
	const id = `"0191f3a0-7c1e-7000-9000-`
	duel := "'[" + id + "' || " + player(one) + " || '\"," + id + "' || " + player(other) + " || '\"]'"
	var four []string
	for i := range 4 {
		four = append(four, "'"+id+"' || "+player("(n * 7919 + "+strconv.Itoa(i)+") % "+strconv.Itoa(players))+" || '\"'")
	}
	outbox := map[string]string{
		"seq": "n", "game_id": game, "variant": "CASE WHEN n % 8 = 0 THEN 'quits/four' ELSE 'quixo/duel' END",
		"list": "CASE WHEN n % 8 = 0 THEN 'quits-rapid' WHEN n % 2 = 0 THEN 'quixo-blitz' ELSE 'quixo-rapid' END", "rated": "rated",
		"players": "CASE WHEN n % 8 = 0 THEN '[' || " + strings.Join(four, " || ',' || ") + " || ']' ELSE " + duel + " END",
		"sides":   "CASE WHEN n % 8 = 0 THEN '[1,2,3,4]' ELSE '[1,2]' END",
		"ranks": "CASE WHEN n % 100 = 50 THEN NULL WHEN n % 8 = 0 THEN '[3,1,4,2]' WHEN n * 31 % 7 < 3 THEN '[1,2]' " +
			"WHEN n * 31 % 7 < 6 THEN '[2,1]' ELSE '[1,1]' END",
		"reason": "'line'", "plies": "20", "aborted": "lag", "tournament_id": "NULL", "round": "0", "board": "0",
		"finished_at": "1700000000000 + n * 60000", "moved": "15", "corrects": "0", "revision": "0",
	}
	for _, add := range []string{
		selectInto("games", &gameRow{}, map[string]string{"id": game}), selectInto("outbox", &outboxRow{}, outbox),
	} {
		into, from2, _ := strings.Cut(add, ") SELECT ")
		if err := tx.Exec(into+") "+numbers+"SELECT "+from2+" FROM games, numbers WHERE id = 'template'", from, to).Error; err != nil {
			return err
		}
	}
	return nil
}

// selectInto begins an INSERT … SELECT of all columns of a table, some by expressions.
func selectInto(table string, row any, by map[string]string) string {
	columns := columnsOf(row)
	values := make([]string, len(columns))
	for i, c := range columns {
		if values[i] = c; by[c] != "" {
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
		{"PostgreSQL", func(b *testing.B) Config { return Config{DSN: storetest.Cluster(b, "max_wal_size=4GB").Schema(b)} }},
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
		rate := func(b *testing.B, work func() error) {
			for b.Loop() {
				if err := work(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(games)*float64(b.N)/b.Elapsed().Seconds(), "games/s")
		}
		recompute := func() error {
			_, err := l.Recompute(b.Context())
			return err
		}
		b.Run("from_nothing", func(b *testing.B) { rate(b, recompute) })
		b.Run("nothing_wrong", func(b *testing.B) { rate(b, recompute) })
		b.Run("verify", func(b *testing.B) {
			rate(b, func() error {
				_, err := l.Verify(b.Context())
				return err
			})
		})
	})
}
