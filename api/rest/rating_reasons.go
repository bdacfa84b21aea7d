package rest

import (
	"context"
	"io"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
)

// ExplainRating explains a player's rating, game by game.
func (a *API) ExplainRating(ctx context.Context, r gen.ExplainRatingIn) (gen.ExplainRatingOut, error) {
	if _, err := a.People.Player(ctx, r.PlayerID); err != nil {
		return nil, err
	}
	history, err := a.Lists.History(ctx, a.Ratings, r.List, r.PlayerID, valueOf(r.Params.Before))
	if err != nil {
		return nil, err
	}
	return gen.RatingExplanation{
		List: r.List, Rules: a.Lists.Rules(r.List).Text, Items: each(history.Changes, explainedChange),
		Uncounted: some(each(history.Uncounted, uncountedGame)),
	}, nil
}

// uncountedGame returns why a game is not rated.
func uncountedGame(g ledger.OmittedGame) gen.UncountedGame {
	out := gen.UncountedGame{
		GameID: g.GameID, At: command.Moment(g.FinishedAt), Reason: gen.FewMoves, Moves: optional(g.Few),
	}
	if l := g.Limit; l != nil {
		period := gen.UncountedGamePeriod(systems.PeriodName(l.Period))
		out.Reason = gen.PairLimit
		out.Games = &l.Games
		out.Period = &period
		out.Casual = &l.Casual
	}
	return out
}

func explainedChange(e systems.Explanation) gen.ExplainedChange {
	out := gen.ExplainedChange{
		Change: ratingChange(e.Row), Place: e.Seq,
		Refunded: optional(e.Refunded), Deviation: optional(e.Deviation),
	}
	for _, o := range e.Vs {
		c := gen.RatingComparison{
			Players: o.Players, Strength: o.Strength, Score: o.Score,
			Expected: o.Expected, Deviation: optional(o.Side.Deviation),
		}
		if o.Additive {
			c.Points = new(o.Points)
		}
		out.Against = append(out.Against, c)
	}
	return out
}

// GetRatingProspect returns how a game would change a player's rating.
func (a *API) GetRatingProspect(ctx context.Context, r gen.GetRatingProspectIn) (gen.GetRatingProspectOut, error) {
	sides := [][]string{{r.PlayerID}}
	for _, id := range r.Params.Against {
		sides = append(sides, []string{id})
	}
	for _, side := range sides {
		if _, err := a.People.Player(ctx, side[0]); err != nil {
			return nil, err
		}
	}
	p, rated, err := a.Lists.Prospect(ctx, a.Ratings, r.List, sides, r.PlayerID, a.Now())
	if err != nil {
		return nil, err
	}
	out := gen.RatingProspect{List: r.List, Rated: rated}
	if rated && !p.Unrated {
		out.Before = &p.Before
		out.Win = &p.Win
		out.Draw = &p.Draw
		out.Loss = &p.Loss
	}
	return out, nil
}

// ListRatingMarks lists the marks of players.
func (a *API) ListRatingMarks(ctx context.Context, r gen.ListRatingMarksIn) (gen.ListRatingMarksOut, error) {
	marks, err := command.RatingMarks.Run(ctx, a.commands, command.None{})
	if err != nil {
		return nil, err
	}
	page, next, err := cut(marks, r.Params.Limit, r.Params.Cursor, func(m ledger.Mark) string { return m.ID })
	return gen.ListRatingMarks200JSON{
		Body: gen.RatingMarkList{Items: each(page, ratingMark), NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

func ratingMark(m ledger.Mark) gen.RatingMark {
	return gen.RatingMark{
		ID: m.ID, PlayerID: m.PlayerID, TournamentID: optional(m.TournamentID),
		From: command.OptionalMoment(m.From), Until: command.OptionalMoment(m.Until),
		Reason: m.Reason, At: command.Moment(m.At), LiftedAt: command.OptionalMoment(m.LiftedAt),
	}
}

// CreateRatingMark creates a mark for a player.
func (a *API) CreateRatingMark(ctx context.Context, r gen.CreateRatingMarkIn) (gen.CreateRatingMarkOut, error) {
	m := ledger.Mark{PlayerID: r.Body.PlayerID, TournamentID: valueOf(r.Body.TournamentID), Reason: r.Body.Reason}
	if m.TournamentID == "" && r.Body.From != nil && r.Body.Until != nil {
		var err error
		if m.From, err = command.ReadMoment(*r.Body.From, "/from"); err != nil {
			return nil, err
		}
		if m.Until, err = command.ReadMoment(*r.Body.Until, "/until"); err != nil {
			return nil, err
		}
	}
	m, err := command.MarkPlayer.Run(ctx, a.commands, m)
	return ratingMark(m), err
}

// LiftRatingMark lifts a mark.
func (a *API) LiftRatingMark(ctx context.Context, r gen.LiftRatingMarkIn) (gen.LiftRatingMarkOut, error) {
	m, err := command.LiftMark.Run(ctx, a.commands, r.MarkID)
	return ratingMark(m), err
}

// ImportRatings imports initial ratings.
func (a *API) ImportRatings(ctx context.Context, r gen.ImportRatingsIn) (gen.ImportRatingsOut, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	try := valueOf(r.Params.Try)
	all, err := command.GiveRatings.Run(ctx, a.commands, command.RatingTable{Text: text, Try: try})
	if err != nil {
		return nil, err
	}
	items := each(all, func(o ledger.GivenOutcome) gen.GivenRating {
		return gen.GivenRating{
			Line: o.Line, PlayerID: o.PlayerID, Name: optional(o.Name), List: o.List,
			Rating: o.Value, Deviation: optional(o.Deviation),
			Before: optional(o.Before), Refusal: optional(gen.GivenRatingRefusal(o.Refusal)),
		}
	})
	return gen.RatingImport{Stored: !try && !ledger.Refused(all), Items: items}, nil
}
