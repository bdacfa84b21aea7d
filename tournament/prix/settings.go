package prix

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

// MaxParts is how many tournaments a series has at most.
const MaxParts = 100

// Check refuses settings that make no series. Whether the tournaments exist is for the caller to know.
func (s Settings) Check() error {
	series := Series{Rules: s.Rules}
	known := map[string]bool{}
	for k, part := range s.Parts {
		if known[part.Tournament] {
			return tournament.Fault(fmt.Sprintf("events[%d].tournament_id", k), "the tournament counts already")
		}
		known[part.Tournament] = true
		series.Events = append(series.Events, Event{Factor: part.Factor})
	}
	if len(s.Parts) > MaxParts {
		return tournament.Fault("events", "at most %d tournaments make a series", MaxParts)
	}
	return series.check()
}

// nameless marks a player without a record, who is the same person wherever the name is the same.
const nameless = "~"

// Nameless returns the name of a player without a record.
func Nameless(player string) (name string, ok bool) { return strings.CutPrefix(player, nameless) }

// EventOf returns what a tournament counts as: nothing before it is finished. Players that withdrew or played no game
// have no place, and bots none either; the members of a team share its place.
func EventOf(t *tournament.Tournament, factor exact.Decimal) (Event, error) {
	e := Event{Factor: factor, Scores: map[string]exact.Decimal{}}
	if t.Status != tournament.Finished && t.Status != tournament.Archived {
		return e, nil
	}
	table, err := standings.After(t, 0)
	if err != nil {
		return e, err
	}
	cards := t.Cards(table.Round)
	rank := 0
	for _, row := range table.Rows {
		if row.Rank == 0 || !tookPart(cards[row.Entry.Number-1]) {
			continue
		}
		if row.Rank != rank {
			rank = row.Rank
			e.Ranking = append(e.Ranking, nil)
		}
		players := row.Entry.Members
		if len(players) == 0 {
			players = []string{nameless + row.Entry.Name}
		}
		group := &e.Ranking[len(e.Ranking)-1]
		for _, player := range players {
			if _, twice := e.Scores[player]; !twice { // two without a record may have one name
				e.Scores[player] = max(0, exact.Decimal(row.Points)*exact.Whole(1)/10)
				*group = append(*group, player)
			}
		}
		if len(*group) == 0 {
			e.Ranking = e.Ranking[:len(e.Ranking)-1]
			rank = 0
		}
	}
	return e, nil
}

// tookPart reports whether an entry is of people that stayed and played a game.
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
