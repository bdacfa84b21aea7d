//go:build !linux

package postgres

import (
	"syscall"
	"time"
)

// limitUnanswered leaves it to the system how long it waits for an acknowledgement; only Linux can be told.
func limitUnanswered(time.Duration) func(network, address string, c syscall.RawConn) error {
	return nil
}
