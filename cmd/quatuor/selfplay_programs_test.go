package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/app/apptest"
)

const examples = root + "/docs/examples"

// selfplay plays a series and returns its report.
func selfplay(t *testing.T, args ...string) (r selfplayReport) {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"selfplay", "--json", "--move-time", "5s"}, args...)
	if status := run(args, strings.NewReader(""), &out, &errs); status != exitOK {
		t.Fatalf("%v: status %d: %s", args, status, &errs)
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return r
}

// goExample builds the example in Go.
func goExample(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "textbot")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = filepath.Join(examples, "go")
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// pythonExample returns the command of the example in Python.
func pythonExample(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	return "python3 " + filepath.Join(examples, "python", "textbot.py")
}

// TestProgramsPlay has the examples play bots of ours and each other, in games that hide something too.
func TestProgramsPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("thirty games, with programs that are built first")
	}
	lines, straight := pythonExample(t), goExample(t)
	for _, tt := range []struct {
		args  []string
		score float64 // at least
	}{
		{[]string{"quixo/duel", "--engine", lines, "--against", "1", "--games", "8"}, 0.4},
		{[]string{"quits/duel", "--engine", straight, "--against", "1", "--games", "8"}, 0},
		{[]string{"quixo/duel", "--engine", lines, "--engine", straight, "--games", "8"}, 0.5},
		{[]string{"quiwin/duel", "--engine", straight, "--engine", lines, "--games", "4"}, 0},
		{[]string{"quivive/melee", "--seats", "3", "--engine", straight, "--against", "1", "--games", "3"}, 0},
	} {
		r := selfplay(t, tt.args...)
		if r.Won+r.Drawn+r.Lost != r.Games || r.Elo == nil || len(r.Faults) > 0 || r.Score < tt.score {
			t.Errorf("%v: %+v", tt.args, r)
		}
	}
	var out, errs bytes.Buffer
	status := run([]string{"selfplay", "quixo/duel", "--engine", lines, "--games", "2"}, strings.NewReader(""), &out, &errs)
	if status != exitOK || !strings.Contains(out.String(), "against level 2") || !strings.Contains(out.String(), "Elo") {
		t.Errorf("%s%s", &out, &errs)
	}
}

// TestProgramsThatFail: programs forfeit by an illegal move, by ending, and by silence. A program that is not ready is
// an error.
func TestProgramsThatFail(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for programs that do not answer")
	}
	ready := `read hello; echo ready faulty; while read word rest; do if [ "$word" = go ]; then `
	for name, script := range map[string]string{
		"is not legal": ready + `echo move a1-a1; fi; done`,
		"has ended":    ready + `exit; fi; done`,
		"in time":      ready + `sleep 5; fi; done`,
		"was to come":  ready + `echo resign; fi; done`,
	} {
		file := filepath.Join(t.TempDir(), "bot.sh")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		r := selfplay(t, "quixo/duel", "--engine", "sh "+file, "--against", "1", "--games", "2", "--move-time", "200ms")
		if r.Lost != 2 || len(r.Faults) != 2 || !strings.Contains(strings.Join(r.Faults, "\n"), name) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	var out, errs bytes.Buffer
	if status := run([]string{"selfplay", "quixo/duel", "--engine", "true"}, strings.NewReader(""), &out, &errs); status == exitOK {
		t.Errorf("a program that is not ready plays: %s", &out)
	}
}

// TestProgramsPlayOnAServer with accounts of bots.
func TestProgramsPlayOnAServer(t *testing.T) {
	straight := goExample(t)
	url := apptest.Run(t, app.Config{Logger: slog.New(slog.DiscardHandler)}).URL()
	for _, args := range [][]string{
		{"quits/duel", "--engine", straight, "--against", "1", "--games", "2"},
		{"quiwin/duel", "--engine", straight, "--engine", straight, "--games", "2"},
	} {
		r := selfplay(t, append(args, "--server", url, "--threads", "1")...)
		if r.Won+r.Drawn+r.Lost != 2 || len(r.Faults) > 0 {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
