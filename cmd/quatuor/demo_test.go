package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDemo plays the evening to its end and reads what it printed; then the ratings must be what the games lead to.
func TestDemo(t *testing.T) {
	data := filepath.Join(t.TempDir(), "evening")
	raw, err := command(t, "demo", "--exit", "--data", data).CombinedOutput()
	out := string(raw)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`(?m)^112 games, \d+ moves`, `[1-9]\d* illegal moves refused`, `resignation 1\b`, `time 1\b`,
		`Quixo Autumn Cup \(quixo/duel\)`, `Quits Evening`, `Quivive Open`, `Qui'win Blitz`,
		`(?m)^Ratings +quits-blitz +quivive-blitz +quiwin-bullet +quixo-blitz$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	for _, name := range demoNames {
		if n := strings.Count(out, name); n != len(demoVariants)+1 {
			t.Errorf("%s is %d times in the standings and ratings, want %d", name, n, len(demoVariants)+1)
		}
	}
	verified, err := command(t, "ratings", "recompute", "--verify", "--data", data).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(verified), "identical\n") {
		t.Errorf("%v\n%s", err, verified)
	}
	if out, err := command(t, "demo", "--exit", "--data", data).CombinedOutput(); err == nil {
		t.Errorf("a second evening in the same folder was not refused:\n%s", out)
	}
}

func TestFolderHasOneProcess(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data)
	out, err := command(t, "serve", "--data", data, "--listen", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), data) {
		t.Errorf("a second server on the same folder: %v\n%s", err, out)
	}
	p.stop()
}

func TestAdminCreateRefuses(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	for name, c := range map[string]struct{ login, password string }{
		"the same login":    {"Olga", "correct horse battery"},
		"a short password":  {"anna", "short"},
		"no password":       {"anna", ""},
		"a login of spaces": {"an na", "correct horse battery"},
	} {
		cmd := command(t, "admin", "create", "--data", data, "--login", c.login, "--password-stdin")
		cmd.Stdin = strings.NewReader(c.password + "\n")
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%s was taken:\n%s", name, out)
		}
	}
	if entries, err := os.ReadDir(data); err != nil || len(entries) == 0 {
		t.Errorf("the data folder is empty: %v", err)
	}
}
