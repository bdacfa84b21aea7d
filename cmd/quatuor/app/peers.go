package app

import (
	"context"
	"maps"
	"slices"
	"time"

	"quatuor/api/forward"
	"quatuor/store/hints"
	"quatuor/store/members"
)

// living are the instances that live, as forwarding knows them.
type living struct{ *members.Members }

// Owner returns the owner of a game or tournament. It and the others implement forward.Members.
func (l living) Owner(key string) (forward.Member, bool) {
	owner, known := l.Members.Owner(key)
	return forward.Member(owner), known
}

// Self returns this instance, once its first heartbeat is stored.
func (l living) Self() (forward.Member, bool) {
	self := l.Members.Self()
	return forward.Member(self), self.Epoch != 0
}

// Lives reports whether an instance lives and is not suspected.
func (l living) Lives(instance string) bool {
	return slices.ContainsFunc(l.All(), func(m members.Member) bool { return m.Instance == instance })
}

// newPeers forwards acts to the owners of their games and tournaments, if the instances' addresses are configured.
func (a *App) newPeers() (err error) {
	if a.config.PeerSecret == "" {
		return nil
	}
	observe, received := a.measures.countForwarded()
	a.peers, err = forward.New(forward.Config{
		Secret: a.config.PeerSecret, Members: living{a.Store.Members()}, Now: a.Tables.Time, Logger: a.logger,
		Observe: observe, Received: received,
	})
	return err
}

// spending counts accounts' requests, here and at other instances.
type spending interface {
	Spent() map[string]int
	SpentElsewhere(account string, times int, at time.Time)
}

const (
	// spentInterval is the time between publications of counts of requests to the other instances.
	spentInterval = time.Second
	// spentBits are the bits of the count in a hint's version; the higher bits are the time in tenths of a second, so
	// that a hint that comes twice counts once.
	spentBits   = 24
	spentTenths = int64(100) // ms
	// spentKept is the time that the last hint's time is kept to detect repeated hints.
	spentKept = time.Minute
)

// publishSpent publishes the counts of busy accounts' requests here to the other instances, until ctx ends.
func (r *relay) publishSpent(ctx context.Context) {
	every(ctx, spentInterval, func() {
		now := r.tables.Time().UnixMilli() / spentTenths
		for account, times := range r.limits.Spent() {
			r.link.Publish(hints.Hint{Topic: hintSpent + account, Version: now<<spentBits | int64(min(times, 1<<spentBits-1))})
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		maps.DeleteFunc(r.spent, func(_ string, at int64) bool { return at < now-spentKept.Milliseconds()/spentTenths })
	})
}

// remoteSpent adds another instance's count, once.
func (r *relay) remoteSpent(from, account string, version int64) {
	at, of := version>>spentBits, from+" "+account
	r.mu.Lock()
	fresh := at > r.spent[of]
	r.spent[of] = max(r.spent[of], at)
	r.mu.Unlock()
	if fresh {
		r.limits.SpentElsewhere(account, int(version&(1<<spentBits-1)), time.UnixMilli(at*spentTenths))
	}
}
