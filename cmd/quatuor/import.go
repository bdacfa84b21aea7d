package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/store"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
)

// importCmd is `quatuor import`: it takes over a tournament of another program.
type importCmd struct {
	storage `embed:""`

	File        string            `arg:"" name:"file" help:"The tournament report file (TRF16, TRF-2026)."`
	Organiser   string            `help:"Login of the account that runs the tournament from now on." required:"" placeholder:"NAME"`
	Variant     string            `help:"The variant that is played, such as quixo/duel." required:""`
	TimeControl string            `help:"The time control of the games to come, instead of line 222." placeholder:"300+3"`
	Name        string            `help:"Instead of the name in the file."`
	Format      string            `help:"Instead of the system in the file." enum:",swiss,round_robin,double_round_robin,team_swiss,team_round_robin,team_double_round_robin,team_scheveningen" default:""`
	Rounds      int               `help:"Number of rounds, instead of line 142." placeholder:"N"`
	Option      map[string]string `help:"Regulations of the games." placeholder:"NAME=VALUE"`
	TieBreaks   []string          `help:"Codes in order of importance, instead of line 202." placeholder:"CODE,..."`
	Rated       bool              `help:"Rate the games still to come. Imported games are never rated."`
	Player      map[int]string    `help:"A player in the club already, by number in the file; all others are added." placeholder:"NUMBER=ID"`
	NamesOnly   bool              `help:"Add no players: everything is played over the board."`
	Check       bool              `help:"Only print what would be imported."`
}

// Help describes the treatment of the file.
func (importCmd) Help() string {
	return "Imports entries, rounds, results, byes, forbidden pairs, acceleration, points and tie-breaks; the " +
		"tournament goes on where the file ends. Everything else in the file is kept for the export. A file with a " +
		"fault is named with line and player, and nothing is stored. The service must not be running on the same data " +
		"folder; while it runs, send the file to it instead."
}

// Run imports the file.
func (c importCmd) Run(ctx context.Context, s streams) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return app.UsageErrorf("no report file to read: %w", err)
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	organiser, err := c.organiser(ctx, db.People())
	if err != nil {
		return err
	}
	directing := director.New(director.Config{
		Store: db.Tournaments(), Variant: app.CheckVariant(nil), TimeControl: app.CheckTimeControl, Ends: app.CheckEnd,
		Now: time.Now,
		Log: slog.New(slog.NewTextHandler(s.Err, nil)),
	})
	t, did, err := directing.Import(ctx, "", text, c.options(), organiser, c.Check)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, note := range did.Notes {
		fmt.Fprintln(s.Err, "note:", note)
	}
	verb := "Took over"
	if c.Check {
		verb = "Would take over"
	}
	fmt.Fprintf(s.Out, "%s %s: %s, %d entries, %d of %d rounds, %s\n", verb, t.Name, t.Format, len(t.Entries),
		len(t.Rounds), t.RoundCount, t.Status)
	if !c.Check {
		fmt.Fprintf(s.Out, "It is /tournaments/%s\n", t.ID)
	}
	return nil
}

// organiser finds the account of the organiser, and checks that the named players exist.
func (c importCmd) organiser(ctx context.Context, people *store.People) (string, error) {
	owner, err := people.AccountByLogin(ctx, strings.ToLower(c.Organiser))
	switch {
	case errors.Is(err, account.ErrNotFound):
		return "", app.UsageErrorf("there is no account %q", c.Organiser)
	case err != nil:
		return "", err
	case owner.Role == account.RolePlayer:
		return "", app.UsageErrorf("%s is not an organiser and cannot run a tournament", c.Organiser)
	}
	ids := slices.Collect(maps.Values(c.Player))
	found, err := people.Players(ctx, ids)
	if err != nil {
		return "", err
	}
	for number, id := range c.Player {
		if _, ok := found[id]; !ok {
			return "", app.UsageErrorf("--player %s=%s: there is no such player", strconv.Itoa(number), id)
		}
	}
	return owner.ID, nil
}

func (c importCmd) options() exchange.Options {
	o := exchange.Options{
		Name: c.Name, Variant: c.Variant, Format: tournament.Format(c.Format), Rounds: c.Rounds, TimeControl: c.TimeControl,
		Options: c.Option, Rated: c.Rated, Players: c.Player, NamesOnly: c.NamesOnly,
	}
	for _, code := range c.TieBreaks {
		o.TieBreaks = append(o.TieBreaks, strings.ToUpper(strings.TrimSpace(code)))
	}
	return o
}
