package stream

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// Topics of [Hub.ServeTopics] beside those of games and tournaments.
const (
	Lobby          = "lobby"       // open games that wait for players
	AnyGame        = "games"       // all games
	AnyTournament  = "tournaments" // the public part of all tournaments
	ofBoards       = "boards/"
	ofPlayer       = "player/"
	ofWaitingTable = "table/"
	ofMatters      = "matters/"
	ofLadder       = "ladder/"
)

// OfPlayer returns the topic of a player: the player's games, and the tournaments with an entry of the player.
func OfPlayer(id string) string { return ofPlayer + id }

// OfMatters returns the topic of a player's games and tournaments as they come to be, for [AccountFeed].
func OfMatters(id string) string { return ofMatters + id }

// OfLadder returns the topic of acts on a ladder.
func OfLadder(id string) string { return ofLadder + id }

// OfTable returns the topic of a game that waits for players.
func OfTable(id string) string { return ofWaitingTable + id }

// OfTournament returns the topic of a tournament, for staff or for the public.
func OfTournament(id string, staff bool) string { return tournamentTopic(id, staff) }

// OfBoards returns the topic of the games of a tournament, and of the players at them.
func OfBoards(tournament string) string { return ofBoards + tournament }

const (
	// gathering is the time to wait for further changes of the same act.
	gathering = 20 * time.Millisecond
	// anyRest is the least time between two renderings for changes of AnyGame and AnyTournament.
	anyRest = 10 * time.Second
)

// Update is the data that a stream of [Hub.ServeTopics] sends after a change.
type Update struct {
	Data    []byte // nil if nothing has changed for this reader
	Version int64  // names the reader's state, for the next connection
	Final   bool   // the stream ends with it
	Next    int64  // when there is more without a change, ms UTC; 0 for never
}

// ServeTopics answers with a stream of render's results: at first, and again after changes of the topics. Changes are
// coalesced: between two calls of render lies at least rest, longer where only other games have changed. An error of
// render ends the stream; an error of the first call is returned before anything is written. The stream also ends with
// ctx, the request's, and with the reader's right.
func (h *Hub) ServeTopics(
	ctx context.Context, w http.ResponseWriter, topics []string, rest time.Duration,
	render func(context.Context) (Update, error),
) error {
	ctx, done, err := h.admit(ctx)
	if err != nil {
		return err
	}
	defer done()
	h.watching.Add(1)
	defer h.watching.Add(-1)
	r := h.join(&reader{coalesces: true}, topics...)
	defer h.leave(r, topics...)
	first, err := render(ctx)
	if err != nil {
		return err
	}
	s := &session{hub: h, reader: r, out: newWriter(w, EventStream)}
	if s.out.begin() != nil || !s.update(first) {
		return nil
	}
	var rendered, planned time.Time // a page that has just been opened does not rest before its first change
	due := time.NewTimer(h.until(first.Next))
	defer due.Stop()
	s.follow(ctx, due.C, func(ctx context.Context, n *change) bool {
		if n != nil {
			wait := rest
			if n == anySignal {
				wait = max(rest, anyRest)
			}
			at := latest(time.Now().Add(gathering), rendered.Add(wait))
			if planned.IsZero() || at.Before(planned) {
				planned = at
				due.Reset(time.Until(at))
			}
			return true
		}
		now, err := render(ctx)
		if err != nil || ctx.Err() != nil || !s.update(now) {
			return false
		}
		rendered, planned = time.Now(), time.Time{}
		due.Reset(h.until(now.Next))
		return true
	})
	return nil
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// until returns how long it is until a time in ms UTC, long for 0.
func (h *Hub) until(at int64) time.Duration {
	if at == 0 {
		return nothingDue
	}
	return time.Duration(max(0, at-h.Now().UnixMilli())) * time.Millisecond
}

// update sends an update and reports whether to go on.
func (s *session) update(u Update) bool {
	event := eventState
	if u.Final {
		event = eventOver
	}
	if u.Data != nil || u.Final {
		var out bytes.Buffer
		writeFrame(&out, event, strconv.FormatInt(u.Version, 10), u.Data)
		if s.out.send(out.Bytes()) != nil {
			return false
		}
	}
	return !u.Final
}

// TopicsOf returns the further topics of a change of a game: its players, its tournament's boards, its table if that
// waits for players, and the lobby if it is an open game that waited for players.
func TopicsOf(s *table.Snapshot, lines []table.Line) (topics []string) {
	for i, id := range s.Game.Players {
		if id != "" && table.BotLevel(id) == 0 && !slices.Contains(s.Game.Players[:i], id) {
			topics = append(topics, OfPlayer(id))
		}
	}
	if s.Game.Tournament != nil {
		topics = append(topics, OfBoards(s.Game.Tournament.ID))
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
	if begun {
		topics = append(topics, mattersOf(s)...)
	}
	return topics
}

// mattersOf returns the topics of a game's players, for those of their streams that do not follow it yet.
func mattersOf(s *table.Snapshot) (topics []string) {
	for i, id := range s.Game.Players {
		if id != "" && table.BotLevel(id) == 0 && !slices.Contains(s.Game.Players[:i], id) {
			topics = append(topics, OfMatters(id))
		}
	}
	return topics
}

// signal is the change that readers of further topics are sent: they read the store by themselves. anySignal is that of
// AnyGame and AnyTournament, which is less urgent.
var signal, anySignal = &change{ephemeral: true}, &change{ephemeral: true}

// publishTopics publishes a change of a game to its further topics.
func (h *Hub) publishTopics(s *table.Snapshot, lines []table.Line) {
	if h.watching.Load() == 0 {
		return
	}
	for _, topic := range TopicsOf(s, lines) {
		if strings.HasPrefix(topic, ofMatters) {
			h.publish(topic, &change{subject: s, ephemeral: true})
			continue
		}
		h.publish(topic, signal)
	}
	h.publish(AnyGame, anySignal)
}

// publishEntered publishes a change of a tournament to the entered players and to the leaders of teams; other followers
// need to know of changes that the public sees only, and of members who agree to be in their team.
func (h *Hub) publishEntered(t *tournament.Tournament, public bool) {
	if h.watching.Load() == 0 || t.Status == tournament.Draft {
		return
	}
	entered := &change{subject: t.Public(), ephemeral: true}
	for i, e := range t.Entries {
		for _, id := range append(e.Members[:len(e.Members):len(e.Members)], e.LeadersOutside()...) {
			h.publish(OfPlayer(id), signal)
			if public || gathers(t, i) {
				h.publish(OfMatters(id), entered)
			}
		}
	}
}
