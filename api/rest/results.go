package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// GetResult shows a board's result and how it came about.
func (a *API) GetResult(ctx context.Context, r gen.GetResultRequestObject) (gen.GetResultResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.result(ctx, t, r.Round, r.Board)
	return gen.GetResult200JSONResponse{Body: body, Headers: gen.GetResult200ResponseHeaders{ETag: tag}}, err
}

// SetResult sets or corrects a result by hand, or notes that a game goes on later.
func (a *API) SetResult(ctx context.Context, r gen.SetResultRequestObject) (gen.SetResultResponseObject, error) {
	decide, err := a.decision(*r.Body)
	if err != nil {
		return nil, err
	}
	if _, err := a.allowed(ctx, r.TournamentID, auth.EnterResults); err != nil {
		return nil, err
	}
	o := order(ctx)
	o.If = a.asSeen(ctx, r.Params.IfMatch, boardTags(r.Round, r.Board))
	changed, err := decide(ctx, r.TournamentID, r.Round, r.Board, o)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.resultAfter(ctx, changed, r.Round, r.Board)
	return gen.SetResult200JSONResponse{Body: body, Headers: gen.SetResult200ResponseHeaders{ETag: tag}}, err
}

// boardTags returns the tags of a board and of its round, for changes that build on either.
func boardTags(n, board int) func(*tournament.Tournament) ([]string, error) {
	return func(t *tournament.Tournament) ([]string, error) {
		round, err := publishedRound(t, n)
		if err != nil {
			return nil, err
		}
		p, err := t.Pairing(n, board)
		return []string{contentTag(p), contentTag(round)}, err
	}
}

// decision is what is to be done with a board.
type decision func(ctx context.Context, id string, round, board int, o director.Order) (*tournament.Tournament, error)

func (a *API) decision(sent gen.NewResult) (decision, error) {
	why := valueOf(sent.Reason)
	if valueOf(sent.Adjourned) {
		if sent.Result != nil || sent.Ranks != nil || sent.Absent != nil || valueOf(sent.Adjudicated) || sent.Rated != nil {
			return nil, command.Invalid("/adjourned", "a game that goes on later has no result yet; leave result, ranks, absent, adjudicated and rated out")
		}
		return func(ctx context.Context, id string, round, board int, o director.Order) (*tournament.Tournament, error) {
			return a.Tournaments.Adjourn(ctx, id, round, board, why, o)
		}, nil
	}
	verdict, err := verdictOf(sent)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, id string, round, board int, o director.Order) (*tournament.Tournament, error) {
		return a.Tournaments.SetResult(ctx, id, round, board, verdict, why, o)
	}, nil
}

func verdictOf(sent gen.NewResult) (v tournament.Verdict, err error) {
	switch {
	case sent.Result != nil && (sent.Ranks != nil || sent.Absent != nil):
		return v, command.Invalid("/ranks", "give either result, or ranks and absent, not both")
	case sent.Absent != nil:
		v.Ranks = valueOf(sent.Ranks)
		for _, seat := range *sent.Absent {
			v.Missing = append(v.Missing, int(seat))
		}
	case sent.Result != nil:
		v, err = tournament.ParseVerdict(string(*sent.Result))
	case sent.Ranks != nil:
		v, err = tournament.RankVerdict(*sent.Ranks)
	default:
		return v, command.Invalid("/result", "give result, such as 1-0, or ranks by seat, or absent seats of a table, or adjourned: true")
	}
	v.Adjudicated, v.Rated = valueOf(sent.Adjudicated), sent.Rated
	return v, err
}

// PlayAgain has a board of the latest round played anew.
func (a *API) PlayAgain(ctx context.Context, r gen.PlayAgainRequestObject) (gen.PlayAgainResponseObject, error) {
	var changed *tournament.Tournament
	err := a.guarded(ctx, r.TournamentID, auth.EnterResults, ifSent(r.Params.IfMatch), boardTags(r.Round, r.Board),
		func(t *tournament.Tournament, o director.Order) (err error) {
			changed, err = a.Tournaments.PlayAgain(ctx, t.ID, r.Round, r.Board, r.Body.Reason, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.result(ctx, changed, r.Round, r.Board)
	return gen.PlayAgain200JSONResponse{Body: body, Headers: gen.PlayAgain200ResponseHeaders{ETag: tag}}, err
}

// resultAfter is result for those who have changed it: they are told which rounds could be paired anew.
func (a *API) resultAfter(ctx context.Context, t *tournament.Tournament, round, board int) (gen.BoardResult, string, error) {
	body, tag, err := a.result(ctx, t, round, board)
	if rounds := a.Tournaments.Repairable(ctx, t, round); err == nil && len(rounds) > 0 {
		body.Repairable = &rounds
	}
	return body, tag, err
}

// result returns a board's result with its history, and the ETag for changing it.
func (a *API) result(ctx context.Context, t *tournament.Tournament, round, board int) (gen.BoardResult, string, error) {
	var body gen.BoardResult
	if _, err := publishedRound(t, round); err != nil {
		return body, "", err
	}
	p, err := t.Pairing(round, board)
	if err != nil {
		return body, "", err
	}
	changes, err := a.Tournaments.History(ctx, t.ID)
	if err != nil {
		return body, "", err
	}
	v := pairingView(t, round, p)
	body = gen.BoardResult{
		Round: round, Board: board, Result: v.Result, Ranks: v.Ranks, Absent: v.Absent, Points: v.Points, Forfeit: v.Forfeit,
		Source: v.Source, Reason: v.Reason, Adjourned: v.Adjourned, Adjudicated: v.Adjudicated,
		Venue: v.Venue, Rated: v.Rated, HallGameID: v.HallGameID, Recorded: v.Recorded,
		History: []gen.ResultChange{},
	}
	for _, c := range changes {
		if c.Round == round && c.Board == board {
			body.History = append(body.History, changeView(c))
		}
	}
	return body, contentTag(p), nil
}

// changeView says what changed and when; who it was in person is not public.
func changeView(c tournament.Change) gen.ResultChange {
	by := "arbiter"
	switch c.By {
	case tournament.ServerAccount:
		by = tournament.ServerAccount
	case tournament.PlayersAccount:
		by = string(tournament.ByPlayers)
	}
	return gen.ResultChange{
		Before: optional(c.Before.Text()), After: optional(c.After.Text()), By: by, At: command.Moment(c.At), Reason: optional(c.Why),
	}
}
