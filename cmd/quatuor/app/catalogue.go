package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// variantsOnOffer expands --games to the ids of variants: each name is a variant, or a game with all its variants. No
// names are all (nil).
func variantsOnOffer(names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var offered []string
	for _, name := range names {
		found := false
		for _, id := range catalog.IDs() {
			if id == name || strings.HasPrefix(id, name+"/") {
				offered, found = append(offered, id), true
			}
		}
		if !found {
			return nil, UsageErrorf("--games knows no %q; there are %s", name, strings.Join(catalog.IDs(), ", "))
		}
	}
	return offered, nil
}

// CheckVariant returns a function that validates a tournament's variant and options, and returns the number of entries
// in a game. Variants that are not on offer are refused; nil offers all.
func CheckVariant(offered []string) func(id string, options map[string]string) (tournament.Shape, error) {
	return func(id string, options map[string]string) (tournament.Shape, error) {
		rules, err := catalog.Find(id)
		if err != nil {
			return tournament.Shape{}, err
		}
		if err := onOffer(offered, id); err != nil {
			return tournament.Shape{}, err
		}
		info := rules.Info()
		seed := ""
		if info.Secret {
			seed = strings.Repeat("0", 64) // any seed will do to judge the options
		}
		if _, err := engine.NewSetup(info, info.Seats[0], seed, options); err != nil {
			return tournament.Shape{}, err
		}
		return shapeOf(info), nil
	}
}

func onOffer(offered []string, id string) error {
	if offered == nil || slices.Contains(offered, id) {
		return nil
	}
	return fmt.Errorf("%s is not on offer here; there are %s", id, strings.Join(offered, ", "))
}

// shapeOf returns the limits of the number of entries in a game, and the number of players in each entry.
func shapeOf(info engine.Info) tournament.Shape {
	fewest, largest := info.Seats[0], info.Seats[len(info.Seats)-1]
	if info.Sides == 0 {
		return tournament.Shape{Min: fewest, Max: largest, Members: 1}
	}
	return tournament.Shape{Min: info.Sides, Max: info.Sides, Members: fewest / info.Sides}
}

// CheckTimeControl returns a time control's canonical spelling.
func CheckTimeControl(text string) (string, error) {
	control, err := clock.Parse(text)
	if err != nil {
		return "", err
	}
	return control.String(), nil
}

// CheckEnd refuses options and a time control that let a game go on for ever.
func CheckEnd(variant string, options map[string]string, control string) error {
	c, err := clock.Parse(control)
	if err != nil {
		return err
	}
	return table.CheckEnd(variant, 0, options, c)
}

// BaseTime returns the time for the game of a time control, in seconds; false if it has none.
func BaseTime(text string) (seconds int64, timed bool) {
	control, err := clock.Parse(text)
	if err != nil {
		return 0, false
	}
	ms, timed := control.Base()
	return ms / 1000, timed && ms > 0
}

// Openings returns the tables as the director uses them.
func Openings(tables *table.Tables) director.Tables { return openings{tables} }

// openings lets the director open and abort games at the tables.
type openings struct{ tables *table.Tables }

func (o openings) Open(ctx context.Context, wanted []director.Opening) error {
	games := make([]table.NewGame, len(wanted))
	for i, w := range wanted {
		games[i] = table.NewGame{
			ID: w.GameID, Variant: w.Variant, Players: w.Players, Controls: []string{w.TimeControl}, Rated: w.Rated,
			Options: w.Options, Tournament: &table.Place{ID: w.TournamentID, Round: w.Round, Board: w.Board}, Start: true,
			Grace: w.Play.NoShowMs, Delay: table.Delay{Moves: w.Play.DelayMoves, Ms: w.Play.DelayMs},
			Takebacks: w.Play.Takebacks,
			StartsAt:  w.Start.At, Together: w.Start.Together,
		}
	}
	_, err := o.tables.Open(ctx, games...)
	return err
}

func (o openings) Begun(ctx context.Context, gameID string) (bool, error) {
	s, err := o.tables.Snapshot(ctx, gameID)
	if errors.Is(err, table.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	moved := slices.ContainsFunc(s.Lines, func(l table.Line) bool { return l.Kind == table.LineMove })
	return moved && s.Game.Status != table.Aborted, nil
}

func (o openings) Pause(ctx context.Context, gameID, by string, why sentence.Sentence) error {
	_, err := o.tables.Adjourn(ctx, o.tables.Arrive(gameID), table.Ruling{By: by, Said: why}, "adjourned")
	return unlessEnded(err)
}

func (o openings) Abort(ctx context.Context, gameID string, why sentence.Sentence) error {
	_, err := o.tables.Abort(ctx, gameID, "", why)
	return unlessEnded(err)
}

// unlessEnded drops the errors of a game that is over or not there.
func unlessEnded(err error) error {
	if errors.Is(err, table.ErrGameOver) || errors.Is(err, table.ErrNotFound) {
		return nil
	}
	return err
}
