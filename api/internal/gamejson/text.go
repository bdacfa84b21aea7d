package gamejson

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// writer appends JSON member by member. The key of a member is passed with its punctuation, the comma or the bracket
// before it and the colon after it, so that it is copied at once.
type writer struct{ b []byte }

// raw appends JSON text.
func (w *writer) raw(text string) { w.b = append(w.b, text...) }

// comma separates the elements of a list or an object: it appends a comma before all but the first.
func (w *writer) comma(first bool) {
	if !first {
		w.b = append(w.b, ',')
	}
}

// text appends a string; invalid UTF-8 in it becomes U+FFFD, as in encoding/json.
func (w *writer) text(s string) {
	w.b, _ = jsontext.AppendQuote(w.b, s) // the error reports invalid UTF-8
}

// moment appends a time in ms since 1970, as RFC 3339 in UTC with milliseconds.
func (w *writer) moment(ms int64) {
	t := time.UnixMilli(ms).UTC()
	// RFC 3339 has a fast path in package time, unlike forms with ".000"
	w.b = t.AppendFormat(append(w.b, '"'), time.RFC3339)
	n := t.Nanosecond() / int(time.Millisecond)
	w.b = append(w.b[:len(w.b)-1], '.', digit(n/100), digit(n/10%10), digit(n%10), 'Z', '"')
}

func digit(n int) byte { return byte('0' + n) }

// member appends a text. The optional forms leave a member out where its value is zero.
func (w *writer) member(key, s string) {
	w.raw(key)
	w.text(s)
}

func (w *writer) optional(key, s string) {
	if s != "" {
		w.member(key, s)
	}
}

func (w *writer) number(key string, n int64) {
	w.raw(key)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *writer) optionalNumber(key string, n int64) {
	if n != 0 {
		w.number(key, n)
	}
}

func (w *writer) flag(key string, v bool) {
	w.raw(key)
	w.b = strconv.AppendBool(w.b, v)
}

func (w *writer) time(key string, ms int64) {
	w.raw(key)
	w.moment(ms)
}

func (w *writer) optionalTime(key string, ms int64) {
	if ms != 0 {
		w.time(key, ms)
	}
}

// numbers appends a list of numbers.
func numbers[T ~int | ~int8](w *writer, key string, list []T) {
	w.raw(key)
	w.raw("[")
	for i, n := range list {
		w.comma(i == 0)
		w.b = strconv.AppendInt(w.b, int64(n), 10)
	}
	w.raw("]")
}
