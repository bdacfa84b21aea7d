package main

import (
	"os"
	"testing"
	"time"
)

const day = 24 * time.Hour

// autumnOf returns a number: of the short form, or of the full one with QUATUOR_LONG.
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
	x.keizer(autumnOf(4, 20), autumnOf(12, 30))
	x.check()
	x.start()
	x.ladder(autumnOf(8, 60), autumnOf(10, 25))
	x.arena(autumnOf(3, 60), autumnOf(12, 60), autumnOf(2, 8))
	x.check()
	t.Logf("%s, %.0f s", x, time.Since(began).Seconds())
}
