package app

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"quatuor/api/auth"
	"quatuor/api/stream"
	"quatuor/engine/bots"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/store/hints"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// The topics of hints, besides those of the hub (players, tables, the lobby), which are sent as they are.
const (
	hintGame       = "game/"       // and its id, with its version
	hintTournament = "tournament/" // and its id, with its version and the parts that have changed
	hintAccount    = "account/"    // and its id: something of it has ended
	hintHere       = "here/"       // a game, "/" and a player, with a moment
	hintSpent      = "spent/"      // and an account: how often it asked an instance, with the moment
)

// relay tells the other instances on the same database what changes here, and the readers here what changes there. The
// hints between them say what is new; whoever reads of it has it read from the database. With SQLite there is none.
type relay struct {
	link     *hints.Link
	hub      *stream.Hub
	tables   *table.Tables
	director *director.Director
	bots     *bots.Bots
	guard    *auth.Guard
	limits   spending
	versions func(ctx context.Context, games, tournaments []string) (store.Versions, error)
	every    time.Duration // between two looks for what was missed
	measures *measures
	logger   *slog.Logger

	mu     sync.Mutex
	due    map[string]errand
	order  []string         // the topics of due, the longest due first
	spent  map[string]int64 // when an instance told last what an account has asked, by both
	wake   chan struct{}
	missed chan struct{} // hints may have been lost
}

// errand is what is to be done about a topic: to read what is stored, and to tell of it.
type errand struct {
	version int64
	parts   uint8
	said    time.Time // when the first change was said
	lost    bool      // no hint has come
}

const (
	// healInterval is how often the instance looks, with one query, for changes of which no hint has come. A stream's
	// pings come a little less often.
	healInterval = 10 * time.Second
	// relayWorkers is how many errands are done at once; each takes a connection to the database.
	relayWorkers = 3
	// errandTimeout bounds one errand.
	errandTimeout = 10 * time.Second
)

func newRelay(r *relay) *relay {
	r.spent = map[string]int64{}
	r.due, r.wake, r.missed = map[string]errand{}, make(chan struct{}, relayWorkers), make(chan struct{}, 1)
	if r.every <= 0 {
		r.every = healInterval
	}
	return r
}

// GameChanged says that a game has changed here. It implements table.Notifier.
func (r *relay) GameChanged(s *table.Snapshot, lines []table.Line) {
	r.link.Say(hints.Hint{Topic: hintGame + s.Game.ID, Version: s.Game.Version})
	for _, topic := range stream.TopicsOf(s, lines) {
		r.link.Say(hints.Hint{Topic: topic})
	}
}

// parts are what can change in a tournament, in the order in which it is told: bit 0 of a hint's parts is the first.
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

// TournamentChanged says that a tournament has changed here. It implements director.Notifier.
func (r *relay) TournamentChanged(t *tournament.Tournament, what director.Topic, to director.Audience) {
	for bit, part := range parts {
		if part.topic == what && part.to == to {
			r.link.Say(hints.Hint{Topic: hintTournament + t.ID, Version: t.Version, Parts: 1 << bit})
		}
	}
}

// accountChanged says that something of an account has ended here.
func (r *relay) accountChanged(id string) { r.link.Say(hints.Hint{Topic: hintAccount + id}) }

// present says who is connected here. The latest word counts, so the moment stands first in the version.
func (r *relay) present(a stream.Attendance) {
	version := a.At << 2
	if a.Stream {
		version |= 2
	}
	if a.Here {
		version |= 1
	}
	r.link.Say(hints.Hint{Topic: hintHere + a.Game + "/" + a.Player, Version: version})
}

// Heard notes what another instance says. It and the next three implement hints.Receiver.
func (r *relay) Heard(from string, said time.Time, all []hints.Hint) {
	var games []string
	for _, h := range all {
		kind, id, _ := strings.Cut(h.Topic, "/")
		e := errand{version: h.Version, parts: h.Parts, said: said}
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
		case hintHere:
			game, player, _ := strings.Cut(id, "/")
			r.hub.RemotePresence(from, stream.Attendance{
				Game: game, Player: player, Here: h.Version&1 != 0, Stream: h.Version&2 != 0, At: h.Version >> 2,
			})
		case hintSpent:
			r.spentElsewhere(from, id, h.Version)
		default:
			r.hub.SyncTopic(h.Topic)
		}
	}
	r.tables.ChangedElsewhere(games...)
	r.bots.ChangedElsewhere(r.tables, games...)
}

