package teamswiss

import (
	"fmt"
	"strings"
)

// Readings are the places where the text of C.04.6 can be read in two ways. The zero value is the default reading.
type Readings struct {
	ForfeitMet  bool // forfeit_met=true: a forfeited match bars another, too (C1)
	LastNone    bool // last=none: in the last round, a team of type B without a difference has no preference
	C6Graded    bool // c6=graded: the fewer upfloaters the next scoregroup needs, the better
	SeatByScore bool // seat=score: pairs of a bracket are ordered by score and number, not by number alone
}

// reading is a reading with the values that select it.
type reading struct {
	key, usual, other string
	set               func(*Readings) *bool
}

var readings = []reading{
	{"forfeit_met", "false", "true", func(r *Readings) *bool { return &r.ForfeitMet }},
	{"last", "strong", "none", func(r *Readings) *bool { return &r.LastNone }},
	{"c6", "reach", "graded", func(r *Readings) *bool { return &r.C6Graded }},
	{"seat", "number", "score", func(r *Readings) *bool { return &r.SeatByScore }},
}

// ParseReadings reads readings, for example "c6=graded". Errors name what is possible.
func ParseReadings(texts []string) (r Readings, err error) {
	for _, text := range texts {
		if err := r.parse(text); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Readings) parse(text string) error {
	key, value, _ := strings.Cut(text, "=")
	var possible []string
	for _, known := range readings {
		possible = append(possible, known.key+"="+known.usual+"|"+known.other)
		switch {
		case known.key != key:
		case value == known.usual || value == known.other:
			*known.set(r) = value == known.other
			return nil
		default:
			return fmt.Errorf("the reading %q is unknown; use %s=%s or %s=%s", text, key, known.usual, key, known.other)
		}
	}
	return fmt.Errorf("the reading %q is unknown; use %s", text, strings.Join(possible, ", "))
}

// Strings returns the readings in force, a text each, for example "c6=reach".
func (r Readings) Strings() []string {
	out := make([]string, len(readings))
	for i, known := range readings {
		out[i] = known.key + "=" + known.usual
		if *known.set(&r) {
			out[i] = known.key + "=" + known.other
		}
	}
	return out
}
