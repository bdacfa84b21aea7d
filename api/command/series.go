package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/exact"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Seasons keeps series, ladders, leagues and seasons.
type Seasons interface {
	ListSeries(ctx context.Context) ([]series.Settings, error)
	Series(ctx context.Context, id string) (series.Settings, error)
	SaveSeries(ctx context.Context, s series.Settings) error
	DeleteSeries(ctx context.Context, id string, version int64) error

	ListLadders(ctx context.Context) ([]ladder.Settings, error)
	Ladder(ctx context.Context, id string) (ladder.Settings, []ladder.Act, error)
	LadderEdition(ctx context.Context, id string) (ladder.Edition, error)
	CreateLadder(ctx context.Context, l ladder.Settings) error
	SaveLadder(ctx context.Context, l ladder.Settings) error
	DeleteLadder(ctx context.Context, id string, version int64) error
	AddActs(ctx context.Context, id string, acts []ladder.Act) error
	Games(ctx context.Context, ids []string) ([]table.Game, error)
	UnopenedLadders(ctx context.Context) ([]string, error)

	ListLeagues(ctx context.Context, organiser string) ([]league.Settings, error)
	League(ctx context.Context, id string) (league.Settings, []league.Plan, error)
	CreateLeague(ctx context.Context, l league.Settings, first league.Plan) error
	SaveLeague(ctx context.Context, l league.Settings) error
	DeleteLeague(ctx context.Context, id string, version int64) error
	SavePlan(ctx context.Context, p league.Plan, divisions ...director.Draft) error
	DeletePlan(ctx context.Context, p league.Plan) error
	HalfMade(ctx context.Context) ([]league.HalfMade, error)

	ListSeasons(ctx context.Context) ([]series.Season, error)
	Season(ctx context.Context, id string) (series.Season, error)
	SaveSeason(ctx context.Context, s series.Season) error
	DeleteSeason(ctx context.Context, id string, version int64) error
}

// SeriesTable is a series with the tournaments that its reader may see, and the standings.
type SeriesTable struct {
	series.Settings
	Events    []*tournament.Tournament // one for each part; a part without a tournament is left out
	Series    series.Series
	Standings []series.Standing
	Names     map[string]string // of the players
}

// CreateSeries creates a series with an id of the caller's choice, "" for any; a second one of the same id is the
// first.
func (s *Service) CreateSeries(ctx context.Context, id string, p series.Settings) (series.Settings, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return p, err
	}
	if id == "" {
		id = uuid.Must(uuid.NewV7()).String()
	}
	p.ID, p.Organiser, p.CreatedAt, p.Version = id, who.AccountID, s.Now().UnixMilli(), 0
	return s.saveSeries(ctx, p, nil)
}

// UpdateSeries changes a series. seen is what the caller has read, as an If-Match header.
func (s *Service) UpdateSeries(ctx context.Context, id string, seen *string, change func(*series.Settings) error) (
	series.Settings, error,
) {
	p, err := s.ownSeries(ctx, id, seen)
	if err != nil {
		return p, err
	}
	before := p.Parts
	if err := change(&p); err != nil {
		return p, err
	}
	return s.saveSeries(ctx, p, before)
}

// DeleteSeries deletes a series; its tournaments stay.
func (s *Service) DeleteSeries(ctx context.Context, id string, seen *string) error {
	p, err := s.ownSeries(ctx, id, seen)
	if err != nil {
		return err
	}
	return s.Seasons.DeleteSeries(ctx, id, p.Version)
}

// Runs reports whether an identity runs what an account organises: that account does, and admins.
func Runs(who auth.Identity, organiser string) bool {
	return runs(who, organiser) == nil
}

// SeesDrafts reports whether an identity sees drafts of what an account organises: that account does, and admins. A
// token of theirs counts if its scope is reading or organising.
func SeesDrafts(who auth.Identity, organiser string) bool {
	return access.Staff(who, &tournament.Tournament{Organiser: organiser})
}

// OwnDrafts returns the account that has drafts which an identity sees in lists; "" for none.
func OwnDrafts(who auth.Identity) string {
	if !SeesDrafts(who, who.AccountID) {
		return ""
	}
	return who.AccountID
}

