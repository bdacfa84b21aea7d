// Package club holds the players of an installation. A player exists without an account: club members are entered by the
// organiser and can be claimed later with a code. Accounts are package account's.
package club

import "errors"

// Errors of this package.
var (
	ErrNotFound = errors.New("there is no such player")
	ErrStale    = errors.New("the player has been changed meanwhile")
)

// Player is a person who plays.
type Player struct {
	ID        string
	Name      string
	Club      string
	BirthYear int                // 0 if unknown
	Rating    map[string]float64 // rating to start with, by list id
	AccountID string             // "" while unclaimed
	ClaimHash string             // SHA-256 of the claim code in hex, "" if there is none
	CreatedBy string             // account id
	CreatedAt int64              // ms UTC
	Version   int64

	// OpenToChallenges says that the player has accepted casual games before they are created.
	OpenToChallenges bool
}

// PlayerFilter selects players; empty fields select all.
type PlayerFilter struct {
	Name string // part of the name, case ignored
	Club string

	Unclaimed bool // only players without an account
}
