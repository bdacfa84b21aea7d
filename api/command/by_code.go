package command

import (
	"context"
	"errors"

	"quatuor/api/auth"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// ByCode is an act with the code of a slip or of a board card: the code is the right.
type ByCode[In any] struct {
	Name string
	Do   func(context.Context, *director.Director, string, In) (director.Slip, error)
}

// Run executes an act, and returns the board after it. A code that is not good is slip.ErrUnknown, and counted. With
// other errors the board is as it was.
func (b ByCode[In]) Run(ctx context.Context, s *Service, code string, in In) (director.Slip, error) {
	board, err := b.Do(ctx, s.Director, code, in)
	if errors.Is(err, slip.ErrUnknown) {
		err = s.Guard.UnknownCode(ctx, auth.From(ctx).Address, err)
	}
	return board, err
}

// ReadBoard returns the board of a code.
var ReadBoard = ByCode[None]{
	Name: "read",
	Do: func(ctx context.Context, d *director.Director, code string, _ None) (director.Slip, error) {
		return d.Slip(ctx, code)
	},
}

// Report is the result of a board in the report of a side.
type Report struct {
	Seat    int    // with the code of a board card; that of a slip has its own
	Verdict string // as tournament.Verdict spells it
	Saw     string // state of the board that the side was shown (slip.Board.Saw)
}

// ReportResult takes a side's report of its board's result.
var ReportResult = ByCode[Report]{
	Name: "report",
	Do: func(ctx context.Context, d *director.Director, code string, in Report) (director.Slip, error) {
		return d.Report(ctx, code, in.Seat, in.Verdict, in.Saw)
	},
}

// CallToBoard calls the arbiter to the board of a code; the input is a word to the arbiter.
var CallToBoard = ByCode[string]{
	Name: "call",
	Do: func(ctx context.Context, d *director.Director, code, word string) (director.Slip, error) {
		return d.Call(ctx, code, word)
	},
}
