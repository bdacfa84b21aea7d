package table

import (
	"cmp"
	"slices"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// CheckEnd returns an error for a game that could go on for ever: positions can repeat, neither repetition nor length
// makes it a draw, and no seat has a clock. Errors wrap [ErrSetup], or are those of [engine.NewSetup].
func CheckEnd(variant string, seats int, options map[string]string, controls ...clock.Control) error {
	rules, err := catalog.Find(variant)
	if err != nil {
		return err
	}
	info := rules.Info()
	if !info.Endless {
		return nil
	}
	setup, err := engine.NewSetup(info, cmp.Or(seats, info.Seats[0]), "", options)
	if err != nil {
		return err
	}
	if setup.Regulations.Repetition != 0 || setup.Regulations.MaxPlies != 0 {
		return nil
	}
	if slices.ContainsFunc(controls, func(c clock.Control) bool { return !c.None() }) {
		return nil
	}
	return fault("/options", "a game with repetition 0, max_plies 0 and no clock could go on for ever; leave out one "+
		"of these options, or choose a time control")
}

// FieldError is a fault in a member of a request for a game; it wraps [ErrSetup].
type FieldError struct {
	Pointer string // of the member, as a JSON pointer
	Detail  string // the fault, and the remedy
	said    sentence.Sentence
}

func fault(pointer, format string, args ...any) *FieldError {
	said := sentence.New(format, args...)
	return &FieldError{pointer, said.String(), said}
}

// Sentence returns the detail with its values apart.
func (e *FieldError) Sentence() sentence.Sentence { return e.said }

// Error returns the place and the fault.
func (e *FieldError) Error() string { return ErrSetup.Error() + ": " + e.Detail }

// Unwrap returns [ErrSetup].
func (*FieldError) Unwrap() error { return ErrSetup }

const (
	// minRatedTime is the minimum time on a seat's clock for the first 60 moves of a rated casual game, in ms.
	minRatedTime = 60_000
	// minFirstTurn is the minimum for the first of them, in ms.
	minFirstTurn = 5_000
)

// checkCasual checks a game without a tournament, to protect invited players: it must be able to end, and if it is
// rated, all seats must have the same time, and enough of it. A rated game without a clock is allowed: it cannot be
// lost on time, and it has a rating list of its own.
func checkCasual(g Game) error {
	controls, err := parseControls(g.Controls, g.Seats)
	if err != nil {
		return err
	}
	if err := CheckEnd(g.Variant, g.Seats, g.Options, controls...); err != nil || !g.Rated {
		return err
	}
	for i, c := range controls {
		switch {
		case c.String() != controls[0].String():
			return fault("/seats", "in a rated game all seats have the same time control; seat 1 has %s and seat %d has %s",
				controls[0], i+1, c)
		case c.None():
		case c.Estimate() < minRatedTime || c.FirstTurn() < minFirstTurn:
			return fault("/time_control", "%s is too short for a rated game, which gives each seat at least %d seconds for "+
				"its first 60 moves and %d for the first of them, such as 60 or 30+1", c, minRatedTime/1000, minFirstTurn/1000)
		}
	}
	return nil
}
