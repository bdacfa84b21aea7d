//go:build linux

package trials

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
)

// trials are all trials in their order.
var trials = []struct {
	name  string
	run   func(*trial)
	apart bool // its demands do not depend on the machine's speed; in the short form it runs beside others like it
	each  bool // it runs with each change; the others on request
}{
	{"Kills", (*trial).kills, true, true},
	{"Freezes", (*trial).freezes, true, false},
	{"Crashes", (*trial).crashes, true, true},
	{"CrashesAsynchronous", (*trial).crashesAsynchronous, true, false},
	{"Promotions", (*trial).promotions, true, false},
	{"Readers", (*trial).readers, false, false},
	{"InTime", (*trial).inTime, false, false},
	{"Ends", (*trial).ends, false, false},
	{"Cost", (*trial).cost, false, false},
	{"Lives", (*trial).lives, false, false},
	{"Ten", (*trial).ten, false, false},
}

// TestTrials tries three instances on a shared PostgreSQL, each trial as a test of its own, on clusters that it starts.
//
//	go test ./cmd/quatuor/trials -v -run 'Trials/Kills$'
//	QUATUOR_LONG=hours go test ./cmd/quatuor/trials -v -timeout 2h
func TestTrials(t *testing.T) {
	if testing.Short() {
		t.Skip("left to the full run: it kills and freezes servers and databases for a minute")
	}
	command := build(t)
	server := dbtest.Cluster(t) // for those that let it live
	ratings := filepath.Join(t.TempDir(), "ratings.json")
	if err := os.WriteFile(ratings, []byte(harness.RateEveryGame), 0o600); err != nil {
		t.Fatal(err)
	}
	rating := func(args ...string) *exec.Cmd {
		cmd := command(args...)
		cmd.Env = append(cmd.Environ(), "QUATUOR_RATINGS="+ratings)
		return cmd
	}
	var mu sync.Mutex
	var lines []string
	t.Cleanup(func() {
		for _, line := range lines {
			t.Log(line)
		}
	})
	for _, one := range trials {
		t.Run(one.name, func(t *testing.T) {
			if !one.each && os.Getenv("QUATUOR_LONG") == "" {
				t.Skip("set QUATUOR_LONG=1 for the short form of every trial, as bash .ci/run all does")
			}
			x := &trial{T: t, command: rating, server: server}
			if one.apart && !long() {
				t.Parallel()
			}
			began := time.Now()
			one.run(x)
			line := fmt.Sprintf("%s: %s (%.0f s)", one.name, x.result, time.Since(began).Seconds())
			mu.Lock()
			lines = append(lines, line)
			mu.Unlock()
			t.Log("RESULT ", line)
			x.keep(line)
		})
	}
}

// trial is a running trial.
type trial struct {
	*testing.T
	command crashtest.Command
	server  *dbtest.Postgres
	result  string // its figures
}

// long reports whether the trials run in their long form.
func long() bool { return os.Getenv("QUATUOR_LONG") == "hours" }

// pause is the average pause of a client after each of its acts, where faults are tried.
func pause() time.Duration {
	if long() {
		return 5 * time.Millisecond
	}
	return 20 * time.Millisecond
}

// number returns the repetitions: of the short form, of the long form, or from the environment.
func (x *trial) number(name string, short, often int) int {
	x.Helper()
	name = "QUATUOR_TRIAL_" + name
	switch text := os.Getenv(name); {
	case text != "":
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			x.Fatalf("%s is %q, and must be a number from 1", name, text)
		}
		return n
	case long():
		return often
	}
	return short
}

// report sets the figures of the trial.
func (x *trial) report(format string, args ...any) { x.result = fmt.Sprintf(format, args...) }

// progress logs the progress of a long trial now and then.
func (x *trial) progress(done, of int, what fmt.Stringer) {
	if every := max(1, of/10); done%every == 0 {
		x.Logf("%d of %d: %s", done, of, what)
	}
}

// keep appends a line to the file that QUATUOR_TRIAL_RESULTS names, so that trials that run separately make a single
// table.
func (x *trial) keep(line string) {
	name := os.Getenv("QUATUOR_TRIAL_RESULTS")
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		x.Fatal(err)
	}
	defer file.Close()
	verdict := "passed"
	if x.Failed() {
		verdict = "FAILED"
	}
	if _, err := fmt.Fprintf(file, "%s %s %s\n", time.Now().UTC().Format(time.RFC3339), verdict, line); err != nil {
		x.Error(err)
	}
}

// spread is a set of durations, for its percentiles.
type spread []time.Duration

func (s spread) at(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	slices.Sort(s)
	return s[int(share*float64(len(s)-1))]
}

// String returns the median, the 99th percentile and the longest.
func (s spread) String() string {
	return fmt.Sprintf("p50 %.1f ms, p99 %.1f ms, longest %.1f ms of %d", millis(s.at(0.5)), millis(s.at(0.99)),
		millis(s.at(1)), len(s))
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
