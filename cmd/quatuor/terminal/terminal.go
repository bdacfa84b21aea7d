// Package terminal prints the output of commands: tables, and progress on a terminal.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/term"
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

// Bar is a progress bar on a terminal. It is not drawn to files.
type Bar struct {
	to         io.Writer
	what, unit string
	total      int

	mu          sync.Mutex
	done, drawn int       // drawn is the width of the line
	next        time.Time // when it is drawn again
}

// Progress returns a bar for a number of units of work. Its words for the work and the unit are the program's own.
func Progress(stream io.Writer, total int, what, unit string) *Bar {
	b := &Bar{to: io.Discard, what: what, unit: unit, total: total}
	if f := terminalOf(stream); f != nil {
		b.to = f
	}
	return b
}

// Add adds n units that are done.
func (b *Bar) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(b.done+n, b.total)
}

// Set sets the number of units that are done, and their total.
func (b *Bar) Set(done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(done, total)
}

func (b *Bar) set(done, total int) {
	const between = 100 * time.Millisecond
	b.done, b.total = done, total
	now := time.Now()
	if b.to == io.Discard || now.Before(b.next) {
		return
	}
	b.next = now.Add(between)
	text := fmt.Sprintf("%s: %d of %d %s", b.what, done, max(done, total), b.unit)
	fmt.Fprintf(b.to, "\r%-*s", b.drawn, text)
	b.drawn = len(text)
}

// Finish clears the line.
func (b *Bar) Finish() { fmt.Fprintf(b.to, "\r%*s\r", b.drawn, "") }

// PrintTable writes rows in plain columns.
func PrintTable(w io.Writer, header []string, rows [][]string) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{header}, rows...) {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	_ = columns.Flush()
}
