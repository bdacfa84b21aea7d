package table

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// slowQuotas is a journal with slow answers about quotas, which are counted.
type slowQuotas struct {
	*memory
	asked atomic.Int64
}

func (s *slowQuotas) Quotas(ctx context.Context, keys []string) (map[string]QuotaState, error) {
	s.asked.Add(1)
	states, err := s.memory.Quotas(ctx, keys)
	time.Sleep(time.Millisecond)
	return states, err
}

// TestOpeningsOfOneQuotaTakeNoPlaceAway opens games at the same moment that count for the same quotas: each is judged
// once.
func TestOpeningsOfOneQuotaTakeNoPlaceAway(t *testing.T) {
	const games = 12
	j := &slowQuotas{memory: newMemory()}
	tables := New(Config{Storage: stored(j)})
	var group sync.WaitGroup
	for i := range games {
		group.Go(func() {
			quotas := []Quota{ChallengeQuota("ann", 1, games), ChallengeQuota("bob", 2, games)}
			if i%2 == 0 {
				quotas[0], quotas[1] = quotas[1], quotas[0]
			}
			_, err := tables.Open(t.Context(), NewGame{
				Variant: "quixo/duel", Players: []string{"ann", "bob"}, Controls: []string{"300"}, CreatedBy: fmt.Sprint("host", i),
				Start: true, Quotas: quotas,
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if asked := j.asked.Load(); asked != games {
		t.Errorf("%d games were judged %d times", games, asked)
	}
}
