package rest

import (
	"context"
	"errors"
	"strings"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/account"
)

// CreateAccount opens an account.
func (a *API) CreateAccount(ctx context.Context, r gen.CreateAccountIn) (gen.CreateAccountOut, error) {
	if valueOf(r.Body.Bot) && strings.TrimSpace(valueOf(r.Body.PlayerName)) == "" {
		return nil, command.Invalid("/player_name", "a bot needs a player; send player_name")
	}
	made, err := a.Guard.Register(ctx, auth.NewAccount{
		Login: r.Body.Login, Password: r.Body.Password, PlayerName: valueOf(r.Body.PlayerName),
		Invitation: valueOf(r.Body.Invitation), Address: auth.From(ctx).Address, Bot: valueOf(r.Body.Bot),
	})
	return gen.AccountCreated{AccountID: made.ID, PlayerID: optional(made.PlayerID)}, err
}

// ListAccounts finds an account by its login.
func (a *API) ListAccounts(ctx context.Context, r gen.ListAccountsIn) (gen.ListAccountsOut, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ManageAccounts); err != nil {
		return nil, err
	}
	found, err := a.People.AccountByLogin(ctx, strings.ToLower(r.Params.Login))
	if errors.Is(err, account.ErrNotFound) {
		return gen.AccountList{Items: []gen.Account{}}, nil
	}
	return gen.AccountList{Items: []gen.Account{accountBody(found)}}, err
}

// GetAccount shows an account to an admin.
func (a *API) GetAccount(ctx context.Context, r gen.GetAccountIn) (gen.GetAccountOut, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ManageAccounts); err != nil {
		return nil, err
	}
	found, err := a.People.Account(ctx, r.AccountID)
	return taggedAccount(found), err
}

// UpdateAccount changes an account's role, or disables it.
func (a *API) UpdateAccount(ctx context.Context, r gen.UpdateAccountIn) (gen.UpdateAccountOut, error) {
	change := command.AccountChange{ID: r.AccountID, If: func(present account.Account) error {
		return command.CheckTag(r.Params.IfMatch, command.Tag(accountBody(present)))
	}}
	change.Disabled = r.Body.Disabled
	if r.Body.Role != nil {
		change.Role = new(account.Role(*r.Body.Role))
	}
	found, err := command.ManageAccount.Run(ctx, a.commands, change)
	return taggedAccount(found), err
}

func taggedAccount(found account.Account) gen.TaggedAccountJSON {
	shown := accountBody(found)
	return gen.TaggedAccountJSON{Body: shown, Headers: gen.Tagged{ETag: command.Tag(shown)}}
}

func accountBody(a account.Account) gen.Account {
	return gen.Account{
		ID: a.ID, Login: a.Login, Role: gen.Role(a.Role), PlayerID: optional(a.PlayerID),
		Disabled: a.DisabledAt != 0, CreatedAt: command.Moment(a.CreatedAt),
	}
}

const defaultInvitationDays = 14

// CreateInvitation makes an invitation.
func (a *API) CreateInvitation(ctx context.Context, r gen.CreateInvitationIn) (gen.CreateInvitationOut, error) {
	days := defaultInvitationDays
	if r.Body != nil && r.Body.Days != nil {
		days = *r.Body.Days
	}
	wanted := auth.NewInvitation{Life: time.Duration(days) * 24 * time.Hour}
	code, err := command.Invite.Run(ctx, a.commands, wanted)
	return gen.Invitation{Code: code.Text, ExpiresAt: command.Moment(code.Expires.UnixMilli())}, err
}

// setEmail changes where e-mails to an account go, and which.
func (a *API) setEmail(ctx context.Context, p gen.EmailPatch, present string) error {
	if p.Address != nil {
		in := command.MailAddress{Address: *p.Address, Password: present}
		if _, err := command.SetMailAddress.Run(ctx, a.commands, in); err != nil {
			return err
		}
	}
	if p.Off == nil {
		return nil
	}
	_, err := command.SetMailOff.Run(ctx, a.commands, retyped[account.MailKind](*p.Off))
	return err
}

// email shows where e-mails to an account go, and which do not.
func (a *API) email(ctx context.Context, accountID string) (*gen.EmailSettings, error) {
	own, err := a.Mail.Store.Address(ctx, accountID)
	return &gen.EmailSettings{
		Address: optional(own.Address), Pending: optional(own.Pending), Off: retyped[gen.EmailKind](own.Off),
	}, err
}

// DeleteMe deletes the account of the request and its player.
func (a *API) DeleteMe(ctx context.Context, r gen.DeleteMeIn) (gen.DeleteMeOut, error) {
	return done(command.DeleteMe.Run(ctx, a.commands, r.Body.Password))
}

// DeletePlayer deletes a person.
func (a *API) DeletePlayer(ctx context.Context, r gen.DeletePlayerIn) (gen.DeletePlayerOut, error) {
	return done(command.DeletePlayer.Run(ctx, a.commands, r.PlayerID))
}
