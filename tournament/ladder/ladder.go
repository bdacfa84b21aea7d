// Package ladder runs a ladder: positions, challenges of players above, and the days within which they are accepted and
// played. It is a log folded into a state: the same events lead to the same ladder.
//
//	won                             the challenger moves up
//	lost, drawn                     no
//	declined                        yes, also where the defender never came to a game on the server
//	no_answer   at the deadline     yes
//	not_played  at the deadline     no, and the challenger may not challenge for as long as games may take
//	left        a player leaves     no
//
// A player that moves up takes the other's place; the other and all between go down a place. A challenger that is above
// already stays there. Deadlines that have come are settled before an event of the same second, the earliest first,
// then by the challenge's id.
package ladder

import (
	"cmp"
	"slices"
)

// Day is the unit of the rules, in seconds.
const Day = 86_400

// Rules are the numbers of a ladder's regulations.
type Rules struct {
	Reach  int `json:"reach"`  // places above that may be challenged
	Accept int `json:"accept"` // days for an answer
	Play   int `json:"play"`   // days for the game, from the answer on
	Again  int `json:"again"`  // days until the same two may challenge each other again
}

// DefaultRules returns the rules of a ladder without settings.
func DefaultRules() Rules { return Rules{Reach: 3, Accept: 3, Play: 7, Again: 14} }

// Type is the kind of an event.
type Type string

// The types of events.
const (
	Challenge Type = "challenge"
	Accept    Type = "accept"
	Decline   Type = "decline"
	Result    Type = "result"
	NoClock   Type = "no_clock" // the game's time ran out before the defender came to it
	Join      Type = "join"
	Leave     Type = "leave"
)

// Event is something that happens to a ladder.
type Event struct {
	At     int64    `json:"at"` // in seconds; events come in ascending order
	Type   Type     `json:"type"`
	ID     string   `json:"id,omitempty"` // of the challenge
	From   string   `json:"from,omitempty"`
	To     string   `json:"to,omitempty"`
	Score  *float64 `json:"score,omitempty"` // of the challenger: 1, 0.5 or 0
	Player string   `json:"player,omitempty"`

	// Made marks a challenge that was permitted when it was made: it stays valid wherever a corrected result has put
	// the two.
	Made bool     `json:"made,omitempty"`
	Was  *float64 `json:"was,omitempty"` // the challenger's score before it was corrected
}

// End is the way a challenge ended.
type End string

// The ends of challenges.
const (
	Won       End = "won"
	Lost      End = "lost"
	Drawn     End = "drawn"
	Declined  End = "declined"
	NoAnswer  End = "no_answer"
	NotPlayed End = "not_played"
	Left      End = "left"
)

// Refusal is the reason for refusing an event.
type Refusal string

// The refusals, in the order of their checks.
const (
	Unknown Refusal = "unknown" // not on the ladder, or oneself; or on it already
	Below   Refusal = "below"   // the other is below
	Reach   Refusal = "reach"   // too far above
	Busy    Refusal = "busy"    // either has an open challenge
	Locked  Refusal = "locked"  // the last challenge was not played in time
	Again   Refusal = "again"   // the two had a challenge shortly before
	Closed  Refusal = "closed"  // the challenge is not open, or not in the right state
)

// Entry is a line of the log: the end of a challenge or a refusal. From and To are the challenger's places before and
// after the end, so that each move on the ladder can be explained.
type Entry struct {
	At      int64    `json:"at"`
	Event   int      `json:"event"` // index of the event that led to it; -1 for a deadline
	Refused Refusal  `json:"refused,omitempty"`
	ID      string   `json:"id,omitempty"` // of the challenge that ended
	End     End      `json:"end,omitempty"`
	Was     End      `json:"was,omitempty"` // before the result was corrected
	From    int      `json:"from,omitempty"`
	To      int      `json:"to,omitempty"`
	Order   []string `json:"order,omitempty"` // all after the end; a player that leaves is still among them
}

// Open is a challenge without an end.
type Open struct {
	ID       string `json:"id"`
	From     string `json:"from"`
	To       string `json:"to"`
	Accepted bool   `json:"accepted"`
	Deadline int64  `json:"deadline"` // in seconds: of the answer, or once accepted of the game
}

// State is the state of a ladder after some events. [New] creates it.
type State struct {
	rules  Rules
	now    int64
	order  []string
	open   []Open
	used   map[string]bool     // ids of challenges
	ended  map[[2]string]int64 // end of the last challenge of two players
	locked map[string]int64    // end of the time without challenges
	log    []Entry
	event  int // index of the present event, -1 for none
}

// Order returns the players from the top.
func (s *State) Order() []string { return slices.Clone(s.order) }

// Open returns the challenges without an end, by id.
func (s *State) Open() []Open {
	return slices.SortedFunc(slices.Values(s.open), func(a, b Open) int { return cmp.Compare(a.ID, b.ID) })
}

// Locked returns the time, in seconds, before which a player may not challenge; 0 for none.
func (s *State) Locked(player string) int64 { return s.locked[player] }

// Log returns what ended and what was refused, in order.
func (s *State) Log() []Entry { return s.log }

// Until settles all deadlines up to a time, included.
func (s *State) Until(at int64) {
	s.event = -1
	for {
		next := -1
		for i, c := range s.open {
			if c.Deadline <= at && (next < 0 || c.before(s.open[next])) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		c := s.open[next]
		end := NoAnswer
		if c.Accepted {
			end = NotPlayed
			s.locked[c.From] = c.Deadline + int64(s.rules.Play)*Day
		}
		s.close(next, c.Deadline, end)
	}
}

// before reports whether a challenge is settled before another.
func (c Open) before(o Open) bool {
	return cmp.Or(cmp.Compare(c.Deadline, o.Deadline), cmp.Compare(c.ID, o.ID)) < 0
}

// close ends a challenge.
func (s *State) close(i int, at int64, end End) {
	c := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	s.ended[pairOf(c.From, c.To)] = at
	from, to := slices.Index(s.order, c.From), slices.Index(s.order, c.To)
	entry := Entry{At: at, Event: s.event, ID: c.ID, End: end, From: from + 1, To: from + 1}
	if (end == Won || end == Declined || end == NoAnswer) && to < from {
		s.order = slices.Insert(slices.Delete(s.order, from, from+1), to, c.From)
		entry.To = to + 1
	}
	entry.Order = slices.Clone(s.order)
	s.log = append(s.log, entry)
}

// pairOf returns two players in an order of their own.
func pairOf(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }
