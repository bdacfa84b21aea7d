package pages

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
	"quatuor/sentence"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// What the page for challenges offers.
const (
	maxOpponents   = 4
	foundOpponents = 10
	lotFirst       = "lot"
	meFirst        = "me"
	themFirst      = "them"
)

// challengeControls are the time controls that the page offers, quick ones first.
var challengeControls = []string{"180+2", "300+3", "600+5", "900+10", "1800", "3days"}

// challengeBody is what the page for challenges shows.
type challengeBody struct {
	Player  string // the visitor's, "" for one who cannot play
	With    []person
	Query   string // what was searched for
	Found   []person
	Chosen  challengeForm
	Wrong   sentence.Sentence
	Variant []challengeVariant
	Control []string
	Key     string // makes the game once, however often the form is sent
	Open    []invitationLine
}

// challengeForm is what was chosen.
type challengeForm struct {
	Variant, Control, First string
	Rated                   bool
}

// challengeVariant is a variant on offer, with the numbers of its seats.
type challengeVariant struct {
	ID    string
	Seats []int
}

// Others lists the ids of those who are challenged, as the address carries them.
func (b challengeBody) Others() string { return joinIDs(b.With) }

// Adding returns Others with one more.
func (b challengeBody) Adding(id string) string { return strings.Trim(b.Others()+","+id, ",") }

// Without returns Others without one.
func (b challengeBody) Without(id string) string {
	return joinIDs(slices.DeleteFunc(slices.Clone(b.With), func(p person) bool { return p.ID == id }))
}

// Fits lists the variants that are played by so many as are chosen.
func (b challengeBody) Fits() []challengeVariant {
	return slices.DeleteFunc(slices.Clone(b.Variant), func(v challengeVariant) bool { return !slices.Contains(v.Seats, len(b.With)+1) })
}

func joinIDs(people []person) string {
	ids := make([]string, len(people))
	for i, who := range people {
		ids[i] = who.ID
	}
	return strings.Join(ids, ",")
}

func (p *Pages) mountChallenges(e *echo.Echo) {
	e.Match([]string{http.MethodGet, http.MethodHead}, "/play", p.guard(p.challengePage))
	e.POST("/play", p.guard(p.challenge))
}

func (p *Pages) challengePage(c echo.Context) error {
	return p.showChallenge(c, http.StatusOK, c.QueryParam("with"), challengeForm{Control: "300+3", First: lotFirst}, sentence.Sentence{}, newFormKey())
}

