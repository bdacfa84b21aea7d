package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"quatuor/rating"
)

// PairLimit limits how often two players can be rated against each other: further games of a period do not count.
type PairLimit struct {
	Games  int
	Period rating.Length
	Casual bool // it is for games outside tournaments alone, and counts no others
}

// Meeting is a rated game between two players.
type Meeting struct {
	At     int64 // when it finished, milliseconds since 1970, UTC
	Casual bool  // outside tournaments
}

// Omission is the reason why a game that the players agreed to rate is not rated. The zero value means it is rated.
type Omission struct {
	// casual games that end by resignation or agreement count from Few moves of each seat on; 0 if that is not why
	Few   int
	Limit *PairLimit // the limit that two of the players had reached; nil if that is not why
}

// OmittedGame is a finished game that is not rated, and why.
type OmittedGame struct {
	Finished
	Omission
}

// OmittedOf returns games of a player that the rules of a list do not let count, the latest first, of the latest limit
// games without a change.
func OmittedOf(
	ctx context.Context, r Reader, by Regulation, list, playerID string, limit int,
) (omitted []OmittedGame, err error) {
	games, err := r.Uncounted(ctx, list, playerID, limit)
	if err != nil {
		return nil, err
	}
	for _, f := range games {
		why, err := Omitted(ctx, r, by, f)
		if err != nil {
			return nil, err
		}
		if why != (Omission{}) {
			omitted = append(omitted, OmittedGame{f, why})
		}
	}
	return omitted, nil
}

// Omitted returns why a finished game is not rated, as its list is rated now.
func Omitted(ctx context.Context, r Reader, by Regulation, f Finished) (Omission, error) {
	rules, rated := by.Rules(f.List), f.rated()
	if rated == nil || rules.Duels && len(rated) != 2 {
		return Omission{}, nil
	}
	m := loading(ctx, r, f.Seq)
	return m.admit(f, rated, rules)
}

// early reports whether a casual game ended by resignation or agreement before each seat had made a number of moves.
// Seats without a move are left out of the game anyway.
func (f Finished) early(moves int) bool {
	return !f.Tournament && (f.Reason == "resignation" || f.Reason == "agreement") && f.Fewest != NotCounted &&
		f.Fewest < moves
}

// limited reports whether a limit is for a game. Those of casual games are not for games that ended before the limits
// existed, so that a recomputation returns the same rows for them.
func (f Finished) limited(by PairLimit) bool {
	return !by.Casual || !f.Tournament && f.Fewest != NotCounted
}

// opponents is two players of different sides in a list, the smaller id first.
type opponents struct{ list, first, second string }

// meetings are the rated games of opponents by day, loaded on demand.
type meetings struct {
	known map[opponents]*history
	// load returns the games that are stored; nil where all are counted from the first on.
	load func(list string, players [2]string, from, until int64) ([]Meeting, error)
}

// history is the rated games of two opponents: those that are stored, of a span, and those that were rated since.
type history struct {
	from, until   int64
	stored, added []meetingDay
}

// meetingDay counts games of a day, which all periods consist of.
type meetingDay struct {
	day           int32
	games, casual uint16
}

func addMeeting(days []meetingDay, m Meeting) []meetingDay {
	day := int32(rating.Day.Number(time.UnixMilli(m.At)))
	i, found := slices.BinarySearchFunc(days, day, func(d meetingDay, day int32) int { return cmp.Compare(d.day, day) })
	if !found {
		days = slices.Insert(days, i, meetingDay{day: day})
	}
	days[i].games++
	if m.Casual {
		days[i].casual++
	}
	return days
}

// within returns the number of games that a limit counts in the period of a moment.
func (h *history) within(by PairLimit, from, until time.Time) (n int) {
	first, end := int32(rating.Day.Number(from)), int32(rating.Day.Number(until))
	for _, days := range [][]meetingDay{h.stored, h.added} {
		i, _ := slices.BinarySearchFunc(days, first, func(d meetingDay, day int32) int { return cmp.Compare(d.day, day) })
		for ; i < len(days) && days[i].day < end; i++ {
			if by.Casual {
				n += int(days[i].casual)
			} else {
				n += int(days[i].games)
			}
		}
	}
	return n
}

// admit returns why the rules of a list do not let a game count, the zero value if they do; then it is counted.
func (m *meetings) admit(f Finished, rated []int, rules Rules) (Omission, error) {
	if f.early(rules.MinMoves) {
		return Omission{Few: rules.MinMoves}, nil
	}
	if len(rules.Limits) == 0 {
		return Omission{}, nil
	}
	pairs := f.opponents(rated)
	histories := make([]*history, len(pairs))
	at := time.UnixMilli(f.FinishedAt)
	for i, p := range pairs {
		h, err := m.history(p, at, rules.Limits)
		if err != nil {
			return Omission{}, fmt.Errorf("games between %s and %s: %w", p.first, p.second, err)
		}
		histories[i] = h
		for k := range rules.Limits {
			by := &rules.Limits[k]
			if from, until := by.bounds(at); f.limited(*by) && h.within(*by, from, until) >= by.Games {
				return Omission{Limit: by}, nil
			}
		}
	}
	for _, h := range histories {
		h.added = addMeeting(h.added, Meeting{At: f.FinishedAt, Casual: !f.Tournament})
	}
	return Omission{}, nil
}

// bounds returns the period of a moment.
func (l PairLimit) bounds(at time.Time) (from, until time.Time) {
	period := cmp.Or(l.Period, rating.Month)
	return period.Bounds(period.Number(at))
}

// opponents returns the pairs of players on different sides.
func (f Finished) opponents(rated []int) (pairs []opponents) {
	for k, i := range rated {
		for _, j := range rated[k+1:] {
			if f.sideOf(i) != f.sideOf(j) {
				a, b := f.Players[i], f.Players[j]
				pairs = append(pairs, opponents{f.List, min(a, b), max(a, b)})
			}
		}
	}
	return pairs
}

// history returns the games of two opponents in all periods that limits have at a moment.
func (m *meetings) history(p opponents, at time.Time, limits []PairLimit) (*history, error) {
	if m.known == nil {
		m.known = map[opponents]*history{}
	}
	h := m.known[p]
	if h == nil {
		h = &history{}
		m.known[p] = h
	}
	if m.load == nil {
		return h, nil
	}
	first, end := at.UnixMilli(), at.UnixMilli()
	for _, l := range limits {
		from, until := l.bounds(at)
		first, end = min(first, from.UnixMilli()), max(end, until.UnixMilli())
	}
	if h.from <= first && end <= h.until {
		return h, nil
	}
	if h.until > 0 {
		first, end = min(first, h.from), max(end, h.until)
	}
	met, err := m.load(p.list, [2]string{p.first, p.second}, first, end)
	if err != nil {
		return nil, err
	}
	h.from = first
	h.until = end
	h.stored = nil
	for _, one := range met {
		h.stored = addMeeting(h.stored, one)
	}
	return h, nil
}

// loading is the meetings that are stored before a place in the outbox, for games that are rated from there on.
func loading(ctx context.Context, store interface {
	Meetings(ctx context.Context, list string, players [2]string, from, until, before int64) ([]Meeting, error)
}, start int64,
) meetings {
	return meetings{load: func(list string, players [2]string, from, until int64) ([]Meeting, error) {
		return store.Meetings(ctx, list, players, from, until, start)
	}}
}
