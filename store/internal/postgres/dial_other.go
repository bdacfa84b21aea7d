//go:build !linux

package postgres

import (
	"syscall"
	"time"
)

// limitUnanswered does nothing: only Linux has TCP_USER_TIMEOUT.
func limitUnanswered(time.Duration) func(network, address string, c syscall.RawConn) error {
	return nil
}
