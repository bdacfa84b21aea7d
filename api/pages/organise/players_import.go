package organise

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
	"quatuor/api/internal/sheet"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// mountPlayers adds the form that takes the club's players from a list.
func (p *Pages) mountPlayers(e *echo.Echo) {
	p.Get(e, "/players/import", p.showPlayersImport)
	p.Post(e, "/players/import", command.OnNothing, p.importPlayers)
}

// Limits of a list of players.
const (
	maxAsked     = 200 // lines with a choice of players; the others take the first match
	clubPage     = 1000
	maxListed    = 20  // new players that are listed by name
	maxCompleted = 500 // each is a change of its own
)

// playersImport holds the data of the page: first an empty form, then the list with its consequences.
type playersImport struct {
	Key     string          // of the form, so that it makes the players once however often it is sent
	List    *forms.ListForm // nil at first
	Text    string          // of the list
	Alert   *forms.Alert
	Fresh   []club.Player // to be made
	Known   []knownLine
	Refused forms.RefusedLines

	Make     bool // players that the club does not know are made
	Complete bool // years of birth and clubs that are missing are filled in
}

// knownLine is a line with a player that the club has already, by id or by name.
type knownLine struct {
	roster.Line
	Matches []club.Player
	Same    string // id of the match that was chosen, "" for a new player
}

// Field is the name of the line's field.
func (l knownLine) Field() string { return "same-" + strconv.Itoa(l.Number) }

// Listed returns the first new players.
func (b *playersImport) Listed() []club.Player { return b.Fresh[:min(len(b.Fresh), maxListed)] }

// Unlisted returns how many new players are not listed.
func (b *playersImport) Unlisted() int { return len(b.Fresh) - len(b.Listed()) }

// Asked returns the lines with a choice.
func (b *playersImport) Asked() []knownLine { return b.Known[:min(len(b.Known), maxAsked)] }

// Unasked returns how many lines take the first match.
func (b *playersImport) Unasked() int { return len(b.Known) - len(b.Asked()) }

// Completed returns the known players with the list's additions to them.
func (b *playersImport) Completed() (list []club.Player) {
	for _, line := range b.Known {
		for _, player := range line.Matches {
			year, club := cmp.Or(player.BirthYear, line.Player.BirthYear), cmp.Or(player.Club, line.Player.Club)
			if b.Complete && player.ID == line.Same && (year != player.BirthYear || club != player.Club) {
				player.BirthYear, player.Club = year, club
				list = append(list, player)
			}
			if len(list) == maxCompleted {
				return list
			}
		}
	}
	return list
}

// Nothing reports whether the form would change nothing.
func (b *playersImport) Nothing() bool { return len(b.Fresh) == 0 && len(b.Completed()) == 0 }

// mayImport returns a visitor with the right to enter players; otherwise it answers and ok is false.
func (p *Pages) mayImport(c echo.Context) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if who.Anonymous() {
		return who, false, c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape("/players/import"))
	}
	if err := who.Demand(who.Level(), auth.CreatePlayers); err != nil {
		return who, false, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return who, true, nil
}

func (p *Pages) showPlayersImport(c echo.Context) error {
	if _, ok, err := p.mayImport(c); !ok {
		return err
	}
	return p.answerPlayers(c, http.StatusOK, &playersImport{Key: uuid.NewString()})
}

func (p *Pages) answerPlayers(c echo.Context, status int, b *playersImport) error {
	return p.Answer(c, status, "players-import", kit.Frame{Section: "players", Body: b})
}

// importPlayers shows a preview of a list, or carries it out.
func (p *Pages) importPlayers(c echo.Context) error {
	who, ok, err := p.mayImport(c)
	if !ok {
		return err
	}
	key, err := uuid.Parse(c.FormValue("key"))
	if err != nil {
		return kit.ErrUnreadable
	}
	b := &playersImport{Key: key.String()}
	if err = p.readPlayers(c, b); err == nil {
		if c.FormValue("do") != "make" {
			return p.answerPlayers(c, http.StatusOK, b)
		}
		err = p.makePlayers(c.Request().Context(), who, b)
	}
	if err == nil {
		return p.Back(c, "/players", "players_imported")
	}
	if b.Alert, err = p.alertOf(c, err); err != nil {
		return err
	}
	if b.List == nil {
		b.Text = c.FormValue("list")
	}
	return p.answerPlayers(c, http.StatusUnprocessableEntity, b)
}

