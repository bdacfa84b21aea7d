package accounts

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/settings"
	"quatuor/engine/table"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// meBody holds the owner's view of an account.
type meBody struct {
	Who       auth.Identity
	Player    *club.Player // nil for an account without a player
	Blocked   []kit.Person // players that the player takes no challenges from
	Typed     map[string]string
	Fault     *Fault
	Claim     string // a code that came with the address
	Languages []Language
	Sessions  []auth.OpenSession
	Tokens    []account.Credential
	Secret    string // of a token that was just made
	Scopes    []auth.Scope
	ResetBy   string // the admin that had the password reset, and when: until it was seen
	ResetAt   int64
	Staff     bool // the page of administration is for them
	Mail      *mailChoices
}

func (p *Pages) me(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	body, err := p.meBody(c, nil)
	if err != nil {
		return err
	}
	body.Claim = c.QueryParam("claim")
	return p.Show(c, "me", "", body)
}

// meBody collects the data of the page; given are the texts of a form that was refused.
func (p *Pages) meBody(c echo.Context, given map[string]string) (*meBody, error) {
	ctx, who := c.Request().Context(), auth.Session(c)
	body := &meBody{
		Who: who, Typed: map[string]string{}, Languages: OfferedLanguages(), Scopes: who.Scopes, Staff: who.Level() >= auth.Organiser,
	}
	if who.PlayerID != "" {
		player, err := p.Players.Player(ctx, who.PlayerID)
		if err != nil {
			return nil, err
		}
		body.Player = &player
		if body.Blocked, err = p.blocked(ctx, who.PlayerID); err != nil {
			return nil, err
		}
		body.Typed["name"], body.Typed["club"] = player.Name, player.Club
		body.Typed["at_once"] = strconv.Itoa(max(player.ChallengesAtOnce, 1))
		body.Typed["version"] = strconv.FormatInt(player.Version, 10)
	}
	for name, text := range given {
		body.Typed[name] = text
	}
	own, err := p.Players.Account(ctx, who.AccountID)
	if err != nil {
		return nil, err
	}
	body.ResetBy, body.ResetAt = own.ResetBy, own.ResetAt
	if body.Mail, err = p.mailChoices(ctx, who.AccountID); err != nil {
		return nil, err
	}
	if body.Sessions, err = p.Accounts.Sessions(ctx, who); err != nil {
		return nil, err
	}
	body.Tokens, err = p.Accounts.APITokens(ctx, who.AccountID)
	return body, err
}

// meAfter answers a form of the page: it leads back, or shows the page again with the fault.
func (p *Pages) meAfter(c echo.Context, err error, done string, given map[string]string) error {
	if err == nil {
		return p.Back(c, "/me", done)
	}
	what, status, err := p.Fault(c, err)
	if err != nil {
		return err
	}
	body, err := p.meBody(c, given)
	if err != nil {
		return err
	}
	body.Fault = what
	return p.Answer(c, status, "me", kit.Frame{Body: body})
}

func (p *Pages) changePlayer(c echo.Context) error {
	who, ok, err := p.Session(c)
	if !ok {
		return err
	}
	given, err := TypedAll(c, "name", "club", "version", "challenges", "at_once")
	if err != nil {
		return err
	}
	if who.PlayerID == "" {
		return kit.ErrMissing
	}
	return p.meAfter(c, p.storePlayer(c, who, given), "saved", given)
}

func (p *Pages) storePlayer(c echo.Context, who auth.Identity, given map[string]string) error {
	seen := `"v` + given["version"] + `"`
	on := command.On{ID: who.PlayerID, Seen: &seen}
	_, err := command.Players.Update(c.Request().Context(), p.Commands, on, func(player *club.Player) error {
		return typedPlayer(player, given)
	})
	return err
}

// typedPlayer puts the form's texts into the particulars of a player.
func typedPlayer(player *club.Player, given map[string]string) (err error) {
	if player.Name, err = CleanName(given["name"]); err != nil {
		return err
	}
	if player.Club, err = wording.Line.Optional(given["club"], maxPersonName); err != nil {
		return errBlankName
	}
	player.OpenToChallenges, player.ClosedToChallenges = given["challenges"] == "yes", given["challenges"] == "none"
	if given["at_once"] != "" {
		if player.ChallengesAtOnce, err = strconv.Atoi(given["at_once"]); err != nil ||
			player.ChallengesAtOnce < 1 || player.ChallengesAtOnce > table.MaxChallengesAtOnce {
			return errAtOnce
		}
	}
	return nil
}

