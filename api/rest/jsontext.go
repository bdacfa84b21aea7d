package rest

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// jsonText writes JSON member by member. Games are sent with every move, and writing them like this takes a tenth of
// the time that encoding/json needs to look at the same values.
//
// The key of a member is given as it stands in the text, with the comma or the bracket before it and the colon after
// it, so that it is copied in one piece.
type jsonText struct{ b []byte }

// raw writes what is JSON already.
func (j *jsonText) raw(text string) { j.b = append(j.b, text...) }

// comma separates what comes in a list or an object from what stands before it, if anything does.
func (j *jsonText) comma() {
	if n := len(j.b); n > 0 {
		switch j.b[n-1] {
		case '{', '[':
		default:
			j.b = append(j.b, ',')
		}
	}
}

// text writes a string. What needs escapes is left to encoding/json.
func (j *jsonText) text(s string) {
	if !simple(s) {
		quoted, err := json.Marshal(s)
		if err != nil {
			panic("rest: " + err.Error()) // a string always encodes
		}
		j.b = append(j.b, quoted...)
		return
	}
	j.b = append(j.b, '"')
	j.b = append(j.b, s...)
	j.b = append(j.b, '"')
}

// simple reports whether a string needs no escapes.
func simple(s string) bool {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.ValidString(s)
}

// moment writes a time in ms since 1970.
func (j *jsonText) moment(ms int64) {
	j.b = append(j.b, '"')
	j.b = appendMoment(j.b, ms)
	j.b = append(j.b, '"')
}

// member writes a text, optional leaves it out where it is empty; likewise the others.
func (j *jsonText) member(key, s string) { j.raw(key); j.text(s) }

func (j *jsonText) optional(key, s string) {
	if s != "" {
		j.member(key, s)
	}
}

func (j *jsonText) number(key string, n int64) { j.raw(key); j.b = strconv.AppendInt(j.b, n, 10) }

func (j *jsonText) optionalNumber(key string, n int64) {
	if n != 0 {
		j.number(key, n)
	}
}

func (j *jsonText) flag(key string, v bool) { j.raw(key); j.b = strconv.AppendBool(j.b, v) }

func (j *jsonText) time(key string, ms int64) { j.raw(key); j.moment(ms) }

func (j *jsonText) optionalTime(key string, ms int64) {
	if ms != 0 {
		j.time(key, ms)
	}
}

// numbers writes a list of small numbers.
func numbers[T ~int | ~int8](j *jsonText, key string, list []T) {
	j.raw(key)
	j.raw("[")
	for i, n := range list {
		if i > 0 {
			j.raw(",")
		}
		j.b = strconv.AppendInt(j.b, int64(n), 10)
	}
	j.raw("]")
}
