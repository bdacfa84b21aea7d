package series

import (
	"fmt"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/exact"
	"quatuor/tournament/standings"
)

// ErrNotFound is the error for a series that does not exist.
var ErrNotFound = sentence.Errorf("there is no such series")

// Settings are a series as it is stored. Its standings are not: they are computed from the tournaments each time, so
// that a corrected result counts at once.
type Settings struct {
	ID        string
	Name      string
	Organiser string // account id
	Parts     []Part // in the order of the season
	Rules     Rules
	CreatedAt int64 // ms UTC
	Version   int64
}

// Part is a tournament of a series.
type Part struct {
	Tournament string        `json:"tournament"`
	Factor     exact.Decimal `json:"factor"`
}

// MaxParts is the maximum number of tournaments of a series.
const MaxParts = 100

// Bounds of what is stored of a series or a season.
const (
	maxNameRunes = 200
	maxPlaces    = 200     // in a table of points
	maxValue     = 999_999 // of points and factors
)

// Check refuses settings that make no series, and brings the name into normal form. Whether the tournaments exist is
// for the caller to know.
func (s *Settings) Check() (err error) {
	s.Name, err = tournament.CheckName(s.Name, maxNameRunes)
	if err != nil {
		return err
	}
	of := Series{Rules: s.Rules}
	known := map[string]bool{}
	for k, part := range s.Parts {
		if known[part.Tournament] {
			return tournament.Fault(fmt.Sprintf("events[%d].tournament_id", k), "the tournament counts already")
		}
		known[part.Tournament] = true
		of.Events = append(of.Events, Event{Factor: part.Factor})
	}
	if len(s.Parts) > MaxParts {
		return tournament.Fault("events", "at most %d tournaments make a series", MaxParts)
	}
	return of.checkStored("events[%d].factor")
}

// checkStored is check for stored settings, with bounds of their numbers.
func (s Series) checkStored(factor string) error {
	if err := s.check(); err != nil {
		return err
	}
	for _, rule := range []struct {
		name       string
		value, max int
	}{{"best", s.Best, MaxParts}, {"least", s.Least, MaxParts}, {"table", len(s.Table), maxPlaces}} {
		if rule.value > rule.max {
			return tournament.Fault(rule.name, "from 0 to %d, not %d", rule.max, rule.value)
		}
	}
	if len(s.Table) > 0 && s.Table[0] > exact.Whole(maxValue) {
		return tournament.Fault("table[0]", "from 0 to %d, not %v", maxValue, s.Table[0].Sum())
	}
	for k, e := range s.Events {
		if e.Factor > exact.Whole(maxValue) {
			return tournament.Fault(fmt.Sprintf(factor, k), "from 0 to %d, not %v", maxValue, e.Factor.Sum())
		}
	}
	return nil
}

// nameless marks a player without a record: equal names mean the same person.
const nameless = "~"

// Named returns the name of a player without a record, or of a team, in the form used among ids of players.
func Named(name string) string { return nameless + name }

// Nameless returns the name of a player without a record.
func Nameless(player string) (name string, ok bool) { return strings.CutPrefix(player, nameless) }

// EventOf returns a tournament as an event, empty before it is finished. Players that withdrew or played no game have
// no place, and bots none either; the members of a team share its place.
func EventOf(t *tournament.Tournament, factor exact.Decimal) (Event, error) {
	e := Event{Factor: factor, Scores: map[string]exact.Decimal{}}
	if t.Status != tournament.Finished && t.Status != tournament.Archived {
		return e, nil
	}
	places, err := PlacesIn(t)
	if err != nil {
		return e, err
	}
	e.enter(places)
	return e, nil
}

// Place is the place of an entry in a tournament.
type Place struct {
	standings.Row
	Players []string // that have it; without a record the name as [Named] makes it
}

// PlacesIn returns the places of a tournament so far, with their players; see [EventOf].
func PlacesIn(t *tournament.Tournament) ([]Place, error) {
	table, err := standings.After(t, 0)
	if err != nil {
		return nil, err
	}
	cards := t.Cards(table.Round)
	var places []Place
	known := map[string]bool{}
	for _, row := range table.Rows {
		if row.Rank == 0 || !tookPart(cards[row.Entry.Number-1]) {
			continue
		}
		place := Place{Row: row}
		players := row.Entry.Members
		if len(players) == 0 {
			players = []string{Named(row.Entry.Name)}
		}
		for _, player := range players {
			if !known[player] { // two without a record may have the same name
				known[player] = true
				place.Players = append(place.Players, player)
			}
		}
		if len(place.Players) > 0 {
			places = append(places, place)
		}
	}
	return places, nil
}

// enter adds places to an event, below those that it has.
func (e *Event) enter(places []Place) {
	for i, place := range places {
		if i == 0 || place.Rank != places[i-1].Rank {
			e.Ranking = append(e.Ranking, nil)
		}
		group := &e.Ranking[len(e.Ranking)-1]
		*group = append(*group, place.Players...)
		for _, player := range place.Players {
			e.Scores[player] = max(0, exact.Decimal(place.Points)*exact.Whole(1)/10)
		}
	}
}

// tookPart reports whether an entry is no bot, did not withdraw, and played a game.
func tookPart(c tournament.Card) bool {
	if c.Entry.Status == tournament.Withdrawn || c.Entry.Bot() > 0 {
		return false
	}
	for _, cell := range c.Cells {
		if cell.Kind == tournament.Played {
			return true
		}
	}
	return false
}
