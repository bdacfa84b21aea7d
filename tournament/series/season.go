package series

import (
	"fmt"
	"slices"
	"time"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/exact"
)

// ErrNoSeason is the error for a season that does not exist.
var ErrNoSeason = sentence.Errorf("there is no such season")

// Season is a club's season, as it is stored: all that the club plays from a first to a last day. Parts of any kind
// count together, like events of a series, with their weights as factors. Its tables are computed from the results each
// time.
type Season struct {
	ID        string
	Name      string
	Organiser string // account id
	From, To  string // days: 2026-09-01
	Parts     []SeasonPart
	Rules     Rules
	CreatedAt int64 // ms UTC
	Version   int64
}

// PartKind is the kind of a part of a season.
type PartKind string

// The kinds of parts. Keizer seasons and arenas are tournaments.
const (
	OfTournament PartKind = "tournament"
	OfSeries     PartKind = "series"
	OfLadder     PartKind = "ladder"
	OfLeague     PartKind = "league" // a season of it
)

// SeasonPart is a part of a season.
type SeasonPart struct {
	Kind   PartKind      `json:"kind"`
	ID     string        `json:"id"`
	Number int           `json:"number,omitempty"` // of the season of a league
	Weight exact.Decimal `json:"weight"`
}

// Key returns a text that identifies the part.
func (p SeasonPart) Key() string { return fmt.Sprintf("%s:%s:%d", p.Kind, p.ID, p.Number) }

// MaxSeasonParts is the maximum number of parts of a season.
const MaxSeasonParts = 50

const maxSeasonName = 100

// Check refuses settings that make no season, and brings the name into normal form. Whether the parts exist is for the
// caller to know.
func (s *Season) Check() error {
	name, err := tournament.CheckName(s.Name, maxSeasonName)
	if err != nil {
		return err
	}
	s.Name = name
	from, err := time.Parse(time.DateOnly, s.From)
	if err != nil {
		return tournament.Fault("from", "%q is no day; write it like 2026-09-01", s.From)
	}
	to, err := time.Parse(time.DateOnly, s.To)
	if err != nil {
		return tournament.Fault("to", "%q is no day; write it like 2026-09-01", s.To)
	}
	if to.Before(from) {
		return tournament.Fault("to", "a season ends on its first day or later")
	}
	if s.Rules.Source != "" && s.Rules.Source != ByPlace {
		return tournament.Fault("source", "the parts of a season count by their places")
	}
	if len(s.Parts) > MaxSeasonParts {
		return tournament.Fault("parts", "at most %d parts make a season", MaxSeasonParts)
	}
	of := Series{Rules: s.Rules}
	for k, part := range s.Parts {
		place := fmt.Sprintf("parts[%d]", k)
		if !slices.Contains([]PartKind{OfTournament, OfSeries, OfLadder, OfLeague}, part.Kind) {
			return tournament.Fault(place+".kind", "%q is no kind of part", part.Kind)
		}
		if (part.Kind == OfLeague) != (part.Number > 0) {
			return tournament.Fault(place+".number", "of a league one season counts, and only of a league")
		}
		if part.Weight < 0 {
			return tournament.Fault(place+".weight", "0 or more, not %v", part.Weight.Sum())
		}
		of.Events = append(of.Events, Event{Factor: part.Weight})
	}
	return of.checkStored("parts[%d].weight")
}

// Overlap returns the first item that two parts both count, after the index of the later part; -1 for none.
func Overlap(counts [][]string) (part int, twice string) {
	known := map[string]int{}
	for k, list := range counts {
		for _, what := range list {
			if first, ok := known[what]; ok && first != k {
				return k, what
			}
			known[what] = k
		}
	}
	return -1, ""
}

// Rank is a place in a part of a season.
type Rank struct {
	Rank    int // shared by those that are level
	Players []string
}

// EventBy returns a part as an event, by its ranks in ascending order.
func EventBy(ranks []Rank, weight exact.Decimal) Event {
	e := Event{Factor: weight}
	known := map[string]bool{}
	last := 0
	for _, r := range ranks {
		if r.Rank != last {
			e.Ranking = append(e.Ranking, nil)
			last = r.Rank
		}
		group := &e.Ranking[len(e.Ranking)-1]
		for _, player := range r.Players {
			if !known[player] {
				known[player] = true
				*group = append(*group, player)
			}
		}
	}
	e.Ranking = slices.DeleteFunc(e.Ranking, func(group []string) bool { return len(group) == 0 })
	return e
}
