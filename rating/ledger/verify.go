package ledger

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"quatuor/rating"
)

// shownDifferences is the maximum number of differences that a report lists; it counts them all.
const shownDifferences = 10

// Report is the result of a verification.
type Report struct {
	Games    int          // finished games read
	Rated    int          // games among them that count
	Rows     int          // expected rows
	Stored   int          // stored rows
	Wrong    int          // rows that are missing, unexpected, or differ in any bit
	Standing int          // current ratings that do not follow from the rows
	First    []Difference // the first rows that are wrong, by Seq, then Seat
}

// Difference is one wrong row; nil stands for no row.
type Difference struct{ Want, Got *Row }

// OK reports whether no difference was found.
func (r Report) OK() bool { return r.Wrong == 0 && r.Standing == 0 }

// Verify recomputes everything from the games and compares it with what is stored, without changes. It returns
// ErrBehind if another ledger rated games during each of several attempts.
func (l *Ledger) Verify(ctx context.Context) (Report, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const attempts = 3
	for range attempts {
		report, still, err := l.verifyOnce(ctx, "")
		if err != nil || still {
			return report, err
		}
	}
	return Report{}, fmt.Errorf("%w during each of %d verifications", ErrBehind, attempts)
}

// Repair verifies one list, and recomputes all lists if it has differences, which the report lists. Rows of games that
// another process rates meanwhile may be counted as wrong.
func (l *Ledger) Repair(ctx context.Context, list string) (Report, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	report, _, err := l.verifyOnce(ctx, list)
	if err == nil && !report.OK() {
		_, err = l.recompute(ctx)
	}
	return report, err
}

// verifyOnce returns the report on a list, "" for all, and whether the cursor did not move meanwhile.
func (l *Ledger) verifyOnce(ctx context.Context, list string) (Report, bool, error) {
	h, err := l.history(ctx)
	if err != nil {
		return Report{}, false, err
	}
	if list != "" {
		h.keep(list)
	}
	report := Report{Games: h.games, Rated: h.rated, Rows: len(h.rows)}
	if err := report.compareRows(ctx, listed{l.store, list}, h.rows); err != nil {
		return Report{}, false, err
	}
	if err := report.compareStanding(ctx, l.store, h.book); err != nil {
		return Report{}, false, err
	}
	cursor, _, err := l.store.Pending(ctx, 1)
	return report, cursor == h.cursor, err
}

// keep removes all lists but one.
func (h *history) keep(list string) {
	h.rows = slices.DeleteFunc(h.rows, func(r Row) bool { return r.List != list })
	maps.DeleteFunc(h.book.ratings, func(p place, _ rating.Rating) bool { return p.list != list })
}

// listed is a store filtered by one list, "" for all.
type listed struct {
	Store
	list string
}

// Rows yields the rows of the list.
func (s listed) Rows(ctx context.Context, yield func(Row) error) error {
	return s.Store.Rows(ctx, func(r Row) error {
		if s.list != "" && r.List != s.list {
			return nil
		}
		return yield(r)
	})
}

// compareRows compares two sorted sequences of rows.
func (r *Report) compareRows(ctx context.Context, store Store, want []Row) error {
	next := 0
	missing := func(before Row) {
		for next < len(want) && order(want[next], before) < 0 {
			r.differ(&want[next], nil)
			next++
		}
	}
	err := store.Rows(ctx, func(got Row) error {
		r.Stored++
		missing(got)
		switch {
		case next == len(want) || order(want[next], got) > 0:
			r.differ(nil, &got)
		case want[next] != got:
			r.differ(&want[next], &got)
			next++
		default:
			next++
		}
		return nil
	})
	for ; next < len(want); next++ {
		r.differ(&want[next], nil)
	}
	return err
}

func (r *Report) differ(want, got *Row) {
	r.Wrong++
	if len(r.First) < shownDifferences {
		r.First = append(r.First, Difference{want, got})
	}
}

// order compares rows by the order of Store.Rows.
func order(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Seat, b.Seat))
}

// compareStanding compares the current ratings with those of the history.
func (r *Report) compareStanding(ctx context.Context, store Store, b *book) error {
	players := map[string][]string{}
	for p := range b.ratings {
		players[p.list] = append(players[p.list], p.player)
	}
	for list, names := range players {
		for len(names) > 0 {
			some := names[:min(batch, len(names))]
			names = names[len(some):]
			current, err := store.Current(ctx, list, some)
			if err != nil {
				return err
			}
			r.Standing += wrong(current, some, func(player string) rating.Rating { return b.ratings[place{list, player}] })
		}
	}
	return nil
}

// wrong returns the number of players whose current rating is missing or wrong.
func wrong(current map[string]rating.Rating, players []string, want func(player string) rating.Rating) (n int) {
	for _, player := range players {
		if got, found := current[player]; !found || got != want(player) {
			n++
		}
	}
	return n
}
