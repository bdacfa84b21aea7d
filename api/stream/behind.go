package stream

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"quatuor/engine"
	"quatuor/engine/table"
)

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
