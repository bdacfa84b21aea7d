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
)

// TestBench lets every measurement run on a small scale: it must do all of what it says it measures, without an error.
// How fast that is says nothing on a busy machine.
func TestBench(t *testing.T) {
	skipInShort(t, "measures for seconds")
	for _, c := range []struct {
		args string
		want map[string]int // at least so many requests of each kind
	}{
		{"--what moves", map[string]int{"GET /healthz": 1, "moves": 1}},
		{"--what flags --clocks 100 --flag-rate 200", map[string]int{
			"moves at full rate": 1, "moves at half of that": 1, "flags, until stored": 200, "some of them, until a client knew": 100,
		}},
		{"--what spectators --spectators 100", map[string]int{
			"moves without spectators": 1, "moves with spectators of another game": 1, "from a move sent to each spectator": 100,
			"from a move sent to the last spectator": 1, "from the answer to the last spectator": 1, "to the last spectator among other moves": 1,
		}},
		{"--what growth --games 40 --duration 100ms", map[string]int{
			"a game's rating": 3 * 512, "a move": 3, "home": 3, "a tournament": 3, "the busiest player": 3, "API: games that run": 3,
		}},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"bench", "--json", "--connections", "8", "--duration", "1100ms"}, strings.Fields(c.args)...)
			cmd := command(t, args...)
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
			done := map[string]int{}
			for line := range strings.Lines(string(out)) {
				var m bench.Measurement
				if err := json.Unmarshal([]byte(line), &m); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				done[m.What] += m.Requests
				if m.Errors != 0 || m.Version == "" || m.Go == "" || m.Settings == "" || m.Millis["p99"] < 0 {
					t.Errorf("%s", line)
				}
			}
			for _, what := range slices.Sorted(maps.Keys(c.want)) {
				if done[what] < c.want[what] {
					t.Errorf("%s: %d, want at least %d", what, done[what], c.want[what])
				}
			}
		})
	}
}

// TestBenchProfile reads the profile that was written.
func TestBenchProfile(t *testing.T) {
	skipInShort(t, "measures for seconds")
	file := filepath.Join(t.TempDir(), "moves.pgo")
	out, err := command(t, "bench", "--connections", "8", "--duration", "1s", "--profile", file).CombinedOutput()
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
		"--server http://127.0.0.1:1 --profile x", "--what speed",
	} {
		out, err := command(t, append([]string{"bench"}, strings.Fields(args)...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--") {
			t.Errorf("bench %s: %v\n%s", args, err, out)
		}
	}
}
