package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/exact"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// SeasonTable is a season of the club with the parts that its reader may see, and what they come to together.
type SeasonTable struct {
	series.Season
	Parts     []SeasonPart
	Series    series.Series // the events are the parts
	Standings []series.Standing
	Names     map[string]string
	Twice     []string // names of parts that count something which an earlier part counts
}

// SeasonPart is a part of a season as it stands.
type SeasonPart struct {
	series.SeasonPart
	Name   string
	Path   string // of its page
	Format tournament.Format
	Over   bool // nothing changes any more but by corrections
	Rows   []SeasonRow
	Counts []string // what it counts: keys of parts, tournaments among them
	Events []*tournament.Tournament
}

// SeasonRow is a place in a part, with the part's own number and the page on which that comes about.
type SeasonRow struct {
	series.Rank
	Value string // such as 17.5; "" of a ladder, where the place is all
	Link  string
	In    int // the division of a league
}

// Winners returns who is first in a part.
func (p SeasonPart) Winners() (players []string) {
	for _, row := range p.Rows {
		if row.Rank.Rank == 1 {
			players = append(players, row.Players...)
		}
	}
	return players
}

// Row returns a player's row; nil without one.
func (p SeasonPart) Row(player string) *SeasonRow {
	for i, row := range p.Rows {
		if slices.Contains(row.Players, player) {
			return &p.Rows[i]
		}
	}
	return nil
}

// Tournaments returns the ids of the tournaments of all parts.
func (t *SeasonTable) Tournaments() (ids []string) {
	for _, part := range t.Parts {
		for _, event := range part.Events {
			if !slices.Contains(ids, event.ID) {
				ids = append(ids, event.ID)
			}
		}
	}
	return ids
}

// CreateSeason creates a season with an id of the caller's choice, "" for any; a second one of the same id is the
// first.
func (s *Service) CreateSeason(ctx context.Context, id string, p series.Season) (series.Season, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return p, err
	}
	p.ID, p.Organiser, p.CreatedAt, p.Version = cmp.Or(id, uuid.Must(uuid.NewV7()).String()), who.AccountID, s.Now().UnixMilli(), 0
	return s.saveSeason(ctx, p, nil)
}

// UpdateSeason changes a season.
func (s *Service) UpdateSeason(
	ctx context.Context, id string, seen *string, change func(*series.Season) error,
) (series.Season, error) {
	p, err := s.ownSeason(ctx, id, seen)
	if err != nil {
		return p, err
	}
	before := p.Parts
	if err := change(&p); err != nil {
		return p, err
	}
	return s.saveSeason(ctx, p, before)
}

// DeleteSeason deletes a season; its parts stay.
func (s *Service) DeleteSeason(ctx context.Context, id string, seen *string) error {
	p, err := s.ownSeason(ctx, id, seen)
	if err != nil {
		return err
	}
	return s.Seasons.DeleteSeason(ctx, id, p.Version)
}

// ownSeason returns a season that the caller runs and has seen as it is.
func (s *Service) ownSeason(ctx context.Context, id string, seen *string) (series.Season, error) {
	p, err := s.Seasons.Season(ctx, id)
	if err != nil {
		return p, err
	}
	if err := runs(auth.From(ctx), p.Organiser); err != nil {
		return p, err
	}
	return p, CheckTag(seen, VersionTag(p.Version))
}

// saveSeason checks and stores a season. Parts that it had before may be gone by now; none may count what another does.
func (s *Service) saveSeason(ctx context.Context, p series.Season, before []series.SeasonPart) (series.Season, error) {
	if err := p.Check(); err != nil {
		return p, withPointers(err)
	}
	var counts [][]string
	for k, part := range p.Parts {
		known := slices.ContainsFunc(before, func(was series.SeasonPart) bool { return was.Key() == part.Key() })
		read, err := s.seasonPart(ctx, part)
		switch {
		case err != nil && !gone(err):
			return p, err
		case err != nil && !known:
			return p, tournament.Fault(fmt.Sprintf("parts/%d/id", k), "there is no %s %q", part.Kind, part.ID)
		}
		counts = append(counts, append(read.Counts, part.Key()))
	}
	if k, _ := series.Overlap(counts); k >= 0 {
		return p, tournament.Fault(fmt.Sprintf("parts/%d", k), "another part counts the same, or one of the same tournaments")
	}
	if err := s.Seasons.SaveSeason(ctx, p); err != nil {
		return p, err
	}
	return s.Seasons.Season(ctx, p.ID)
}

// gone reports whether an error says that something does not exist, for this reader.
func gone(err error) bool {
	return errors.Is(err, tournament.ErrNotFound) || errors.Is(err, series.ErrNotFound) || errors.Is(err, ladder.ErrNotFound) ||
		errors.Is(err, league.ErrNotFound)
}

