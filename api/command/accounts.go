package command

import (
	"context"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// AccountChange changes an account, if it is as the caller has seen it.
type AccountChange struct {
	ID string
	auth.AccountChange
	If func(account.Account) error
}

// ManageAccount changes an account's role, or disables or enables it.
var ManageAccount = ClubAct[AccountChange, account.Account]{
	Name: "account", May: auth.ManageAccounts,
	Do: func(c ClubCall, in AccountChange) (account.Account, error) {
		return c.Guard.ManageAccount(c.Ctx, c.Who, in.ID, in.AccountChange, in.If)
	},
}

// Code is a code that was just made, and when it expires.
type Code struct {
	Text    string
	Expires time.Time
}

// Invite makes an invitation to open an account.
var Invite = ClubAct[auth.NewInvitation, Code]{
	Name: "invite", May: auth.Invite,
	Do: func(c ClubCall, in auth.NewInvitation) (code Code, err error) {
		code.Text, code.Expires, err = c.Guard.Invite(c.Ctx, c.Who, in)
		return code, err
	},
}

// OfferReset makes a code for a new password of an account; the input is the account's id.
var OfferReset = ClubAct[string, Code]{
	Name: "offer-reset", May: auth.ResetPasswords,
	Do: func(c ClubCall, id string) (code Code, err error) {
		code.Text, code.Expires, err = c.Guard.NewReset(c.Ctx, c.Who, id)
		return code, err
	},
}

// What identities do with their own account, its sessions, tokens and invitations. Signing in and out is the guard's.
var (
	EndInvitation  = onAccount("end-invitation", (*auth.Guard).EndInvitation)
	EndSession     = onAccount("end-session", (*auth.Guard).EndSessionOf)
	DeleteToken    = onAccount("delete-token", (*auth.Guard).EndAPIToken)
	SetLanguage    = onAccount("language", (*auth.Guard).SetLanguage)
	ChangePassword = onAccount("password", (*auth.Guard).ChangePassword)
	EndSessions    = onAccount("end-sessions", without((*auth.Guard).EndSessions))
	ResetSeen      = onAccount("reset-seen", without((*auth.Guard).ResetSeen))
)

func onAccount[In any](name string, do func(*auth.Guard, context.Context, auth.Identity, In) error) ClubAct[In, None] {
	return plain(name, "", func(c ClubCall, in In) error { return do(c.Guard, c.Ctx, c.Who, in) })
}

// without returns an act that has no input.
func without[Service any](
	do func(Service, context.Context, auth.Identity) error,
) func(Service, context.Context, auth.Identity, None) error {
	return func(s Service, ctx context.Context, who auth.Identity, _ None) error { return do(s, ctx, who) }
}

// MailAddress is a new e-mail address of an account, "" for none, with the account's password.
type MailAddress struct{ Address, Password string }

// SetMailAddress sets the address of the identity's account, which is used once it is confirmed.
var SetMailAddress = plain("mail-address", "", func(c ClubCall, in MailAddress) error {
	return c.Mail.SetAddress(c.Ctx, c.Who, in.Address, in.Password)
})

// SetMailOff sets the kinds of e-mail that the identity does not want.
var SetMailOff = plain("mail-off", "", func(c ClubCall, off []account.MailKind) error {
	return c.Mail.SetOff(c.Ctx, c.Who, off)
})

// TestMail sends an e-mail to the identity's own address.
var TestMail = plain("test-mail", auth.ManageAccounts, func(c ClubCall, _ None) error {
	return c.Mail.Test(c.Ctx, c.Who)
})

// MailPasswordReset sends a link for a new password; the input is a login or an address, and whether an account has it
// makes no difference to the outcome.
var MailPasswordReset = plain("mail-reset", "", func(c ClubCall, typed string) error {
	return c.Mail.Forgotten(c.Ctx, c.Who, typed, c.Who.Address)
})

// MailLink is the account, and the address or the kind of e-mail, that the token of a link in an e-mail is about.
type MailLink struct {
	Login, Address string
	Kind           account.MailKind
}

// ConfirmMail makes the address of a token the account's: the token is the right.
var ConfirmMail = ClubAct[string, MailLink]{
	Name: "confirm-mail",
	Do: func(c ClubCall, token string) (link MailLink, err error) {
		link.Login, link.Address, err = c.Mail.Confirm(c.Ctx, token)
		return link, err
	},
}

// Unsubscribe turns the kind of e-mail of a token off: the token is the right.
var Unsubscribe = ClubAct[string, MailLink]{
	Name: "unsubscribe",
	Do: func(c ClubCall, token string) (link MailLink, err error) {
		link.Login, link.Kind, err = c.Mail.Unsubscribe(c.Ctx, token)
		return link, err
	},
}
