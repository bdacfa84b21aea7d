package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
)

// badCursor refuses a cursor that this list did not give out. Callers who do not know this package find it with
// errors.As and an interface that has its method.
type badCursor struct{ list string }

func (e badCursor) Error() string {
	return "this cursor was not given out by the list of " + e.list + "; leave it away to start from the first page"
}

// InvalidCursor marks the error as one of the request: the list could be read from its start.
func (badCursor) InvalidCursor() {}

// makeCursor packs a place in a list, so that clients treat it as opaque and cannot use it for another list.
func makeCursor(list string, place any) string {
	b, err := json.Marshal([]any{list, place})
	if err != nil {
		panic(fmt.Sprintf("store: a cursor that cannot be encoded: %v", err)) // places are plain structs
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// parseCursor unpacks a place in a list; nil for the start.
func parseCursor[T any](list, cursor string) (*T, error) {
	if cursor == "" {
		return nil, nil //nolint:nilnil // no cursor is no error
	}
	var place T
	name := ""
	pair := [2]any{&name, &place}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(b, &pair)
	}
	if err != nil || name != list || holdsZero(b) {
		return nil, badCursor{list}
	}
	return &place, nil
}

// holdsZero reports whether a string in JSON holds a zero byte, which PostgreSQL takes for an error of the statement. No
// place in a list has one.
func holdsZero(text []byte) bool {
	return bytes.Contains(bytes.ReplaceAll(text, []byte(`\\`), nil), []byte(`\u0000`))
}

// page cuts a list that was asked for one row more than a page takes, and makes the cursor of the next page from the
// last row; "" if there is none.
func page[R any](list string, rows []R, limit int, place func(*R) any) ([]R, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], makeCursor(list, place(&rows[limit-1]))
}

// chunks cuts a list into parts that fit one statement.
func chunks[T any](list []T) iter.Seq[[]T] { return slices.Chunk(list, 500) }
