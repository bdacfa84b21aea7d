package rest

import (
	"context"

	openapi "github.com/oapi-codegen/runtime/types"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/rating/ledger"
)

// ListRatingLists lists the rating lists.
func (a *API) ListRatingLists(ctx context.Context, _ gen.ListRatingListsIn) (gen.ListRatingListsOut, error) {
	lists, err := a.Ratings.Lists(ctx)
	return gen.RatingLists{Items: each(lists, func(l ledger.ListSummary) gen.RatingList {
		return gen.RatingList{ID: l.List, Players: l.Players, Games: l.Games, LastAt: command.OptionalMoment(l.LastAt)}
	})}, err
}

// RecomputeRatings computes a rating list again from its games.
func (a *API) RecomputeRatings(ctx context.Context, r gen.RecomputeRatingsIn) (gen.RecomputeRatingsOut, error) {
	report, err := command.RecomputeRatings.Run(ctx, a.commands, r.List)
	return gen.RatingReview{List: r.List, Rows: report.Rows, Changed: report.Wrong + report.Standing + report.Sums}, err
}

// GetRanking lists the players of a rating list, best first.
func (a *API) GetRanking(ctx context.Context, r gen.GetRankingIn) (gen.GetRankingOut, error) {
	page, next, err := a.rankingAt(
		ctx, r.List, r.Params.At, r.Params.Active, pageLength(r.Params.Limit), valueOf(r.Params.Cursor),
	)
	body := gen.Ranking{List: r.List, Items: rankedPlayers(page), NextCursor: optional(next)}
	return gen.GetRanking200JSON{Body: body, Headers: a.linked(next)}, err
}

// rankingAt returns a page of a list: the current list, or that at the start of a day (UTC).
func (a *API) rankingAt(
	ctx context.Context, list string, at *openapi.Date, active *bool, limit int, cursor string,
) ([]ledger.Ranked, string, error) {
	wanted := ledger.Wanted{List: list, Active: valueOf(active)}
	if at != nil {
		wanted.Day = at.Time
	}
	return a.Lists.ListAt(ctx, a.Ratings, wanted, a.Now(), limit, cursor)
}

// ListPlayerRatings lists a player's ratings in all lists.
func (a *API) ListPlayerRatings(ctx context.Context, r gen.ListPlayerRatingsIn) (gen.ListPlayerRatingsOut, error) {
	if _, err := a.People.Player(ctx, r.PlayerID); err != nil {
		return nil, err
	}
	ratings, err := a.Ratings.OfPlayer(ctx, r.PlayerID)
	return gen.PlayerRatingList{Items: rankedPlayers(ratings)}, err
}

func rankedPlayers(list []ledger.Ranked) []gen.RankedPlayer {
	return each(list, func(r ledger.Ranked) gen.RankedPlayer {
		return gen.RankedPlayer{
			List: r.List, Rank: r.Rank, Player: *playerRef(r.PlayerID, map[string]string{r.PlayerID: r.Name}),
			Rating: r.Rating.Value, Games: r.Rating.Games, TournamentGames: r.Rating.FromTournaments,
			LastAt: command.OptionalMoment(r.LastAt),
		}
	})
}

// GetRatingHistory lists the changes of a player's rating by game.
func (a *API) GetRatingHistory(ctx context.Context, r gen.GetRatingHistoryIn) (gen.GetRatingHistoryOut, error) {
	if _, err := a.People.Player(ctx, r.PlayerID); err != nil {
		return nil, err
	}
	rows, err := a.Ratings.History(ctx, r.List, r.PlayerID)
	if err != nil {
		return nil, err
	}
	page, next, err := cut(rows, r.Params.Limit, r.Params.Cursor, func(row ledger.Row) string { return row.GameID })
	return gen.GetRatingHistory200JSON{
		Body: gen.RatingHistory{Items: each(page, ratingChange), NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

// ListGameRatingChanges lists the rating changes of a game's players.
func (a *API) ListGameRatingChanges(
	ctx context.Context, r gen.ListGameRatingChangesIn,
) (gen.ListGameRatingChangesOut, error) {
	if _, err := a.Tables.Snapshot(ctx, r.GameID); err != nil {
		return nil, err
	}
	rows, err := a.Ratings.Changes(ctx, r.GameID)
	if err != nil {
		return nil, err
	}
	out := gen.RatingChangeList{Items: each(rows, ratingChange)}
	if len(rows) == 0 {
		omitted, ok, err := a.Lists.OmittedGame(ctx, a.Ratings, r.GameID)
		if err != nil {
			return nil, err
		}
		if ok {
			out.Uncounted = new(uncountedGame(omitted))
		}
	}
	return out, nil
}

func ratingChange(r ledger.Row) gen.RatingChange {
	return gen.RatingChange{
		GameID: r.GameID, List: r.List, PlayerID: r.PlayerID, Seat: int8(r.Seat), System: r.System, Before: r.Before,
		After: r.After, Change: r.Change, Expected: r.Expected, Score: r.Score, K: r.K, Games: r.GamesAfter,
		At: command.Moment(r.At),
	}
}
