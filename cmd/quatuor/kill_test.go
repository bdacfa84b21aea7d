package main

import (
	"flag"
	"os"
	"testing"

	"quatuor/cmd/quatuor/crashtest"
)

// kills is the number of kills of the server; `go test ./cmd/quatuor -run KilledAgain -kills 200 -v` takes some
// minutes.
var kills = flag.Int("kills", map[bool]int{false: 5, true: 100}[os.Getenv("QUATUOR_LONG") != ""],
	"how often TestKilledAgainAndAgain kills the server")

// TestKilledAgainAndAgain kills the server again and again while clients use it; see package crashtest.
func TestKilledAgainAndAgain(t *testing.T) {
	skipInShort(t, "kills a server again and again")
	t.Parallel()
	crashtest.Run(t, crashtest.Config{Command: runner(t), Kills: *kills})
}
