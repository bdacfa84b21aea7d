package demo

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
)

// TestDemo plays the evening to its end and reads what it printed; then the ratings must be what the games lead to.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("left to the full run: it plays a whole evening")
	}
	data := filepath.Join(t.TempDir(), "evening")
	out, err := played(t, data)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`(?m)^124 games, \d+ moves`, `[1-9]\d* illegal moves refused`, `resignation 1\b`, `time 1\b`,
		`Quivive Melee \(quivive/melee\), Swiss at tables of four`, `Quixo Partners`,
		`(?m)^12 more games were played on boards in the hall`, `Quits in the Hall \(quits/duel\), Swiss\n`,
		`Quixo Autumn Cup \(quixo/duel\)`, `Quits Evening`, `Quivive Open`, `Qui'win Blitz`,
		`(?m)^Ratings +quits-blitz +quits-rapid +quivive-blitz +quiwin-bullet +quixo-blitz$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	for _, name := range names {
		if n := strings.Count(out, name); n != len(tournaments)+1 {
			t.Errorf("%s is %d times in the standings and ratings, want %d", name, n, len(tournaments)+1)
		}
	}
	db, err := app.Storage{Data: data}.OpenStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := errors.Join(app.RecomputeRatings(t.Context(), app.Storage{}, db, terminal.Streams{Out: &said, Err: io.Discard}, true), db.Close()); err != nil || !strings.HasSuffix(said.String(), "identical\n") {
		t.Errorf("%v\n%s", err, &said)
	}
	var usage *app.UsageError
	if out, err := played(t, data); !errors.As(err, &usage) {
		t.Errorf("a second evening in the same folder: %v\n%s", err, out)
	}
}

// played plays an evening and returns what it printed.
func played(t *testing.T, data string) (string, error) {
	var out bytes.Buffer
	err := Run(t.Context(), Config{Data: data, Listen: "127.0.0.1:0", Exit: true, Seed: 4}, terminal.Streams{Out: &out, Err: &out})
	return out.String(), err
}
