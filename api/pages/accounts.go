package pages

import (
	"context"
	"html/template"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/qrcode"
	"quatuor/api/problem"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/wording"
)

// AccountList is the lists that the pages of accounts show, and what they change.
type AccountList interface {
	ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) ([]account.Account, string, error)
	AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) ([]adminlog.Entry, string, error)
}

// mountAccounts adds the pages of accounts.
func (p *Pages) mountAccounts(e *echo.Echo) {
	if p.Accounts == nil {
		return
	}
	get := func(path string, handler echo.HandlerFunc) { p.get(e, path, handler) }
	post := func(path string, handler echo.HandlerFunc) { p.post(e, path, command.OnNothing, handler) }
	get("/setup", p.setupForm)
	post("/setup", p.setUp)
	get("/register", p.registerForm)
	post("/register", p.register)
	get("/me", p.me)
	post("/me/player", p.changePlayer)
	post("/me/unblock", p.unblock)
	post("/me/claim", p.claim)
	post("/me/language", p.changeLanguage)
	post("/me/password", p.changePassword)
	post("/me/reset-seen", p.resetSeen)
	post("/me/sessions/end", p.endSessions)
	post("/me/sessions/:id/end", p.endSession)
	post("/me/tokens", p.makeToken)
	post("/me/tokens/:id/delete", p.deleteToken)
	get("/admin", p.admin)
	get("/admin/address", p.poster)
	get("/admin/log", p.adminLog)
	get("/admin/settings", p.settingsForm)
	post("/admin/settings", p.saveSettings)
	post("/admin/accounts/:id", p.changeAccount)
	post("/admin/accounts/:id/reset", p.makeReset)
	post("/admin/invitations", p.makeInvitation)
	post("/admin/invitations/:id/end", p.endInvitation)
	post("/admin/players/:id/claim", p.makeClaim)
	post("/admin/check", p.startCheck)
	get("/admin/merge", p.mergeForm)
	post("/admin/merge", p.merge)
	p.mountRatings(e)
	get("/reset", p.resetForm)
	post("/reset", p.reset)
}

// fault is what a form says that was not carried out.
type fault struct {
	Field string // the name of the input it is about, "" for the whole form
	Text  string
}

// fault returns what to say of an error of a form, and the status of the answer; nil for errors that are not the
// sender's.
func (p *Pages) fault(c echo.Context, err error) (*fault, int, error) {
	refusal := problem.RefusalOf(err)
	text := p.reader(c).TextOr("", "accounts.fault."+refusal.Name)
	if text == "" {
		return nil, 0, err
	}
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	return &fault{refusal.Input, text}, refusal.Status, nil
}

// errBlankName refuses a name that cannot be shown.
var errBlankName = invalidInput("name", "person")

// What the pages of accounts refuse by themselves.
var (
	errAtOnce = invalidInput("at_once", "at_once")
	errToken  = invalidInput("token", "token")
	errNumber = invalidInput("uses", "number")
)

// invalidInput refuses what was typed into an input; reason names the text that says why.
func invalidInput(input, reason string) error {
	return &auth.InvalidField{Field: input, Reason: reason, Detail: reason}
}

// maxPersonName is how many characters a person's name, or a club's, has at most, as in the API.
const maxPersonName = 100

// cleanName returns a name in the form in which it is stored.
func cleanName(text string) (string, error) {
	name, err := wording.Line.Clean(text, maxPersonName)
	if err != nil {
		return "", errBlankName
	}
	return name, nil
}

// link is an address to hand on, with its QR code.
type link struct {
	Address string
	QR      template.HTML
	Until   int64 // when it ends, ms UTC; 0 for never
}

// link returns an address of this service with one parameter in its query, "" for none.
func (p *Pages) link(c echo.Context, path, name, value string, until time.Time) (*link, error) {
	l := &link{Address: p.address(c) + path}
	if name != "" {
		l.Address += "?" + url.Values{name: {value}}.Encode()
	}
	if !until.IsZero() {
		l.Until = until.UnixMilli()
	}
	title, err := p.reader(c).Text("accounts.qr")
	if err != nil {
		return nil, err
	}
	l.QR, err = qrcode.SVG(l.Address, title)
	return l, err
}

// typed returns what was typed into an input, refused where it is no word.
func typed(c echo.Context, name string) (string, error) {
	text := c.FormValue(name)
	if !readable(text) {
		return "", errUnreadable
	}
	return strings.TrimSpace(text), nil
}

// typedAll is typed for several inputs.
func typedAll(c echo.Context, names ...string) (map[string]string, error) {
	all := make(map[string]string, len(names))
	for _, name := range names {
		text, err := typed(c, name)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
}

// enter logs the browser in as the owner of a new account, or of one whose password was set.
func (p *Pages) enter(c echo.Context, login, password string) error {
	ctx := c.Request().Context()
	from := p.Accounts.OriginOf(c.Request(), c.RealIP())
	owner, err := p.Accounts.CheckLogin(ctx, login, password, from)
	if err != nil {
		return err
	}
	return p.Accounts.SignIn(ctx, c.Response(), owner, from)
}
