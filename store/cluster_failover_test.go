package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/internal/db"
	"quatuor/tournament/account"
)

// TestPromotedStandby kills the server under load and promotes its synchronous standby: every move that was
// acknowledged is there, once, and the store goes on by itself.
func TestPromotedStandby(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	dsn := server.Schema(t)
	if err := open(t, Config{DSN: dsn}).Close(); err != nil { // the schema is made before the standby copies it
		t.Fatal(err)
	}
	standby, both := server.Standby(t, dsn)
	s := open(t, Config{DSN: both})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const games = 8
	var acknowledged, promoted [games]atomic.Int64
	var isPromoted atomic.Bool
	var group sync.WaitGroup
	for i := range games {
		id := fmt.Sprint("g", i)
		if err := s.Games().Create(ctx, []table.Game{{ID: id, Status: table.Running}}); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for v := int64(0); promoted[i].Load() < 20 && ctx.Err() == nil; {
				after := isPromoted.Load()
				err := s.backend.run(ctx, stepBatch(t, id, v))
				switch {
				case err == nil:
					v++
					acknowledged[i].Store(v)
					if after {
						promoted[i].Add(1)
					}
				case errors.Is(err, table.ErrConflict): // a step that was not acknowledged is stored
					if g, _, err := s.Games().Load(ctx, id); err == nil {
						v = g.Version
					}
				case !errors.Is(db.About("write", err), table.ErrUnavailable):
					t.Errorf("%s: %v", id, err)
					return
				default:
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	for acknowledged[0].Load() < 50 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	server.Stop(t)
	standby.Promote(t)
	isPromoted.Store(true)
	group.Wait()
	for i := range games {
		id := fmt.Sprint("g", i)
		g, lines, err := s.Games().Load(t.Context(), id)
		if want := acknowledged[i].Load(); err != nil || g.Version < want || int64(len(lines)) != g.Version ||
			promoted[i].Load() < 20 {
			t.Errorf("%s has version %d with %d lines, %v; %d were acknowledged, %d of them after the promotion", id, g.Version,
				len(lines), err, want, promoted[i].Load())
		}
	}
	attempt := account.Charge{Key: "k", Interval: 1, Tolerance: 1} // its table is not logged, so it is empty on the standby
	if debts, err := s.Attempts().Charge(t.Context(), attempt); err != nil || !debts[0].Counted {
		t.Errorf("counting an attempt after the promotion: %v, %v", debts, err)
	}
}
