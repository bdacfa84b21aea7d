package command

import (
	"quatuor/api/auth"
	"quatuor/tournament/account"
)

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
