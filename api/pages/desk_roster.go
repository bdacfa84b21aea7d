package pages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/internal/roster"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// People are players who are entered and accounts that become arbiters.
type People interface {
	CreatePlayer(ctx context.Context, p ...club.Player) error
	AccountByLogin(ctx context.Context, login string) (account.Account, error)
}

// offerKey is where the handler of a list of names leaves what the tab is to offer.
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

// candidate is one who is to be entered.
type candidate struct {
	club.Player         // as it would be made
	Strength    float64 // as it was written, 0 for none
	Matches     []foundPlayer
}

// rosterOffer is a list of names, of which the club knows some: who is meant is for the organiser to say.
type rosterOffer struct {
	Names, Table string // as they came
	Lines        []offerLine
	Fresh        int // names that the club does not know
}

// offerLine is a name with the players who may be meant.
type offerLine struct {
	Index   int
	Name    string
	Matches []foundPlayer
}

// deskAdd enters players: those that a list names, or one of the club.
func (p *Pages) deskAdd(c echo.Context) error {
	return p.deskDo(c, "entries", auth.EnterOthers, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		if id := c.FormValue("player"); id != "" {
			return "added", p.enterPlayers(ctx, t, []candidate{{Player: club.Player{ID: id}}}, o)
		}
		list, offer, err := p.candidates(c, t)
		if err != nil {
			return "", err
		}
		if offer != nil && c.FormValue("chosen") == "" {
			c.Set(offerKey, offer)
			return "", errOffered
		}
		return "added", p.enterPlayers(ctx, t, list, o)
	})
}

// errOffered means that the organiser is asked who is meant.
var errOffered = errors.New("the organiser is asked")

// candidates reads the list that a form sends: names one a line, or a table. The offer is nil if the club knows none.
func (p *Pages) candidates(c echo.Context, t *tournament.Tournament) ([]candidate, *rosterOffer, error) {
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
	list, err := readCandidates(offer, t)
	if err != nil {
		return nil, nil, err
	}
	ctx := c.Request().Context()
	for i := range list {
		if err := p.match(ctx, t, &list[i]); err != nil {
			return nil, nil, err
		}
		if len(list[i].Matches) == 0 {
			offer.Fresh++
		} else {
			offer.Lines = append(offer.Lines, offerLine{i, list[i].Name, list[i].Matches})
			list[i].ID = c.FormValue("p" + strconv.Itoa(i))
		}
	}
	if len(offer.Lines) == 0 {
		offer = nil
	}
	return list, offer, nil
}

func readCandidates(from *rosterOffer, t *tournament.Tournament) (list []candidate, err error) {
	ratings, rated := roster.ListOf(t)
	if strings.TrimSpace(from.Table) != "" {
		players, err := roster.ReadTable([]byte(from.Table))
		if err != nil {
			return nil, asFields(err)
		}
		if len(players) > roster.MaxNames {
			return nil, tournament.FieldErrors{{Field: "file", Detail: fmt.Sprintf("at most %d can be entered at once", roster.MaxNames)}}
		}
		for _, player := range players {
			list = append(list, candidate{Player: player, Strength: player.Rating[ratings]})
		}
		return list, nil
	}
	names, err := roster.ReadNames(from.Names)
	if err != nil {
		return nil, asFields(err)
	}
	for _, n := range names {
		one := candidate{Player: club.Player{Name: n.Name, Club: n.Club}, Strength: n.Rating}
		if rated && n.Rating > 0 {
			one.Rating = map[string]float64{ratings: n.Rating}
		}
		list = append(list, one)
	}
	return list, nil
}

