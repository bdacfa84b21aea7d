package app

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/stream"
	"quatuor/engine/bots"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/store/hints"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// The topics of hints. Those of the hub (players, boards, tables, the lobby) are sent unchanged.
const (
	hintGame       = "game/"       // and its id, with its version
	hintTournament = "tournament/" // and its id, with its version and the parts that have changed
	hintAccount    = "account/"    // and its id: something of it has ended
	hintName       = "name/"       // and a player's id: the name has changed
	hintHere       = "here/"       // a game, "/" and a player, with the time
	hintSpent      = "spent/"      // and an account: its number of requests to an instance, with the time
)

// publisher publishes changes made here to the other instances on the same database. Instances exchange hints only: the
// receiver of a hint reads the change from the database if it has readers for it. It is not used with SQLite.
type publisher struct{ link *hints.Link }

// relay publishes the changes of other instances to the readers here. It is not used with SQLite.
type relay struct {
	link     *hints.Link
	hub      *stream.Hub
	tables   *table.Tables
	director *director.Director
	bots     *bots.Bots
	guard    *auth.Guard
	commands *command.Service
	limits   spending
	versions func(ctx context.Context, games, tournaments []string) (store.Versions, error)
	every    time.Duration // interval of reconcile
	measures *measures
	logger   *slog.Logger

	mu     sync.Mutex
	due    map[string]task
	order  []string         // the topics of due, the longest due first
	spent  map[string]int64 // time of the last hint of an account's requests, by instance and account
	wake   chan struct{}
	missed chan struct{} // hints may have been lost
}

// task is to read a topic from the store and publish it to the readers.
type task struct {
	version int64
	parts   uint8
	sent    time.Time // when the first hint was sent
	lost    bool      // found by reconcile: no hint has come
}

const (
	// reconcileInterval is the time between looks, with a single query, for changes with lost hints. A stream's pings
	// come a little less often.
	reconcileInterval = 10 * time.Second
	// relayWorkers is the number of concurrent tasks; each takes a connection to the database.
	relayWorkers = 3
	// taskTimeout bounds a task.
	taskTimeout = 10 * time.Second
)

func newRelay(r *relay) *relay {
	r.spent = map[string]int64{}
	r.due = map[string]task{}
	r.wake = make(chan struct{}, relayWorkers)
	r.missed = make(chan struct{}, 1)
	if r.every <= 0 {
		r.every = reconcileInterval
	}
	return r
}

// GameChanged sends hints of a change of a game. It implements table.Notifier.
func (p *publisher) GameChanged(s *table.Snapshot, lines []table.Line) {
	p.link.Publish(hints.Hint{Topic: hintGame + s.Game.ID, Version: s.Game.Version})
	for _, topic := range stream.TopicsOf(s, lines) {
		p.link.Publish(hints.Hint{Topic: topic})
	}
}

// parts are the parts of a tournament that can change, in the order of publication: bit 0 of a hint's parts is the
// first.
var parts = []struct {
	topic director.Topic
	to    director.Audience
}{
	{director.TopicTournament, director.Staff},
	{director.TopicPairings, director.Staff},
	{director.TopicStandings, director.Staff},
	{director.TopicTournament, director.Public},
	{director.TopicPairings, director.Public},
	{director.TopicStandings, director.Public},
}

// TournamentChanged sends a hint of a change of a tournament. It implements director.Notifier.
func (p *publisher) TournamentChanged(t *tournament.Tournament, what director.Topic, to director.Audience) {
	for bit, part := range parts {
		if part.topic == what && part.to == to {
			p.link.Publish(hints.Hint{Topic: hintTournament + t.ID, Version: t.Version, Parts: 1 << bit})
		}
	}
}

// callAnswered sends hints to the streams of players that called an arbiter.
func (p *publisher) callAnswered(players []string) {
	for _, id := range players {
		p.link.Publish(hints.Hint{Topic: stream.OfMatters(id)})
	}
}

// accountChanged sends a hint that something of an account has ended.
func (p *publisher) accountChanged(id string) { p.link.Publish(hints.Hint{Topic: hintAccount + id}) }

// nameChanged sends a hint that a player's name has changed.
func (p *publisher) nameChanged(player string) { p.link.Publish(hints.Hint{Topic: hintName + player}) }

// ladderChanged has the open pages of a ladder look again, here and at the other instances.
func (a *App) ladderChanged(id string) {
	topic := stream.OfLadder(id)
	a.hub.SyncTopic(topic)
	if a.publisher != nil {
		a.publisher.link.Publish(hints.Hint{Topic: topic})
	}
}

// present sends a hint of a player's presence here. The last hint counts, so the time is in the version's high bits.
func (p *publisher) present(a stream.Attendance) {
	version := a.At << 2
	if a.Stream {
		version |= 2
	}
	if a.Here {
		version |= 1
	}
	p.link.Publish(hints.Hint{Topic: hintHere + a.Game + "/" + a.Player, Version: version})
}

