package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quatuor/cmd/quatuor/app"
)

// clockFolder, set in the environment of the tests' program, names the folder of a clock that a test moves. The program
// itself has nothing that would move its clock.
const clockFolder = "QUATUOR_TEST_CLOCK"

// ahead is the name of the file with the lead of the moved clock over the machine's, in ms and aheadDigits digits.
const ahead, aheadDigits = "ahead", 15

// adaptClock makes the tests' program follow a moved clock. It looks after arenas at the test's request, on a socket of
// its own, and answers once it has.
func adaptClock(folder string, c *app.Config) {
	file, err := os.Open(filepath.Join(folder, ahead))
	if err != nil {
		panic(err)
	}
	c.Now = func() time.Time {
		digits := make([]byte, aheadDigits)
		if _, err := file.ReadAt(digits, 0); err != nil {
			panic(err)
		}
		ms, err := strconv.ParseInt(string(digits), 10, 64)
		if err != nil {
			panic(err)
		}
		return time.Now().Add(time.Duration(ms) * time.Millisecond)
	}
	listener, err := net.Listen("unix", socketOf(folder, os.Getpid()))
	if err != nil {
		panic(err)
	}
	c.LookAfter = func(ctx context.Context, look func() bool) {
		context.AfterFunc(ctx, func() { _ = listener.Close() })
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			for !look() && ctx.Err() == nil {
				time.Sleep(time.Millisecond) // until the games go on, which a jump of the clock suspends
			}
			_, _ = conn.Write([]byte("done"))
			_ = conn.Close()
		}
	}
}

func socketOf(folder string, process int) string { return filepath.Join(folder, strconv.Itoa(process)) }

// movedClock is a clock that a test moves for the programs that it starts.
type movedClock struct {
	folder string
	ahead  time.Duration
}

// newMovedClock makes a clock that shows the machine's time as yet. Other users may read it.
func newMovedClock(t testing.TB) *movedClock {
	t.Helper()
	folder, err := os.MkdirTemp("", "clock-") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &movedClock{folder: folder}
	c.move(t, 0)
	return c
}

// move moves the clock ahead.
func (c *movedClock) move(t testing.TB, by time.Duration) {
	t.Helper()
	c.ahead += by
	file, err := os.OpenFile(filepath.Join(c.folder, ahead), os.O_WRONLY|os.O_CREATE, 0o644)
	if err == nil {
		_, err = file.WriteAt(fmt.Appendf(nil, "%0*d", aheadDigits, c.ahead.Milliseconds()), 0) // at once
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// now is the time on the clock.
func (c *movedClock) now() time.Time { return time.Now().Add(c.ahead) }

// look has a program look after its arenas, and returns when it has; false if it is dead.
func (c *movedClock) look(process int) bool {
	conn, err := net.Dial("unix", socketOf(c.folder, process))
	if err != nil {
		return false
	}
	defer conn.Close()
	answer, err := io.ReadAll(conn)
	return err == nil && strings.HasPrefix(string(answer), "done")
}

// TestNoDoorToTheClock demands that what ships goes by the machine's clock, whatever its environment has.
func TestNoDoorToTheClock(t *testing.T) {
	t.Setenv(clockFolder, newMovedClock(t).folder)
	if c := (serveCmd{}).config(nil); adapt != nil || c.Now != nil || c.LookAfter != nil {
		t.Error("the program can be given another clock")
	}
}
