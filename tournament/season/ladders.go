package season

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"quatuor/tournament/ladder"
)

// Ladder is a ladder in its present state, with the names of its players.
type Ladder struct {
	ladder.Ladder
	Names map[string]string
}

// Ladder returns a ladder in its present state, with all past deadlines settled. An error names the ladder and the
// act if a stored act cannot have been done.
func (r *Reader) Ladder(ctx context.Context, id string) (*Ladder, error) {
	edition, err := r.Store.LadderEdition(ctx, id)
	if err != nil {
		return nil, err
	}
	l, err := r.keptLadder(ctx, id, edition)
	if err == nil && l == nil {
		l, err = r.computeLadder(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	named := make(map[string]string, len(l.Names))
	maps.Copy(named, l.Names)
	players, err := r.People.Players(ctx, slices.Collect(maps.Keys(named)))
	for id, p := range players {
		named[id] = p.Name
	}
	return &Ladder{l.Ladder, named}, err
}

// computeLadder computes a ladder from its acts and games, and caches it.
func (r *Reader) computeLadder(ctx context.Context, id string) (*Ladder, error) {
	settings, acts, err := r.Store.Ladder(ctx, id)
	if err != nil {
		return nil, err
	}
	stored, err := ladder.Stored(settings, acts, r.Now().UnixMilli())
	if err != nil {
		return nil, err
	}
	games, err := r.Store.Games(ctx, stored.GameIDs())
	if err != nil {
		return nil, err
	}
	if err := stored.Compute(games); err != nil {
		return nil, err
	}
	l := &Ladder{*stored, map[string]string{}}
	for _, act := range acts {
		if act.Player != "" {
			l.Names[act.Player] = act.Player
		}
	}
	r.ladders.keep(l, games)
	return l, nil
}

// Bounds of the cache. The log of a ladder has all its players for each challenge that has ended.
const (
	laddersKept  = 32
	maxKeptNames = 200_000 // in the log of a ladder, about 3 MB
)

// ladders is an LRU cache of computed ladders. An entry is valid while the store has the same edition of the ladder and
// the same unfinished games, and before the next deadline.
type ladders struct {
	kept     *lru.Cache[string, *keptLadder]
	computed atomic.Int64 // computations, for tests
}

type keptLadder struct {
	*Ladder
	edition ladder.Edition
	running map[string]ladder.Game // unfinished games by id; zero for a game that does not exist yet
	until   int64                  // the next deadline, ms UTC
}

func newLadders() *ladders {
	kept, err := lru.New[string, *keptLadder](laddersKept)
	if err != nil {
		panic(err) // only for a capacity that is not positive
	}
	return &ladders{kept: kept}
}

// keep caches a ladder, unless its log is very long.
func (c *ladders) keep(l *Ladder, games []ladder.Game) {
	c.computed.Add(1)
	if len(l.Log())*len(l.Order()) > maxKeptNames {
		return
	}
	k := &keptLadder{
		Ladder: l, edition: ladder.EditionOf(l.Settings, l.Acts), running: map[string]ladder.Game{}, until: l.Deadline(games),
	}
	for challenge, game := range l.Games {
		if l.Unopened(challenge) {
			k.running[game] = ladder.Game{}
		}
	}
	for _, g := range games {
		if !g.Over {
			k.running[g.ID] = g
		}
	}
	c.kept.Add(l.ID, k)
}

// keptLadder returns a cached ladder at the present time; nil if it has changed since.
func (r *Reader) keptLadder(ctx context.Context, id string, edition ladder.Edition) (*Ladder, error) {
	k, known := r.ladders.kept.Get(id)
	now := r.Now().UnixMilli()
	if !known || k.edition != edition || now >= k.until {
		return nil, nil
	}
	games, err := r.Store.Games(ctx, slices.Collect(maps.Keys(k.running)))
	if err != nil {
		return nil, err
	}
	found := map[string]ladder.Game{}
	for _, g := range games {
		found[g.ID] = g
	}
	for id, was := range k.running {
		if found[id] != was {
			return nil, nil
		}
	}
	l := *k.Ladder
	l.Now = max(l.Now, now)
	return &l, nil
}
