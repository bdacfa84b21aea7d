package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/tables"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// pairCmd is `quatuor pair`: it pairs rounds of tournaments in FIDE's report format by the Dutch system, those of teams
// by the Swiss system for teams, or draws rounds of tables for three to five.
type pairCmd struct {
	Round      int      `help:"The round to pair, instead of the next one." placeholder:"N" xor:"which"`
	EveryRound bool     `help:"Pair each round again from the history before it." xor:"which"`
	Explain    bool     `help:"Explain the pairings, in lines that begin with a #."`
	Timing     bool     `help:"Print on standard error how long the pairing of each round took."`
	Tables     bool     `help:"Draw rounds of tables for three to five: a case in JSON on each line of standard input, an answer on each line of standard output." xor:"which"`
	Reading    []string `help:"Read the regulations of teams in another way: forfeit_met=true, last=none, c6=graded or seat=score." placeholder:"KEY=VALUE"`
	Lenient    bool     `help:"Pair teams although their records contradict themselves; the contradictions are printed on standard error."`
	Files      []string `arg:"" optional:"" name:"file" help:"Tournament report files (TRF16, TRF-2026)."`
}

// Run prints the rounds, tab-separated. Files that cannot be paired are named in the error; the others are done.
func (c pairCmd) Run(s streams) (err error) {
	if c.Tables {
		return c.tables(s)
	}
	if len(c.Files) == 0 {
		return app.UsageErrorf("name at least one report file, or use --tables")
	}
	if c.Round < 0 {
		return app.UsageErrorf("--round must be 1 or more, not %d", c.Round)
	}
	readings, err := teamswiss.ParseReadings(c.Reading)
	if err != nil {
		return app.UsageErrorf("--reading: %w", err)
	}
	out := bufio.NewWriter(s.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	fmt.Fprintln(out, "file\tround\tboard\twhite\tblack\tbye")
	return eachFile(c.Files, func(name string, text []byte) error {
		if trf.HasTeams(text) {
			return c.teamFile(name, text, readings, out, s.Err)
		}
		r, err := trf.Read(text)
		if err != nil {
			return err
		}
		return c.eachRound(name, r.NextRound(), r.Held(), r.Rounds, r.Followed, s.Err, func(round int) error {
			return c.pair(name, r, round, out, s.Err)
		})
	})
}

// eachReport carries out work for every report file, as eachFile does.
func eachReport(files []string, work func(name string, r *trf.Report) error) error {
	return eachFile(files, func(name string, text []byte) error {
		report, err := trf.Read(text)
		if err != nil {
			return err
		}
		return work(name, report)
	})
}

// eachFile carries out work for every file. Those that failed are named in the error; the others are done.
func eachFile(files []string, work func(name string, text []byte) error) error {
	var failed faults
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			err = work(name, text)
		}
		if err != nil {
			failed.add("%s: %v", name, err)
		}
	}
	return failed.err()
}

// faults are the failures in parts of a command's work.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// err returns an error with a line for each, nil without any.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return errors.New(strings.Join(f, "\nquatuor: ")) // as the first will be printed
}

