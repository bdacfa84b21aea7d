package season

import (
	"context"
	"maps"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/league"
)

// League is a league season as its viewer may see it.
type League struct {
	league.Settings
	league.Table
	Plan  league.Plan
	Plans []league.Plan // all that the viewer may see
	Names map[string]string
}

// League returns the present state of a season of a league, 0 for the newest that the viewer may see.
func (r Reading) League(ctx context.Context, id string, number int) (*League, error) {
	settings, plans, err := r.Store.League(ctx, id)
	if err != nil {
		return nil, err
	}
	if !r.viewer.SeesDrafts(settings.Organiser) {
		plans = slices.DeleteFunc(plans, func(p league.Plan) bool { return !p.Confirmed })
	}
	if number == 0 {
		number = len(plans)
	}
	if number < 1 || number > len(plans) {
		return nil, league.ErrNotFound
	}
	l := &League{Settings: settings, Plan: plans[number-1], Plans: plans}
	source := r.source(ctx)
	source.Seen = func(id string) (*tournament.Tournament, error) {
		t, err := r.viewer.Tournament(ctx, id)
		if err != nil {
			return nil, err
		}
		return t.Public(), nil
	}
	if l.Table, err = l.Plan.Table(plans, source); err != nil {
		return l, err
	}
	l.Names, err = r.memberNames(ctx, l.names())
	return l, err
}

// names returns the keys of all members, and the players of squads.
func (l *League) names() []string {
	all := slices.Concat(l.Plan.State.Leaving, l.Plan.State.Joining, slices.Concat(slices.Collect(maps.Values(l.Plan.State.Squads))...))
	for _, d := range l.Divisions {
		for _, m := range d.Members {
			all = append(all, m.Name)
		}
	}
	if l.Last != nil {
		all = append(all, slices.Concat(l.Last.Divisions...)...)
	}
	return all
}

// source reads the tournaments of a league season as they are stored.
func (r *Reader) source(ctx context.Context) league.Source {
	stored := func(id string) (*tournament.Tournament, error) { return r.Director.Tournament(ctx, id) }
	return league.Source{
		Seen: stored, Stored: stored,
		Deleted: func(ids []string) (map[string]bool, error) {
			players, err := r.People.Players(ctx, ids)
			deleted := map[string]bool{}
			for id, p := range players {
				deleted[id] = p.Gone > 0
			}
			return deleted, err
		},
	}
}
