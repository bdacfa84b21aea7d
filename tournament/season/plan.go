package season

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"quatuor/tournament"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Ended returns an error unless a league season has ended: league.ErrState.
func (r *Reader) Ended(ctx context.Context, p league.Plan) error {
	_, _, err := p.Ended(r.source(ctx))
	return err
}

// Next returns the draft of the season after another that has ended, with its rules.
func (r *Reader) Next(ctx context.Context, last league.Plan) (league.Plan, error) {
	number := last.Number + 1
	next := league.Plan{League: last.League, Number: number, CreatedAt: r.Now().UnixMilli(), State: league.State{
		Name: strconv.Itoa(number), Rules: last.State.Rules, Tournament: last.State.Tournament,
	}}
	return next, r.Ended(ctx, last)
}

// Check refuses a league season that cannot be played, and brings a draft into normal form. Faults have JSON pointers.
func (r *Reader) Check(ctx context.Context, l *league.Planned) error {
	return tournament.Pointers(r.check(ctx, l))
}

func (r *Reader) check(ctx context.Context, l *league.Planned) error {
	p := &l.Plan
	if err := p.State.Check(); err != nil {
		return err
	}
	if p.Confirmed {
		return nil
	}
	settings := p.State.Tournament
	settings.Name = p.State.Name
	settings, err := r.Director.Checked(settings)
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
	if err := r.checkMembers(ctx, p.State); err != nil || p.Number == 1 {
		return err
	}
	last, _, err := l.Before[len(l.Before)-1].Ended(r.source(ctx))
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
func (r *Reader) checkMembers(ctx context.Context, st league.State) error {
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
	players, err := r.People.Players(ctx, slices.Concat(league.PlayerIDs(all), slices.Concat(slices.Collect(maps.Values(st.Squads))...)))
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
