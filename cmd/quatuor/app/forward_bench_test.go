//go:build unix

package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quatuor/store/dbtest"
)

// BenchmarkForwardedMoves sends moves to the owner of a game, and to an instance that sends them on to it. Both
// instances are in this process, on a PostgreSQL that does not wait for its disk: the difference between the two is the
// cost of forwarding. CPU-µs is that of the instances.
//
//	go test ./cmd/quatuor/app -run '^$' -bench MovesElsewhere -benchtime 2000x
func BenchmarkForwardedMoves(b *testing.B) {
	all, _ := neighbours(b, dbtest.Cluster(b, "fsync=off").Schema(b), 2)
	d := newDuel(b, all, "a")
	game := func(i int) {
		b.Helper()
		by := d.players[i%2][0]
		err := by.Post(b.Context(), "/games", map[string]any{
			"variant": "quixo/duel", "time_control": "none", "start": "now",
			"seats": []map[string]string{{"player_id": d.players[0][0].ID}, {"player_id": d.players[1][0].ID}},
		}, &d.game)
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, where := range []string{"owner", "another"} {
		b.Run(where, func(b *testing.B) {
			var took []time.Duration
			var cpu time.Duration
			for b.Loop() {
				if d.game.Status != "running" || d.game.Turn > 20 {
					game(len(took))
				}
				owner, other := ownerOf(b, all, d.game.ID)
				at := map[string]int{"owner": owner, "another": other}[where]
				by, move := d.nextMove(b, at)
				body := fmt.Sprintf(`{"seat":%d,"turn":%d,"move":%q}`, move["seat"], move["turn"], move["move"])
				r := httptest.NewRequest(http.MethodPost, "/api/v1/games/"+d.game.ID+"/moves", strings.NewReader(body))
				r.Header = http.Header{"Authorization": {"Bearer " + by.Token}, "Content-Type": {"application/json"}}
				w := httptest.NewRecorder()
				begun, used := time.Now(), usedCPU(b)
				all[at].Handler.ServeHTTP(w, r)
				took, cpu = append(took, time.Since(begun)), cpu+usedCPU(b)-used
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
				if err := by.Get(b.Context(), "/games/"+d.game.ID, &d.game); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(0, "ns/op") // the rest of the loop counts for nothing
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(cpu.Microseconds())/float64(len(took)), "CPU-µs/move")
		})
	}
}

// usedCPU returns the processor time of this process.
func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
