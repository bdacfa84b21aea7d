package auth

import (
	"context"
	"sync"
	"time"

	"quatuor/tournament/account"
)

// useInterval is the precision of the last use of an API token.
const useInterval = 5 * time.Minute

// uses are the last uses of API tokens that are not stored yet. They are stored beside the requests, so that no request
// waits for it.
type uses struct {
	mu     sync.Mutex
	latest map[string]int64 // by id, ms UTC
}

// noteUse notes that an API token was used.
func (g *Guard) noteUse(c account.Credential) {
	now := g.now().UnixMilli()
	if now-c.UsedAt < useInterval.Milliseconds() {
		return
	}
	g.uses.mu.Lock()
	defer g.uses.mu.Unlock()
	if g.uses.latest == nil {
		g.uses.latest = map[string]int64{}
	}
	g.uses.latest[c.ID] = now
}

// fill sets the uses of credentials that are not stored yet.
func (u *uses) fill(all []account.Credential) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range all {
		all[i].UsedAt = max(all[i].UsedAt, u.latest[all[i].ID])
	}
}

// StoreUses stores the last uses of API tokens; those that cannot be stored are kept for the next time.
func (g *Guard) StoreUses(ctx context.Context) error {
	g.uses.mu.Lock()
	some := g.uses.latest
	g.uses.latest = nil
	g.uses.mu.Unlock()
	if len(some) == 0 {
		return nil
	}
	err := g.store.Used(ctx, some)
	if err != nil {
		g.uses.mu.Lock()
		defer g.uses.mu.Unlock()
		if g.uses.latest == nil {
			g.uses.latest = map[string]int64{}
		}
		for id, at := range some {
			g.uses.latest[id] = max(at, g.uses.latest[id])
		}
	}
	return err
}
