package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/generate"
)

// trfGenerateCmd is `quatuor trf generate`.
type trfGenerateCmd struct {
	Config string   `help:"File of KEY=VALUE lines; the keys of the generators of bbpPairings and JaVaFo are known." placeholder:"FILE"`
	Model  string   `help:"Report file with the players, the rules and the frequencies to use." placeholder:"FILE"`
	Set    []string `help:"One more KEY=VALUE; can be repeated." placeholder:"KEY=VALUE" sep:"none"`
	Tables bool     `help:"Make rounds at tables for three to five instead: lines of JSON, each a case of pair --tables with its answer."`
	Keys   bool     `help:"List the keys."`
	Seed   *uint64  `help:"Make the tournament of this seed, instead of that of a seed that follows from the settings." placeholder:"N"`
	Count  int      `help:"Make so many tournaments, of this seed and the following ones, into a folder." placeholder:"N"`
	Output string   `short:"o" help:"File to write, or folder with --count; - for standard output." placeholder:"FILE"`
}

// Help describes the output.
func (trfGenerateCmd) Help() string {
	return "Makes tournaments by chance, as report files: players, rounds, byes, forfeits, late entries, withdrawals, " +
		"paired by the FIDE (Dutch) System of 2026, with results by the rating expectation and ranks by the list of " +
		"tie-breaks in the file; with Teams=N, teams over several boards, paired by C.04.6. What is not set is drawn. A whole number may be a range to draw from: " +
		"PlayersNumber=20..60. The seed is in the file's first line; the same seed and settings make the same file, and without a seed the same settings do. " +
		"--keys lists the keys."
}

// Run writes the tournaments.
func (c trfGenerateCmd) Run(ctx context.Context, s streams) error {
	if c.Keys {
		_, err := fmt.Fprintln(s.Out, strings.Join(generate.Describe(), "\n"))
		return err
	}
	switch {
	case c.Output == "":
		return app.UsageErrorf("name a file or folder to write with -o")
	case c.Count < 0:
		return app.UsageErrorf("--count must be 1 or more, not %d", c.Count)
	}
	settings, err := c.settings()
	if err != nil {
		return err
	}
	seed := settings.Seed()
	if c.Seed != nil {
		seed = *c.Seed
	}
	if c.Tables {
		return c.tables(ctx, settings, seed, s)
	}
	if c.Count == 0 {
		return c.write(settings, seed, c.Output, s)
	}
	return c.many(ctx, settings, seed, s)
}

// settings reads the model, the configuration and the single settings, each before the next.
func (c trfGenerateCmd) settings() (settings generate.Settings, err error) {
	if c.Model != "" {
		if err := takeModel(&settings, c.Model); err != nil {
			return settings, fmt.Errorf("%s: %w", c.Model, err)
		}
	}
	if c.Config != "" {
		text, err := os.ReadFile(c.Config)
		if err == nil {
			err = settings.Read(string(text))
		}
		if err != nil {
			return settings, fmt.Errorf("%s: %w", c.Config, err)
		}
	}
	for _, one := range c.Set {
		if err := settings.Set(one); err != nil {
			return settings, app.UsageErrorf("--set %s: %w", one, err)
		}
	}
	return settings, nil
}

// takeModel has the tournament of a file, of players or of teams, for a model.
func takeModel(settings *generate.Settings, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if trf.HasTeams(text) {
		report, err := trf.ReadTeams(text, true)
		if err == nil {
			settings.ModelTeams(report)
		}
		return err
	}
	report, err := trf.Read(text)
	if err == nil {
		settings.Model(report)
	}
	return err
}

// write writes a tournament.
func (c trfGenerateCmd) write(settings generate.Settings, seed uint64, name string, s streams) error {
	var report interface{ Write(w io.Writer) error }
	var err error
	if settings.HasTeams() {
		report, err = generate.Teams(settings, seed)
	} else {
		report, err = generate.Tournament(settings, seed)
	}
	if err != nil {
		return fmt.Errorf("seed %d: %w", seed, err)
	}
	var b bytes.Buffer
	if err := report.Write(&b); err != nil {
		return err
	}
	if name == "-" {
		out := bufio.NewWriter(s.Out)
		_, err := b.WriteTo(out)
		return errors.Join(err, out.Flush())
	}
	return os.WriteFile(name, b.Bytes(), 0o666) //nolint:gosec // a report is for others to read
}

// many writes --count tournaments into a folder, each named by its seed.
func (c trfGenerateCmd) many(ctx context.Context, settings generate.Settings, seed uint64, s streams) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil { //nolint:gosec // as the files in it
		return err
	}
	bar := terminal.Progress(s.Err, c.Count, "Generating", "tournaments")
	defer bar.Finish()
	for i := range c.Count {
		if ctx.Err() != nil {
			return errInterrupted
		}
		name := filepath.Join(c.Output, fmt.Sprintf("%d.trf", seed+uint64(i)))
		if err := c.write(settings, seed+uint64(i), name, s); err != nil {
			return err
		}
		bar.Add(1)
	}
	return nil
}
