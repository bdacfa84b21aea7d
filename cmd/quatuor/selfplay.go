package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/player/arena"
)

// selfplayCmd is `quatuor selfplay`: bots play each other, to measure their levels and the worth of the seats, or
// programs play them and each other.
type selfplayCmd struct {
	Variant  string        `arg:"" help:"Variant, such as quixo/duel."`
	Levels   []int         `help:"Two levels to play each other, such as 3,2. Without: 2,1 and 3,2, and 3,3 for the seats." placeholder:"A,B"`
	Engine   []string      `help:"A program that plays by the text protocol of docs/bots.md, with its arguments; two play each other." sep:"none" placeholder:"COMMAND"`
	Against  int           `help:"Level that a single --engine plays." default:"2"`
	MoveTime time.Duration `help:"Time of a program for each move." default:"1s"`
	Server   string        `help:"Play on this server, which has open registration, with accounts of bots made for it." placeholder:"URL"`

	Seats   int    `help:"Number of seats, where the variant leaves it open; 0 means the fewest." default:"0"`
	Games   int    `help:"Games of each pair of levels or programs." default:"1000"`
	Seed    uint64 `help:"Seed of the games and of the bots' choices." default:"1"`
	Nodes   int    `help:"Positions, in Qui'win playouts, that level 3 looks at for a move." default:"10000"`
	Threads int    `help:"Number of concurrent games; 0 means one for each processor." default:"0"`
	JSON    bool   `name:"json" help:"Print one line of JSON for each pair of levels."`
}

// Help describes how games are counted.
func (selfplayCmd) Help() string {
	return "A program (--engine) that makes no legal move in time, or ends, forfeits the game. Elo is the difference of ratings that the score stands for. The seats alternate. A game is won by the level that has the first place, where several sides play by the " +
		"level of the winner; a draw counts half. The seat table counts one point a game, shared by those in first place. " +
		"Intervals are 95 % confidence intervals by Wilson. The same flags print the same games on every machine."
}

// Run plays the series and prints the outcome.
func (c selfplayCmd) Run(ctx context.Context, s streams) error {
	rules, err := catalog.Find(c.Variant)
	if err != nil {
		return app.UsageErrorf("%w", err)
	}
	pairs := [][2]int{{2, 1}, {3, 2}, {3, 3}}
	switch {
	case len(c.Engine) > 0:
		if pairs, err = c.programPair(); err != nil {
			return err
		}
	case c.Server != "":
		return app.UsageErrorf("--server needs an --engine; without one, bots play each other here")
	case len(c.Levels) == 2:
		pairs = [][2]int{{c.Levels[0], c.Levels[1]}}
	case len(c.Levels) != 0:
		return app.UsageErrorf("--levels takes two levels, such as 3,2")
	}
	if c.Games < 1 || c.Games > maxSelfplayGames {
		return app.UsageErrorf("--games must be from 1 to %d, not %d", maxSelfplayGames, c.Games)
	}
	var all []arena.Series
	for _, levels := range pairs {
		series, err := arena.New(rules, c.Seats, levels, c.Seed, c.Nodes)
		if err != nil {
			return app.UsageErrorf("%w", err)
		}
		all = append(all, series)
	}
	return c.playAll(ctx, s, all)
}

// maxSelfplayGames is the maximum number of games: a little of each is held in memory.
const maxSelfplayGames = 10_000_000

func (c selfplayCmd) playAll(ctx context.Context, s streams, all []arena.Series) error {
	bar := terminal.Progress(s.Err, len(all)*c.Games, "playing", "games")
	var reports []selfplayReport
	for _, series := range all {
		t, err := c.play(ctx, series, bar)
		if err != nil {
			return err
		}
		r := reportOf(series, t)
		c.addPrograms(&r, t)
		reports = append(reports, r)
		if c.JSON {
			line, err := json.Marshal(r)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.Out, "%s\n", line)
		}
	}
	bar.Finish()
	if !c.JSON {
		if len(c.Engine) > 0 {
			printPrograms(s, reports)
			return nil
		}
		printLevels(s, reports)
		fmt.Fprintln(s.Out)
		printSeats(s, reports)
	}
	return nil
}

