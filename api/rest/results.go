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
	return a.result(ctx, t, r.Round, r.Board)
}

// SetResult sets or corrects a result by hand, or adjourns the game.
func (a *API) SetResult(ctx context.Context, r gen.SetResultIn) (gen.SetResultOut, error) {
	board, sent := command.Board{Round: r.Round, Board: r.Board, Why: valueOf(r.Body.Reason)}, *r.Body
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	if valueOf(sent.Adjourned) {
		if sent.Result != nil || sent.Ranks != nil || sent.Absent != nil || valueOf(sent.Adjudicated) || sent.Rated != nil ||
			sent.OnlyRating != nil {
			return nil, command.Invalid(
				"/adjourned", "a game that goes on later has no result yet; leave result, ranks, absent, adjudicated and rated out",
			)
		}
		return afterAt(ctx, a, command.Adjourn, on, board, a.resultAfter, r.Round, r.Board)
	}
	verdict, err := verdictOf(sent)
	if err != nil {
		return nil, err
	}
	in := command.BoardResult{Board: board, Verdict: verdict}
	return afterAt(ctx, a, command.EnterResult, on, in, a.resultAfter, r.Round, r.Board)
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
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	in := command.Board{Round: r.Round, Board: r.Board, Why: r.Body.Reason}
	return afterAt(ctx, a, command.PlayAgain, on, in, a.result, r.Round, r.Board)
}

// resultAfter is result after a change, with the rounds that could be paired again.
func (a *API) resultAfter(
	ctx context.Context, t *tournament.Tournament, round, board int,
) (gen.TaggedBoardResultJSON, error) {
	answer, err := a.result(ctx, t, round, board)
	answer.Body.Repairable = some(a.Tournaments.Repairable(ctx, t, round))
	return answer, err
}

// result returns a board's result with its history, and the ETag for changing it.
func (a *API) result(
	ctx context.Context, t *tournament.Tournament, round, board int,
) (answer gen.TaggedBoardResultJSON, err error) {
	if err := checkPublished(t, round); err != nil {
		return answer, err
	}
	p, err := t.Pairing(round, board)
	if err != nil {
		return answer, err
	}
	changes, err := a.Tournaments.History(ctx, t.ID)
	if err != nil {
		return answer, err
	}
	v := pairingView(t, round, p)
	body := gen.BoardResult{
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
	return gen.TaggedBoardResultJSON{Body: body, Headers: gen.Tagged{ETag: command.Tag(p)}}, nil
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
	return gen.SetVenue200JSON{Body: pairingView(t, r.Round, p), Headers: gen.Tagged{ETag: command.Tag(p)}}, err
}

// DeleteResult removes a result that was entered by hand.
func (a *API) DeleteResult(ctx context.Context, r gen.DeleteResultIn) (gen.DeleteResultOut, error) {
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	in := command.Board{Round: r.Round, Board: r.Board}
	return afterAt(ctx, a, command.ClearResult, on, in, a.resultAfter, r.Round, r.Board)
}
