package table

import (
	"context"
	"slices"

	"quatuor/engine"
	"quatuor/engine/clock"
)

// Offer offers a draw, or accepts the other side's open offer.
func (t *Tables) Offer(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if err := d.drawable(); err != nil {
			return err
		}
		switch {
		case d.Game.Offer != 0 && d.sideOf(d.Game.Offer) != d.sideOf(act.Seat):
			return d.agree(act, at)
		case d.Game.Offer != 0:
			return nil // still open
		case d.offeredBefore(act.Seat):
			return engine.Refuse(engine.ErrIllegal, "a draw can be offered again once the other side has moved")
		}
		return d.offer(act, at)
	})
}

func (d *draft) offer(act Act, at int64) error {
	d.Game.Offer = act.Seat
	return d.mark(Line{Kind: LineOffer, Seat: act.Seat, At: at, By: act.By})
}

// Accept accepts the other side's open offer.
func (t *Tables) Accept(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if err := d.answerable(act.Seat); err != nil {
			return err
		}
		return d.agree(act, at)
	})
}

// Decline declines the other side's open offer.
func (t *Tables) Decline(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if err := d.answerable(act.Seat); err != nil {
			return err
		}
		return d.decline(act, at)
	})
}

func (d *draft) decline(act Act, at int64) error {
	d.Game.Offer = 0
	return d.mark(Line{Kind: LineDecline, Seat: act.Seat, At: at, By: act.By})
}

// drawable returns an error if the game, its rules or its regulations have no agreed draw.
func (d *draft) drawable() error {
	if err := d.running(); err != nil {
		return err
	}
	_, err := d.Match.After(engine.Event{Kind: engine.Agreed})
	return err
}

func (d *draft) answerable(seat int8) error {
	if err := d.running(); err != nil {
		return err
	}
	if d.Game.Offer == 0 || d.sideOf(d.Game.Offer) == d.sideOf(seat) {
		return ErrNoOffer
	}
	return nil
}

// offeredBefore reports whether the seat's side has offered a draw since the other side's last move.
func (d *draft) offeredBefore(seat int8) bool {
	side := d.sideOf(seat)
	for _, l := range slices.Backward(d.Lines) {
		switch {
		case l.Kind == LineMove && d.sideOf(l.Seat) != side:
			return false
		case l.Kind == LineOffer && d.sideOf(l.Seat) == side:
			return true
		}
	}
	return false
}

func (d *draft) agree(act Act, at int64) error {
	after, err := d.Match.After(engine.Event{Kind: engine.Agreed})
	if err != nil {
		return err
	}
	d.note(Line{Kind: LineAgreed, Seat: act.Seat, At: at, By: act.By})
	d.advance(after, d.Game.Clock.Stop(at))
	d.finish(at)
	return nil
}

// mark notes a line that changes neither position nor clocks.
func (d *draft) mark(l Line) error {
	c, _, err := d.Game.Clock.Apply(clock.Event{At: l.At, Kind: clock.Look})
	if err != nil {
		return err
	}
	d.note(l)
	d.Game.Clock = c
	return nil
}