// SeasonTable computes a season. Parts that were deleted, or that the reader may not see, are left out.
func (s *Service) SeasonTable(ctx context.Context, id string) (*SeasonTable, error) {
	settings, err := s.Seasons.Season(ctx, id)
	if err != nil {
		return nil, err
	}
	t := &SeasonTable{Season: settings, Series: series.Series{Rules: settings.Rules}}
	var counts [][]string
	for _, stored := range settings.Parts {
		part, err := s.seasonPart(ctx, stored)
		if gone(err) {
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
		if counts = append(counts, part.Counts); len(t.Twice) == 0 {
			if k, _ := series.Overlap(counts); k >= 0 {
				t.Twice = append(t.Twice, t.Parts[k].Name)
			}
		}
	}
	if t.Standings, err = t.Series.Standings(); err != nil {
		return nil, err
	}
	var players []string
	for _, st := range t.Standings {
		players = append(players, st.Player)
	}
	t.Names, err = s.memberNames(ctx, players)
	return t, err
}

// seasonPart reads a part as it stands.
func (s *Service) seasonPart(ctx context.Context, p series.SeasonPart) (SeasonPart, error) {
	part := SeasonPart{SeasonPart: p, Path: "/" + string(p.Kind) + "s/" + url.PathEscape(p.ID)}
	var err error
	switch p.Kind {
	case series.OfTournament:
		err = s.tournamentPart(ctx, &part)
	case series.OfSeries:
		part.Path = "/series/" + url.PathEscape(p.ID)
		err = s.seriesPart(ctx, &part)
	case series.OfLadder:
		err = s.ladderPart(ctx, &part)
	default:
		part.Path += "/seasons/" + strconv.Itoa(p.Number)
		err = s.leaguePart(ctx, &part)
	}
	return part, err
}

// addEvent adds a tournament that a part counts.
func (p *SeasonPart) addEvent(t *tournament.Tournament) {
	p.Events = append(p.Events, t)
	p.Counts = append(p.Counts, series.SeasonPart{Kind: series.OfTournament, ID: t.ID}.Key())
}

func (s *Service) tournamentPart(ctx context.Context, part *SeasonPart) error {
	t, _, err := access.Tournament(ctx, s, part.ID, auth.From(ctx))
	if err != nil {
		return err
	}
	t = t.Public()
	part.Name, part.Format = t.Name, t.Format
	part.Over = t.Status == tournament.Finished || t.Status == tournament.Archived
	part.addEvent(t)
	return part.addPlaces(t, 0, 0)
}

// addPlaces adds the places of a tournament, behind some others.
func (p *SeasonPart) addPlaces(t *tournament.Tournament, division, behind int) error {
	if t.PublishedRounds() == 0 {
		return nil
	}
	places, err := series.PlacesIn(t)
	for _, place := range places {
		p.Rows = append(p.Rows, SeasonRow{
			Rank:  series.Rank{Rank: behind + place.Rank, Players: place.Players},
			Value: cmp.Or(place.Total, place.Points.String()), In: division,
			Link: fmt.Sprintf("/tournaments/%s/standings/%d", t.ID, place.Entry.Number),
		})
	}
	return err
}

func (s *Service) seriesPart(ctx context.Context, part *SeasonPart) error {
	table, err := s.SeriesTable(ctx, part.ID)
	if err != nil {
		return err
	}
	part.Name, part.Over = table.Name, len(table.Events) > 0
	for _, t := range table.Events {
		part.addEvent(t)
		part.Over = part.Over && (t.Status == tournament.Finished || t.Status == tournament.Archived)
	}
	for i, st := range table.Standings {
		if st.Rank > 0 {
			part.Rows = append(part.Rows, SeasonRow{
				Rank: series.Rank{Rank: st.Rank, Players: []string{st.Player}}, Value: st.Points.String(),
				Link: fmt.Sprintf("%s#p%d", part.Path, i),
			})
		}
	}
	return nil
}

func (s *Service) ladderPart(ctx context.Context, part *SeasonPart) error {
	l, err := s.Ladder(ctx, part.ID)
	if err != nil {
		return err
	}
	part.Name = l.Name
	for i, player := range l.Order() {
		part.Rows = append(part.Rows, SeasonRow{
			Rank: series.Rank{Rank: i + 1, Players: []string{player}}, Link: part.Path + "?player=" + url.QueryEscape(player) + "#log",
		})
	}
	return nil
}

func (s *Service) leaguePart(ctx context.Context, part *SeasonPart) error {
	l, err := s.League(ctx, part.ID, part.Number)
	if err != nil {
		return err
	}
	if !l.Plan.Confirmed {
		return league.ErrNotFound
	}
	part.Name, part.Over = l.Name+" "+l.Plan.State.Name, l.Over
	for i, d := range l.Divisions {
		if d.Tournament == nil {
			continue
		}
		part.addEvent(d.Tournament)
		behind := 0
		for _, row := range part.Rows {
			behind += len(row.Players)
		}
		if err := part.addPlaces(d.Tournament, i+1, behind); err != nil {
			return err
		}
	}
	return nil
}

// ApplySeason changes what a patch has.
func ApplySeason(s *series.Season, p gen.SeasonPatch) error {
	as := series.Settings{Name: s.Name, Rules: s.Rules}
	if err := ApplySeries(&as, gen.SeriesPatch{Name: p.Name, Table: p.Table, Best: p.Best, Least: p.Least}); err != nil {
		return err
	}
	s.Name, s.Rules = as.Name, as.Rules
	Set(&s.From, p.From)
	Set(&s.To, p.To)
	if p.Parts == nil {
		return nil
	}
	s.Parts = nil
	for k, sent := range *p.Parts {
		part := series.SeasonPart{Kind: series.PartKind(sent.Kind), ID: sent.ID, Weight: exact.Whole(1)}
		Set(&part.Number, sent.Season)
		if sent.Weight != nil {
			var err error
			if part.Weight, err = exact.ParseDecimal(*sent.Weight); err != nil {
				return tournament.Fault(fmt.Sprintf("parts/%d/weight", k), "%q is no number", *sent.Weight)
			}
		}
		s.Parts = append(s.Parts, part)
	}
	return nil
}
