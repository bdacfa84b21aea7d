//go:build unix

package bench

import (
	"syscall"
	"time"

	"quatuor/cmd/quatuor/app"
)

// ownCPU is the user and system time of this process.
func ownCPU() time.Duration {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return 0
	}
	return time.Duration(own.Utime.Nano() + own.Stime.Nano())
}

// allowFiles raises the limit of open files for this program and its children.
func allowFiles(n int) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	want := max(limit.Cur, uint64(n))
	if want <= limit.Max {
		limit.Cur = want
	} else {
		limit.Cur, limit.Max = want, want // for root alone
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
		return app.UsageErrorf("so many spectators need %d open files, and this account may have %d; raise that (ulimit "+
			"-Hn) or ask for fewer --spectators: %w", n, limit.Max, err)
	}
	return nil
}
