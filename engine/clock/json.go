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
	b = strconv.AppendInt(b, c.left, 10)
	b = appendNumber(b, `,"periods":`, int64(c.periods))
	b = appendNumber(b, `,"stage":`, int64(c.stage))
	b = appendNumber(b, `,"in_stage":`, int64(c.inStage))
	b = appendNumber(b, `,"plies":`, int64(c.plies))
	b = appendNumber(b, `,"quota":`, c.quota)
	b = appendFlag(b, `,"running":true`, c.running)
	b = appendNumber(b, `,"since":`, c.since)
	b = appendNumber(b, `,"used":`, c.used)
	b = appendNumber(b, `,"before":`, c.before)
	b = appendNumber(b, `,"turns":`, int64(c.turns))
	b = appendNumber(b, `,"fate":`, int64(c.fate))
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

// storedState and storedSeat are the shapes of a state's JSON; members that are zero are left out.
type storedState struct {
	Controls []string     `json:"controls"`
	Lag      bool         `json:"lag"`
	Grace    int64        `json:"grace"`  // ms
	Last     int64        `json:"last"`   // ms
	Begun    bool         `json:"begun"`  //
	Paused   bool         `json:"paused"` //
	Seats    []storedSeat `json:"seats"`
}

type storedSeat struct {
	Left    int64 `json:"left"` // ms
	Periods int   `json:"periods"`
	Stage   int   `json:"stage"` // from 0
	InStage int   `json:"in_stage"`
	Plies   int   `json:"plies"`
	Quota   int64 `json:"quota"` // ms
	Running bool  `json:"running"`
	Since   int64 `json:"since"`  // ms
	Used    int64 `json:"used"`   // ms
	Before  int64 `json:"before"` // ms
	Turns   uint8 `json:"turns"`
	Fate    fate  `json:"fate"`
}

// UnmarshalJSON reads what MarshalJSON wrote. It refuses data that cannot be a state.
func (s *State) UnmarshalJSON(data []byte) error {
	var in storedState
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if len(in.Seats) != len(in.Controls) || len(in.Seats) > MaxSeats {
		return fmt.Errorf("clock: %d seats for %d controls; there must be one each, at most %d",
			len(in.Seats), len(in.Controls), MaxSeats)
	}
	out := State{terms: &terms{lag: in.Lag, grace: in.Grace}, last: in.Last, begun: in.Begun, paused: in.Paused}
	out.terms.controls = make([]Control, len(in.Seats))
	out.seats = make([]seat, len(in.Seats))
	for i, c := range in.Seats {
		control, err := Parse(in.Controls[i])
		if err != nil {
			return fmt.Errorf("clock: seat %d: %w", i+1, err)
		}
		if c.Stage < 0 || c.Stage > 0 && c.Stage >= len(control.stages) {
			return fmt.Errorf("clock: seat %d: stage %d of %d", i+1, c.Stage+1, len(control.stages))
		}
		out.terms.controls[i] = control
		out.seats[i] = c.seat()
	}
	*s = out
	return nil
}

func (c storedSeat) seat() seat {
	return seat{
		left: c.Left, periods: c.Periods, stage: c.Stage, inStage: c.InStage, plies: c.Plies, quota: c.Quota,
		running: c.Running, since: c.Since, used: c.Used, before: c.Before, turns: c.Turns, fate: c.Fate,
	}
}
