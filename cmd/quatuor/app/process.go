package app

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
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

// relaxedGC lets the heap grow to nine times the memory in use before it is collected, instead of twice. A request
// leaves little behind and a server holds little: collecting so often took a fifth of its time.
const relaxedGC = 800

// memoryShare is the share of the memory of the container or the machine that the heap takes before it is collected
// more often. The rest is for the page caches of SQLite, the system's cache of files, and other programs.
const memoryShare = 1. / 3

// RelaxGC sets the garbage collector of the process to relaxedGC, unless the environment sets GOGC, and limits its
// memory to memoryShare of the container's limit, or the machine's memory, unless the environment sets GOMEMLIMIT. The
// limit is soft: memory in use beyond it is kept. Without a known maximum it sets no limit.
func RelaxGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(relaxedGC)
	}
	_, _ = memlimit.Set(
		memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)),
		memlimit.WithRatio(memoryShare),
	)
}
