package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quatuor/tournament/account"
)

// Level is the power of an account; each includes those before it.
type Level uint8

// The levels, in ascending order. Arbiters are named per tournament.
const (
	Anonymous Level = iota
	Player
	Arbiter
	Organiser
	Admin
)

// String returns the name of the level.
func (l Level) String() string {
	names := [...]string{"anonymous", "player", "arbiter", "organiser", "admin"}
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("level %d", uint8(l))
}

// Action is something that takes a level and a scope.
type Action string

// The actions.
const (
	ManageAccounts    Action = "accounts.manage"
	RecomputeRatings  Action = "ratings.recompute"
	Invite            Action = "accounts.invite"
	InviteStaff       Action = "accounts.invite-staff" // with a role
	ResetPasswords    Action = "accounts.reset"        // see also Guard.MayReset
	ListAccounts      Action = "accounts.list"
	ChangeSettings    Action = "club.settings"
	ReadAdminLog      Action = "admin.log"
	ManageBackups     Action = "admin.backups"
	MergePlayers      Action = "players.merge"
	DeletePlayers     Action = "players.delete"
	DeleteOwnAccount  Action = "accounts.delete-own" // see also Guard.CheckPassword
	ExportOwnData     Action = "accounts.export-own"
	CreatePlayers     Action = "players.create"
	EditPlayers       Action = "players.edit"
	EditOwnPlayer     Action = "players.edit-own"
	SeeBirthYears     Action = "players.birth-year"
	OfferClaims       Action = "players.claim-code"
	ClaimPlayer       Action = "players.claim"
	PlayGames         Action = "games.play"
	SeatOthers        Action = "games.seat-others"
	ArbitrateGames    Action = "games.arbitrate" // of a tournament
	ArbitrateCasual   Action = "games.arbitrate-casual"
	CreateTournaments Action = "tournaments.create"
	SeeDrafts         Action = "tournaments.see-draft"
	SeeArbiters       Action = "tournaments.see-arbiters"
	RunTournament     Action = "tournaments.run"
	EnterTournament   Action = "tournaments.enter"
	EnterOthers       Action = "tournaments.enter-others"
	EnterResults      Action = "tournaments.results"
	CheckIn           Action = "tournaments.check-in"
	MoveBoards        Action = "tournaments.boards"  // of games on the server, for both players, as a sensor board does
	RecordGames       Action = "tournaments.records" // of games in the hall
	MakeTokens        Action = "tournaments.tokens"  // and webhooks, for this tournament alone
	ManageHooks       Action = "accounts.webhooks"   // its own
	PairRounds        Action = "tournaments.pair"    // and what pairings depend on
)

// rule holds the requirements of an action.
type rule struct {
	level  Level   // at least
	scopes []Scope // of the token, any of these
}

