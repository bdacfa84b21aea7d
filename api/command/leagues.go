package command

import (
	"context"
	"maps"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// LeagueSeason is a league season as its reader may see it.
type LeagueSeason struct {
	league.Settings
	league.Table
	Plan  league.Plan
	Plans []league.Plan // all that the reader may see
	Runs  bool          // the reader runs the league
	Names map[string]string
}

// League returns a season of a league as it stands, 0 for the newest that the reader may see.
func (s *Service) League(ctx context.Context, id string, number int) (*LeagueSeason, error) {
	settings, plans, err := s.Seasons.League(ctx, id)
	if err != nil {
		return nil, err
	}
	l := &LeagueSeason{Settings: settings, Plans: plans, Runs: Runs(auth.From(ctx), settings.Organiser)}
	if !SeesDrafts(auth.From(ctx), settings.Organiser) {
		l.Plans = slices.DeleteFunc(plans, func(p league.Plan) bool { return !p.Confirmed })
	}
	if number == 0 {
		number = len(l.Plans)
	}
	if number < 1 || number > len(l.Plans) {
		return nil, league.ErrNotFound
	}
	l.Plan = l.Plans[number-1]
	l.Table, err = l.Plan.Table(l.Plans, s.leagueSource(ctx))
	if err == nil {
		err = s.leagueNames(ctx, l)
	}
	return l, err
}

// leagueSource reads what the caller's table of a league season is computed from.
func (s *Service) leagueSource(ctx context.Context) league.Source {
	return league.Source{
		Seen: func(id string) (*tournament.Tournament, error) {
			t, _, err := access.Tournament(ctx, s, id, auth.From(ctx))
			if err != nil {
				return nil, err
			}
			return t.Public(), nil
		},
		Stored: func(id string) (*tournament.Tournament, error) { return s.Tournament(ctx, id) },
		Deleted: func(ids []string) (map[string]bool, error) {
			players, err := s.People.Players(ctx, ids)
			deleted := map[string]bool{}
			for id, p := range players {
				deleted[id] = p.Gone > 0
			}
			return deleted, err
		},
	}
}

// leagueNames looks up all names.
func (s *Service) leagueNames(ctx context.Context, l *LeagueSeason) error {
	all := slices.Concat(l.Plan.State.Leaving, l.Plan.State.Joining, slices.Concat(slices.Collect(maps.Values(l.Plan.State.Squads))...))
	for _, d := range l.Divisions {
		for _, m := range d.Members {
			all = append(all, m.Name)
		}
	}
	if l.Last != nil {
		all = append(all, slices.Concat(l.Last.Divisions...)...)
	}
	var err error
	l.Names, err = s.memberNames(ctx, all)
	return err
}

// memberNames returns what members are called: players by their records, others by what stands in their key.
func (s *Service) memberNames(ctx context.Context, members []string) (map[string]string, error) {
	named := map[string]string{}
	for _, member := range members {
		if name, nameless := series.Nameless(member); nameless {
			named[member] = name
		}
	}
	players, err := s.People.Players(ctx, league.PlayerIDs(members))
	for id, p := range players {
		named[id] = p.Name
	}
	return named, err
}
