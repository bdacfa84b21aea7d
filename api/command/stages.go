package command

import (
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// None is the input of a command that needs none.
type None struct{}

// The stages of a tournament.
var (
	Open    = stage("open", auth.RunTournament, director.Open)
	Close   = stage("close", auth.RunTournament, director.Close)
	Start   = stage("start", auth.RunTournament, director.Start)
	Finish  = stage("finish", auth.RunTournament, director.Finish)
	Archive = stage("archive", auth.RunTournament, director.Archive)

	CloseCheckIn  = stage("close-check-in", auth.PairRounds, director.CloseCheckIn)
	CancelCheckIn = stage("cancel-check-in", auth.PairRounds, director.CancelCheckIn)

	// NextRound pairs the next round and opens its games.
	NextRound = stage("pair", auth.PairRounds, director.NextRound)
	// DrawRound draws the next round up, for the staff alone.
	DrawRound = stage("draw", auth.PairRounds, director.DrawRound)
)

// stage is a command that takes nothing but the tournament.
func stage(name string, may auth.Action, act director.Act) Command[None] {
	return Command[None]{
		Name: name, May: may,
		Do: func(c Call, _ None) (*tournament.Tournament, error) { return c.act(act) },
	}
}

// OpenCheckIn opens the check-in; with the input true it discards earlier check-ins.
var OpenCheckIn = Command[bool]{
	Name: "open-check-in", May: auth.PairRounds,
	Do: func(c Call, reset bool) (*tournament.Tournament, error) {
		return c.act(director.OpenCheckIn(reset))
	},
}
