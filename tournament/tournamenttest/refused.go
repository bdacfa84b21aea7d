package tournamenttest

import (
	"errors"
	"testing"
)

// Refused reports an error that is not of a kind.
func Refused(t *testing.T, what string, err error, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: %v, want %v", what, err, kind)
	}
}
