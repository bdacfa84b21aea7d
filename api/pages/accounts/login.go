package accounts

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
)

// mountLogin adds the pages for logging in and out.
func (p *Pages) mountLogin(e *echo.Echo) {
	p.Get(e, "/login", p.loginForm)
	p.Post(e, "/login", command.OnNothing, p.login)
	p.Post(e, "/logout", command.OnNothing, p.logout)
}

// loginBody holds the data of the login page.
type loginBody struct {
	Login   string // the text typed
	Next    string // where to go afterwards
	Wrong   bool
	TooMany bool
}

func (p *Pages) loginForm(c echo.Context) error {
	if empty, err := p.Accounts.Empty(c.Request().Context()); err != nil || empty { // no account exists yet
		return p.toSetup(c, err)
	}
	return p.Show(c, "login", "", loginBody{Next: local(c.QueryParam("next"))})
}

func (p *Pages) login(c echo.Context) error {
	ctx := c.Request().Context()
	body := loginBody{Login: c.FormValue("login"), Next: local(c.FormValue("next"))}
	if !kit.Readable(body.Login) {
		return kit.ErrUnreadable
	}
	from := p.Guard.OriginOf(c.Request(), c.RealIP())
	account, err := p.Guard.CheckLogin(ctx, body.Login, c.FormValue("password"), from)
	if err == nil { // fails if the password was changed concurrently
		err = p.Guard.SignIn(ctx, c.Response(), account, from)
	}
	if err != nil {
		refusal := problem.RefusalOf(err)
		body.TooMany, body.Wrong = refusal.Status == http.StatusTooManyRequests, refusal.Status == http.StatusUnauthorized
		if !body.TooMany && !body.Wrong {
			return err
		}
		problem.SetHeaders(c.Response().Header(), err, refusal.Status)
		return p.Answer(c, refusal.Status, "login", kit.Frame{Body: body})
	}
	if account.ResetAt != 0 {
		return p.Back(c, "/me", "") // which shows the notice about the password reset
	}
	return c.Redirect(http.StatusSeeOther, body.Next)
}

func (p *Pages) logout(c echo.Context) error {
	if err := p.Guard.SignOut(c.Request().Context(), c.Response(), auth.Session(c)); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/")
}

// local returns next if it is a path on this server, else "/": it prevents open redirects.
func local(next string) string {
	target, err := url.Parse(next)
	if err != nil || target.IsAbs() || target.Host != "" || !strings.HasPrefix(target.Path, "/") ||
		strings.HasPrefix(target.Path, "//") || strings.ContainsAny(next, "\\\x00\r\n") {
		return "/"
	}
	return target.RequestURI()
}

// toSetup redirects to the set-up unless err is set.
func (p *Pages) toSetup(c echo.Context, err error) error {
	if err != nil {
		return err
	}
	return p.Back(c, "/setup", "")
}

// resetBody holds the data of the page for setting a new password with a link.
type resetBody struct {
	Code  string
	Login string // of the account, "" where the link is not good
	Fault *Fault
	Mail  bool // a link can be sent
}

func (p *Pages) resetForm(c echo.Context) error {
	code := c.QueryParam("code")
	if code == "" {
		return p.Answer(c, http.StatusOK, "reset", kit.Frame{Secret: true, Body: &resetBody{Mail: p.Mail != nil}})
	}
	owner, err := p.Accounts.ResetOwner(c.Request().Context(), code, c.RealIP())
	if err != nil {
		return p.resetRefused(c, &resetBody{Mail: p.Mail != nil}, err)
	}
	return p.Answer(c, http.StatusOK, "reset", kit.Frame{Secret: true, Body: &resetBody{Code: code, Login: owner.Login}})
}

func (p *Pages) reset(c echo.Context) error {
	ctx := c.Request().Context()
	code, err := typed(c, "code")
	if err != nil {
		return err
	}
	password := c.FormValue("password")
	owner, err := p.Accounts.ResetPassword(ctx, code, password, c.RealIP())
	if err != nil {
		body := &resetBody{Mail: p.Mail != nil}
		if errors.Is(err, auth.ErrInvalidField) { // the code was good
			if known, e := p.Accounts.ResetOwner(ctx, code, c.RealIP()); e == nil {
				body.Code, body.Login = code, known.Login
			}
		}
		return p.resetRefused(c, body, err)
	}
	if err := p.Enter(c, owner.Login, password); err != nil {
		return err
	}
	return p.Back(c, "/me", "password_set")
}

func (p *Pages) resetRefused(c echo.Context, body *resetBody, err error) error {
	var status int
	if body.Fault, status, err = p.Fault(c, err); err != nil {
		return err
	}
	return p.Answer(c, status, "reset", kit.Frame{Secret: true, Body: body})
}
