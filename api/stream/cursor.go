package stream

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// cursor is the position of a reader in the stream of an account: the states it has got of each game and tournament
// that it follows. Its text is the id of the stream's events, TIME~ID.STATE~ID.STATE….
type cursor struct {
	at   int64             // ms UTC, of the last event
	seen map[string]string // by id of a game or a tournament, its state as the reader knows it
}

// maxCursor is the maximum length of a cursor's text, which comes back as a header: some hundred games at once. A
// reader with more starts from the state after a break.
const maxCursor = 4000

// String returns the text of a cursor.
func (c cursor) String() string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(c.at, 36))
	b.WriteByte('~')
	for i, id := range slices.Sorted(maps.Keys(c.seen)) {
		if i > 0 {
			b.WriteByte('~')
		}
		b.WriteString(id + "." + c.seen[id])
	}
	if b.Len() > maxCursor {
		return strconv.FormatInt(c.at, 36)
	}
	return b.String()
}

// parseCursor reads the text of a cursor; it reports whether a stream can resume there.
func parseCursor(text string) (c cursor, ok bool) {
	c.seen = map[string]string{}
	at, rest, whole := strings.Cut(text, "~")
	var err error
	if c.at, err = strconv.ParseInt(at, 36, 64); err != nil || !whole {
		return c, false
	}
	for part := range strings.SplitSeq(rest, "~") {
		id, state, ok := strings.Cut(part, ".")
		if !ok && rest != "" {
			return c, false
		}
		if ok {
			c.seen[id] = state
		}
	}
	return c, true
}
