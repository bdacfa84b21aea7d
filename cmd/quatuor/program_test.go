package main

import (
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"quatuor/api/auth"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/crashtest"
)

// asProgram, set in the environment, makes the test binary behave as quatuor itself, so that tests can start and kill
// the real program as a process of its own.
const asProgram = "QUATUOR_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		adapt = func(c *app.Config) {
			c.AdaptAuth = func(c *auth.Config) { c.PasswordCost = auth.PasswordCost{Memory: 8, Passes: 1, Lanes: 1} }
			if folder := os.Getenv(clockFolder); folder != "" {
				adaptClock(folder, c)
			}
		}
		main()
	}
	debug.SetGCPercent(400) // the tests' data is small, and collected often
	os.Exit(m.Run())
}

// command makes a command that runs quatuor in a process of its own.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// program is a running `quatuor serve` with more means for the tests of this package than its clients have.
type program struct {
	*crashtest.Server
	t testing.TB
}

// serve starts the program on a data folder and waits until it prints its address.
func serve(t testing.TB, data string, args ...string) *program {
	t.Helper()
	return &program{crashtest.Start(t, runner(t), data, args...), t}
}

// runner returns a function that makes commands that run quatuor.
func runner(t testing.TB) crashtest.Command {
	return func(args ...string) *exec.Cmd { return command(t, args...) }
}

// adminByCommand makes the first account of a data folder by the command line.
func adminByCommand(t testing.TB, data string) {
	t.Helper()
	crashtest.CreateAdmin(t, runner(t), data)
}

// skipInShort leaves a test that takes long to the full run.
func skipInShort(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("left to the full run: it", why)
	}
}
