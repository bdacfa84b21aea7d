package table

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// Acts of an arbiter:
//
//	act           while the game      effect
//	pause         runs or is paused   clocks stop, moves are refused; the same cause again changes nothing
//	resume        is paused           its cause is over; the clocks go on once no cause is left
//	set, add      is not over         a seat's clock shows another time; its turn goes on from there
//	forfeit       runs or is paused   the seat is out, as if it had resigned
//	adjudication  runs or is paused   the game is over, with the arbiter's ranks
//	takeback      runs or is paused   the last moves are gone; clocks are as when the first of them began to be thought about
//
// Every act has a reason, is a line of the log, and comes at the time of its arrival: flags that fell before it count.
// A game that is over has been counted (in a tournament, in ratings), so nothing in it changes any more; a tournament
// corrects the result of a board, or has it played again.

// CauseArbiter is the default cause of a pause.
const CauseArbiter = "arbiter"

// maxClockTime is the maximum time that an arbiter may set or add at once: 30 days, in ms.
const maxClockTime = 30 * 24 * 3600 * 1000

// Ruling is an arbiter's act on a game. The caller checks that the account may do it.
type Ruling struct {
	By     string // account id
	Reason string // required

	Said sentence.Sentence // the reason, where it is in the server's words
}

// Pause stops a game's clocks for a cause; they go on when every cause is over. cause is a short word without spaces,
// "" for [CauseArbiter]. Errors: ErrNoReason, ErrNotStarted, ErrGameOver.
func (t *Tables) Pause(ctx context.Context, a *Arrival, r Ruling, cause string) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		l.Kind, l.Text = LinePause, wordedText(cmp.Or(cause, CauseArbiter), l.Text)
		return d.pause(l)
	})
}

// Resume ends a cause of a game's pause; "" means the only cause. Errors: ErrNoReason, ErrNotPaused, and ErrPaused
// where cause is "" and several are.
func (t *Tables) Resume(ctx context.Context, a *Arrival, r Ruling, cause string) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		standing := causes(d.Lines)
		if cause == "" && len(standing) > 1 {
			return sentence.Errorf("%w for %s; name the cause that is over", ErrPaused, quoted(standing))
		}
		if cause == "" && len(standing) == 1 {
			cause = standing[0]
		}
		l.Kind, l.Text = LineResume, wordedText(cmp.Or(cause, CauseArbiter), l.Text)
		return d.resume(l)
	})
}

// PausedFor returns the causes of the game's pause, oldest first.
func (s *Snapshot) PausedFor() []string {
	if s.Game.Status != Paused {
		return nil
	}
	return causes(s.Lines)
}

// ClockChange is a new time for a seat's clock, or an addition to it.
type ClockChange struct {
	Seat    int8
	Add     bool
	Ms      int64 // negative takes time away, but never more than is left
	Periods *int  // byo-yomi periods, with a time that is set; nil leaves them
}

// ChangeClock sets a seat's clock, or adds to it. Errors: ErrNoReason, ErrClock, ErrGameOver.
func (t *Tables) ChangeClock(ctx context.Context, a *Arrival, r Ruling, c ClockChange) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		l.Seat, l.Kind = c.Seat, LineSet
		word := strconv.FormatInt(c.Ms, 10)
		if c.Add {
			l.Kind = LineAdd
		}
		if c.Periods != nil {
			word += "/" + strconv.Itoa(*c.Periods)
		}
		l.Text = wordedText(word, l.Text)
		return d.changeClock(l)
	})
}

// Adjudicate ends a game with the arbiter's ranks by seat. Errors: ErrNoReason, ErrNotStarted, ErrGameOver, ErrRanks.
func (t *Tables) Adjudicate(ctx context.Context, a *Arrival, r Ruling, ranks []int) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		l.Kind, l.Text = LineAdjudication, wordedText(engine.Numbers(ranks, ","), l.Text)
		return d.adjudicate(l)
	})
}

// Forfeit takes a seat out of the game. Errors: ErrNoReason, ErrNotStarted, ErrGameOver, or the rules'
// *engine.MoveError.
func (t *Tables) Forfeit(ctx context.Context, a *Arrival, r Ruling, seat int8) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		l.Seat = seat
		l.Kind = LineLeft
		l.Text = wordedText(string(engine.ReasonForfeit), l.Text)
		return d.leave(l)
	})
}

