package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
)

// trfCheckCmd is `quatuor trf check`.
type trfCheckCmd struct {
	Round       int      `help:"Compare this round alone, and no ranks." placeholder:"N"`
	NoStandings bool     `help:"Compare no ranks."`
	TieBreaks   []string `help:"Codes in order of importance, instead of the file's list." placeholder:"CODE,..."`
	Reading     []string `help:"Read the regulations of teams in another way, as for pair." placeholder:"KEY=VALUE"`
	JSON        bool     `name:"json" help:"Print a JSON object for each file."`
	Tables      bool     `help:"Compare rounds at tables instead: each line of the files is a case of pair --tables with a member answer."`
	Answers     string   `help:"With --tables: file with the answers, one a line, found by their ids." placeholder:"FILE"`
	Files       []string `arg:"" name:"file" help:"Tournament report files (TRF16, TRF-2026, and what JaVaFo, bbpPairings and others write)."`
}

// Help describes the comparison, and the exit status.
func (trfCheckCmd) Help() string {
	return "Each round is paired again from the rounds before it, by the FIDE (Dutch) System of 2026, or by the Berger " +
		"tables, and in a report of teams by C.04.6; each rank is computed again by the file's list of tie-breaks (212, 202), " +
		"or by points where it has none. A difference is named with round, players or teams, and article. The exit status is 0 if all agree, 1 if something " +
		"differs, and 2 if something could not be read or replayed."
}

// checkedReport is the outcome of a file.
type checkedReport struct {
	File string `json:"file"`
	check.Result
	Error string `json:"error,omitempty"`
}

// Run prints the differences. Errors in a file do not stop the check of others.
func (c trfCheckCmd) Run(s streams) (err error) {
	if c.Tables {
		return c.tables(s)
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
	differing, failed := 0, 0
	for _, name := range c.Files {
		one := c.file(name, readings)
		if one.Error != "" {
			failed++
		} else if len(one.Findings) > 0 {
			differing++
		}
		if err := c.print(one, out, s.Err); err != nil {
			return err
		}
	}
	switch {
	case failed > 0:
		return &exitError{status: 2}
	case differing > 0:
		return &exitError{status: exitFailure}
	}
	return nil
}

// file checks a file.
func (c trfCheckCmd) file(name string, readings teamswiss.Readings) checkedReport {
	one := checkedReport{File: name, Result: check.Result{Findings: []check.Finding{}}}
	o := check.Options{Round: c.Round, NoStandings: c.NoStandings, TieBreaks: c.TieBreaks, Readings: readings}
	text, err := os.ReadFile(name)
	var notes []string
	if err == nil && trf.HasTeams(text) {
		var report *trf.TeamReport
		if report, err = trf.ReadTeams(text, true); err == nil {
			one.Result, err = check.Teams(report, o)
			notes = report.Notes
		}
	} else if err == nil {
		var report *trf.Report
		if report, err = trf.Read(text); err == nil {
			one.Result, err = check.Report(report, o)
			notes = report.Notes
		}
	}
	one.Notes = append(notes, one.Notes...)
	if err != nil {
		one.Error = err.Error()
	}
	return one
}

// print prints the outcome of a file: findings, then a summary; notes and the error go to standard error.
func (c trfCheckCmd) print(one checkedReport, out, errs io.Writer) error {
	if c.JSON {
		return json.NewEncoder(out).Encode(one)
	}
	for _, f := range one.Findings {
		fmt.Fprintln(out, one.File+":", describe(f))
	}
	for _, f := range one.ByHand {
		fmt.Fprintf(errs, "note: %s: %s\n", one.File, describe(f))
	}
	for _, note := range one.Notes {
		fmt.Fprintf(errs, "note: %s: %s\n", one.File, note)
	}
	if one.Error != "" {
		for line := range strings.SplitSeq(one.Error, "\n") {
			fmt.Fprintf(errs, "quatuor: %s: cannot be replayed: %s\n", one.File, line)
		}
		return nil
	}
	agree := "all agree"
	if n := len(one.Findings); n > 0 {
		agree = fmt.Sprintf("%d differ", n)
	}
	_, err := fmt.Fprintf(out, "%s: %d rounds, %d ranks: %s\n", one.File, one.Rounds, one.Ranks, agree)
	return err
}

// describe returns a finding in a line.
func describe(f check.Finding) string {
	where := "line " + fmt.Sprint(f.Line)
	if f.Round > 0 {
		where = fmt.Sprintf("round %d", f.Round)
	}
	text := where + ": " + f.Text
	if f.Because != "" {
		text += ": " + f.Because
	}
	if f.Article != "" && !strings.Contains(text, "("+f.Article[strings.LastIndexByte(f.Article, ' ')+1:]+")") {
		text += " (" + f.Article + ")"
	}
	return text
}

// trfCmd is `quatuor trf`: tools for tournament report files.
type trfCmd struct {
	Check trfCheckCmd `cmd:"" help:"Rebuild each round and each rank of tournaments in report files, and name what differs."`

	Generate trfGenerateCmd `cmd:"" help:"Make tournaments by chance."`
}
