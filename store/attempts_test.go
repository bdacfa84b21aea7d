package store

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
)

// TestAttempts has eight workers make, take back and forget attempts of the same keys at two stores at the same time:
// none waits for another in a circle, no more are counted than are allowed, and in the end only what was not taken back
// is owed.
func TestAttempts(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	t.Run("Together", func(t *testing.T) { attemptsTogether(t, server.Schema(t)) })
	t.Run("Locked", func(t *testing.T) { attemptsWhileLocked(t, server.Schema(t)) })
	if open(t, Config{Dir: t.TempDir()}).Attempts() != nil {
		t.Error("a file counts attempts")
	}
}

func attemptsTogether(t *testing.T, dsn string) {
	stores := []*Store{open(t, Config{DSN: dsn}), open(t, Config{DSN: dsn})}
	const burst, cost = 20, int64(time.Hour / time.Microsecond)
	charge := func(kind, who int) account.Charge {
		return account.Charge{Key: fmt.Sprint(kind, "-", who), Interval: cost, Tolerance: burst * cost}
	}
	var group sync.WaitGroup
	var kept [3]atomic.Int64 // by attacker
	for worker := range 8 {
		group.Go(func() {
			attempts := stores[worker%2].Attempts()
			for i := range 60 {
				all := []account.Charge{charge(1, worker), charge(2, i%3), charge(3, i%2)}
				debts, err := attempts.Charge(t.Context(), all...)
				if err != nil {
					t.Error(err)
					return
				}
				counted := 0
				for counted < len(all) && debts[counted].Counted {
					counted++
				}
				for _, d := range debts[counted:] {
					if d.Counted {
						t.Errorf("one is counted after one that was refused: %v", debts)
					}
				}
				if counted == len(all) && i%4 == 0 {
					kept[i%3].Add(1)
					continue
				}
				if err := attempts.TakeBack(t.Context(), all[:counted]...); err != nil {
					t.Error(err)
				}
				if _, err := attempts.Forget(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for who := range kept {
		debts, err := stores[0].Attempts().Charge(t.Context(), charge(2, who))
		if err != nil {
			t.Fatal(err)
		}
		owed := debts[0].Ahead
		if debts[0].Counted {
			owed -= cost
		}
		want := kept[who].Load()
		if got := (owed + cost - 1) / cost; got != want || want > burst {
			t.Errorf("%d attempts are owed for, %d were made and not taken back", got, want)
		}
	}
}

// attemptsWhileLocked: what cannot be counted in time is unavailable, not refused.
func attemptsWhileLocked(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn + "&lock_timeout=50ms"})
	tx := s.reads.Begin()
	defer tx.Rollback()
	if err := tx.Exec("LOCK TABLE attempts IN ACCESS EXCLUSIVE MODE").Error; err != nil {
		t.Fatal(err)
	}
	if _, err := s.Attempts().Charge(t.Context(), account.Charge{Key: "k", Interval: 1, Tolerance: 1}); !errors.Is(err,
		table.ErrUnavailable) {
		t.Errorf("counting: %v", err)
	}
	if err := s.Attempts().TakeBack(t.Context(), account.Charge{Key: "k", Interval: 1, Tolerance: 1}); !errors.Is(err,
		table.ErrUnavailable) {
		t.Errorf("taking back: %v", err)
	}
}
