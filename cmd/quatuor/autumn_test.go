package main

import (
	"os"
	"testing"
	"time"
)

const day = 24 * time.Hour

// autumnOf returns a number: of the short form, or of the full form with QUATUOR_LONG.
func autumnOf(short, full int) int {
	if os.Getenv("QUATUOR_LONG") != "" {
		return full
	}
	return short
}

// TestAutumn plays what a club plays from autumn on, on a program that is killed in the middle of everything.
func TestAutumn(t *testing.T) {
	skipInShort(t, "kills servers")
	t.Parallel()
	began := time.Now()
	data := t.TempDir()
	adminByCommand(t, data)
	x := newAutumn(t, newMovedClock(t), 1, autumnOf(16, 60), data, "--data", data)
	keizer := x.keizer(autumnOf(4, 20), autumnOf(12, 30))
	x.check()
	x.start()
	ladder := x.ladder(autumnOf(8, 60), autumnOf(10, 25))
	x.duels(autumnOf(2, 16))
	arena := x.arena(autumnOf(3, 60), autumnOf(12, 60), autumnOf(2, 8))
	series := x.series(autumnOf(5, 12))
	league := x.league(autumnOf(3, 6))
	x.together([]map[string]any{
		{"kind": "tournament", "id": keizer, "weight": "2"},
		{"kind": "tournament", "id": arena},
		{"kind": "series", "id": series},
		{"kind": "ladder", "id": ladder, "weight": "0.5"},
		{"kind": "league", "id": league, "season": 1},
	})
	for range autumnOf(0, 8) {
		another := x.newLeague(3)
		x.killWithin(1)
		x.confirm("/leagues/" + another + "/seasons/1")
	}
	x.once()
	x.check()
	t.Logf("%s, %.0f s", x, time.Since(began).Seconds())
}
