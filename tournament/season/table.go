package season

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Table is a season of the club with the parts that its viewer may see, and their common standings.
type Table struct {
	series.Season
	Parts     []Part
	Series    series.Series // the events are the parts
	Standings []series.Standing
	Names     map[string]string
	Twice     []string // names of parts that count something which an earlier part counts
}

// Part is a part of a season in its present state.
type Part struct {
	series.SeasonPart
	Name   string
	Format tournament.Format
	Over   bool // only corrections can change it
	Rows   []Row
	Counts []string // keys of the parts that it counts, tournaments among them
	Events []*tournament.Tournament
}

// Row is a place in a part, with the part's own number.
type Row struct {
	series.Rank
	Value      string // for example 17.5; "" on a ladder, which has places only
	Division   int    // of a league
	Tournament string // id; "" for series and ladders
	Entry      int    // the entry's number in the tournament
}

// Winners returns the players at the first place of a part.
func (p Part) Winners() (players []string) {
	for _, row := range p.Rows {
		if row.Rank.Rank == 1 {
			players = append(players, row.Players...)
		}
	}
	return players
}

// RowOf returns the index of a player's row; -1 without a row.
func (p Part) RowOf(player string) int {
	return slices.IndexFunc(p.Rows, func(row Row) bool { return slices.Contains(row.Players, player) })
}

// Tournaments returns the ids of the tournaments of all parts.
func (t *Table) Tournaments() (ids []string) {
	for _, event := range t.events() {
		ids = append(ids, event.ID)
	}
	return ids
}

// events returns the tournaments of all parts, each once.
func (t *Table) events() (all []*tournament.Tournament) {
	known := map[string]bool{}
	for _, part := range t.Parts {
		for _, event := range part.Events {
			if !known[event.ID] {
				known[event.ID] = true
				all = append(all, event)
			}
		}
	}
	return all
}

// Gone reports whether an error is about something that does not exist, for its viewer.
func Gone(err error) bool {
	return errors.Is(err, tournament.ErrNotFound) || errors.Is(err, series.ErrNotFound) || errors.Is(err, ladder.ErrNotFound) ||
		errors.Is(err, league.ErrNotFound)
}

// Season computes a season. Parts that were deleted, or that the viewer may not see, are left out.
func (r Reading) Season(ctx context.Context, id string) (*Table, error) {
	settings, err := r.Store.Season(ctx, id)
	if err != nil {
		return nil, err
	}
	t := &Table{Season: settings, Series: series.Series{Rules: settings.Rules}}
	var counts [][]string
	for _, stored := range settings.Parts {
		part, err := r.Part(ctx, stored)
		if Gone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.Parts = append(t.Parts, part)
		ranks := make([]series.Rank, len(part.Rows))
		for i, row := range part.Rows {
			ranks[i] = row.Rank
		}
		t.Series.Events = append(t.Series.Events, series.EventBy(ranks, part.Weight))
		counts = append(counts, part.Counts)
		if len(t.Twice) == 0 {
			if k, _ := series.Overlap(counts); k >= 0 {
				t.Twice = append(t.Twice, t.Parts[k].Name)
			}
		}
	}
	if t.Standings, err = t.Series.Standings(); err != nil {
		return nil, err
	}
	t.Names, err = r.standingNames(ctx, t.Standings)
	return t, err
}

// Part computes the present state of a part; see [Gone].
func (r Reading) Part(ctx context.Context, p series.SeasonPart) (Part, error) {
	part := Part{SeasonPart: p}
	var err error
	switch p.Kind {
	case series.OfTournament:
		err = r.tournamentPart(ctx, &part)
	case series.OfSeries:
		err = r.seriesPart(ctx, &part)
	case series.OfLadder:
		err = r.ladderPart(ctx, &part)
	default:
		err = r.leaguePart(ctx, &part)
	}
	return part, err
}

// addEvent adds a tournament that a part counts.
func (p *Part) addEvent(t *tournament.Tournament) {
	p.Events = append(p.Events, t)
	p.Counts = append(p.Counts, series.SeasonPart{Kind: series.OfTournament, ID: t.ID}.Key())
}

func (r Reading) tournamentPart(ctx context.Context, part *Part) error {
	t, err := r.viewer.Tournament(ctx, part.ID)
	if err != nil {
		return err
	}
	t = t.Public()
	part.Name = t.Name
	part.Format = t.Format
	part.Over = t.Status.Over()
	part.addEvent(t)
	return part.addPlaces(t, 0, 0)
}

// addPlaces adds the places of a tournament, behind some others.
func (p *Part) addPlaces(t *tournament.Tournament, division, behind int) error {
	if t.PublishedRounds() == 0 {
		return nil
	}
	places, err := series.PlacesIn(t)
	for _, place := range places {
		p.Rows = append(p.Rows, Row{
			Rank:  series.Rank{Rank: behind + place.Rank, Players: place.Players},
			Value: cmp.Or(place.Total, place.Points.String()), Division: division, Tournament: t.ID, Entry: place.Entry.Number,
		})
	}
	return err
}

func (r Reading) seriesPart(ctx context.Context, part *Part) error {
	s, err := r.Series(ctx, part.ID)
	if err != nil {
		return err
	}
	part.Name, part.Over = s.Name, len(s.Events) > 0
	for _, t := range s.Events {
		part.addEvent(t)
		part.Over = part.Over && t.Status.Over()
	}
	for _, st := range s.Standings {
		if st.Rank > 0 {
			part.Rows = append(part.Rows, Row{
				Rank: series.Rank{Rank: st.Rank, Players: []string{st.Player}}, Value: st.Points.String(),
			})
		}
	}
	return nil
}

func (r Reading) ladderPart(ctx context.Context, part *Part) error {
	l, err := r.Ladder(ctx, part.ID)
	if err != nil {
		return err
	}
	part.Name = l.Name
	for i, player := range l.Order() {
		part.Rows = append(part.Rows, Row{Rank: series.Rank{Rank: i + 1, Players: []string{player}}})
	}
	return nil
}

func (r Reading) leaguePart(ctx context.Context, part *Part) error {
	l, err := r.League(ctx, part.ID, part.Number)
	if err != nil {
		return err
	}
	if !l.Plan.Confirmed {
		return league.ErrNotFound
	}
	part.Name, part.Over = l.Name+" "+l.Plan.State.Name, l.Over
	behind := 0
	for i, d := range l.Divisions {
		if d.Tournament == nil {
			continue
		}
		part.addEvent(d.Tournament)
		before := len(part.Rows)
		if err := part.addPlaces(d.Tournament, i+1, behind); err != nil {
			return err
		}
		for _, row := range part.Rows[before:] {
			behind += len(row.Players)
		}
	}
	return nil
}
