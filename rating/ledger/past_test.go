package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"quatuor/rating"
)

// pageSize is the number of games and current ratings on a page of the memory: few, so that pages end everywhere.
const pageSize = 3

func inOrder(a, b Row) int { return order(&a, &b) }

func (m *memory) Look(_ context.Context, read func(Past) error) error {
	return read(m.copy())
}

func (m *memory) Renew(ctx context.Context, change func(Draft) error) error {
	draft := m.copy()
	if err := change(draft); err != nil {
		return err
	}
	return m.commit(draft.at, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.rows = draft.rows
		m.ratings = draft.ratings
		m.sums = draft.sums
		m.keys = map[[2]string]bool{}
		for _, r := range draft.rows {
			m.keys[[2]string{r.GameID, r.PlayerID}] = true
		}
		return nil
	})
}

// past is a copy of what a memory holds.
type past struct {
	*memory
	at      int64
	rows    []Row
	ratings map[place]Standing
	sums    map[string]Sum
}

var _ Draft = (*past)(nil)

func (m *memory) copy() *past {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &past{m, m.cursor, slices.Clone(m.rows), maps.Clone(m.ratings), maps.Clone(m.sums)}
}

func (p *past) Cursor() int64 { return p.at }

func (p *past) Given(_ context.Context, yield func(list, playerID string, r rating.Rating) error) error {
	for at, r := range p.given {
		if err := yield(at.list, at.player, r); err != nil {
			return err
		}
	}
	return nil
}

func (p *past) Games(ctx context.Context, after int64, space []Finished) (page []Finished, to int64, err error) {
	to = min(after+pageSize, p.at)
	err = p.Between(ctx, 0, p.at, func(f Finished) error {
		if f.Seq > after && f.Seq <= to {
			space = append(space, f)
		}
		return nil
	})
	return space, to, err
}

func (p *past) Rows(_ context.Context, after, to int64, space []Row) ([]Row, error) {
	for _, r := range p.rows {
		if r.Seq > after && r.Seq <= to {
			space = append(space, r)
		}
	}
	return space, nil
}

func (p *past) Standings(_ context.Context, list, playerID string, space []Standing) ([]Standing, error) {
	after := Standing{List: list, PlayerID: playerID}
	for _, s := range slices.SortedFunc(maps.Values(p.ratings), func(a, b Standing) int { return byPlayer(&a, &b) }) {
		if byPlayer(&s, &after) > 0 && len(space) < pageSize {
			space = append(space, s)
		}
	}
	return space, nil
}

func (p *past) Sums(context.Context) ([]Sum, error) {
	return slices.SortedFunc(maps.Values(p.sums), func(a, b Sum) int { return cmp.Compare(a.List, b.List) }), nil
}

func (p *past) SetRows(_ context.Context, remove, add []Row) error {
	p.rows = slices.DeleteFunc(p.rows, func(r Row) bool {
		return slices.ContainsFunc(remove, func(gone Row) bool { return order(&gone, &r) == 0 }) ||
			slices.ContainsFunc(add, func(next Row) bool { return next.GameID == r.GameID && next.PlayerID == r.PlayerID })
	})
	p.rows = append(p.rows, add...)
	slices.SortFunc(p.rows, inOrder)
	return nil
}

func (p *past) SetStandings(_ context.Context, remove, add []Standing) error {
	for _, s := range remove {
		delete(p.ratings, place{s.List, s.PlayerID})
	}
	for _, s := range add {
		p.ratings[place{s.List, s.PlayerID}] = s
	}
	return nil
}

func (p *past) SetSums(_ context.Context, sums []Sum) error {
	p.sums = map[string]Sum{}
	for _, s := range sums {
		p.sums[s.List] = s
	}
	return nil
}
