package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/account"
)

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
	var off []account.MailKind
	for _, k := range *p.Off {
		off = append(off, account.MailKind(k))
	}
	_, err := command.SetMailOff.Run(ctx, a.commands, off)
	return err
}

// email shows where e-mails to an account go, and which do not.
func (a *API) email(ctx context.Context, accountID string) (*gen.EmailSettings, error) {
	own, err := a.Mail.Store.Address(ctx, accountID)
	if err != nil {
		return nil, err
	}
	shown := &gen.EmailSettings{Address: optional(own.Address), Pending: optional(own.Pending), Off: []gen.EmailKind{}}
	for _, k := range own.Off {
		shown.Off = append(shown.Off, gen.EmailKind(k))
	}
	return shown, nil
}
