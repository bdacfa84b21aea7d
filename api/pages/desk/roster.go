package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// offerKey is the request context's key of the [rosterOffer].
const offerKey = "roster offer"

// foundPlayer is a player of the club that can be entered.
type foundPlayer struct {
	club.Player
	Entered bool
}

const maxClubFound = 20

// foundPlayers lists players of the club by a part of the name.
func (p *Pages) foundPlayers(ctx context.Context, t *tournament.Tournament, name string) ([]foundPlayer, error) {
	list, _, err := p.Players.ListPlayers(ctx, club.PlayerFilter{Name: name}, maxClubFound, "")
	if err != nil {
		return nil, err
	}
	found := make([]foundPlayer, len(list))
	for i, player := range list {
		found[i] = foundPlayer{player, entered(t, player.ID)}
	}
	return found, nil
}

func entered(t *tournament.Tournament, player string) bool {
	return slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool {
		return e.Status != tournament.Withdrawn && slices.Contains(e.Members, player)
	})
}

// candidate is a player to enter.
type candidate struct {
	club.Player         // as it would be made
	Strength    float64 // the written number, 0 for none
	Wanted      string  // id of a player of the club that a table names, "" for none
	Matches     []foundPlayer
}

// party holds the players of a future entry: a single player, or a team.
type party struct {
	Name    string // of a team; "" for a player
	Members []candidate
}

// rosterOffer is a list of names, some of which match players of the club, or a table: the organiser chooses among the
// matches and sets the meaning of the columns.
type rosterOffer struct {
	Names   string // as they came
	List    *forms.ListForm
	Table   string // the text of List
	Lines   []offerLine
	Fresh   int // names that the club does not know
	Refused forms.RefusedLines
	Fault   *tournament.FieldError // of the columns; nothing can be entered then
}

// offerLine is a name with the matching players.
type offerLine struct {
	Index   int
	Name    string
	Team    string
	Matches []foundPlayer
}

// add enters players or teams: those that a list names, or some of the club.
func (p *Pages) add(c echo.Context) error {
	by := auth.Session(c).AccountID
	return p.do(c, "entries", auth.EnterOthers, func(ctx context.Context, t *tournament.Tournament, version int64) (string, error) {
		if id := c.FormValue("player"); id != "" && !c.Request().Form.Has("team") {
			return "added", p.enterParties(ctx, t, []party{{Members: []candidate{{Player: club.Player{ID: id}}}}}, by, version)
		}
		if c.Request().Form.Has("team") {
			if !c.Request().Form.Has("pick") { // an entry without players would never be rated
				return "", tournament.Fault("pick", "tick the players of the team")
			}
			return "added", p.enterParties(ctx, t, []party{pickedParty(c.Request().Form)}, by, version)
		}
		list, offer, err := p.candidates(c, t)
		if err != nil {
			return "", err
		}
		if offer != nil && offer.List != nil { // also if the version is stale
			c.Set(offerKey, offer)
		}
		if offer != nil && (c.FormValue("chosen") == "" || len(list) == 0) {
			c.Set(offerKey, offer)
			return offered, nil
		}
		return "added", p.enterParties(ctx, t, list, by, version)
	})
}

// offered is the outcome of a form that needs a choice among matches first: the tab is shown with them.
const offered = "offered"

// candidates reads the list that a form sends: a name or a team a line, or a table. The offer is nil if the list is of
// names and the club knows none of the players.
func (p *Pages) candidates(c echo.Context, t *tournament.Tournament) ([]party, *rosterOffer, error) {
	offer := &rosterOffer{Names: c.FormValue("names")}
	list, err := p.readParties(c, offer, t)
	if err != nil {
		return nil, nil, err
	}
	ctx, n := c.Request().Context(), 0
	for i := range list {
		for j := range list[i].Members {
			one := &list[i].Members[j]
			if err := p.match(ctx, t, one); err != nil {
				return nil, nil, err
			}
			if len(one.Matches) == 0 {
				offer.Fresh++
			} else {
				offer.Lines = append(offer.Lines, offerLine{n, one.Name, list[i].Name, one.Matches})
				one.ID = c.FormValue("p" + strconv.Itoa(n))
			}
			n++
		}
	}
	if len(offer.Lines) == 0 && offer.List == nil {
		offer = nil
	}
	return list, offer, nil
}

func (p *Pages) readParties(c echo.Context, from *rosterOffer, t *tournament.Tournament) (list []party, err error) {
	shape, err := p.Tournaments.Variant(t.Variant, t.Options)
	if err != nil {
		return nil, err
	}
	members := shape.Members
	if t.Teams != nil {
		members = 0 // squads, see [tournament.TeamRules]
	}
	if from.List, err = forms.ReadList(c, "table", members != 1); err != nil {
		return nil, err
	}
	if from.List != nil {
		return readTable(from, t, members)
	}
	if members != 1 {
		return readTeams(from, t, members)
	}
	names, err := roster.ReadNames(from.Names)
	if err != nil {
		return nil, forms.ListFaults("names", err)
	}
	for _, n := range names {
		list = append(list, party{Members: []candidate{fromLine(t, n)}})
	}
	return list, nil
}

