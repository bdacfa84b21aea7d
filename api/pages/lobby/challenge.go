package lobby

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/problem"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// The choices on the page for challenges.
const (
	maxOpponents   = 4
	foundOpponents = 10
	lotFirst       = "lot"
	meFirst        = "me"
	themFirst      = "them"
)

// ChallengeControls are the time controls that the page offers, the quick ones first.
var ChallengeControls = []string{"180+2", "300+3", "600+5", "900+10", "1800", "3days", "none"}

// challengeBody holds the data of the page for challenges.
type challengeBody struct {
	Player  string // the visitor's, "" if the visitor cannot play
	With    []kit.Person
	Query   string // the search text
	Found   []kit.Person
	Chosen  challengeForm
	Wrong   template.HTML
	Fields  []challengeGroup
	Control []string
	Bots    []kit.Person // for the remaining seats, a bot of each level
	Key     string       // makes the game once, however often the form is sent
	Bot     *quickGame   // against the computer, nil for none
	Open    *quickGame   // for the first that comes, nil before the visitor has played
	Lobby   lobbyBody
}

// challengeForm holds the values of the form.
type challengeForm struct {
	Variant, Control, First string
	Seats                   int    // 0: a seat for each player
	Rest                    string // how the remaining seats are filled
	Rated                   bool
}

// Game is the value of the choice of a game and its seats.
func (f challengeForm) Game() string {
	if f.Seats == 0 {
		return f.Variant
	}
	return f.Variant + ":" + strconv.Itoa(f.Seats)
}

// Ways to fill the seats of a new game beyond those of the chosen players.
const (
	restOpen = "open" // first come, first served
	restLink = "link" // likewise, with the link only
	// A bot of some level is chosen by the id that it sits with, for example "bot-2".
)

// challengeGroup are the variants for a number of seats.
type challengeGroup struct {
	Seats    int
	Variants []string
}

// Others returns the ids of the challenged players, as the address carries them.
func (b challengeBody) Others() string { return joinIDs(b.With) }

// Adding returns Others with another player.
func (b challengeBody) Adding(id string) string { return strings.Trim(b.Others()+","+id, ",") }

// Without returns Others without a player.
func (b challengeBody) Without(id string) string {
	return joinIDs(slices.DeleteFunc(slices.Clone(b.With), func(p kit.Person) bool { return p.ID == id }))
}

// Fits groups the variants by number of seats, if they have a seat for each chosen player.
func (b challengeBody) Fits() []challengeGroup {
	return slices.DeleteFunc(slices.Clone(b.Fields), func(g challengeGroup) bool { return g.Seats < len(b.With)+1 })
}

func joinIDs(people []kit.Person) string {
	ids := make([]string, len(people))
	for i, who := range people {
		ids[i] = who.ID
	}
	return strings.Join(ids, ",")
}

func (p *Pages) challengePage(c echo.Context) error {
	return p.showChallenge(
		c, http.StatusOK, c.QueryParam("with"),
		challengeForm{Control: defaultControl, First: lotFirst, Rest: restOpen}, "", newFormKey(),
	)
}