// play plays a series with a bot for each thread.
func (c selfplayCmd) play(ctx context.Context, series arena.Series, bar *terminal.Bar) (*arena.Tally, error) {
	threads := c.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = min(threads, c.Games)
	games := make([]arena.Game, c.Games)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range threads {
		group.Go(func() error {
			play, stop, err := c.newGames(ctx, series)
			if err != nil {
				return err
			}
			defer stop()
			for n := next.Add(1) - 1; n < int64(c.Games) && err == nil && ctx.Err() == nil; n = next.Add(1) - 1 {
				games[n], err = play(int(n))
				bar.Add(1)
			}
			return cmp.Or(err, ctx.Err())
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	t := &arena.Tally{}
	for _, g := range games {
		t.Add(series.Levels, g)
	}
	return t, nil
}

// selfplayReport is the JSON of a pair of levels.
type selfplayReport struct {
	Variant   string                `json:"variant"`
	Seats     int                   `json:"seats"`
	Levels    [2]int                `json:"levels"`
	Games     int                   `json:"games"`
	Seed      uint64                `json:"seed"`
	Nodes     int                   `json:"nodes"`
	Won       int                   `json:"won"`
	Drawn     int                   `json:"drawn"`
	Lost      int                   `json:"lost"`
	Score     float64               `json:"score"`
	ScoreLow  float64               `json:"score_low"`
	ScoreHigh float64               `json:"score_high"`
	Sides     []seatShare           `json:"sides"`
	Plies     [3]int                `json:"plies"` // least, median, greatest
	Replays   int                   `json:"replays"`
	Distinct  int                   `json:"distinct"`
	Reasons   map[engine.Reason]int `json:"reasons"`
	MeanNodes int                   `json:"mean_nodes"` // of a choice of level 3
	Programs  []string              `json:"programs,omitempty"`
	Elo       *eloDifference        `json:"elo,omitempty"`
	Faults    []string              `json:"faults,omitempty"` // of programs, each a forfeit
}

// seatShare is the share of points that a side's seats won.
type seatShare struct {
	Side      engine.Side `json:"side"`
	Share     float64     `json:"share"`
	Low       float64     `json:"low"`
	High      float64     `json:"high"`
	Advantage float64     `json:"advantage"` // share less that of equal chances

	seats string // like "1+3"
}

func reportOf(s arena.Series, t *arena.Tally) selfplayReport {
	r := selfplayReport{
		Variant: s.Rules.Info().ID, Seats: s.Seats, Levels: s.Levels, Games: t.Games, Seed: s.Seed, Nodes: s.Nodes,
		Won: t.Won, Drawn: t.Drawn, Lost: t.Lost, Score: t.Score(), Replays: t.Replays, Distinct: t.Distinct(),
		Reasons: t.ByReason, MeanNodes: t.Nodes / max(t.Choices, 1),
	}
	r.ScoreLow, r.ScoreHigh = arena.Wilson(r.Score, t.Games)
	r.Plies[0], r.Plies[1], r.Plies[2] = t.Length()
	info := s.Rules.Info()
	sides := info.SidesAt(s.Seats)
	for side := engine.Side(1); int(side) <= sides; side++ {
		share := t.Share(info, side)
		low, high := arena.Wilson(share, t.Games)
		r.Sides = append(r.Sides, seatShare{side, share, low, high, share - 1/float64(sides), sideSeats(s, side)})
	}
	return r
}

func (r selfplayReport) levels() string {
	if len(r.Programs) > 0 {
		return r.name(0) + " against " + r.name(1)
	}
	return fmt.Sprintf("%d against %d", r.Levels[0], r.Levels[1])
}

func printLevels(s streams, reports []selfplayReport) {
	var rows [][]string
	for _, r := range reports {
		if r.Levels[0] != r.Levels[1] {
			rows = append(rows, []string{
				r.levels(), fmt.Sprint(r.Games), fmt.Sprint(r.Won), fmt.Sprint(r.Drawn), fmt.Sprint(r.Lost), percent(r.Score),
				interval(r.ScoreLow, r.ScoreHigh), fmt.Sprintf("%d-%d-%d", r.Plies[0], r.Plies[1], r.Plies[2]),
				fmt.Sprint(r.Distinct), fmt.Sprint(r.MeanNodes),
			})
		}
	}
	if len(rows) > 0 {
		header := []string{"Levels", "Games", "Won", "Drawn", "Lost", "Score", "95 %", "Plies", "Distinct", "Nodes"}
		terminal.PrintTable(s.Out, header, rows)
	}
}

func printSeats(s streams, reports []selfplayReport) {
	var rows [][]string
	for _, r := range reports {
		for _, side := range r.Sides {
			rows = append(rows, []string{
				r.levels(), side.seats, percent(side.Share), interval(side.Low, side.High),
				fmt.Sprintf("%+.1f %%", 100*side.Advantage),
			})
		}
	}
	terminal.PrintTable(s.Out, []string{"Levels", "Seat", "Points", "95 %", "Advantage"}, rows)
}

// sideSeats returns the seats of a side, like "1+3".
func sideSeats(s arena.Series, side engine.Side) string {
	var seats []string
	for seat := engine.Seat(1); int(seat) <= s.Seats; seat++ {
		if s.Rules.Info().SideOf(seat) == side {
			seats = append(seats, fmt.Sprint(seat))
		}
	}
	return strings.Join(seats, "+")
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func interval(low, high float64) string { return fmt.Sprintf("%.1f–%.1f", 100*low, 100*high) }
