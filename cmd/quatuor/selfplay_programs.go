package main

import (
	"context"
	"fmt"
	"math"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/cmd/quatuor/textbot"
	"quatuor/engine/player"
	"quatuor/engine/player/arena"
)

// eloDifference is a difference of ratings with its 95 % confidence interval; a bound is left out where it is infinite.
type eloDifference struct {
	Difference *float64 `json:"difference,omitempty"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
}

// programPair returns the two opponents: two programs, or a program and a level.
func (c selfplayCmd) programPair() ([][2]int, error) {
	switch {
	case len(c.Engine) > 2:
		return nil, app.UsageErrorf("at most two programs play each other")
	case len(c.Levels) > 0:
		return nil, app.UsageErrorf("--levels is for bots of ours; a program plays one of them with --against")
	case c.MoveTime <= 0:
		return nil, app.UsageErrorf("--move-time must be more than nothing")
	case len(c.Engine) == 2:
		return [][2]int{{arena.FirstProgram, arena.SecondProgram}}, nil
	case c.Against < player.MinLevel || c.Against > player.MaxLevel:
		return nil, app.UsageErrorf("levels are %d to %d, not %d", player.MinLevel, player.MaxLevel, c.Against)
	}
	return [][2]int{{arena.FirstProgram, c.Against}}, nil
}

// newGames returns a function that plays games of a series in turn, with programs of its own, and a function that ends
// these.
func (c selfplayCmd) newGames(
	ctx context.Context, series arena.Series,
) (play func(n int) (arena.Game, error), stop func(), err error) {
	var programs []*textbot.Program
	stop = func() {
		for _, p := range programs {
			p.Stop()
		}
	}
	for _, command := range c.Engine {
		p, err := textbot.Start(ctx, command, c.MoveTime)
		if err != nil {
			stop()
			return nil, nil, err
		}
		programs = append(programs, p)
	}
	if c.Server != "" {
		s, err := newServerGames(ctx, c.Server, series, programs)
		if err != nil {
			stop()
			return nil, nil, err
		}
		return func(n int) (arena.Game, error) { return s.play(ctx, n) }, stop, nil
	}
	bot := player.New()
	choosers := make([]arena.Chooser, len(programs))
	for i, p := range programs {
		choosers[i] = p
	}
	return func(n int) (arena.Game, error) { return series.PlayWith(bot, choosers, n) }, stop, nil
}

// addPrograms adds the figures of programs to a report.
func (c selfplayCmd) addPrograms(r *selfplayReport, t *arena.Tally) {
	if len(c.Engine) == 0 {
		return
	}
	r.Programs = c.Engine
	r.Elo = &eloDifference{finite(arena.Elo(r.Score)), finite(arena.Elo(r.ScoreLow)), finite(arena.Elo(r.ScoreHigh))}
	for _, fault := range t.Faults {
		r.Faults = append(r.Faults, fault.Error())
	}
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// name returns the name of a side of a series with programs.
func (r selfplayReport) name(side int) string {
	if n, ok := arena.ProgramOf(r.Levels[side]); ok {
		return r.Programs[n]
	}
	return fmt.Sprintf("level %d", r.Levels[side])
}

func printPrograms(s streams, reports []selfplayReport) {
	var rows [][]string
	for _, r := range reports {
		rows = append(rows, []string{
			r.levels(), fmt.Sprint(r.Games), fmt.Sprint(r.Won), fmt.Sprint(r.Drawn), fmt.Sprint(r.Lost), percent(r.Score),
			interval(r.ScoreLow, r.ScoreHigh), points(r.Score), points(r.ScoreLow) + " to " + points(r.ScoreHigh),
			fmt.Sprint(len(r.Faults)),
		})
	}
	header := []string{"Programs", "Games", "Won", "Drawn", "Lost", "Score", "95 %", "Elo", "95 %", "Forfeits"}
	terminal.PrintTable(s.Out, header, rows)
	for _, r := range reports {
		for i, fault := range r.Faults {
			if i == maxFaultsShown {
				fmt.Fprintf(s.Out, "and %d more\n", len(r.Faults)-i)
				break
			}
			fmt.Fprintf(s.Out, "forfeit: %s\n", fault)
		}
	}
}

// maxFaultsShown is the number of forfeits that are explained.
const maxFaultsShown = 5

// points returns the difference of ratings for a score as text.
func points(score float64) string {
	switch score {
	case 0:
		return "−∞"
	case 1:
		return "+∞"
	}
	return fmt.Sprintf("%+.0f", arena.Elo(score))
}
