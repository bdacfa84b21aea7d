// Package rest implements the operations of the REST API: it turns what the contract calls things into what the domain
// calls them and back, and asks the domain. There is one file for each kind of resource. Errors are the domain's own,
// or wrapped in a [command.Refusal] where a client should learn more; package api turns them into problem documents.
//
// Whether a request is well-formed and its token good for the operation has been checked before it gets here; whether
// this account may do it to this resource is checked here, by the actions of package auth.
package rest

import (
	"context"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/gamejson"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// People are players and accounts.
type People interface {
	Account(ctx context.Context, id string) (account.Account, error)
	AccountByLogin(ctx context.Context, login string) (account.Account, error)
	UpdateAccount(ctx context.Context, from, to account.Account) error
	CreatePlayer(ctx context.Context, p ...club.Player) error
	Player(ctx context.Context, id string) (club.Player, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	ListPlayers(ctx context.Context, f club.PlayerFilter, limit int, cursor string) ([]club.Player, string, error)
	UpdatePlayer(ctx context.Context, p club.Player, from int64) error
	Claim(ctx context.Context, claimHash, accountID string) (club.Player, error)
	Blocks
	AdminLog
}

// Blocks are who wants no games with whom.
type Blocks interface {
	BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error)
	Opponents(ctx context.Context, ids []string, asks string) (map[string]club.Opponent, error)
	Block(ctx context.Context, b club.Block) error
	Unblock(ctx context.Context, player, blocked string) error
	Blocks(ctx context.Context, player string) ([]club.Block, error)
}

// Presence reports who is connected to games, and is told who was seen at one; *stream.Hub is it.
type Presence interface {
	gamejson.Presence
	Seen(s *table.Snapshot, player string)
}

// Config is what the operations ask. All but Now and Address are required.
type Config struct {
	Commands       *command.Service
	Guard          *auth.Guard
	People         People
	Tables         *table.Tables
	GameList       table.Archive
	Tournaments    *director.Director
	TournamentList director.Archive
	Ratings        ledger.Reader
	Lists          *systems.Config // how lists are rated and shown; nil for Elo in club mode
	Ledger         *ledger.Ledger
	Presence       Presence
	Now            func() time.Time
	Address        string // where people reach the service, for records; "" = not known
}

// API implements the contract's operations.
type API struct {
	Config
	commands *command.Service
}

var _ gen.StrictServerInterface = (*API)(nil)

// New returns the operations.
func New(d Config) *API {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &API{Config: d, commands: d.Commands}
}
