package command

import (
	"context"
	"errors"

	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// NewCodes are the boards that get new codes for results.
type NewCodes struct {
	Round, Board int  // 0 for all boards of the round
	Revoke       bool // without new codes
}

// ReplaceCodes replaces or revokes the codes of boards.
var ReplaceCodes = Command[NewCodes]{
	Name: "codes", May: auth.EnterResults,
	Do: func(c Call, in NewCodes) (*tournament.Tournament, error) {
		return c.T, c.Director.ReplaceCodes(c.Ctx, c.T, in.Round, in.Board, in.Revoke)
	},
}

// CallAnswer is an arbiter's answer to a call.
type CallAnswer struct {
	ID     string
	Status slip.CallStatus
}

// AnswerCall notes that an arbiter has seen a call, or that it is settled.
var AnswerCall = Command[CallAnswer]{
	Name: "answer-call", May: auth.EnterResults,
	Do: func(c Call, in CallAnswer) (*tournament.Tournament, error) {
		return c.T, c.Director.AnswerCall(c.Ctx, c.T.ID, in.ID, in.Status, c.Order)
	},
}

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
