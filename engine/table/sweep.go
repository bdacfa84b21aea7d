package table

import (
	"context"
	"time"
)

const (
	// overdue is the time after a deadline for the process that armed it to record the flag.
	overdue = time.Second
	// overdueElsewhere is that time for a flag that another process, which lives, should record.
	overdueElsewhere = 3 * time.Second
	// sweepShare limits sweeping to 1/sweepShare of the time; longestRest bounds the rest on a slow machine.
	sweepShare  = 20
	longestRest = 2 * time.Second
)

// sweep checks every second for overdue flags: those of games that have become this process's own without its
// knowledge, and those that their owner does not record although it lives.
func (i *instances) sweep(ctx context.Context) {
	timer := time.NewTimer(overdue)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		began := i.time.since()
		if !i.suspension.active() {
			i.sweepOnce(ctx)
		}
		timer.Reset(min(max(overdue, sweepShare*(i.time.since()-began)), longestRest))
	}
}

func (i *instances) sweepOnce(ctx context.Context) {
	now := i.time.now()
	games, err := i.deadlines.Overdue(ctx, now-overdue.Milliseconds(), maxConcurrentFlags+i.broken.count())
	if err != nil && ctx.Err() == nil {
		i.logger.Error("overdue flags could not be looked for", "error", err)
	}
	due := games[:0]
	for _, g := range games {
		if (i.owns(g.ID) || now-g.Deadline > overdueElsewhere.Milliseconds()) && i.broken.due(g.ID, now) {
			due = append(due, g)
		}
	}
	i.flags.adopt(due, true)
}

// leavesClocks are the lines after which no flag falls earlier than was foretold.
func (l *Line) leavesClocks() bool {
	switch l.Kind {
	case LineMove, LineLeft, LineAgreed, LineOffer, LineDecline, LinePause, LineOutage, LineAbort, LineAdjudication,
		LineTakebackOffer, LineTakebackDecline:
		return true
	}
	return false
}

// watch has no work to do for a move.
func (i *instances) watch(g *Game, news []Line) {
	if g.Deadline == 0 {
		return
	}
	begun := g.Status == Waiting
	for n := range news {
		begun = begun || !news[n].leavesClocks()
	}
	if !begun {
		return
	}
	at := g.Deadline
	if earliest, ok := g.Clock.Earliest(g.Clock.LastAt()); ok && g.Status == Running {
		at = min(at, earliest)
	}
	i.mu.Lock()
	i.watched[g.ID] = at
	i.mu.Unlock()
	signal(i.began)
}

// watchInterval is the batching delay of games for the sweep index.
const watchInterval = 100 * time.Millisecond

// storeWatched stores the games for the sweep index until ctx ends.
func (i *instances) storeWatched(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-i.began:
			sleep(ctx, watchInterval)
		case <-ctx.Done():
		}
		i.mu.Lock()
		games := make([]Armed, 0, len(i.watched))
		for id, at := range i.watched {
			games = append(games, Armed{id, at})
		}
		i.watched = map[string]int64{}
		i.mu.Unlock()
		if len(games) == 0 {
			continue
		}
		if err := i.deadlines.Watch(context.WithoutCancel(ctx), games); err != nil {
			i.logger.Warn("it could not be stored that games are to be watched; their owner still does", "games", len(games),
				"error", err)
		}
	}
}
