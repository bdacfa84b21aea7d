package table

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"quatuor/engine/clock"
)

// rerun sets a stored game up again, to replay its log. Its row holds which invited players have not accepted;
// its log, which have.
func rerun(stored Game, lines []Line) (*draft, error) {
	stored.Invited = invitedAtFirst(stored, lines)
	s, err := begin(stored)
	if err != nil {
		return nil, err
	}
	s.Game.Version = 0
	s.Game.StartedAt = 0
	s.Game.FinishedAt = 0
	s.Game.Plies = 0
	s.Game.Offer = 0
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

// inTime returns an error for a line after the time for acceptances, commitments or nonces, and for a lapse at any
// moment but the end of that time.
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

// keepClock keeps the clocks after the events so far.
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
	case LineBerserk:
		return d.berserk(act, l.At)
	case LineAdjudication:
		return d.adjudicate(bare)
	case LineTakeback:
		return d.takeBack(bare)
	case LineTakebackOffer, LineTakebackDecline:
		return d.mark(bare)
	case LineOutage:
		length, _, err := l.Ms()
		if err != nil {
			return err
		}
		return d.recordOutage(l.At-length, l.At)
	}
	return fmt.Errorf("nothing writes lines of kind %q", l.Kind)
}

// Audit replays the log of a stored game, line by line, and returns the differences between the stored and the replayed
// values: of a line (its turn, the time it took, the time that remained), or of the game's row (position, turn,
// outcome, clocks and the rest). It returns nil for none. The texts never contain a position, since it may be secret.
func Audit(stored Game, lines []Line) []string {
	d, err := rerun(stored, lines)
	if err != nil {
		return []string{"it cannot be set up again: " + err.Error()}
	}
	var faults []string
	for i, l := range lines {
		if err := d.repeat(l); err != nil {
			// Later lines build on this line, and so does the row.
			return append(faults, fmt.Sprintf("line %d cannot be carried out: %v", i+1, err))
		}
		for _, fault := range lineDifferences(l, d.Lines[i]) {
			faults = append(faults, fmt.Sprintf("line %d, %s of seat %d: %s", i+1, l.Kind, l.Seat, fault))
		}
	}
	return append(faults, differences(stored, d.Game)...)
}

// field is a stored value and the expected value.
type field struct {
	name         string
	stored, want any
}

func unequal(fields ...field) (faults []string) {
	for _, f := range fields {
		if !reflect.DeepEqual(f.stored, f.want) {
			faults = append(faults, fmt.Sprintf("its %s is %v and should be %v", f.name, f.stored, f.want))
		}
	}
	return faults
}

// lineDifferences compares a stored line with the line that carrying it out again makes.
func lineDifferences(stored, made Line) []string {
	// Older lines have no sentence of the server; in others it must match the text.
	if stored.Said != "" && stored.Said.Sentence().String() != stored.Reason() {
		return []string{"its words for other languages are not those of its text"}
	}
	made.Said = stored.Said
	if reflect.DeepEqual(stored, made) {
		return nil
	}
	faults := unequal(
		field{"number", stored.N, made.N},
		field{"turn", stored.Turn, made.Turn},
		field{"time taken in ms", stored.Elapsed, made.Elapsed},
		field{"time left in ms", stored.Remaining, made.Remaining},
	)
	if faults == nil {
		faults = []string{"it says more than such a line does"}
	}
	return faults
}

// differences compares a stored row with the row that its log leads to.
func differences(stored, want Game) []string {
	faults := unequal(
		field{"status", stored.Status, want.Status},
		field{"set of seats that have not accepted", stored.Invited, want.Invited},
		field{"version", stored.Version, want.Version},
		field{"turn", stored.Turn, want.Turn},
		field{"number of plies", stored.Plies, want.Plies},
		field{"draw offer", stored.Offer, want.Offer},
		field{"deadline", stored.Deadline, want.Deadline},
		field{"outcome", stored.Outcome, want.Outcome},
		field{"start", stored.StartedAt, want.StartedAt},
		field{"end", stored.FinishedAt, want.FinishedAt},
		field{"clock", string(stored.Clock.AppendJSON(nil)), string(want.Clock.AppendJSON(nil))},
	)
	if !slices.Equal(stored.Awaited, want.Awaited) {
		faults = append(faults, fmt.Sprintf("it awaits seats %v and should await %v", stored.Awaited, want.Awaited))
	}
	if stored.Position != want.Position {
		faults = append(faults, "its position is not the one that its moves lead to")
	}
	return faults
}
