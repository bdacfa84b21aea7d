package accounts

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/tournament/account"
)

// mountMail adds the pages of e-mail; without a mail server there are none.
func (p *Pages) mountMail(e *echo.Echo) {
	if p.Mail == nil {
		return
	}
	p.Post(e, "/me/mail", command.OnNothing, p.changeAddress)
	p.Post(e, "/me/mail/kinds", command.OnNothing, p.changeKinds)
	p.Post(e, "/reset/mail", command.OnNothing, p.forgotten)
	p.Get(e, "/mail/confirm", p.confirmForm)
	p.Post(e, "/mail/confirm", command.OnNothing, p.confirm)
	p.Get(e, "/mail/off", p.offForm)
	p.Post(e, "/mail/off", command.OnNothing, p.turnOff)
}

// mailChoices are the address of an account, and the kinds of e-mail that its owner takes.
type mailChoices struct {
	Address, Pending string
	Kinds            []mailChoice
}

type mailChoice struct {
	Kind account.MailKind
	On   bool
}

// mailChoices returns the choices of an account; nil without a mail server.
func (p *Pages) mailChoices(ctx context.Context, accountID string) (*mailChoices, error) {
	if p.Mail == nil {
		return nil, nil
	}
	own, err := p.Mail.Store.Address(ctx, accountID)
	choices := &mailChoices{Address: own.Address, Pending: own.Pending}
	for _, k := range account.MailChoices() {
		choices.Kinds = append(choices.Kinds, mailChoice{Kind: k, On: !slices.Contains(own.Off, k)})
	}
	return choices, err
}

func (p *Pages) changeAddress(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	given, err := TypedAll(c, "email")
	if err != nil {
		return err
	}
	done := "mail_confirm"
	if given["email"] == "" {
		done = "saved"
	}
	in := command.MailAddress{Address: given["email"], Password: c.FormValue("current")}
	_, err = command.SetMailAddress.Run(c.Request().Context(), p.Commands, in)
	return p.meAfter(c, err, done, given)
}

func (p *Pages) changeKinds(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	if _, err := typed(c, "kinds"); err != nil {
		return err
	}
	on := c.Request().PostForm["kinds"]
	off := slices.DeleteFunc(account.MailChoices(), func(k account.MailKind) bool { return slices.Contains(on, string(k)) })
	_, err = command.SetMailOff.Run(c.Request().Context(), p.Commands, off)
	return p.meAfter(c, err, "saved", nil)
}

// forgotten sends a link for a new password. The answer is the same for accounts that do not exist.
func (p *Pages) forgotten(c echo.Context) error {
	given, err := typed(c, "who")
	if err != nil {
		return err
	}
	if given == "" || len(given) > maxTypedLogin {
		return kit.ErrUnreadable
	}
	if _, err := command.MailPasswordReset.Run(c.Request().Context(), p.Commands, given); err != nil {
		return p.resetRefused(c, &resetBody{Mail: true}, err)
	}
	return p.Back(c, "/reset", "mail_reset")
}

// maxTypedLogin is the maximum length of a typed login or address, bytes.
const maxTypedLogin = 254

// mailLinkBody holds the data of a page behind a link in an e-mail.
type mailLinkBody struct {
	command.MailLink
	Token string
	Done  bool
}

func (p *Pages) confirmForm(c echo.Context) (err error) {
	body := mailLinkBody{Token: c.QueryParam("token")}
	body.Login, body.Address, err = p.Mail.Confirmation(c.Request().Context(), body.Token)
	return p.showMailLink(c, "mail_confirm", body, err)
}

func (p *Pages) confirm(c echo.Context) (err error) {
	body := mailLinkBody{Token: c.FormValue("token"), Done: true}
	body.MailLink, err = command.ConfirmMail.Run(c.Request().Context(), p.Commands, body.Token)
	return p.showMailLink(c, "mail_confirm", body, err)
}

func (p *Pages) offForm(c echo.Context) (err error) {
	body := mailLinkBody{Token: c.QueryParam("token")}
	body.Login, body.Kind, err = p.Mail.Unsubscription(c.Request().Context(), body.Token)
	return p.showMailLink(c, "mail_off", body, err)
}

// turnOff is the target of the form and of mail programs that unsubscribe with a click (RFC 8058); these have no
// session.
func (p *Pages) turnOff(c echo.Context) (err error) {
	body := mailLinkBody{Token: c.FormValue("token"), Done: true}
	body.MailLink, err = command.Unsubscribe.Run(c.Request().Context(), p.Commands, body.Token)
	return p.showMailLink(c, "mail_off", body, err)
}

func (p *Pages) showMailLink(c echo.Context, page string, body mailLinkBody, err error) error {
	if problem.RefusalOf(err).Status == http.StatusNotFound {
		return kit.ErrMissing
	}
	if err != nil {
		return err
	}
	return p.Answer(c, http.StatusOK, page, kit.Frame{Secret: true, Body: body})
}
