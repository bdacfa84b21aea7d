package command

import (
	"context"
	"time"

	"quatuor/api/access"
	"quatuor/api/internal/ttlcache"
	"quatuor/engine/table"
)

const (
	// namesFresh is the TTL of a name, for a change by another instance with a lost hint.
	namesFresh = 10 * time.Second
	namesHeld  = 20_000
)

// Names is a cache of players' names. It is safe for concurrent use.
type Names struct {
	// notify informs other instances of a changed name; nil without any.
	notify func(player string)

	people access.People
	now    func() time.Time
	cached *ttlcache.Cache[string, string]
}

func newNames(people access.People, now func() time.Time, changed func(player string)) *Names {
	return &Names{
		people: people, now: now, notify: changed,
		cached: ttlcache.New[string, string](namesHeld, namesFresh, now),
	}
}

// BySeat returns the names of a game's players by seat, "" for an open seat.
func (n *Names) BySeat(ctx context.Context, players []string, now time.Time) ([]string, error) {
	names := make([]string, 0, len(players))
	for _, id := range players {
		name, known := n.cached.GetAt(id, now)
		if !known && id != "" {
			return n.readBySeat(ctx, players)
		}
		names = append(names, name)
	}
	return names, nil
}

// readBySeat is BySeat for names that are not cached.
func (n *Names) readBySeat(ctx context.Context, players []string) ([]string, error) {
	byID, err := n.Of(ctx, players...)
	names := make([]string, len(players))
	for i, id := range players {
		names[i] = byID[id]
	}
	return names, err
}

// Of returns the names of players by id, without unknown ids.
func (n *Names) Of(ctx context.Context, ids ...string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	var unknown []string
	for _, id := range ids {
		if id == "" {
			continue
		}
		if level := table.BotLevel(id); level > 0 {
			names[id] = table.BotName(level)
		} else if name, ok := n.cached.Get(id); ok {
			names[id] = name
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return names, nil
	}
	epoch := n.cached.Epoch()
	found, err := n.people.Players(ctx, unknown)
	if err != nil {
		return nil, err
	}
	until := n.now().Add(namesFresh)
	for id, p := range found {
		names[id] = p.Name
		n.cached.Keep(epoch, id, p.Name, until)
	}
	return names, nil
}

// Epoch returns a number that changes with each change of a player's name: part of the cache keys of pages with names.
func (n *Names) Epoch() uint64 { return n.cached.Epoch() }

// Forget invalidates a player's cached name.
func (n *Names) Forget(player string) { n.cached.Forget(player) }

// changed invalidates a player's cached name, here and at other instances.
func (n *Names) changed(player string) {
	n.Forget(player)
	if n.notify != nil {
		n.notify(player)
	}
}
