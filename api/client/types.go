package client

import "quatuor/api/gen"

// Player is a player of the club.
type Player = gen.Player

// Game is a game as the account may see it.
type Game = gen.Game

// NewGame is a game to be opened.
type NewGame = gen.NewGame

// Move is a move to be made.
type Move = gen.NewMove

// Tournament is a tournament.
type Tournament = gen.Tournament

// Round is a round with its pairings.
type Round = gen.Round

// Standings are the standings of a tournament.
type Standings = gen.Standings

// AccountState is the data of the event state of /me/events.
type AccountState = gen.AccountState

// RoundNotice is the data of the event round_published of /me/events.
type RoundNotice = gen.RoundNotice

// OwnPairing is the data of the event my_pairing of /me/events.
type OwnPairing = gen.OwnPairing

// ArbiterAnswer is the data of the event arbiter_answered of /me/events.
type ArbiterAnswer = gen.ArbiterAnswer

// Notice is the data of the event notice of /me/events.
type Notice = gen.Notice
