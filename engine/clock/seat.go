package clock

import "math"

// The quota of lag credit: the seat's initial and maximum quota, its gain with each ply, and the maximum that a ply may
// use; milliseconds.
const (
	quotaMax  = 1000
	quotaGain = 100
	creditMax = 500
)

// fate is the state of a seat's clock: running on, or the reason why it has none.
type fate uint8

const (
	playing fate = iota
	flagged
	gone
)

// seat is a clock. The use of a running turn is never stored while it runs: Left and Periods are those at its start (or
// at the arbiter's last change), and the rest follows from the time of the reading. The tags are those of the state's
// JSON, without members that are zero; times are milliseconds.
type seat struct {
	Left    int64 `json:"left"`     // R
	Periods int   `json:"periods"`  // byo-yomi periods, the running period included
	Stage   int   `json:"stage"`    // from 0
	InStage int   `json:"in_stage"` // plies since the stage began
	Plies   int   `json:"plies"`
	Quota   int64 `json:"quota"`

	Running bool  `json:"running"` // awaited: a turn is in progress, even in a pause
	Since   int64 `json:"since"`   // when the turn began, was resumed, or its clock was changed
	Used    int64 `json:"used"`    // e before Since
	Before  int64 `json:"before"`  // of the turn before the arbiter's last change; only grace needs it
	Turns   uint8 `json:"turns"`   // 0 none yet, 1 in or after the first, 2 beyond it
	Fate    fate  `json:"fate"`
	Bare    bool  `json:"bare"` // plays on its time alone: see Berserk
}

// elapsed returns e, the length of the running turn without pauses and since the arbiter's last change.
func (c *seat) elapsed(at int64, paused bool) int64 {
	if paused {
		return c.Used
	}
	return plus(c.Used, max(0, plus(at, -c.Since)))
}

// begin starts a turn.
func (c *seat) begin(at int64) {
	c.Running = true
	c.Since = at
	c.Used = 0
	c.Before = 0
	c.Turns = min(c.Turns+1, 2)
}

// end ends a turn without charging it.
func (c *seat) end() {
	c.Running = false
	c.Since = 0
	c.Used = 0
	c.Before = 0
}

// drop takes the seat out of the game.
func (c *seat) drop(f fate) {
	c.end()
	c.Left = 0
	c.Periods = 0
	c.Fate = f
}

// of returns a stage as the seat plays it: a seat that plays on its time alone has neither increment nor the like.
func (c *seat) of(st *stage) *stage {
	if !c.Bare {
		return st
	}
	bare := stage{rule: plain, moves: st.moves, base: st.base}
	if st.rule == correspondence {
		bare.rule = correspondence
	}
	return &bare
}

// charge returns the rest of a time and its periods after a turn of e, before any increment or bonus.
func (s *stage) charge(left int64, periods int, e int64) (int64, int) {
	if s == nil {
		return 0, 0
	}
	if s.rule == delay {
		e = max(0, e-s.extra)
	}
	if s.rule == byoyomi && e > left {
		full := (e - left - 1) / s.extra // periods used up: those begun, less 1
		return 0, int(max(0, int64(periods)-full))
	}
	return max(0, left-e), periods
}

// reward returns a seat's time after a ply, from the time that the turn of e left it.
func (s *stage) reward(left, e int64) int64 {
	switch s.rule {
	case fischer:
		return plus(left, s.extra)
	case bronstein:
		return plus(left, min(e, s.extra))
	case correspondence:
		return s.base
	default:
		return left
	}
}

// allowance returns the longest duration of a turn.
func (s *stage) allowance(left int64, periods int) int64 {
	switch s.rule {
	case delay:
		return plus(left, s.extra)
	case byoyomi:
		if int64(periods) > math.MaxInt64/s.extra {
			return math.MaxInt64
		}
		return plus(left, int64(periods)*s.extra)
	default:
		return left
	}
}

// plus is saturating addition: sums beyond the range of int64 stop at its ends.
func plus(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	}
	return sum
}
