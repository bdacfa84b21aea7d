package app

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/store/dbtest"
)

// BenchmarkRemoteReaders plays through two of three instances in turns, on a PostgreSQL that writes to its disk, and
// measures how long after a move was answered a reader at the third has it:
//
//	go test ./cmd/quatuor/app -run '^$' -bench ReadersElsewhere -benchtime 500x
func BenchmarkRemoteReaders(b *testing.B) {
	all := instances(b, dbtest.Cluster(b).Schema(b), 3, nil)
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

// BenchmarkLogin logs in from an address that is new to the account, with passwords that cost next to nothing, on a
// PostgreSQL that writes to its disk: what counting attempts at all instances adds.
//
//	go test ./cmd/quatuor/app -run '^$' -bench Login -benchtime 300x
func BenchmarkLogin(b *testing.B) {
	server := dbtest.Cluster(b)
	for name, attempts := range map[string]bool{"counted-together": true, "counted-here": false} {
		b.Run(name, func(b *testing.B) {
			all := instances(b, server.Schema(b), 1, func(c *Config) {
				adapt := c.AdaptAuth
				c.AdaptAuth = func(c *auth.Config) {
					adapt(c)
					if !attempts {
						c.Attempts = nil
					}
				}
			})
			member(b, all, "ada")
			i := 0
			for b.Loop() {
				i++
				if _, err := all[0].Guard.CheckLogin(b.Context(), "ada", phrase,
					address(fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
