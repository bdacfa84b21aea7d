package command

import (
	"context"
	"errors"
	"maps"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
	"quatuor/tournament/standings"
)

// LeagueSeason is a season of a league as it stands: a draft is computed from the final rankings of the season before.
type LeagueSeason struct {
	league.Settings
	Plan      league.Plan
	Plans     []league.Plan // all that the reader may see
	Runs      bool          // the reader runs the league
	Divisions []LeagueDivision
	Last      *league.Season // of a draft: the season before, as it ended; nil for the first
	PlayOffs  []LeagueMatch
	Names     map[string]string
	Over      bool  // the divisions are finished
	Blocked   error // why there are no divisions, or why nobody moves; nil otherwise
}

// LeagueDivision is a division with its members in the order of the ranking.
type LeagueDivision struct {
	Tournament *tournament.Tournament // nil where there is none, or the reader does not see it
	Deleted    bool
	Members    []LeagueMember
}

// LeagueMember is a member of a division: where it comes from, and where the season leads it as it stands.
type LeagueMember struct {
	league.Member
	Row     *standings.Row // nil without a tournament
	Then    league.Reason
	PlayOff bool
}

// LeagueMatch is a play-off, with the one that sits first.
type LeagueMatch struct {
	league.PlayOff
	First  string
	Winner string // "" while it is open
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
	if l.Plan.Confirmed {
		err = s.playing(ctx, l)
	} else {
		err = s.drafted(ctx, l)
	}
	if err == nil {
		err = s.leagueNames(ctx, l)
	}
	return l, err
}

// playing fills in a confirmed season.
func (s *Service) playing(ctx context.Context, l *LeagueSeason) error {
	season := league.Season{Rules: l.Plan.State.Rules}
	seeds := make([]string, len(l.Plan.State.Divisions))
	l.Over = true
	for i, d := range l.Plan.State.Divisions {
		division, err := s.leagueDivision(ctx, d, &season)
		if err != nil {
			return err
		}
		if t := division.Tournament; t != nil {
			seeds[i] = t.LotSeed
		}
		l.Over = l.Over && division.over(d)
		l.Divisions = append(l.Divisions, division)
	}
	next, err := season.Next()
	if err != nil {
		l.Blocked = err
		return nil
	}
	then := map[string]league.Reason{}
	for _, members := range next {
		for _, m := range members {
			if m.Because != league.Stays {
				then[m.Name] = m.Because
			}
		}
	}
	for _, name := range season.Leaving {
		then[name] = league.Leaves
	}
	matches, err := season.PlayOffs()
	l.addPlayOffs(matches, seeds, nil)
	for _, d := range l.Divisions {
		for i := range d.Members {
			m := &d.Members[i]
			m.Then = then[m.Name]
			m.PlayOff = slices.ContainsFunc(matches, func(p league.PlayOff) bool { return m.Name == p.Upper || m.Name == p.Lower })
		}
	}
	return err
}

// over reports whether a division has nothing to be played any more.
func (d LeagueDivision) over(stored league.Division) bool {
	if stored.Tournament == "" {
		return true
	}
	return d.Tournament != nil && (d.Tournament.Status == tournament.Finished || d.Tournament.Status == tournament.Archived)
}

// addPlayOffs adds the matches with their lots and winners.
func (l *LeagueSeason) addPlayOffs(matches []league.PlayOff, seeds, winners []string) {
	for _, p := range matches {
		match := LeagueMatch{PlayOff: p, First: p.First(seeds[p.Border-1])}
		if p.Border <= len(winners) {
			match.Winner = winners[p.Border-1]
		}
		l.PlayOffs = append(l.PlayOffs, match)
	}
}

