//go:build cgo && !purego

package store

import (
	"errors"
	"testing"

	"github.com/mattn/go-sqlite3"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/sqlite"
)

// TestWhatIsUnavailable sorts errors into those that may pass by themselves and those that will not.
func TestWhatIsUnavailable(t *testing.T) {
	for _, c := range []struct {
		err  error
		away bool
	}{
		{sqlite3.Error{Code: sqlite3.ErrFull}, true},
		{sqlite3.Error{Code: sqlite3.ErrIoErr, ExtendedCode: sqlite3.ErrIoErrWrite}, true},
		{sqlite3.Error{Code: sqlite3.ErrBusy}, true},
		{sqlite3.Error{Code: sqlite3.ErrReadonly}, true},
		{sqlite.ErrClosed, true},
		{sqlite3.Error{Code: sqlite3.ErrConstraint}, false},
		{sqlite3.Error{Code: sqlite3.ErrCorrupt}, false},
		{table.ErrConflict, false},
		{errors.New("anything"), false},
	} {
		if got := errors.Is(db.About("test", c.err), table.ErrUnavailable); got != c.away {
			t.Errorf("%v: unavailable %v, want %v", c.err, got, c.away)
		}
		if !errors.Is(db.About("test", c.err), c.err) {
			t.Errorf("the cause %v is lost", c.err)
		}
	}
}
