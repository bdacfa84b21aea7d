package command

import (
	"cmp"
	"fmt"
	"maps"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Leagues are leagues with their seasons. A league is created with the draft of its first season; later only its name
// changes. Deleting a league leaves the tournaments of its divisions.
var Leagues = Kept[league.Stored]{
	Name: "league", New: auth.CreateTournaments,
	Load: func(c ClubCall, on On) (l league.Stored, err error) {
		l.Settings, l.Plans, err = c.Seasons.League(c.Ctx, on.ID)
		return l, err
	},
	Allow: func(c ClubCall, l league.Stored) error {
		if !l.Confirmed() && !SeesDrafts(c.Who, l.Organiser) && !c.Who.Anonymous() {
			return league.ErrNotFound
		}
		return runs(c.Who, l.Organiser)
	},
	Version: func(l league.Stored) int64 { return l.Version },
	Init: func(l *league.Stored, o Origin) {
		o.into(&l.ID, &l.Organiser, &l.CreatedAt)
		first := &l.Plans[0]
		first.League, first.Number = l.ID, 1
		first.CreatedAt = l.CreatedAt
		first.State.Name = cmp.Or(first.State.Name, "1")
	},
	Save: func(c ClubCall, before *league.Stored, now league.Stored) (league.Stored, error) {
		var err error
		if now.Name, err = league.CheckName(now.Name); err != nil {
			return now, err
		}
		if before != nil {
			return now, c.Seasons.SaveLeague(c.Ctx, now.Settings)
		}
		first := league.Planned{Settings: now.Settings, Plan: now.Plans[0]}
		if err := c.Reader.Check(c.Ctx, &first); err != nil {
			return now, err
		}
		return now, c.Seasons.CreateLeague(c.Ctx, now.Settings, first.Plan)
	},
	Remove: func(c ClubCall, l league.Stored) error { return c.Seasons.DeleteLeague(c.Ctx, l.ID, l.Version) },
}

// LeagueSeasons are seasons of leagues, by league and number. Drafts can be changed and, but for the first, deleted; of a
// confirmed season its name can be changed and, until the next is confirmed, its rules.
var LeagueSeasons = Kept[league.Planned]{
	Name: "league-season",
	Load: func(c ClubCall, on On) (league.Planned, error) {
		l, err := Leagues.owned(c, on)
		if err != nil {
			return league.Planned{}, err
		}
		return l.Season(on.Number)
	},
	Version: func(l league.Planned) int64 { return l.Plan.Version },
	Save: func(c ClubCall, before *league.Planned, now league.Planned) (league.Planned, error) {
		if now.Plan.Confirmed {
			allowed := before.Plan.State
			allowed.Name, allowed.Rules = now.Plan.State.Name, now.Plan.State.Rules
			if Tag(allowed) != Tag(now.Plan.State) {
				return now, tournament.Refuse(league.ErrState,
					"season %d is confirmed; its name and its rules can change, its members in the tournaments of the divisions", now.Plan.Number)
			}
		}
		if err := c.Reader.Check(c.Ctx, &now); err != nil {
			return now, err
		}
		return now, c.Seasons.SavePlan(c.Ctx, now.Plan)
	},
	Remove: func(c ClubCall, l league.Planned) error {
		if l.Plan.Confirmed || l.Plan.Number == 1 {
			return tournament.Refuse(league.ErrState, "only the draft of a second or later season can be thrown away")
		}
		return c.Seasons.DeletePlan(c.Ctx, l.Plan)
	},
}

// DrawUpSeason draws up the next season of the league of an id as a draft, and returns its number; an existing draft is
// that season.
var DrawUpSeason = ClubAct[string, int]{
	Name: "draw-up-league-season",
	Do: func(c ClubCall, id string) (int, error) {
		l, err := Leagues.owned(c, On{ID: id})
		if err != nil {
			return 0, err
		}
		last := l.Newest()
		if !last.Confirmed {
			return last.Number, nil
		}
		next, err := c.Reader.Next(c.Ctx, last)
		if err != nil {
			return 0, err
		}
		return next.Number, c.Seasons.SavePlan(c.Ctx, next)
	},
}

// ConfirmSeason fixes the divisions of a league season and makes their tournaments; see [season.Reader.Confirm].
var ConfirmSeason = plain("confirm-league-season", "", func(c ClubCall, on On) error {
	l, err := LeagueSeasons.seen(c, on)
	if err != nil {
		return err
	}
	if err := c.Demand(auth.CreateTournaments); err != nil {
		return err
	}
	return c.Reader.Confirm(c.Ctx, l, c.Who.AccountID)
})

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
