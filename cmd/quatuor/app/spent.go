package app

import (
	"context"
	"time"

	"quatuor/store/hints"
)

// spending is what accounts ask, here and elsewhere.
type spending interface {
	Spent() map[string]int
	SpentElsewhere(account string, times int, at time.Time)
}

const (
	// spentInterval is how often the other instances are told which accounts ask much.
	spentInterval = time.Second
	// spentBits is for how often an account asked, in a hint's version; before it stands the moment in tenths of a second,
	// so that a hint that comes twice counts once.
	spentBits   = 24
	spentTenths = int64(100) // ms
	// spentKept is how long it is kept in mind when an instance told last of an account.
	spentKept = time.Minute
)

// tellSpent tells the other instances, every second, how often accounts have asked here that ask much, until ctx ends.
func (r *relay) tellSpent(ctx context.Context) {
	ticker := time.NewTicker(spentInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := r.tables.Time().UnixMilli() / spentTenths
		for account, times := range r.limits.Spent() {
			r.link.Say(hints.Hint{Topic: hintSpent + account, Version: now<<spentBits | int64(min(times, 1<<spentBits-1))})
		}
		r.forgetSpent(now)
	}
}

// spentElsewhere counts what an instance tells of an account, once.
func (r *relay) spentElsewhere(from, account string, version int64) {
	at, of := version>>spentBits, from+" "+account
	r.mu.Lock()
	fresh := at > r.spent[of]
	if fresh {
		r.spent[of] = at
	}
	r.mu.Unlock()
	if fresh {
		r.limits.SpentElsewhere(account, int(version&(1<<spentBits-1)), time.UnixMilli(at*spentTenths))
	}
}

func (r *relay) forgetSpent(now int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for of, at := range r.spent {
		if at < now-spentKept.Milliseconds()/spentTenths {
			delete(r.spent, of)
		}
	}
}
