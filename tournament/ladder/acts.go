package ladder

import (
	"cmp"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Errors of stored ladders.
var (
	ErrNotFound = sentence.Errorf("there is no such ladder or challenge")
	ErrRefused  = sentence.Errorf("the rules of the ladder do not permit it")
	ErrPlayed   = sentence.Errorf(
		"somebody has been challenged on the ladder, so that it stays: its record belongs to archives and seasons")
	ErrStale = sentence.Errorf("something else has happened on the ladder meanwhile; try again")
)

// Settings are a stored ladder. Only its name may change, because its history depends on the rest; places are not
// stored, but computed from the acts.
type Settings struct {
	ID          string
	Name        string
	Organiser   string // account id
	Variant     string
	TimeControl string
	Hall        bool // games are played on boards, and players report the results
	Rated       bool // the games on the server
	Rules       Rules
	CreatedAt   int64 // ms UTC
	Version     int64
}

// maxNameRunes is the maximum length of a ladder's name, in characters.
const maxNameRunes = 200

// CheckName returns a name in normal form.
func CheckName(name string) (string, error) { return tournament.CheckName(name, maxNameRunes) }

// Bounds of the rules of a ladder that is stored.
const (
	maxReach    = 100
	maxDeadline = 365 // days
)

// Check refuses settings that make no ladder, and brings the name into normal form.
func (s *Settings) Check() (err error) {
	for _, rule := range []struct {
		name            string
		value, from, to int
	}{
		{"reach", s.Rules.Reach, 1, maxReach},
		{"accept", s.Rules.Accept, 0, maxDeadline},
		{"play", s.Rules.Play, 0, maxDeadline},
		{"again", s.Rules.Again, 0, maxDeadline},
	} {
		if rule.value < rule.from || rule.value > rule.to {
			return tournament.Fault(rule.name, "%d is not possible; write a number from %d to %d", rule.value, rule.from, rule.to)
		}
	}
	s.Name, err = CheckName(s.Name)
	return err
}

// Kind is a kind of act.
type Kind string

// The kinds of acts.
const (
	ActJoin      Kind = "join"
	ActLeave     Kind = "leave"
	ActChallenge Kind = "challenge" // Player challenges Other
	ActAccept    Kind = "accept"
	ActDecline   Kind = "decline"
	ActGame      Kind = "game"    // a game on the server was opened for the challenge
	ActReport    Kind = "report"  // Player reports the result
	ActResult    Kind = "result"  // the arbiter enters or corrects the result
	ActHoliday   Kind = "holiday" // Player is away until Until; 0 for back
)

// Act is an entry in the log of a ladder. Acts are only ever added.
type Act struct {
	N         int
	At        int64 // ms UTC; never before the act before it
	Kind      Kind
	Challenge string
	Player    string
	Other     string
	Score     float64 // of the challenger: 1, 0.5 or 0
	Game      string
	Until     int64  // ms UTC
	By        string // account id; "" for a deleted person's leaving
}

// Edition identifies a stored state of a ladder: an id may be used again after a deletion.
type Edition struct {
	Version, CreatedAt int64
	Acts               int // number of the last act
}

// EditionOf returns the edition of a ladder with its acts.
func EditionOf(s Settings, acts []Act) Edition {
	e := Edition{Version: s.Version, CreatedAt: s.CreatedAt}
	if len(acts) > 0 {
		e.Acts = acts[len(acts)-1].N
	}
	return e
}

// Bounds of a ladder's log: its state is computed from all of it.
const (
	maxActs  = maxEvents - maxPlayers // all may still leave
	actsADay = 500                    // of an account that does not run the ladder
	oneDay   = Day * 1000
)

// Room returns an error if the log of a ladder is full, or if an account has reached its daily limit; by is "" for an
// account that runs the ladder.
func Room(acts []Act, by string, now int64) error {
	if len(acts) >= maxActs {
		return tournament.Refuse(ErrRefused, "the log of the ladder is full; begin a new one")
	}
	today := 0
	for _, act := range slices.Backward(acts) {
		if act.At <= now-oneDay || today == actsADay {
			break
		}
		if act.By == by {
			today++
		}
	}
	if by != "" && today == actsADay {
		return tournament.Refuse(ErrRefused, "you have done very much on this ladder today; go on tomorrow")
	}
	return nil
}

// Game is a game on the server, with its end.
type Game struct {
	ID      string
	Over    bool
	At      int64   // end, ms UTC
	Score   float64 // of the challenger
	Counts  bool    // it has a result
	NoClock bool    // it has never begun, because the defender alone did not come
}

// Events returns the events up to a time, in ms, of acts that pass [Audit], and of the games that have ended by then. A
// result comes from the arbiter, from both players, or from a game; a later result by the arbiter corrects it.
func Events(acts []Act, games map[string]Game, rules Rules, until int64) []Event {
	f := folding{games: games, rules: rules, challenges: map[string]*challenge{}}
	for _, act := range acts {
		f.act(act)
	}
	f.unplayed()
	slices.SortStableFunc(f.events, func(a, b *timed) int { return cmp.Compare(a.at, b.at) })
	var out []Event
	for _, e := range f.events {
		if e.at <= until {
			e.event.At = e.at / 1000
			out = append(out, e.event)
		}
	}
	return out
}

// folding turns acts into events.
type folding struct {
	games      map[string]Game
	rules      Rules
	challenges map[string]*challenge
	order      []string
	events     []*timed
}

type timed struct {
	at    int64 // ms
	event Event
}

// challenge is the state of a challenge while acts are read.
type challenge struct {
	accepted int64 // ms; 0 before
	result   *timed
	reports  map[string]float64
	noClock  bool // the last game never began, for the defender alone
}

func (f *folding) add(at int64, e Event) *timed {
	f.events = append(f.events, &timed{at, e})
	return f.events[len(f.events)-1]
}

func (f *folding) act(a Act) {
	c := f.challenges[a.Challenge]
	switch a.Kind {
	case ActJoin, ActLeave:
		f.add(a.At, Event{Type: Type(a.Kind), Player: a.Player})
	case ActChallenge:
		f.challenges[a.Challenge] = &challenge{reports: map[string]float64{}}
		f.order = append(f.order, a.Challenge)
		f.add(a.At, Event{Type: Challenge, ID: a.Challenge, From: a.Player, To: a.Other, Made: true})
	case ActAccept:
		c.accepted = a.At
		f.add(a.At, Event{Type: Accept, ID: a.Challenge})
	case ActDecline:
		f.add(a.At, Event{Type: Decline, ID: a.Challenge})
	case ActGame:
		g := f.games[a.Game]
		c.noClock = g.NoClock
		if g.Counts {
			f.score(c, g.At, a.Challenge, g.Score)
		}
	case ActReport:
		c.reports[a.Player] = a.Score
		if len(c.reports) == 2 && c.agreed() {
			f.score(c, a.At, a.Challenge, a.Score)
		}
	case ActResult:
		f.correct(c, a)
	}
}

func (c *challenge) agreed() bool {
	var scores []float64
	for _, score := range c.reports {
		scores = append(scores, score)
	}
	return scores[0] == scores[1]
}

// score notes the first result of a challenge.
func (f *folding) score(c *challenge, at int64, id string, score float64) {
	if c.result == nil {
		c.result = f.add(at, Event{Type: Result, ID: id, Score: &score})
	}
}

// correct enters the arbiter's result in place of any earlier result. The end of a game that still goes on then changes
// nothing.
func (f *folding) correct(c *challenge, a Act) {
	f.score(c, a.At, a.Challenge, a.Score)
	e := &c.result.event
	switch {
	case c.result.at > a.At:
		c.result.at = a.At
	case e.Was == nil && *e.Score != a.Score:
		e.Was = e.Score
	}
	e.Score = &a.Score
}

// unplayed ends challenges with a last game that never began because the defender did not come: in the last second
// before the time for the game is over.
func (f *folding) unplayed() {
	for _, id := range f.order {
		if c := f.challenges[id]; c.result == nil && c.noClock && f.rules.Play > 0 {
			f.add((c.accepted/1000+int64(f.rules.Play)*Day-1)*1000, Event{Type: NoClock, ID: id})
		}
	}
}

// Bounds of holidays, in ms.
const (
	MaxHoliday = 28 * Day * 1000
	holidayGap = 7 * Day * 1000 // minimum gap between holidays; a sooner start continues the last holiday
)

// HolidaySince returns the start, in ms, of a holiday that a player takes at a time: that time, or earlier if it
// continues another holiday.
func HolidaySince(acts []Act, player string, now int64) int64 {
	since, ends := now, int64(-holidayGap)
	for _, act := range append(slices.Clone(acts), Act{Kind: ActHoliday, Player: player, At: now}) {
		if act.Kind != ActHoliday || act.Player != player {
			continue
		}
		if act.At >= ends+holidayGap {
			since = act.At
		}
		ends = min(ends, act.At)
		if act.Until > act.At {
			ends = act.Until
		}
	}
	return since
}

// Away returns the ends, in ms, of the holidays that players are on at a time.
func Away(acts []Act, now int64) map[string]int64 {
	away := map[string]int64{}
	for _, act := range acts {
		if act.Kind == ActHoliday {
			away[act.Player] = act.Until
		}
	}
	for player, until := range away {
		if until <= now {
			delete(away, player)
		}
	}
	return away
}
