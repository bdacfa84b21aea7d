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
