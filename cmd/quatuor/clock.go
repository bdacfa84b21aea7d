package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quatuor/cmd/quatuor/app"
	"quatuor/engine/clock"
)

// clockCmd is `quatuor clock`: games as JSON lines in, the state of their clocks as JSON lines out.
type clockCmd struct{}

// Run answers standard input on standard output.
func (clockCmd) Run(s streams) error { return clockLines(s.In, s.Out) }

// clockGame is one line of input of `quatuor clock`.
type clockGame struct {
	controls []string
	events   []clockEvent
	lag      bool
}

// clockEvent is one event of a line. Which action it is stands in the kind, unless there is not exactly one.
type clockEvent struct {
	clock.Event
	faulty bool // it has not exactly one action, or lacks a part: it makes no sense whatever the clocks are
}

// clockAnswer is one line of output.
type clockAnswer struct {
	Remaining []*int64    `json:"remaining"` // ms; null without a clock
	Periods   []int       `json:"periods"`
	Stage     []int       `json:"stage"` // from 1
	Moves     []int       `json:"moves"`
	Quota     *[]int64    `json:"quota,omitempty"` // ms; left out without lag credit
	Deadline  *clockFlag  `json:"deadline"`
	Flagged   []clockFlag `json:"flagged"`
	Error     *clockError `json:"error"`
}

type clockFlag struct {
	Seat int8  `json:"seat"`
	At   int64 `json:"at"` // ms
}

type clockError struct {
	Index int    `json:"index"` // of the event, from 0; -1 for the controls
	Kind  string `json:"kind"`
}

// clockLines answers every line of JSON with one of its own, in order. A line that cannot be read ends it with an
// error that names the line; the lines before it are answered.
func clockLines(in io.Reader, out io.Writer) (err error) {
	lines, answers := bufio.NewReader(in), bufio.NewWriter(out)
	defer func() { err = errors.Join(err, answers.Flush()) }()
	encoder := json.NewEncoder(answers)
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return readErr
		}
		if len(line) > 0 {
			game, err := readClockGame(line)
			if err != nil {
				return app.UsageErrorf("line %d: %w", number, err)
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
func (g clockGame) play() clockAnswer {
	controls, err := g.parseControls()
	if err != nil {
		return g.answer(clock.New(nil, g.lag), nil, &clockError{-1, "control"})
	}
	state := clock.New(controls, g.lag)
	var all []clock.Flag
	for i, ev := range g.events {
		next, flags, err := ev.apply(state)
		state, all = next, append(all, flags...)
		if err != nil {
			return g.answer(state, all, &clockError{i, clockErrorKind(err)})
		}
	}
	return g.answer(state, all, nil)
}

func (g clockGame) parseControls() ([]clock.Control, error) {
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

// apply carries out one event. An event with a fault of its own still moves the time.
func (e clockEvent) apply(s clock.State) (clock.State, []clock.Flag, error) {
	if !e.faulty {
		return s.Apply(e.Event)
	}
	next, flags, err := s.Apply(clock.Event{At: e.At, Kind: clock.Look})
	if err == nil {
		err = clock.ErrState
	}
	return next, flags, err
}

// clockErrorKind spells the kind of a refusal.
func clockErrorKind(err error) string {
	for _, kind := range []error{clock.ErrOrder, clock.ErrPaused, clock.ErrFlagged, clock.ErrTurn} {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return clock.ErrState.Error()
}

// answer reads all clocks at the time of the last event.
func (g clockGame) answer(s clock.State, flags []clock.Flag, refused *clockError) clockAnswer {
	n := s.Seats()
	a := clockAnswer{
		Remaining: make([]*int64, n), Periods: make([]int, n), Stage: make([]int, n), Moves: make([]int, n),
		Flagged: make([]clockFlag, len(flags)), Error: refused,
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
		a.Deadline = &clockFlag{next.Seat, next.At}
	}
	for i, f := range flags {
		a.Flagged[i] = clockFlag{f.Seat, f.At}
	}
	return a
}
