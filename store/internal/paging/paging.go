// Package paging cuts lists into pages. Their cursors are places in the list, opaque to clients.
package paging

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// BadCursor is the error of a cursor that does not come from a list. Callers that do not know this package find it with
// errors.As and an interface that has its method.
type BadCursor struct{ List string }

// Error names the list and the remedy.
func (e BadCursor) Error() string {
	return "this cursor was not given out by the list of " + e.List + "; leave it away to start from the first page"
}

// InvalidCursor marks the error as an error of the request: the list could be read from its start.
func (BadCursor) InvalidCursor() {}

// Cursor encodes a place in a list, opaque to clients and bound to its list.
func Cursor(list string, place any) string {
	b, err := json.Marshal([]any{list, place})
	if err != nil {
		panic(fmt.Sprintf("paging: a cursor that cannot be encoded: %v", err)) // places are plain structs
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// Parse decodes a place in a list; nil for the start.
func Parse[T any](list, cursor string) (*T, error) {
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
		return nil, BadCursor{list}
	}
	return &place, nil
}

// holdsZero reports whether a JSON string holds a zero byte, which PostgreSQL rejects. No place in a list has a zero
// byte.
func holdsZero(text []byte) bool {
	return bytes.Contains(bytes.ReplaceAll(text, []byte(`\\`), nil), []byte(`\u0000`))
}

// Cut cuts a list that was read with a row more than a page takes, and returns the cursor of the next page, "" for
// none.
func Cut[R any](list string, rows []R, limit int, place func(*R) any) ([]R, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], Cursor(list, place(&rows[limit-1]))
}
