package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/scoring"
)

// GetResult returns a board's result with its history.
func (a *API) GetResult(ctx context.Context, r gen.GetResultIn) (gen.GetResultOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.result(ctx, t, r.Round, r.Board)
	return gen.GetResult200JSON{Body: body, Headers: gen.GetResult200Headers{ETag: tag}}, err
}

// SetResult sets or corrects a result by hand, or adjourns the game.
func (a *API) SetResult(ctx context.Context, r gen.SetResultIn) (gen.SetResultOut, error) {
	board := command.Board{Round: r.Round, Board: r.Board, Why: valueOf(r.Body.Reason)}
	t, err := a.setResult(ctx, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, board, *r.Body)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.resultAfter(ctx, t, r.Round, r.Board)
	return gen.SetResult200JSON{Body: body, Headers: gen.SetResult200Headers{ETag: tag}}, err
}

func (a *API) setResult(
	ctx context.Context, on command.On, board command.Board, sent gen.NewResult,
) (*tournament.Tournament, error) {
	if valueOf(sent.Adjourned) {
		if sent.Result != nil || sent.Ranks != nil || sent.Absent != nil || valueOf(sent.Adjudicated) || sent.Rated != nil ||
			sent.OnlyRating != nil {
			return nil, command.Invalid(
				"/adjourned", "a game that goes on later has no result yet; leave result, ranks, absent, adjudicated and rated out",
			)
		}
		return command.Adjourn.Run(ctx, a.commands, on, board)
	}
	verdict, err := verdictOf(sent)
	if err != nil {
		return nil, err
	}
	return command.EnterResult.Run(ctx, a.commands, on, command.BoardResult{Board: board, Verdict: verdict})
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
		return v, command.Invalid(
			"/result", "give result, such as 1-0, or ranks by seat, or absent seats of a table, or adjourned: true",
		)
	}
	v.Adjudicated = valueOf(sent.Adjudicated)
	v.Rated = sent.Rated
	v.RatingOnly = valueOf(sent.OnlyRating)
	return v, err
}

// PlayAgain orders a replay of a board of the latest round.
func (a *API) PlayAgain(ctx context.Context, r gen.PlayAgainIn) (gen.PlayAgainOut, error) {
	t, err := command.PlayAgain.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch},
		command.Board{Round: r.Round, Board: r.Board, Why: r.Body.Reason})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.result(ctx, t, r.Round, r.Board)
	return gen.PlayAgain200JSON{Body: body, Headers: gen.PlayAgain200Headers{ETag: tag}}, err
}

// resultAfter is result after a change, with the rounds that could be paired again.
func (a *API) resultAfter(
	ctx context.Context, t *tournament.Tournament, round, board int,
) (gen.BoardResult, string, error) {
	body, tag, err := a.result(ctx, t, round, board)
	if rounds := a.Tournaments.Repairable(ctx, t, round); err == nil && len(rounds) > 0 {
		body.Repairable = &rounds
	}
	return body, tag, err
}

// result returns a board's result with its history, and the ETag for changing it.
func (a *API) result(ctx context.Context, t *tournament.Tournament, round, board int) (gen.BoardResult, string, error) {
	var body gen.BoardResult
	if err := checkPublished(t, round); err != nil {
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
		Round: round, Board: board, Result: v.Result, RatedAs: v.RatedAs, Ranks: v.Ranks, Absent: v.Absent, Points: v.Points, Forfeit: v.Forfeit,
		Source: v.Source, Reason: v.Reason, Adjourned: v.Adjourned, Adjudicated: v.Adjudicated,
		Venue: v.Venue, Rated: v.Rated, HallGameID: v.HallGameID, Recorded: v.Recorded,
		History: []gen.ResultChange{},
	}
	for _, c := range changes {
		if c.Round == round && c.Board == board {
			body.History = append(body.History, changeView(c))
		}
	}
	return body, command.Tag(p), nil
}

// changeView returns a change of a result; the person is not public.
func changeView(c tournament.Change) gen.ResultChange {
	by := "arbiter"
	switch c.By {
	case tournament.ServerAccount:
		by = tournament.ServerAccount
	case scoring.PlayersAccount:
		by = string(tournament.ByPlayers)
	}
	before, after := c.Texts()
	return gen.ResultChange{
		Before: optional(before), After: optional(after), OnlyRating: optional(c.RatingOnly()),
		By: by, At: command.Moment(c.At), Reason: optional(c.Why),
	}
}

// SetVenue moves the game of a board to the server or to the hall.
func (a *API) SetVenue(ctx context.Context, r gen.SetVenueIn) (gen.SetVenueOut, error) {
	board := command.Board{Round: r.Round, Board: r.Board, Why: valueOf(r.Body.Reason)}
	t, err := command.SetVenue.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch},
		command.BoardVenue{Board: board, Venue: tournament.Venue(r.Body.Venue)})
	if err != nil {
		return nil, err
	}
	p, err := t.Pairing(r.Round, r.Board)
	if err != nil {
		return nil, err
	}
	return gen.SetVenue200JSON{
		Body: pairingView(t, r.Round, p), Headers: gen.SetVenue200Headers{ETag: command.Tag(p)},
	}, nil
}

// DeleteResult removes a result that was entered by hand.
func (a *API) DeleteResult(ctx context.Context, r gen.DeleteResultIn) (gen.DeleteResultOut, error) {
	t, err := command.ClearResult.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch},
		command.Board{Round: r.Round, Board: r.Board})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.resultAfter(ctx, t, r.Round, r.Board)
	return gen.DeleteResult200JSON{Body: body, Headers: gen.DeleteResult200Headers{ETag: tag}}, err
}
