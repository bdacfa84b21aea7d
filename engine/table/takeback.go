package table

import (
	"context"
	"slices"
	"strconv"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// If a game's regulations allow it (Game.Takebacks), a player may request to take the last move of its side back, with
// all that followed it. The other side agrees or declines; any move ends the request, and only then may the same side
// repeat it. It is for games of two sides without secrets, and for moves after which no seat has left. The clocks are
// reset to the beginning of that move's turn, as after an arbiter's takeback.

// AskBack requests a takeback of the own side's last move. A request of the other side must be answered: this does not
// agree to it. Errors: ErrNoTakebacks, ErrNotStarted, ErrPaused, ErrGameOver, or the rules' *engine.MoveError.
func (t *Tables) AskBack(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if err := d.takesBack(); err != nil {
			return err
		}
		if from := d.TakebackOffer(); from != 0 && d.sideOf(from) == d.sideOf(act.Seat) {
			return nil // still open
		}
		if d.requestedBefore(act.Seat) {
			return engine.Refuse(engine.ErrIllegal, "you can ask for a takeback again after the next move")
		}
		if _, err := d.lastOf(act.Seat); err != nil {
			return err
		}
		return d.mark(Line{Kind: LineTakebackOffer, Seat: act.Seat, At: at, By: act.By})
	})
}

// AgreeBack agrees to the other side's request. Errors: those of AskBack, and ErrNoTakebackOffer.
func (t *Tables) AgreeBack(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		from, err := d.requested(act.Seat)
		if err != nil {
			return err
		}
		first, err := d.lastOf(from)
		if err != nil {
			return err
		}
		return d.takeBack(Line{Kind: LineTakeback, Seat: act.Seat, Text: strconv.Itoa(first), At: at, By: act.By})
	})
}

// DeclineBack declines the other side's request. Errors: those of AgreeBack.
func (t *Tables) DeclineBack(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if _, err := d.requested(act.Seat); err != nil {
			return err
		}
		return d.mark(Line{Kind: LineTakebackDecline, Seat: act.Seat, At: at, By: act.By})
	})
}

// takesBack returns an error if players may not take moves back, or not now.
func (d *draft) takesBack() error {
	if err := d.running(); err != nil {
		return err
	}
	if !d.Game.Takebacks || d.Info().Secret || d.Info().SidesAt(d.Game.Seats) != 2 {
		return ErrNoTakebacks
	}
	return nil
}

// requested returns the seat of the other side that requests a takeback.
func (d *draft) requested(seat int8) (int8, error) {
	if err := d.takesBack(); err != nil {
		return 0, err
	}
	from := d.TakebackOffer()
	if from == 0 || d.sideOf(from) == d.sideOf(seat) {
		return 0, ErrNoTakebackOffer
	}
	return from, nil
}

// TakebackOffer returns the seat with an open request for a takeback; 0 for none.
func (s *Snapshot) TakebackOffer() int8 {
	if !s.Game.Takebacks || s.Game.Status.Over() {
		return 0
	}
	for _, l := range slices.Backward(s.Lines) {
		switch l.Kind {
		case LineTakebackOffer:
			return l.Seat
		case LineMove, LineTakeback, LineTakebackDecline, LineLeft:
			return 0
		}
	}
	return 0
}

// requestedBefore reports whether the seat's side has requested a takeback since the last move.
func (d *draft) requestedBefore(seat int8) bool {
	for _, l := range slices.Backward(d.Lines) {
		switch {
		case l.Kind == LineMove || l.Kind == LineTakeback:
			return false
		case l.Kind == LineTakebackOffer && d.sideOf(l.Seat) == d.sideOf(seat):
			return true
		}
	}
	return false
}

// lastOf returns the number of the last move that a seat's side made, from 1.
func (d *draft) lastOf(seat int8) (int, error) {
	ply := d.Match.Plies()
	for _, e := range slices.Backward(d.Match.Events()) {
		switch {
		case e.Kind != engine.Moved:
			return 0, engine.Refuse(engine.ErrIllegal, "a seat has left the game since; nothing before that is taken back")
		case d.sideOf(int8(e.Seat)) == d.sideOf(seat):
			return ply, nil
		}
		ply--
	}
	return 0, sentence.Errorf("%w: seat %d has not moved",
		engine.Refuse(engine.ErrIllegal, "there is nothing to take back"), seat)
}
