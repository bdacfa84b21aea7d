package rest

import (
	"context"
	"strconv"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/league"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// ListLeagues lists leagues, the newest first.
func (a *API) ListLeagues(ctx context.Context, _ gen.ListLeaguesIn) (gen.ListLeaguesOut, error) {
	list, err := a.commands.Seasons.ListLeagues(ctx, command.OwnDrafts(auth.From(ctx)))
	return gen.LeagueList{Items: each(list, func(l league.Settings) gen.LeagueSummary {
		return gen.LeagueSummary{ID: l.ID, Name: l.Name}
	})}, err
}

// CreateLeague creates a league with the draft of its first season.
func (a *API) CreateLeague(ctx context.Context, r gen.CreateLeagueIn) (gen.CreateLeagueOut, error) {
	first := league.State{Rules: league.DefaultRules()}
	if err := a.commands.Offer.ApplyLeague(&first, r.Body.Season); err != nil {
		return nil, err
	}
	l := league.Stored{Settings: league.Settings{Name: r.Body.Name}, Plans: []league.Plan{{State: first}}}
	l, err := command.Leagues.Create(ctx, a.commands, idOf(auth.From(ctx), "league", r.Params.IdempotencyKey, r.Body), l)
	if err != nil {
		return nil, err
	}
	return a.leagueView(ctx, l.ID)
}

// GetLeague shows a league and its seasons.
func (a *API) GetLeague(ctx context.Context, r gen.GetLeagueIn) (gen.GetLeagueOut, error) {
	return a.leagueView(ctx, r.LeagueID)
}

// UpdateLeague renames a league.
func (a *API) UpdateLeague(ctx context.Context, r gen.UpdateLeagueIn) (gen.UpdateLeagueOut, error) {
	_, err := command.Leagues.Update(ctx, a.commands, command.On{ID: r.LeagueID, Seen: r.Params.IfMatch}, func(l *league.Stored) error {
		l.Name = r.Body.Name
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.leagueView(ctx, r.LeagueID)
}

// DeleteLeague deletes a league.
func (a *API) DeleteLeague(ctx context.Context, r gen.DeleteLeagueIn) (gen.DeleteLeagueOut, error) {
	return gen.Executed{}, command.Leagues.Delete(ctx, a.commands, command.On{ID: r.LeagueID, Seen: r.Params.IfMatch})
}

// DrawUpLeagueSeason draws up the next season.
func (a *API) DrawUpLeagueSeason(ctx context.Context, r gen.DrawUpLeagueSeasonIn) (gen.DrawUpLeagueSeasonOut, error) {
	number, err := command.DrawUpSeason.Run(ctx, a.commands, r.LeagueID)
	if err != nil {
		return nil, err
	}
	return a.leagueSeasonView(ctx, r.LeagueID, number)
}

// GetLeagueSeason shows a season of a league as it stands.
func (a *API) GetLeagueSeason(ctx context.Context, r gen.GetLeagueSeasonIn) (gen.GetLeagueSeasonOut, error) {
	return a.leagueSeasonView(ctx, r.LeagueID, r.Season)
}

// UpdateLeagueSeason changes a season of a league.
func (a *API) UpdateLeagueSeason(ctx context.Context, r gen.UpdateLeagueSeasonIn) (gen.UpdateLeagueSeasonOut, error) {
	on := command.On{ID: r.LeagueID, Number: r.Season, Seen: r.Params.IfMatch}
	_, err := command.LeagueSeasons.Update(ctx, a.commands, on, func(l *league.Planned) error {
		return a.commands.Offer.ApplyLeague(&l.Plan.State, *r.Body)
	})
	if err != nil {
		return nil, err
	}
	return a.leagueSeasonView(ctx, r.LeagueID, r.Season)
}

// DeleteLeagueSeason throws a draft away.
func (a *API) DeleteLeagueSeason(ctx context.Context, r gen.DeleteLeagueSeasonIn) (gen.DeleteLeagueSeasonOut, error) {
	on := command.On{ID: r.LeagueID, Number: r.Season, Seen: r.Params.IfMatch}
	return gen.Executed{}, command.LeagueSeasons.Delete(ctx, a.commands, on)
}

// ConfirmLeagueSeason fixes the divisions of a season and makes their tournaments.
func (a *API) ConfirmLeagueSeason(
	ctx context.Context, r gen.ConfirmLeagueSeasonIn,
) (gen.ConfirmLeagueSeasonOut, error) {
	on := command.On{ID: r.LeagueID, Number: r.Season, Seen: r.Params.IfMatch}
	if _, err := command.ConfirmSeason.Run(ctx, a.commands, on); err != nil {
		return nil, err
	}
	return a.leagueSeasonView(ctx, r.LeagueID, r.Season)
}

// ExportLeagueSeason returns a season of a league as a file.
func (a *API) ExportLeagueSeason(ctx context.Context, r gen.ExportLeagueSeasonIn) (gen.ExportLeagueSeasonOut, error) {
	l, err := a.commands.Reading(ctx).League(ctx, r.LeagueID, r.Season)
	if err != nil {
		return nil, err
	}
	view := leagueSeasonOf(l)
	rows := [][]string{{"division", "rank", "name", "points", "because", "then"}}
	for _, d := range view.Divisions {
		for _, m := range d.Members {
			row := []string{strconv.Itoa(d.Number), "", m.Name, valueOf(m.Points), string(m.Because), string(valueOf(m.Then))}
			if m.Rank != nil {
				row[1] = strconv.Itoa(*m.Rank)
			}
			rows = append(rows, row)
		}
	}
	file := fileName(l.ID, l.Name+" "+view.Name)
	return tableDownload(file, r.Params.Format == gen.ExportLeagueSeasonParamsFormatJSON, view, rows)
}

// leagueView returns a league as it is shown.
func (a *API) leagueView(ctx context.Context, id string) (gen.TaggedLeagueJSON, error) {
	l, err := a.commands.Reading(ctx).League(ctx, id, 0)
	if err != nil {
		return gen.TaggedLeagueJSON{}, err
	}
	v := gen.League{ID: l.ID, Name: l.Name}
	for _, p := range l.Plans {
		v.Seasons = append(v.Seasons, struct {
			Confirmed bool     `json:"confirmed"`
			Name      gen.Name `json:"name"`
			Number    int      `json:"number"`
		}{p.Confirmed, p.State.Name, p.Number})
	}
	tag := command.ShownTag(command.SeesDrafts(auth.From(ctx), l.Organiser), l.Version, v)
	return gen.TaggedLeagueJSON{Body: v, Headers: gen.Tagged{ETag: tag}}, nil
}

// leagueSeasonView returns a season of a league as it is shown.
func (a *API) leagueSeasonView(ctx context.Context, id string, number int) (gen.TaggedLeagueSeasonJSON, error) {
	l, err := a.commands.Reading(ctx).League(ctx, id, number)
	if err != nil {
		return gen.TaggedLeagueSeasonJSON{}, err
	}
	v := leagueSeasonOf(l)
	tag := command.ShownTag(command.SeesDrafts(auth.From(ctx), l.Organiser), l.Plan.Version, v)
	return gen.TaggedLeagueSeasonJSON{Body: v, Headers: gen.Tagged{ETag: tag}}, nil
}

// leagueSeasonOf returns a season of a league as it is shown.
func leagueSeasonOf(l *season.League) gen.LeagueSeason {
	st := l.Plan.State
	settings := command.SettingsView(st.Tournament, false)
	who := func(member string) gen.LeagueWho {
		if _, nameless := series.Nameless(member); nameless {
			return gen.LeagueWho{Name: new(l.Names[member])}
		}
		return gen.LeagueWho{PlayerID: new(member), Name: optional(l.Names[member])}
	}
	v := gen.LeagueSeason{
		LeagueID: l.ID, Number: l.Plan.Number, Name: st.Name, Confirmed: l.Plan.Confirmed, Over: l.Over,
		Up: st.Up, Down: st.Down, Playoff: st.Playoff, Variant: settings.Variant, Format: settings.Format,
		TimeControl: settings.TimeControl, Venue: settings.Venue, Rated: settings.Rated,
		Leaving: each(st.Leaving, who), Joining: each(st.Joining, who),
		Divisions: []gen.LeagueDivision{}, Playoffs: []gen.LeaguePlayOff{},
	}
	if l.Blocked != nil {
		v.Blocked = new(l.Blocked.Error())
	}
	for i, d := range l.Divisions {
		division := gen.LeagueDivision{Number: i + 1, Members: each(d.Members, func(m league.Placed) gen.LeagueMember {
			return leagueMemberOf(who(m.Name), m)
		})}
		if d.Deleted {
			division.Deleted = &d.Deleted
		}
		if d.Tournament != nil {
			division.TournamentID, division.Status = &d.Tournament.ID, new(gen.TournamentStatus(d.Tournament.Status))
		}
		v.Divisions = append(v.Divisions, division)
	}
	for _, p := range l.PlayOffs {
		match := gen.LeaguePlayOff{Border: p.Border, Upper: who(p.Upper), Lower: who(p.Lower), First: who(p.First)}
		if p.Winner != "" {
			match.Winner = new(who(p.Winner))
		}
		v.Playoffs = append(v.Playoffs, match)
	}
	return v
}

// leagueMemberOf returns a member of a division as it is shown.
func leagueMemberOf(who gen.LeagueWho, m league.Placed) gen.LeagueMember {
	v := gen.LeagueMember{
		PlayerID: who.PlayerID, Name: valueOf(who.Name), Because: gen.LeagueReason(m.Because), FromDivision: optional(m.Division),
		FromPlace: optional(m.Place), Then: optional(gen.LeagueReason(m.Then)),
	}
	if m.Row != nil {
		v.Rank, v.Points = optional(m.Row.Rank), new(m.Row.Points.String())
	}
	if m.PlayOff {
		v.Playoff = &m.PlayOff
	}
	return v
}
