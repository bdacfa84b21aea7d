package clocklines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"quatuor/engine/clock"
)

// object is a JSON object with case-sensitive keys, unlike a struct's fields.
type object map[string]json.RawMessage

// member reads a member into a value. It leaves the value alone, and returns false, if the member is missing or null.
func (o object) member(key string, into any) (bool, error) {
	raw, found := o[key]
	if !found || bytes.Equal(raw, []byte("null")) {
		return false, nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return false, fmt.Errorf("%q: %w", key, err)
	}
	return true, nil
}

// readGame reads a line of input. Unknown keys are ignored.
func readGame(line []byte) (g game, err error) {
	var top object
	if err := json.Unmarshal(line, &top); err != nil {
		return g, fmt.Errorf("not a JSON object: %w", err)
	}
	if top == nil {
		return g, errors.New("not a JSON object but null")
	}
	var events []object
	for _, m := range []struct {
		key  string
		into any
	}{{"controls", &g.controls}, {"lag", &g.lag}, {"events", &events}} {
		if _, err := top.member(m.key, m.into); err != nil {
			return g, err
		}
	}
	g.events = make([]event, len(events))
	for i, e := range events {
		if g.events[i], err = e.event(); err != nil {
			return g, fmt.Errorf("event %d: %w", i, err)
		}
	}
	return g, nil
}

// actions read the possible actions of an event; each reports whether the event has it.
var actions = []func(object, *event) (bool, error){
	readMoved, readSet, readAdd,
	sign("pause", clock.Paused), sign("resume", clock.Resumed), sign("look", clock.Look),
}

// event reads an event: its time, the awaited seats, and its action.
func (o object) event() (e event, err error) {
	found, err := o.member("at", &e.At)
	if err == nil && !found {
		err = errors.New(`the time "at" is missing`)
	}
	if err != nil {
		return e, err
	}
	var await []int64
	if e.HasAwait, err = o.member("await", &await); err != nil {
		return e, err
	}
	for _, n := range await {
		e.Await = append(e.Await, seatOf(n))
	}
	count := 0
	for _, read := range actions {
		found, err := read(o, &e)
		if err != nil {
			return e, err
		}
		if found {
			count++
		}
	}
	switch {
	case count == 0 && e.HasAwait:
		e.Kind = clock.Awaited
	case count != 1:
		e.faulty = true
	}
	return e, nil
}

// sign reads an action with the value true; false means absent.
func sign(key string, kind clock.Kind) func(object, *event) (bool, error) {
	return func(o object, e *event) (is bool, err error) {
		_, err = o.member(key, &is)
		if is {
			e.Kind = kind
		}
		return is, err
	}
}

func readMoved(o object, e *event) (bool, error) {
	var mover int64
	found, err := o.member("moved", &mover)
	if !found || err != nil {
		return false, err
	}
	e.Kind, e.Seat = clock.Moved, seatOf(mover)
	var elapsed int64
	if found, err = o.member("elapsed", &elapsed); found {
		e.Elapsed = &elapsed
	}
	return true, err
}

func readSet(o object, e *event) (bool, error) {
	set, err := readChange(o, e, "set", clock.Set, "remaining")
	if set == nil || err != nil {
		return false, err
	}
	var periods int
	found, err := set.member("periods", &periods)
	if found {
		e.Periods = &periods
	}
	return true, err
}

func readAdd(o object, e *event) (bool, error) {
	add, err := readChange(o, e, "add", clock.Add, "ms")
	return add != nil, err
}

// readChange reads what set and add have in common: the seat and an amount of time under the key given.
func readChange(o object, e *event, key string, kind clock.Kind, amount string) (change object, err error) {
	if found, err := o.member(key, &change); !found || err != nil {
		return nil, err
	}
	var seat int64
	if _, err := change.member("seat", &seat); err != nil {
		return nil, fmt.Errorf("%q: %w", key, err)
	}
	found, err := change.member(amount, &e.Remaining)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", key, err)
	}
	e.Kind = kind
	e.Seat = seatOf(seat)
	e.faulty = !found
	return change, nil
}

// seatOf returns a seat's number; 0, which no seat has, for numbers that no seat could have.
func seatOf(n int64) int8 {
	if n < 1 || n > clock.MaxSeats {
		return 0
	}
	return int8(n)
}
