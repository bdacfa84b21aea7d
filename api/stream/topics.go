package stream

import (
	"context"
	"net/http"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// Lobby is the topic of open games that wait for players.
const Lobby = "lobby"

// OfPlayer returns the topic of what concerns a player: the player's games, and the public part of tournaments in which the
// player is entered. Only the player's own account may follow it.
func OfPlayer(id string) string { return "player/" + id }

// OfTable returns the topic of a game that waits for players.
func OfTable(id string) string { return "table/" + id }

// ServeTopics answers with a stream of what render returns: at first, and again whenever there is news of one of the topics.
// Render returns nil if nothing has changed for this reader. News that come while it renders are rendered once. The stream
// ends with ctx, the request's, or with the reader's right to it. An error comes only before anything was written.
func (h *Hub) ServeTopics(ctx context.Context, w http.ResponseWriter, topics []string, render func(context.Context) ([]byte, error)) error {
	h.watching.Add(1)
	defer h.watching.Add(-1)
	return h.serve(ctx, w, subscription{
		topic: topics[0], also: topics[1:], latest: true,
		load: func(context.Context) (*news, error) { return &news{events: []string{eventState}, version: 1}, nil },
		show: func(ctx context.Context, n *news, _ bool, _ int64) ([]byte, error) {
			own := &news{events: []string{eventState}, version: -1} // each reader has its own
			return own.compose(ctx, false, func(ctx context.Context, _ string, _ int64) ([]byte, error) { return render(ctx) })
		},
	})
}

// tellTopics publishes a change of a game to its players, and to the lobby if it is an open one that waited for players.
func (h *Hub) tellTopics(s *table.Snapshot, lines []table.Line) {
	if h.watching.Load() == 0 {
		return
	}
	n := &news{events: []string{eventState}, version: 1}
	for _, id := range s.Game.Players {
		if id != "" {
			h.publish(OfPlayer(id), n)
		}
	}
	if s.Game.StartedAt == 0 || len(lines) > 0 && lines[len(lines)-1].Kind == table.LineStart {
		h.publish(OfTable(s.Game.ID), n)
	}
	begun := len(lines) == 0
	for i := range lines {
		switch lines[i].Kind {
		case table.LineStart, table.LineAccept, table.LineStand, table.LineRefuse, table.LineAbort:
			begun = true
		}
	}
	if s.Game.Open && begun {
		h.publish(Lobby, n)
	}
}

// tellEntered publishes a change of the public part of a tournament to the players who are entered.
func (h *Hub) tellEntered(t *tournament.Tournament) {
	if h.watching.Load() == 0 || t.Status == tournament.Draft {
		return
	}
	n := &news{events: []string{eventState}, version: 1}
	for i := range t.Entries {
		for _, id := range t.Entries[i].Members {
			h.publish(OfPlayer(id), n)
		}
	}
}
