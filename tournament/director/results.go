package director

import (
	"context"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/scoring"
)

// SetResult sets a result by hand. A game that is still running is aborted, and its own result is ignored.
func SetResult(round, board int, v tournament.Verdict, why string) Act {
	act := tournament.Act{Kind: tournament.ActResult, Round: round, Board: board, Why: why}
	if v.RatingOnly {
		act.Kind = tournament.ActRating
	}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		return scoring.SetResult(t, round, board, v, do.By, why, do.now())
	}}
}

// SetResults sets the results of several boards by hand, as a single act; see scoring.SetResults. refused has an
// error for each board that was not set.
func (d *Director) SetResults(
	ctx context.Context, id string, round int, list []scoring.BoardVerdict, o Order,
) (t *tournament.Tournament, refused []error, err error) {
	act := tournament.Act{Kind: tournament.ActResults, Round: round}.Because(sentence.New("%d results", len(list)))
	t, err = d.Do(ctx, id, Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, faults := scoring.SetResults(t, round, list, do.By, do.now())
		refused = faults
		return next, nil
	}}, o)
	return t, refused, err
}

// Adjourn notes that a game goes on later; its pairing stays open, and the clocks of the server's game stop until an
// arbiter resumes it. They are stopped last: if a crash prevents that, a second order repairs it.
func (d *Director) Adjourn(
	ctx context.Context, id string, round, board int, note string, o Order,
) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: tournament.ActAdjourn, Round: round, Board: board, Why: note}
	t, err := d.Do(ctx, id, Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		return scoring.Adjourn(t, round, board, do.By, note, do.now())
	}}, o)
	if err != nil {
		return nil, err
	}
	if p, err := t.Pairing(round, board); err == nil && p.Result == nil && p.GameID != "" {
		// A flag that fell before ends the game instead; its result is recorded after this command.
		err = d.Tables.Pause(ctx, p.GameID, o.By, sentence.New("adjourned: %s", strings.Join(strings.Fields(note), " ")))
		return t, err
	}
	return t, nil
}

// ClearResult removes a result that was entered by hand; see tournament.ClearResult.
func ClearResult(round, board int, why string) Act {
	act := tournament.Act{Kind: tournament.ActClear, Round: round, Board: board, Why: why}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		return scoring.ClearResult(t, round, board, do.By, why, do.now())
	}}
}

// SetVenue moves the game of a pairing to the server or to the hall; see tournament.SetVenue. A game that was open on
// the server is aborted first; if a crash comes between the two, a second order repairs it.
func SetVenue(round, board int, to tournament.Venue, why string) Act {
	act := tournament.Act{Kind: tournament.ActVenue, Round: round, Board: board, After: string(to), Why: why}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, err := t.SetVenue(round, board, to, do.editing())
		return do.abort(t, next, err, sentence.Fixed("the board is played in the hall"))
	}}
}

// SetRecord attaches the record of its moves to a game in the hall, after judging it, or removes it ("").
func SetRecord(round, board int, text string) Act {
	act := tournament.Act{Kind: tournament.ActRecord, Round: round, Board: board}
	if text != "" {
		act.After = tournament.NewRecordText(text).Digest[:12]
	}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		if text != "" {
			ranks, err := scoring.Recordable(t, round, board)
			if err == nil {
				err = do.judgeRecord(do.ctx, t, ranks, text)
			}
			if err != nil {
				return nil, err
			}
		}
		return scoring.SetRecord(t, round, board, text)
	}}
}

func (d *Director) judgeRecord(ctx context.Context, t *tournament.Tournament, ranks []int, text string) error {
	switch {
	case d.JudgeRecord == nil:
		return tournament.NotNow("no records are taken here")
	case len(text) > scoring.MaxRecord:
		return tournament.Fault("record", "the record has %d bytes; at most %d are taken", len(text), scoring.MaxRecord)
	}
	return d.JudgeRecord(ctx, t.Variant, t.Options, ranks, text)
}

// BoardRecord returns the record of a game in the hall as it was attached, or tournament.ErrNotFound.
func (d *Director) BoardRecord(ctx context.Context, t *tournament.Tournament, round, board int) (string, error) {
	p, err := t.Pairing(round, board)
	if err != nil {
		return "", err
	}
	if p.Record == "" {
		return "", tournament.Refuse(tournament.ErrNotFound, "there is no record of board %d in round %d", board, round)
	}
	r, err := d.Store.HallRecord(ctx, t.ID, p.Record)
	return r.Text, err
}

// PlayAgain opens a new game for a pairing of the latest round, for instance after its game was aborted. The old game
// is aborted first if it is still running; if a crash comes between the two, a second order repairs it.
func PlayAgain(round, board int, why string) Act {
	act := tournament.Act{Kind: tournament.ActPlayAgain, Round: round, Board: board, Why: why}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, err := scoring.PlayAgain(t, round, board, do.NewID(), do.By, why, do.now())
		if err != nil {
			return nil, err
		}
		if old, _ := t.Pairing(round, board); old.GameID != "" {
			err = do.Tables.Abort(do.ctx, old.GameID, sentence.Typed(why))
		}
		return next, err
	}}
}