func runs(who auth.Identity, organiser string) error {
	return who.Demand(who.LevelIn(&tournament.Tournament{Organiser: organiser}), auth.RunTournament)
}

// ownSeries returns a series that the caller runs and has seen as it is.
func (s *Service) ownSeries(ctx context.Context, id string, seen *string) (series.Settings, error) {
	p, err := s.Seasons.Series(ctx, id)
	if err != nil {
		return p, err
	}
	if err := runs(auth.From(ctx), p.Organiser); err != nil {
		return p, err
	}
	return p, CheckTag(seen, VersionTag(p.Version))
}

// saveSeries checks and stores a series. Tournaments that were parts before may be gone by now.
func (s *Service) saveSeries(ctx context.Context, p series.Settings, before []series.Part) (series.Settings, error) {
	if err := p.Check(); err != nil {
		return p, withPointers(err)
	}
	known := map[string]bool{}
	for _, part := range before {
		known[part.Tournament] = true
	}
	for k, part := range p.Parts {
		if known[part.Tournament] {
			continue
		}
		_, _, err := access.Tournament(ctx, s, part.Tournament, auth.From(ctx))
		if errors.Is(err, tournament.ErrNotFound) {
			err = tournament.Fault(fmt.Sprintf("events/%d/tournament_id", k), "there is no tournament %q", part.Tournament)
		}
		if err != nil {
			return p, err
		}
	}
	if err := s.Seasons.SaveSeries(ctx, p); err != nil {
		return p, err
	}
	return s.Seasons.Series(ctx, p.ID)
}

// withPointers writes the places of faults as JSON pointers.
func withPointers(err error) error {
	var faults tournament.FieldErrors
	if errors.As(err, &faults) {
		for i, f := range faults {
			faults[i].Field = strings.NewReplacer("[", "/", "].", "/", "]", "").Replace(f.Field)
		}
	}
	return err
}

// SeriesTable computes the standings of a series. Tournaments that were deleted, or that the reader may not see, are no
// part of it.
func (s *Service) SeriesTable(ctx context.Context, id string) (t SeriesTable, err error) {
	if t.Settings, err = s.Seasons.Series(ctx, id); err != nil {
		return t, err
	}
	t.Series.Rules = t.Rules
	var parts []series.Part
	for _, part := range t.Parts {
		event, _, err := access.Tournament(ctx, s, part.Tournament, auth.From(ctx))
		if errors.Is(err, tournament.ErrNotFound) {
			continue
		}
		if err != nil {
			return t, err
		}
		event = event.Public()
		counted, err := series.EventOf(event, part.Factor)
		if err != nil {
			return t, err
		}
		parts, t.Events = append(parts, part), append(t.Events, event)
		t.Series.Events = append(t.Series.Events, counted)
	}
	t.Parts = parts
	if t.Standings, err = t.Series.Standings(); err != nil {
		return t, err
	}
	var players []string
	for _, st := range t.Standings {
		players = append(players, st.Player)
	}
	t.Names, err = s.memberNames(ctx, players)
	return t, err
}

// ApplySeries changes what a patch has.
func ApplySeries(s *series.Settings, p gen.SeriesPatch) error {
	Set(&s.Name, p.Name)
	Set(&s.Rules.Best, p.Best)
	Set(&s.Rules.Least, p.Least)
	if p.Source != nil {
		s.Rules.Source = series.Source(*p.Source)
	}
	if p.Table != nil {
		s.Rules.Table = nil
		for k, text := range *p.Table {
			points, err := exact.ParseDecimal(text)
			if err != nil {
				return tournament.Fault(fmt.Sprintf("table/%d", k), "%q is no number", text)
			}
			s.Rules.Table = append(s.Rules.Table, points)
		}
	}
	if p.Events == nil {
		return nil
	}
	s.Parts = nil
	for k, e := range *p.Events {
		part := series.Part{Tournament: e.TournamentID, Factor: exact.Whole(1)}
		if e.Factor != nil {
			var err error
			if part.Factor, err = exact.ParseDecimal(*e.Factor); err != nil {
				return tournament.Fault(fmt.Sprintf("events/%d/factor", k), "%q is no number", *e.Factor)
			}
		}
		s.Parts = append(s.Parts, part)
	}
	return nil
}
