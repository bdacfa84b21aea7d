package table

import (
	"context"
	"fmt"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// Act is the game, seat and account of an act. The caller checks that the account may act for the seat.
type Act struct {
	Game string
	Seat int8
	By   string // account id
}

// Move is a move in the form that clients send.
type Move struct {
	Act
	Turn    int    // the turn it is meant for
	Token   string // canonical token, without seat prefix
	Elapsed *int64 // thinking time in ms as the client claims; nil without
}

// Play makes a move at the arrival's time. The same seat, turn and token a second time answers as before. Errors:
// ErrStaleTurn, ErrFlagFallen, ErrGameOver, ErrNotStarted, ErrPaused, or the rules' *engine.MoveError. A refusal
// changes nothing and comes with the game that the move was judged in.
func (t *Tables) Play(ctx context.Context, a *Arrival, m Move) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if d.played(m) {
			return nil
		}
		if err := d.playable(m); err != nil {
			return err
		}
		return d.move(m, at)
	})
}

// played reports whether this very move is in the log already.
func (d *draft) played(m Move) bool {
	for i := len(d.Lines) - 1; i >= 0 && d.Lines[i].Turn >= m.Turn; i-- {
		l := &d.Lines[i]
		if l.Kind == LineMove && l.Turn == m.Turn && l.Seat == m.Seat && l.Text == m.Token {
			return true
		}
	}
	return false
}

func (d *draft) playable(m Move) error {
	if d.flagged(m) {
		return ErrFlagFallen
	}
	if err := d.running(); err != nil {
		return err
	}
	if m.Turn != d.Match.Turn() {
		return sentence.Errorf("%w: it was for turn %d, the game is at turn %d", ErrStaleTurn, m.Turn, d.Match.Turn())
	}
	return nil
}

// flagged reports whether the seat's flag fell in the turn the move is for.
func (d *draft) flagged(m Move) bool {
	for i := len(d.Lines) - 1; i >= 0 && d.Lines[i].Turn >= m.Turn; i-- {
		if l := &d.Lines[i]; l.fallen() && l.Seat == m.Seat {
			return m.Turn == l.Turn
		}
	}
	return false
}

// running returns an error if the game does not run.
func (d *draft) running() error {
	switch d.Game.Status {
	case Running:
		return nil
	case Waiting:
		return ErrNotStarted
	case Paused:
		return ErrPaused
	}
	return ErrGameOver
}

func (d *draft) move(m Move, at int64) error {
	event := engine.Event{Kind: engine.Moved, Seat: engine.Seat(m.Seat), Text: m.Token}
	after, err := d.Match.After(event)
	if err != nil {
		return err
	}
	used := d.Game.Clock.Used(m.Seat, at)
	c, _, err := d.Game.Clock.Apply(clock.Event{
		At: at, Kind: clock.Moved, Seat: m.Seat, Elapsed: m.Elapsed,
		Await: seatNumbers(after.Pending().Awaited), HasAwait: true,
	})
	if err != nil {
		return fmt.Errorf("game %s: clock of a move: %w", d.Game.ID, err)
	}
	d.note(Line{
		Kind: LineMove, Seat: m.Seat, Text: m.Token, At: at, Elapsed: used, Claimed: m.Elapsed,
		Remaining: c.Seat(m.Seat, at).Remaining, By: m.By,
	})
	if offer := d.Game.Offer; offer != 0 && d.sideOf(offer) != d.sideOf(m.Seat) {
		d.Game.Offer = 0
	}
	d.advance(after, c)
	d.finish(at)
	return nil
}

// Resign takes a seat out of the game. A seat that has resigned may do so again, which changes nothing.
func (t *Tables) Resign(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error { return d.resign(act, at) })
}

func (d *draft) resign(act Act, at int64) error {
	if d.hasResigned(act.Seat) {
		return nil
	}
	if err := d.running(); err != nil {
		return err
	}
	return d.leave(Line{Kind: LineLeft, Seat: act.Seat, Text: string(engine.ReasonResignation), At: at, By: act.By})
}

// hasResigned reports whether the seat has resigned, unless moves were taken back since.
func (d *draft) hasResigned(seat int8) bool {
	for i := len(d.Lines) - 1; i >= 0 && d.Lines[i].Kind != LineTakeback; i-- {
		if l := &d.Lines[i]; l.Kind == LineLeft && l.Seat == seat && l.Text == string(engine.ReasonResignation) {
			return true
		}
	}
	return false
}

// Abort ends a game without a result; why is stored in the log. It does not wait for the Follower, so that a tournament
// may abort a game while it holds its own lock.
func (t *Tables) Abort(ctx context.Context, id, by string, why sentence.Sentence) (*Snapshot, error) {
	return t.AbortIf(ctx, t.Arrive(id), by, why, func(*Snapshot) error { return nil })
}

// AbortIf is Abort at the arrival's time, unless may returns an error for the game at that time.
func (t *Tables) AbortIf(
	ctx context.Context, a *Arrival, by string, why sentence.Sentence, may func(*Snapshot) error,
) (*Snapshot, error) {
	return t.breakOff(ctx, a, func(d *draft, at int64) error {
		if err := may(d.Snapshot); err != nil {
			return err
		}
		return d.abort(Line{At: at, By: by}.with(why))
	})
}

// BrokenOff returns the words of the log for a game that a player broke off.
func BrokenOff() sentence.Sentence { return sentence.Fixed("broken off by a player") }

func (d *draft) abort(l Line) error {
	if d.Game.Status.Over() {
		return ErrGameOver
	}
	l.Kind = LineAbort
	d.note(l)
	d.Game.Status = Aborted
	d.Game.FinishedAt = l.At
	d.Game.Offer = 0
	d.Game.Awaited = nil
	d.Game.Clock = d.Game.Clock.Stop(l.At)
	d.arm()
	return nil
}
