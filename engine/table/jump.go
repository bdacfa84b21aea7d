package table

import (
	"context"
	"time"
)

// ServiceTime returns the time for all but the clocks of games. It is the games' time until the machine's clock is set,
// and follows that after a minute; the games' time follows it once no clock runs.
func (t *Tables) ServiceTime() time.Time { return t.time.serviceTime() }

// Ahead returns the lead of the games' time over the machine's clock; over the journal's, where that is shared.
func (t *Tables) Ahead() time.Duration {
	if t.Shared {
		return time.Duration(t.time.ahead.Load())
	}
	return t.Time().Sub(t.time.wall().Round(0))
}

// followWall has the service's time follow the machine's clock, and the games' time the service's if no clock runs. Any
// deadline counts as a clock, and so does a log that goes beyond the new time: nothing may be added to it before its end.
//
// The games' time of processes that share a journal does not jump: they could not do so at once.
func (t *Tables) followWall(ctx context.Context) error {
	t.time.follow(t.Shared)
	if t.Shared || t.time.ahead.Load() == t.time.service.Load() || t.flags.size() > 0 || !t.acting.TryLock() {
		return nil
	}
	defer t.acting.Unlock()
	t.suspension.crediting.Lock()
	defer t.suspension.crediting.Unlock()
	if t.flags.size() > 0 || t.suspension.active() || t.outages.any.Load() {
		return nil
	}
	last, err := t.Deadlines.LastEntry(ctx)
	if err != nil || last > t.ServiceTime().UnixMilli() {
		return err
	}
	t.time.jump()
	t.flags.rearm()
	t.Logger.Info("no game's clock runs, and games go by the clock of this machine again")
	return nil
}

// restamp stamps an arrival again if the games' time has jumped since: the old stamp means nothing in the new time.
// acting is held.
func (t *Tables) restamp(a *Arrival) {
	if jumps := t.time.jumps.Load(); a.jumps != jumps {
		a.At = t.now()
		a.jumps = jumps
	}
}
