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

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/api/internal/roster"
	"quatuor/tournament"
	"quatuor/tournament/league"
	"quatuor/tournament/prix"
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
	if !l.Runs {
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
		if _, nameless := prix.Nameless(name); !nameless {
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
		if name, nameless := prix.Nameless(member); nameless {
			named[member] = name
		}
	}
	players, err := s.People.Players(ctx, playerIDs(members))
	for id, p := range players {
		named[id] = p.Name
	}
	return named, err
}

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
	if !slices.ContainsFunc(plans, func(p league.Plan) bool { return p.Confirmed }) && !Runs(who, l.Organiser) && !who.Anonymous() {
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
	if _, _, err := s.ended(ctx, last); err != nil {
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
	last, _, err := s.ended(ctx, before[len(before)-1])
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
	players, err := s.People.Players(ctx, slices.Concat(playerIDs(all), slices.Concat(slices.Collect(maps.Values(st.Squads))...)))
	if err != nil {
		return err
	}
	for _, member := range all {
		for k, id := range st.Squads[member] {
			if p, known := players[id]; !known || p.Gone > 0 {
				return tournament.Fault(fmt.Sprintf("%s/squad/%d", places[member], k), "there is no player %q", id)
			}
		}
		name, nameless := prix.Nameless(member)
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

// ConfirmLeagueSeason fixes the divisions of a draft and makes their tournaments. On a confirmed season it makes
// those that are missing, so that it can be repeated after a failure.
func (s *Service) ConfirmLeagueSeason(ctx context.Context, id string, number int, seen *string) error {
	who := auth.From(ctx)
	settings, plans, err := s.ownPlan(ctx, id, number, seen)
	if err != nil {
		return err
	}
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return err
	}
	p := plans[number-1]
	if !p.Confirmed {
		if p, err = s.fixed(ctx, settings, plans); err != nil {
			return err
		}
		if err := s.Seasons.SavePlan(ctx, p); err != nil {
			return err
		}
	}
	return s.openDivisions(ctx, settings, p, plans[:number-1])
}

// fixed returns a draft with its divisions, as it is confirmed.
func (s *Service) fixed(ctx context.Context, settings league.Settings, plans []league.Plan) (league.Plan, error) {
	p := plans[len(plans)-1]
	if err := s.checkPlan(ctx, &p, plans[:len(plans)-1]); err != nil {
		return p, withPointers(err)
	}
	l := &LeagueSeason{Settings: settings, Plan: p, Plans: plans}
	if err := s.drafted(ctx, l); err != nil {
		return p, err
	}
	if l.Blocked != nil {
		return p, l.Blocked
	}
	p.Confirmed, p.State.Divisions = true, nil
	teams, err := s.squads(ctx, p, plans[:len(plans)-1])
	if err != nil {
		return p, err
	}
	played := false
	for i, d := range l.Divisions {
		var division league.Division
		for _, m := range d.Members {
			division.Members = append(division.Members, m.Member)
		}
		if len(division.Members) > 1 {
			division.Tournament, played = s.NewID(), true
			t := &tournament.Tournament{Variant: p.State.Tournament.Variant, TimeControl: p.State.Tournament.TimeControl}
			entries, err := s.divisionEntries(ctx, t, division, teams)
			if err != nil {
				return p, err
			}
			if _, err := s.Checked(divisionSettings(settings, p, i), entries...); err != nil {
				return p, below(fmt.Sprintf("divisions/%d", i), err)
			}
		}
		p.State.Divisions = append(p.State.Divisions, division)
	}
	if !played {
		return p, tournament.Refuse(league.ErrState, "a season needs a division with at least two members")
	}
	return p, nil
}

// divisionSettings returns the settings of a division's tournament.
func divisionSettings(l league.Settings, p league.Plan, division int) tournament.Settings {
	settings := p.State.Tournament
	settings.Name = fmt.Sprintf("%s %s · %d", l.Name, p.State.Name, division+1)
	return settings
}

// errEntered ends an attempt to enter the members of a division that has entries.
var errEntered = errors.New("the members have been entered")

// openDivisions makes the tournaments of a season that are missing, and enters the members. They are closed for others.
func (s *Service) openDivisions(ctx context.Context, l league.Settings, p league.Plan, before []league.Plan) error {
	teams, err := s.squads(ctx, p, before)
	if err != nil {
		return err
	}
	for i, d := range p.State.Divisions {
		if d.Tournament == "" {
			continue
		}
		t, err := s.Director.Create(ctx, d.Tournament, divisionSettings(l, p, i), l.Organiser)
		if err != nil {
			return err
		}
		if err := s.openDivision(ctx, t, d, teams); err != nil {
			return err
		}
	}
	return nil
}

// openDivision enters the members of a division into its tournament, unless that has been done.
func (s *Service) openDivision(
	ctx context.Context, t *tournament.Tournament, d league.Division, teams map[string]tournament.Entry,
) error {
	if t.Status != tournament.Draft {
		return nil
	}
	entries, err := s.divisionEntries(ctx, t, d, teams)
	if err != nil {
		return err
	}
	on := On{ID: t.ID, If: func(t *tournament.Tournament) error {
		if len(t.Entries) > 0 {
			return errEntered
		}
		return nil
	}}
	_, err = AddEntries.Run(ctx, s, on, Entries{Entries: entries})
	if err != nil && !errors.Is(err, errEntered) {
		return err
	}
	for _, stage := range []Command[None]{Open, Close} {
		if _, err := stage.Run(ctx, s, On{ID: t.ID}, None{}); err != nil && !errors.Is(err, tournament.ErrState) {
			return err
		}
	}
	return nil
}

// divisionEntries returns the entries of a division's members: players, or teams with their squads.
func (s *Service) divisionEntries(
	ctx context.Context, t *tournament.Tournament, d league.Division, teams map[string]tournament.Entry,
) (entries []tournament.Entry, err error) {
	players, err := s.People.Players(ctx, playerIDs(names(d)))
	if err != nil {
		return nil, err
	}
	for _, m := range d.Members {
		e := teams[m.Name]
		if name, nameless := prix.Nameless(m.Name); nameless {
			e = tournament.Entry{Name: name, Club: e.Club, Members: e.Members, Rating: e.Rating, Captain: e.Captain, Deputies: e.Deputies}
		} else if e, err = roster.EntryOf(ctx, s.Ratings, t, "", []string{m.Name}, players); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// squads returns the teams of a season by their names: as they played in the season before, or as they are new.
func (s *Service) squads(
	ctx context.Context, p league.Plan, before []league.Plan,
) (map[string]tournament.Entry, error) {
	teams := map[string]tournament.Entry{}
	if len(before) > 0 {
		for _, d := range before[len(before)-1].State.Divisions {
			t, err := s.Tournament(ctx, d.Tournament)
			if errors.Is(err, tournament.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, e := range t.Entries {
				teams[league.Key(t, e)] = e
			}
		}
	}
	for team, squad := range p.State.Squads {
		teams[team] = tournament.Entry{Members: squad}
	}
	return teams, nil
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
	return prix.Named(name), nil
}
