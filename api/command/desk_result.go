package command

import (
	"context"
	"errors"
	"slices"
	"strings"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Outcome is the outcome of a result that an arbiter sent from the desk.
type Outcome string

// The outcomes. All but the first two are questions, and nothing is stored.
const (
	Entered    Outcome = "entered"
	Same       Outcome = "same"    // the board has this result already
	AskPaired  Outcome = "paired"  // others sit at the board than the arbiter saw
	AskChanged Outcome = "changed" // the board has another result than the arbiter saw
	AskRunning Outcome = "running" // the game is being played on the server
	AskReason  Outcome = "reason"  // a result is corrected, and no longer as a slip of the finger
)

// Asks reports whether the outcome is a question to the arbiter.
func (o Outcome) Asks() bool { return o != Entered && o != Same }

// DeskResult is a result from the desk, with the board as the arbiter saw it. The outcome is set by the command.
type DeskResult struct {
	BoardResult
	Saw     string // the tag of the board, without its quotes
	Sure    bool   // the arbiter knows that the game is being played on the server
	Outcome Outcome
	Pairing tournament.Pairing // as it is then
}

// slipTime is the time for corrections of an own result without a reason, ms: it was a slip of the finger.
const slipTime = 10 * 60 * 1000

// errUnentered leaves the tournament as it is.
var errUnentered = errors.New("the result is not entered")

// EnterDeskResult sets or corrects the result of a board. It is idempotent, and depends on this board alone, so that
// arbiters enter results of different boards concurrently.
var EnterDeskResult = Command[*DeskResult]{
	Name: "desk-result", May: auth.EnterResults,
	Do: func(c Call, in *DeskResult) (*tournament.Tournament, error) {
		now := c.T
		pair, err := now.Pairing(in.Round, in.Board.Board)
		if err != nil {
			return nil, err
		}
		slip, err := isSlip(c, in.Board, pair)
		if err != nil {
			return nil, err
		}
		running, err := c.Playing(c.Ctx, pair)
		if err != nil {
			return nil, err
		}
		c.Order.If = func(t *tournament.Tournament) (err error) {
			now = t
			if in.Pairing, err = t.Pairing(in.Round, in.Board.Board); err != nil {
				return err
			}
			if in.Outcome = in.judge(slip, running); in.Outcome != Entered {
				return errUnentered
			}
			return nil
		}
		changed, err := c.act(director.SetResult(in.Round, in.Board.Board, in.Verdict, in.Why))
		if errors.Is(err, errUnentered) {
			return now, nil
		}
		if err == nil {
			in.Pairing, err = changed.Pairing(in.Round, in.Board.Board)
		}
		return changed, err
	},
}

// judge returns what becomes of the result at the board's present state.
func (in *DeskResult) judge(slip, running bool) Outcome {
	pair, v := in.Pairing, in.Verdict
	tag := strings.Trim(BoardTag(pair), `"`)
	seats, _, _ := strings.Cut(tag, ".")
	if saw, _, _ := strings.Cut(in.Saw, "."); saw != seats {
		return AskPaired
	}
	same := pair.Result != nil && !v.RatingOnly && pair.Text() == v.String() && pair.Result.Adjudicated == v.Adjudicated &&
		(v.Rated == nil || *v.Rated == pair.Result.Rated)
	switch {
	case same && (in.Why == "" || in.Why == pair.Result.Reason):
		return Same
	case tag != in.Saw:
		return AskChanged
	case running && !in.Sure:
		return AskRunning
	case pair.Result != nil && in.Why == "" && !slip:
		return AskReason
	}
	return Entered
}

// isSlip reports whether the board's result was entered by the same arbiter a short while ago.
func isSlip(c Call, board Board, pair tournament.Pairing) (bool, error) {
	if pair.Result == nil || pair.Result.Source != tournament.ByArbiter {
		return false, nil
	}
	changes, err := c.History(c.Ctx, c.T.ID)
	if err != nil {
		return false, err
	}
	for _, change := range slices.Backward(changes) {
		if change.Round == board.Round && change.Board == board.Board {
			return change.By == c.Who.AccountID && c.Now().UnixMilli()-change.At < slipTime, nil
		}
	}
	return false, nil
}

// Playing reports whether a game of the server is being played at a board without a result.
func (s *Service) Playing(ctx context.Context, pair tournament.Pairing) (bool, error) {
	if pair.GameID == "" || pair.Result != nil {
		return false, nil
	}
	game, err := s.Tables.Snapshot(ctx, pair.GameID)
	if errors.Is(err, table.ErrNotFound) {
		return false, nil
	}
	return err == nil && !game.Game.Status.Over() && game.Game.Status != table.Waiting, err
}
