package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament/pairing/tables"
	"quatuor/tournament/trf/generate"
)

// checkedRound is the outcome of a round of tables.
type checkedRound struct {
	File        string              `json:"file"`
	Line        int                 `json:"line"`
	ID          string              `json:"id,omitempty"`
	Differences []tables.Difference `json:"findings"`
	Note        string              `json:"note,omitempty"`
	Error       string              `json:"error,omitempty"`
}

// tables compares rounds at tables: lines of JSON, each a case with its answer.
func (c trfCheckCmd) tables(s streams) (err error) {
	if c.Round > 0 || c.NoStandings || len(c.TieBreaks) > 0 {
		return app.UsageErrorf("--tables goes with --json and --answers alone")
	}
	answers, err := readAnswers(c.Answers)
	if err != nil {
		return &exitError{status: 2, text: err.Error()}
	}
	out := bufio.NewWriter(s.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	rounds, differing, failed := 0, 0, 0
	for _, name := range c.Files {
		fault := eachLine(name, func(number int, line []byte) {
			one := checkRound(line, answers)
			one.File, one.Line = name, number
			rounds++
			switch {
			case one.Error != "":
				failed++
			case len(one.Differences) > 0:
				differing++
			}
			c.printRound(one, out, s.Err)
		})
		if fault != nil {
			failed++
			fmt.Fprintf(s.Err, "quatuor: %s: %v\n", name, fault)
		}
	}
	if !c.JSON {
		fmt.Fprintf(out, "%d rounds: %d differ\n", rounds, differing)
	}
	switch {
	case failed > 0:
		return &exitError{status: 2}
	case differing > 0:
		return &exitError{status: exitFailure}
	}
	return nil
}

// readAnswers reads answers by the id of their case; nil without a file.
func readAnswers(name string) (map[string][]byte, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // the cases have their answers
	}
	out := make(map[string][]byte)
	var fault error
	err := eachLine(name, func(number int, line []byte) {
		var answer struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &answer); err != nil && fault == nil {
			fault = fmt.Errorf("line %d: %w", number, err)
		}
		out[answer.ID] = line
	})
	if err = errors.Join(err, fault); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// eachLine calls a function for every line that is not empty.
func eachLine(name string, do func(number int, line []byte)) error {
	text, err := os.ReadFile(name)
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			do(number, line)
		}
	}
	return err
}

// checkRound compares a round.
func checkRound(line []byte, answers map[string][]byte) (one checkedRound) {
	one.Differences = []tables.Difference{}
	var answer []byte
	if answers != nil {
		var id struct{ ID string }
		_ = json.Unmarshal(line, &id) // a line without an id is refused below
		one.ID = id.ID
		if answer = answers[id.ID]; answer == nil {
			one.Error = fmt.Sprintf("there is no answer %q", id.ID)
			return one
		}
	}
	drawn, err := tables.ReadDrawn(line, answer)
	if err == nil {
		one.ID = drawn.ID
		var differences []tables.Difference
		differences, one.Note, err = drawn.Compare()
		one.Differences = append(one.Differences, differences...)
	}
	if err != nil {
		one.Error = err.Error()
	}
	return one
}

func (c trfCheckCmd) printRound(one checkedRound, out, errs io.Writer) {
	if c.JSON {
		_ = json.NewEncoder(out).Encode(one) // of plain values
		return
	}
	where := fmt.Sprintf("%s: line %d: %s", one.File, one.Line, one.ID)
	for _, d := range one.Differences {
		fmt.Fprintf(out, "%s: %s (%s)\n", where, d.Text, d.Criterion)
	}
	if one.Note != "" {
		fmt.Fprintf(errs, "note: %s: %s\n", where, one.Note)
	}
	if one.Error != "" {
		fmt.Fprintf(errs, "quatuor: %s: cannot be replayed: %s\n", where, one.Error)
	}
}

// tables writes the rounds of tournaments at tables into a file, each a case with its answer.
func (c trfGenerateCmd) tables(ctx context.Context, settings generate.Settings, seed uint64, s streams) error {
	var b bytes.Buffer
	count := max(1, c.Count)
	bar := terminal.Progress(s.Err, count, "Generating", "tournaments")
	defer bar.Finish()
	for i := range count {
		if ctx.Err() != nil {
			return errInterrupted
		}
		lines, err := generate.Tables(settings, seed+uint64(i))
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed+uint64(i), err)
		}
		for _, line := range lines {
			b.Write(append(line, '\n'))
		}
		bar.Add(1)
	}
	if c.Output == "-" {
		_, err := b.WriteTo(s.Out)
		return err
	}
	return os.WriteFile(c.Output, b.Bytes(), 0o666) //nolint:gosec // as reports are
}