// Missed has everything that is followed looked at.
func (r *relay) Missed() {
	r.tables.OwnersChanged() // hints of their deadlines may have been lost
	select {
	case r.missed <- struct{}{}:
	default:
	}
}

// Asked tells the others who is connected here.
func (r *relay) Asked() { r.hub.AnnounceAll() }

// Gone forgets who was connected to another instance.
func (r *relay) Gone(instance string) { r.hub.RemoteGone(instance) }

// add notes an errand, once for each topic.
func (r *relay) add(topic string, e errand) {
	r.mu.Lock()
	before, known := r.due[topic]
	if known {
		e.version, e.parts, e.lost = max(e.version, before.version), e.parts|before.parts, e.lost && before.lost
		if !before.said.IsZero() {
			e.said = before.said
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

// next takes the errand that is due longest.
func (r *relay) next() (topic string, e errand, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.order) == 0 {
		return "", errand{}, false
	}
	topic, r.order = r.order[0], r.order[1:]
	e = r.due[topic]
	delete(r.due, topic)
	return topic, e, true
}

// run hears and tells until ctx ends.
func (r *relay) run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { r.link.Run(ctx, r) })
	running.Go(func() { r.healEvery(ctx) })
	running.Go(func() { r.tellSpent(ctx) })
	for range relayWorkers {
		running.Go(func() { r.work(ctx) })
	}
	running.Wait()
}

func (r *relay) work(ctx context.Context) {
	for {
		for topic, e, ok := r.next(); ok && ctx.Err() == nil; topic, e, ok = r.next() {
			if err := r.carryOut(ctx, topic, e); err != nil && ctx.Err() == nil {
				r.logger.Debug("what another instance has changed could not be read; it is looked for again", "topic", topic, "error", err)
			}
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return
		}
	}
}

// carryOut reads what is stored of a topic, and tells the readers what is new to them.
func (r *relay) carryOut(ctx context.Context, topic string, e errand) error {
	ctx, cancel := context.WithTimeout(ctx, errandTimeout)
	defer cancel()
	kind, id, _ := strings.Cut(topic, "/")
	told := 0
	switch kind + "/" {
	case hintGame:
		s, err := r.tables.SnapshotAt(ctx, id, e.version)
		if err != nil {
			return err
		}
		told = r.hub.SyncGame(s)
	case hintTournament:
		t, err := r.director.Tournament(ctx, id)
		if err != nil {
			return err
		}
		told = r.tellTournament(t, e)
	case hintAccount:
		r.guard.ChangedElsewhere(id)
	}
	switch {
	case told == 0:
	case e.lost:
		r.measures.healed.Inc()
	default:
		r.measures.hintDelay.Observe(max(0, r.tables.Time().Sub(e.said).Seconds()))
	}
	return nil
}

// tellTournament tells the readers of a tournament what has changed, or whatever they lack of it where that is not
// known.
func (r *relay) tellTournament(t *tournament.Tournament, e errand) (told int) {
	if e.parts == 0 {
		return r.hub.SyncTournament(t)
	}
	for bit, part := range parts {
		if e.parts>>bit&1 != 0 {
			r.hub.TournamentChanged(t, part.topic, part.to)
			told++
		}
	}
	return told
}

// healEvery looks for changes of which no hint has come, now and then and whenever hints may have been lost, until ctx
// ends.
func (r *relay) healEvery(ctx context.Context) {
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
		if err := r.heal(ctx); err != nil && ctx.Err() == nil {
			r.logger.Warn("what other instances have changed could not be looked for; trying again", "error", err)
		}
	}
}

// heal compares what streams follow with what is stored, by one query, and has told what is new.
func (r *relay) heal(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, errandTimeout)
	defer cancel()
	watched := r.hub.Watched()
	var games, tournaments []string
	for id := range watched.Games {
		games = append(games, id)
	}
	for id := range watched.Tournaments {
		tournaments = append(tournaments, id)
	}
	for id := range watched.Published {
		tournaments = append(tournaments, id)
	}
	stored, err := r.versions(ctx, games, tournaments)
	if err != nil {
		return err
	}
	for id, version := range watched.Games {
		if stored.Games[id] > version {
			r.add(hintGame+id, errand{version: stored.Games[id], lost: true})
		}
	}
	for id, version := range watched.Tournaments {
		if stored.Tournaments[id] > version {
			r.add(hintTournament+id, errand{lost: true})
		}
	}
	for id, version := range watched.Published {
		if stored.Published[id] > version {
			r.add(hintTournament+id, errand{lost: true})
		}
	}
	return nil
}
