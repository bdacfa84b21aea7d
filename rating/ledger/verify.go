package ledger

import "context"

// shownDifferences is the maximum number of differences of each kind that a report lists; it counts them all.
const shownDifferences = 10

// Report is the result of a verification or recomputation.
type Report struct {
	Games    int // finished games read
	Rated    int // games among them that count
	Rows     int // expected rows
	Stored   int // stored rows
	Wrong    int // rows that are missing, unexpected, or differ in any bit
	Standing int // current ratings that do not follow from the rows
	Sums     int // sums of lists that do not

	First          []Difference[Row]      // the first rows that are wrong, by Seq, then Seat
	FirstStandings []Difference[Standing] // the first current ratings that are wrong, by list, then player
	FirstSums      []Difference[Sum]      // the first sums of lists that are wrong, by list
}

// Difference is a wrong row, current rating or sum of a list; nil means none.
type Difference[T any] struct{ Want, Got *T }

// OK reports whether no difference was found.
func (r Report) OK() bool { return r.Wrong == 0 && r.Standing == 0 && r.Sums == 0 }

// Verify recomputes everything from the games and compares it with the stored ratings, in a snapshot of the database
// and read-only. It holds a page of games and rows, and the state of each player, in memory.
func (l *Ledger) Verify(ctx context.Context) (Report, error) { return l.verify(ctx, "") }

func (l *Ledger) verify(ctx context.Context, list string) (report Report, err error) {
	err = l.store.Look(ctx, func(past Past) error {
		report, err = l.walk(past, nil, list).run(ctx)
		return err
	})
	return report, err
}

// Recompute rates the whole history again and corrects the stored ratings, in a transaction. It takes as little memory
// as Verify and writes only the differences, which the report lists.
func (l *Ledger) Recompute(ctx context.Context) (Report, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recompute(ctx)
}

func (l *Ledger) recompute(ctx context.Context) (report Report, err error) {
	err = l.store.Renew(ctx, func(draft Draft) error {
		report, err = l.walk(draft, draft, "").run(ctx)
		return err
	})
	return report, err
}

// Repair verifies a list, and recomputes all lists if it has differences, which the report lists.
func (l *Ledger) Repair(ctx context.Context, list string) (Report, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	report, err := l.verify(ctx, list)
	if err == nil && !report.OK() {
		_, err = l.recompute(ctx)
	}
	return report, err
}

// note adds a difference to the first of its kind.
func note[T any](first []Difference[T], want, got *T) []Difference[T] {
	if len(first) < shownDifferences {
		return append(first, Difference[T]{copied(want), copied(got)})
	}
	return first
}

// copied returns a pointer to a copy; nil stays nil.
func copied[T any](of *T) *T {
	if of == nil {
		return nil
	}
	value := *of
	return &value
}
