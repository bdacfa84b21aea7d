package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
)

// runs stores a game of two players that runs, and returns the step that ends it.
func runs(t *testing.T, s *Store, id, first, second string) table.Step {
	t.Helper()
	g := table.Game{
		ID: id, Variant: "quixo/duel", Seats: 2, Players: []string{first, second}, Controls: []string{"60", "60"},
		Rated:  true,
		Status: table.Running,
	}
	if err := s.Games().Create(t.Context(), []table.Game{g}); err != nil {
		t.Fatal(err)
	}
	g.Status = table.Finished
	g.Version = 2
	g.Plies = 2
	g.FinishedAt = 2000
	g.Outcome = &engine.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonLine}
	return table.Step{
		Game: &g, Moved: table.SeatSet(0).With(1).With(2), Fewest: 1,
		Lines: []table.Line{
			{N: 1, Kind: table.LineMove, Seat: 1, Text: "a1-a5"}, {N: 2, Kind: table.LineMove, Seat: 2, Text: "b1-b5"},
		},
	}
}

func ends(t *testing.T, s *Store, steps ...table.Step) {
	t.Helper()
	for _, step := range steps {
		if err := s.Games().Append(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
}

// pending returns the games that the ratings have not taken yet, and fails unless their places follow each other.
func pending(t *testing.T, s *Store) (ids []string) {
	t.Helper()
	from, games, err := s.Ratings().Pending(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range games {
		if g.Seq != from+int64(i)+1 {
			t.Errorf("game %s has place %d, want %d", g.GameID, g.Seq, from+int64(i)+1)
		}
		ids = append(ids, g.GameID)
	}
	return ids
}

// lateEnd ends a game in a transaction with a late commit: other games go on ending and are rated before it; the late
// game is not overlooked.
func lateEnd(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn}), open(t, Config{DSN: dsn})
	late := runs(t, one, "late", "ann", "bob")
	early := []table.Step{runs(t, one, "a", "ann", "bob"), runs(t, two, "b", "ann", "bob")}
	b, err := encodeStep(late, false)
	if err != nil {
		t.Fatal(err)
	}
	err = one.backend.(*cluster).db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		for _, c := range b.calls {
			args := make([]any, 0, len(b.args))
			for _, a := range b.argsOf(c) {
				args = append(args, a.Value)
			}
			if _, err := tx.ExecContext(ctx, statements[c.id].forPostgres(), args...); err != nil {
				return err
			}
		}
		ends(t, one, early[0])
		ends(t, two, early[1])
		if got := pending(t, two); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("while another end is not committed, %q are pending", got)
		}
		return two.Ratings().Record(ctx, 0, 2, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := pending(t, two); !slices.Equal(got, []string{"late"}) {
		t.Errorf("after the commit %q are pending", got)
	}
}

// rater rates the games that have ended, by way of a store that may hold the lease.
type rater func(context.Context, ledger.Store) error

// catchUp rates by a ledger, under the lease.
func catchUp(l *ledger.Ledger) rater {
	return func(ctx context.Context, in ledger.Store) error {
		_, err := l.CatchUpIn(ctx, in)
		return err
	}
}

// consume lets the ratings take what has ended.
func consume(ctx context.Context, s *Store, work rater) error { return s.Rate(ctx, &Ended{}, work) }

// shareLease has two instances consume: an instance that finds the lease taken waits for the holder, and no longer than
// the holder's work takes; an instance that finds a stalled holder goes on without the lease.
func shareLease(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn}), open(t, Config{DSN: dsn})
	ends(t, one, runs(t, one, "a", "ann", "bob"))
	waits, taken := make(chan error, 1), make(chan struct{})
	at := ledger.New(one.Ratings(), elo.Club{})
	err := consume(t.Context(), one, func(ctx context.Context, in ledger.Store) error {
		go func() {
			close(taken)
			waits <- consume(ctx, two, func(context.Context, ledger.Store) error {
				return errors.New("it does not hold the lease")
			})
		}()
		<-taken
		return catchUp(at)(ctx, in)
	})
	if err := errors.Join(err, <-waits); err != nil {
		t.Error(err)
	}
	if n, err := two.Waiting(t.Context(), outbox.OfRatings); err != nil || n != 0 {
		t.Errorf("%d games wait, error %v", n, err)
	}
	ends(t, two, runs(t, two, "b", "ann", "bob"))
	if n, err := one.Waiting(t.Context(), outbox.OfRatings); err != nil || n != 1 {
		t.Errorf("%d games wait, error %v", n, err)
	}
	err = consume(t.Context(), one, func(ctx context.Context, _ ledger.Store) error { // and does nothing
		began := time.Now()
		err := consume(ctx, two, catchUp(ledger.New(two.Ratings(), elo.Club{})))
		if waited := time.Since(began); waited < outbox.LeaseWait {
			t.Errorf("it lost patience after %s", waited)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if got := pending(t, two); len(got) > 0 {
		t.Errorf("%q are pending", got)
	}
}

// loseLease rates games while the state read under the lease is overtaken: by an instance that numbers the games, by an
// instance that rates them, and by the server, which ends the session. Every game is rated exactly once all the same,
// in the order of its places.
func loseLease(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn}), open(t, Config{DSN: dsn})
	by, other := ledger.New(one.Ratings(), elo.Club{}), ledger.New(two.Ratings(), elo.Club{})
	createPlayers(t, one, "ann", "bob")
	for i, meanwhile := range []func(ctx context.Context) error{
		func(ctx context.Context) error {
			_, err := two.backend.(*cluster).AssignPlaces(ctx)
			return err
		},
		func(ctx context.Context) error { return catchUp(other)(ctx, two.Ratings()) },
		func(ctx context.Context) error {
			return two.reads.WithContext(ctx).Exec(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
				WHERE state = 'idle in transaction' AND datname = current_database()`).Error
		},
	} {
		first, second := fmt.Sprint("first ", i), fmt.Sprint("second ", i)
		ends(t, one, runs(t, one, first, "ann", "bob"))
		err := consume(t.Context(), one, func(ctx context.Context, in ledger.Store) error {
			ends(t, two, runs(t, two, second, "bob", "ann"))
			return errors.Join(meanwhile(t.Context()), catchUp(by)(ctx, in))
		})
		if known, failed := one.Ratings().Recorded(t.Context(), []string{first}); err != nil || failed != nil ||
			!known[first] {
			t.Errorf("game %d is not rated, errors %v, %v", i, err, failed)
		}
		if err := consume(t.Context(), two, catchUp(other)); err != nil {
			t.Error(err)
		}
	}
	report, err := by.Verify(t.Context())
	if err != nil || !report.OK() || report.Rated != 6 {
		t.Errorf("a recomputation finds %+v, error %v", report, err)
	}
	if faults := faultsOf(t, one); faults != "" {
		t.Errorf("found %q", faults)
	}
}

// waitTogether has two instances wait for the lease while a third consumes a game that ended at the first; at the
// second a game ends that the holder does not know. The second then rates it, and the first does not consume.
func waitTogether(t *testing.T, dsn string) {
	var stores [3]*Store
	for i := range stores {
		stores[i] = open(t, Config{DSN: dsn})
	}
	ends(t, stores[1], runs(t, stores[1], "before", "ann", "bob"))
	var group sync.WaitGroup
	worked := make(chan int, 10)
	at := func(i int) rater {
		l := ledger.New(stores[i].Ratings(), elo.Club{})
		return func(ctx context.Context, in ledger.Store) error {
			worked <- i
			return catchUp(l)(ctx, in)
		}
	}
	err := consume(t.Context(), stores[0], func(ctx context.Context, in ledger.Store) error {
		ends(t, stores[2], runs(t, stores[2], "meanwhile", "bob", "ann"))
		for i := 1; i < len(stores); i++ {
			group.Go(func() {
				if err := consume(t.Context(), stores[i], at(i)); err != nil {
					t.Error(err)
				}
			})
		}
		var waiting int
		for waiting < 2 && ctx.Err() == nil {
			err := stores[0].reads.Raw("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").
				Scan(&waiting).Error
			if err != nil {
				return err
			}
		}
		return at(0)(ctx, in)
	})
	group.Wait()
	close(worked)
	var who []int
	for i := range worked {
		who = append(who, i)
	}
	if err != nil || !slices.Equal(who, []int{0, 2}) {
		t.Errorf("%v have rated, error %v", who, err)
	}
	known, err := stores[0].Ratings().Recorded(t.Context(), []string{"before", "meanwhile"})
	if err != nil || len(known) != 2 {
		t.Errorf("%v are rated, error %v", known, err)
	}
}

// endsTogether ends games of a few players on three instances at once; each rates the ended games: every game is rated
// exactly once, in an order common to all, as a recomputation finds.
func endsTogether(t *testing.T, dsn string) {
	const instances, games, players = 3, 40, 7
	stores := make([]*Store, instances)
	for i := range stores {
		stores[i] = open(t, Config{DSN: dsn, Instance: fmt.Sprint(i)})
	}
	for i := range players {
		createPlayers(t, stores[0], fmt.Sprint("p", i))
	}
	var steps [instances][]table.Step
	for i := range stores {
		for n := range games {
			first := (i + n) % players
			steps[i] = append(steps[i], runs(t, stores[i], fmt.Sprintf("%d-%d", i, n), fmt.Sprint("p", first),
				fmt.Sprint("p", (first+1+n%3)%players)))
		}
	}
	var group sync.WaitGroup
	for i, s := range stores {
		l := ledger.New(s.Ratings(), elo.Club{})
		for half := range 2 {
			group.Go(func() {
				for _, step := range steps[i][half*games/2 : (half+1)*games/2] {
					if err := s.Games().Append(t.Context(), step); err != nil {
						t.Error(err)
					}
					if err := consume(t.Context(), s, catchUp(l)); err != nil {
						t.Error(err)
					}
					if known, err := s.Ratings().Recorded(t.Context(), []string{step.Game.ID}); err != nil || !known[step.Game.ID] {
						t.Errorf("game %s is not rated afterwards, error %v", step.Game.ID, err)
					}
				}
			})
		}
	}
	group.Wait()
	last := ledger.New(stores[0].Ratings(), elo.Club{})
	report, err := last.Verify(t.Context())
	if err != nil || !report.OK() || report.Rated != instances*games {
		t.Errorf("a recomputation finds %+v, error %v", report, err)
	}
	if faults := faultsOf(t, stores[0]); faults != "" {
		t.Errorf("found %q", faults)
	}
}

// outboxOfBefore goes on with a partly consumed outbox of a former version, and beside an instance of that version.
func outboxOfBefore(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	createPlayers(t, s, "ann", "bob")
	former := func(step table.Step) {
		t.Helper()
		b, err := encodeStep(step, false)
		if err != nil {
			t.Fatal(err)
		}
		calls := make([]postgres.Call, len(b.calls))
		for i, c := range b.calls {
			calls[i] = postgres.Call{Text: statements[c.id].text, Args: b.argsOf(c)}
			if c.id == addOutbox {
				calls[i].Lock = outbox.PlacesLock
			}
		}
		if err := s.backend.(*cluster).db.Run(t.Context(), &postgres.Batch{Calls: calls, Refusal: b.refusal}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		former(runs(t, s, fmt.Sprint("former ", i), "ann", "bob"))
	}
	if err := s.Ratings().Record(t.Context(), 0, 2, nil); err != nil {
		t.Fatal(err)
	}
	now := open(t, Config{DSN: dsn})
	ends(t, now, runs(t, now, "now 0", "ann", "bob"))
	former(runs(t, s, "former 4", "ann", "bob"))
	ends(t, now, runs(t, now, "now 1", "ann", "bob"))
	if got, want := pending(t, now), []string{"former 2", "former 3", "former 4", "now 0", "now 1"}; !slices.Equal(got,
		want) {
		t.Errorf("%q are pending, want %q", got, want)
	}
	if faults := faultsOf(t, now); faults != "" {
		t.Errorf("found %q", faults)
	}
}
