package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/trf"
)

// standingsCmd is `quatuor standings`: it ranks the players of tournaments in FIDE's report format.
type standingsCmd struct {
	TieBreaks []string `required:"" help:"Codes in order of importance, with modifiers: BH/C1,BH,DE,SB." placeholder:"CODE,..."`
	Explain   int      `help:"Explain the values of the player or team with this number, in lines that begin with a #." placeholder:"NUMBER"`
	Teams     bool     `help:"Rank the teams of tournaments of teams, by rank: file, TPN, Rank, MP, GP and the tie-breaks."`
	Lenient   bool     `help:"With --teams: rank although records contradict themselves; the contradictions are printed on standard error."`
	Files     []string `arg:"" name:"file" help:"Tournament report files (TRF16, TRF-2026)."`
}

// Help describes the output.
func (standingsCmd) Help() string {
	return "Prints a header and a line for each player, in the order of their numbers: file, StartNo, Rank, PTS and " +
		"the tie-breaks, separated by tabs. Ranks follow points, then the tie-breaks from left to right; players still " +
		"level share a rank. What cannot be computed is -0. A file that cannot be read is named on standard error, and " +
		"the exit status is 1 then; the others are done."
}

// Run prints the standings. Files that cannot be ranked are named in the error; the others are done.
func (c standingsCmd) Run(s streams) (err error) {
	if c.Teams {
		out := bufio.NewWriter(s.Out)
		defer func() { err = errors.Join(err, out.Flush()) }()
		return c.teamTables(out, s.Err)
	}
	for i, code := range c.TieBreaks {
		c.TieBreaks[i] = strings.ToUpper(strings.TrimSpace(code))
		swiss := standings.Check(tournament.Swiss, c.TieBreaks[i])
		if swiss != nil && standings.Check(tournament.RoundRobin, c.TieBreaks[i]) != nil {
			return app.UsageErrorf("--tie-breaks: %w", swiss)
		}
	}
	out := bufio.NewWriter(s.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	fmt.Fprintln(out, strings.Join(append([]string{"file", "StartNo", "Rank", "PTS"}, c.TieBreaks...), "\t"))
	return eachReport(c.Files, func(name string, report *trf.Report) error { return c.file(name, report, out) })
}

// file ranks a file.
func (c standingsCmd) file(name string, report *trf.Report, out io.Writer) error {
	field := standings.FieldOfReport(report)
	field.TieBreaks = c.TieBreaks
	table, err := standings.Rank(field)
	if err != nil {
		return err
	}
	slices.SortFunc(table.Rows, func(a, b standings.Row) int { return cmp.Compare(a.Entry.Number, b.Entry.Number) })
	for _, row := range table.Rows {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d.%d", name, row.Entry.Number, row.Rank, row.Points/10, row.Points%10)
		for _, text := range row.TieBreaks {
			if text == standings.Undefined {
				text = "-0" // as other programs print it
			}
			fmt.Fprint(out, "\t", text)
		}
		fmt.Fprintln(out)
		if row.Entry.Number == c.Explain {
			if err := c.explain(field, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// explain prints how each value of the player came about.
func (c standingsCmd) explain(field standings.Field, out io.Writer) error {
	accounts, err := standings.Accounts(field, c.Explain)
	if err != nil {
		return err
	}
	for _, account := range accounts {
		fmt.Fprintf(out, "# %s %s\n", account.Code, account)
	}
	return nil
}

// teamTables ranks the teams of every file.
func (c standingsCmd) teamTables(out, errs io.Writer) error {
	for i, code := range c.TieBreaks {
		c.TieBreaks[i] = strings.TrimSpace(code)
		if err := teams.Check(false, c.TieBreaks[i]); err != nil {
			return app.UsageErrorf("--tie-breaks: %w", err)
		}
	}
	fmt.Fprintln(out, strings.Join(append([]string{"file", "TPN", "Rank", "MP", "GP"}, c.TieBreaks...), "\t"))
	return eachFile(c.Files, func(name string, text []byte) error { return c.teamTable(name, text, out, errs) })
}

// teamTable ranks the teams of a file.
func (c standingsCmd) teamTable(name string, text []byte, out, errs io.Writer) error {
	r, err := readTeams(name, text, c.Lenient, errs)
	if err != nil {
		return err
	}
	field := teams.FieldOfReport(r)
	field.TieBreaks = c.TieBreaks
	rows, err := teams.Rank(field)
	if err != nil {
		return err
	}
	for _, row := range rows {
		values := append([]string{row.Totals.MP.String(), row.Totals.GP.String()}, row.TieBreaks...)
		fmt.Fprintf(out, "%s\t%d\t%d\t%s\n", name, row.Number, row.Rank, strings.Join(values, "\t"))
		if row.Number != c.Explain {
			continue
		}
		accounts, err := teams.Accounts(field, row.Number)
		if err != nil {
			return err
		}
		for _, account := range accounts {
			fmt.Fprintf(out, "# %s %s\n", account.Code, account)
		}
	}
	return nil
}
