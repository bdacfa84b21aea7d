package stream

import (
	"strings"

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
