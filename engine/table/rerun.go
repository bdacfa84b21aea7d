package table

import (
	"errors"
	"fmt"

	"quatuor/engine/clock"
)

// rerun sets a stored game up once more, to carry its log out again. Its row says which invited players have not accepted;
// its log, which have.
func rerun(stored Game, lines []Line) (*draft, error) {
	stored.Invited = invitedAtFirst(stored, lines)
	s, err := begin(stored)
	if err != nil {
		return nil, err
	}
	s.Game.Version, s.Game.StartedAt, s.Game.FinishedAt, s.Game.Plies, s.Game.Offer = 0, 0, 0, 0, 0
	s.Game.Outcome = nil
	d := draftOf(s)
	d.after = []clock.State{}
	return d, nil
}

// clockBefore returns the clocks at the beginning of the turn of the event with an index, from 0: right after the event
// before it, or the start.
func (d *draft) clockBefore(event int) (clock.State, error) {
	after := d.after
	if after == nil {
		again, err := rerun(d.Game, d.Lines)
		if err != nil {
			return clock.State{}, err
		}
		for _, l := range d.Lines {
			if err := again.repeat(l); err != nil {
				return clock.State{}, fmt.Errorf("game %s: line %d: %w", d.Game.ID, l.N, err)
			}
		}
		after = again.after
	}
	if event >= len(after) {
		return clock.State{}, fmt.Errorf("game %s: no clocks are known before event %d", d.Game.ID, event+1)
	}
	return after[event], nil
}

// repeat replays a stored line.
func (d *draft) repeat(l Line) error {
	timeout := l.fallen()
	flag, armed := d.Game.Clock.Next()
	armed = armed && d.Game.Status == Running
	switch {
	case timeout && (!armed || flag.Seat != l.Seat || flag.At != l.At):
		return fmt.Errorf("no flag of seat %d fell at %d", l.Seat, l.At)
	case timeout:
		if err := d.fall(flag); err != nil {
			return err
		}
		d.keepClock()
		return nil
	case armed && flag.At < l.At && l.Kind != LineOutage:
		return fmt.Errorf("it comes at %d, after the flag of seat %d had fallen at %d", l.At, flag.Seat, flag.At)
	}
	if err := d.inTime(l); err != nil {
		return err
	}
	before := d.Game.Version
	if err := d.repeatAct(l); err != nil {
		return err
	}
	if d.Game.Version != before+1 {
		return errors.New("it changes nothing")
	}
	if _, ok := l.event(); ok || l.Kind == LineStart || l.Kind == LineTakeback {
		d.keepClock()
	}
	return nil
}

// inTime returns an error for a line after the time for acceptances, commitments or nonces, and for a lapse at any moment
// but the end of that time.
func (d *draft) inTime(l Line) error {
	awaits := d.Game.Status == Waiting && d.Game.Deadline != 0
	switch {
	case l.Kind == LineLapse && (!awaits || l.At != d.Game.Deadline):
		return fmt.Errorf("no time for a commitment of seat %d was over at %d", l.Seat, l.At)
	case awaits && l.At > d.Game.Deadline && l.Kind != LineOutage:
		return fmt.Errorf("it comes at %d, after the time for what the game waited for was over at %d", l.At, d.Game.Deadline)
	}
	return nil
}

// keepClock notes the clocks after the events that there are now.
func (d *draft) keepClock() {
	if d.after != nil && d.Match != nil {
		d.after = append(d.after[:d.Match.Len():d.Match.Len()], d.Game.Clock)
	}
}

func (d *draft) repeatAct(l Line) error {
	act := Act{Game: d.Game.ID, Seat: l.Seat, By: l.By}
	bare := Line{Kind: l.Kind, Seat: l.Seat, Text: l.Text, At: l.At, By: l.By}
	switch l.Kind {
	case LineCommitment, LineNonce:
		return d.contribute(l)
	case LineLapse:
		if d.Game.Invited != 0 {
			return d.notAccepted()
		}
		return d.take(l)
	case LineAccept:
		return d.accept(bare)
	case LineStand, LineRefuse:
		return d.repeatVacate(bare)
	case LineStart:
		return d.start(l.By, l.At)
	case LineMove:
		return d.move(Move{Act: act, Turn: l.Turn, Token: l.Text, Elapsed: l.Claimed}, l.At)
	case LineLeft:
		return d.leave(bare)
	case LineAgreed:
		return d.agree(act, l.At)
	case LineOffer:
		return d.offer(act, l.At)
	case LineDecline:
		return d.decline(act, l.At)
	case LineAbort:
		return d.abort(bare)
	case LinePause:
		return d.pause(bare)
	case LineResume:
		return d.resume(bare)
	case LineSet, LineAdd:
		return d.changeClock(bare)
	case LineAdjudication:
		return d.adjudicate(bare)
	case LineTakeback:
		return d.takeBack(bare)
	case LineTakebackOffer, LineTakebackDecline:
		return d.askBack(bare)
	case LineOutage:
		length, _, err := l.Ms()
		if err != nil {
			return err
		}
		return d.recordOutage(l.At-length, l.At)
	}
	return fmt.Errorf("nothing writes lines of kind %q", l.Kind)
}
