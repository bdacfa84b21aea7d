package director

import (
	"context"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/team"
)

// NextRound pairs the next round, publishes it and opens its games. It is safe to repeat: while the round is being
// played another call returns ErrState, so that no round is ever paired twice.
var NextRound = Act{entry: tournament.Act{Kind: tournament.ActPair}, step: doing.nextRound}

// DrawRound pairs the next round without publishing it, so that it can be checked, edited or deleted.
var DrawRound = plain(tournament.ActDraw, drawRound)

// PublishStarting publishes the draft round and opens its games. Their clocks may start later: after a time, ms, or
// before that as soon as all players of a game are at the board, if together is set.
func PublishStarting(after int64, together bool) Act {
	act := tournament.Act{Kind: tournament.ActPublish}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		now := do.now()
		start := tournament.Start{Together: together}
		if after != 0 {
			start.At = now + after
		}
		return do.seated(t.PublishStarting(do.NewID, now, start))
	}}
}

// DropRound deletes the latest round while nothing has been played in it. Its games are aborted first; if a crash comes
// between the two, a second order repairs it.
func DropRound(round int) Act {
	act := tournament.Act{Kind: tournament.ActDrop, Round: round}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, err := t.DropRound(round, do.notBegun(do.ctx))
		return do.abort(t, next, err, sentence.Fixed("the round is drawn up anew"))
	}}
}

// EditRound changes the pairings of the latest round by hand; see tournament.EditRound. Games that are replaced are
// aborted.
func EditRound(round int, edits []tournament.Edit, why string) Act {
	act := tournament.Act{Kind: tournament.ActEdit, Round: round, Why: why}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, err := t.EditRound(round, edits, do.editing())
		return do.abort(t, next, err, sentence.Fixed("the board is paired anew"))
	}}
}

// TryEdit is EditRound without storing anything: it returns the tournament as it would be, with new games that have no
// id.
func (d *Director) TryEdit(
	ctx context.Context, id string, round int, edits []tournament.Edit, o Order,
) (*tournament.Tournament, error) {
	t, err := d.judging(ctx, id, o)
	if err != nil {
		return nil, err
	}
	next, err := t.EditRound(round, edits, tournament.Editing{
		Begun: d.notBegun(ctx), NewGame: func() string { return "" }, By: o.By, At: d.now(),
	})
	if err != nil {
		return nil, err
	}
	return next.Tournament, nil
}

// notBegun returns a check of games by id: a game in which a player has moved is tournament.ErrState.
func (d *Director) notBegun(ctx context.Context) func(gameID string) error {
	return func(gameID string) error {
		begun, err := d.Tables.Begun(ctx, gameID)
		if err == nil && begun {
			err = tournament.NotNow("its game has begun")
		}
		return err
	}
}

// Review returns warnings of rules that the pairings of a round break, by today's results; none in a knock-out, where
// the bracket leaves no choice.
func (d *Director) Review(t *tournament.Tournament, round int) []pairing.Warning {
	if round < 1 || round > len(t.Rounds) || t.Format.Eliminates() || t.Format.Continuous() {
		return nil
	}
	cycles := t.Format.Cycles()
	if t.Format.Fixed() && cycles == 0 {
		cycles = t.RoundCount // a single match: all its players meet
	}
	if t.AtTables() {
		return pairing.ReviewTables(pairing.HistoryOf(t, round), t.Rules.Tables, t.Rounds[round-1].Pairings,
			t.Unpaired(round))
	}
	if pairer, err := pairerFor(t); err == nil {
		if own, is := pairer.(pairing.Reviewer); is {
			return own.Review(pairing.HistoryOf(t, round), t.Rounds[round-1].Pairings, t.Unpaired(round))
		}
	}
	return pairing.Review(pairing.HistoryOf(t, round), t.Rounds[round-1].Pairings, t.Unpaired(round), cycles)
}

// Repairable returns the rounds after the given round that can be paired again because nothing has been played in them.
func (d *Director) Repairable(ctx context.Context, t *tournament.Tournament, after int) []int {
	return t.Repairable(after, d.notBegun(ctx))
}

func drawRound(t *tournament.Tournament) (*tournament.Revision, error) {
	if err := t.CanPair(); err != nil {
		return nil, err
	}
	pairer, err := pairerFor(t)
	if err != nil {
		return nil, err
	}
	h := pairing.HistoryOf(t, len(t.Rounds)+1)
	var pairings []tournament.Pairing
	if keeper, is := pairer.(pairing.Keeper); is {
		pairings, h.Found, err = keeper.PairAndKeep(h)
	} else {
		pairings, err = pairer.Pair(h)
	}
	if err != nil {
		return nil, err
	}
	next, err := t.AddRound(pairings)
	if err == nil {
		next.Delta.Inputs = []tournament.PairingInput{{Round: h.Round, Text: h.Text()}}
	}
	return next, err
}

// seated opens the boards of a round that was published, where its line-ups follow from a table.
func (do doing) seated(next *tournament.Revision, err error) (*tournament.Revision, error) {
	if err != nil {
		return nil, err
	}
	return next.Then(team.RevealAll(next.Tournament, do.NewID, do.now()))
}

func (do doing) nextRound(t *tournament.Tournament) (*tournament.Revision, error) {
	drawn, err := drawRound(t)
	if err != nil {
		return nil, err
	}
	return drawn.Then(do.seated(drawn.Publish(do.NewID, do.now())))
}
