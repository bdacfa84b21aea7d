// Package rest implements the operations of the REST API: it maps the contract's types to the domain's and back, and
// calls the domain. Each kind of resource has a file. Errors are the domain's own, or wrapped in a [command.Refusal]
// that adds details for the client; package api turns them into problem documents.
//
// Requests arrive validated and authenticated, with the scopes checked; whether the account may act on the resource is
// checked here, by the actions of package auth.
package rest

import (
	"context"
	"net/url"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/hooks"
	"quatuor/api/internal/gamejson"
	"quatuor/api/internal/limit"
	"quatuor/api/mail"
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
	Player(ctx context.Context, id string) (club.Player, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	ListPlayers(ctx context.Context, f club.PlayerFilter, limit int, cursor string) ([]club.Player, string, error)
	Blocks
	AdminLog
}

// Blocks lists the players that a player has blocked.
type Blocks interface {
	BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error)
	Opponents(ctx context.Context, ids []string, asks string) (map[string]club.Opponent, error)
	Blocks(ctx context.Context, player string) ([]club.Block, error)
}

// Presence tracks the seats connected to games; *stream.Hub implements it.
type Presence interface {
	gamejson.Presence
	Seen(s *table.Snapshot, player string)
}

// Config has the dependencies of the operations. All but Now and Address are required.
type Config struct {
	Commands       *command.Service
	Guard          *auth.Guard
	People         People
	Tables         *table.Tables
	GameList       table.Archive
	Tournaments    *director.Director
	TournamentList director.Lister
	Ratings        ledger.Reader
	Lists          *systems.Config // how lists are rated and shown; nil for Elo in club mode
	Presence       Presence
	Now            func() time.Time
	Mail           *mail.Service // nil without a mail server
	Hooks          *hooks.Service
	// ProblemOf returns the problem document of an error, for refusals within an answer; package api sets it.
	ProblemOf func(error) gen.Problem
	Address   string // public address of the service, for records; "" = unknown
}

// API implements the contract's operations for a single request.
type API struct {
	*shared
	request Request
}

// shared holds the dependencies that the operations of all requests use.
type shared struct {
	Config
	commands *command.Service
	exports  *limit.Limiter // of people's own data, by account
	games    *limit.Limiter // exports of games, by account
}

// Request holds the properties of a request that operations need and the contract does not name.
type Request struct {
	Arrival   *table.Arrival // of a request that acts on a game
	URL       *url.URL
	Accept    string // the header
	Languages string // the header Accept-Language
}

var _ gen.StrictServerInterface = (*API)(nil)

// New returns the operations without a request; see For.
func New(d Config) *API {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &API{shared: &shared{Config: d, commands: d.Commands, exports: limit.New(exportRate, d.Now), games: limit.New(exportRate, d.Now)}}
}

// For returns the operations for a request.
func (a *API) For(r Request) *API { return &API{a.shared, r} }
