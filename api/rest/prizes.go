package rest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// GetPrizes returns the prizes, and their winners by the standings.
func (a *API) GetPrizes(ctx context.Context, r gen.GetPrizesIn) (gen.GetPrizesOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return a.prizesOf(ctx, t)
}

// SetPrizes replaces the prizes.
func (a *API) SetPrizes(ctx context.Context, r gen.SetPrizesIn) (gen.SetPrizesOut, error) {
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return after(ctx, a, command.SetPrizes, on, prizesSent(*r.Body), a.prizesOf)
}

// prizesSent converts a request's prizes; nil without categories.
func prizesSent(sent gen.PrizeSettings) tournament.Prizes {
	if len(sent.Categories) == 0 {
		return tournament.Prizes{}
	}
	p := tournament.Prizes{Sharing: string(prizes.ByRank), Unit: valueOf(sent.Unit), Several: valueOf(sent.Several)}
	if sent.Sharing != nil {
		p.Sharing = string(*sent.Sharing)
	}
	for _, c := range sent.Categories {
		category := tournament.PrizeCategory{
			Name: strings.TrimSpace(c.Name), RatingFrom: valueOf(c.RatingFrom),
			RatingTo: valueOf(c.RatingTo), Unrated: valueOf(c.Unrated),
			AgeFrom: valueOf(c.AgeFrom), AgeTo: valueOf(c.AgeTo),
		}
		if c.Clubs != nil && len(*c.Clubs) > 0 {
			category.Clubs = slices.Clone(*c.Clubs)
		}
		for _, prize := range c.Prizes {
			category.Prizes = append(category.Prizes, tournament.Prize{
				Amount: valueOf(prize.Amount), Text: strings.TrimSpace(valueOf(prize.Text)),
			})
		}
		p.Categories = append(p.Categories, category)
	}
	return p
}

// prizesOf returns a tournament's prizes and winners. Years of birth are read where a category depends on them, but not
// shown.
func (a *API) prizesOf(ctx context.Context, t *tournament.Tournament) (gen.TaggedPrizesJSON, error) {
	v := gen.Prizes{
		Sharing: optional(t.Prizes.Sharing), Categories: each(t.Prizes.Categories, categoryView),
		Awards: []gen.Award{}, Waived: []gen.PrizeWaiver{},
		Final: t.Status.Over(),
	}
	if len(t.Prizes.Categories) > 0 {
		unit := cmp.Or(t.Prizes.Unit, 1)
		v.Unit, v.Several = &unit, &t.Prizes.Several
	}
	answer := gen.TaggedPrizesJSON{Body: v, Headers: gen.Tagged{ETag: command.Tag(t.Prizes)}}
	if t.PublishedRounds() == 0 {
		return answer, nil
	}
	won, err := a.distribution(ctx, t)
	refs, rules := refsOf(t), prizes.RulesFor(t)
	answer.Body.Round = optional(t.PublishedRounds())
	answer.Body.Awards = each(won.Awards, func(w prizes.Award) gen.Award {
		return gen.Award{
			Category: w.Category, Entry: refs.id(w.ID), Place: w.Place, Amount: w.Amount, Text: optional(w.Text),
			Sharers: optional(w.Sharers), Why: w.Words(rules),
		}
	})
	answer.Body.Waived = each(won.Waived, func(w prizes.Waiver) gen.PrizeWaiver {
		return gen.PrizeWaiver{Category: w.Category, Entry: refs.id(w.ID), Kept: w.For, Why: w.Words()}
	})
	return answer, err
}

func (a *API) distribution(ctx context.Context, t *tournament.Tournament) (prizes.Distribution, error) {
	born := map[string]int{}
	if ids := prizes.Aged(t); len(ids) > 0 {
		players, err := a.People.Players(ctx, ids)
		if err != nil {
			return prizes.Distribution{}, err
		}
		for id, p := range players {
			born[id] = p.BirthYear
		}
	}
	table, err := a.Tournaments.Standings(t, 0)
	if err != nil {
		return prizes.Distribution{}, err
	}
	return prizes.Of(t, table, born)
}

func categoryView(c tournament.PrizeCategory) gen.PrizeCategory {
	return gen.PrizeCategory{
		Name: c.Name, RatingFrom: optional(c.RatingFrom), RatingTo: optional(c.RatingTo), Unrated: optional(c.Unrated),
		AgeFrom: optional(c.AgeFrom), AgeTo: optional(c.AgeTo), Clubs: some(c.Clubs),
		Prizes: each(c.Prizes, func(p tournament.Prize) gen.Prize {
			return gen.Prize{Amount: p.Amount, Text: optional(p.Text)}
		}),
	}
}