// readPlayers reads the list of the form, and finds its players in the club.
func (p *Pages) readPlayers(c echo.Context, b *playersImport) (err error) {
	if b.List, err = forms.ReadList(c, "list", false); err != nil {
		return err
	}
	if b.List == nil {
		return tournament.Fault("list", "paste a list, or choose a file")
	}
	b.List.Lists = p.ratingLists()
	if b.List.Ratings = c.FormValue("ratings"); !slices.Contains(b.List.Lists, b.List.Ratings) {
		b.List.Ratings = ""
	}
	b.Make, b.Complete = !b.List.Federal, true
	if form := c.Request().Form; form.Has("sent") {
		b.Make, b.Complete = form.Has("make"), form.Has("complete")
	}
	if (!b.List.Federal || b.Make) && len(b.List.Data()) > roster.MaxPlayers { // it is not sent back
		b.List = nil
		return tournament.Fault("list", "at most %d players can be entered at once", roster.MaxPlayers)
	}
	lines, err := b.List.Lines(b.List.Ratings)
	if err != nil {
		b.Text, _ = b.List.Text()
		return forms.ListFaults("list", err)
	}
	if err = p.matchPlayers(c, b, lines); err != nil {
		return err
	}
	if len(b.List.Rows) > roster.MaxPlayers && !b.Make { // a federation's list is not sent back and forth for a few players
		known := map[int]bool{b.List.Rows[0].Line: b.List.Head}
		for _, line := range b.Known {
			known[line.Number] = true
		}
		b.List.Rows = slices.DeleteFunc(b.List.Rows, func(row sheet.Row) bool { return !known[row.Line] })
		b.Refused = nil
	}
	b.Text, err = b.List.Text()
	return err
}

// ratingLists returns the ids of the lists that there can be for the games of this installation.
func (p *Pages) ratingLists() (ids []string) {
	for _, game := range catalog.Games() {
		if len(p.Offered(game)) == 0 {
			continue
		}
		for _, class := range []string{clock.Bullet, clock.Blitz, clock.Rapid, clock.Classical, clock.Correspondence, clock.Untimed} {
			ids = append(ids, ledger.ListID(game, class))
		}
	}
	return ids
}

// matchPlayers sorts lines into those with a fault, those with players of the club, and new players.
func (p *Pages) matchPlayers(c echo.Context, b *playersImport, lines []roster.Line) error {
	byID, byName, err := p.clubPlayers(c.Request().Context())
	if err != nil {
		return err
	}
	for _, line := range lines {
		if len(line.Faults) > 0 {
			b.Refused = append(b.Refused, line.Faults...)
			continue
		}
		known := knownLine{Line: line, Matches: matchesOf(line.Player, byID, byName)}
		if len(known.Matches) > 0 && !differs(known.Matches[0], line.Player) {
			known.Same = known.Matches[0].ID
		}
		if form := c.Request().Form; form.Has(known.Field()) {
			known.Same = form.Get(known.Field())
		}
		if len(known.Matches) > 0 {
			b.Known = append(b.Known, known)
		}
		if known.Same == "" && b.Make {
			line.Player.ID = ""
			b.Fresh = append(b.Fresh, line.Player)
		}
	}
	return nil
}

// clubPlayers returns all players of the club, by id and by the key of their names.
func (p *Pages) clubPlayers(ctx context.Context) (byID map[string]club.Player, byName map[string][]club.Player, err error) {
	byID, byName = map[string]club.Player{}, map[string][]club.Player{}
	for cursor := ""; ; {
		list, next, err := p.Players.ListPlayers(ctx, club.PlayerFilter{}, clubPage, cursor)
		if err != nil {
			return nil, nil, err
		}
		for _, player := range list {
			byID[player.ID] = player
			byName[roster.Key(player.Name)] = append(byName[roster.Key(player.Name)], player)
		}
		if cursor = next; cursor == "" {
			return byID, byName, nil
		}
	}
}

// matchesOf returns the players of the club that a line may mean: the player of the id, or those of the name, the
// likeliest first.
func matchesOf(wanted club.Player, byID map[string]club.Player, byName map[string][]club.Player) []club.Player {
	if player, ok := byID[wanted.ID]; ok {
		return []club.Player{player}
	}
	matches := slices.Clone(byName[roster.Key(wanted.Name)])
	slices.SortStableFunc(matches, func(a, b club.Player) int {
		return cmp.Compare(unlikeness(a, wanted), unlikeness(b, wanted))
	})
	return matches
}

// differs reports whether two players were born in different years.
func differs(a, b club.Player) bool {
	return a.BirthYear > 0 && b.BirthYear > 0 && a.BirthYear != b.BirthYear
}

func unlikeness(a, b club.Player) (n int) {
	if differs(a, b) {
		n += 2
	}
	if a.Club != "" && b.Club != "" && a.Club != b.Club {
		n++
	}
	return n
}

// makePlayers makes the new players, and completes the others.
func (p *Pages) makePlayers(ctx context.Context, who auth.Identity, b *playersImport) error {
	if b.Nothing() {
		return tournament.Fault("list", "there is nothing to enter: all players are in the club already, or refused")
	}
	if len(b.Fresh) > 0 {
		base := uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "players\n%s\n%s\n%v", who.AccountID, b.Key, b.Fresh))
		for i := range b.Fresh {
			b.Fresh[i].ID = uuid.NewSHA1(base, fmt.Append(nil, i)).String()
		}
		if _, err := command.CreatePlayers.Run(ctx, p.Commands, b.Fresh); err != nil {
			return err
		}
	}
	_, err := command.CompletePlayers.Run(ctx, p.Commands, b.Completed())
	return err
}
