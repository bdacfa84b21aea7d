package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/store/dbtest"
)

// The numbers of all games, and of running games, in the database of the measured start.
const (
	startAll     = 300_000
	startRunning = 100_000
)

// BenchmarkStart kills a server and starts it again on a database of 300,000 games, 100,000 of them running. It reports
// the time from the start of the process to the first answer of /readyz, when every deadline is armed; and the time
// until every running game has been credited the server's absence, with the memory in use then.
func BenchmarkStart(b *testing.B) {
	data := b.TempDir()
	fillForStart(b, data)
	var ready, settled time.Duration
	var memory int
	for range b.N {
		began := time.Now()
		p := serve(b, data, "--log-level", "warn")
		for answer := 0; answer != http.StatusOK; {
			if r, err := http.Get(p.URL + "/readyz"); err == nil {
				answer = r.StatusCode
				_ = r.Body.Close()
			}
		}
		ready += time.Since(began)
		waitUntilSettled(b, data)
		settled += time.Since(began)
		memory += residentMemory(b, p.Cmd.Process.Pid)
		p.Kill()
	}
	b.ReportMetric(float64(ready.Milliseconds())/float64(b.N), "ms/ready")
	b.ReportMetric(float64(settled.Milliseconds())/float64(b.N), "ms/settled")
	b.ReportMetric(float64(memory)/float64(b.N)/(1<<20), "MiB")
	b.ReportMetric(0, "ns/op")
}

// fillForStart copies a game that is over and a game that runs as often as is needed, with their logs.
func fillForStart(b *testing.B, data string) {
	b.Helper()
	db, err := store.Open(b.Context(), store.Config{Dir: data})
	if err != nil {
		b.Fatal(err)
	}
	tables := table.New(table.Config{Storage: db.Games().Storage()})
	var ids []string
	for range 2 {
		opened, err := tables.Open(b.Context(), table.NewGame{
			Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"600000"}, Start: true,
		})
		if err != nil {
			b.Fatal(err)
		}
		ids = append(ids, opened[0].Game.ID)
		for turn, token := range []string{"a1-a5", "b1-b5", "c1-c5", "d1-d5"} {
			act := table.Act{Game: ids[len(ids)-1], Seat: int8(turn%2 + 1)}
			if _, err := tables.Play(b.Context(), tables.Arrive(act.Game),
				table.Move{Act: act, Turn: turn + 1, Token: token}); err != nil {
				b.Fatal(err)
			}
		}
	}
	if _, err := tables.Resign(b.Context(), tables.Arrive(ids[0]), table.Act{Game: ids[0], Seat: 1}); err != nil {
		b.Fatal(err)
	}
	if err := db.Games().Beat(b.Context(), "gone", time.Now().UnixMilli()); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	copyGames(b, data, ids[0], startAll-startRunning-1)
	copyGames(b, data, ids[1], startRunning-1)
}

// copyGames multiplies a game.
func copyGames(b *testing.B, data, id string, times int) {
	b.Helper()
	db := dbtest.OpenFile(b, filepath.Join(data, "quatuor.db"))
	for _, of := range []struct{ table, key string }{{"games", "id"}, {"lines", "game_id"}} {
		var columns string
		err := db.QueryRowContext(b.Context(), `SELECT group_concat(name) FROM pragma_table_info(?) WHERE name <> ?`,
			of.table, of.key).Scan(&columns)
		if err != nil {
			b.Fatal(err)
		}
		_, err = db.ExecContext(b.Context(), fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %[1]d)
			INSERT INTO %[2]s (%[4]s, %[3]s) SELECT substr(%[4]s, 1, 24) || printf('%%012d', i), %[3]s FROM n, %[2]s WHERE %[4]s = '%[5]s'`,
			times, of.table, columns, of.key, id))
		if err != nil {
			b.Fatal(err)
		}
	}
}

// waitUntilSettled returns when no outage is noted any more.
func waitUntilSettled(b *testing.B, data string) {
	b.Helper()
	db, err := store.OpenToRead(b.Context(), store.Config{Dir: data})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
	defer cancel()
	for tick := time.NewTicker(10 * time.Millisecond); ; <-tick.C {
		outages, err := db.Games().Outages(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if len(outages) == 0 {
			return
		}
	}
}

// residentMemory is the memory that a process has in use, in bytes; 0 without /proc.
func residentMemory(b *testing.B, pid int) int {
	b.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return kib << 10
}
