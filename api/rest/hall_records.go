package rest

import (
	"context"
	"net/http"
	"strconv"

	"quatuor/api/command"
	"quatuor/api/gen"
)

// GetBoardRecord returns the attached record of a game in the hall, unchanged.
func (a *API) GetBoardRecord(ctx context.Context, r gen.GetBoardRecordIn) (gen.GetBoardRecordOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if err := checkPublished(t, r.Round); err != nil {
		return nil, err
	}
	text, err := a.Tournaments.BoardRecord(ctx, t, r.Round, r.Board)
	if err != nil {
		return nil, err
	}
	return textFile{fileName(t, "") + "-" + boardName(r.Round, r.Board) + ".record", []byte(text)}, nil
}

// VisitGetBoardRecordResponse writes the response.
func (f textFile) VisitGetBoardRecordResponse(w http.ResponseWriter) error { return f.write(w) }

// SetBoardRecord attaches a record to a game in the hall.
func (a *API) SetBoardRecord(ctx context.Context, r gen.SetBoardRecordIn) (gen.SetBoardRecordOut, error) {
	if r.Body == nil || *r.Body == "" {
		return nil, command.Invalid("", "the request holds no record; DELETE removes one")
	}
	body, tag, err := a.setRecord(ctx, r.TournamentID, r.Round, r.Board, r.Params.IfMatch, *r.Body)
	return gen.SetBoardRecord200JSON{Body: body, Headers: gen.SetBoardRecord200Headers{ETag: tag}}, err
}

// DeleteBoardRecord removes the record of a game in the hall.
func (a *API) DeleteBoardRecord(ctx context.Context, r gen.DeleteBoardRecordIn) (gen.DeleteBoardRecordOut, error) {
	body, tag, err := a.setRecord(ctx, r.TournamentID, r.Round, r.Board, r.Params.IfMatch, "")
	return gen.DeleteBoardRecord200JSON{Body: body, Headers: gen.DeleteBoardRecord200Headers{ETag: tag}}, err
}

// setRecord attaches or removes a record.
func (a *API) setRecord(
	ctx context.Context, id string, round, board int, seen *string, text string,
) (gen.BoardResult, string, error) {
	t, err := command.SetRecord.Run(ctx, a.commands, command.On{ID: id, Seen: seen},
		command.BoardRecord{Board: command.Board{Round: round, Board: board}, Text: text})
	if err != nil {
		return gen.BoardResult{}, "", err
	}
	return a.result(ctx, t, round, board)
}

// boardName names a board in a file name.
func boardName(round, board int) string {
	return "round-" + strconv.Itoa(round) + "-board-" + strconv.Itoa(board)
}
