package command

import (
	"cmp"
	"fmt"
	"maps"

	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// ApplyLeague changes what a patch of a season has.
func (o Offer) ApplyLeague(to *league.State, p gen.LeagueSeasonPatch) error {
	Set(&to.Name, p.Name)
	Set(&to.Up, p.Up)
	Set(&to.Down, p.Down)
	Set(&to.Playoff, p.Playoff)
	if p.Tournament != nil {
		if err := o.Apply(&to.Tournament, *p.Tournament); err != nil {
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
			*of = append(*of, member)
			if who.Squad != nil {
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
	to.Squads = nil
	if len(squads) > 0 {
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
