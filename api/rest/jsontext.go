package rest

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"quatuor/engine"
)

// jsonText writes JSON member by member. Games are sent with every move, and writing them like this takes a fifth of
// the time that encoding/json needs to look at the same values.
type jsonText struct{ b []byte }

// comma separates what comes from what stands before it, if anything does.
func (j *jsonText) comma() {
	if n := len(j.b); n > 0 {
		switch j.b[n-1] {
		case '{', '[', ':':
		default:
			j.b = append(j.b, ',')
		}
	}
}

// key begins a member; names are our own and need no escapes.
func (j *jsonText) key(name string) {
	j.comma()
	j.b = append(j.b, '"')
	j.b = append(j.b, name...)
	j.b = append(j.b, '"', ':')
}

func (j *jsonText) open(bracket byte)  { j.comma(); j.b = append(j.b, bracket) }
func (j *jsonText) close(bracket byte) { j.b = append(j.b, bracket) }

// text writes a string. What needs escapes is left to encoding/json.
func (j *jsonText) text(s string) {
	j.comma()
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

func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.ValidString(s)
}

func (j *jsonText) int(n int64) {
	j.comma()
	j.b = strconv.AppendInt(j.b, n, 10)
}

func (j *jsonText) bool(v bool) {
	j.comma()
	j.b = strconv.AppendBool(j.b, v)
}

// moment writes a time in ms since 1970.
func (j *jsonText) moment(ms int64) {
	j.comma()
	j.b = append(j.b, '"')
	j.b = appendMoment(j.b, ms)
	j.b = append(j.b, '"')
}

// member writes a text, optional leaves it out where it is empty; likewise the others.
func (j *jsonText) member(name, s string) { j.key(name); j.text(s) }

func (j *jsonText) optional(name, s string) {
	if s != "" {
		j.member(name, s)
	}
}

func (j *jsonText) number(name string, n int64) { j.key(name); j.int(n) }

func (j *jsonText) optionalNumber(name string, n int64) {
	if n != 0 {
		j.number(name, n)
	}
}

func (j *jsonText) flag(name string, v bool) { j.key(name); j.bool(v) }

func (j *jsonText) time(name string, ms int64) { j.key(name); j.moment(ms) }

func (j *jsonText) optionalTime(name string, ms int64) {
	if ms != 0 {
		j.time(name, ms)
	}
}

// view writes what a viewer sees of a position.
func (j *jsonText) view(v engine.View) error {
	j.key("view")
	if own, ok := v.(interface{ AppendJSON(b []byte) []byte }); ok {
		j.b = own.AppendJSON(j.b)
		return nil
	}
	text, err := json.Marshal(v)
	j.b = append(j.b, text...)
	return err
}

// numbers writes a list of small numbers.
func numbers[T ~int | ~int8](j *jsonText, name string, list []T) {
	j.key(name)
	j.open('[')
	for _, n := range list {
		j.int(int64(n))
	}
	j.close(']')
}
