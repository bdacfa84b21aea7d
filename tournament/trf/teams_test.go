package trf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"quatuor/tournament/trf"
)

// teamFiles are reports of teams from the shared cases.
func teamFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("/work/shared/data/teams/*/*.trf")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	return files
}

// TestTeamsAreWrittenAsTheyWereRead: read and written, a report has the same bytes; and its records are canonical but
// for the lines 240, which are a column too far to the right.
func TestTeamsAreWrittenAsTheyWereRead(t *testing.T) {
	for _, file := range teamFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := trf.ReadTeams(text, false)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), text) {
			t.Errorf("%s: written otherwise than read", file)
		}
		if n := r.NotCanonical(); len(n) > 0 {
			t.Errorf("%s: not canonical: %q", file, n)
		}
	}
}
