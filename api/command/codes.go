package command

import (
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// NewCodes names the boards whose codes for results are replaced.
type NewCodes struct {
	Round, Board int  // 0 for all boards of the round
	Revoke       bool // there are no new ones
}

// ReplaceCodes gives boards new codes, or none.
var ReplaceCodes = Command[NewCodes]{
	Name: "codes", May: auth.EnterResults,
	Do: func(c Call, in NewCodes) (*tournament.Tournament, error) {
		return c.T, c.Director.ReplaceCodes(c.Ctx, c.T, in.Round, in.Board, in.Revoke)
	},
}

// CallAnswer says what an arbiter does about a call.
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
