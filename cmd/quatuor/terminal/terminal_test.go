package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shown is a screen with a file as its terminal.
type shown struct {
	strings.Builder
	terminal *os.File
}

func (s *shown) Terminal() *os.File { return s.terminal }

// TestProgressIsDrawnOnTheTerminalBehindAScreen demands a line on a terminal, and nothing of it in a file; and on both
// aligned columns without control sequences.
func TestProgressIsDrawnOnTheTerminalBehindAScreen(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	bar := Progress(&shown{terminal: file}, 2, "counting", "games")
	bar.Add(1)
	text, err := os.ReadFile(file.Name())
	if err != nil || string(text) != "\rcounting: 1 of 2 games" {
		t.Errorf("drawn: %q, %v", text, err)
	}
	bar.Finish()
	if text, err = os.ReadFile(file.Name()); err != nil || !strings.HasSuffix(string(text), "games\r                      \r") {
		t.Errorf("the line is not cleared: %q, %v", text, err)
	}
	var out strings.Builder
	Progress(&out, 2, "counting", "games").Add(1)
	screen := NewScreen(&out)
	PrintTable(screen, []string{"Rank", "Name", "Points"}, [][]string{{"1", "Ada\x1b[2J", "2"}, {"2", "Émilie", "1"}})
	if got := out.String(); !strings.Contains(got, "1     Ada\\u001b[2J") || !strings.Contains(got, "2     Émilie   1\n") {
		t.Errorf("elsewhere:\n%s", got)
	}
}
