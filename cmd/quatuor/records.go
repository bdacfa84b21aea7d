package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quatuor/api/pages/message"
	"quatuor/cmd/quatuor/app"
	"quatuor/engine/record"
)

// recordFiles are the files of records that a command was given; - or none at all is standard input.
type recordFiles []string

// sheet is a game of a file.
type sheet struct {
	file  string
	r     record.Record
	lines record.Lines
	err   *record.SyntaxError // the game cannot be read
}

// each reads the games in turn. An unreadable game is passed on with its error, and the games after it follow.
func (files recordFiles) each(in io.Reader, do func(sheet) error) error {
	if len(files) == 0 {
		files = recordFiles{"-"}
	}
	for _, name := range files {
		if err := eachIn(name, in, do); err != nil {
			return err
		}
	}
	return nil
}

func eachIn(name string, in io.Reader, do func(sheet) error) error {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return app.UsageErrorf("no records to read: %w", err)
		}
		defer file.Close()
		in = file
	}
	reader := record.NewReader(in)
	games := 0
	for {
		s := sheet{file: name}
		var err error
		s.r, s.lines, err = reader.Next()
		switch {
		case errors.Is(err, io.EOF) && games == 0:
			return app.UsageErrorf("%s holds no record; a game begins with its tags, such as [Variant \"quixo/duel\"]", name)
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &s.err):
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		games++
		if err := do(s); err != nil {
			return err
		}
	}
}

// title identifies the game.
func (s sheet) title() string {
	names := make([]string, len(s.r.Seats))
	for i, name := range s.r.Seats {
		names[i] = name
		if name == "" {
			names[i] = "?"
		}
	}
	parts := []string{s.r.Variant}
	if len(names) > 0 {
		parts = append(parts, message.Opponents(names...))
	}
	switch o := s.r.Outcome; {
	case s.r.Aborted:
		parts = append(parts, "broken off")
	case o == nil:
		parts = append(parts, "unfinished")
	default:
		parts = append(parts, s.r.Result()+" ("+string(o.Reason)+")")
	}
	return strings.Join(parts, ", ")
}

// findings counts games, and those with faults.
type findings struct{ games, wrong int }

// heading writes a game's heading and its findings, each on a line that names the file and the line.
func (t *findings) heading(out *bufio.Writer, s sheet, verdict string, report record.Report) {
	t.games++
	if s.err != nil {
		t.wrong++
		fmt.Fprintf(out, "%s:%d: no record: %s\n", s.file, s.err.Line, s.err.Message)
		return
	}
	if len(report.Faults) > 0 {
		t.wrong++
		verdict = "wrong"
	}
	fmt.Fprintf(out, "%s:%d: %s: %s\n", s.file, s.lines.First, s.title(), verdict)
	for _, f := range report.Faults {
		message := f.Message
		if f.Tag != "" {
			message = "tag " + f.Tag + ": " + message
		}
		fmt.Fprintf(out, "%s:%d: %s\n", s.file, s.lines.Of(f), message)
	}
	for _, note := range report.Notes {
		fmt.Fprintf(out, "%s:%d: note: %s\n", s.file, s.lines.First, note)
	}
}

// conclude ends a command that looked at records.
func (t *findings) conclude(out *bufio.Writer, err error) error {
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err == nil && t.wrong > 0 {
		err = fmt.Errorf("games that are not as they should be: %d of %d", t.wrong, t.games)
	}
	return err
}
