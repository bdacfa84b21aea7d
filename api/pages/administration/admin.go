package administration

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// adminBody holds the data of the page of administration.
type adminBody struct {
	Admin       bool
	BackupsLate bool
	ClockApart  bool   // games go by a time that is wrong
	Me          string // the visitor's account
	State       State
	Age         int // of the last backup, in days
	Fault       *accounts.Fault
	Query       string
	Accounts    []accountRow
	Next        string
	Roles       []account.Role
	Invitations []account.Credential
	PlayerQuery string
	Unclaimed   []club.Player
	Typed       map[string]string
	Mail        *account.MailState // to admins; nil without a mail server
}

// unclaimedLength is the number of players without an account on the page; more are found by name.
const unclaimedLength = 80

// accountsLength is the number of accounts on a page: two screens of a desk.
const accountsLength = 80

// accountRow is an account in the list.
type accountRow struct {
	account.Account
	Player  kit.Person
	MayMend bool // the visitor may have its password reset
}

// staff returns the visitor's identity if they are an organiser or an admin; otherwise it answers and ok is false.
func (p *Pages) staff(c echo.Context) (who auth.Identity, ok bool, err error) {
	return p.allowed(c, auth.ListAccounts)
}

// allowed returns the visitor's identity if they may do something; otherwise it answers and ok is false.
func (p *Pages) allowed(c echo.Context, action auth.Action) (who auth.Identity, ok bool, err error) {
	if who, ok, err = p.Session(c); !ok {
		return who, false, err
	}
	if !who.Can(who.Level(), action) {
		return who, false, p.Error(c, http.StatusForbidden)
	}
	return who, true, nil
}

func (p *Pages) admin(c echo.Context) error {
	_, ok, err := p.staff(c)
	if !ok {
		return err
	}
	body, err := p.adminBody(c)
	if err != nil {
		return err
	}
	return p.Show(c, "admin", "", body)
}

func (p *Pages) adminBody(c echo.Context) (*adminBody, error) {
	ctx, who := c.Request().Context(), auth.Session(c)
	admin := who.Can(who.Level(), auth.ManageAccounts)
	body := &adminBody{
		Admin: admin, BackupsLate: p.Commands.BackupsLate(ctx), ClockApart: p.Commands.ClockApart(ctx), Me: who.AccountID, Query: c.QueryParam("q"), PlayerQuery: c.QueryParam("player"),
		Roles: []account.Role{account.RolePlayer, account.RoleOrganiser, account.RoleAdmin},
		Typed: map[string]string{"uses": "1", "days": "14", "role": string(account.RolePlayer)},
	}
	if admin {
		body.State = p.Installation.State(ctx)
		body.Age = max(0, int(p.Now().Sub(time.UnixMilli(body.State.Backup)).Hours()/24))
	}
	if err := p.listAccounts(c, body, who); err != nil {
		return nil, err
	}
	if admin && p.accounts.Mail != nil {
		state, err := p.accounts.Mail.State(ctx)
		if err != nil {
			return nil, err
		}
		body.Mail = &state
	}
	var err error
	if body.Invitations, err = p.guard.Invitations(ctx, who); err != nil {
		return nil, err
	}
	filter := club.PlayerFilter{Name: body.PlayerQuery, Unclaimed: true}
	body.Unclaimed, _, err = p.Players.ListPlayers(ctx, filter, unclaimedLength, "")
	return body, err
}

// listAccounts adds the accounts that were searched for: to organisers those of players.
func (p *Pages) listAccounts(c echo.Context, body *adminBody, who auth.Identity) error {
	ctx := c.Request().Context()
	filter := account.Filter{Text: body.Query}
	if !body.Admin {
		filter.Role = account.RolePlayer
	}
	list, next, err := p.AccountList.ListAccounts(ctx, filter, accountsLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Next = next
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = a.PlayerID
	}
	known, err := p.Look(ctx, ids...)
	if err != nil {
		return err
	}
	for _, a := range list {
		line := accountRow{Account: a}
		if line.MayMend, err = p.guard.MayReset(ctx, who, a); err != nil {
			return err
		}
		if a.PlayerID != "" {
			line.Player = known.Person(a.PlayerID)
		}
		body.Accounts = append(body.Accounts, line)
	}
	return nil
}

// adminAfter answers a form of the page: it leads back, or shows the page again with the fault.
func (p *Pages) adminAfter(c echo.Context, err error, done string, given map[string]string) error {
	if err == nil {
		return p.Back(c, "/admin", done)
	}
	what, status, err := p.accounts.Fault(c, err)
	if err != nil {
		return err
	}
	body, err := p.adminBody(c)
	if err != nil {
		return err
	}
	for name, text := range given {
		body.Typed[name] = text
	}
	body.Fault = what
	return p.Answer(c, status, "admin", kit.Frame{Body: body})
}

