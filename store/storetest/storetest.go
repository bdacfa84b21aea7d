// Package storetest is the suite that every implementation of the storage ports passes: the store on SQLite, the
// store on PostgreSQL, and whatever stands in for it. It needs nothing but the ports.
//
// [Cluster] starts a PostgreSQL to be thrown away, for tests that need one.
package storetest

import (
	"context"
	"testing"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// Ports are the parts of one store; all of them see the same data.
type Ports struct {
	Games       GamePorts
	Tournaments TournamentPorts
	People      club.Store
	Ratings     RatingPorts
	Replies     ReplyPort
	// Reopen ends the store, as a restart of the program does, and opens it again; t is the test it was opened for.
	Reopen func(t *testing.T) Ports
}

// GamePorts keep games.
type GamePorts interface {
	table.Journal
	table.Archive
}

// TournamentPorts keep tournaments.
type TournamentPorts interface {
	director.Store
	director.Archive
}

// RatingPorts keep ratings.
type RatingPorts interface {
	ledger.Store
	ledger.Reader
}

// ReplyPort remembers what was answered to requests that may be repeated.
type ReplyPort interface {
	BeginReply(ctx context.Context, owner, key, fingerprint string, now int64) (
		status int, header string, body []byte, state int8, err error)
	FinishReply(ctx context.Context, owner, key string, status int, header string, body []byte) error
	DropReply(ctx context.Context, owner, key string) error
	ForgetReplies(ctx context.Context, before int64) (int64, error)
}

// Open gives the ports of a new, empty store, which ends with the test.
type Open func(t *testing.T) Ports

// Run tests all ports.
func Run(t *testing.T, open Open) {
	for _, part := range []struct {
		name string
		run  func(*testing.T, Open)
	}{
		{"Games", Games},
		{"GameLists", GameLists},
		{"Tournaments", Tournaments},
		{"People", People},
		{"Credentials", Credentials},
		{"Accounts", Accounts},
		{"Ratings", Ratings},
		{"Rankings", Rankings},
		{"Replies", Replies},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, open) })
	}
}
