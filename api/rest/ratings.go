package rest

import (
	"context"
	"net/url"

	openapi "github.com/oapi-codegen/runtime/types"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/rating/ledger"
)

// ListRatingLists lists the rating lists.
func (a *API) ListRatingLists(ctx context.Context, _ gen.ListRatingListsIn) (gen.ListRatingListsOut, error) {
	lists, err := a.Ratings.Lists(ctx)
	if err != nil {
		return nil, err
	}
	out := gen.ListRatingLists200JSON{Items: make([]gen.RatingList, len(lists))}
	for i, l := range lists {
		out.Items[i] = gen.RatingList{
			ID: l.List, Players: l.Players, Games: l.Games, LastAt: command.OptionalMoment(l.LastAt),
		}
	}
	return out, nil
}

// RecomputeRatings computes a rating list again from its games.
func (a *API) RecomputeRatings(ctx context.Context, r gen.RecomputeRatingsIn) (gen.RecomputeRatingsOut, error) {
	report, err := command.RecomputeRatings.Run(ctx, a.commands, r.List)
	if err != nil {
		return nil, err
	}
	return gen.RecomputeRatings200JSON{
		List: r.List, Rows: report.Rows, Changed: report.Wrong + report.Standing + report.Sums,
	}, nil
}

// GetRanking lists the players of a rating list, best first.
func (a *API) GetRanking(ctx context.Context, r gen.GetRankingIn) (gen.GetRankingOut, error) {
	query := map[string]string{}
	if valueOf(r.Params.Active) {
		query["active"] = "true"
	}
	if r.Params.At != nil {
		query["at"] = r.Params.At.String()
	}
	page, next, err := a.rankingAt(
		ctx, r.List, r.Params.At, r.Params.Active, pageLength(r.Params.Limit), valueOf(r.Params.Cursor),
	)
	if err != nil {
		return nil, err
	}
	body := gen.Ranking{List: r.List, Items: rankedPlayers(page), NextCursor: optional(next)}
	return gen.GetRanking200JSON{Body: body, Headers: gen.GetRanking200Headers{
		Link: nextLink("/ratings/"+url.PathEscape(r.List), next, r.Params.Limit, query),
	}}, nil
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
	if err != nil {
		return nil, err
	}
	return gen.ListPlayerRatings200JSON{Items: rankedPlayers(ratings)}, nil
}

func rankedPlayers(list []ledger.Ranked) []gen.RankedPlayer {
	out := make([]gen.RankedPlayer, len(list))
	for i, r := range list {
		out[i] = gen.RankedPlayer{
			List: r.List, Rank: r.Rank, Player: *playerRef(r.PlayerID, map[string]string{r.PlayerID: r.Name}), Rating: r.Rating.Value,
			Games: r.Rating.Games, TournamentGames: r.Rating.FromTournaments, LastAt: command.OptionalMoment(r.LastAt),
		}
	}
	return out
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
	if err != nil {
		return nil, err
	}
	path := "/players/" + url.PathEscape(r.PlayerID) + "/ratings/" + url.PathEscape(r.List) + "/history"
	return gen.GetRatingHistory200JSON{
		Body:    gen.RatingHistory{Items: ratingChanges(page), NextCursor: optional(next)},
		Headers: gen.GetRatingHistory200Headers{Link: nextLink(path, next, r.Params.Limit, nil)},
	}, nil
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
	out := gen.ListGameRatingChanges200JSON{Items: ratingChanges(rows)}
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

func ratingChanges(rows []ledger.Row) []gen.RatingChange {
	out := make([]gen.RatingChange, len(rows))
	for i, r := range rows {
		out[i] = gen.RatingChange{
			GameID: r.GameID, List: r.List, PlayerID: r.PlayerID, Seat: int8(r.Seat), System: r.System, Before: r.Before,
			After: r.After, Change: r.Change, Expected: r.Expected, Score: r.Score, K: r.K, Games: r.GamesAfter,
			At: command.Moment(r.At),
		}
	}
	return out
}
