package club

import "errors"

// Why two records of players are not merged.
var (
	ErrMergeSame     = errors.New("these are not two players")
	ErrMergeMet      = errors.New("these two have played each other, or entered the same tournament: they are two persons")
	ErrMergeAccounts = errors.New("both players have accounts; say that they are one person all the same")
	ErrMergePlaying  = errors.New("a game of the player that goes is not over yet")
)

// Merge is the order to join two records of the same person.
type Merge struct {
	Keep, Gone   string // ids of the players
	BothAccounts bool   // both may have accounts; the second goes on without a player
	By           string // account id
	At           int64  // ms UTC
}
