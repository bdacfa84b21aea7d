package command

import (
	"context"
	"errors"
	"fmt"

	"quatuor/api/auth"
	"quatuor/api/internal/roster"
	"quatuor/tournament"
	"quatuor/tournament/league"
	"quatuor/tournament/prix"
)

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
	if settings.Teams != nil { // settings of before may begin with B
		rules := *settings.Teams
		rules.Colours = tournament.WhiteFirst(rules.Colours)
		settings.Teams = &rules
	}
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
