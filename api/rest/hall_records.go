package rest

import (
	"context"
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
	return textFile{fileName(t.ID, t.Name) + "-" + boardName(r.Round, r.Board) + ".record", []byte(text)}, err
}

// SetBoardRecord attaches a record to a game in the hall.
func (a *API) SetBoardRecord(ctx context.Context, r gen.SetBoardRecordIn) (gen.SetBoardRecordOut, error) {
	if r.Body == nil || *r.Body == "" {
		return nil, command.Invalid("", "the request holds no record; DELETE removes one")
	}
	return a.setRecord(ctx, r.TournamentID, r.Round, r.Board, r.Params.IfMatch, *r.Body)
}

// DeleteBoardRecord removes the record of a game in the hall.
func (a *API) DeleteBoardRecord(ctx context.Context, r gen.DeleteBoardRecordIn) (gen.DeleteBoardRecordOut, error) {
	return a.setRecord(ctx, r.TournamentID, r.Round, r.Board, r.Params.IfMatch, "")
}

// setRecord attaches or removes a record.
func (a *API) setRecord(
	ctx context.Context, id string, round, board int, seen *string, text string,
) (gen.TaggedBoardResultJSON, error) {
	in := command.BoardRecord{Board: command.Board{Round: round, Board: board}, Text: text}
	return afterAt(ctx, a, command.SetRecord, command.On{ID: id, Seen: seen}, in, a.result, round, board)
}

// boardName names a board in a file name.
func boardName(round, board int) string {
	return "round-" + strconv.Itoa(round) + "-board-" + strconv.Itoa(board)
}
