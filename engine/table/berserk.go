package table

import (
	"context"

	"quatuor/engine"
	"quatuor/engine/clock"
)

// Berserk lets a seat play with half of its time and no increment, before its first move. A second time changes
// nothing. The caller checks that the regulations have it. Errors: ErrBerserk, ErrNotStarted, ErrPaused, ErrGameOver.
func (t *Tables) Berserk(ctx context.Context, a *Arrival, act Act) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if d.PlaysBerserk(act.Seat) && !d.Game.Status.Over() {
			return nil
		}
		return d.berserk(act, at)
	})
}

func (d *draft) berserk(act Act, at int64) error {
	if err := d.running(); err != nil {
		return err
	}
	c, _, err := d.Game.Clock.Apply(clock.Event{At: at, Kind: clock.Berserk, Seat: act.Seat})
	if err != nil {
		return ErrBerserk
	}
	d.note(Line{Kind: LineBerserk, Seat: act.Seat, At: at, By: act.By, Remaining: c.Seat(act.Seat, at).Remaining})
	d.Game.Clock = c
	d.arm()
	return nil
}

// PlaysBerserk reports whether a seat plays with half of its time.
func (s *Snapshot) PlaysBerserk(seat int8) bool {
	for _, l := range s.Lines {
		if l.Kind == LineBerserk && l.Seat == seat {
			return true
		}
	}
	return false
}

// MayBerserk reports whether a seat could take half of its time now.
func (s *Snapshot) MayBerserk(seat int8) bool {
	_, _, err := s.Game.Clock.Apply(clock.Event{At: s.Game.Clock.LastAt(), Kind: clock.Berserk, Seat: seat})
	return err == nil && s.Game.Status == Running
}

// Moves returns the number of moves of each seat.
func (s *Snapshot) Moves() []int {
	out := make([]int, s.Game.Seats)
	if s.Match == nil {
		return out
	}
	for _, e := range s.Match.Events() {
		if e.Kind == engine.Moved {
			out[e.Seat-1]++
		}
	}
	return out
}
