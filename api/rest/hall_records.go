package rest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// GetBoardRecord returns the record of a game in the hall as it was attached.
func (a *API) GetBoardRecord(ctx context.Context, r gen.GetBoardRecordRequestObject) (gen.GetBoardRecordResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if _, err := publishedRound(t, r.Round); err != nil {
		return nil, err
	}
	text, err := a.Tournaments.BoardRecord(ctx, t, r.Round, r.Board)
	if err != nil {
		return nil, err
	}
	return textFile{fileName(t, "") + "-" + boardName(r.Round, r.Board) + ".record", []byte(text)}, nil
}

// VisitGetBoardRecordResponse writes the answer.
func (f textFile) VisitGetBoardRecordResponse(w http.ResponseWriter) error { return f.write(w) }

// SetBoardRecord attaches a record to a game in the hall.
func (a *API) SetBoardRecord(ctx context.Context, r gen.SetBoardRecordRequestObject) (gen.SetBoardRecordResponseObject, error) {
	if r.Body == nil || *r.Body == "" {
		return nil, command.Invalid("", "the request holds no record; DELETE removes one")
	}
	body, tag, err := a.setRecord(ctx, r.TournamentID, r.Round, r.Board, r.Params.IfMatch, *r.Body)
	return gen.SetBoardRecord200JSONResponse{Body: body, Headers: gen.SetBoardRecord200ResponseHeaders{ETag: tag}}, err
}

// DeleteBoardRecord removes the record of a game in the hall.
func (a *API) DeleteBoardRecord(ctx context.Context, r gen.DeleteBoardRecordRequestObject) (gen.DeleteBoardRecordResponseObject, error) {
	body, tag, err := a.setRecord(ctx, r.TournamentID, r.Round, r.Board, r.Params.IfMatch, "")
	return gen.DeleteBoardRecord200JSONResponse{Body: body, Headers: gen.DeleteBoardRecord200ResponseHeaders{ETag: tag}}, err
}

// setRecord attaches or removes a record, for those who run the tournament and those who sit at the board.
func (a *API) setRecord(ctx context.Context, id string, round, board int, header *string, text string) (gen.BoardResult, string, error) {
	var none gen.BoardResult
	for range tries {
		t, _, err := a.whole(ctx, id)
		if err != nil {
			return none, "", err
		}
		if err := mayRecord(ctx, t, round, board); err != nil {
			return none, "", err
		}
		good, err := boardTags(round, board)(t)
		if err == nil {
			err = checkTag(ifSent(header), append(good, tournamentTag(ctx, t))...)
		}
		if err != nil {
			return none, "", err
		}
		changed, err := a.Tournaments.SetRecord(ctx, id, round, board, text, director.Order{By: auth.From(ctx).AccountID, Expect: t.Version})
		if errors.Is(err, tournament.ErrStale) {
			continue
		}
		if err != nil {
			return none, "", err
		}
		return a.result(ctx, changed, round, board)
	}
	return none, "", tournament.ErrStale
}

// mayRecord returns an error for one who neither runs the tournament nor plays at the board.
func mayRecord(ctx context.Context, t *tournament.Tournament, round, board int) error {
	who := auth.From(ctx)
	refusal := who.Demand(who.LevelIn(t), auth.EnterResults)
	if refusal == nil {
		return nil
	}
	if _, err := publishedRound(t, round); err != nil {
		return err
	}
	p, err := t.Pairing(round, board)
	if err != nil {
		return err
	}
	if who.PlayerID == "" || !slices.Contains(t.Players(p), who.PlayerID) {
		return refusal
	}
	return who.Demand(who.Level(), auth.PlayGames)
}

// boardName names a board in a file name.
func boardName(round, board int) string {
	return "round-" + strconv.Itoa(round) + "-board-" + strconv.Itoa(board)
}
