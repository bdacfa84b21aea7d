package rest

import (
	"context"
	"strconv"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// GetReport returns the board of a code.
func (a *API) GetReport(ctx context.Context, r gen.GetReportIn) (gen.GetReportOut, error) {
	s, err := command.ReadBoard.Run(ctx, a.commands, r.Code, command.None{})
	if err != nil {
		return nil, err
	}
	return boardReport(s), nil
}

// ReportResult accepts a side's report of a board's result.
func (a *API) ReportResult(ctx context.Context, r gen.ReportResultIn) (gen.ReportResultOut, error) {
	b := r.Body
	var verdict string
	switch {
	case b.Boards != nil && b.Result == nil && b.Ranks == nil:
		verdict = strings.Join(each(*b.Boards, func(one gen.ReportedResult) string {
			return strconv.Itoa(one.Board) + ":" + string(one.Result)
		}), " ")
	case b.Boards != nil || (b.Result == nil) == (b.Ranks == nil):
		return nil, command.Invalid("/result", "give result, such as 1-0, at a table of more than two ranks by seat, or boards of a "+
			"match of teams")
	case b.Result != nil:
		verdict = string(*b.Result)
	default:
		verdict = strings.Join(each(*b.Ranks, strconv.Itoa), ",")
	}
	in := command.Report{Seat: int(valueOf(b.Seat)), Verdict: verdict, Saw: b.Saw}
	s, err := command.ReportResult.Run(ctx, a.commands, r.Code, in)
	if err != nil {
		return nil, err
	}
	return boardReport(s), nil
}

// CallArbiter calls the arbiter to the board of a code.
func (a *API) CallArbiter(ctx context.Context, r gen.CallArbiterIn) (gen.CallArbiterOut, error) {
	return done(command.CallToBoard.Run(ctx, a.commands, r.Code, valueOf(r.Body.Word)))
}

// CallArbiterToGame calls the arbiter to a player's own game.
func (a *API) CallArbiterToGame(ctx context.Context, r gen.CallArbiterToGameIn) (gen.CallArbiterToGameOut, error) {
	at := command.At{Game: r.GameID}
	return done(command.CallToGame.Run(ctx, a.commands, at, valueOf(r.Body.Word)))
}

// ListResultCodes lists the codes of a round.
func (a *API) ListResultCodes(ctx context.Context, r gen.ListResultCodesIn) (gen.ListResultCodesOut, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.EnterResults)
	if err != nil {
		return nil, err
	}
	codes, err := a.roundCodes(ctx, t, r.Round)
	if err != nil {
		return nil, err
	}
	page, next, err := cut(
		codes.Items, r.Params.Limit, r.Params.Cursor, func(b gen.BoardCodes) string {
			return strconv.Itoa(slip.Number(b.Board, valueOf(b.TeamBoard)))
		},
	)
	return gen.ListResultCodes200JSON{
		Body: gen.ResultCodes{Items: page, NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

// ReplaceResultCodes issues new codes for boards, or revokes them.
func (a *API) ReplaceResultCodes(ctx context.Context, r gen.ReplaceResultCodesIn) (gen.ReplaceResultCodesOut, error) {
	in := command.NewCodes{Round: r.Round, Board: valueOf(r.Body.Board), Revoke: r.Body.Revoke}
	if board := r.Body.TeamBoard; board != nil {
		in.Board = slip.Number(in.Board, *board)
	}
	t, err := command.ReplaceCodes.Run(ctx, a.commands, command.On{ID: r.TournamentID}, in)
	if err != nil {
		return nil, err
	}
	return a.roundCodes(ctx, t, r.Round)
}

func (a *API) roundCodes(ctx context.Context, t *tournament.Tournament, round int) (gen.ResultCodes, error) {
	list, err := a.Tournaments.RoundCodes(ctx, t, round, false)
	out := gen.ResultCodes{Items: []gen.BoardCodes{}}
	for _, one := range list {
		item := gen.BoardCodes{Codes: each(one.Seats, slip.Spaced)}
		item.Board, item.TeamBoard = reportedBoard(t, one.Pairing.Board)
		out.Items = append(out.Items, item)
	}
	return out, err
}

// ListCalls lists the open calls of a tournament.
func (a *API) ListCalls(ctx context.Context, r gen.ListCallsIn) (gen.ListCallsOut, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.EnterResults)
	if err != nil {
		return nil, err
	}
	calls, err := a.Tournaments.Calls(ctx, t, false)
	if err != nil {
		return nil, err
	}
	page, next, err := cut(calls, r.Params.Limit, r.Params.Cursor, func(c slip.Call) string { return c.ID })
	items := each(page, func(c slip.Call) gen.Call {
		board, teamBoard := reportedBoard(t, c.Board)
		return gen.Call{
			ID: c.ID, Round: c.Round, Board: board, TeamBoard: teamBoard,
			Seat: optional(gen.Seat(c.Seat)), Kind: gen.CallKind(c.Kind), Word: optional(c.Word),
			Status: gen.CallStatus(c.Status), At: command.Moment(c.At),
		}
	})
	return gen.ListCalls200JSON{Body: gen.Calls{Items: items, NextCursor: optional(next)}, Headers: a.linked(next)}, err
}

// AnswerCall marks a call as seen by an arbiter, or as settled.
func (a *API) AnswerCall(ctx context.Context, r gen.AnswerCallIn) (gen.AnswerCallOut, error) {
	in := command.CallAnswer{ID: r.CallID, Status: slip.CallStatus(r.Body.Status)}
	return done(command.AnswerCall.Run(ctx, a.commands, command.On{ID: r.TournamentID}, in))
}

// boardReport is a board as its players see it.
func boardReport(s director.Slip) gen.BoardReport {
	board, teamBoard := reportedBoard(s.Tournament, s.Board)
	v := gen.BoardReport{
		TournamentID: s.Tournament.ID, Round: s.Round, Board: board, TeamBoard: teamBoard,
		Seat: optional(gen.Seat(s.Seat)), GameID: optional(s.Pairing.GameID),
		Result: optional(s.Pairing.Text()), Reportable: s.Reportable(), Disputed: s.Reports.Disputed(), Called: s.Called,
		Entries: []gen.EntryRef{}, Reports: []gen.SeatReport{},
	}
	entries := s.Pairing.Seats
	if teamBoard != nil {
		match, _ := s.Tournament.Pairing(s.Round, board)
		entries, v.Players = match.Seats, &s.Names
	}
	if s.Match() {
		v.OpenBoards = new(slip.OpenBoards(s.Pairing))
	}
	for i, id := range entries {
		e, _ := s.Tournament.Entry(id)
		v.Entries = append(v.Entries, entryRef(e))
		report := gen.SeatReport{Seat: gen.Seat(i + 1), Saw: s.Reports.Saw(i + 1)}
		if said := s.Reports.Report(i + 1); s.Match() && said != "" {
			report.Boards = boardResults(s.Pairing, said)
		} else {
			report.Result = optional(said)
		}
		v.Reports = append(v.Reports, report)
	}
	return v
}

// reportedBoard returns the board of a number and, of a match of teams, the board there.
func reportedBoard(t *tournament.Tournament, number int) (board int, teamBoard *int) {
	if t.Teams == nil {
		return number, nil
	}
	match, of := slip.Split(number)
	return match, optional(of)
}

// boardResults returns a captain's reports of a match.
func boardResults(p tournament.Pairing, said string) *[]gen.ReportedResult {
	results, _, err := slip.ReadMatch(p, said)
	if err != nil {
		return nil
	}
	return new(each(results, func(r slip.BoardResult) gen.ReportedResult {
		return gen.ReportedResult{Board: r.Board, Result: gen.ReportedResultResult(r.Verdict.String())}
	}))
}
