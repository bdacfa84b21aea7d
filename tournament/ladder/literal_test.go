package ladder

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// step is the distance of times in random ladders, in seconds.
const step = Day / 4

// drawEvents draws events at multiples of step, often the same time.
func drawEvents(t *rapid.T, players []string) (events []Event) {
	at := int64(0)
	var ids []string
	pick := func() string { return rapid.SampledFrom(players).Draw(t, "player") }
	for k := range rapid.IntRange(0, 40).Draw(t, "events") {
		at += step * int64(rapid.SampledFrom([]int{0, 0, 1, 1, 2, 4, 12, 30}).Draw(t, "pause"))
		e := Event{At: at, Type: rapid.SampledFrom([]Type{
			Challenge, Challenge, Challenge, Challenge, Accept, Accept, Accept, Decline, Result, Result, NoClock, Join, Leave,
		}).Draw(t, "type")}
		switch e.Type {
		case Challenge:
			e.ID = fmt.Sprintf("c%02d", (k*7)%41)
			e.From = pick()
			e.To = pick()
			ids = append(ids, e.ID)
		case Join, Leave:
			e.Player = pick()
		default:
			e.ID = "none"
			if len(ids) > 0 {
				e.ID = ids[max(0, len(ids)-1-rapid.IntRange(0, 3).Draw(t, "back"))]
			}
			if e.Type == Result {
				score := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "score")
				e.Score = &score
			}
		}
		events = append(events, e)
	}
	return events
}

// modelChallenge is the state of a challenge.
type modelChallenge struct {
	Event
	accepted int64 // -1: not yet
	ended    int64 // -1: not yet
	end      End
}

// model is a ladder that a clock goes through step by step.
type model struct {
	Rules
	place      map[string]int // from 1
	challenges []*modelChallenge
	log        []string
}

func (m *model) order() []string {
	out := make([]string, len(m.place))
	for player, place := range m.place {
		out[place-1] = player
	}
	return out
}

func (m *model) endChallenge(c *modelChallenge, at int64, end End) {
	c.ended, c.end = at, end
	up := end == Won || end == Declined || end == NoAnswer
	if from, to := m.place[c.From], m.place[c.To]; up && from > to {
		for player, place := range m.place {
			if place >= to && place < from {
				m.place[player]++
			}
		}
		m.place[c.From] = to
	}
	m.log = append(m.log, fmt.Sprint(at, c.ID, end, m.order()))
}

// tick settles the deadlines of a second, by id.
func (m *model) tick(at int64) {
	due := map[string]*modelChallenge{}
	var ids []string
	for _, c := range m.challenges {
		if c.ended >= 0 {
			continue
		}
		if c.accepted < 0 && at == c.At+int64(m.Accept)*Day || c.accepted >= 0 && at == c.accepted+int64(m.Play)*Day {
			due[c.ID] = c
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if due[id].accepted < 0 {
			m.endChallenge(due[id], at, NoAnswer)
		} else {
			m.endChallenge(due[id], at, NotPlayed)
		}
	}
}

func (m *model) refusal(e Event) Refusal {
	from, to := m.place[e.From], m.place[e.To]
	if from == 0 || to == 0 || e.From == e.To {
		return Unknown
	}
	if to > from {
		return Below
	}
	if to < from-m.Reach {
		return Reach
	}
	for _, c := range m.challenges {
		for _, player := range []string{e.From, e.To} {
			if c.ended < 0 && (c.From == player || c.To == player) {
				return Busy
			}
		}
	}
	for _, c := range m.challenges {
		if c.end == NotPlayed && c.From == e.From && e.At-c.ended < int64(m.Play)*Day {
			return Locked
		}
	}
	for _, c := range m.challenges {
		same := c.From == e.From && c.To == e.To || c.From == e.To && c.To == e.From
		if same && e.At-c.ended < int64(m.Again)*Day {
			return Again
		}
	}
	return ""
}

// event carries out an event, and reports why not.
func (m *model) event(e Event) Refusal {
	switch e.Type {
	case Challenge:
		refused := m.refusal(e)
		if refused == "" {
			m.challenges = append(m.challenges, &modelChallenge{Event: e, accepted: -1, ended: -1})
		}
		return refused
	case Join:
		if m.place[e.Player] > 0 {
			return Unknown
		}
		m.place[e.Player] = len(m.place) + 1
		return ""
	case Leave:
		if m.place[e.Player] == 0 {
			return Unknown
		}
		for _, c := range m.challenges {
			if c.ended < 0 && (c.From == e.Player || c.To == e.Player) {
				m.endChallenge(c, e.At, Left)
			}
		}
		for player, place := range m.place {
			if place > m.place[e.Player] {
				m.place[player]--
			}
		}
		delete(m.place, e.Player)
		return ""
	}
	for _, c := range m.challenges {
		if c.ID != e.ID || c.ended >= 0 {
			continue
		}
		switch {
		case c.accepted < 0 && e.Type == Accept:
			c.accepted = e.At
			return ""
		case c.accepted < 0 && e.Type == Decline, c.accepted >= 0 && e.Type == NoClock:
			m.endChallenge(c, e.At, Declined)
			return ""
		case c.accepted >= 0 && e.Type == Result:
			m.endChallenge(c, e.At, []End{Lost, Drawn, Won}[int(2**e.Score)])
			return ""
		}
	}
	return Closed
}

// run lets the clock go from the first event to a time, step by step.
func (m *model) run(events []Event, until int64) {
	for at := int64(0); at <= until; at += step {
		m.tick(at)
		for _, e := range events {
			if e.At == at {
				if refused := m.event(e); refused != "" {
					m.log = append(m.log, fmt.Sprint(at, refused))
				}
				m.tick(at) // what a deadline of 0 days makes due at once
			}
		}
	}
}

// TestAgainstClock compares random ladders with a ladder that a clock steps through.
func TestAgainstClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		players := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		rules := Rules{
			Reach: rapid.IntRange(1, 4).Draw(t, "reach"), Accept: rapid.IntRange(0, 3).Draw(t, "accept"),
			Play: rapid.IntRange(0, 4).Draw(t, "play"), Again: rapid.IntRange(0, 6).Draw(t, "again"),
		}
		start := players[:rapid.IntRange(0, 7).Draw(t, "players")]
		events := drawEvents(t, players)
		until := int64(rapid.IntRange(0, 12).Draw(t, "until")) * Day
		if len(events) > 0 {
			until += events[len(events)-1].At
		}
		s, err := New(start, rules)
		if err == nil {
			err = s.Run(events)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Until(until)
		m := &model{Rules: rules, place: map[string]int{}}
		for k, player := range start {
			m.place[player] = k + 1
		}
		m.run(events, until)
		var log []string
		for _, e := range s.Log() {
			if e.Refused != "" {
				log = append(log, fmt.Sprint(e.At, e.Refused))
			} else {
				log = append(log, fmt.Sprint(e.At, e.ID, e.End, e.Order))
			}
		}
		if !slices.Equal(log, m.log) || !reflect.DeepEqual(s.Order(), m.order()) {
			t.Fatalf("log\n%q\nwant\n%q\norder %v, want %v", log, m.log, s.Order(), m.order())
		}
	})
}
