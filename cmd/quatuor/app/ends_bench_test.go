package app

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/dbtest"
)

// BenchmarkEnds ends rated games on a single instance and on three, on a PostgreSQL that writes to its disk: each end
// is answered when the ratings that follow from it are stored. It reports the CPU time of an end for the instances (in
// this process) and the server, and its transactions:
//
//	go test ./cmd/quatuor/app -run '^$' -bench BenchmarkEnds -benchtime 3000x
func BenchmarkEnds(b *testing.B) {
	server := dbtest.Cluster(b)
	for _, count := range []int{1, 3, 1, 3} { // in turns, because other work may share the machine
		b.Run(fmt.Sprintf("%d_instances", count), func(b *testing.B) {
			all, _ := neighbours(b, server.Schema(b), count)
			games := runningGames(b, all, b.N)
			before, server0 := dbtest.OwnCPU(b), server.CPU(b)
			b.ResetTimer()
			const players = 48
			var next, late atomic.Int64
			var group sync.WaitGroup
			for range players {
				group.Go(func() {
					for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
						owner, _ := ownerOf(b, all, games[i]) // acts go there, wherever they arrive
						a := all[owner]
						act := table.Act{Game: games[i], Seat: 1, By: "ann"}
						if _, err := a.Tables.Resign(context.Background(), a.Tables.Arrive(games[i]), act); err != nil {
							b.Error(err)
						}
						if i%16 != 0 {
							continue
						}
						if known, err := a.Store.Ratings().Recorded(context.Background(), games[i:i+1]); err != nil || !known[games[i]] {
							late.Add(1)
						}
					}
				})
			}
			group.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ends/s")
			b.ReportMetric(float64((dbtest.OwnCPU(b)-before).Microseconds())/float64(b.N), "µs-instances/end")
			b.ReportMetric(float64((server.CPU(b)-server0).Microseconds())/float64(b.N), "µs-server/end")
			b.ReportMetric(float64(late.Load()), "not-rated-yet")
			report, err := ledger.NewBy(all[0].Store.Ratings(), all[0].lists).Verify(b.Context())
			if err != nil || !report.OK() || report.Rated != b.N {
				b.Errorf("a recomputation finds %+v, error %v", report, err)
			}
		})
	}
}

// runningGames opens games of a few hundred players and moves for both sides.
func runningGames(b *testing.B, all []*App, count int) []string {
	b.Helper()
	wanted := make([]table.NewGame, count)
	for i := range wanted {
		wanted[i] = table.NewGame{
			Variant: "quixo/duel", Players: []string{fmt.Sprint("p", i%199), fmt.Sprint("q", i%211)}, Controls: []string{"600"},
			Rated: true, Start: true,
		}
	}
	ids := make([]string, count)
	var group sync.WaitGroup
	for part := range 32 {
		group.Go(func() {
			for i := part; i < count; i += 32 {
				a := all[i%len(all)]
				games, err := a.Tables.Open(b.Context(), wanted[i])
				if err != nil {
					b.Error(err)
					return
				}
				ids[i] = games[0].Game.ID
				owner, _ := ownerOf(b, all, ids[i])
				a = all[owner]
				for turn, token := range []string{"a1-a5", "b1-b5"} {
					act := table.Act{Game: ids[i], Seat: int8(turn + 1), By: "ann"}
					if _, err := a.Tables.Play(b.Context(), a.Tables.Arrive(ids[i]),
						table.Move{Act: act, Turn: turn + 1, Token: token}); err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	group.Wait()
	if b.Failed() {
		b.FailNow()
	}
	time.Sleep(50 * time.Millisecond) // hints of these moves
	return ids
}
