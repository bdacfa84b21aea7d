package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

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
