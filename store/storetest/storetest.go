// Package storetest is the suite that every implementation of the storage ports passes: the store on SQLite, the store
// on PostgreSQL, and their substitutes. It needs nothing but the ports.
package storetest

import (
	"context"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Ports are the parts of a store; all of them see the same data.
type Ports struct {
	Games       GamePorts
	Tournaments TournamentPorts
	Players     PlayerPort
	Accounts    AccountPort
	NewAccounts NewAccountPort
	Settings    SettingsPort
	AdminLog    AdminLogPort
	Credentials CredentialPort
	Sessions    SessionPort
	Keys        KeyPort
	Ratings     RatingPorts
	Replies     ReplyPort
	Slips       director.Slips
	Hooks       HookPort
	Seasons     SeasonPort
	// Reopen ends the store, as a restart of the program does, and opens it again; t is the test it was opened for.
	Reopen func(t *testing.T) Ports
}

// GamePorts keep games.
type GamePorts interface {
	table.Journal
	table.Deadlines
	table.Quotas
	table.Heartbeats
	table.OutageJournal
	table.Archive
	Storage() table.Storage
	Playing(ctx context.Context, players []string, now time.Time) (map[string]bool, error)
}

// TournamentPorts keep tournaments.
type TournamentPorts interface {
	director.Store
	director.Lister
	Arenas(ctx context.Context) ([]string, error)
	ArenaBeat(ctx context.Context, id string) (int64, error)
	BeatArena(ctx context.Context, id string, at int64) error
}

// RatingPorts keep ratings.
type RatingPorts interface {
	ledger.Store
	ledger.Reader
	ledger.DeskStore
	Until(ctx context.Context, list string, players []string, before int64) (map[string]float64, error)
}

// PlayerPort keeps players.
type PlayerPort interface {
	CreatePlayer(ctx context.Context, p ...club.Player) error
	MergePlayers(ctx context.Context, m club.Merge, recompute func(context.Context, ledger.Store) error) error
	Erase(ctx context.Context, e club.Erasure) (club.Erased, error)
	Player(ctx context.Context, id string) (club.Player, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	ListPlayers(ctx context.Context, f club.PlayerFilter, limit int,
		cursor string) (page []club.Player, next string, err error)
	UpdatePlayer(ctx context.Context, p club.Player, from int64) error
	Claim(ctx context.Context, claimHash, accountID string) (club.Player, error)
	Block(ctx context.Context, b club.Block) error
	Unblock(ctx context.Context, player, blocked string) error
	Blocks(ctx context.Context, player string) ([]club.Block, error)
	BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error)
	Opponents(ctx context.Context, ids []string, asks string) (map[string]club.Opponent, error)
}

// AccountPort keeps accounts.
type AccountPort interface {
	Account(ctx context.Context, id string) (account.Account, error)
	AccountByLogin(ctx context.Context, login string) (account.Account, error)
	CountAccounts(ctx context.Context) (int, error)
	HasAdmin(ctx context.Context) (bool, error)
	RunsTournament(ctx context.Context, id string) (bool, error)
	UpdateAccount(ctx context.Context, from, to account.Account) error
	ChangePassword(ctx context.Context, from, to account.Account, end account.Ending) error
	ListAccounts(ctx context.Context, f account.Filter, limit int,
		cursor string) (page []account.Account, next string, err error)
	ResetPassword(ctx context.Context, hash, passwordHash, by string, end account.Ending) (account.Account, error)
}

// NewAccountPort opens accounts.
type NewAccountPort interface {
	CreateAccount(ctx context.Context, a account.Account, player *club.Player) error
	CreateAccountFor(ctx context.Context, claimHash string, a account.Account) (club.Player, error)
	Invite(ctx context.Context, hash string, now int64, a account.Account, player *club.Player) error
	SetUp(ctx context.Context, s club.Settings, a account.Account, player *club.Player) error
}

// SettingsPort keeps the club's decisions about the installation.
type SettingsPort interface {
	Settings(ctx context.Context) (club.Settings, error)
	SaveSettings(ctx context.Context, s club.Settings, from int64) error
}

// AdminLogPort reads the acts of administration.
type AdminLogPort interface {
	LogBackup(ctx context.Context, kind adminlog.Kind, name string) error
	AdminLog(ctx context.Context, f adminlog.Filter, limit int,
		cursor string) (page []adminlog.Entry, next string, err error)
}

// CredentialPort keeps tokens, invitations and links for a new password.
type CredentialPort interface {
	AddCredential(ctx context.Context, c account.Credential) error
	AddToken(ctx context.Context, c account.Credential, limit int) error
	AddReset(ctx context.Context, c account.Credential) error
	Invitations(ctx context.Context, accountID string, now int64, limit int) ([]account.Credential, error)
	EndCredentials(ctx context.Context, accountID string, end account.Ending) error
	CredentialByHash(ctx context.Context, kind account.CredentialKind, hash string) (account.Credential, error)
	Credentials(ctx context.Context, accountID string, kind account.CredentialKind) ([]account.Credential, error)
	RevokeCredential(ctx context.Context, accountID, id string, now int64) error
}

// SessionPort keeps sessions, and the places that are familiar to accounts.
type SessionPort interface {
	AddLogin(ctx context.Context, c account.Credential, passwordHash string, limit int) (ended []string, err error)
	OpenSessions(ctx context.Context, accountID string, now int64) ([]account.Credential, error)
	Rotate(ctx context.Context, hash string, next account.Credential, now int64) error
	RevokeFamily(ctx context.Context, family string, now int64) error
	SessionLives(ctx context.Context, family string) (bool, error)
	Familiar(ctx context.Context, accountID string, hashes []string) (map[string]int64, error)
	Remember(ctx context.Context, accountID string, hashes []string, now int64, limit int) error
}

// KeyPort keeps signing keys.
type KeyPort interface {
	Keys(ctx context.Context) ([]account.Key, error)
	AddKey(ctx context.Context, k account.Key) error
	RetireKey(ctx context.Context, id string, now int64) error
}

// SeasonPort keeps series, ladders, leagues and seasons.
type SeasonPort interface {
	ListSeries(ctx context.Context) ([]series.Settings, error)
	Series(ctx context.Context, id string) (series.Settings, error)
	SaveSeries(ctx context.Context, s series.Settings) error
	DeleteSeries(ctx context.Context, id string, version int64) error
	ListLadders(ctx context.Context) ([]ladder.Settings, error)
	Ladder(ctx context.Context, id string) (ladder.Settings, []ladder.Act, error)
	CreateLadder(ctx context.Context, l ladder.Settings) error
	SaveLadder(ctx context.Context, l ladder.Settings) error
	DeleteLadder(ctx context.Context, id string, version int64) error
	AddActs(ctx context.Context, id string, acts []ladder.Act) error
	Games(ctx context.Context, ids []string) ([]ladder.Game, error)
	ListLeagues(ctx context.Context, organiser string) ([]league.Settings, error)
	League(ctx context.Context, id string) (league.Settings, []league.Plan, error)
	CreateLeague(ctx context.Context, l league.Settings, first league.Plan) error
	SaveLeague(ctx context.Context, l league.Settings) error
	DeleteLeague(ctx context.Context, id string, version int64) error
	SavePlan(ctx context.Context, p league.Plan, divisions ...director.Draft) error
	DeletePlan(ctx context.Context, p league.Plan) error
	ListSeasons(ctx context.Context) ([]series.Season, error)
	Season(ctx context.Context, id string) (series.Season, error)
	SaveSeason(ctx context.Context, s series.Season) error
	DeleteSeason(ctx context.Context, id string, version int64) error
}

// ReplyPort remembers the answers to requests that may be repeated.
type ReplyPort interface {
	BeginReply(ctx context.Context, r account.Request) (account.Reply, account.ReplyState, error)
	FinishReply(ctx context.Context, owner, key string, reply account.Reply) error
	DropReply(ctx context.Context, owner, key string) error
	ForgetReplies(ctx context.Context, before int64) (int64, error)
}

// Open returns the ports of a new, empty store, which ends with the test.
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
		{"AdminLog", AdminLog},
		{"Ratings", Ratings},
		{"Hall", Hall},
		{"Teams", Teams},
		{"Rankings", Rankings},
		{"Replies", Replies},
		{"Slips", Slips},
		{"Hooks", Hooks},
		{"Seasons", Seasons},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, open) })
	}
}
