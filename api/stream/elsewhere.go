package stream

import (
	"strings"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// Other instances change games and tournaments, too. The hub says what its readers follow, and is told what has become
// of that.

// GameElsewhere tells the readers of a game, as it is stored, whatever they lack of it. It returns how many that were.
func (h *Hub) GameElsewhere(s *table.Snapshot) (told int) { return h.publishGame(s, nil) }

// TournamentElsewhere tells the readers of a tournament, as it is stored, what they lack of it, where it is not known
// what has changed. It returns how many that were.
func (h *Hub) TournamentElsewhere(t *tournament.Tournament) (told int) {
	for _, staff := range []bool{true, false} {
		told += h.catchUp(tournamentTopic(t.ID, staff), t, staff)
	}
	return told
}

// catchUp offers a tournament to those readers of a topic that have an earlier version.
func (h *Hub) catchUp(topic string, t *tournament.Tournament, staff bool) (told int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if len(h.topics[topic]) == 0 {
		return 0
	}
	all := anyNews(t, staff)
	for r := range h.topics[topic] {
		r.mu.Lock()
		if version := all[0].version; r.got < version {
			r.got = version
			for _, n := range all {
				r.put(n)
			}
			told++
		}
		r.mu.Unlock()
	}
	return told
}

// TopicRead reports whether a topic of [Hub.ServeTopics] has readers.
func (h *Hub) TopicRead(topic string) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.topics[topic]) > 0
}

// GameRead reports whether a game has readers.
func (h *Hub) GameRead(id string) bool { return h.gameRead(id) }

// TournamentRead reports whether a change of a tournament is to be told: it has readers, or there are readers of topics
// of players, who may be entered.
func (h *Hub) TournamentRead(id string) bool {
	return h.watching.Load() > 0 || h.TopicRead(tournamentTopic(id, true)) || h.TopicRead(tournamentTopic(id, false))
}

// TopicElsewhere tells the readers of a topic of [Hub.ServeTopics] that there is news.
func (h *Hub) TopicElsewhere(topic string) {
	h.publish(topic, &news{events: []string{eventState}, version: 1})
}

// TopicsElsewhere tells all readers of [Hub.ServeTopics] that there may be news.
func (h *Hub) TopicsElsewhere() {
	n := &news{events: []string{eventState}, version: 1}
	told := map[*reader]bool{}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for topic, readers := range h.topics {
		if strings.HasPrefix(topic, ofGame) || strings.HasPrefix(topic, ofTournament) {
			continue
		}
		for r := range readers {
			if !told[r] {
				told[r] = true
				r.put(n)
			}
		}
	}
}

// Watched is what streams follow, by id, each with the least version that one of its readers has.
type Watched struct {
	Games       map[string]int64
	Tournaments map[string]int64 // by those who run them
	Published   map[string]int64 // tournaments, by the public, with versions of what that can see
}

// Watched returns what streams follow. A stream that has only just begun, and reads what is stored now, is left out.
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

// oldest returns the least version that one of some readers has.
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