// newFormKey returns a random key for a form.
func newFormKey() string {
	var key [12]byte
	_, _ = rand.Read(key[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(key[:])
}

func (p *Pages) showChallenge(c echo.Context, status int, with string, chosen challengeForm, wrong sentence.Sentence, key string) (err error) {
	ctx, who := c.Request().Context(), auth.Session(c)
	b := challengeBody{Player: who.PlayerID, Chosen: chosen, Wrong: wrong, Control: challengeControls, Key: key}
	if who.Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next=/play")
	}
	for _, id := range catalog.IDs() {
		rules, err := catalog.Find(id)
		if err == nil && slices.Contains(p.offered(family(id)), id) {
			b.Variant = append(b.Variant, challengeVariant{id, rules.Info().Seats})
		}
	}
	if b.With, err = p.challenged(ctx, who.PlayerID, with); err != nil {
		return err
	}
	if b.Query, err = wording.Line.Optional(c.QueryParam("name"), longestName); err != nil {
		return errUnreadable
	}
	if b.Query != "" {
		if b.Found, err = p.findOpponents(ctx, b.Query, who.PlayerID, b.With); err != nil {
			return err
		}
	}
	if b.Open, err = p.invitations(ctx, who.PlayerID); err != nil {
		return err
	}
	return p.answer(c, status, "challenge", frame{Section: "play", Body: b})
}

// challenged reads a list of players, without the visitor.
func (p *Pages) challenged(ctx context.Context, own, list string) (people []person, err error) {
	ids := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
	if len(ids) > maxOpponents {
		return nil, errUnreadable
	}
	who, err := p.look(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if id != own && !slices.Contains(ids[:i], id) {
			people = append(people, who.person(id))
		}
	}
	return people, nil
}

// findOpponents looks for players with accounts by their names.
func (p *Pages) findOpponents(ctx context.Context, name, own string, with []person) (found []person, err error) {
	players, _, err := p.Players.ListPlayers(ctx, club.PlayerFilter{Name: name}, foundOpponents, "")
	for _, one := range players {
		known := slices.ContainsFunc(with, func(w person) bool { return w.ID == one.ID })
		if one.ID != own && one.AccountID != "" && !known {
			found = append(found, person{ID: one.ID, Name: one.Name})
		}
	}
	return found, err
}

// challenge makes a casual game of the visitor and those who were chosen.
func (p *Pages) challenge(c echo.Context) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	form := challengeForm{
		Variant: c.FormValue("variant"), Control: c.FormValue("time_control"), First: c.FormValue("first"), Rated: c.FormValue("rated") != "",
	}
	with, key := c.FormValue("with"), c.FormValue("key")
	switch {
	case !readable(form.Variant) || !readable(form.Control) || !readable(with) || !readable(key):
		return errUnreadable
	case who.Anonymous():
		return c.Redirect(http.StatusSeeOther, "/login?next=/play")
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil || who.PlayerID == "" {
		return echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	if !slices.Contains(p.offered(family(form.Variant)), form.Variant) {
		return errUnreadable
	}
	others, err := p.challenged(ctx, who.PlayerID, with)
	if err != nil {
		return err
	}
	game, wrong, err := p.openChallenge(ctx, who, form, others, key)
	switch {
	case err != nil:
		return err
	case !wrong.IsZero():
		return p.showChallenge(c, http.StatusUnprocessableEntity, with, form, wrong, key)
	}
	return c.Redirect(http.StatusSeeOther, "/games/"+game)
}

// openChallenge opens the game, or says why it cannot be.
func (p *Pages) openChallenge(ctx context.Context, who auth.Identity, form challengeForm, others []person, key string) (game string, wrong sentence.Sentence, err error) {
	seats := []string{who.PlayerID}
	for _, other := range others {
		seats = append(seats, other.ID)
	}
	seats = seated(seats, form.First, key)
	invited, faults, err := access.Invited(ctx, p.Players, who, seats)
	switch {
	case err != nil:
		return "", sentence.Sentence{}, err
	case len(faults) > 0:
		return "", faults[0].Detail, nil
	}
	id := uuid.NewSHA1(uuid.NameSpaceOID, []byte("challenge\x00"+who.AccountID+"\x00"+key)).String()
	games, err := p.Games.Open(ctx, table.NewGame{
		ID: id, Variant: form.Variant, Seats: len(seats), Players: seats, Controls: []string{form.Control}, Rated: form.Rated,
		CreatedBy: who.AccountID, Start: true, Invited: invited, Takebacks: !form.Rated,
	})
	if errors.Is(err, table.ErrSetup) || errors.Is(err, table.ErrInvitations) {
		_, said, fields := refusalOf(err)
		if len(fields) > 0 {
			said = fields[0].Said
		}
		return "", said, nil
	}
	if err != nil {
		return "", sentence.Sentence{}, err
	}
	return games[0].Game.ID, sentence.Sentence{}, nil
}

// seated returns the players in the order of their seats: the first begins. Lots come from the form's key, so that the same
// form makes the same game.
func seated(players []string, first, key string) []string {
	seats := slices.Clone(players)
	turn := 0
	switch first {
	case themFirst:
		turn = 1
	case lotFirst:
		sum := uuid.NewSHA1(uuid.NameSpaceOID, []byte(key))
		turn = int(sum[0]) % len(seats)
	}
	return append(seats[turn:], seats[:turn]...)
}