// TakeBack takes back the last moves, plies of them, and whatever came between and after them. turn is the game's turn
// as the arbiter has seen it, so that an order that comes twice, or too late, takes nothing more back. Errors:
// ErrNoReason, ErrStaleTurn, ErrNotStarted, ErrGameOver, or the rules' *engine.MoveError.
func (t *Tables) TakeBack(ctx context.Context, a *Arrival, r Ruling, turn, plies int) (*Snapshot, error) {
	return t.rule(ctx, a, r, func(d *draft, l Line) error {
		if err := d.underWay(); err != nil {
			return err
		}
		if turn != d.Match.Turn() {
			return sentence.Errorf("%w: it was for turn %d, the game is at turn %d", ErrStaleTurn, turn, d.Match.Turn())
		}
		l.Kind, l.Text = LineTakeback, wordedText(strconv.Itoa(d.Match.Plies()-plies+1), l.Text)
		return d.takeBack(l)
	})
}

// rule executes an arbiter's act: do gets a line with the time, the account and the reason.
func (t *Tables) rule(ctx context.Context, a *Arrival, r Ruling, do func(*draft, Line) error) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		reason, err := cleanReason(cmp.Or(r.Said.String(), r.Reason))
		if err != nil {
			return err
		}
		return do(d, Line{Text: reason, At: at, By: r.By, Said: r.Said.Stored()})
	})
}

// underWay returns an error if the game has not started or is over.
func (d *draft) underWay() error {
	if err := d.running(); !errors.Is(err, ErrPaused) {
		return err
	}
	return nil
}

func (d *draft) pause(l Line) error {
	if err := d.underWay(); err != nil {
		return err
	}
	standing := causes(d.Lines)
	switch {
	case slices.Contains(standing, l.Word()):
		return nil
	case len(standing) > 0:
		return d.mark(l)
	}
	return d.turn(l, clock.Paused, Paused)
}

func (d *draft) resume(l Line) error {
	if d.Game.Status.Over() {
		return ErrGameOver
	}
	standing := causes(d.Lines)
	switch {
	case len(standing) == 0:
		return ErrNotPaused
	case !slices.Contains(standing, l.Word()):
		return sentence.Errorf("%w for %q, but for %s", ErrNotPaused, l.Word(), quoted(standing))
	case len(standing) > 1:
		return d.mark(l)
	}
	return d.turn(l, clock.Resumed, Running)
}

// turn stops all clocks, or lets them run again.
func (d *draft) turn(l Line, kind clock.Kind, status Status) error {
	c, _, err := d.Game.Clock.Apply(clock.Event{At: l.At, Kind: kind})
	if err != nil {
		return err
	}
	d.note(l)
	d.Game.Status, d.Game.Clock = status, c
	d.arm()
	return nil
}

func (d *draft) changeClock(l Line) error {
	if d.Game.Status.Over() {
		return ErrGameOver
	}
	ms, periods, err := l.Ms()
	if err != nil {
		return err
	}
	if ms > maxClockTime || ms < -maxClockTime {
		return sentence.Errorf("%w: %d ms is more than 30 days", ErrClock, ms)
	}
	e := clock.Event{At: l.At, Kind: clock.Set, Seat: l.Seat, Remaining: ms, Periods: periods}
	if l.Kind == LineAdd {
		e.Kind = clock.Add
	}
	c, _, err := d.Game.Clock.Apply(e)
	if err != nil {
		return sentence.Errorf("%w: %s", ErrClock, strings.TrimPrefix(err.Error(), clock.ErrState.Error()+": "))
	}
	l.Remaining = c.Seat(l.Seat, l.At).Remaining
	if l.Remaining > 2*maxClockTime {
		return sentence.Errorf("%w: it would show more than 60 days", ErrClock)
	}
	d.note(l)
	d.Game.Clock = c
	d.arm()
	return nil
}

func (d *draft) adjudicate(l Line) error {
	if err := d.underWay(); err != nil {
		return err
	}
	event, _ := l.event()
	after, err := d.Match.After(event)
	if err != nil {
		return sentence.Errorf("%w: %w", ErrRanks, err)
	}
	d.note(l)
	d.advance(after, d.Game.Clock.Stop(l.At))
	d.finish(l.At)
	return nil
}

// leave takes a seat out: by its own wish, or an arbiter's.
func (d *draft) leave(l Line) error {
	if err := d.underWay(); err != nil {
		return err
	}
	event, _ := l.event()
	after, err := d.Match.After(event)
	if err != nil {
		return err
	}
	d.note(l)
	d.advance(after, d.Game.Clock.Leave(l.At, l.Seat, seatNumbers(after.Pending().Awaited)))
	d.finish(l.At)
	return nil
}

func (d *draft) takeBack(l Line) error {
	if err := d.underWay(); err != nil {
		return err
	}
	first, err := l.First()
	if err != nil {
		return err
	}
	before, err := d.Match.TakeBack(first)
	if err != nil {
		return err
	}
	earlier, err := d.clockBefore(before.Len())
	if err != nil {
		return err
	}
	d.note(l)
	d.Game.Offer = 0
	d.advance(before, d.Game.Clock.Takeback(l.At, earlier))
	return nil
}