// changeAccount sets an account's role, disables or enables it. The form carries the state that it has shown, as an
// optimistic lock.
func (p *Pages) changeAccount(c echo.Context) error {
	_, ok, err := p.staff(c)
	if !ok {
		return err
	}
	given, err := accounts.TypedAll(c, "role", "disabled", "was")
	if err != nil {
		return err
	}
	change := command.AccountChange{ID: c.Param("id"), If: func(present account.Account) error {
		if given["was"] != stateOf(present) {
			return account.ErrStale
		}
		return nil
	}}
	switch role := account.Role(given["role"]); role {
	case account.RolePlayer, account.RoleOrganiser, account.RoleAdmin:
		change.Role = &role
	case "":
	default:
		return kit.ErrUnreadable
	}
	if given["disabled"] != "" {
		disabled := given["disabled"] == "true"
		change.Disabled = &disabled
	}
	_, err = command.ManageAccount.Run(c.Request().Context(), p.Commands, change)
	return p.adminAfter(c, err, "account_changed", nil)
}

// stateOf returns the state of an account that its form guards against concurrent changes.
func stateOf(a account.Account) string {
	return string(a.Role) + " " + strconv.FormatInt(a.DisabledAt, 10)
}

// State returns the guarded state for the account's form.
func (l accountRow) State() string { return stateOf(l.Account) }

// handoutBody is a link or code for a person, shown once.
type handoutBody struct {
	Kind string // of its title among the texts
	Name string
	Link *kit.Link
	Code string // to type instead, "" for none
}

func (p *Pages) makeReset(c echo.Context) error {
	_, ok, err := p.staff(c)
	if !ok {
		return err
	}
	ctx := c.Request().Context()
	code, err := command.OfferReset.Run(ctx, p.Commands, c.Param("id"))
	if err != nil {
		return p.adminAfter(c, err, "", nil)
	}
	owner, err := p.Players.Account(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	return p.handOut(c, handoutBody{Kind: "reset_made", Name: owner.Login}, "/reset", "code", code.Text, code.Expires)
}

func (p *Pages) handOut(c echo.Context, body handoutBody, path, name, value string, until time.Time) (err error) {
	if body.Link, err = p.Link(c, path, name, value, until); err != nil {
		return err
	}
	return p.Answer(c, http.StatusCreated, "handout", kit.Frame{Secret: true, Body: body})
}

// maxInvitationDays is the maximum validity of an invitation, as in the API.
const maxInvitationDays = 90

func (p *Pages) makeInvitation(c echo.Context) error {
	_, ok, err := p.staff(c)
	if !ok {
		return err
	}
	given, err := accounts.TypedAll(c, "uses", "days", "role")
	if err != nil {
		return err
	}
	uses, err1 := strconv.Atoi(given["uses"])
	days, err2 := strconv.Atoi(given["days"])
	if err1 != nil || err2 != nil || uses < 1 || uses > auth.MaxUses || days < 1 || days > maxInvitationDays {
		return p.adminAfter(c, accounts.InvalidInput("uses", "number"), "", given)
	}
	wanted := auth.NewInvitation{Life: time.Duration(days) * 24 * time.Hour, Uses: uses}
	switch role := account.Role(given["role"]); role {
	case account.RolePlayer, account.RoleOrganiser, "":
		wanted.Role = role
	default:
		return p.adminAfter(c, auth.ErrRole, "", given)
	}
	code, err := command.Invite.Run(c.Request().Context(), p.Commands, wanted)
	if err != nil {
		return p.adminAfter(c, err, "", given)
	}
	return p.handOut(c, handoutBody{Kind: "invitation_made"}, "/register", "invitation", code.Text, code.Expires)
}

func (p *Pages) endInvitation(c echo.Context) error {
	_, ok, err := p.staff(c)
	if !ok {
		return err
	}
	if _, err := command.EndInvitation.Run(c.Request().Context(), p.Commands, c.Param("id")); err != nil {
		return err
	}
	return p.Back(c, "/admin", "invitation_ended")
}

// makeClaim makes a code that lets a player in the list open an account; earlier codes of the player end.
func (p *Pages) makeClaim(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	offer, err := command.OfferClaim.Run(c.Request().Context(), p.Commands, c.Param("id"))
	if err != nil {
		return p.adminAfter(c, err, "", nil)
	}
	body := handoutBody{Kind: "claim_made", Name: offer.Name, Code: offer.Code}
	return p.handOut(c, body, "/register", "claim", offer.Code, time.Time{})
}

func (p *Pages) startCheck(c echo.Context) error {
	who, ok, err := p.staff(c)
	if !ok {
		return err
	}
	if err := who.Demand(who.Level(), auth.ManageAccounts); err != nil {
		return p.adminAfter(c, err, "", nil)
	}
	p.Installation.StartCheck()
	return p.Back(c, "/admin", "check_begun")
}

// posterBody holds the data of the poster for the hall.
type posterBody struct {
	Link  *kit.Link
	Local bool // no other machine reaches the address
	Site  string
}

// poster shows admins the service's address with its QR code.
func (p *Pages) poster(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ChangeSettings); !ok {
		return err
	}
	address, err := p.Link(c, "/", "", "", time.Time{})
	if err != nil {
		return err
	}
	local := strings.Contains(address.Address, "//127.") || strings.Contains(address.Address, "//localhost") ||
		strings.Contains(address.Address, "//[::1]")
	return p.Show(c, "poster", "", posterBody{Link: address, Local: local, Site: p.Club(c.Request().Context()).Name})
}
