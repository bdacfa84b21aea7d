package command

import (
	"context"
	"fmt"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/exact"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// SeasonStore keeps series, ladders, leagues and seasons.
type SeasonStore interface {
	season.Store

	ListSeries(ctx context.Context) ([]series.Settings, error)
	SaveSeries(ctx context.Context, s series.Settings) error
	DeleteSeries(ctx context.Context, id string, version int64) error

	ListLadders(ctx context.Context) ([]ladder.Settings, error)
	CreateLadder(ctx context.Context, l ladder.Settings) error
	SaveLadder(ctx context.Context, l ladder.Settings) error
	DeleteLadder(ctx context.Context, id string, version int64) error
	AddActs(ctx context.Context, id string, acts []ladder.Act) error
	UnopenedLadders(ctx context.Context) ([]string, error)

	ListLeagues(ctx context.Context, organiser string) ([]league.Settings, error)
	CreateLeague(ctx context.Context, l league.Settings, first league.Plan) error
	SaveLeague(ctx context.Context, l league.Settings) error
	DeleteLeague(ctx context.Context, id string, version int64) error
	DeletePlan(ctx context.Context, p league.Plan) error

	ListSeasons(ctx context.Context) ([]series.Season, error)
	SaveSeason(ctx context.Context, s series.Season) error
	DeleteSeason(ctx context.Context, id string, version int64) error
}

// Reading returns the tables of seasons as the identity in the context may see them.
func (s *Service) Reading(ctx context.Context) season.Reading {
	return s.Reader.For(viewer{s.Director, auth.From(ctx)})
}

// viewer is an identity as the viewer of tables.
type viewer struct {
	tournaments access.Tournaments
	who         auth.Identity
}

func (v viewer) Tournament(ctx context.Context, id string) (*tournament.Tournament, error) {
	t, _, err := access.Tournament(ctx, v.tournaments, id, v.who)
	return t, err
}

func (v viewer) SeesDrafts(organiser string) bool { return SeesDrafts(v.who, organiser) }

// Runs reports whether an identity runs what an account organises: that account does, and admins.
func Runs(who auth.Identity, organiser string) bool {
	return runs(who, organiser) == nil
}

// SeesDrafts reports whether an identity sees drafts of what an account organises: that account does, and admins. A
// token of theirs counts if its scope is reading or organising.
func SeesDrafts(who auth.Identity, organiser string) bool {
	return access.Staff(who, &tournament.Tournament{Organiser: organiser})
}

// OwnDrafts returns the account with drafts that an identity sees in lists; "" for none.
func OwnDrafts(who auth.Identity) string {
	if !SeesDrafts(who, who.AccountID) {
		return ""
	}
	return who.AccountID
}

func runs(who auth.Identity, organiser string) error {
	return who.Demand(who.LevelIn(&tournament.Tournament{Organiser: organiser}), auth.RunTournament)
}

// Series are series of tournaments. Deleting a series leaves its tournaments.
var Series = Kept[series.Settings]{
	Name: "series", New: auth.CreateTournaments,
	Load:    func(c ClubCall, on On) (series.Settings, error) { return c.Seasons.Series(c.Ctx, on.ID) },
	Allow:   func(c ClubCall, s series.Settings) error { return runs(c.Who, s.Organiser) },
	Version: func(s series.Settings) int64 { return s.Version },
	Init:    func(s *series.Settings, o Origin) { o.into(&s.ID, &s.Organiser, &s.CreatedAt) },
	Save:    saveSeries,
	Remove: func(c ClubCall, s series.Settings) error {
		return c.Seasons.DeleteSeries(c.Ctx, s.ID, s.Version)
	},
}

// saveSeries checks and stores a series. Only new parts have to exist: an earlier part may have been deleted.
func saveSeries(c ClubCall, before *series.Settings, now series.Settings) (series.Settings, error) {
	if err := now.Check(); err != nil {
		return now, tournament.Pointers(err)
	}
	var known []series.Part
	if before != nil {
		known = before.Parts
	}
	for k, part := range now.Parts {
		if slices.ContainsFunc(known, func(was series.Part) bool { return was.Tournament == part.Tournament }) {
			continue
		}
		_, _, err := access.Tournament(c.Ctx, c, part.Tournament, c.Who)
		if season.Gone(err) {
			err = tournament.Fault(fmt.Sprintf("events/%d/tournament_id", k), "there is no tournament %q", part.Tournament)
		}
		if err != nil {
			return now, err
		}
	}
	if err := c.Seasons.SaveSeries(c.Ctx, now); err != nil {
		return now, err
	}
	return c.Seasons.Series(c.Ctx, now.ID)
}

// Seasons are the seasons of the club. Deleting a season leaves its parts.
var Seasons = Kept[series.Season]{
	Name: "season", New: auth.CreateTournaments,
	Load:    func(c ClubCall, on On) (series.Season, error) { return c.Seasons.Season(c.Ctx, on.ID) },
	Allow:   func(c ClubCall, s series.Season) error { return runs(c.Who, s.Organiser) },
	Version: func(s series.Season) int64 { return s.Version },
	Init:    func(s *series.Season, o Origin) { o.into(&s.ID, &s.Organiser, &s.CreatedAt) },
	Save:    saveSeason,
	Remove: func(c ClubCall, s series.Season) error {
		return c.Seasons.DeleteSeason(c.Ctx, s.ID, s.Version)
	},
}

// saveSeason checks and stores a season. Only new parts have to exist; none may count what another part counts.
func saveSeason(c ClubCall, before *series.Season, now series.Season) (series.Season, error) {
	if err := now.Check(); err != nil {
		return now, tournament.Pointers(err)
	}
	var earlier []series.SeasonPart
	if before != nil {
		earlier = before.Parts
	}
	var counts [][]string
	for k, part := range now.Parts {
		known := slices.ContainsFunc(earlier, func(was series.SeasonPart) bool { return was.Key() == part.Key() })
		read, err := c.Reading(c.Ctx).Part(c.Ctx, part)
		switch {
		case err != nil && !season.Gone(err):
			return now, err
		case err != nil && !known:
			return now, tournament.Fault(fmt.Sprintf("parts/%d/id", k), "there is no %s %q", part.Kind, part.ID)
		}
		counts = append(counts, append(read.Counts, part.Key()))
	}
	if k, _ := series.Overlap(counts); k >= 0 {
		return now, tournament.Fault(fmt.Sprintf("parts/%d", k), "another part counts the same, or one of the same tournaments")
	}
	if err := c.Seasons.SaveSeason(c.Ctx, now); err != nil {
		return now, err
	}
	return c.Seasons.Season(c.Ctx, now.ID)
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
