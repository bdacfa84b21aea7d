package clock

import (
	"strconv"
	"strings"
)

// Units of time in milliseconds.
const (
	second int64 = 1000
	day          = 24 * 60 * 60 * second
)

// rule is a stage's way of charging a turn.
type rule uint8

const (
	plain          rule = iota // sudden death
	fischer                    // extra is added with every move
	delay                      // the first extra of a turn is free
	bronstein                  // the time used is returned, up to extra
	byoyomi                    // after the time come periods of extra each
	correspondence             // the base is restored after every move
)

// stage is a part of a time control. Times are milliseconds.
type stage struct {
	rule    rule
	moves   int // plies until the next stage begins; 0 in the last
	base    int64
	extra   int64 // increment, delay, bonus or length of a period
	periods int
}

// Control is a seat's time control. The zero Control is "none": no clock. Two controls are the same if their String is.
// Controls are immutable and may be shared.
type Control struct {
	text   string // canonical; "" for none
	stages []stage
}

// None reports whether the control has no clock at all.
func (c Control) None() bool { return len(c.stages) == 0 }

// String returns the canonical form; [Parse] reads the same control from it.
func (c Control) String() string {
	if c.None() {
		return "none"
	}
	return c.text
}

// newControl returns the control of some stages, with its canonical text.
func newControl(stages []stage) Control {
	var b strings.Builder
	for i, s := range stages {
		if i > 0 {
			b.WriteByte(':')
		}
		s.write(&b)
	}
	return Control{b.String(), stages}
}

func (s stage) write(b *strings.Builder) {
	if s.rule == correspondence {
		b.WriteString(strconv.FormatInt(s.base/day, 10) + "days")
		return
	}
	if s.moves > 0 {
		b.WriteString(strconv.Itoa(s.moves) + "/")
	}
	b.WriteString(seconds(s.base))
	switch s.rule {
	case fischer:
		b.WriteString("+" + seconds(s.extra))
	case delay:
		b.WriteString("d" + seconds(s.extra))
	case bronstein:
		b.WriteString("b" + seconds(s.extra))
	case byoyomi:
		b.WriteString("y" + strconv.Itoa(s.periods) + "x" + seconds(s.extra))
	}
}

// seconds formats milliseconds as seconds without needless zeros.
func seconds(ms int64) string {
	whole, part := ms/second, ms%second
	if part == 0 {
		return strconv.FormatInt(whole, 10)
	}
	digits := strconv.FormatInt(second+part, 10)[1:] // three digits, leading zeros kept
	return strconv.FormatInt(whole, 10) + "." + strings.TrimRight(digits, "0")
}

// start returns a seat's clock before its first turn.
func (c Control) start() (left int64, periods int) {
	if c.None() {
		return 0, 0
	}
	first := c.stages[0]
	if first.base == 0 && first.rule == fischer {
		return first.extra, 0
	}
	return first.base, first.periods
}

// The speed classes of rating lists, from fast to slow.
const (
	Bullet         = "bullet"
	Blitz          = "blitz"
	Rapid          = "rapid"
	Classical      = "classical"
	Correspondence = "correspondence"
	Untimed        = "untimed"
)

// Classes returns all speed classes, from fast to slow.
func Classes() []string { return []string{Bullet, Blitz, Rapid, Classical, Correspondence, Untimed} }

// classMoves is the length of game that a time control's speed is estimated for, in plies of a seat.
const classMoves = 60

// Class returns the speed class of a game for rating lists: that of its slowest seat. The measure is the time that
// a seat has for 60 plies: the bases of all stages that begin within them, 60 times the increment, delay or bonus
// (each ply that of its stage), and every byo-yomi period of these stages once. Below 180 seconds is bullet, up to
// and including 600 blitz, below 3,600 rapid, and from there classical. Days a move are correspondence; a game in
// which a seat has no clock is untimed, and so is a game without seats.
func Class(controls ...Control) string {
	slowest, days, untimed := int64(0), false, len(controls) == 0
	for _, c := range controls {
		slowest = max(slowest, c.Estimate())
		untimed = untimed || c.None()
		days = days || !c.None() && c.stages[0].rule == correspondence
	}
	switch {
	case untimed:
		return Untimed
	case days:
		return Correspondence
	case slowest < 180*second:
		return Bullet
	case slowest <= 600*second:
		return Blitz
	case slowest < 3600*second:
		return Rapid
	default:
		return Classical
	}
}

// Estimate returns the time that a seat has for its first 60 plies, in milliseconds, as [Class] counts it; 0 without a
// clock. A control of days a move counts as a day.
func (c Control) Estimate() (total int64) {
	moves := int64(classMoves)
	for _, s := range c.stages {
		if moves == 0 {
			break
		}
		in := moves
		if s.moves > 0 {
			in = min(in, int64(s.moves))
		}
		moves -= in
		times := in // of the increment, delay or bonus
		if s.rule == byoyomi {
			times = int64(s.periods)
		}
		total += s.base + times*s.extra
	}
	return total
}

// Base returns the time at the start of the first stage, in milliseconds; false without a clock, and for days a move.
func (c Control) Base() (ms int64, timed bool) {
	if c.None() || c.stages[0].rule == correspondence {
		return 0, false
	}
	return c.stages[0].base, true
}

// FirstTurn returns the longest duration of a seat's first turn, in milliseconds; 0 without a clock.
func (c Control) FirstTurn() int64 {
	if c.None() {
		return 0
	}
	left, periods := c.start()
	switch first := c.stages[0]; first.rule {
	case delay:
		return left + first.extra
	case byoyomi:
		return left + int64(periods)*first.extra
	default:
		return left
	}
}