// asFields turns the faults of a list into those of a form.
func asFields(err error) error {
	var faults roster.Faults
	if !errors.As(err, &faults) {
		return err
	}
	var fields tournament.FieldErrors
	for _, f := range faults[:min(len(faults), 20)] {
		fields = append(fields, tournament.FieldError{Field: "names", Detail: f.Detail})
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

// enterPlayers enters candidates, all or none. Those without an id are made players first. The ids of new players follow
// from what was sent, so that a form that is sent twice makes nobody twice.
func (p *Pages) enterPlayers(ctx context.Context, t *tournament.Tournament, list []candidate, o director.Order) error {
	base := fmt.Sprintf("%s\n%s\n%d", o.By, t.ID, o.Expect)
	var ids []string
	for i := range list {
		if one := &list[i]; one.ID == "" {
			one.ID = uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s\n%d\n%s\n%s", base, i, one.Name, one.Club)).String()
			one.CreatedBy, one.CreatedAt, one.Version = o.By, p.Now().UnixMilli(), 1
		}
		ids = append(ids, list[i].ID)
	}
	known, err := p.Players.Players(ctx, ids)
	if err != nil {
		return err
	}
	var fresh []club.Player
	entries := make([]tournament.Entry, len(list))
	for i, one := range list {
		player, there := known[one.ID]
		switch {
		case !there && one.Version == 0:
			return club.ErrNotFound
		case !there:
			player = one.Player
			fresh = append(fresh, player)
		}
		strength := one.Strength
		if strength == 0 {
			if strength, err = roster.Strength(ctx, p.Ratings, t, []string{player.ID}, map[string]club.Player{player.ID: player}); err != nil {
				return err
			}
		}
		entries[i] = tournament.Entry{Name: player.Name, Club: player.Club, Rating: strength, Members: []string{player.ID}}
	}
	order := director.Order{By: o.By}
	if err := p.Director.TryEntries(ctx, t.ID, entries, order); err != nil {
		return err
	}
	if err := p.People.CreatePlayer(ctx, fresh...); err != nil {
		return err
	}
	_, err = p.Director.AddEntries(ctx, t.ID, entries, order)
	return err
}

// number reads a number that may be left out.
func number(text, field string) (float64, error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	if text == "" {
		return 0, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, tournament.FieldErrors{{Field: field, Detail: fmt.Sprintf("%q is not a number", text)}}
	}
	return value, nil
}

func byeField(round int) string { return "bye-" + strconv.Itoa(round) }

// stateOrInvalid reports whether an error is a refusal that a visitor may be told of.
func stateOrInvalid(err error) bool {
	return errors.Is(err, tournament.ErrState) || errors.Is(err, tournament.ErrInvalid)
}

// deskForbidden forbids a pair of entries to meet, or allows a group again.
func (p *Pages) deskForbidden(c echo.Context) error {
	return p.deskDo(c, "entries", auth.PairRounds, func(ctx context.Context, t *tournament.Tournament, o director.Order) (string, error) {
		bans := slices.Clone(t.Forbidden)
		was := fmt.Sprint(t.Forbidden)
		o = director.Order{By: o.By, If: func(t *tournament.Tournament) error {
			if fmt.Sprint(t.Forbidden) != was {
				return tournament.Refuse(tournament.ErrStale, "the forbidden pairs have been changed meanwhile")
			}
			return nil
		}}
		if text := c.FormValue("allow"); text != "" {
			i := slices.IndexFunc(bans, func(b tournament.Ban) bool { return strings.Join(b.Entries, " ") == text })
			if i < 0 {
				return "", tournament.Refuse(tournament.ErrNotFound, "this group")
			}
			bans = slices.Delete(bans, i, i+1)
		} else {
			var ban tournament.Ban
			for _, field := range []string{"first", "second"} {
				id, err := entryNamed(t, c.FormValue(field), field)
				if err != nil {
					return "", err
				}
				ban.Entries = append(ban.Entries, id)
			}
			bans = append(bans, ban)
		}
		_, err := p.Director.SetForbidden(ctx, t.ID, bans, o)
		return "saved", err
	})
}

// entryNamed finds the one entry with a name.
func entryNamed(t *tournament.Tournament, name, field string) (id string, err error) {
	n := 0
	for _, e := range t.Entries {
		if strings.EqualFold(e.Name, strings.TrimSpace(name)) {
			id = e.ID
			n++
		}
	}
	switch n {
	case 0:
		return "", tournament.FieldErrors{{Field: field, Detail: fmt.Sprintf("no entry is called %q", name)}}
	case 1:
		return id, nil
	}
	return "", tournament.FieldErrors{{Field: field, Detail: fmt.Sprintf("%d entries are called %q; give one of them another name first", n, name)}}
}
