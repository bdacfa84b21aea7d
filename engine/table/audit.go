package table

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"quatuor/engine"
)

// Audit carries the log of a stored game out again, line by line, as the tables did when it was played, and says in
// plain words where what is stored differs from what follows: a line (its turn, the time it took, the time that
// remained), or the game's row (position, turn, outcome, clocks and the rest). It gives nil if all is as it should be.
// No position appears in the words, since it may be secret.
func Audit(stored Game, lines []Line) []string {
	s, err := begin(stored)
	if err != nil {
		return []string{"it cannot be set up again: " + err.Error()}
	}
	s.Game.Version, s.Game.StartedAt, s.Game.FinishedAt, s.Game.Plies, s.Game.Offer = 0, 0, 0, 0, 0
	s.Game.Deadline, s.Game.Outcome = 0, nil
	d := draftOf(s)
	var faults []string
	for i, l := range lines {
		if err := d.repeat(l); err != nil {
			// What comes after builds on this line, and so does the row.
			return append(faults, fmt.Sprintf("line %d cannot be carried out: %v", i+1, err))
		}
		if made := d.Lines[i]; !reflect.DeepEqual(made, l) {
			faults = append(faults, fmt.Sprintf("line %d is %s and should be %s", i+1, l.describe(), made.describe()))
		}
	}
	return append(faults, differences(stored, d.Game)...)
}

// repeat carries a stored line out again.
func (d *draft) repeat(l Line) error {
	act := Act{Game: d.Game.ID, Seat: l.Seat, By: l.By}
	timeout := l.Kind == LineLeft && l.Text == string(engine.ReasonTime)
	flag, armed := d.Game.Clock.Next()
	armed = armed && d.Game.Status == Running
	switch {
	case timeout && (!armed || flag.Seat != l.Seat || flag.At != l.At):
		return fmt.Errorf("no flag of seat %d fell at %d", l.Seat, l.At)
	case timeout:
		return d.fall(flag)
	case armed && flag.At < l.At && l.Kind != LineOutage:
		return fmt.Errorf("it comes at %d, after the flag of seat %d had fallen at %d", l.At, flag.Seat, flag.At)
	}
	before := d.Game.Version
	if err := d.repeatAct(l, act); err != nil {
		return err
	}
	if d.Game.Version != before+1 {
		return errors.New("it changes nothing")
	}
	return nil
}

func (d *draft) repeatAct(l Line, act Act) error {
	switch l.Kind {
	case LineCommitment, LineNonce:
		return d.contribute(l)
	case LineStart:
		return d.start(l.By, l.At)
	case LineMove:
		return d.move(Move{Act: act, Turn: l.Turn, Token: l.Text, Elapsed: l.Claimed}, l.At)
	case LineLeft:
		return d.resign(act, l.At)
	case LineAgreed:
		return d.agree(act, l.At)
	case LineOffer:
		return d.offer(act, l.At)
	case LineDecline:
		return d.decline(act, l.At)
	case LineAbort:
		return d.abort(l.By, l.Text, l.At)
	case LineOutage:
		length, err := strconv.ParseInt(l.Text, 10, 64)
		if err != nil {
			return err
		}
		return d.standStill(l.At-length, l.At)
	}
	return fmt.Errorf("nothing writes lines of kind %q", l.Kind)
}

// describe names what a line says about time and place; its text may be secret.
func (l Line) describe() string {
	claimed := ""
	if l.Claimed != nil {
		claimed = fmt.Sprintf(" (%d claimed)", *l.Claimed)
	}
	return fmt.Sprintf("number %d, %s of seat %d in turn %d at %d by %q, %d ms%s, %d left",
		l.N, l.Kind, l.Seat, l.Turn, l.At, l.By, l.Elapsed, claimed, l.Remaining)
}

// differences compares a stored row with what its log leads to.
func differences(stored, want Game) []string {
	var faults []string
	for _, field := range []struct {
		name         string
		stored, want any
	}{
		{"status", stored.Status, want.Status},
		{"version", stored.Version, want.Version},
		{"turn", stored.Turn, want.Turn},
		{"number of plies", stored.Plies, want.Plies},
		{"draw offer", stored.Offer, want.Offer},
		{"deadline", stored.Deadline, want.Deadline},
		{"outcome", stored.Outcome, want.Outcome},
		{"start", stored.StartedAt, want.StartedAt},
		{"end", stored.FinishedAt, want.FinishedAt},
		{"clock", string(stored.Clock.AppendJSON(nil)), string(want.Clock.AppendJSON(nil))},
	} {
		if !reflect.DeepEqual(field.stored, field.want) {
			faults = append(faults, fmt.Sprintf("its %s is %v and should be %v", field.name, field.stored, field.want))
		}
	}
	if !slices.Equal(stored.Awaited, want.Awaited) {
		faults = append(faults, fmt.Sprintf("it awaits seats %v and should await %v", stored.Awaited, want.Awaited))
	}
	if stored.Position != want.Position {
		faults = append(faults, "its position is not the one that its moves lead to")
	}
	return faults
}
