package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"quatuor/cmd/quatuor/terminal"
)

// logging configures the log.
type logging struct {
	LogLevel  string `help:"Minimum severity that is logged: ${enum}." enum:"debug,info,warn,error" default:"info"`
	LogFormat string `help:"Format of the log: ${enum}." enum:"text,json" default:"text"`
}

// logger returns a logger to the standard error stream, and a function that writes the lines that it still holds; see
// [logBuffer]. On a terminal every line is written at once.
func (l logging) logger(s streams) (logger *slog.Logger, flush func()) {
	if terminal.IsTerminal(s.Err) {
		return slog.New(l.handler(s.Err)), func() {}
	}
	buffer := &logBuffer{out: s.Err}
	return slog.New(urgentFirst{l.handler(buffer), buffer}), buffer.flush
}

func (l logging) handler(out io.Writer) slog.Handler {
	var level slog.Level
	_ = level.UnmarshalText([]byte(l.LogLevel)) // the flag's values are exactly slog's
	options := &slog.HandlerOptions{Level: level}
	if l.LogFormat == "json" {
		return slog.NewJSONHandler(out, options)
	}
	return slog.NewTextHandler(out, options)
}

const (
	// logDelay is the longest wait of a line of the log for others, and logSize the number of bytes that are written at
	// once.
	logDelay = 100 * time.Millisecond
	logSize  = 16 << 10
)

// logBuffer collects the lines of a log and writes them together: a busy server logs a line for each request, and a
// write of its own would cost as much as the line itself. It is safe for concurrent use.
type logBuffer struct {
	out io.Writer

	mu    sync.Mutex
	lines []byte
	timer *time.Timer // writes the lines after logDelay; nil before the first
}

// Write adds a line.
func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		if b.timer == nil {
			b.timer = time.AfterFunc(logDelay, b.flush)
		} else {
			b.timer.Reset(logDelay)
		}
	}
	b.lines = append(b.lines, line...)
	if len(b.lines) >= logSize {
		b.write()
	}
	return len(line), nil
}

// flush writes the lines that wait.
func (b *logBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

func (b *logBuffer) write() {
	if len(b.lines) == 0 {
		return
	}
	_, _ = b.out.Write(b.lines) // nowhere is left to complain
	b.lines = b.lines[:0]
}

// urgentFirst is a handler that lets no line wait from the level of a warning on.
type urgentFirst struct {
	slog.Handler
	buffer *logBuffer
}

// Handle writes a record.
func (h urgentFirst) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		h.buffer.flush()
	}
	return err
}

// WithAttrs returns a handler with further attributes in its records.
func (h urgentFirst) WithAttrs(attrs []slog.Attr) slog.Handler {
	return urgentFirst{h.Handler.WithAttrs(attrs), h.buffer}
}

// WithGroup returns a handler with a group for further attributes.
func (h urgentFirst) WithGroup(name string) slog.Handler {
	return urgentFirst{h.Handler.WithGroup(name), h.buffer}
}