// rules is the access control table. Actions within a tournament are judged by [Identity.LevelIn], all others by
// [Identity.Level]. Actions that are not in it are forbidden. A token for organising may read the tournaments it
// organises.
var rules = map[Action]rule{
	ManageAccounts:    {Admin, []Scope{ScopeAdmin}},
	RecomputeRatings:  {Admin, []Scope{ScopeAdmin}},
	Invite:            {Organiser, []Scope{ScopeOrganise}},
	InviteStaff:       {Admin, []Scope{ScopeAdmin}},
	ResetPasswords:    {Organiser, []Scope{ScopeOrganise}},
	ListAccounts:      {Organiser, []Scope{ScopeOrganise}},
	ChangeSettings:    {Admin, []Scope{ScopeAdmin}},
	ReadAdminLog:      {Admin, []Scope{ScopeAdmin}},
	ManageBackups:     {Admin, []Scope{ScopeAdmin}},
	MergePlayers:      {Admin, []Scope{ScopeAdmin}},
	DeletePlayers:     {Admin, []Scope{ScopeAdmin}},
	DeleteOwnAccount:  {Player, []Scope{ScopePlay}},
	ExportOwnData:     {Player, []Scope{ScopeRead}},
	CreatePlayers:     {Organiser, []Scope{ScopeOrganise}},
	EditPlayers:       {Organiser, []Scope{ScopeOrganise}},
	EditOwnPlayer:     {Player, []Scope{ScopePlay}},
	SeeBirthYears:     {Organiser, []Scope{ScopeRead, ScopeOrganise}},
	OfferClaims:       {Organiser, []Scope{ScopeOrganise}},
	ClaimPlayer:       {Player, []Scope{ScopePlay}},
	PlayGames:         {Player, []Scope{ScopePlay}},
	SeatOthers:        {Organiser, []Scope{ScopeOrganise}},
	ArbitrateGames:    {Arbiter, []Scope{ScopeOrganise}},
	ArbitrateCasual:   {Admin, []Scope{ScopeOrganise}},
	CreateTournaments: {Organiser, []Scope{ScopeOrganise}},
	SeeDrafts:         {Arbiter, []Scope{ScopeRead, ScopeOrganise}},
	SeeArbiters:       {Arbiter, []Scope{ScopeRead, ScopeOrganise}},
	RunTournament:     {Organiser, []Scope{ScopeOrganise}},
	EnterTournament:   {Player, []Scope{ScopePlay}},
	EnterOthers:       {Organiser, []Scope{ScopeOrganise}},
	EnterResults:      {Arbiter, []Scope{ScopeOrganise, ScopeHelper}},
	CheckIn:           {Arbiter, []Scope{ScopeOrganise, ScopeHelper}},
	MoveBoards:        {Arbiter, []Scope{ScopeBoard}},
	RecordGames:       {Arbiter, []Scope{ScopeOrganise, ScopeBoard}},
	MakeTokens:        {Arbiter, []Scope{ScopeOrganise}},
	ManageHooks:       {Player, []Scope{ScopeOrganise}},
	PairRounds:        {Arbiter, []Scope{ScopeOrganise}},
}

// May reports whether an account of a level may do something.
func May(l Level, a Action) bool {
	r, known := rules[a]
	return known && l >= r.level && l <= Admin
}

// Can reports whether an identity of a level may do something with its token.
func (w Identity) Can(l Level, a Action) bool {
	return May(l, a) && slices.ContainsFunc(rules[a].scopes, func(s Scope) bool { return w.Has(s) })
}

// Demand is Can as an error: ErrNeeded for an anonymous identity, ErrRole or ErrScope for others.
func (w Identity) Demand(l Level, a Action) error {
	switch {
	case w.Can(l, a):
		return nil
	case w.Anonymous():
		return ErrNeeded
	case May(l, a):
		return fmt.Errorf("%w: it takes the scope %s", ErrScope, rules[a].scopes[0])
	}
	return ErrRole
}

// ErrOwnAccount refuses an admin's change of their own role, and closing their own account.
var ErrOwnAccount = errors.New("you cannot change your own account; another admin can")

// AccountChange holds an admin's changes of an account; nil leaves a field as it is.
type AccountChange struct {
	Role     *account.Role
	Disabled *bool
}

// ManageAccount changes an account's role, or disables or enables it, and returns it. The caller has checked
// [ManageAccounts]; check is called first and fails if the account is not what the admin saw. Errors: those of check,
// ErrOwnAccount, account.ErrNotFound, account.ErrStale, account.ErrLastAdmin.
func (g *Guard) ManageAccount(
	ctx context.Context, w Identity, id string, change AccountChange, check func(account.Account) error,
) (account.Account, error) {
	from, err := g.store.Account(ctx, id)
	if err == nil {
		err = check(from)
	}
	if err != nil {
		return account.Account{}, err
	}
	if from.ID == w.AccountID {
		return account.Account{}, ErrOwnAccount
	}
	to := from
	if change.Role != nil {
		to.Role = *change.Role
	}
	if change.Disabled != nil && *change.Disabled != (from.DisabledAt != 0) {
		to.DisabledAt = 0
		if *change.Disabled {
			to.DisabledAt = g.now().UnixMilli()
		}
	}
	if err := g.store.UpdateAccount(ctx, from, to); err != nil {
		return account.Account{}, err
	}
	g.AccountChanged(id)
	return to, nil
}
