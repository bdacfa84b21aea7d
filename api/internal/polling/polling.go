// Package polling runs the readers of a queue in the database: when it is woken, and again and again.
package polling

import (
	"context"
	"time"
)

// Run calls pass at once, with each wake and after each interval, until ctx ends. A pass that fails is given to failed,
// unless ctx has ended, and tried again.
func Run(
	ctx context.Context, wake <-chan struct{}, interval time.Duration, pass func(context.Context) error, failed func(error),
) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-timer.C:
		}
		if err := pass(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
		timer.Reset(interval)
	}
}