// leagueDivision returns a division as its reader may see it, and enters it into the season.
func (s *Service) leagueDivision(
	ctx context.Context, d league.Division, season *league.Season,
) (LeagueDivision, error) {
	var out LeagueDivision
	known := map[string]league.Member{}
	for _, m := range d.Members {
		known[m.Name] = m
	}
	if d.Tournament != "" {
		t, _, err := access.Tournament(ctx, s, d.Tournament, auth.From(ctx))
		if err != nil && !errors.Is(err, tournament.ErrNotFound) {
			return out, err
		}
		if out.Deleted = err != nil; !out.Deleted {
			out.Tournament = t.Public()
		}
	}
	if out.Tournament == nil {
		for _, m := range d.Members {
			out.Members = append(out.Members, LeagueMember{Member: m})
		}
		season.Divisions = append(season.Divisions, names(d))
		return out, nil
	}
	rows, err := league.Ranking(out.Tournament)
	if err != nil {
		return out, err
	}
	season.Enter(out.Tournament, rows)
	for i, name := range season.Divisions[len(season.Divisions)-1] {
		m, ok := known[name]
		if !ok {
			m = league.Member{Name: name, Because: league.Joins}
		}
		out.Members = append(out.Members, LeagueMember{Member: m, Row: &rows[i]})
	}
	return out, nil
}

func names(d league.Division) []string {
	out := make([]string, len(d.Members))
	for i, m := range d.Members {
		out[i] = m.Name
	}
	return out
}

// ended returns a season as it ended, and the seeds of its divisions' lots. Players that were deleted leave. The error
// is league.ErrState while it is not over.
func (s *Service) ended(ctx context.Context, p league.Plan) (season league.Season, seeds []string, err error) {
	season.Rules = p.State.Rules
	seeds = make([]string, len(p.State.Divisions))
	for i, d := range p.State.Divisions {
		if d.Tournament == "" {
			season.Divisions = append(season.Divisions, names(d))
			continue
		}
		t, err := s.Tournament(ctx, d.Tournament)
		switch {
		case errors.Is(err, tournament.ErrNotFound):
			return season, nil, tournament.Refuse(league.ErrState,
				"the tournament of division %d was deleted; confirm season %d again to make a new one", i+1, p.Number)
		case err != nil:
			return season, nil, err
		case t.Status != tournament.Finished && t.Status != tournament.Archived:
			return season, nil, tournament.Refuse(league.ErrState, "division %d of season %d is not finished", i+1, p.Number)
		}
		rows, err := league.Ranking(t)
		if err != nil {
			return season, nil, err
		}
		season.Enter(t, rows)
		seeds[i] = t.LotSeed
	}
	all := slices.Concat(season.Divisions...)
	players, err := s.People.Players(ctx, playerIDs(all))
	for _, name := range all {
		if players[name].Gone > 0 && !slices.Contains(season.Leaving, name) {
			season.Leaving = append(season.Leaving, name)
		}
	}
	if err == nil {
		_, err = season.Next()
	}
	return season, seeds, err
}

// playerIDs returns the names of members that are players' ids.
func playerIDs(members []string) (ids []string) {
	for _, name := range members {
		if _, nameless := series.Nameless(name); !nameless {
			ids = append(ids, name)
		}
	}
	return ids
}

// drafted fills in a draft.
func (s *Service) drafted(ctx context.Context, l *LeagueSeason) error {
	divisions := make([][]league.Member, len(l.Plan.State.Divisions))
	for i, d := range l.Plan.State.Divisions {
		divisions[i] = d.Members
	}
	if l.Plan.Number > 1 {
		last, seeds, err := s.ended(ctx, l.Plans[l.Plan.Number-2])
		if errors.Is(err, league.ErrState) || errors.Is(err, tournament.ErrInvalid) {
			l.Blocked = err
			return nil
		}
		if err != nil {
			return err
		}
		l.Last = &last
		decided := l.Plan.State.After(last)
		if divisions, err = decided.Next(); err != nil {
			return err
		}
		matches, err := decided.PlayOffs()
		if err != nil {
			return err
		}
		l.addPlayOffs(matches, seeds, decided.Winners)
	}
	for len(divisions) > 1 && len(divisions[len(divisions)-1]) == 0 {
		divisions = divisions[:len(divisions)-1]
	}
	for _, members := range divisions {
		division := LeagueDivision{}
		for _, m := range members {
			division.Members = append(division.Members, LeagueMember{Member: m})
		}
		l.Divisions = append(l.Divisions, division)
	}
	return nil
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
	players, err := s.People.Players(ctx, playerIDs(members))
	for id, p := range players {
		named[id] = p.Name
	}
	return named, err
}
