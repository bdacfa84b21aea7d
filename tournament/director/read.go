package director

import (
	"context"
	"sync"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
)

// Tournament gives a tournament with entries and rounds, or tournament.ErrNotFound.
func (d *Director) Tournament(ctx context.Context, id string) (*tournament.Tournament, error) {
	return d.Store.Load(ctx, id)
}

// History lists the result changes of a tournament, oldest first.
func (d *Director) History(ctx context.Context, id string) ([]tournament.Change, error) {
	return d.Store.History(ctx, id)
}

// PairedFrom gives the history that a round was drawn up from, whatever has been corrected since; tournament.ErrNotFound
// for a round that is not there, or was drawn up before histories were kept.
func (d *Director) PairedFrom(ctx context.Context, id string, round int) (pairing.History, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return pairing.History{}, err
	}
	kept, err := d.Store.Snapshot(ctx, id, round)
	if err != nil {
		return pairing.History{}, err
	}
	return pairing.Read(kept.Text, t.LotSeed)
}

// Standings gives the ranks after a round, 0 meaning the last one published. The answer is shared: do not change it.
func (d *Director) Standings(ctx context.Context, id string, round int) (*standings.Standings, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	return d.tables.get(t, round)
}

// Crosstable gives every result of every entry up to a round, 0 meaning the last one published.
func (d *Director) Crosstable(ctx context.Context, id string, round int) (*standings.Crosstable, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	return standings.CrosstableAfter(t, round)
}

// cacheSize is how many tables of standings are kept.
const cacheSize = 64

// cache keeps the standings that were asked for lately. A table is good as long as the tournament's version is.
type cache struct {
	mu     sync.Mutex
	clock  int64
	tables map[cacheKey]*cached
}

type cacheKey struct {
	id    string
	round int
}

type cached struct {
	version, used int64
	table         *standings.Standings
}

func (c *cache) get(t *tournament.Tournament, round int) (*standings.Standings, error) {
	key := cacheKey{t.ID, round}
	if table := c.find(key, t.Version); table != nil {
		return table, nil
	}
	table, err := standings.After(t, round)
	if err == nil {
		c.put(key, t.Version, table)
	}
	return table, err
}

func (c *cache) find(key cacheKey, version int64) *standings.Standings {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.tables[key]
	if kept == nil || kept.version != version {
		return nil
	}
	c.clock++
	kept.used = c.clock
	return kept.table
}

// put keeps a table, in the place of the one not used for longest if there are enough.
func (c *cache) put(key cacheKey, version int64, table *standings.Standings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil {
		c.tables = make(map[cacheKey]*cached)
	}
	c.clock++
	c.tables[key] = &cached{version: version, used: c.clock, table: table}
	if len(c.tables) <= cacheSize {
		return
	}
	oldest := key
	for k, kept := range c.tables {
		if kept.used < c.tables[oldest].used {
			oldest = k
		}
	}
	delete(c.tables, oldest)
}
