package app

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notifySystem reports a state to systemd, if that has started the process and listens (sd_notify).
func (a *App) notifySystem(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		a.logger.Warn("systemd was not notified", "state", state, "error", err)
	}
}

// feedWatchdog reports to systemd's watchdog that the process works, until ctx ends, where its unit has WatchdogSec. A
// full disk or a database that is away is no reason to be restarted: only the locks of the running games have to work.
func (a *App) feedWatchdog(ctx context.Context) {
	timeout, err := daemon.SdWatchdogEnabled(false)
	if err != nil || timeout == 0 {
		return
	}
	every(ctx, min(timeout/3, time.Minute), func() {
		_ = a.Tables.Ready()
		a.Tables.Broken()
		a.hub.Readers()
		a.notifySystem(daemon.SdNotifyWatchdog)
	})
}