// readTable returns the players or teams of a table, without those that are refused.
func readTable(from *rosterOffer, t *tournament.Tournament, members int) (list []party, err error) {
	if from.Table, err = from.List.Text(); err != nil {
		return nil, err
	}
	ratings, _ := roster.ListOf(t)
	lines, err := from.List.Lines(ratings)
	var fields tournament.FieldErrors
	if errors.As(forms.ListFaults("list", err), &fields) {
		from.Fault = &fields[0]
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if members != 1 {
		teams, refused := roster.Teams(lines, members)
		from.Refused = refused
		for _, team := range teams {
			one := party{Name: team.Name}
			for _, line := range team.Players {
				one.Members = append(one.Members, fromTable(ratings, line))
			}
			list = append(list, one)
		}
	} else {
		for _, line := range lines {
			from.Refused = append(from.Refused, line.Faults...)
			if len(line.Faults) == 0 {
				list = append(list, party{Members: []candidate{fromTable(ratings, line)}})
			}
		}
	}
	if len(list) > roster.MaxNames {
		return nil, tooMany
	}
	return list, nil
}

// tooMany refuses a table with more lines than a list of names may have.
var tooMany = tournament.Fault("file", "at most %d can be entered at once", roster.MaxNames)

// fromTable returns the player of a line of a table, with the rating for seeding the entry.
func fromTable(ratings string, line roster.Line) candidate {
	one := candidate{Player: line.Player, Strength: cmp.Or(line.Rating, line.Player.Rating[ratings])}
	one.Wanted, one.ID = one.ID, ""
	return one
}

// fromLine returns the player of a line of names.
func fromLine(t *tournament.Tournament, n roster.Name) candidate {
	one := candidate{Player: club.Player{Name: n.Name, Club: n.Club}, Strength: n.Rating}
	if ratings, rated := roster.ListOf(t); rated && n.Rating > 0 {
		one.Rating = map[string]float64{ratings: n.Rating}
	}
	return one
}

// match finds the players of the club with the candidate's id, or its name.
func (p *Pages) match(ctx context.Context, t *tournament.Tournament, one *candidate) error {
	if one.Wanted != "" {
		known, err := p.Players.Players(ctx, []string{one.Wanted})
		if player, ok := known[one.Wanted]; ok || err != nil {
			one.Matches = []foundPlayer{{player, entered(t, player.ID)}}
			return err
		}
	}
	found, err := p.foundPlayers(ctx, t, one.Name)
	if err != nil {
		return err
	}
	for _, f := range found {
		if strings.EqualFold(f.Name, one.Name) {
			one.Matches = append(one.Matches, f)
		}
	}
	return nil
}

// enterParties enters players or teams, all or none. Players without an id are created first. Their ids are derived
// from the form, so that sending it twice creates no duplicates.
func (p *Pages) enterParties(ctx context.Context, t *tournament.Tournament, list []party, by string, version int64) error {
	base := fmt.Sprintf("%s\n%s\n%d", by, t.ID, version)
	var ids []string
	for i := range list {
		for j := range list[i].Members {
			one := &list[i].Members[j]
			if one.ID == "" {
				named := fmt.Appendf(nil, "%s\n%d\n%s\n%s", base, len(ids), one.Name, one.Club)
				one.ID = uuid.NewSHA1(uuid.NameSpaceOID, named).String()
				one.CreatedBy = by
				one.CreatedAt = p.Now().UnixMilli()
				one.Version = 1
			}
			ids = append(ids, one.ID)
		}
	}
	known, err := p.Players.Players(ctx, ids)
	if err != nil {
		return err
	}
	var fresh []club.Player
	entries := make([]tournament.Entry, len(list))
	for i, party := range list {
		made, err := p.entryFor(ctx, t, party, known)
		if err != nil {
			return err
		}
		for _, one := range party.Members {
			if _, there := known[one.ID]; !there {
				fresh = append(fresh, one.Player)
			}
		}
		entries[i] = made
	}
	_, err = command.AddEntries.Run(ctx, p.Commands, command.On{ID: t.ID}, command.Entries{Entries: entries, Fresh: fresh})
	return err
}

// entryFor makes an entry of players, known to the club or new. Its rating is the mean of theirs, 0 if a player has
// none.
func (p *Pages) entryFor(
	ctx context.Context, t *tournament.Tournament, of party, known map[string]club.Player,
) (tournament.Entry, error) {
	e := tournament.Entry{Name: of.Name}
	sum, rated := 0.0, true
	for _, one := range of.Members {
		player, there := known[one.ID]
		switch {
		case !there && one.Version == 0:
			return e, club.ErrNotFound
		case !there:
			player = one.Player
		}
		strength := one.Strength
		if strength == 0 {
			var err error
			alone := map[string]club.Player{player.ID: player}
			if strength, err = roster.Strength(ctx, p.Ratings, t, []string{player.ID}, alone); err != nil {
				return e, err
			}
		}
		sum += strength
		rated = rated && strength > 0
		e.Members = append(e.Members, player.ID)
		if of.Name == "" && len(of.Members) == 1 {
			e.Name, e.Club = player.Name, player.Club
		}
	}
	if rated && len(of.Members) > 0 {
		e.Rating = sum / float64(len(of.Members))
	}
	return e, nil
}

func byeField(round int) string { return "bye-" + strconv.Itoa(round) }
