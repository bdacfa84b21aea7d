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
func (a *API) GetPrizes(ctx context.Context, r gen.GetPrizesRequestObject) (gen.GetPrizesResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	body, err := a.prizesOf(ctx, t)
	return gen.GetPrizes200JSONResponse{
		Body: body, Headers: gen.GetPrizes200ResponseHeaders{ETag: command.Tag(t.Prizes)},
	}, err
}

// SetPrizes replaces the prizes.
func (a *API) SetPrizes(ctx context.Context, r gen.SetPrizesRequestObject) (gen.SetPrizesResponseObject, error) {
	changed, err := command.SetPrizes.Run(
		ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, prizesSent(*r.Body),
	)
	if err != nil {
		return nil, err
	}
	body, err := a.prizesOf(ctx, changed)
	return gen.SetPrizes200JSONResponse{
		Body: body, Headers: gen.SetPrizes200ResponseHeaders{ETag: command.Tag(changed.Prizes)},
	}, err
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
func (a *API) prizesOf(ctx context.Context, t *tournament.Tournament) (gen.Prizes, error) {
	v := gen.Prizes{
		Sharing: optional(t.Prizes.Sharing), Categories: []gen.PrizeCategory{},
		Awards: []gen.Award{}, Waived: []gen.PrizeWaiver{},
		Final: t.Status.Over(),
	}
	if len(t.Prizes.Categories) > 0 {
		unit := cmp.Or(t.Prizes.Unit, 1)
		v.Unit, v.Several = &unit, &t.Prizes.Several
	}
	for _, c := range t.Prizes.Categories {
		v.Categories = append(v.Categories, categoryView(c))
	}
	if t.PublishedRounds() == 0 {
		return v, nil
	}
	v.Round = optional(t.PublishedRounds())
	won, err := a.distribution(ctx, t)
	if err != nil {
		return v, err
	}
	refs, rules := refsOf(t), prizes.RulesFor(t)
	for _, award := range won.Awards {
		v.Awards = append(v.Awards, gen.Award{
			Category: award.Category, Entry: refs.id(award.ID), Place: award.Place,
			Amount: award.Amount, Text: optional(award.Text),
			Sharers: optional(award.Sharers), Why: award.Words(rules),
		})
	}
	for _, w := range won.Waived {
		v.Waived = append(v.Waived, gen.PrizeWaiver{Category: w.Category, Entry: refs.id(w.ID), Kept: w.For, Why: w.Words()})
	}
	return v, nil
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
	v := gen.PrizeCategory{
		Name: c.Name, Prizes: make([]gen.Prize, len(c.Prizes)),
		RatingFrom: optional(c.RatingFrom), RatingTo: optional(c.RatingTo),
		Unrated: optional(c.Unrated), AgeFrom: optional(c.AgeFrom), AgeTo: optional(c.AgeTo),
	}
	for i, p := range c.Prizes {
		v.Prizes[i] = gen.Prize{Amount: p.Amount, Text: optional(p.Text)}
	}
	if len(c.Clubs) > 0 {
		v.Clubs = &c.Clubs
	}
	return v
}