// newFormKey returns a random key for a form.
func newFormKey() string {
	var key [12]byte
	_, _ = rand.Read(key[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(key[:])
}

func (p *Pages) showChallenge(
	c echo.Context, status int, with string, chosen challengeForm, wrong template.HTML, key string,
) (err error) {
	ctx, who := c.Request().Context(), auth.Session(c)
	b := challengeBody{Player: who.PlayerID, Chosen: chosen, Wrong: wrong, Control: ChallengeControls, Key: key}
	if who.Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next=/play")
	}
	b.Fields = p.challengeGroups()
	for level := 1; level <= table.MaxBotLevel; level++ {
		b.Bots = append(b.Bots, kit.People{}.Person(table.BotID(level)))
	}
	if b.With, err = p.challenged(ctx, who.PlayerID, with); err != nil {
		return err
	}
	if b.Query, err = wording.Line.Optional(c.QueryParam("name"), kit.LongestName); err != nil {
		return kit.ErrUnreadable
	}
	if b.Query != "" {
		if b.Found, err = p.findOpponents(ctx, b.Query, who.PlayerID, b.With); err != nil {
			return err
		}
	}
	if b.Bot, b.Open, err = p.quickGames(ctx, who.PlayerID, newFormKey()); err != nil {
		return err
	}
	if b.Lobby, err = p.lobby(ctx, who); err != nil {
		return err
	}
	return p.Answer(c, status, "challenge", kit.Frame{Section: "play", Body: b})
}

// challengeGroups lists the variants on offer by the number of their seats.
func (p *Pages) challengeGroups() (groups []challengeGroup) {
	bySeats := map[int][]string{}
	for _, id := range catalog.IDs() {
		rules, err := catalog.Find(id)
		if err != nil || !slices.Contains(p.Offered(message.Family(id)), id) {
			continue
		}
		for _, seats := range rules.Info().Seats {
			bySeats[seats] = append(bySeats[seats], id)
		}
	}
	for _, seats := range slices.Sorted(maps.Keys(bySeats)) {
		groups = append(groups, challengeGroup{seats, bySeats[seats]})
	}
	return groups
}

// challenged reads a list of players, without the visitor.
func (p *Pages) challenged(ctx context.Context, own, list string) (people []kit.Person, err error) {
	ids := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
	if len(ids) > maxOpponents {
		return nil, kit.ErrUnreadable
	}
	who, err := p.Look(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if id != own && !slices.Contains(ids[:i], id) {
			people = append(people, who.Person(id))
		}
	}
	return people, nil
}

// findOpponents looks for players with accounts by their names.
func (p *Pages) findOpponents(
	ctx context.Context, name, own string, with []kit.Person,
) (found []kit.Person, err error) {
	players, _, err := p.Players.ListPlayers(ctx, club.PlayerFilter{Name: name}, foundOpponents, "")
	for _, one := range players {
		known := slices.ContainsFunc(with, func(w kit.Person) bool { return w.ID == one.ID })
		if one.ID != own && one.AccountID != "" && !known {
			found = append(found, kit.Person{ID: one.ID, Name: one.Name})
		}
	}
	return found, err
}

// challenge creates a casual game of the visitor and the chosen players.
func (p *Pages) challenge(c echo.Context) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	form := challengeForm{
		Control: c.FormValue("time_control"), First: c.FormValue("first"),
		Rest: c.FormValue("rest"), Rated: c.FormValue("rated") != "",
	}
	var seats string
	form.Variant, seats, _ = strings.Cut(c.FormValue("variant"), ":")
	form.Seats, _ = strconv.Atoi(seats)
	with, key := c.FormValue("with"), c.FormValue("key")
	switch {
	case form.Seats < 0 || form.Seats > maxOpponents+1 || !kit.Readable(form.Rest) || !kit.Readable(form.Variant) ||
		!kit.Readable(form.Control) || !kit.Readable(with) || !kit.Readable(key):
		return kit.ErrUnreadable
	case who.Anonymous():
		return c.Redirect(http.StatusSeeOther, "/login?next=/play")
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil || who.PlayerID == "" {
		return echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	if !slices.Contains(p.Offered(message.Family(form.Variant)), form.Variant) {
		return kit.ErrUnreadable
	}
	others, err := p.challenged(ctx, who.PlayerID, with)
	if err != nil {
		return err
	}
	game, wrong, err := p.openChallenge(ctx, p.Reader(c), who, form, others, key)
	switch {
	case err != nil:
		return err
	case wrong != "":
		return p.showChallenge(c, http.StatusUnprocessableEntity, with, form, wrong, key)
	}
	return c.Redirect(http.StatusSeeOther, game)
}

// escaped returns a text as HTML.
func escaped(text string) template.HTML { return template.HTML(template.HTMLEscapeString(text)) }

// openChallenge opens the game, and returns the address of its page or an error message.
func (p *Pages) openChallenge(
	ctx context.Context, in *message.Printer, who auth.Identity, form challengeForm, others []kit.Person, key string,
) (page string, wrong template.HTML, err error) {
	seats := []string{who.PlayerID}
	for _, other := range others {
		seats = append(seats, other.ID)
	}
	if len(seats) > form.Seats && form.Seats > 0 {
		return "", escaped(kit.Say(in, "challenge.wrong.crowd", "Seats", form.Seats)), nil
	}
	if len(seats) == 1 && form.Seats == 0 {
		return "", escaped(kit.Say(in, "challenge.wrong.alone")), nil
	}
	open, bot := len(seats) < form.Seats, ""
	if open && table.BotLevel(form.Rest) > 0 {
		if form.Rated {
			return "", escaped(kit.Say(in, "challenge.wrong.rated_bot")), nil
		}
		open, bot = false, form.Rest
	}
	for len(seats) < form.Seats {
		seats = append(seats, bot)
	}
	seats = seated(seats, form.First, key)
	id := uuid.NewSHA1(uuid.NameSpaceOID, []byte("challenge\x00"+who.AccountID+"\x00"+key)).String()
	opened, err := command.OpenGame.Run(ctx, p.Commands, table.NewGame{
		ID: id, Variant: form.Variant, Players: seats,
		Controls: []string{form.Control}, Rated: form.Rated, Takebacks: !form.Rated, Open: open,
		Private: form.Rest == restLink && open,
	})
	if err != nil {
		wrong, err = challengeRefused(in, err)
		return "", wrong, err
	}
	if g := opened.Game; g.Open && g.Status == table.Waiting && g.Invited != 0 {
		return "/play/" + g.ID, "", nil
	}
	return "/games/" + opened.Game.ID, "", nil
}

// challengeRefused returns the message for a game that could not be opened, or err if the visitor did not cause it.
func challengeRefused(in *message.Printer, err error) (template.HTML, error) {
	if text := in.TextOr("", "challenge.wrong."+problem.RefusalOf(err).Name, "Limit", table.MaxBotGames); text != "" {
		return escaped(text), nil
	}
	status, said := problem.Reason(err)
	if status != http.StatusUnprocessableEntity {
		return "", err
	}
	return in.TellHTML(said), nil
}

// seated returns the players, and open seats, in the order of their seats: the first begins. Lots come from the form's
// key, so that the same form makes the same game.
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

// homeInvitations is the number of invitations on the first page.
const homeInvitations = 20

// InvitationLine is a game that waits for players to accept.
type InvitationLine struct {
	play.GameLine
	Rated   bool
	Asked   bool // waits for the visitor's answer
	Waiting []kit.Person
}

// Invitations lists the games with the visitor that wait for players, those first that wait for the visitor.
func (p *Pages) Invitations(ctx context.Context, player string) ([]InvitationLine, error) {
	if player == "" {
		return nil, nil
	}
	rows, _, err := p.GameList.List(ctx, table.Filter{Player: player, Invited: true}, homeInvitations, "")
	if err != nil {
		return nil, err
	}
	lines, err := p.play.GameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	list := make([]InvitationLine, len(rows))
	for i, row := range rows {
		who, err := p.Look(ctx, row.Players...)
		if err != nil {
			return nil, err
		}
		list[i] = InvitationLine{lines[i], row.Rated, row.Invites(player), play.Awaited(row, who)}
	}
	slices.SortStableFunc(list, func(a, b InvitationLine) int {
		switch {
		case a.Asked == b.Asked:
			return 0
		case a.Asked:
			return -1
		}
		return 1
	})
	return list, nil
}
