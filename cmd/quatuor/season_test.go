package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestSeason answers lines of each kind, and names the line without an answer.
func TestSeason(t *testing.T) {
	for kind, want := range map[string]string{
		"keizer": `{"id":"1","order":[],"values":[],"totals":[]}`,
		"ladder": `{"id":"1","log":[],"order":[]}`,
		"arena":  `{"id":"1","order":[],"points":[],"sheets":[],"pairs":[],"waits":null}`,
		"league": `{"id":"1","divisions":[["a"]]}`,
		"prix":   `{"id":"1","standings":[]}`,
	} {
		good := `{"id":"1","divisions":[["a"]]}`
		var out, errs bytes.Buffer
		status := run([]string{"season", kind}, strings.NewReader(good+"\n[]\n"+good), &out, &errs)
		if status != exitFailure || !strings.HasPrefix(errs.String(), "quatuor: line 2: not a case in JSON: ") {
			t.Errorf("%s: status %d, %q", kind, status, errs.String())
		}
		if got := out.String(); got != want+"\n"+want+"\n" {
			t.Errorf("%s printed\n%s\nwant twice\n%s", kind, got, want)
		}
		out.Reset()
		if status := run([]string{"season", kind}, strings.NewReader(good), &out, &errs); status != exitOK {
			t.Errorf("%s: status %d", kind, status)
		}
	}
	for _, args := range [][]string{{"season"}, {"season", "chess"}} {
		var out, errs bytes.Buffer
		if status := run(args, strings.NewReader(""), &out, &errs); status != exitUsage || out.Len() > 0 && errs.Len() == 0 {
			t.Errorf("%v: status %d, %q", args, status, errs.String())
		}
	}
}
