package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quatuor/engine/botid"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// NewAccount is the data of an account to open.
type NewAccount struct {
	Login      string
	Password   string
	PlayerName string // "" = no player yet
	Invitation string // where accounts need an invitation
	ClaimCode  string // of the account's player in the list; it replaces an invitation
	Language   string // of the pages, "" for the browser's choice
	Address    string // where the request comes from
	Bot        bool   // a program plays, which the player shows everywhere
}

// Registration returns the current setting.
func (g *Guard) Registration(ctx context.Context) Registration { return g.decided(ctx) }

// Register opens an account, and a player with it if a name was given, or for the player of the claim code. No account
// can be opened while a set-up is due. Errors: ErrNotSetUp, ErrClosed, ErrInvitation, ErrClaimCode, an *InvalidField,
// account.ErrTaken, a *LimitError.
func (g *Guard) Register(ctx context.Context, n NewAccount) (account.Account, error) {
	if due, err := g.NeedsSetup(ctx); err != nil || due {
		return account.Account{}, cmp.Or(err, ErrNotSetUp)
	}
	with, err := g.admit(ctx, n)
	if err != nil {
		return account.Account{}, err
	}
	// A request with a code is counted by the code alone, so that others behind the same address cannot block it.
	key := cmp.Or(with.claim, with.invitation, AddressKey(n.Address))
	if _, _, err := g.count(ctx, try{counter: g.register, key: key}); err != nil {
		return account.Account{}, err
	}
	if with.claim != "" {
		n.PlayerName = ""
	}
	opened, player, err := g.prepare(ctx, n, account.RolePlayer)
	if err != nil {
		return account.Account{}, err
	}
	switch {
	case with.claim != "":
		var claimed club.Player
		claimed, err = g.store.CreateAccountFor(ctx, with.claim, opened)
		opened.PlayerID = claimed.ID
		if errors.Is(err, club.ErrNotFound) { // another account was faster
			err = ErrClaimCode
		}
	case with.invitation != "":
		err = g.store.Invite(ctx, with.invitation, opened.CreatedAt, opened, player)
		if errors.Is(err, account.ErrNotFound) {
			err = ErrInvitation
		}
	default:
		err = g.store.CreateAccount(ctx, opened, player)
	}
	return opened, err
}

// admission holds the hashes of the good codes that an account is opened with, "" for none.
type admission struct{ invitation, claim string }

// admit returns the terms of a new account, or the reason of a refusal.
func (g *Guard) admit(ctx context.Context, n NewAccount) (admission, error) {
	registration := g.decided(ctx)
	if registration != RegistrationOpen && registration != RegistrationInvite {
		return admission{}, ErrClosed
	}
	if n.ClaimCode != "" {
		hash := HashClaimCode(n.ClaimCode)
		return admission{claim: hash}, g.claimable(ctx, hash, n.Address)
	}
	hash, ok := HashSecret(account.Invitation, n.Invitation)
	switch {
	case ok:
		return admission{invitation: hash}, g.invitation(ctx, hash, n.Address) // it may bring a role
	case registration == RegistrationOpen:
		return admission{}, nil
	case n.Invitation == "":
		return admission{}, ErrInvitation
	}
	return admission{}, g.UnknownCode(ctx, n.Address, ErrInvitation)
}

// Create opens an account with a role, whatever the setting of registration: for the command line.
func (g *Guard) Create(ctx context.Context, n NewAccount, role account.Role) (account.Account, error) {
	opened, player, err := g.prepare(ctx, n, role)
	if err != nil {
		return account.Account{}, err
	}
	return opened, g.store.CreateAccount(ctx, opened, player)
}

// CheckNew refuses logins and passwords that no account can have, with an [InvalidField]. It does not look whether the
// login is taken.
func (g *Guard) CheckNew(ctx context.Context, login, password string) error {
	if err := checkLogin(login); err != nil {
		return err
	}
	return g.checkChoice(ctx, login, password)
}

func (g *Guard) prepare(ctx context.Context, n NewAccount, role account.Role) (account.Account, *club.Player, error) {
	if err := g.CheckNew(ctx, n.Login, n.Password); err != nil {
		return account.Account{}, nil, err
	}
	login := strings.ToLower(n.Login)
	hash, err := g.HashPassword(ctx, n.Password)
	if err != nil {
		return account.Account{}, nil, err
	}
	now := g.now().UnixMilli()
	opened := account.Account{
		ID: newID(), Login: login, PasswordHash: hash, Role: role, CreatedAt: now, Language: n.Language,
	}
	name := strings.TrimSpace(n.PlayerName)
	if name == "" {
		return opened, nil, nil
	}
	id := newID()
	if n.Bot {
		id = botid.OfAccount(id)
	}
	player := &club.Player{
		ID: id, Name: name, AccountID: opened.ID, CreatedBy: opened.ID, CreatedAt: now, Version: 1,
	}
	opened.PlayerID = player.ID
	return opened, player, nil
}

