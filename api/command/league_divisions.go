package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/internal/roster"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// ConfirmLeagueSeason fixes the divisions of a draft and makes their tournaments, in one transaction. On a confirmed
// season it makes those that were deleted since.
func (s *Service) ConfirmLeagueSeason(ctx context.Context, id string, number int, seen *string) error {
	who := auth.From(ctx)
	settings, plans, err := s.ownPlan(ctx, id, number, seen)
	if err != nil {
		return err
	}
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return err
	}
	if plans[number-1].Confirmed {
		return s.makeDivisions(ctx, settings, plans, nil)
	}
	p, drafts, err := s.fixed(ctx, settings, plans)
	if err != nil {
		return err
	}
	return s.saveDivisions(ctx, p, drafts)
}

// saveDivisions stores a season with new tournaments of its divisions.
func (s *Service) saveDivisions(ctx context.Context, p league.Plan, drafts []director.Draft) error {
	if err := s.Seasons.SavePlan(ctx, p, drafts...); err != nil {
		return err
	}
	s.DraftsStored(drafts)
	return nil
}

// fixed returns a draft with its divisions, as it is confirmed, and the tournaments of these.
func (s *Service) fixed(
	ctx context.Context, settings league.Settings, plans []league.Plan,
) (league.Plan, []director.Draft, error) {
	p := plans[len(plans)-1]
	if err := s.checkPlan(ctx, &p, plans[:len(plans)-1]); err != nil {
		return p, nil, withPointers(err)
	}
	table, err := p.Table(plans, s.leagueSource(ctx))
	if err != nil {
		return p, nil, err
	}
	if table.Blocked != nil {
		return p, nil, table.Blocked
	}
	p.Confirmed, p.State.Divisions = true, nil
	for _, d := range table.Divisions {
		var division league.Division
		for _, m := range d.Members {
			division.Members = append(division.Members, m.Member)
		}
		if len(division.Members) > 1 {
			division.Tournament = s.NewID()
		}
		p.State.Divisions = append(p.State.Divisions, division)
	}
	drafts, err := s.draftDivisions(ctx, settings, p, plans[:len(plans)-1], func(string) bool { return true })
	if err == nil && len(drafts) == 0 {
		err = tournament.Refuse(league.ErrState, "a season needs a division with at least two members")
	}
	return p, drafts, err
}

// draftDivisions returns the tournaments of some divisions with their members. They are closed for others.
func (s *Service) draftDivisions(
	ctx context.Context, l league.Settings, p league.Plan, before []league.Plan, wanted func(id string) bool,
) (drafts []director.Draft, err error) {
	teams, err := s.squads(ctx, p, before)
	if err != nil {
		return nil, err
	}
	for i, d := range p.State.Divisions {
		if d.Tournament == "" || !wanted(d.Tournament) {
			continue
		}
		settings := divisionSettings(l, p, i)
		t := &tournament.Tournament{Variant: settings.Variant, TimeControl: settings.TimeControl}
		entries, err := s.divisionEntries(ctx, t, d, teams)
		if err != nil {
			return nil, err
		}
		draft, err := s.DraftClosed(ctx, d.Tournament, settings, l.Organiser, entries, cmp.Or(auth.From(ctx).AccountID, l.Organiser))
		if err != nil {
			return nil, below(fmt.Sprintf("divisions/%d", i), err)
		}
		drafts = append(drafts, draft)
	}
	return drafts, nil
}

// divisionSettings returns the settings of a division's tournament.
func divisionSettings(l league.Settings, p league.Plan, division int) tournament.Settings {
	settings := p.State.Tournament
	settings.Name = fmt.Sprintf("%s %s · %d", l.Name, p.State.Name, division+1)
	if settings.Teams != nil { // settings of before may begin with B
		rules := *settings.Teams
		rules.Colours = tournament.WhiteFirst(rules.Colours)
		settings.Teams = &rules
	}
	return settings
}

// makeDivisions makes tournaments of a confirmed season that are missing, the last of some plans: those named, or all
// for nil. Tournaments that an older version of the program has left half-made get their entries, and are closed.
func (s *Service) makeDivisions(ctx context.Context, l league.Settings, plans []league.Plan, named []string) error {
	p, before := plans[len(plans)-1], plans[:len(plans)-1]
	missing := map[string]bool{}
	for _, d := range p.State.Divisions {
		if d.Tournament == "" || named != nil && !slices.Contains(named, d.Tournament) {
			continue
		}
		t, err := s.Tournament(ctx, d.Tournament)
		if missing[d.Tournament] = errors.Is(err, tournament.ErrNotFound); missing[d.Tournament] {
			continue
		}
		if err == nil {
			err = s.closeDivision(ctx, l, p, before, t)
		}
		if err != nil {
			return err
		}
	}
	drafts, err := s.draftDivisions(ctx, l, p, before, func(id string) bool { return missing[id] })
	if err != nil || len(drafts) == 0 {
		return err
	}
	return s.saveDivisions(ctx, p, drafts)
}

// closeDivision enters the members of a division into its tournament and closes it, if it was never closed.
func (s *Service) closeDivision(
	ctx context.Context, l league.Settings, p league.Plan, before []league.Plan, t *tournament.Tournament,
) error {
	if t.Status != tournament.Draft && t.Status != tournament.Open {
		return nil
	}
	acts, err := s.Director.Acts(ctx, t.ID)
	if err != nil || slices.ContainsFunc(acts, func(a tournament.Act) bool { return a.Kind == tournament.ActClose }) {
		return err
	}
	order := director.Order{By: l.Organiser, Expect: t.Version}
	if len(t.Entries) == 0 {
		drafts, err := s.draftDivisions(ctx, l, p, before, func(id string) bool { return id == t.ID })
		if err != nil {
			return err
		}
		if t, err = s.Do(ctx, t.ID, director.AddEntries(drafts[0].Last().Entries), order); err != nil {
			return err
		}
		order.Expect = t.Version
	}
	_, err = s.Do(ctx, t.ID, director.Close, order)
	return err
}

// MendLeagues completes seasons of leagues that were left half-made.
func (s *Service) MendLeagues(ctx context.Context) error {
	half, err := s.Seasons.HalfMade(ctx)
	for _, season := range half {
		l, plans, e := s.Seasons.League(ctx, season.League)
		if e == nil {
			e = s.makeDivisions(ctx, l, plans[:season.Number], season.Tournaments)
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("league %s, season %d: %w", season.League, season.Number, e))
		}
	}
	return err
}

// divisionEntries returns the entries of a division's members: players, or teams with their squads.
func (s *Service) divisionEntries(
	ctx context.Context, t *tournament.Tournament, d league.Division, teams map[string]tournament.Entry,
) (entries []tournament.Entry, err error) {
	players, err := s.People.Players(ctx, league.PlayerIDs(d.Names()))
	if err != nil {
		return nil, err
	}
	for _, m := range d.Members {
		e := teams[m.Name]
		if name, nameless := series.Nameless(m.Name); nameless {
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
