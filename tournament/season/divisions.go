package season

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Confirm fixes the divisions of a draft and makes their tournaments, in a transaction, as an account. On a confirmed
// season it makes the tournaments that were deleted since.
func (r *Reader) Confirm(ctx context.Context, l league.Planned, by string) error {
	if l.Plan.Confirmed {
		return r.makeDivisions(ctx, l, nil, by)
	}
	if err := r.Check(ctx, &l); err != nil {
		return err
	}
	table, err := l.Plan.Table(l.Before, r.source(ctx))
	if err != nil {
		return err
	}
	if table.Blocked != nil {
		return table.Blocked
	}
	l.Plan.Confirmed, l.Plan.State.Divisions = true, nil
	for _, d := range table.Divisions {
		var division league.Division
		for _, m := range d.Members {
			division.Members = append(division.Members, m.Member)
		}
		if len(division.Members) > 1 {
			division.Tournament = r.Director.NewID()
		}
		l.Plan.State.Divisions = append(l.Plan.State.Divisions, division)
	}
	drafts, err := r.draftDivisions(ctx, l, func(string) bool { return true }, by)
	if err == nil && len(drafts) == 0 {
		err = tournament.Refuse(league.ErrState, "a season needs a division with at least two members")
	}
	if err != nil {
		return err
	}
	return r.saveDivisions(ctx, l.Plan, drafts)
}

// saveDivisions stores a season with new tournaments of its divisions.
func (r *Reader) saveDivisions(ctx context.Context, p league.Plan, drafts []director.Draft) error {
	if err := r.Store.SavePlan(ctx, p, drafts...); err != nil {
		return err
	}
	r.Director.DraftsStored(drafts)
	return nil
}

// draftDivisions returns the tournaments of some divisions with their members. They are closed for others.
func (r *Reader) draftDivisions(
	ctx context.Context, l league.Planned, wanted func(id string) bool, by string,
) (drafts []director.Draft, err error) {
	teams, err := r.squads(ctx, l)
	if err != nil {
		return nil, err
	}
	for i, d := range l.Plan.State.Divisions {
		if d.Tournament == "" || !wanted(d.Tournament) {
			continue
		}
		settings := l.DivisionSettings(i)
		entries, err := r.divisionEntries(ctx, settings, d, teams)
		if err != nil {
			return nil, err
		}
		draft, err := r.Director.DraftClosed(ctx, d.Tournament, settings, l.Organiser, entries, cmp.Or(by, l.Organiser))
		if err != nil {
			return nil, below(fmt.Sprintf("divisions/%d", i), err)
		}
		drafts = append(drafts, draft)
	}
	return drafts, nil
}

// makeDivisions makes missing tournaments of a confirmed season: those named, or all for nil. Tournaments that an older
// version of the program has left half-made get their entries, and are closed.
func (r *Reader) makeDivisions(ctx context.Context, l league.Planned, named []string, by string) error {
	missing := map[string]bool{}
	for _, d := range l.Plan.State.Divisions {
		if d.Tournament == "" || named != nil && !slices.Contains(named, d.Tournament) {
			continue
		}
		t, err := r.Director.Tournament(ctx, d.Tournament)
		if errors.Is(err, tournament.ErrNotFound) {
			missing[d.Tournament] = true
			continue
		}
		if err == nil {
			err = r.closeDivision(ctx, l, t, by)
		}
		if err != nil {
			return err
		}
	}
	drafts, err := r.draftDivisions(ctx, l, func(id string) bool { return missing[id] }, by)
	if err != nil || len(drafts) == 0 {
		return err
	}
	return r.saveDivisions(ctx, l.Plan, drafts)
}

// closeDivision enters the members of a division into its tournament and closes it, if it was never closed.
func (r *Reader) closeDivision(ctx context.Context, l league.Planned, t *tournament.Tournament, by string) error {
	if t.Status != tournament.Draft && t.Status != tournament.Open {
		return nil
	}
	acts, err := r.Director.Acts(ctx, t.ID)
	if err != nil || slices.ContainsFunc(acts, func(a tournament.Act) bool { return a.Kind == tournament.ActClose }) {
		return err
	}
	order := director.Order{By: l.Organiser, Expect: t.Version}
	if len(t.Entries) == 0 {
		drafts, err := r.draftDivisions(ctx, l, func(id string) bool { return id == t.ID }, by)
		if err != nil {
			return err
		}
		if t, err = r.Director.Do(ctx, t.ID, director.AddEntries(drafts[0].Last().Entries), order); err != nil {
			return err
		}
		order.Expect = t.Version
	}
	_, err = r.Director.Do(ctx, t.ID, director.Close, order)
	return err
}

// Repair completes league seasons that were left half-made.
func (r *Reader) Repair(ctx context.Context) error {
	half, err := r.Store.HalfMade(ctx)
	for _, season := range half {
		settings, plans, e := r.Store.League(ctx, season.League)
		if e == nil {
			l := league.Planned{Settings: settings, Plan: plans[season.Number-1], Before: plans[:season.Number-1]}
			e = r.makeDivisions(ctx, l, season.Tournaments, "")
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("league %s, season %d: %w", season.League, season.Number, e))
		}
	}
	return err
}

// divisionEntries returns the entries of a division's members: players, or teams with their squads.
func (r *Reader) divisionEntries(
	ctx context.Context, s tournament.Settings, d league.Division, teams map[string]tournament.Entry,
) (entries []tournament.Entry, err error) {
	players, err := r.People.Players(ctx, league.PlayerIDs(d.Names()))
	if err != nil {
		return nil, err
	}
	t := &tournament.Tournament{Variant: s.Variant, TimeControl: s.TimeControl}
	for _, m := range d.Members {
		e := teams[m.Name]
		if name, nameless := series.Nameless(m.Name); nameless {
			e = tournament.Entry{Name: name, Club: e.Club, Members: e.Members, Rating: e.Rating, Captain: e.Captain, Deputies: e.Deputies}
		} else if e, err = r.EntryOf(ctx, t, m.Name, players[m.Name]); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// squads returns the teams of a season by their names: as they played in the season before, or as they are new.
func (r *Reader) squads(ctx context.Context, l league.Planned) (map[string]tournament.Entry, error) {
	teams := map[string]tournament.Entry{}
	if len(l.Before) > 0 {
		for _, d := range l.Before[len(l.Before)-1].State.Divisions {
			t, err := r.Director.Tournament(ctx, d.Tournament)
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
	for team, squad := range l.Plan.State.Squads {
		teams[team] = tournament.Entry{Members: squad}
	}
	return teams, nil
}