// NewInvitation is the data of an invitation to make.
type NewInvitation struct {
	Life time.Duration
	Uses int          // number of accounts that can be opened with it; 0 means 1
	Role account.Role // of these accounts; "" for a player's
}

// MaxUses bounds the accounts that can be opened with an invitation.
const MaxUses = 1000

// maxInvitations bounds the invitations that are listed.
const maxInvitations = 200

// Invite returns the code of an invitation to open accounts, and when it expires. The caller has checked [Invite];
// another role than a player's takes [InviteStaff].
func (g *Guard) Invite(ctx context.Context, w Identity, n NewInvitation) (string, time.Time, error) {
	if n.Role == account.RolePlayer {
		n.Role = ""
	}
	if n.Role != "" {
		if err := w.Demand(w.Level(), InviteStaff); err != nil {
			return "", time.Time{}, err
		}
	}
	secret, c := g.newCredential(account.Invitation, w.AccountID, n.Life)
	c.Role, c.Uses = n.Role, min(max(n.Uses, 1), MaxUses)
	err := g.store.AddCredential(ctx, c)
	if errors.Is(err, account.ErrStale) {
		err = ErrBadToken // the account has just been closed
	}
	return secret, time.UnixMilli(c.ExpiresAt), err
}

// Invitations returns the invitations that can be used, the newest first: the identity's own, to admins all.
func (g *Guard) Invitations(ctx context.Context, w Identity) ([]account.Credential, error) {
	if err := w.Demand(w.Level(), Invite); err != nil {
		return nil, err
	}
	owner := w.AccountID
	if w.Can(w.Level(), ManageAccounts) {
		owner = ""
	}
	return g.store.Invitations(ctx, owner, g.now().UnixMilli(), maxInvitations)
}

// EndInvitation ends an invitation that the identity sees; account.ErrNotFound for any other.
func (g *Guard) EndInvitation(ctx context.Context, w Identity, id string) error {
	seen, err := g.Invitations(ctx, w)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(seen, func(c account.Credential) bool { return c.ID == id })
	if i < 0 {
		return fmt.Errorf("invitation %s: %w", id, account.ErrNotFound)
	}
	return g.store.RevokeCredential(ctx, seen[i].AccountID, id, g.now().UnixMilli())
}

// Codes prove a right without a login. Each is looked up before anything is counted: a code that is good is answered
// however many bad codes came from its address, which all phones of a hall may share. Only the others count, all kinds
// of them together, at every door and every instance. All codes are too long to be guessed:
//
//	code of                                   random bits
//	slip, board card (package slip)           80
//	claim of a player, set-up                 80
//	invitation, password reset                256
//	open game that is not listed              128
//
// With a thousand codes of 80 bits in use and a thousand guesses a second, a code is found in 10^10 years. They are
// found by an index of their hashes, so that the time it takes does not leak how much of a code was right.

// UnknownCode counts a code that is not good for its address, and returns its refusal; a *LimitError after too many.
func (g *Guard) UnknownCode(ctx context.Context, address string, refusal error) error {
	if _, _, err := g.count(ctx, try{counter: g.codes, key: AddressKey(address)}); err != nil {
		return err
	}
	return refusal
}

// invitation returns nil if an invitation can be used, by its hash; ErrInvitation, counted, if not.
func (g *Guard) invitation(ctx context.Context, hash, address string) error {
	c, err := g.store.CredentialByHash(ctx, account.Invitation, hash)
	if errors.Is(err, account.ErrNotFound) ||
		err == nil && (c.Uses == 0 || c.RevokedAt != 0 || c.ExpiresAt != 0 && g.now().UnixMilli() >= c.ExpiresAt) {
		return g.UnknownCode(ctx, address, ErrInvitation)
	}
	return err
}

// claimable returns nil if a player can be claimed with a code, by its hash; ErrClaimCode, counted, if not.
func (g *Guard) claimable(ctx context.Context, hash, address string) error {
	_, err := g.store.PlayerByClaim(ctx, hash)
	if errors.Is(err, club.ErrNotFound) {
		return g.UnknownCode(ctx, address, ErrClaimCode)
	}
	return err
}
