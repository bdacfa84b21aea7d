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
	out := gen.ExplainRating200JSON{
		List: r.List, Rules: a.Lists.Rules(r.List).Text, Items: make([]gen.ExplainedChange, len(history.Changes)),
	}
	for i, e := range history.Changes {
		out.Items[i] = explainedChange(e)
	}
	if len(history.Uncounted) == 0 {
		return out, nil
	}
	list := make([]gen.UncountedGame, len(history.Uncounted))
	for i, g := range history.Uncounted {
		list[i] = uncountedGame(g)
	}
	out.Uncounted = &list
	return out, nil
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
		Change: ratingChanges([]ledger.Row{e.Row})[0], Place: e.Seq,
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
	out := gen.GetRatingProspect200JSON{List: r.List, Rated: rated}
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
	if err != nil {
		return nil, err
	}
	out := gen.RatingMarkList{Items: make([]gen.RatingMark, len(page)), NextCursor: optional(next)}
	for i, m := range page {
		out.Items[i] = ratingMark(m)
	}
	return gen.ListRatingMarks200JSON{Body: out, Headers: gen.ListRatingMarks200Headers{
		Link: nextLink("/rating-marks", next, r.Params.Limit, nil),
	}}, nil
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
	if err != nil {
		return nil, err
	}
	return gen.CreateRatingMark201JSON(ratingMark(m)), nil
}

// LiftRatingMark lifts a mark.
func (a *API) LiftRatingMark(ctx context.Context, r gen.LiftRatingMarkIn) (gen.LiftRatingMarkOut, error) {
	m, err := command.LiftMark.Run(ctx, a.commands, r.MarkID)
	if err != nil {
		return nil, err
	}
	return gen.LiftRatingMark200JSON(ratingMark(m)), nil
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
	out := gen.ImportRatings200JSON{Stored: !try && !ledger.Refused(all), Items: make([]gen.GivenRating, len(all))}
	for i, o := range all {
		out.Items[i] = gen.GivenRating{
			Line: o.Line, PlayerID: o.PlayerID, Name: optional(o.Name), List: o.List,
			Rating: o.Value, Deviation: optional(o.Deviation),
			Before: optional(o.Before), Refusal: optional(gen.GivenRatingRefusal(o.Refusal)),
		}
	}
	return out, nil
}
