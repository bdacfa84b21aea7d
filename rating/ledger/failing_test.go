package ledger

import (
	"context"
	"errors"
	"testing"

	"quatuor/rating"
	"quatuor/rating/elo"
)

// failing is a store with a failing method.
type failing struct {
	*memory
	method string
}

var errDisk = errors.New("disk")

func (f failing) err(method string) error {
	if f.method == method {
		return errDisk
	}
	return nil
}

func (f failing) Pending(ctx context.Context, limit int) (int64, []Finished, error) {
	cursor, games, _ := f.memory.Pending(ctx, limit)
	return cursor, games, f.err("Pending")
}

func (f failing) Current(ctx context.Context, list string, players []string) (map[string]rating.Rating, error) {
	current, _ := f.memory.Current(ctx, list, players)
	return current, f.err("Current")
}

func (f failing) Recorded(ctx context.Context, gameIDs []string) (map[string]bool, error) {
	recorded, _ := f.memory.Recorded(ctx, gameIDs)
	return recorded, f.err("Recorded")
}

func (f failing) Between(ctx context.Context, after, to int64, yield func(Finished) error) error {
	return errors.Join(f.memory.Between(ctx, after, to, yield), f.err("Between"))
}

func (f failing) Before(ctx context.Context, seq int64, list string, players []string) (
	map[string]rating.Rating, error,
) {
	before, _ := f.memory.Before(ctx, seq, list, players)
	return before, f.err("Before")
}

func (f failing) Look(ctx context.Context, read func(Past) error) error {
	return errors.Join(f.memory.Look(ctx, func(p Past) error { return read(failingPast{p.(*past), f}) }), f.err("Look"))
}

func (f failing) Renew(ctx context.Context, change func(Draft) error) error {
	if err := f.err("Renew"); err != nil {
		return err
	}
	return f.memory.Renew(ctx, func(d Draft) error { return change(failingPast{d.(*past), f}) })
}

// failingPast is a draft with a failing method.
type failingPast struct {
	*past
	failing
}

func (f failingPast) Given(context.Context, func(string, string, rating.Rating) error) error {
	return f.err("Given")
}

func (f failingPast) Games(ctx context.Context, after int64, space []Finished) ([]Finished, int64, error) {
	page, to, _ := f.past.Games(ctx, after, space)
	return page, to, f.err("Games")
}

func (f failingPast) Rows(ctx context.Context, after, to int64, space []Row) ([]Row, error) {
	page, _ := f.past.Rows(ctx, after, to, space)
	return page, f.err("Rows")
}

func (f failingPast) Standings(ctx context.Context, list, player string, space []Standing) ([]Standing, error) {
	page, _ := f.past.Standings(ctx, list, player, space)
	return page, f.err("Standings")
}

func (f failingPast) Sums(ctx context.Context) ([]Sum, error) {
	sums, _ := f.past.Sums(ctx)
	return sums, f.err("Sums")
}

func (f failingPast) SetRows(ctx context.Context, remove, add []Row) error {
	return errors.Join(f.past.SetRows(ctx, remove, add), f.err("SetRows"))
}

func (f failingPast) SetStandings(ctx context.Context, remove, add []Standing) error {
	return errors.Join(f.past.SetStandings(ctx, remove, add), f.err("SetStandings"))
}

func (f failingPast) SetSums(ctx context.Context, sums []Sum) error {
	return errors.Join(f.past.SetSums(ctx, sums), f.err("SetSums"))
}

// TestTheStoresErrorsComeOut: what the store cannot do is reported, and nothing is written on top of it.
func TestTheStoresErrorsComeOut(t *testing.T) {
	type act func(*Ledger) error
	tests := []struct {
		what    string
		act     act
		methods []string
	}{
		{"catch up", func(l *Ledger) error {
			_, err := l.CatchUp(context.Background())
			return err
		}, []string{"Pending", "Recorded", "Current"}},
		{"recompute", func(l *Ledger) error {
			_, err := l.Recompute(context.Background())
			return err
		}, []string{"Renew", "Given", "Games", "Rows", "Standings", "Sums", "SetRows", "SetStandings", "SetSums"}},
		{"verify", func(l *Ledger) error {
			_, err := l.Verify(context.Background())
			return err
		}, []string{"Look", "Given", "Games", "Rows", "Standings", "Sums"}},
	}
	for _, tt := range tests {
		for _, method := range tt.methods {
			m := newMemory(many(10)...)
			catch(t, m)
			m.finish(duel("new", "ada", "bob"))
			m.rows = m.rows[1:]
			m.ratings = map[place]Standing{}
			m.sums = map[string]Sum{} // something to put right
			writes := m.calls
			if err := tt.act(New(failing{m, method}, elo.Club{})); !errors.Is(err, errDisk) || m.calls != writes {
				t.Errorf("%s without %s: %v, %d writes", tt.what, method, err, m.calls-writes)
			}
		}
	}
}