// OnHint handles hints of another instance. It and the next three implement hints.Receiver.
func (r *relay) OnHint(from string, sent time.Time, all []hints.Hint) {
	var games []string
	for _, h := range all {
		kind, id, _ := strings.Cut(h.Topic, "/")
		e := task{version: h.Version, parts: h.Parts, sent: sent}
		switch kind + "/" {
		case hintGame:
			games = append(games, id)
			if r.hub.GameRead(id) {
				r.add(h.Topic, e)
			}
		case hintTournament:
			if r.hub.TournamentRead(id) {
				r.add(h.Topic, e)
			}
		case hintAccount:
			r.add(h.Topic, e)
		case hintName:
			r.commands.Names.Forget(id)
		case hintHere:
			game, player, _ := strings.Cut(id, "/")
			r.hub.RemotePresence(from, stream.Attendance{
				Game: game, Player: player, Here: h.Version&1 != 0, Stream: h.Version&2 != 0, At: h.Version >> 2,
			})
		case hintSpent:
			r.remoteSpent(from, id, h.Version)
		default:
			r.hub.SyncTopic(h.Topic)
		}
	}
	if len(games) > 0 {
		r.hub.SyncTopic(stream.AnyGame)
	}
	r.tables.ChangedElsewhere(games...)
	r.bots.ChangedElsewhere(r.tables, games...)
}

// OnGap starts a reconcile: hints may have been lost.
func (r *relay) OnGap() {
	r.tables.OwnersChanged() // hints of their deadlines may have been lost
	select {
	case r.missed <- struct{}{}:
	default:
	}
}

// OnSyncRequest announces the players connected here.
func (r *relay) OnSyncRequest() { r.hub.AnnounceAll() }

// OnLeave drops the presence announced by another instance.
func (r *relay) OnLeave(instance string) { r.hub.RemoteGone(instance) }

// add queues a task; tasks of the same topic are merged.
func (r *relay) add(topic string, e task) {
	r.mu.Lock()
	before, known := r.due[topic]
	if known {
		e.version = max(e.version, before.version)
		e.parts |= before.parts
		e.lost = e.lost && before.lost
		if !before.sent.IsZero() {
			e.sent = before.sent
		}
	} else {
		r.order = append(r.order, topic)
	}
	r.due[topic] = e
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // all workers have been woken
	}
}

// next takes the task that is due longest.
func (r *relay) next() (topic string, e task, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.order) == 0 {
		return "", task{}, false
	}
	topic, r.order = r.order[0], r.order[1:]
	e = r.due[topic]
	delete(r.due, topic)
	return topic, e, true
}

// run sends and receives hints until ctx ends.
func (r *relay) run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { r.link.Run(ctx, r) })
	running.Go(func() { r.reconcileEvery(ctx) })
	running.Go(func() { r.publishSpent(ctx) })
	for range relayWorkers {
		running.Go(func() { r.work(ctx) })
	}
	running.Wait()
}

func (r *relay) work(ctx context.Context) {
	for {
		for topic, e, ok := r.next(); ok && ctx.Err() == nil; topic, e, ok = r.next() {
			if err := r.exec(ctx, topic, e); err != nil && ctx.Err() == nil {
				r.logger.Debug("what another instance has changed could not be read; it is looked for again", "topic", topic,
					"error", err)
			}
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return
		}
	}
}

// exec reads a topic from the store, and publishes its news to its readers.
func (r *relay) exec(ctx context.Context, topic string, e task) error {
	ctx, cancel := context.WithTimeout(ctx, taskTimeout)
	defer cancel()
	kind, id, _ := strings.Cut(topic, "/")
	updated := 0
	switch kind + "/" {
	case hintGame:
		s, err := r.tables.SnapshotAt(ctx, id, e.version)
		if err != nil {
			return err
		}
		updated = r.hub.SyncGame(s)
	case hintTournament:
		t, err := r.director.Tournament(ctx, id)
		if err != nil {
			return err
		}
		updated = r.publishTournament(t, e)
	case hintAccount:
		r.guard.ChangedElsewhere(id)
	}
	switch {
	case updated == 0:
	case e.lost:
		r.measures.healed.Inc()
	default:
		r.measures.hintDelay.Observe(max(0, r.tables.Time().Sub(e.sent).Seconds()))
	}
	return nil
}

// publishTournament publishes a tournament's changes to its readers, or brings them up to date where the changes are
// not known.
func (r *relay) publishTournament(t *tournament.Tournament, e task) (updated int) {
	if e.parts == 0 {
		return r.hub.SyncTournament(t)
	}
	for bit, part := range parts {
		if e.parts>>bit&1 != 0 {
			r.hub.TournamentChanged(t, part.topic, part.to)
			updated++
		}
	}
	return updated
}

// reconcileEvery looks for changes with lost hints, at an interval and whenever hints may have been lost, until ctx
// ends.
func (r *relay) reconcileEvery(ctx context.Context) {
	ticker := time.NewTicker(r.every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-r.missed:
			r.guard.Forget()
			r.hub.SyncTopics()
		case <-ctx.Done():
			return
		}
		if err := r.reconcile(ctx); err != nil && ctx.Err() == nil {
			r.logger.Warn("what other instances have changed could not be looked for; trying again", "error", err)
		}
	}
}

// reconcile compares the subjects of streams with the database, by a single query, and publishes missed changes.
func (r *relay) reconcile(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, taskTimeout)
	defer cancel()
	watched := r.hub.Watched()
	tournaments := slices.AppendSeq(slices.Collect(maps.Keys(watched.Tournaments)), maps.Keys(watched.Published))
	stored, err := r.versions(ctx, slices.Collect(maps.Keys(watched.Games)), tournaments)
	if err != nil {
		return err
	}
	for id, version := range watched.Games {
		if stored.Games[id] > version {
			r.add(hintGame+id, task{version: stored.Games[id], lost: true})
		}
	}
	behind := func(shown, is map[string]int64) {
		for id, version := range shown {
			if is[id] > version {
				r.add(hintTournament+id, task{lost: true})
			}
		}
	}
	behind(watched.Tournaments, stored.Tournaments)
	behind(watched.Published, stored.Published)
	return nil
}
