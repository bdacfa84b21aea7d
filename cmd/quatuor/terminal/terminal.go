// Package terminal prints what commands show people: tables, and progress bars where there is a terminal to draw them on.
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
)

// Streams are the standard streams of a command.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Progress returns a progress bar for so many units of work. It is drawn on a terminal and nowhere else.
func Progress(w io.Writer, total int, what, unit string) *progressbar.ProgressBar {
	if !isTerminal(w) {
		w = io.Discard
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionSetItsString(unit), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
	)
}

// PrintTable draws a table with borders on a terminal and plain columns elsewhere.
func PrintTable(w io.Writer, header []string, rows [][]string) {
	if isTerminal(w) {
		drawn := table.New().Headers(header...).Rows(rows...).Border(lipgloss.RoundedBorder()).
			StyleFunc(func(row, col int) lipgloss.Style {
				style := lipgloss.NewStyle().Padding(0, 1)
				if col != 1 && (row != table.HeaderRow || col > 1) && col > 0 {
					style = style.Align(lipgloss.Right)
				}
				return style.Bold(row == table.HeaderRow)
			})
		fmt.Fprintln(w, drawn)
		return
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{header}, rows...) {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	_ = columns.Flush()
}
