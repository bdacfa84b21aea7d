package ladder

import (
	"fmt"
	"slices"

	"quatuor/tournament"
)

// maxDays bounds the rules, so that no deadline overflows.
const maxDays = 1_000_000

// Bounds of a ladder: its log has the order of all players for each end.
const (
	maxPlayers = 1_000
	maxEvents  = 20_000
)

// maxTime bounds times, in seconds either way.
const maxTime = 1 << 60

// New returns a ladder with these players from the top.
func New(order []string, rules Rules) (*State, error) {
	for _, rule := range []struct {
		name  string
		value int
	}{{"reach", rules.Reach}, {"accept", rules.Accept}, {"play", rules.Play}, {"again", rules.Again}} {
		if rule.value < 0 || rule.value > maxDays {
			return nil, tournament.Fault(rule.name, "from 0 to %d, not %d", maxDays, rule.value)
		}
	}
	if len(order) > maxPlayers {
		return nil, tournament.Fault("order", "at most %d players fit on a ladder", maxPlayers)
	}
	seen := map[string]bool{}
	for i, player := range order {
		if player == "" || seen[player] {
			return nil, tournament.Fault(fmt.Sprintf("order[%d]", i), "%q is no name, or comes twice", player)
		}
		seen[player] = true
	}
	return &State{
		rules: rules, now: -maxTime, order: slices.Clone(order), event: -1,
		used: map[string]bool{}, ended: map[[2]string]int64{}, locked: map[string]int64{},
	}, nil
}

// Run folds events into the state; an error names the event that cannot be read.
func (s *State) Run(events []Event) error {
	if len(events) > maxEvents {
		return tournament.Fault("events", "there are %d, and at most %d can be computed", len(events), maxEvents)
	}
	for i, e := range events {
		if err := s.check(e, fmt.Sprintf("events[%d]", i)); err != nil {
			return err
		}
		s.apply(i, e)
	}
	return nil
}

// check refuses events that are no events: unlike a refusal of the rules they have no place in a log.
func (s *State) check(e Event, place string) error {
	if e.At < s.now || e.At > maxTime {
		return tournament.Fault(place+".at", "times ascend, up to %d; %d cannot follow %d", maxTime, e.At, s.now)
	}
	switch e.Type {
	case Challenge:
		if e.ID == "" || s.used[e.ID] {
			return tournament.Fault(place+".id", "each challenge has an id of its own, unlike %q", e.ID)
		}
	case Result:
		if e.Score == nil || *e.Score != 0 && *e.Score != 0.5 && *e.Score != 1 {
			return tournament.Fault(place+".score", "the challenger's score is 1, 0.5 or 0")
		}
	case Join:
		if e.Player == "" {
			return tournament.Fault(place+".player", "the player has no name")
		}
		if len(s.order) == maxPlayers {
			return tournament.Fault(place+".player", "at most %d players fit on a ladder", maxPlayers)
		}
	case Accept, Decline, NoClock, Leave:
	default:
		return tournament.Fault(place+".type", "there is no event of type %q", e.Type)
	}
	return nil
}

// apply carries out an event, after the deadlines that have come.
func (s *State) apply(index int, e Event) {
	s.Until(e.At)
	s.now, s.event = e.At, index
	var refused Refusal
	switch e.Type {
	case Challenge:
		refused = s.challenge(e)
	case Join:
		refused = s.join(e.Player)
	case Leave:
		refused = s.leave(e.At, e.Player)
	default:
		refused = s.answer(e)
	}
	if refused != "" {
		s.log = append(s.log, Entry{At: e.At, Event: index, Refused: refused})
	}
}

// challenge opens a challenge.
func (s *State) challenge(e Event) Refusal {
	s.used[e.ID] = true
	refused := s.MayChallenge(e.At, e.From, e.To)
	if e.Made && refused != Unknown && s.busy(e.From) < 0 && s.busy(e.To) < 0 {
		refused = ""
	}
	if refused != "" {
		return refused
	}
	s.open = append(s.open, Open{ID: e.ID, From: e.From, To: e.To, Deadline: e.At + int64(s.rules.Accept)*Day})
	return ""
}

// MayChallenge returns why a player may not challenge another at a time, or "". Deadlines up to that time must have
// been settled.
func (s *State) MayChallenge(at int64, challenger, other string) Refusal {
	from, to := slices.Index(s.order, challenger), slices.Index(s.order, other)
	ended, before := s.ended[pairOf(challenger, other)]
	until, locked := s.locked[challenger]
	switch {
	case from < 0 || to < 0 || from == to:
		return Unknown
	case to > from:
		return Below
	case from-to > s.rules.Reach:
		return Reach
	case s.busy(challenger) >= 0 || s.busy(other) >= 0:
		return Busy
	case locked && at < until:
		return Locked
	case before && at < ended+int64(s.rules.Again)*Day:
		return Again
	}
	return ""
}

// ends are the ends by the challenger's score.
var ends = map[float64]End{1: Won, 0.5: Drawn, 0: Lost}

// busy returns the index of a player's open challenge, or -1.
func (s *State) busy(player string) int {
	return slices.IndexFunc(s.open, func(c Open) bool { return c.From == player || c.To == player })
}

func (s *State) join(player string) Refusal {
	if slices.Contains(s.order, player) {
		return Unknown
	}
	s.order = append(s.order, player)
	return ""
}

func (s *State) leave(at int64, player string) Refusal {
	place := slices.Index(s.order, player)
	if place < 0 {
		return Unknown
	}
	if i := s.busy(player); i >= 0 {
		s.close(i, at, Left)
	}
	s.order = slices.Delete(s.order, place, place+1)
	return ""
}

// answer applies an event to an open challenge.
func (s *State) answer(e Event) Refusal {
	i := slices.IndexFunc(s.open, func(c Open) bool { return c.ID == e.ID })
	played := e.Type == Result || e.Type == NoClock
	if i < 0 || s.open[i].Accepted != played {
		return Closed
	}
	switch e.Type {
	case Accept:
		s.open[i].Accepted, s.open[i].Deadline = true, e.At+int64(s.rules.Play)*Day
	case Decline, NoClock:
		s.close(i, e.At, Declined)
	case Result:
		s.close(i, e.At, ends[*e.Score])
		if e.Was != nil {
			s.log[len(s.log)-1].Was = ends[*e.Was]
		}
	}
	return ""
}
