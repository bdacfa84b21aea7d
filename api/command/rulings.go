package command

import (
	"context"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/engine/table"
)

// Ruling is an act of an arbiter on a game: by staff of its tournament, or by an admin on a game outside tournaments.
type Ruling[In any] struct {
	Name string
	Do   func(RulingCall, In) (*table.Snapshot, error)
}

// RulingCall is an execution of a ruling.
type RulingCall struct {
	*table.Tables
	Ctx    context.Context //nolint:containedctx // a call is as short as a request
	At     *table.Arrival
	Ruling table.Ruling
}

// Run executes a ruling for the identity in the context, and returns the game after it.
func (r Ruling[In]) Run(ctx context.Context, s *Service, at At, reason string, in In) (*table.Snapshot, error) {
	game, err := s.Tables.Snapshot(ctx, at.Game)
	if err != nil {
		return nil, err
	}
	who := auth.From(ctx)
	if err := access.Arbitrate(ctx, s, who, game.Game.Tournament); err != nil {
		return nil, err
	}
	return r.Do(RulingCall{s.Tables, ctx, at.Arrival, table.Ruling{By: who.AccountID, Reason: reason}}, in)
}

// Takeback is the number of moves that are taken back.
type Takeback struct{ Turn, Plies int }

// What an arbiter does with a game.
var (
	// StartClocks starts the clocks of a game before its time.
	StartClocks = Ruling[None]{"start", func(c RulingCall, _ None) (*table.Snapshot, error) {
		return c.StartPlanned(c.Ctx, c.At, c.Ruling.By)
	}}
	// Pause stops the clocks; the input is a cause of its own, "" for none.
	Pause = Ruling[string]{"pause", func(c RulingCall, cause string) (*table.Snapshot, error) {
		return c.Tables.Pause(c.Ctx, c.At, c.Ruling, cause)
	}}
	// Resume lets the clocks go on; the input is the cause that is over, "" for all.
	Resume = Ruling[string]{"resume", func(c RulingCall, cause string) (*table.Snapshot, error) {
		return c.Tables.Resume(c.Ctx, c.At, c.Ruling, cause)
	}}
	// ChangeClock sets a seat's clock, or adds to it.
	ChangeClock = Ruling[table.ClockChange]{
		"clock",
		func(c RulingCall, change table.ClockChange) (*table.Snapshot, error) {
			return c.Tables.ChangeClock(c.Ctx, c.At, c.Ruling, change)
		},
	}
	// TakeBack takes back the last moves.
	TakeBack = Ruling[Takeback]{"takeback", func(c RulingCall, in Takeback) (*table.Snapshot, error) {
		return c.Tables.TakeBack(c.Ctx, c.At, c.Ruling, in.Turn, in.Plies)
	}}
	// Forfeit takes a seat out of the game.
	Forfeit = Ruling[int8]{"forfeit", func(c RulingCall, seat int8) (*table.Snapshot, error) {
		return c.Tables.Forfeit(c.Ctx, c.At, c.Ruling, seat)
	}}
	// Adjudicate decides the game; the input are the ranks by seat.
	Adjudicate = Ruling[[]int]{"decide", func(c RulingCall, ranks []int) (*table.Snapshot, error) {
		return c.Tables.Adjudicate(c.Ctx, c.At, c.Ruling, ranks)
	}}
)
