package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestClockCommandRefusesWhatItCannotRead as a mistake of the caller, and names the line.
func TestClockCommandRefusesWhatItCannotRead(t *testing.T) {
	var out, errs bytes.Buffer
	status := run([]string{"clock"}, strings.NewReader(`{"controls":["5"],"events":[]}`+"\n{\n"), &out, &errs)
	if status != exitUsage || !strings.Contains(errs.String(), "line 2") || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
}
