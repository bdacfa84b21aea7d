package director

import (
	"runtime/debug"
	"testing"
)

// TestMain lets garbage pile up: tournaments are small, and each act makes another.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
