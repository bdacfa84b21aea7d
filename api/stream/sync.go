package stream

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Other instances change games and tournaments, too. The hub lists the subjects of its readers ([Hub.Watched]), and
// brings the readers up to date with the store.

// SyncGame sends the readers of a stored game the lines that they lack. It returns the number of these readers.
func (h *Hub) SyncGame(s *table.Snapshot) (behind int) { return h.publishGame(s, nil) }

// SyncTournament brings the readers of a stored tournament up to date where its changes are not known. It returns the
// number of readers that were behind.
func (h *Hub) SyncTournament(t *tournament.Tournament) (behind int) {
	for _, staff := range []bool{true, false} {
		behind += h.catchUp(tournamentTopic(t.ID, staff), t, staff)
	}
	return behind
}

// catchUp offers a tournament to those readers of a topic that have an earlier version.
func (h *Hub) catchUp(topic string, t *tournament.Tournament, staff bool) (behind int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if len(h.topics[topic]) == 0 {
		return 0
	}
	all := anyChange(t, staff)
	for r := range h.topics[topic] {
		r.mu.Lock()
		if version := all[0].version; r.got < version {
			r.got = version
			for _, n := range all {
				r.put(n)
			}
			behind++
		}
		r.mu.Unlock()
	}
	return behind
}

// TopicRead reports whether a topic of [Hub.ServeTopics] has readers.
func (h *Hub) TopicRead(topic string) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.topics[topic]) > 0
}

// GameRead reports whether a game has readers.
func (h *Hub) GameRead(id string) bool { return h.gameRead(id) }

// TournamentRead reports whether a change of a tournament may concern a reader: the tournament has readers, or topics
// of players have, which may be entered.
func (h *Hub) TournamentRead(id string) bool {
	return h.watching.Load() > 0 || h.TopicRead(tournamentTopic(id, true)) || h.TopicRead(tournamentTopic(id, false))
}

// SyncTopic has the readers of a topic of [Hub.ServeTopics] rendered again.
func (h *Hub) SyncTopic(topic string) {
	if topic == AnyGame || topic == AnyTournament {
		h.publish(topic, anySignal)
		return
	}
	h.publish(topic, signal)
}

// CallAnswered makes the streams of players look for arbiters' answers.
func (h *Hub) CallAnswered(players []string) {
	for _, id := range players {
		h.publish(OfMatters(id), signal)
	}
}

// SyncTopics has all readers of [Hub.ServeTopics] rendered again.
func (h *Hub) SyncTopics() {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, readers := range h.topics {
		for r := range readers {
			if r.coalesces || r.lists {
				r.put(signal)
			}
		}
	}
}

// Watched lists the subjects of open streams by id, each with the smallest version among its readers.
type Watched struct {
	Games       map[string]int64
	Tournaments map[string]int64 // followed by staff
	Published   map[string]int64 // followed by the public, with versions of the public part
}

// Watched lists the subjects of streams. A stream that has only just begun, and reads the store now, is left out.
func (h *Hub) Watched() Watched {
	w := Watched{Games: map[string]int64{}, Tournaments: map[string]int64{}, Published: map[string]int64{}}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for topic, readers := range h.topics {
		version, known := oldest(readers)
		if !known {
			continue
		}
		if id, ok := strings.CutPrefix(topic, ofGame); ok {
			w.Games[id] = version
		} else if id, ok := strings.CutPrefix(topic, ofTournament); ok {
			if own, staff := strings.CutSuffix(id, forStaff); staff {
				w.Tournaments[own] = version
			} else {
				w.Published[id] = version
			}
		}
	}
	return w
}

// oldest returns the smallest version among some readers.
func oldest(readers map[*reader]struct{}) (version int64, known bool) {
	for r := range readers {
		r.mu.Lock()
		got := r.got
		r.mu.Unlock()
		if got != unknown && (!known || got < version) {
			version, known = got, true
		}
	}
	return version, known
}

