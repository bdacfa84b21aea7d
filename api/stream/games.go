package stream

import (
	"context"
	"net/http"
	"slices"

	"quatuor/engine"
	"quatuor/engine/table"
)

// Games returns games in their current version; *table.Tables implements it.
type Games interface {
	Snapshot(ctx context.Context, id string) (*table.Snapshot, error)
}

// RenderGame makes the data of a game's events for a class of viewers: the game with the lines of its log after since
// (0 for all). It must use nothing but the results of [table.Snapshot.Project] and [table.Snapshot.Log] for v.
type RenderGame func(ctx context.Context, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error)

// GameFeed serves streams of games in a wording of its own.
type GameFeed struct {
	hub    *Hub
	games  Games
	render RenderGame
}

// GameFeed returns a feed of games.
func (h *Hub) GameFeed(games Games, render RenderGame) *GameFeed {
	h.games.CompareAndSwap(nil, &games)
	return &GameFeed{hub: h, games: games, render: render}
}

// Reader is the reader of a game's stream.
type Reader struct {
	Player string // "" for a spectator
	LastID string // the request's Last-Event-ID, "" for none
	Format Format
	// May reports whether the reader may still see the game undelayed. It is called before every event, for a right
	// that does not come with the reader's account. Nil: it may until the request's context ends.
	May func(context.Context) bool
}

// Serve answers with the stream of a game as the reader may see it until the game is over, the reader loses its right
// to it, or ctx, the request's, ends. An error (like table.ErrNotFound) comes only before anything was written.
func (f *GameFeed) Serve(ctx context.Context, w http.ResponseWriter, id string, who Reader) error {
	s, err := f.games.Snapshot(ctx, id)
	if err != nil {
		return err
	}
	sub := subscription{
		topic: gameTopic(id), last: who.LastID, form: who.Format, resumes: true,
		load: func(ctx context.Context) (*change, error) {
			s, err := f.games.Snapshot(ctx, id)
			if err != nil {
				return nil, err
			}
			return gameChange(s, nil), nil
		},
		show: func(ctx context.Context, n *change, whole bool, _ int64) ([]byte, error) {
			s := n.subject.(*table.Snapshot)
			v := s.Viewer(who.Player)
			return n.show(ctx, frameKey{feed: f, class: v, whole: whole, form: who.Format},
				func(ctx context.Context, _ string, since int64) ([]byte, error) {
					return f.render(ctx, s, v, since)
				})
		},
		begin: func() (end func()) { return f.hub.attend(s, who.Player) },
		after: func(n *change, sent int64) *change { return changeAfter(n.subject.(*table.Snapshot), sent) },
	}
	if who.May != nil {
		sub.may = func(ctx context.Context, _ *change) bool { return who.May(ctx) }
	}
	return f.hub.serve(ctx, w, sub)
}

// GameChanged publishes a change of a game to its readers. It implements table.Notifier.
func (h *Hub) GameChanged(s *table.Snapshot, news []table.Line) {
	h.publishTopics(s, news)
	h.publishGame(s, news)
}

// publishGame sends the lines of a change, nil for any number of changes, to a game's readers. A reader that has missed
// an earlier change gets the lines that it lacks. It returns the number of readers that were behind.
func (h *Hub) publishGame(s *table.Snapshot, lines []table.Line) (behind int) {
	if s.Game.Status.Over() {
		h.presence.forget(s.Game.ID)
	}
	if !h.gameRead(s.Game.ID) {
		return 0
	}
	usual := gameChange(s, lines)
	whole := int64(len(s.Lines)) == s.Game.Version
	var gaps map[int64]*change // by the version that readers have
	h.mu.RLock()
	defer h.mu.RUnlock()
	for r := range h.topics[gameTopic(s.Game.ID)] {
		r.mu.Lock()
		n := usual
		if whole && r.got != unknown && r.got < s.Game.Version && r.got != usual.since {
			if n = gaps[r.got]; n == nil {
				n = changeAfter(s, r.got)
				if gaps == nil {
					gaps = map[int64]*change{}
				}
				gaps[r.got] = n
			}
		}
		if r.got < s.Game.Version {
			r.got = s.Game.Version
			r.put(n)
			behind++
		}
		r.mu.Unlock()
	}
	return behind
}

const ofGame = "game/"

func gameTopic(id string) string { return ofGame + id }

// gameRead reports whether a game has readers; later readers begin with the state stored by then. It is called after
// every move, and most games have none, so the topic's key is not allocated.
func (h *Hub) gameRead(id string) bool {
	var room [64]byte
	topic := append(append(room[:0], ofGame...), id...)
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.topics[string(topic)]) > 0
}

// changeAfter returns the change of a game since a version, nil where not all of its lines are known.
func changeAfter(s *table.Snapshot, version int64) *change {
	if int64(len(s.Lines)) != s.Game.Version || version < 0 || version >= s.Game.Version {
		return nil
	}
	return gameChange(s, s.Lines[version:])
}

func gameChange(s *table.Snapshot, lines []table.Line) *change {
	n := &change{subject: s, since: -1, version: s.Game.Version, final: s.Game.Status.Over()}
	if len(lines) > 0 {
		n.since = lines[0].N - 1
	}
	for _, line := range lines {
		if event := eventOf(line.Kind); !slices.Contains(n.events, event) {
			n.events = append(n.events, event)
		}
	}
	if n.final && !slices.Contains(n.events, eventOver) {
		n.events = append(n.events, eventOver)
	}
	return n
}

// eventOf returns the name of the event for a line.
func eventOf(kind table.LineKind) string {
	switch kind {
	case table.LineMove, table.LineLeft, table.LineAgreed, table.LineAdjudication, table.LineTakeback:
		return eventMove
	case table.LineOffer, table.LineDecline, table.LineTakebackOffer, table.LineTakebackDecline:
		return eventOffer
	case table.LineStart, table.LinePause, table.LineResume, table.LineOutage, table.LineCommitment, table.LineNonce,
		table.LineLapse,
		table.LineSet, table.LineAdd, table.LineBerserk, table.LineAccept, table.LineStand, table.LineRefuse:
		return eventClock
	case table.LineAbort:
		return eventOver
	}
	return eventState
}
