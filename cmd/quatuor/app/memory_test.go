package app

import (
	"math"
	"os"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// TestMemoryIsLimited: the heap is limited to a part of the machine's memory, unless the environment sets the limit.
func TestMemoryIsLimited(t *testing.T) {
	machine, err := memlimit.FromSystem()
	if err != nil {
		t.Skipf("this machine does not say how much memory it has: %v", err)
	}
	before, percent := debug.SetMemoryLimit(math.MaxInt64), debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetMemoryLimit(before); debug.SetGCPercent(percent) })
	t.Setenv("GOMEMLIMIT", "1GiB")
	RelaxGC()
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		t.Errorf("with GOMEMLIMIT the limit was set to %d", limit)
	}
	if err := os.Unsetenv("GOMEMLIMIT"); err != nil { // set back by t.Setenv
		t.Fatal(err)
	}
	RelaxGC()
	if limit := debug.SetMemoryLimit(-1); limit <= 0 || uint64(limit) > machine/3+1 {
		t.Errorf("the limit is %d on a machine with %d", limit, machine)
	}
}
