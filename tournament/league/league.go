// Package league moves players or teams between the divisions of a league at the end of a season.
//
//  1. Those that leave are struck out. Promoted are the first Rules.Up of each division but the top, relegated the last
//     Rules.Down of each but the lowest; neither is more than half of those that stay. Each that leaves the division
//     saves a place from relegation.
//  2. A new division is: relegated from above, those that stay, promoted from below. Newcomers enter the lowest.
//  3. From the top, each division gets its former size: while it is short, the best of the next below that was there
//     last season and still is goes up; while it is too large, the worst of its own of last season, or if none is left
//     the last of the list, goes down to the head of the next. The lowest takes the rest.
//
// With play-offs, the best that is not promoted meets the worst that is not relegated; where no member leaves the
// league, that replaces rule 3 for their border.
package league

import (
	"fmt"
	"slices"

	"quatuor/tournament"
)

// Rules are the numbers of a league's regulations.
type Rules struct {
	Up      int  `json:"up"`   // promoted from each division
	Down    int  `json:"down"` // relegated from each division
	Playoff bool `json:"playoff,omitempty"`
}

// DefaultRules returns the rules of a league without settings.
func DefaultRules() Rules { return Rules{Up: 2, Down: 2} }

// Season is a finished season: the divisions from the top, each with its final ranking.
type Season struct {
	Divisions [][]string `json:"divisions"`
	Leaving   []string   `json:"leaving"`
	Joining   []string   `json:"joining"`
	Winners   []string   `json:"winners,omitempty"` // of the play-offs, by border from the top; "" where none was
	Rules
}

// Reason is the reason for a member's division in the new season.
type Reason string

// The reasons.
const (
	Stays     Reason = "stays"
	Promoted  Reason = "promoted"
	Relegated Reason = "relegated"
	Joins     Reason = "joins"
	MovedUp   Reason = "moved_up"   // to fill a division that is short
	MovedDown Reason = "moved_down" // from a division that is too large
	WonUp     Reason = "won_up"     // the play-off
	LostDown  Reason = "lost_down"
	Leaves    Reason = "leaves" // the league; only while the season is played
)

// Member is a player or team in a division of the new season: the division and place of last season, from 1 (0: joins),
// and why it is here.
type Member struct {
	Name     string `json:"name"`
	Division int    `json:"division"`
	Place    int    `json:"place"`
	Because  Reason `json:"because"`
}

// move is a season that is being moved to the next.
type move struct {
	Season
	stay [][]Member // without those that leave
	next [][]Member
}

// Next returns the divisions of the new season.
func (s Season) Next() ([][]Member, error) {
	m, err := s.begin()
	if err != nil {
		return nil, err
	}
	played, err := m.playoffs()
	if err != nil {
		return nil, err
	}
	for d := range len(m.next) - 1 {
		if !played[d] {
			m.fill(d)
		}
	}
	return m.next, nil
}

// begin carries out rules 1 and 2.
func (s Season) begin() (*move, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	m := &move{Season: s, stay: make([][]Member, len(s.Divisions)), next: make([][]Member, len(s.Divisions))}
	for d, division := range s.Divisions {
		for place, name := range division {
			if !slices.Contains(s.Leaving, name) {
				m.stay[d] = append(m.stay[d], Member{name, d + 1, place + 1, Stays})
			}
		}
	}
	for d := range m.next {
		up, down := m.promoted(d), m.relegated(d)
		if d > 0 {
			above := m.stay[d-1]
			m.add(d, above[len(above)-m.relegated(d-1):], Relegated)
		}
		m.add(d, m.stay[d][up:len(m.stay[d])-down], Stays)
		if d+1 < len(m.next) {
			m.add(d, m.stay[d+1][:m.promoted(d+1)], Promoted)
		}
	}
	for _, name := range s.Joining {
		m.add(len(m.next)-1, []Member{{Name: name}}, Joins)
	}
	return m, nil
}

// add appends members to a new division.
func (m *move) add(d int, members []Member, because Reason) {
	for _, member := range members {
		member.Because = because
		m.next[d] = append(m.next[d], member)
	}
}

// promoted returns the number of members that go up from a division.
func (m *move) promoted(d int) int {
	if d == 0 {
		return 0
	}
	return min(m.Up, len(m.stay[d])/2)
}

// relegated returns the number of members that go down from a division.
func (m *move) relegated(d int) int {
	if d == len(m.stay)-1 {
		return 0
	}
	left := len(m.Divisions[d]) - len(m.stay[d])
	return max(min(m.Down, len(m.stay[d])/2)-left, 0)
}

// fill brings a division to its former size (rule 3).
func (m *move) fill(d int) {
	size := len(m.Divisions[d])
	below := &m.next[d+1]
	for len(m.next[d]) < size {
		best := slices.IndexFunc(*below, own(d+1))
		if best < 0 {
			break
		}
		m.add(d, (*below)[best:best+1], MovedUp)
		*below = slices.Delete(*below, best, best+1)
	}
	for len(m.next[d]) > size {
		worst := len(m.next[d]) - 1
		for k, member := range m.next[d] {
			if own(d)(member) {
				worst = k
			}
		}
		member := m.next[d][worst]
		member.Because = MovedDown
		m.next[d] = slices.Delete(m.next[d], worst, worst+1)
		*below = slices.Insert(*below, 0, member)
	}
}

// own reports whether a member was in this division last season.
func own(d int) func(Member) bool { return func(m Member) bool { return m.Division == d+1 } }

// maxMembers bounds a league, with those that leave and join.
const maxMembers = 10_000

// check refuses names that are unknown or come twice.
func (s Season) check() error {
	if s.Up < 0 {
		return tournament.Fault("up", "0 or more, not %d", s.Up)
	}
	if s.Down < 0 {
		return tournament.Fault("down", "0 or more, not %d", s.Down)
	}
	if len(s.Divisions) == 0 {
		return tournament.Fault("divisions", "a league has at least one division")
	}
	members := len(s.Leaving) + len(s.Joining)
	for _, division := range s.Divisions {
		members += len(division)
	}
	if members > maxMembers {
		return tournament.Fault("divisions", "there are %d, and at most %d can be computed", members, maxMembers)
	}
	known := map[string]bool{}
	enter := func(place, name string) error {
		if name == "" || known[name] {
			return tournament.Fault(place, "%q is no name, or comes twice", name)
		}
		known[name] = true
		return nil
	}
	for d, division := range s.Divisions {
		for k, name := range division {
			if err := enter(fmt.Sprintf("divisions[%d][%d]", d, k), name); err != nil {
				return err
			}
		}
	}
	for k, name := range s.Leaving {
		if !known[name] || slices.Contains(s.Leaving[:k], name) {
			return tournament.Fault(fmt.Sprintf("leaving[%d]", k), "%q is in no division, or comes twice", name)
		}
	}
	for k, name := range s.Joining {
		if err := enter(fmt.Sprintf("joining[%d]", k), name); err != nil {
			return err
		}
	}
	return nil
}