// blocked lists the players that a player takes no challenges from.
func (p *Pages) blocked(ctx context.Context, player string) ([]kit.Person, error) {
	blocks, err := p.Players.Blocks(ctx, player)
	if err != nil || len(blocks) == 0 {
		return nil, err
	}
	ids := make([]string, len(blocks))
	for i, b := range blocks {
		ids[i] = b.Blocked
	}
	names, err := p.Look(ctx, ids...)
	list := make([]kit.Person, len(ids))
	for i, id := range ids {
		list[i] = names.Person(id)
	}
	return list, err
}

// unblock takes challenges from a player again.
func (p *Pages) unblock(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	other, err := typed(c, "player")
	if err != nil {
		return err
	}
	_, err = command.Unblock.Run(c.Request().Context(), p.Commands, other)
	return p.meAfter(c, err, "saved", nil)
}

func (p *Pages) claim(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	given, err := TypedAll(c, "claim")
	if err != nil {
		return err
	}
	_, err = command.ClaimPlayer.Run(c.Request().Context(), p.Commands, command.PlayerCode{Code: given["claim"]})
	return p.meAfter(c, err, "claimed", given)
}

func (p *Pages) changeLanguage(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	chosen := c.FormValue("language")
	if err = settings.CheckLanguage(chosen); err == nil {
		_, err = command.SetLanguage.Run(c.Request().Context(), p.Commands, chosen)
	}
	return p.meAfter(c, err, "saved", nil)
}

func (p *Pages) changePassword(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	_, err = command.ChangePassword.Run(c.Request().Context(), p.Commands, auth.NewPassword{
		Present: c.FormValue("current"), Next: c.FormValue("password"), EndTokens: c.FormValue("end_tokens") != "",
	})
	return p.meAfter(c, err, "password_set", nil)
}

// resetSeen dismisses the notice about a password reset.
func (p *Pages) resetSeen(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	_, err = command.ResetSeen.Run(c.Request().Context(), p.Commands, command.None{})
	return p.meAfter(c, err, "", nil)
}

func (p *Pages) endSession(c echo.Context) error {
	who, ok, err := p.Session(c)
	if !ok {
		return err
	}
	if _, err := command.EndSession.Run(c.Request().Context(), p.Commands, c.Param("id")); err != nil {
		return err
	}
	if c.Param("id") == who.Session {
		return p.Back(c, "/", "")
	}
	return p.Back(c, "/me", "session_ended")
}

func (p *Pages) endSessions(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	if _, err := command.EndSessions.Run(c.Request().Context(), p.Commands, command.None{}); err != nil {
		return err
	}
	return p.Back(c, "/login", "")
}

func (p *Pages) makeToken(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	given, err := TypedAll(c, "token", "expires")
	if err != nil {
		return err
	}
	secret, err := p.newToken(c, given)
	if err != nil {
		return p.meAfter(c, err, "", given)
	}
	body, err := p.meBody(c, nil)
	if err != nil {
		return err
	}
	body.Secret = secret
	return p.showOnce(c, "me", body)
}

func (p *Pages) newToken(c echo.Context, given map[string]string) (string, error) {
	name, err := CleanName(given["token"])
	if err != nil {
		return "", errToken
	}
	var scopes []auth.Scope
	for _, scope := range c.Request().PostForm["scopes"] {
		scopes = append(scopes, auth.Scope(scope))
	}
	if len(scopes) == 0 {
		return "", errToken
	}
	var expires time.Time
	if given["expires"] != "" {
		day, err := time.ParseInLocation(time.DateOnly, given["expires"], p.Zone())
		if err != nil {
			return "", auth.ErrExpiry
		}
		expires = day.AddDate(0, 0, 1) // its last day is meant whole
	}
	made, err := command.CreateToken.Run(c.Request().Context(), p.Commands, auth.NewToken{
		Name: name, Scopes: scopes, Expires: expires,
	})
	return made.Secret, err
}

func (p *Pages) deleteToken(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	if _, err := command.DeleteToken.Run(c.Request().Context(), p.Commands, c.Param("id")); err != nil {
		return err
	}
	return p.Back(c, "/me", "token_deleted")
}

// showOnce answers with a page that contains a secret and must not be cached.
func (p *Pages) showOnce(c echo.Context, page string, body any) error {
	return p.Answer(c, http.StatusCreated, page, kit.Frame{Secret: true, Body: body})
}

// deleteMe deletes the visitor's account and player, with the password.
func (p *Pages) deleteMe(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	_, err := command.DeleteMe.Run(c.Request().Context(), p.Commands, c.FormValue("confirm"))
	if err != nil {
		return p.meAfter(c, err, "", nil)
	}
	return p.Back(c, "/", "account_deleted")
}
