package command

import (
	"context"

	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// None is the input of a command that needs none.
type None struct{}

// The stages of a tournament.
var (
	Open    = stage("open", auth.RunTournament, (*director.Director).Open)
	Close   = stage("close", auth.RunTournament, (*director.Director).Close)
	Start   = stage("start", auth.RunTournament, (*director.Director).Start)
	Finish  = stage("finish", auth.RunTournament, (*director.Director).Finish)
	Archive = stage("archive", auth.RunTournament, (*director.Director).Archive)

	CloseCheckIn  = stage("close-check-in", auth.PairRounds, (*director.Director).CloseCheckIn)
	CancelCheckIn = stage("cancel-check-in", auth.PairRounds, (*director.Director).CancelCheckIn)

	// NextRound pairs the next round and opens its games.
	NextRound = stage("pair", auth.PairRounds, (*director.Director).NextRound)
	// DrawRound draws the next round up, for the staff alone.
	DrawRound = stage("draw", auth.PairRounds, (*director.Director).DrawRound)
)

// stage is a command that takes nothing but the tournament.
func stage(
	name string, may auth.Action,
	do func(*director.Director, context.Context, string, director.Order) (*tournament.Tournament, error),
) Command[None] {
	return Command[None]{
		Name: name, May: may,
		Do: func(c Call, _ None) (*tournament.Tournament, error) {
			return do(c.Director, c.Ctx, c.T.ID, c.Order)
		},
	}
}

// OpenCheckIn opens the check-in; with the input true it discards earlier check-ins.
var OpenCheckIn = Command[bool]{
	Name: "open-check-in", May: auth.PairRounds,
	Do: func(c Call, reset bool) (*tournament.Tournament, error) {
		return c.OpenCheckIn(c.Ctx, c.T.ID, reset, c.Order)
	},
}
