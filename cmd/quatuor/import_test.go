package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportTakesATournamentOver imports by the command, which explains what is wrong with a file.
func TestImportTakesATournamentOver(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.trf", strings.Replace(threePlayers, "0.5    3", "1.0    3", 1))
	wrong := write("wrong.trf", threePlayers)
	data := filepath.Join(dir, "data")
	do := func(in string, args ...string) (status int, out, errs string) {
		var stdout, stderr bytes.Buffer
		status = run(append(args, "--data", data), strings.NewReader(in), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	if status, _, errs := do("a long password\n", "admin", "create", "--login", "olga",
		"--password-stdin"); status != exitOK {
		t.Fatal(errs)
	}
	duel := []string{"--variant", "quixo/duel", "--time-control", "300+3"}
	for _, tt := range []struct {
		args   []string
		status int
		out    string
		errs   string
	}{
		{append(duel, good, "--organiser", "olga", "--check"), exitOK, "Would take over Three players: swiss, 3 entries, 3 of 3 rounds, finished\n", ""},
		{append(duel, good, "--organiser", "Olga"), exitOK, "Took over Three players: swiss, 3 entries, 3 of 3 rounds, finished\nIt is /tournaments/", ""},
		{append(duel, wrong, "--organiser", "olga"), exitFailure, "", "wrong.trf: line 6, player 3: 0.5 points"},
		{append(duel, good, "--organiser", "nobody"), exitUsage, "", `no account "nobody"`},
		{append(duel, good, "--organiser", "olga", "--player", "1=nobody"), exitUsage, "", "no such player"},
		{append(duel, filepath.Join(dir, "missing.trf"), "--organiser", "olga"), exitUsage, "", "missing.trf"},
	} {
		status, out, errs := do("", append([]string{"import"}, tt.args...)...)
		if status != tt.status || !strings.HasPrefix(out, tt.out) || !strings.Contains(errs, tt.errs) {
			t.Errorf("%v: status %d, printed %q and %q", tt.args, status, out, errs)
		}
	}
	if status, out, errs := do("", "check"); status != exitOK {
		t.Errorf("what was taken over does not fit together: %s%s", out, errs)
	}
}
