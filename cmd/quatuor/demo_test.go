package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDemo plays the evening to its end and reads what it printed; then the ratings must be what the games lead to.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("left to the full run: it plays a whole evening")
	}
	t.Parallel()
	data := filepath.Join(t.TempDir(), "evening")
	out := mustQuatuor(t, "demo", "--data", data, "--exit", "--seed", "4")
	for _, want := range []string{
		`(?m)^124 games, \d+ moves`, `[1-9]\d* illegal moves refused`, `resignation 1\b`, `time 1\b`,
		`Quivive Melee \(quivive/melee\), Swiss at tables of four`, `Quixo Partners`,
		`(?m)^21 more games were played on boards in the hall`, `Quits in the Hall \(quits/duel\), Swiss\n`,
		`Quixo Autumn Cup \(quixo/duel\)`, `Quits Evening`, `Quivive Open`, `Qui'win Blitz`,
		`(?m)^Ratings +quits-blitz +quits-rapid +quivive-blitz +quiwin-bullet +quixo-blitz$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	const contests = 7
	for _, name := range []string{
		"Ada Lindqvist", "Bruno Keller", "Chiara Conti", "Dmitri Orlov", "Emma Laurent", "Farid Haddad", "Greta Novak",
		"Hugo Martins",
	} {
		if n := strings.Count(out, name); n != contests+1 {
			t.Errorf("%s is %d times in the standings and ratings, want %d", name, n, contests+1)
		}
	}
	if out := mustQuatuor(t, "ratings", "recompute", "--verify", "--data", data); !strings.HasSuffix(out, "identical\n") {
		t.Error(out)
	}
	cmd := command(t, "demo", "--data", data, "--exit")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitUsage {
		t.Errorf("a second evening in the same folder: %v\n%s", err, out)
	}
}
