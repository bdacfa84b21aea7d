package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// stillGame returns a record of a chosen length that changes nothing after the fourth ply.
func stillGame(pairs int) string {
	moves := `"a1-a5","e1-e5","a2-a5","e2-e5"` + strings.Repeat(`,"a4-a5","e4-e5"`, pairs)
	return `{"variant":"quixo/duel","options":{"repetition":"0","max_plies":"0"},"moves":[` + moves + "]}\n"
}

// TestReplayAnswersInOrder sends more games than are judged at a time, each of another length.
func TestReplayAnswersInOrder(t *testing.T) {
	const games = 20 * replayBatch
	var in, out bytes.Buffer
	lengths := make([]int, games)
	for i := range lengths {
		lengths[i] = rand.IntN(50)
		in.WriteString(stillGame(lengths[i]))
	}
	if status := run([]string{"replay"}, &in, &out, io.Discard); status != exitOK {
		t.Fatalf("exit status %d", status)
	}
	answers := lines(out.String())
	if len(answers) != games {
		t.Fatalf("%d answers for %d games", len(answers), games)
	}
	for i, pairs := range lengths {
		var answer struct{ Plies int }
		if err := json.Unmarshal([]byte(answers[i]), &answer); err != nil || answer.Plies != 4+2*pairs {
			t.Fatalf("answer %d: %d plies, error %v; want %d", i, answer.Plies, err, 4+2*pairs)
		}
	}
}

// TestReplayTakesAnyLine: long lines, empty lines, and a last line without its line feed.
func TestReplayTakesAnyLine(t *testing.T) {
	long := 100_000
	if testing.Short() {
		long = 20_000
	}
	in := stillGame(long) + "\nno record\n" + strings.TrimSuffix(stillGame(1), "\n")
	var out bytes.Buffer
	if err := replayLines(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	answers := lines(out.String())
	if len(answers) != 4 {
		t.Fatalf("%d answers, want 4", len(answers))
	}
	for i, want := range []string{fmt.Sprintf(`"plies":%d,`, 4+2*long), `"kind":"setup"`, `"kind":"setup"`, `"plies":6,`} {
		if !strings.Contains(answers[i], want) {
			t.Errorf("answer %d lacks %s: %.200s", i, want, answers[i])
		}
	}
}

// TestReplayAnswersBeforeTheInputEnds: a program that sends a record and waits gets the answer.
func TestReplayAnswersBeforeTheInputEnds(t *testing.T) {
	fromUs, toProgram := io.Pipe()
	fromProgram, toUs := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- replayLines(fromUs, toUs) }()
	answers := bufio.NewReader(fromProgram)
	for pairs := range 3 {
		if _, err := io.WriteString(toProgram, stillGame(pairs)); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadString('\n')
		if want := fmt.Sprintf(`"plies":%d,`, 4+2*pairs); err != nil || !strings.Contains(line, want) {
			t.Fatalf("answer %q, error %v; want %s", line, err, want)
		}
	}
	toProgram.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// brokenWriter takes nothing.
type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

// brokenReader fails after what it holds.
type brokenReader struct{ *strings.Reader }

func (r brokenReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}
	return n, err
}

// TestReplayReportsBrokenStreams: what was read before is answered.
func TestReplayReportsBrokenStreams(t *testing.T) {
	many := strings.Repeat(stillGame(0), 100*replayBatch)
	if err := replayLines(strings.NewReader(many), brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("writing fails with error %v", err)
	}
	var out bytes.Buffer
	if err := replayLines(brokenReader{strings.NewReader(stillGame(0))}, &out); !errors.Is(err, errBroken) {
		t.Errorf("reading fails with error %v", err)
	}
	if got := strings.Count(out.String(), "\n"); got != 1 {
		t.Errorf("%d answers before the failure, want 1", got)
	}
}

// TestInterruptibleWorkIsLeft when the context ends before it.
func TestInterruptibleWorkIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan error)
	cancel()
	if err := interruptible(ctx, func() error { return <-never }); !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
	if err := interruptible(t.Context(), func() error { return errBroken }); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

// BenchmarkReplay judges games of 60 plies on all processors.
func BenchmarkReplay(b *testing.B) {
	const games = 2000
	in := strings.Repeat(stillGame(28), games)
	for b.Loop() {
		if err := replayLines(strings.NewReader(in), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*games)/b.Elapsed().Seconds(), "games/s")
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }
