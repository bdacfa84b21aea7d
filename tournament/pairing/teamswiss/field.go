package teamswiss

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// team is an entrant as the pairing rules see it.
type team struct {
	number             int               // TPN
	score              tournament.Points // primary, with the virtual points of the round
	primary, secondary tournament.Points // without virtual points
	away               tournament.Bye    // its bye on request in this round
	opponents          []int             // numbers that it must not meet again (C1)
	colours            []pairing.Colour  // of the matches played, oldest first
	difference         int               // matches with White less those with Black
	preference         preference
	floated            bool // was a floater in the round before
	barred             bool // must not have the pairing-allocated bye (C2)
	position           int  // in the order by number, from 0
}

// newTeams returns the teams of a history, number n at index n−1.
func (p Pairer) newTeams(h pairing.History, virtual func(number, round int) tournament.Points) []team {
	teams := make([]team, len(h.Field))
	last := h.Rounds > 0 && h.Round >= h.Rounds
	for i, e := range h.Field {
		t := &teams[i]
		*t = team{number: i + 1, position: i, away: e.Away, primary: e.ScoreBefore(h.Round), colours: e.Colours()}
		t.score = t.primary + virtual(t.number, h.Round)
		for _, c := range e.Cells {
			t.secondary += c.Secondary
			forfeit := c.Kind == tournament.ForfeitWin || c.Kind == tournament.ForfeitLoss
			if c.Kind == tournament.Played || forfeit && p.Readings.ForfeitMet {
				t.opponents = append(t.opponents, c.Opponents...)
			}
			t.barred = t.barred || barsBye(c)
		}
		for _, c := range t.colours {
			t.difference += sign(c)
		}
		t.preference = p.preferenceOf(t, last)
		t.floated = h.Round > 1 && floatedIn(h, virtual, i, h.Round-1)
	}
	return teams
}

// barsBye reports whether a round keeps a team from the pairing-allocated bye (2.1.2): an earlier allocated bye, a
// full-point bye, or a match won by forfeit.
func barsBye(c tournament.Cell) bool {
	return c.Kind == tournament.ForfeitWin || c.Bye == tournament.PairingAllocated || c.Bye == tournament.FullPoint
}

// floatedIn reports whether a team (from 0) played an opponent of another score in a round (1.5), by the scores before
// that round. Byes and forfeits make no floater.
func floatedIn(h pairing.History, virtual func(number, round int) tournament.Points, at, round int) bool {
	c := h.Field[at].Cells[round-1]
	if c.Kind != tournament.Played || len(c.Opponents) != 1 {
		return false
	}
	score := func(number int) tournament.Points {
		return h.Field[number-1].ScoreBefore(round) + virtual(number, round)
	}
	return score(at+1) != score(c.Opponents[0])
}

// active returns the teams that take part, best first: by score, then by number.
func active(teams []team) []*team {
	var out []*team
	for i := range teams {
		if teams[i].away == tournament.NoBye {
			out = append(out, &teams[i])
		}
	}
	slices.SortFunc(out, (*team).compare)
	return out
}

func (t *team) compare(o *team) int {
	return cmp.Or(cmp.Compare(o.score, t.score), cmp.Compare(t.number, o.number))
}

func sign(c pairing.Colour) int {
	if c == pairing.White {
		return 1
	}
	return -1
}
