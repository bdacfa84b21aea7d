package main

import (
	"fmt"
	"io"
	"strings"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament/standings/teams"
)

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
