package terminal

import (
	"bytes"
	"testing"
)

// TestNoTerminal: a file or a pipe gets plain columns and no bar.
func TestNoTerminal(t *testing.T) {
	var out bytes.Buffer
	bar := Progress(&out, 3, "counting", "things")
	if err := bar.Add(2); err != nil {
		t.Fatal(err)
	}
	PrintTable(&out, []string{"Name", "Points"}, [][]string{{"Ada Lindqvist", "3"}, {"Bo", "10"}})
	const want = "Name           Points\nAda Lindqvist  3\nBo             10\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", &out, want)
	}
}
