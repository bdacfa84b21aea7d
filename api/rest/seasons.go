package rest

import (
	"context"
	"strconv"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/exact"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// ListSeasons lists the seasons of the club, the latest first.
func (a *API) ListSeasons(ctx context.Context, _ gen.ListSeasonsIn) (gen.ListSeasonsOut, error) {
	list, err := a.commands.Seasons.ListSeasons(ctx)
	return gen.SeasonList{Items: each(list, func(s series.Season) gen.SeasonSummary {
		return gen.SeasonSummary{ID: s.ID, Name: s.Name, From: s.From, To: s.To}
	})}, err
}

// CreateSeason creates a season.
func (a *API) CreateSeason(ctx context.Context, r gen.CreateSeasonIn) (gen.CreateSeasonOut, error) {
	b := r.Body
	s := series.Season{Rules: series.DefaultRules()}
	err := command.ApplySeason(&s, gen.SeasonPatch{
		Name: &b.Name, From: &b.From, To: &b.To, Parts: b.Parts, Table: b.Table, Best: b.Best, Least: b.Least,
	})
	if err != nil {
		return nil, err
	}
	s, err = command.Seasons.Create(ctx, a.commands, idOf(auth.From(ctx), "season", r.Params.IdempotencyKey, b), s)
	if err != nil {
		return nil, err
	}
	return a.seasonView(ctx, s.ID)
}

// GetSeason shows a season with its tables.
func (a *API) GetSeason(ctx context.Context, r gen.GetSeasonIn) (gen.GetSeasonOut, error) {
	return a.seasonView(ctx, r.SeasonID)
}

// UpdateSeason changes a season.
func (a *API) UpdateSeason(ctx context.Context, r gen.UpdateSeasonIn) (gen.UpdateSeasonOut, error) {
	_, err := command.Seasons.Update(ctx, a.commands, command.On{ID: r.SeasonID, Seen: r.Params.IfMatch}, func(s *series.Season) error {
		return command.ApplySeason(s, *r.Body)
	})
	if err != nil {
		return nil, err
	}
	return a.seasonView(ctx, r.SeasonID)
}

// DeleteSeason deletes a season.
func (a *API) DeleteSeason(ctx context.Context, r gen.DeleteSeasonIn) (gen.DeleteSeasonOut, error) {
	return gen.Executed{}, command.Seasons.Delete(ctx, a.commands, command.On{ID: r.SeasonID, Seen: r.Params.IfMatch})
}

// ExportSeason returns the table of a season as a file.
func (a *API) ExportSeason(ctx context.Context, r gen.ExportSeasonIn) (gen.ExportSeasonOut, error) {
	shown, err := a.seasonView(ctx, r.SeasonID)
	if err != nil {
		return nil, err
	}
	view := shown.Body
	head := []string{"rank", "name", "points"}
	for _, part := range view.Parts {
		head = append(head, part.Name)
	}
	rows := [][]string{head}
	for _, st := range view.Standings {
		row := make([]string, len(head))
		if st.Rank != nil {
			row[0] = strconv.Itoa(*st.Rank)
		}
		row[1], row[2] = st.Name, st.Points
		for _, result := range st.Results {
			row[3+result.Part] = bracketed(result.Points, result.Counted)
		}
		rows = append(rows, row)
	}
	file := fileName(view.ID, view.Name)
	return tableDownload(file, r.Params.Format == gen.ExportSeasonParamsFormatJSON, view, rows)
}

// GetSeasonPlayer shows what a player did in a season.
func (a *API) GetSeasonPlayer(ctx context.Context, r gen.GetSeasonPlayerIn) (gen.GetSeasonPlayerOut, error) {
	p, err := a.commands.Reading(ctx).Member(ctx, r.SeasonID, r.PlayerID)
	if err != nil {
		return nil, err
	}
	v := gen.SeasonPlayer{
		PlayerID: p.Player, Name: p.Names[p.Player], Won: p.Won, Drawn: p.Drawn, Lost: p.Lost, White: p.White, Black: p.Black,
		Streak: p.Streak, LongestStreak: p.MaxStreak, Games: []gen.SeasonGame{},
		Opponents: each(p.Opponents, func(o season.Opponent) gen.SeasonOpponent {
			return gen.SeasonOpponent{Opponent: seasonMember(p.Names, o.Player), Won: o.Won, Drawn: o.Drawn, Lost: o.Lost}
		}),
	}
	for _, g := range p.Games {
		game := gen.SeasonGame{
			At: command.Moment(g.At), Name: g.Name, Score: []string{"0", "0.5", "1"}[g.Score],
			Opponents: seasonMembers(p.Names, g.Opponents),
		}
		if g.Seat > 0 {
			game.Colour = new([]string{"white", "black"}[g.Seat-1])
		}
		v.Games = append(v.Games, game)
	}
	return v, nil
}

func seasonMember(names map[string]string, member string) gen.SeasonMember {
	if name, nameless := series.Nameless(member); nameless {
		return gen.SeasonMember{Name: name}
	}
	return gen.SeasonMember{PlayerID: &member, Name: names[member]}
}

func seasonMembers(names map[string]string, members []string) []gen.SeasonMember {
	return each(members, func(member string) gen.SeasonMember { return seasonMember(names, member) })
}

// seasonView returns a season as it is shown.
func (a *API) seasonView(ctx context.Context, id string) (gen.TaggedSeasonJSON, error) {
	t, err := a.commands.Reading(ctx).Season(ctx, id)
	if err != nil {
		return gen.TaggedSeasonJSON{}, err
	}
	v := gen.Season{
		ID: t.ID, Name: t.Name, From: t.From, To: t.To, Best: t.Rules.Best, Least: t.Rules.Least,
		Table: each(t.Rules.Table, exact.Decimal.Text), Parts: []gen.SeasonPart{}, Standings: []gen.SeasonRow{},
	}
	for _, p := range t.Parts {
		v.Parts = append(v.Parts, gen.SeasonPart{
			Kind: gen.SeasonPartKind(p.Kind), ID: p.ID, Season: optional(p.Number), Name: p.Name, Weight: p.Weight.Text(), Over: p.Over,
			Winners: seasonMembers(t.Names, p.Winners()),
			Rows: each(p.Rows, func(row season.Row) gen.SeasonPartRow {
				return gen.SeasonPartRow{
					Rank: row.Rank.Rank, Players: seasonMembers(t.Names, row.Players), Value: optional(row.Value),
					Division: optional(row.Division),
				}
			}),
		})
	}
	for _, st := range t.Standings {
		row := gen.SeasonRow{
			Rank: optional(st.Rank), Name: t.Names[st.Player], Points: st.Points.String(), Results: []gen.SeasonResult{},
			PlayerID: seasonMember(t.Names, st.Player).PlayerID,
		}
		for k, score := range st.Results() {
			row.Results = append(row.Results, gen.SeasonResult{
				Part: score.Event, Place: score.Place, Shared: score.Shared, Points: score.Points.String(), Counted: k < len(st.Counted),
			})
		}
		v.Standings = append(v.Standings, row)
	}
	tag := command.ShownTag(command.SeesDrafts(auth.From(ctx), t.Organiser), t.Version, v)
	return gen.TaggedSeasonJSON{Body: v, Headers: gen.Tagged{ETag: tag}}, nil
}
