package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"quatuor/rating"
)

// memory is a store without a database that keeps all promises of Store, unique keys included, and can be made to
// fail around a commit.
type memory struct {
	mu      sync.Mutex
	outbox  []Finished
	cursor  int64
	rows    []Row
	keys    map[[2]string]bool // game and player
	ratings map[place]Standing
	sums    map[string]Sum
	given   map[place]rating.Rating
	calls   int // of Record, Rewrite and Renew

	corrects bool // a game that finishes again is corrected; else it is in the outbox twice by mistake

	beforeCommit func(call int) error // what it returns keeps the commit from happening
	afterCommit  func(call int) error // what it returns hides that the commit happened
}

var _ Store = (*memory)(nil)

func newMemory(games ...Finished) *memory {
	m := &memory{given: map[place]rating.Rating{}}
	m.empty()
	for _, f := range games {
		m.finish(f)
	}
	return m
}

// empty removes all rows and what follows from them.
func (m *memory) empty() {
	m.rows = nil
	m.keys = map[[2]string]bool{}
	m.ratings = map[place]Standing{}
	m.sums = map[string]Sum{}
}

// now returns the current ratings.
func (m *memory) now() map[place]rating.Rating {
	now := map[place]rating.Rating{}
	for p, s := range m.ratings {
		now[p] = s.Rating
	}
	return now
}

// finish puts a game at the end of the outbox; a known game keeps the place of its first row.
func (m *memory) finish(f Finished) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f.Seq, f.Corrects = int64(len(m.outbox))+1, 0
	if i := slices.IndexFunc(m.outbox, func(g Finished) bool { return g.GameID == f.GameID }); i >= 0 && m.corrects {
		f.Corrects = m.outbox[i].Seq
	}
	m.outbox = append(m.outbox, f)
}

func (m *memory) Meetings(_ context.Context, list string, players [2]string, from, until, before int64) (
	met []Meeting, err error,
) {
	m.mu.Lock()
	defer m.mu.Unlock()
	in := map[string][]int{} // sides by game
	for _, r := range m.rows {
		if r.List == list && slices.Contains(players[:], r.PlayerID) && r.At >= from && r.At < until && r.Seq < before {
			f := m.outbox[r.Seq-1]
			in[r.GameID] = append(in[r.GameID], f.Sides[r.Seat-1])
			if sides := in[r.GameID]; len(sides) == 2 && sides[0] != sides[1] {
				met = append(met, Meeting{At: r.At, Casual: !f.Tournament})
			}
		}
	}
	return met, nil
}

func (m *memory) Pending(_ context.Context, limit int) (int64, []Finished, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rest := m.outbox[m.cursor:]
	return m.cursor, slices.Clone(rest[:min(limit, len(rest))]), nil
}

func (m *memory) Current(_ context.Context, list string, players []string) (map[string]rating.Rating, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	current := map[string]rating.Rating{}
	for _, player := range players {
		p := place{list, player}
		if s, found := m.ratings[p]; found {
			current[player] = s.Rating
		} else if r, found := m.given[p]; found {
			current[player] = r
		}
	}
	return current, nil
}

func (m *memory) Recorded(_ context.Context, gameIDs []string) (map[string]bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	recorded := map[string]bool{}
	for _, r := range m.rows {
		if slices.Contains(gameIDs, r.GameID) {
			recorded[r.GameID] = true
		}
	}
	return recorded, nil
}

func (m *memory) Record(_ context.Context, from, to int64, rows []Row) error {
	return m.commit(from, func() error {
		if to <= from || to > int64(len(m.outbox)) {
			return fmt.Errorf("the cursor cannot move from %d to %d of %d", from, to, len(m.outbox))
		}
		for _, r := range rows {
			if m.keys[[2]string{r.GameID, r.PlayerID}] {
				return ErrBehind
			}
		}
		m.cursor = to
		return m.write(rows)
	})
}

// commit carries out a transaction if the cursor is at the expected place.
func (m *memory) commit(from int64, transaction func() error) error {
	m.mu.Lock()
	m.calls++
	call := m.calls
	m.mu.Unlock()
	if m.beforeCommit != nil {
		if err := m.beforeCommit(call); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cursor != from {
		return ErrBehind
	}
	if err := transaction(); err != nil {
		return err
	}
	if m.afterCommit != nil {
		return m.afterCommit(call)
	}
	return nil
}

// write stores rows in their order, each once.
func (m *memory) write(rows []Row) error {
	for _, r := range rows {
		key := [2]string{r.GameID, r.PlayerID}
		if m.keys[key] || len(m.rows) > 0 && order(&m.rows[len(m.rows)-1], &r) >= 0 {
			return fmt.Errorf("row %+v breaks a key or the order", r)
		}
		sum := m.sums[r.List]
		if n := len(m.rows); n == 0 || m.rows[n-1].Seq != r.Seq {
			sum.Games++
		}
		m.sums[r.List] = Sum{r.List, sum.Games, max(sum.LastAt, r.At)}
		m.keys[key] = true
		m.rows = append(m.rows, r)
		m.ratings[place{r.List, r.PlayerID}] = Standing{r.List, r.PlayerID, r.Rating(), r.Seq, r.At}
	}
	return nil
}

func (m *memory) Between(_ context.Context, after, to int64, yield func(Finished) error) error {
	m.mu.Lock()
	games := slices.Clone(m.outbox[:to])
	m.mu.Unlock()
	seen := map[string]bool{}
	for _, f := range games {
		first := !seen[f.GameID]
		seen[f.GameID] = true
		if f.Seq <= after || !first && (f.Corrects == 0 || f.Corrects > after) {
			continue
		}
		if first {
			for _, later := range games {
				if later.Corrects == f.Seq {
					seq := f.Seq
					f = later
					f.Seq, f.Corrects = seq, 0
				}
			}
		}
		if err := yield(f); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Before(_ context.Context, seq int64, list string, players []string) (map[string]rating.Rating, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := map[string]rating.Rating{}
	for _, player := range players {
		if r, found := m.given[place{list, player}]; found {
			before[player] = r
		}
		for _, r := range m.rows {
			if r.Seq < seq && r.List == list && r.PlayerID == player {
				before[player] = r.Rating()
			}
		}
	}
	return before, nil
}

func (m *memory) Rewrite(_ context.Context, from, to, start int64, lists []string, rows []Row) error {
	return m.commit(from, func() error {
		kept := slices.DeleteFunc(slices.Clone(m.rows), func(r Row) bool {
			return r.Seq >= start && slices.Contains(lists, r.List)
		})
		for _, r := range rows {
			if r.Seq < start || !slices.Contains(lists, r.List) {
				return fmt.Errorf("row %+v is not one that is rewritten", r)
			}
		}
		all := append(kept, rows...)
		slices.SortFunc(all, inOrder)
		m.cursor = to
		m.empty()
		return m.write(all)
	})
}

// errCrash simulates the end of a process.
var errCrash = errors.New("crash")
