package stream

import (
	"context"
	"net/http"
	"slices"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// Lobby is the topic of open games that wait for players.
const Lobby = "lobby"

// OfPlayer returns the topic of what concerns a player: the player's games, and the public part of tournaments in which
// the player is entered. Only the player's own account may follow it.
func OfPlayer(id string) string { return "player/" + id }

// OfTable returns the topic of a game that waits for players.
func OfTable(id string) string { return "table/" + id }

// ServeTopics answers with a stream of what render returns: at first, and again after each change of one of the
// topics. Render returns nil if nothing has changed for this reader. Changes that come while it renders are
// coalesced. The stream ends with ctx, the request's, or with the reader's right to it. An error comes only before
// anything was written.
func (h *Hub) ServeTopics(
	ctx context.Context, w http.ResponseWriter, topics []string, render func(context.Context) ([]byte, error),
) error {
	h.watching.Add(1)
	defer h.watching.Add(-1)
	return h.serve(ctx, w, subscription{
		topic: topics[0], also: topics[1:], latest: true,
		load: func(context.Context) (*change, error) { return &change{events: []string{eventState}, version: 1}, nil },
		show: func(ctx context.Context, n *change, _ bool, _ int64) ([]byte, error) {
			own := &change{events: []string{eventState}, version: -1} // each reader has its own
			return own.compose(ctx, false, func(ctx context.Context, _ string, _ int64) ([]byte, error) { return render(ctx) })
		},
	})
}

// TopicsOf returns the further topics of a change of a game: its players, its table if that waits for players, and
// the lobby if it is an open game that waited for players.
func TopicsOf(s *table.Snapshot, lines []table.Line) (topics []string) {
	for i, id := range s.Game.Players {
		if id != "" && table.BotLevel(id) == 0 && !slices.Contains(s.Game.Players[:i], id) {
			topics = append(topics, OfPlayer(id))
		}
	}
	if s.Game.StartedAt == 0 || len(lines) > 0 && lines[len(lines)-1].Kind == table.LineStart {
		topics = append(topics, OfTable(s.Game.ID))
	}
	begun := len(lines) == 0
	for i := range lines {
		switch lines[i].Kind {
		case table.LineStart, table.LineAccept, table.LineStand, table.LineRefuse, table.LineAbort:
			begun = true
		}
	}
	if s.Game.Open && begun {
		topics = append(topics, Lobby)
	}
	return topics
}

// publishTopics publishes a change of a game to its further topics.
func (h *Hub) publishTopics(s *table.Snapshot, lines []table.Line) {
	if h.watching.Load() == 0 {
		return
	}
	for _, topic := range TopicsOf(s, lines) {
		h.publish(topic, &change{events: []string{eventState}, version: 1})
	}
}

// publishEntered publishes a change of the public part of a tournament to the entered players.
func (h *Hub) publishEntered(t *tournament.Tournament) {
	if h.watching.Load() == 0 || t.Status == tournament.Draft {
		return
	}
	n := &change{events: []string{eventState}, version: 1}
	for i := range t.Entries {
		for _, id := range t.Entries[i].Members {
			h.publish(OfPlayer(id), n)
		}
	}
}
