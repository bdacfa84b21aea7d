package command

import (
	"quatuor/api/auth"
	"quatuor/tournament"
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
