package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
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
	Strength    float64 // as it was written, 0 for none
	Matches     []foundPlayer
}

// party is the players of one future entry: one player, or a team.
type party struct {
	Name    string // of a team; "" for a player
	Members []candidate
}

// rosterOffer is a list of names of which some match players of the club; the organiser chooses the match.
type rosterOffer struct {
	Names, Table string // as they came
	Lines        []offerLine
	Fresh        int // names that the club does not know
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
		if offer != nil && c.FormValue("chosen") == "" {
			c.Set(offerKey, offer)
			return "", errOffered
		}
		return "added", p.enterParties(ctx, t, list, by, version)
	})
}

// errOffered interrupts the command until the organiser has chosen among the matches.
var errOffered = errors.New("the organiser is asked")

// candidates reads the list that a form sends: names or teams one a line, or a table. The offer is nil if the club
// knows none of the players.
func (p *Pages) candidates(c echo.Context, t *tournament.Tournament) ([]party, *rosterOffer, error) {
	offer := &rosterOffer{Names: c.FormValue("names"), Table: c.FormValue("table")}
	if file, err := c.FormFile("file"); err == nil && file.Size > 0 {
		opened, err := file.Open()
		if err != nil {
			return nil, nil, err
		}
		defer opened.Close()
		text, err := io.ReadAll(opened)
		if err != nil {
			return nil, nil, err
		}
		offer.Table = string(text)
	}
	list, err := p.readParties(offer, t)
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
	if len(offer.Lines) == 0 {
		offer = nil
	}
	return list, offer, nil
}

func (p *Pages) readParties(from *rosterOffer, t *tournament.Tournament) (list []party, err error) {
	shape, err := p.Tournaments.Variant(t.Variant, t.Options)
	if err != nil {
		return nil, err
	}
	if t.Teams != nil {
		return readTeams(from, t, 0)
	}
	if shape.Members > 1 {
		return readTeams(from, t, shape.Members)
	}
	if strings.TrimSpace(from.Table) != "" {
		players, err := roster.ReadTable([]byte(from.Table))
		if err != nil {
			return nil, asFields("names", err)
		}
		if len(players) > roster.MaxNames {
			return nil, tooMany
		}
		for _, player := range players {
			list = append(list, party{Members: []candidate{fromTable(t, player)}})
		}
		return list, nil
	}
	names, err := roster.ReadNames(from.Names)
	if err != nil {
		return nil, asFields("names", err)
	}
	for _, n := range names {
		list = append(list, party{Members: []candidate{fromLine(t, n)}})
	}
	return list, nil
}

// tooMany refuses a table with more lines than a list of names may have.
var tooMany = tournament.Fault("file", "at most %d can be entered at once", roster.MaxNames)

// fromTable returns the player of a line of a table.
func fromTable(t *tournament.Tournament, player club.Player) candidate {
	ratings, _ := roster.ListOf(t)
	return candidate{Player: player, Strength: player.Rating[ratings]}
}

// fromLine returns the player of a line of names.
func fromLine(t *tournament.Tournament, n roster.Name) candidate {
	one := candidate{Player: club.Player{Name: n.Name, Club: n.Club}, Strength: n.Rating}
	if ratings, rated := roster.ListOf(t); rated && n.Rating > 0 {
		one.Rating = map[string]float64{ratings: n.Rating}
	}
	return one
}

// asFields turns the faults of a list into those of a form.
func asFields(field string, err error) error {
	var faults roster.Faults
	if !errors.As(err, &faults) {
		return err
	}
	var fields tournament.FieldErrors
	for _, f := range faults[:min(len(faults), 20)] {
		fields = append(fields, tournament.FieldError{Field: field, Detail: f.Detail, Said: f.Said})
	}
	return fields
}

// match finds the players of the club who have the candidate's name and are not entered yet.
func (p *Pages) match(ctx context.Context, t *tournament.Tournament, one *candidate) error {
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
				one.ID = uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s\n%d\n%s\n%s", base, len(ids), one.Name, one.Club)).String()
				one.CreatedBy, one.CreatedAt, one.Version = by, p.Now().UnixMilli(), 1
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

// entryFor makes an entry of players, some of whom the club knows. Its rating is the mean of theirs, 0 if one has none.
func (p *Pages) entryFor(ctx context.Context, t *tournament.Tournament, of party, known map[string]club.Player) (tournament.Entry, error) {
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
			if strength, err = roster.Strength(ctx, p.Ratings, t, []string{player.ID}, map[string]club.Player{player.ID: player}); err != nil {
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
