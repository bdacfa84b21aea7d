package command

import (
	"cmp"

	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/league"
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
		l.ID, l.Organiser = o.ID, o.By
		l.CreatedAt = o.At.UnixMilli()
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
