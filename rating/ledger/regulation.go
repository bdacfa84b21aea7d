package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"quatuor/rating"
)

// ErrRegulation means that what is stored follows a regulation other than this ledger's. Nothing was written.
var ErrRegulation = errors.New("ratings follow other rules")

// Regulation says how each list is rated. It never changes while a ledger runs.
type Regulation interface {
	// Rules returns the rules of a list.
	Rules(list string) Rules
}

// Rules say how one list is rated.
type Rules struct {
	System rating.System
	Duels  bool // only games of two players are rated
	Limit  PairLimit
	Text   string // the rules in words; equal words stand for equal rules
}

// PairLimit limits how often two players can be rated against each other: further games of a period do not count.
type PairLimit struct {
	Games  int // 0 for no limit
	Period rating.Length
}

// Uniform is a regulation by which all lists are rated by one system.
type Uniform struct{ System rating.System }

// Rules returns the rules of any list.
func (u Uniform) Rules(string) Rules { return Rules{System: u.System, Text: u.System.Name()} }

// RatedGame is a finished game with its result as it is now, and what it did, by seat.
type RatedGame struct {
	Finished
	Rows []Row
}

// afterAll is greater than the place of every game in the outbox.
const afterAll = 1<<63 - 1

// Preview returns what a game would do that finished now, by seat; nothing if it would not count. It is rated as the
// ledger would rate it, whatever its Seq and GameID.
func Preview(ctx context.Context, r Reader, by Regulation, f Finished) ([]Row, error) {
	b := newBook(by)
	b.meetings.load = func(list string, players [2]string, from, until int64) (int, error) {
		return r.Meetings(ctx, list, players, from, until, afterAll)
	}
	current, err := r.Current(ctx, f.List, f.Players)
	if err != nil {
		return nil, err
	}
	for player, now := range current {
		b.ratings[place{f.List, player}] = now
	}
	if f.rated() == nil {
		return nil, nil
	}
	return b.rate(f)
}

// opponents is two players of different sides in one period of a list, the smaller id first.
type opponents struct {
	list, first, second string
	period              int
}

// meetings counts rated games between opponents. Where load is set, it says what to begin with.
type meetings struct {
	counts map[opponents]int
	load   func(list string, players [2]string, from, until int64) (int, error)
}

// count reports whether a game is within the limit of its list, for each pair of opponents, and counts it if so.
func (m *meetings) count(f Finished, rated []int, limit PairLimit) (bool, error) {
	if limit.Games == 0 {
		return true, nil
	}
	if m.counts == nil {
		m.counts = map[opponents]int{}
	}
	period := cmp.Or(limit.Period, rating.Month)
	number := period.Number(time.UnixMilli(f.FinishedAt))
	var pairs []opponents
	for k, i := range rated {
		for _, j := range rated[k+1:] {
			if f.sideOf(i) != f.sideOf(j) {
				a, b := f.Players[i], f.Players[j]
				pairs = append(pairs, opponents{f.List, min(a, b), max(a, b), number})
			}
		}
	}
	for _, p := range pairs {
		if _, known := m.counts[p]; !known && m.load != nil {
			from, until := period.Bounds(number)
			n, err := m.load(f.List, [2]string{p.first, p.second}, from.UnixMilli(), until.UnixMilli())
			if err != nil {
				return false, fmt.Errorf("games between %s and %s: %w", p.first, p.second, err)
			}
			m.counts[p] = n
		}
		if m.counts[p] >= limit.Games {
			return false, nil
		}
	}
	for _, p := range pairs {
		m.counts[p]++
	}
	return true, nil
}

// loading is the meetings of a store before a game, for games that are rated from that one on.
func loading(ctx context.Context, store Store, start int64) meetings {
	return meetings{load: func(list string, players [2]string, from, until int64) (int, error) {
		return store.Meetings(ctx, list, players, from, until, start)
	}}
}
