package app

import (
	"slices"
	"testing"
	"time"

	"quatuor/store/storetest"
)

// BenchmarkReadersElsewhere plays through two of three instances in turns, on a PostgreSQL that writes to its disk, and
// measures how long after a move was answered a reader at the third has it:
//
//	go test ./cmd/quatuor/app -run '^$' -bench ReadersElsewhere -benchtime 500x
func BenchmarkReadersElsewhere(b *testing.B) {
	all := instances(b, storetest.Cluster(b).Schema(b), 3, nil)
	d := newDuel(b, all, "a")
	r := watch(b, all[2], d.events(), "")
	r.upTo(b, d.game.Version)
	var answered []time.Duration
	games := 0
	for b.Loop() {
		if d.game.Status != "running" {
			b.StopTimer()
			games++
			d = newDuel(b, all, "again"+string(rune('a'+games)))
			r = watch(b, all[2], d.events(), "")
			r.upTo(b, d.game.Version)
			b.StartTimer()
		}
		d.move(b, len(answered)%2)
		at := time.Now()
		for r.next(b).Version < d.game.Version {
		}
		answered = append(answered, time.Since(at))
	}
	slices.Sort(answered)
	for name, share := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
		b.ReportMetric(float64(answered[int(share*float64(len(answered)-1))].Microseconds())/1000, name)
	}
	b.ReportMetric(metric(b, all[2], "quatuor_hints_healed_total"), "healed")
}
