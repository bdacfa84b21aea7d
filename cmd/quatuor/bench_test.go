package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/bench"
	"quatuor/store/dbtest"
)

// TestBench lets every measurement run on a small scale: it must do all of what it claims to measure, without an error.
// The speed means nothing on a busy machine. Deadlines and ends are measured by TestBenchOfInstances.
func TestBench(t *testing.T) {
	skipInShort(t, "measures for seconds")
	t.Parallel()
	for _, c := range []struct {
		args string
		want map[string]int // minimum of requests by kind
	}{
		{"--what moves --duration 200ms", map[string]int{"GET /healthz": 1, "moves": 1}},
		{"--what flags --clocks 100 --flag-rate 400 --duration 600ms", map[string]int{
			"moves at full rate": 1, "moves at half of that": 1, "flags, until stored": 200,
			"some of them, until a client knew": 100,
		}},
		{"--what spectators --spectators 100 --duration 1100ms", map[string]int{
			"moves without spectators": 1, "moves with spectators of another game": 1, "from a move sent to each spectator": 100,
			"from a move sent to the last spectator": 1, "from the answer to the last spectator": 1,
			"to the last spectator among other moves": 1,
		}},
		{"--what hall --hall-games 4 --hall-readers 10 --hall-players 6 --duration 1200ms", map[string]int{
			"moves": 4, "from a move sent to each reader": 8, "results of the tournament": 1, "pairing a round": 1,
		}},
		{"--what growth --games 4 --duration 20ms", map[string]int{
			"a game's rating": 3 * 512, "a move": 3, "home": 3, "a tournament": 3, "the busiest player": 3,
			"API: games that run": 3,
		}},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			measure(t, "as the", false, c.want, strings.Fields(c.args)...)
		})
	}
}

// measure runs a small measurement and demands a minimum of requests of each kind.
func measure(t *testing.T, settings string, given bool, want map[string]int, args ...string) {
	t.Helper()
	cmd := command(t, append([]string{"bench", "--json", "--connections", "2"}, args...)...)
	var output strings.Builder
	cmd.Stderr = &output
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &output)
	}
	done := map[string]int{}
	for line := range strings.Lines(string(out)) {
		var m bench.Measurement
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		done[m.What] += m.Requests
		lost := m.Errors > 0 && m.What != "moves sent just in time" // of these the flag may be faster
		if lost || m.Version == "" || m.Go == "" || strings.HasPrefix(m.Settings, settings) != given || m.Millis["p99"] < 0 {
			t.Errorf("%s", line)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(want)) {
		if done[what] < want[what] {
			t.Errorf("%s: %d, want at least %d", what, done[what], want[what])
		}
	}
}

// TestBenchOfInstances measures two instances on a shared PostgreSQL, and refuses two on databases of their own.
func TestBenchOfInstances(t *testing.T) {
	skipInShort(t, "starts a PostgreSQL cluster")
	t.Parallel()
	server := dbtest.Cluster(t, "fsync=off")
	start := func(dsn string) string {
		folder := t.TempDir()
		return serve(t, folder, "--database", dsn, "--registration", "open", "--rate-limit", "0", "--stream-limit", "0").URL
	}
	dsn, other := server.Schema(t), server.Schema(t)
	adminOnPostgres(t, dsn)
	adminOnPostgres(t, other)
	one, two, stranger := start(dsn), start(dsn), start(other)
	for _, c := range []struct {
		what string
		want map[string]int
	}{
		{"moves --duration 200ms", map[string]int{"GET /healthz": 1, "moves": 1}},
		{"readers --duration 1100ms", map[string]int{
			"moves that are watched": 2, "from the answer to readers elsewhere": 2, "from a move sent to readers elsewhere": 2,
			"from the answer to readers at the same": 2,
		}},
		{"deadlines --duration 2s", map[string]int{"moves sent just in time": 1, "moves meanwhile": 1}}, // a game takes up to 2 s
		{"ends --duration 200ms", map[string]int{"ends of games": 2 * 16}},
	} {
		args := append([]string{"--server", one + "," + two, "--what"}, strings.Fields(c.what)...)
		measure(t, "as the 2 instances", true, c.want, args...)
	}
	out, err := command(t, "bench", "--server", one, "--server", stranger).CombinedOutput()
	if err == nil || !strings.Contains(string(out), stranger+" does not know a player of "+one) {
		t.Errorf("two instances with a database each: %v\n%s", err, out)
	}
}

// TestBenchProfile reads the profile that was written.
func TestBenchProfile(t *testing.T) {
	skipInShort(t, "measures for seconds")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "moves.pgo")
	args := []string{"bench", "--what", "moves", "--connections", "2", "--duration", "200ms", "--profile", file}
	out, err := command(t, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	profile, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(profile); err != nil || !bytes.Contains(text, []byte("nanoseconds")) {
		t.Errorf("this is no profile of processor time: %d bytes (%v)", len(text), err)
	}
}

func TestBenchRefusesWhatItCannotMeasure(t *testing.T) {
	for _, args := range []string{
		"--server http://127.0.0.1:1 --what flags", "--server http://127.0.0.1:1 --no-group",
		"--server http://127.0.0.1:1 --profile x", "--what speed", "--what readers",
		"--what readers --server http://127.0.0.1:1",
		"--server http://127.0.0.1:1,http://127.0.0.1:1/", "--server 127.0.0.1:1", "--server http://127.0.0.1:1/api",
		"--server http://127.0.0.1:1",
		"--server http://127.0.0.1:1 --server http://127.0.0.1:2 --what spectators",
	} {
		var out strings.Builder
		status := run(append([]string{"bench"}, strings.Fields(args)...), strings.NewReader(""), &out, &out)
		if status == exitOK || !strings.Contains(out.String(), "--") {
			t.Errorf("bench %s: %d\n%s", args, status, &out)
		}
	}
}