// ServeBehind is [GameFeed.Serve] for a spectator of a game with a delay: it sends every line once that is public, and
// nothing before. When the game is over the spectator sees all of it.
func (f *GameFeed) ServeBehind(ctx context.Context, w http.ResponseWriter, id string, who Reader) error {
	ctx, done, err := f.hub.admit(ctx)
	if err != nil {
		return err
	}
	defer done()
	r := f.hub.join(&reader{}, gameTopic(id))
	defer f.hub.leave(r, gameTopic(id))
	n, wait, err := f.behind(ctx, id, r)
	if err != nil {
		return err
	}
	if n.final && who.LastID == strconv.FormatInt(n.version, 10) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	s := &session{hub: f.hub, reader: r, out: newWriter(w, who.Format), sent: n.version}
	s.sub.show = func(ctx context.Context, n *change, whole bool, _ int64) ([]byte, error) {
		return n.show(ctx, frameKey{feed: f, class: engine.Viewer{}, whole: whole, form: who.Format},
			func(ctx context.Context, _ string, since int64) ([]byte, error) {
				return f.render(ctx, n.subject.(*table.Snapshot), engine.Viewer{}, since)
			})
	}
	if err := s.out.begin(); err != nil {
		return nil
	}
	if who.LastID == strconv.FormatInt(n.version, 10) || s.send(ctx, n, true) {
		f.followBehind(ctx, s, id, wait)
	}
	return nil
}

// followBehind sends the delayed view whenever something happens or comes to light.
func (f *GameFeed) followBehind(ctx context.Context, s *session, id string, wait time.Duration) {
	light := time.NewTimer(wait)
	defer light.Stop()
	s.follow(ctx, light.C, func(ctx context.Context, _ *change) bool {
		n, wait, err := f.behind(ctx, id, s.reader)
		if err != nil || n.version > s.sent && !s.send(ctx, n, n.since != s.sent) {
			return false
		}
		light.Reset(wait)
		return true
	})
}

// nothingDue is the wait of a reader where nothing comes to light by itself.
const nothingDue = time.Hour

// behind returns the present view of spectators of a delayed game, and the time until it changes by itself. All readers
// share the rendering of it.
func (f *GameFeed) behind(ctx context.Context, id string, r *reader) (*change, time.Duration, error) {
	s, err := f.games.Snapshot(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	r.has(s.Game.Version)
	now := f.hub.Now().UnixMilli()
	seen, next, err := s.Spectated(now)
	if err != nil {
		return nil, 0, err
	}
	wait := nothingDue
	if next > 0 {
		wait = time.Duration(max(next-now, 0)) * time.Millisecond
	}
	h := f.hub
	h.delayedMu.Lock()
	defer h.delayedMu.Unlock()
	topic := gameTopic(id)
	before := h.delayed[topic]
	if before != nil && before.version == seen.Game.Version && !seen.Game.Status.Over() {
		return before, wait, nil
	}
	var lines []table.Line
	if before != nil && before.version < seen.Game.Version {
		lines = seen.Lines[before.version:]
	}
	n := gameChange(seen, lines)
	h.delayed[topic] = n
	if n.final {
		delete(h.delayed, topic)
	}
	return n, wait, nil
}

// cursor is the position of a reader in the stream of an account: the states it has got of each game and tournament
// that it follows. Its text is the id of the stream's events, TIME~ID.STATE~ID.STATE….
type cursor struct {
	at   int64             // ms UTC, of the last event
	seen map[string]string // by id of a game or a tournament, its state as the reader knows it
}

// maxCursor is the maximum length of a cursor's text, which comes back as a header: some hundred games at once. A
// reader with more starts from the state after a break.
const maxCursor = 4000

// String returns the text of a cursor.
func (c cursor) String() string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(c.at, 36))
	b.WriteByte('~')
	for i, id := range slices.Sorted(maps.Keys(c.seen)) {
		if i > 0 {
			b.WriteByte('~')
		}
		b.WriteString(id + "." + c.seen[id])
	}
	if b.Len() > maxCursor {
		return strconv.FormatInt(c.at, 36)
	}
	return b.String()
}

// parseCursor reads the text of a cursor; it reports whether a stream can resume there.
func parseCursor(text string) (c cursor, ok bool) {
	c.seen = map[string]string{}
	at, rest, whole := strings.Cut(text, "~")
	var err error
	if c.at, err = strconv.ParseInt(at, 36, 64); err != nil || !whole {
		return c, false
	}
	for part := range strings.SplitSeq(rest, "~") {
		id, state, ok := strings.Cut(part, ".")
		if !ok && rest != "" {
			return c, false
		}
		if ok {
			c.seen[id] = state
		}
	}
	return c, true
}
