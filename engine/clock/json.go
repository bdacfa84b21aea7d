package clock

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// AppendJSON appends the state's JSON to a buffer, the same as MarshalJSON returns. It works without reflection,
// because a clock is stored with every ply.
func (s State) AppendJSON(b []byte) []byte {
	b = append(b, `{"controls":[`...)
	for i := range s.seats {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, s.terms.controls[i].String()...)
		b = append(b, '"')
	}
	b = append(b, ']')
	if s.terms != nil {
		b = appendFlag(b, `,"lag":true`, s.terms.lag)
		b = appendNumber(b, `,"grace":`, s.terms.grace)
	}
	b = appendNumber(b, `,"last":`, s.last)
	b = appendFlag(b, `,"begun":true`, s.begun)
	b = appendFlag(b, `,"paused":true`, s.paused)
	b = append(b, `,"seats":[`...)
	for i := range s.seats {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.seats[i].append(b)
	}
	return append(b, "]}"...)
}

func (c *seat) append(b []byte) []byte {
	b = append(b, `{"left":`...)
	b = strconv.AppendInt(b, c.Left, 10)
	b = appendNumber(b, `,"periods":`, int64(c.Periods))
	b = appendNumber(b, `,"stage":`, int64(c.Stage))
	b = appendNumber(b, `,"in_stage":`, int64(c.InStage))
	b = appendNumber(b, `,"plies":`, int64(c.Plies))
	b = appendNumber(b, `,"quota":`, c.Quota)
	b = appendFlag(b, `,"running":true`, c.Running)
	b = appendNumber(b, `,"since":`, c.Since)
	b = appendNumber(b, `,"used":`, c.Used)
	b = appendNumber(b, `,"before":`, c.Before)
	b = appendNumber(b, `,"turns":`, int64(c.Turns))
	b = appendNumber(b, `,"fate":`, int64(c.Fate))
	b = appendFlag(b, `,"bare":true`, c.Bare)
	return append(b, '}')
}

// appendNumber appends a member; key includes the comma before it and the colon after it. 0 is left out.
func appendNumber(b []byte, key string, n int64) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(append(b, key...), n, 10)
}

// appendFlag appends a member that is true; false is left out.
func appendFlag(b []byte, member string, is bool) []byte {
	if !is {
		return b
	}
	return append(b, member...)
}

// MarshalJSON encodes the whole state: [State.UnmarshalJSON] restores the same state.
func (s State) MarshalJSON() ([]byte, error) {
	return s.AppendJSON(make([]byte, 0, 64+128*len(s.seats))), nil
}

// UnmarshalJSON reads the output of MarshalJSON. It refuses data that cannot be a state.
func (s *State) UnmarshalJSON(data []byte) error {
	var in struct {
		Controls []string `json:"controls"`
		Lag      bool     `json:"lag"`
		Grace    int64    `json:"grace"` // ms
		Last     int64    `json:"last"`  // ms
		Begun    bool     `json:"begun"`
		Paused   bool     `json:"paused"`
		Seats    []seat   `json:"seats"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if len(in.Seats) != len(in.Controls) || len(in.Seats) > MaxSeats {
		return fmt.Errorf("clock: %d seats for %d controls; there must be one each, at most %d",
			len(in.Seats), len(in.Controls), MaxSeats)
	}
	out := State{
		terms: &terms{controls: make([]Control, len(in.Seats)), lag: in.Lag, grace: in.Grace},
		seats: in.Seats, last: in.Last, begun: in.Begun, paused: in.Paused,
	}
	for i, c := range in.Seats {
		control, err := Parse(in.Controls[i])
		if err != nil {
			return fmt.Errorf("clock: seat %d: %w", i+1, err)
		}
		if c.Stage < 0 || c.Stage > 0 && c.Stage >= len(control.stages) {
			return fmt.Errorf("clock: seat %d: stage %d of %d", i+1, c.Stage+1, len(control.stages))
		}
		out.terms.controls[i] = control
	}
	*s = out
	return nil
}