// eachRound pairs the requested rounds of a file, after followed has checked those before them; due, held and planned are
// as for rounds.
func (c pairCmd) eachRound(
	name string, due, held, planned int, followed func() error, errs io.Writer, pair func(round int) error,
) error {
	first, last, err := c.rounds(due, held, planned)
	if err != nil {
		return err
	}
	if err := followed(); err != nil {
		return fmt.Errorf("round %d: %w", first, err)
	}
	if planned == 0 {
		fmt.Fprintf(errs, "note: %s: line 142 has no number of rounds, so none is paired as the last one\n", name)
	}
	for round := first; round <= last; round++ {
		if err := pair(round); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	return nil
}

// rounds returns the first and the last requested round, given the next round, the number of rounds that are over or
// under way, and the number of planned rounds.
func (c pairCmd) rounds(due, held, planned int) (first, last int, err error) {
	switch {
	case c.EveryRound:
		return 1, due - 1, nil
	case c.Round > held+1:
		return 0, 0, fmt.Errorf("round %d: round %d has not been played yet", c.Round, held+1)
	case c.Round > 0:
		return c.Round, c.Round, nil
	case planned > 0 && due > planned:
		return 0, 0, fmt.Errorf("round %d: all %d rounds have been paired", due, planned)
	}
	return due, due, nil
}

// pair pairs a round and prints it.
func (c pairCmd) pair(name string, r *trf.Report, round int, out, errs io.Writer) error {
	h := r.Drawn(round)
	var pairer swiss.Pairer
	if len(r.Virtual) > 0 {
		pairer.Virtual = r.VirtualPoints
	} else if r.Baku() {
		h.GroupA = swiss.GroupA(h) // lines 250 would define it more exactly
	}
	start := time.Now()
	drawn, err := pairer.Draw(h)
	if took := time.Since(start); c.Timing {
		fmt.Fprintf(errs, "timing\t%s\t%d\t%.3f ms\n", name, round, float64(took.Microseconds())/1000)
	}
	if err != nil {
		return err
	}
	var why swiss.Explanation
	if c.Explain {
		if _, why, err = pairer.Explain(h); err != nil {
			return err
		}
	}
	printRound(out, fmt.Sprintf("%s\t%d", name, round), drawn, r.Has, explanationLines(why))
	return nil
}

// explained is the lines of an explanation: a line for each board, then others.
type explained struct{ boards, others []string }

func explanationLines(why swiss.Explanation) (e explained) {
	name := func(number int) string { return fmt.Sprint("No. ", number) }
	for _, reason := range why.Pairs {
		e.boards = append(e.boards, reason.Words(name))
	}
	for _, f := range why.Floats {
		e.others = append(e.others, f.Words(name))
	}
	return e
}

// printRound prints boards, then byes, each with its reasons, if any. has reports whether a number is in the file.
func printRound(out io.Writer, where string, drawn swiss.Round, has func(int) bool, why explained) {
	for i, g := range drawn.Games {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t-\n", where, i+1, g.White, g.Black)
		if len(why.boards) > 0 {
			fmt.Fprintln(out, "#", why.boards[i])
		}
	}
	if drawn.Bye > 0 {
		fmt.Fprintf(out, "%s\t%d\t%d\t0\t%s\n", where, len(drawn.Games)+1, drawn.Bye, tournament.PairingAllocated)
	}
	for _, line := range why.others {
		fmt.Fprintln(out, "#", line)
	}
	for _, a := range drawn.Away {
		if has(a.Number) {
			fmt.Fprintf(out, "%s\t0\t%d\t0\t%s\n", where, a.Number, a.Bye)
		}
	}
}

// tables answers every line of standard input, a case in JSON, with a line. Lines that cannot be read are named in the
// error; the others are answered.
func (c pairCmd) tables(s streams) (err error) {
	if len(c.Files) > 0 {
		return app.UsageErrorf("--tables reads cases from standard input, not from files")
	}
	in, out := bufio.NewReader(s.In), bufio.NewWriter(s.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var failed faults
	for number := 1; ; number++ {
		line, readErr := in.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return readErr
		}
		if len(bytes.TrimSpace(line)) > 0 {
			answer, err := c.answer(line, s.Err)
			if err != nil {
				failed.add("line %d: %v", number, err)
			} else if _, err := fmt.Fprintf(out, "%s\n", answer); err != nil {
				return err
			}
		}
		if in.Buffered() == 0 { // a caller that sends line by line waits for the answer
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if readErr != nil {
			return failed.err()
		}
	}
}

// answer draws the round of a line.
func (c pairCmd) answer(line []byte, errs io.Writer) ([]byte, error) {
	draw, err := tables.ReadCase(line)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	answer, err := draw.Answer(c.Explain)
	if took := time.Since(start); c.Timing {
		fmt.Fprintf(errs, "timing\t%s\t%.3f ms\n", draw.ID, float64(took.Microseconds())/1000)
	}
	return answer, err
}

// readTeams reads a report of teams. Contradictions that are let pass are printed.
func readTeams(name string, text []byte, lenient bool, errs io.Writer) (*trf.TeamReport, error) {
	r, err := trf.ReadTeams(text, lenient)
	if err != nil {
		return nil, err
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(errs, "warning: %s: %s\n", name, warning)
	}
	return r, nil
}

// teamFile pairs the requested rounds of a report of teams.
func (c pairCmd) teamFile(name string, text []byte, readings teamswiss.Readings, out, errs io.Writer) error {
	r, err := readTeams(name, text, c.Lenient, errs)
	if err != nil {
		return err
	}
	due := r.NextRound()
	return c.eachRound(name, due, due-1, r.Rounds, r.FollowedTeams, errs, func(round int) error {
		return c.pairTeams(name, r, round, readings, out, errs)
	})
}

// pairTeams pairs a round of teams and prints it.
func (c pairCmd) pairTeams(
	name string, r *trf.TeamReport, round int, readings teamswiss.Readings, out, errs io.Writer,
) error {
	pairer := teamswiss.Pairer{
		Preference: teamswiss.Preference(r.Preference()), NoSecondary: r.Secondary() == team.NoScore, Readings: readings,
	}
	if !r.Accelerated() {
		pairer.Virtual = r.VirtualPoints
	}
	h := r.Drawn(round)
	start := time.Now()
	drawn, err := pairer.Draw(h)
	if took := time.Since(start); c.Timing {
		fmt.Fprintf(errs, "timing\t%s\t%d\t%.3f ms\n", name, round, float64(took.Microseconds())/1000)
	}
	if err != nil {
		return err
	}
	var why explained
	if c.Explain {
		if why, err = explainTeams(pairer, h); err != nil {
			return err
		}
	}
	printRound(out, fmt.Sprintf("%s\t%d", name, round), drawn, r.HasTeam, why)
	return nil
}

// explainTeams pairs a round again and returns the lines of its explanation.
func explainTeams(pairer teamswiss.Pairer, h pairing.History) (e explained, err error) {
	_, why, err := pairer.Explain(h)
	if err != nil {
		return e, err
	}
	name := func(number int) string { return fmt.Sprint("No. ", number) }
	for _, reason := range why.Pairs {
		e.boards = append(e.boards, reason.Words(name))
	}
	if why.Bye != nil {
		e.others = append(e.others, why.Bye.ByeWords(name))
	}
	e.others = append(e.others, "Readings in force: "+strings.Join(why.Readings.Strings(), ", ")+".")
	return e, nil
}
