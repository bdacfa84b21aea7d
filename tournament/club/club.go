// Package club holds the players of an installation. A player exists without an account: club members are entered by
// the organiser and can be claimed later with a code. Accounts are package account's.
package club

import "errors"

// Errors of this package.
var (
	ErrNotFound = errors.New("there is no such player")
	ErrStale    = errors.New("the player has been changed meanwhile")
	// ErrUnwelcome means that a player takes no challenges, or none from this opponent; it does not reveal which.
	ErrUnwelcome = errors.New("one of the players takes no challenges at the moment")
	// ErrDeleted refuses changes of a deleted player.
	ErrDeleted = errors.New("this player was deleted; only results are left")
	ErrBlocks  = errors.New("more players cannot be blocked; unblock another one first")
)

// Player is a person.
type Player struct {
	ID        string
	Name      string
	Club      string
	BirthYear int                // 0 if unknown
	Rating    map[string]float64 // rating to start with, by list id
	AccountID string             // "" while unclaimed
	ClaimHash string             // SHA-256 of the claim code in hex, "" for none
	CreatedBy string             // account id
	CreatedAt int64              // ms UTC
	Version   int64
	Gone      int64 // number of a deleted player, which is in the name; 0 for others

	// OpenToChallenges accepts casual games in advance, before they are created.
	OpenToChallenges bool
	// ChallengesAtOnce is the maximum number of casual games under way that seat the player by a challenge, without a
	// move by the player; a further challenge is an invitation. 0 is 1.
	ChallengesAtOnce int
	// ClosedToChallenges refuses all challenges.
	ClosedToChallenges bool
}

// Opponent is a player as seen by a challenger.
type Opponent struct {
	Player
	Blocks bool // the player has blocked the challenger
	Closed bool // the player's account is closed
}

// MaxBlocks is the maximum number of players that a player may block.
const MaxBlocks = 200

// Block means that a player takes no challenges from another.
type Block struct {
	Player, Blocked string // ids of players
	At              int64  // ms UTC
}

// PlayerFilter selects players; empty fields select all.
type PlayerFilter struct {
	Name string // part of the name, case ignored
	Club string

	Unclaimed bool // only players without an account
}

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

// Settings are a club's decisions about its installation, stored beside its data. An empty text is no decision.
type Settings struct {
	Name         string // shown on all pages
	Welcome      string // a sentence or two on the first page, instead of what the program is
	Imprint      string // the person responsible for the data, on the page about privacy
	Language     string // default language, for readers of languages that are not on offer; a tag: "de"
	TimeZone     string // of the times shown, for example "Europe/Berlin"
	Registration string // restriction on opening accounts
	Reach        Reach
	Resets       bool  // organisers, too, may reset the passwords of plain players; else admins only
	Version      int64 // 0 before anything was decided
}

// Reach is from where an installation can be reached where the operator has named no address to listen on.
type Reach string

// The values of Reach; the empty value is ReachLocal.
const (
	ReachLocal   Reach = "local"   // from the machine that it runs on
	ReachNetwork Reach = "network" // from the machine's network
)
