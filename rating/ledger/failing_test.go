package ledger

import (
	"context"
	"errors"
	"testing"

	"quatuor/rating"
	"quatuor/rating/elo"
)

// failing is a store in which one method fails.
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

func (f failing) Given(context.Context, func(string, string, rating.Rating) error) error {
	return f.err("Given")
}

func (f failing) EachFinished(ctx context.Context, after int64, yield func(Finished) error) (int64, error) {
	cursor, _ := f.memory.EachFinished(ctx, after, yield)
	return cursor, f.err("EachFinished")
}

func (f failing) Between(ctx context.Context, after, to int64, yield func(Finished) error) error {
	return errors.Join(f.memory.Between(ctx, after, to, yield), f.err("Between"))
}

func (f failing) Before(ctx context.Context, seq int64, list string, players []string) (map[string]rating.Rating, error) {
	before, _ := f.memory.Before(ctx, seq, list, players)
	return before, f.err("Before")
}

func (f failing) Rows(ctx context.Context, yield func(Row) error) error {
	return errors.Join(f.memory.Rows(ctx, yield), f.err("Rows"))
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
		}, []string{"Given", "EachFinished"}},
		{"verify", func(l *Ledger) error {
			_, err := l.Verify(context.Background())
			return err
		}, []string{"Given", "EachFinished", "Rows", "Current", "Pending"}},
	}
	for _, tt := range tests {
		for _, method := range tt.methods {
			m := newMemory(many(10)...)
			catch(t, m)
			m.finish(duel("new", "ada", "bob"))
			writes := m.calls
			if err := tt.act(New(failing{m, method}, elo.Club{})); !errors.Is(err, errDisk) || m.calls != writes {
				t.Errorf("%s without %s: %v, %d writes", tt.what, method, err, m.calls-writes)
			}
		}
	}
}

// busy is a store in which games are rated by somebody else while rows are read.
type busy struct {
	*memory
	t     *testing.T
	times *int
}

func (b busy) Rows(ctx context.Context, yield func(Row) error) error {
	if *b.times > 0 {
		*b.times--
		f := many(100)[len(b.outbox)]
		b.finish(f)
		catch(b.t, b.memory)
	}
	return b.memory.Rows(ctx, yield)
}

func TestVerifyWhileGamesAreRated(t *testing.T) {
	for _, tt := range []struct {
		times int
		want  error
	}{{1, nil}, {2, nil}, {3, ErrBehind}} {
		m := newMemory(many(10)...)
		catch(t, m)
		times := tt.times
		report, err := New(busy{m, t, &times}, elo.Club{}).Verify(context.Background())
		if !errors.Is(err, tt.want) || err == nil && (!report.OK() || report.Games != 10+tt.times) {
			t.Errorf("%d times: %+v, %v", tt.times, report, err)
		}
	}
}
