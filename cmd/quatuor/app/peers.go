package app

import (
	"slices"

	"quatuor/api/forward"
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
