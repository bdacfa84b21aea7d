package doctor

import "golang.org/x/sys/unix"

// clockKept reports whether the kernel knows of a time service that keeps the clock right; true where that is unknown.
func clockKept() bool {
	state, err := unix.Adjtimex(&unix.Timex{})
	return err != nil || state != unix.TIME_ERROR
}
