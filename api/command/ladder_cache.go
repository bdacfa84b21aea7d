package command

import (
	"context"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"quatuor/engine/table"
	"quatuor/tournament/ladder"
)

// Bounds of the ladders that are kept. The log of a ladder has all its players for each challenge that has ended.
const (
	laddersKept  = 32
	maxKeptNames = 200_000 // in the log of one ladder, about 3 MB
)

// ladders is an LRU cache of ladders as they were computed. An entry is valid while the database has the same edition of
// the ladder and of its games that are not over, and no deadline has come since.
type ladders struct {
	kept     *lru.Cache[string, *keptLadder]
	computed atomic.Int64 // how many were computed
}

type keptLadder struct {
	*Ladder
	edition ladder.Edition
	running []gameVersion
	until   int64 // ms UTC, when something happens by itself
}

// gameVersion is what a ladder depends on of a game that is not over. The status is "" for a game that is not there.
type gameVersion struct {
	id      string
	status  table.Status
	invited table.SeatSet
}

func newLadders() *ladders {
	kept, err := lru.New[string, *keptLadder](laddersKept)
	if err != nil {
		panic(err) // only for a capacity that is not positive
	}
	return &ladders{kept: kept}
}

// keep keeps a ladder that was computed, unless its log is very long.
func (c *ladders) keep(l *Ladder, games map[string]ladder.Game) {
	c.computed.Add(1)
	if len(l.Log())*len(l.Order()) > maxKeptNames {
		return
	}
	k := &keptLadder{Ladder: l, edition: ladder.EditionOf(l.Settings, l.Acts), until: 1 << 62}
	for _, v := range l.versions {
		if !l.Ended[v.id] {
			k.running = append(k.running, v)
		}
	}
	for challenge, game := range l.Games {
		if l.Unopened(challenge) {
			k.running = append(k.running, gameVersion{id: game})
		}
	}
	for _, open := range l.Open() { // a game that was not joined ends in the second before the deadline
		k.until = min(k.until, (open.Deadline-1)*1000)
	}
	for _, until := range l.Away {
		k.until = min(k.until, until)
	}
	for _, g := range games {
		if g.At > l.Now {
			k.until = min(k.until, g.At)
		}
	}
	c.kept.Add(l.ID, k)
}

// keptLadder returns a ladder that was computed before, as it stands now; nil if it has changed since.
func (s *Service) keptLadder(ctx context.Context, id string, edition ladder.Edition) (*Ladder, error) {
	k, known := s.ladders.kept.Get(id)
	now := s.Now().UnixMilli()
	if !known || k.edition != edition || now >= k.until {
		return nil, nil
	}
	ids := make([]string, len(k.running))
	for i, v := range k.running {
		ids[i] = v.id
	}
	games, err := s.Seasons.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := map[string]gameVersion{}
	for _, g := range games {
		found[g.ID] = gameVersion{g.ID, g.Status, g.Invited}
	}
	for _, v := range k.running {
		if found[v.id] != v && (v.status != "" || found[v.id].status != "") {
			return nil, nil
		}
	}
	l := *k.Ladder
	l.Now = max(l.Now, now)
	return &l, nil
}
