// Package clocklines computes chess clocks from games as JSON lines, as `quatuor clock` does.
package clocklines

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quatuor/engine/clock"
)

// game is a line of input of `quatuor clock`.
type game struct {
	controls []string
	events   []event
	lag      bool
}

// event is an event of a line. Its kind is the action, unless the line has none or several.
type event struct {
	clock.Event
	faulty bool // it has no action, several, or lacks a part: it makes no sense whatever the clocks are
}

// answerLine is a line of output.
type answerLine struct {
	Remaining []*int64    `json:"remaining"` // ms; null without a clock
	Periods   []int       `json:"periods"`
	Stage     []int       `json:"stage"` // from 1
	Moves     []int       `json:"moves"`
	Quota     *[]int64    `json:"quota,omitempty"` // ms; left out without lag credit
	Deadline  *flag       `json:"deadline"`
	Flagged   []flag      `json:"flagged"`
	Error     *eventError `json:"error"`
}

type flag struct {
	Seat int8  `json:"seat"`
	At   int64 `json:"at"` // ms
}

type eventError struct {
	Index int    `json:"index"` // of the event, from 0; -1 for the controls
	Kind  string `json:"kind"`
}

// LineError is a line of input that cannot be read.
type LineError struct {
	Number int // from 1
	Err    error
}

// Error names the line and its error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap returns the fault of the line.
func (e *LineError) Unwrap() error { return e.Err }

// Answer answers every line of JSON with a line, in order. An unreadable line ends it with a [LineError]; the lines
// before it are answered.
func Answer(in io.Reader, out io.Writer) (err error) {
	lines, answers := bufio.NewReader(in), bufio.NewWriter(out)
	defer func() { err = errors.Join(err, answers.Flush()) }()
	encoder := json.NewEncoder(answers)
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return readErr
		}
		if len(line) > 0 {
			game, err := readGame(line)
			if err != nil {
				return &LineError{number, err}
			}
			if err := encoder.Encode(game.play()); err != nil {
				return err
			}
		}
		if lines.Buffered() == 0 { // a caller that sends line by line waits for the answer
			if err := answers.Flush(); err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

// play carries out the events until the first error.
func (g game) play() answerLine {
	controls, err := g.parseControls()
	if err != nil {
		return g.answer(clock.New(nil, g.lag), nil, &eventError{-1, "control"})
	}
	state := clock.New(controls, g.lag)
	var all []clock.Flag
	for i, ev := range g.events {
		next, flags, err := ev.apply(state)
		state, all = next, append(all, flags...)
		if err != nil {
			return g.answer(state, all, &eventError{i, errorKind(err)})
		}
	}
	return g.answer(state, all, nil)
}

func (g game) parseControls() ([]clock.Control, error) {
	if n := len(g.controls); n < 1 || n > clock.MaxSeats {
		return nil, fmt.Errorf("%d seats; a game has 1 to %d", n, clock.MaxSeats)
	}
	controls := make([]clock.Control, len(g.controls))
	for i, text := range g.controls {
		c, err := clock.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("seat %d: %w", i+1, err)
		}
		controls[i] = c
	}
	return controls, nil
}

// apply carries out an event. An event with a fault of its own still moves the time.
func (e event) apply(s clock.State) (clock.State, []clock.Flag, error) {
	if !e.faulty {
		return s.Apply(e.Event)
	}
	next, flags, err := s.Apply(clock.Event{At: e.At, Kind: clock.Look})
	if err == nil {
		err = clock.ErrState
	}
	return next, flags, err
}

// errorKind spells the kind of a refusal.
func errorKind(err error) string {
	for _, kind := range []error{clock.ErrOrder, clock.ErrPaused, clock.ErrFlagged, clock.ErrTurn} {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return clock.ErrState.Error()
}

// answer reads all clocks at the time of the last event.
func (g game) answer(s clock.State, flags []clock.Flag, refused *eventError) answerLine {
	n := s.Seats()
	a := answerLine{
		Remaining: make([]*int64, n), Periods: make([]int, n), Stage: make([]int, n), Moves: make([]int, n),
		Flagged: make([]flag, len(flags)), Error: refused,
	}
	quota := make([]int64, n)
	for i := range n {
		r := s.Seat(int8(i+1), s.LastAt())
		if !r.None {
			a.Remaining[i] = &r.Remaining
		}
		a.Periods[i], a.Stage[i], a.Moves[i], quota[i] = r.Periods, r.Stage, r.Moves, r.Quota
	}
	if g.lag {
		a.Quota = &quota
	}
	if next, found := s.Next(); found {
		a.Deadline = &flag{next.Seat, next.At}
	}
	for i, f := range flags {
		a.Flagged[i] = flag{f.Seat, f.At}
	}
	return a
}
