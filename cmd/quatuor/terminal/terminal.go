// Package terminal prints the output of commands: tables, and progress bars on a terminal.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"quatuor/tournament/wording"
)

// Streams are the standard streams of a command.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// terminalOf returns the terminal that a stream writes to, nil if it is none.
func terminalOf(stream io.Writer) *os.File {
	if s, ok := stream.(interface{ Terminal() *os.File }); ok { // a [Screen]
		return s.Terminal()
	}
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// IsTerminal reports whether a stream writes to a terminal.
func IsTerminal(stream io.Writer) bool { return terminalOf(stream) != nil }

// Progress returns a progress bar for so many units of work. It is drawn on a terminal and nowhere else. What is done
// and the unit are words of the program.
func Progress(stream io.Writer, total int, what, unit string) *progressbar.ProgressBar {
	w := io.Discard
	if f := terminalOf(stream); f != nil {
		w = f
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionSetItsString(unit), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
	)
}

// PrintTable draws a table with borders on a terminal, and plain columns otherwise.
func PrintTable(w io.Writer, header []string, rows [][]string) {
	if f := terminalOf(w); f != nil {
		fmt.Fprintln(f, drawn(header, rows))
		return
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{header}, rows...) {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	_ = columns.Flush()
}

// drawn returns a table with borders. What its fields hold cannot command a terminal.
func drawn(header []string, rows [][]string) *table.Table {
	spelt := make([][]string, len(rows))
	for i, row := range rows {
		for _, field := range row {
			spelt[i] = append(spelt[i], spell(field))
		}
	}
	return table.New().Headers(header...).Rows(spelt...).Border(lipgloss.RoundedBorder()).
		StyleFunc(func(row, col int) lipgloss.Style {
			style := lipgloss.NewStyle().Padding(0, 1)
			if col != 1 && (row != table.HeaderRow || col > 1) && col > 0 {
				style = style.Align(lipgloss.Right)
			}
			return style.Bold(row == table.HeaderRow)
		})
}

// spell returns a text with everything spelled out that is not shown.
func spell(text string) string {
	var b strings.Builder
	for _, r := range text {
		if wording.Shown(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
