package series

import (
	"encoding/json"
	"fmt"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/exact"
)

// unmarshalEvent reads an event with its defaults.
func unmarshalEvent(data []byte, e *Event) error {
	type plain Event
	read := plain{Factor: exact.Whole(1)}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*e = Event(read)
	return nil
}

// check refuses rules and events that make no standings.
func (s Series) check() error {
	if s.Best < 0 {
		return tournament.Fault("best", "0 or more, not %d", s.Best)
	}
	if s.Least < 0 {
		return tournament.Fault("least", "0 or more, not %d", s.Least)
	}
	if !slices.Contains([]Source{"", ByPlace, ByScore, ByShare}, s.Source) {
		return tournament.Fault("source", "%q is none of %v", s.Source, []Source{ByPlace, ByScore, ByShare})
	}
	for k, points := range s.Table {
		if points < 0 || k > 0 && points > s.Table[k-1] {
			return tournament.Fault(fmt.Sprintf("table[%d]", k), "points by place descend, and are 0 or more")
		}
	}
	for k, e := range s.Events {
		if err := s.checkEvent(e, fmt.Sprintf("events[%d]", k)); err != nil {
			return err
		}
	}
	return nil
}

// checkEvent refuses an event that names a player twice, or misses a score.
func (s Series) checkEvent(e Event, place string) error {
	if e.Factor < 0 {
		return tournament.Fault(place+".factor", "0 or more, not %v", e.Factor.Sum())
	}
	known := map[string]bool{}
	for g, group := range e.Ranking {
		at := fmt.Sprintf("%s.ranking[%d]", place, g)
		if len(group) == 0 {
			return tournament.Fault(at, "at least one player has a place")
		}
		for _, player := range group {
			if player == "" || known[player] {
				return tournament.Fault(at, "%q is no name, or comes twice", player)
			}
			known[player] = true
			if score, ok := e.Scores[player]; s.Source == ByScore || s.Source == ByShare {
				if !ok || score < 0 {
					return tournament.Fault(place+".scores", "%q has no score of 0 or more", player)
				}
			}
		}
	}
	for player := range e.Scores {
		if !known[player] {
			return tournament.Fault(place+".scores", "there is no player %q", player)
		}
	}
	return nil
}
