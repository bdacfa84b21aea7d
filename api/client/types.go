package client

import "quatuor/api/gen"

// Types of the contract that most programs use; package api/gen has all.
type (
	Player     = gen.Player
	Game       = gen.Game
	NewGame    = gen.NewGame
	Move       = gen.NewMove
	Tournament = gen.Tournament
	Round      = gen.Round
	Standings  = gen.Standings

	// Data of the events of /me/events that are not about a game.
	AccountState  = gen.AccountState
	RoundNotice   = gen.RoundNotice
	OwnPairing    = gen.OwnPairing
	ArbiterAnswer = gen.ArbiterAnswer
	Notice        = gen.Notice
)
