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

// TestTablesAreDrawnOnTheTerminalBehindAScreen demands borders on a terminal, columns in a file, and that nothing in a
// field commands the terminal.
func TestTablesAreDrawnOnTheTerminalBehindAScreen(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := [][]string{{"1", "Ada\x1b[2J"}, {"2", "Émilie"}}
	s := &shown{terminal: file}
	PrintTable(s, []string{"Rank", "Name"}, rows)
	bar := Progress(s, 2, "counting", "games")
	_ = bar.Add(1)
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if drawn := string(text); !strings.Contains(drawn, "╭") || !strings.Contains(drawn, `Ada\u001b[2J`) ||
		!strings.Contains(drawn, "Émilie") ||
		!strings.Contains(drawn, "counting") {
		t.Errorf("drawn:\n%s", drawn)
	}
	if s.Len() > 0 {
		t.Errorf("the screen got %q", s.String())
	}
	plain := &shown{}
	PrintTable(plain, []string{"Rank", "Name"}, rows)
	if got := plain.String(); strings.Contains(got, "╭") || !strings.Contains(got, "1     Ada") {
		t.Errorf("elsewhere:\n%s", got)
	}
}
