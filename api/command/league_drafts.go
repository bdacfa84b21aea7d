package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// CreateLeague creates a league with the draft of its first season, and an id of the caller's choice, "" for any; a
// second one of the same id is the first.
func (s *Service) CreateLeague(ctx context.Context, id, name string, first league.State) (string, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return "", err
	}
	name, err := league.CheckName(name)
	if err != nil {
		return "", err
	}
	id = cmp.Or(id, uuid.Must(uuid.NewV7()).String())
	first.Name = cmp.Or(first.Name, "1")
	now := s.Now().UnixMilli()
	plan := league.Plan{League: id, Number: 1, State: first, CreatedAt: now}
	if err := s.checkPlan(ctx, &plan, nil); err != nil {
		return "", withPointers(err)
	}
	return id, s.Seasons.CreateLeague(ctx, league.Settings{ID: id, Name: name, Organiser: who.AccountID, CreatedAt: now}, plan)
}

// ownLeague returns a league that the caller runs, with its seasons.
func (s *Service) ownLeague(ctx context.Context, id string) (league.Settings, []league.Plan, error) {
	l, plans, err := s.Seasons.League(ctx, id)
	if err != nil {
		return l, nil, err
	}
	who := auth.From(ctx)
	if !slices.ContainsFunc(plans, func(p league.Plan) bool { return p.Confirmed }) && !SeesDrafts(who, l.Organiser) && !who.Anonymous() {
		return l, nil, league.ErrNotFound
	}
	return l, plans, runs(who, l.Organiser)
}

// ownPlan returns a season of a league that the caller runs and has seen as it is.
func (s *Service) ownPlan(
	ctx context.Context, id string, number int, seen *string,
) (league.Settings, []league.Plan, error) {
	l, plans, err := s.ownLeague(ctx, id)
	switch {
	case err != nil:
		return l, nil, err
	case number < 1 || number > len(plans):
		return l, nil, league.ErrNotFound
	}
	return l, plans[:number], CheckTag(seen, VersionTag(plans[number-1].Version))
}

// RenameLeague changes a league's name.
func (s *Service) RenameLeague(ctx context.Context, id string, seen *string, name string) error {
	l, _, err := s.ownLeague(ctx, id)
	if err == nil {
		err = CheckTag(seen, VersionTag(l.Version))
	}
	if err == nil {
		l.Name, err = league.CheckName(name)
	}
	if err != nil {
		return err
	}
	return s.Seasons.SaveLeague(ctx, l)
}

// DeleteLeague deletes a league; the tournaments of its divisions stay.
func (s *Service) DeleteLeague(ctx context.Context, id string, seen *string) error {
	l, _, err := s.ownLeague(ctx, id)
	if err == nil {
		err = CheckTag(seen, VersionTag(l.Version))
	}
	if err != nil {
		return err
	}
	return s.Seasons.DeleteLeague(ctx, id, l.Version)
}

// NextLeagueSeason draws up the next season of a league as a draft, and returns its number; a draft that is there is
// that one.
func (s *Service) NextLeagueSeason(ctx context.Context, id string) (int, error) {
	_, plans, err := s.ownLeague(ctx, id)
	if err != nil {
		return 0, err
	}
	last := plans[len(plans)-1]
	if !last.Confirmed {
		return last.Number, nil
	}
	if _, _, err := last.Ended(s.leagueSource(ctx)); err != nil {
		return 0, err
	}
	next := league.Plan{
		League: id, Number: last.Number + 1, CreatedAt: s.Now().UnixMilli(), State: league.State{
			Name: strconv.Itoa(last.Number + 1), Rules: last.State.Rules, Tournament: last.State.Tournament,
		},
	}
	return next.Number, s.Seasons.SavePlan(ctx, next)
}

// UpdateLeagueSeason changes a season of a league: a draft; of a confirmed one its name and, until the next is
// confirmed, its rules.
func (s *Service) UpdateLeagueSeason(
	ctx context.Context, id string, number int, seen *string, change func(*league.State) error,
) error {
	_, plans, err := s.ownPlan(ctx, id, number, seen)
	if err != nil {
		return err
	}
	p := plans[number-1]
	before := p.State
	p.State.Divisions = slices.Clone(before.Divisions)
	if err := change(&p.State); err != nil {
		return err
	}
	if p.Confirmed {
		allowed := before
		allowed.Name, allowed.Rules = p.State.Name, p.State.Rules
		if Tag(allowed) != Tag(p.State) {
			return tournament.Refuse(league.ErrState,
				"season %d is confirmed; its name and its rules can change, its members in the tournaments of the divisions", number)
		}
	}
	if err := s.checkPlan(ctx, &p, plans[:number-1]); err != nil {
		return withPointers(err)
	}
	return s.Seasons.SavePlan(ctx, p)
}

// checkPlan refuses a season that cannot be, with the ones before it.
func (s *Service) checkPlan(ctx context.Context, p *league.Plan, before []league.Plan) error {
	if err := p.State.Check(); err != nil {
		return err
	}
	if p.Confirmed {
		return nil
	}
	settings := p.State.Tournament
	settings.Name = p.State.Name
	settings, err := s.Checked(settings)
	if err != nil {
		return below("tournament", err)
	}
	p.State.Tournament = settings
	if p.Number == 1 && len(p.State.Leaving)+len(p.State.Joining)+len(p.State.Winners) > 0 {
		return tournament.Fault("joining", "the first season has its members in divisions; nobody leaves or joins")
	}
	if p.Number > 1 && len(p.State.Divisions) > 0 {
		return tournament.Fault("divisions", "the divisions follow from the season before; say who leaves and joins")
	}
	if err := s.checkMembers(ctx, p.State); err != nil || p.Number == 1 {
		return err
	}
	last, _, err := before[len(before)-1].Ended(s.leagueSource(ctx))
	if err != nil {
		return err
	}
	return p.State.Fits(last)
}

