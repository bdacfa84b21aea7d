//go:build linux

package trials

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "quatuor/cmd/quatuor/app" // the go command keeps the result of a test only while what it imports stays the same
	"quatuor/cmd/quatuor/crashtest"
)

// build builds quatuor and returns a command that runs it.
func build(t *testing.T) crashtest.Command {
	t.Helper()
	// The command line is no package that can be imported. A folder that a test has read is part of what its kept result
	// depends on.
	if _, err := os.ReadDir(".."); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "quatuor")
	compile := exec.Command("go", "build", "-buildvcs=false", "-o", program, "quatuor/cmd/quatuor")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(args ...string) *exec.Cmd { return exec.Command(program, args...) }
}
