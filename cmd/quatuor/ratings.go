package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/plackettluce"
	"quatuor/rating/sequence"
	"quatuor/rating/simulation"
)

// ratingsCmd groups the commands on ratings.
type ratingsCmd struct {
	Recompute ratingsRecomputeCmd `cmd:"" help:"Recompute all ratings from the games."`
	Import    ratingsImportCmd    `cmd:"" help:"Import initial ratings from a CSV file."`
	Compute   ratingsComputeCmd   `cmd:"" help:"Rate games from JSON lines on standard input, with any rating system."`
	Simulate  ratingsSimulateCmd  `cmd:"" help:"Compare rating systems on games between players of known strength."`
}

// ratingsRecomputeCmd computes all rating rows from the finished games.
type ratingsRecomputeCmd struct {
	storage `embed:""`

	Verify bool `help:"Change nothing; compare with what is stored, to the last digit, and fail on any difference."`
}

// Help describes the exit status, and which programs may run at the same time.
func (ratingsRecomputeCmd) Help() string {
	return "Everything is computed again from the first game on, in memory that grows with the players and not with " +
		"the games. It is compared with what is stored, and what differs is written, in one transaction: interrupted, it " +
		"changes nothing. On SQLite the service must be stopped for it; on PostgreSQL ratings wait until it is over. With " +
		"--verify nothing is written, the service may be running, and the database may be a copy or read-only; the first " +
		"differences are named, and the exit status is 1."
}

// Run recomputes or verifies.
func (c ratingsRecomputeCmd) Run(ctx context.Context, s streams) error {
	open := c.open
	if c.Verify {
		open = c.openToRead
	}
	db, err := open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return app.RecomputeRatings(ctx, c.plain(), db, s, c.Verify)
}

// ratingsImportCmd takes over ratings to start with.
type ratingsImportCmd struct {
	storage `embed:""`

	File string `arg:"" name:"file" help:"CSV with the columns player (an id), list, rating and, optionally, deviation." type:"existingfile"`
	Try  bool   `help:"Store nothing; print what would become of each line."`
}

// Run takes the file over, all of it or nothing. The service must not be running on the same data folder.
func (c ratingsImportCmd) Run(ctx context.Context, s streams) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return app.ImportRatings(ctx, db, text, s.Out, c.Try)
}

// ratingsSimulateCmd is `quatuor ratings simulate`: it compares rating systems on games between players of known
// strength.
type ratingsSimulateCmd struct {
	Players int     `help:"Number of players: a multiple of 60, so that games of every size take all." default:"60"`
	Rounds  int     `help:"Games of each player." default:"100"`
	Spread  float64 `help:"Standard deviation of the players' strengths at the start, in Elo points." default:"250"`
	Drift   float64 `help:"Standard deviation of the step that a player's strength takes with each game, in Elo points." default:"10"`
	Noise   float64 `help:"Standard deviation of a performance in one game, in Elo points." default:"200"`
	Repeats int     `help:"Seasons that are played." default:"40"`
	Seed    uint64  `help:"Seed of all chance: the same seed prints the same." default:"1"`
	Chart   string  `help:"Draw the losses over the games played into this SVG file." placeholder:"FILE"`
}

// Help describes the output.
func (ratingsSimulateCmd) Help() string {
	return "Prints how well each rating system predicted the order of finish: the mean logarithmic loss (natural " +
		"logarithm, less is better; 0.693 is what guessing costs) by the number of games that the players had played " +
		"before. The first row of each size of game is what the true probabilities cost."
}

// contestants are the systems with the figures that the service would use.
var contestants = []simulation.Contestant{
	{Name: "Elo, club", System: elo.Club{}, Sequence: func() *sequence.Sequence { return sequence.ByGame(elo.Club{}, false) }},
	{
		Name: "Elo, FIDE", System: beginners, Duels: true, Period: 4,
		Sequence: func() *sequence.Sequence { return sequence.ByPeriod(beginners) },
	},
	{
		Name: "Glicko-2", System: glicko2.Games{}, Duels: true,
		Sequence: func() *sequence.Sequence { return sequence.ByGame(glicko2.Games{}, true) },
	},
	{
		Name: "Glicko-2, periods", System: glicko2.Periods{}, Duels: true, Period: 4,
		Sequence: func() *sequence.Sequence { return sequence.ByPeriod(glicko2.Periods{}) },
	},
	{
		Name: "Plackett-Luce", System: plackettluce.System{},
		Sequence: func() *sequence.Sequence { return sequence.ByGame(plackettluce.System{}, false) },
	},
	{
		Name: "Plackett-Luce, drifting", System: drifting,
		Sequence: func() *sequence.Sequence { return sequence.ByGame(drifting, false) },
	},
}

// beginners is FIDE's mode where all begin with a rating: without any, no game would be rated.
var beginners = elo.FIDE{Settings: elo.Settings{Start: rating.Set(1500)}}

// drifting is Plackett-Luce with deviations that grow before each game by the drift of strength, so that they never
// vanish.
var drifting = plackettluce.System{Settings: plackettluce.Settings{Tau: rating.Set(25.0 / 120)}}

// Run simulates and prints a table, and draws the chart.
func (c ratingsSimulateCmd) Run(s streams) (err error) {
	if c.Players < 60 || c.Players%60 != 0 || c.Rounds < 1 || c.Repeats < 1 || c.Spread < 0 || c.Drift < 0 ||
		c.Noise <= 0 {
		return app.UsageErrorf("players must be a multiple of 60, rounds and repeats 1 or more, spread and drift 0 or " +
			"more, noise above 0")
	}
	setup := simulation.Setup{
		Players: c.Players, Rounds: c.Rounds, Spread: c.Spread, Drift: c.Drift, Noise: c.Noise, Repeats: c.Repeats,
		Seed: c.Seed,
	}
	bar := terminal.Progress(s.Err, len(simulation.Shapes)*c.Repeats, "playing", "seasons")
	var rows []simulation.Row
	for _, shape := range simulation.Shapes {
		of, err := simulation.Run(setup, shape, contestants, func() { bar.Add(1) })
		if err != nil {
			return err
		}
		rows = append(rows, of...)
	}
	printLosses(s, rows)
	if c.Chart == "" {
		return nil
	}
	f, err := os.Create(c.Chart)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return simulation.Draw(f, rows)
}

func printLosses(s streams, rows []simulation.Row) {
	header := []string{"players", "system"}
	for i := range rows[0].Stages {
		if i+1 < len(rows[0].Stages) {
			header = append(header, fmt.Sprintf("%d–%d", simulation.Stages[i], simulation.Stages[i+1]-1))
			continue
		}
		header = append(header, fmt.Sprintf("%d–%d", simulation.Stages[i], len(rows[0].Rounds)-1))
	}
	var cells [][]string
	for _, r := range rows {
		line := []string{r.Shape.Name, r.System}
		for _, loss := range r.Stages {
			line = append(line, fmt.Sprintf("%.4f", loss))
		}
		cells = append(cells, line)
	}
	terminal.PrintTable(s.Out, header, cells)
}