// below returns faults as those of a part of what was sent.
func below(part string, err error) error {
	var faults tournament.FieldErrors
	if errors.As(err, &faults) {
		for i := range faults {
			faults[i].Field = part + "/" + faults[i].Field
		}
	}
	return err
}

// checkMembers refuses members that cannot play in these divisions.
func (s *Service) checkMembers(ctx context.Context, st league.State) error {
	places := map[string]string{}
	var all []string
	for i, d := range st.Divisions {
		for k, m := range d.Members {
			places[m.Name] = fmt.Sprintf("divisions/%d/members/%d", i, k)
			all = append(all, m.Name)
		}
	}
	for k, name := range st.Joining {
		places[name] = fmt.Sprintf("joining/%d", k)
		all = append(all, name)
	}
	players, err := s.People.Players(ctx, slices.Concat(league.PlayerIDs(all), slices.Concat(slices.Collect(maps.Values(st.Squads))...)))
	if err != nil {
		return err
	}
	for _, member := range all {
		for k, id := range st.Squads[member] {
			if p, known := players[id]; !known || p.Gone > 0 {
				return tournament.Fault(fmt.Sprintf("%s/squad/%d", places[member], k), "there is no player %q", id)
			}
		}
		name, nameless := series.Nameless(member)
		player, known := players[member]
		switch {
		case st.Tournament.Format.Teams() && !nameless:
			return tournament.Fault(places[member]+"/player_id", "the members are teams, which have a name and no player")
		case !nameless && (!known || player.Gone > 0):
			return tournament.Fault(places[member]+"/player_id", "there is no player %q", member)
		case nameless && !st.Tournament.Format.Teams() && st.Tournament.Venue != tournament.InHall:
			return tournament.Fault(places[member]+"/name", "there is no player %q, and only players with a record play on the server", name)
		}
	}
	return nil
}

// DropLeagueSeason throws a draft away.
func (s *Service) DropLeagueSeason(ctx context.Context, id string, number int, seen *string) error {
	_, plans, err := s.ownPlan(ctx, id, number, seen)
	if err != nil {
		return err
	}
	if p := plans[number-1]; p.Confirmed || number == 1 {
		return tournament.Refuse(league.ErrState, "only the draft of a second or later season can be thrown away")
	}
	return s.Seasons.DeletePlan(ctx, plans[number-1])
}

// ApplyLeague changes what a patch of a season has.
func (s *Service) ApplyLeague(to *league.State, p gen.LeagueSeasonPatch) error {
	Set(&to.Name, p.Name)
	Set(&to.Up, p.Up)
	Set(&to.Down, p.Down)
	Set(&to.Playoff, p.Playoff)
	if p.Tournament != nil {
		if err := s.Apply(&to.Tournament, *p.Tournament); err != nil {
			return err
		}
	}
	squads := maps.Clone(to.Squads)
	if squads == nil {
		squads = map[string][]string{}
	}
	var err error
	members := func(of *[]string, sent *[]gen.LeagueWho, place string) {
		if sent == nil || err != nil {
			return
		}
		*of = nil
		for k, who := range *sent {
			var member string
			if member, err = leagueMember(who, fmt.Sprintf("%s/%d", place, k)); err != nil {
				return
			}
			if *of = append(*of, member); who.Squad != nil {
				squads[member] = *who.Squad
			}
		}
	}
	members(&to.Leaving, p.Leaving, "leaving")
	members(&to.Joining, p.Joining, "joining")
	if p.Divisions != nil {
		to.Divisions = nil
		for i, sent := range *p.Divisions {
			var of []string
			members(&of, &sent.Members, fmt.Sprintf("divisions/%d/members", i))
			var d league.Division
			for _, name := range of {
				d.Members = append(d.Members, league.Member{Name: name, Because: league.Joins})
			}
			to.Divisions = append(to.Divisions, d)
		}
	}
	if p.Playoffs != nil {
		to.Winners = nil
		for k, match := range *p.Playoffs {
			winner, e := leagueMember(match.Winner, fmt.Sprintf("playoffs/%d/winner", k))
			err = cmp.Or(err, e)
			to.Winners = append(to.Winners, make([]string, max(0, match.Border-len(to.Winners)))...)
			to.Winners[match.Border-1] = winner
		}
	}
	if to.Squads = nil; len(squads) > 0 {
		to.Squads = squads
	}
	return err
}

// leagueMember returns the name of a member that was sent.
func leagueMember(who gen.LeagueWho, place string) (string, error) {
	switch {
	case who.PlayerID != nil:
		return *who.PlayerID, nil
	case who.Name == nil:
		return "", tournament.Fault(place, "name a player by player_id, or somebody else by name")
	}
	name, err := league.CheckName(*who.Name)
	if err != nil {
		return "", tournament.Fault(place+"/name", "%q is no name", *who.Name)
	}
	if err := club.CheckName(name); err != nil {
		return "", tournament.Fault(place+"/name", "%v", err)
	}
	return series.Named(name), nil
}
