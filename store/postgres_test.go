package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/internal/postgres"
	"quatuor/store/storetest"
	"quatuor/tournament/account"
)

// TestPostgres runs everything that needs a PostgreSQL on the same server.
func TestPostgres(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off", "deadlock_timeout=50ms")
	t.Run("Suite", func(t *testing.T) {
		dsn := server.Schema(t)
		storetest.Run(t, func(t *testing.T) storetest.Ports {
			empty(t, dsn)
			return ports(t, Config{DSN: dsn, Instance: "test"})
		})
	})
	t.Run("Instances", func(t *testing.T) {
		storetest.Instances(t, func(t *testing.T) (one, two storetest.Ports) {
			dsn := server.Schema(t)
			return ports(t, Config{DSN: dsn, Instance: "one"}), ports(t, Config{DSN: dsn, Instance: "two"})
		})
	})
	for name, test := range map[string]func(*testing.T, string){
		"Schema": schemaOnPostgres, "StartTogether": startTogether, "Deadlock": retryDeadlock, "GiveUp": giveUp,
		"TwoInstances": twoInstances, "PendingElsewhere": pendingElsewhere, "RepeatableElsewhere": repeatableElsewhere,
		"OverdueBeingWritten": overdueBeingWritten,
		"AdminLog":            adminLogStays, "Faults": faultsOnPostgres, "Beats": beats, "Living": living, "Deadlines": deadlines,
		"TakeOver": takeOver, "OpenedToRead": openedToRead, "ColumnsAdded": columnsAdded, "SchemaCompared": schemaCompared, "WrongClock": wrongClock,
		"InvitationPlan": invitationPlan, "LateEnd": lateEnd, "EndsTogether": endsTogether, "ShareLease": shareLease,
		"LoseLease": loseLease, "WaitTogether": waitTogether, "ActsTogether": actsTogether, "OutboxOfBefore": outboxOfBefore,
		"DatabaseAway": func(t *testing.T, dsn string) { databaseAway(t, server, dsn) },
	} {
		t.Run(name, func(t *testing.T) { test(t, server.Schema(t)) })
	}
}

// empty leaves a schema's tables as the migrations have made them, if they have: to migrate and to drop as many takes
// longer than most of the suite's cases.
func empty(t *testing.T, dsn string) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.ExecContext(t.Context(), `DO $$ DECLARE of record; BEGIN
		FOR of IN SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY oid DESC LOOP
			IF of.relname = 'cursors' THEN UPDATE cursors SET seq = 0;
			ELSIF of.relname = 'admin_log' THEN
				ALTER TABLE admin_log DISABLE TRIGGER USER; DELETE FROM admin_log; ALTER TABLE admin_log ENABLE TRIGGER USER;
			ELSIF of.relkind = 'r' AND of.relname <> 'goose_db_version' THEN EXECUTE format('DELETE FROM %I', of.relname);
			ELSIF of.relkind = 'S' THEN PERFORM setval(of.oid::regclass, seqstart, false) FROM pg_sequence WHERE seqrelid = of.oid;
			END IF;
		END LOOP; END $$`)
	if err != nil {
		t.Fatal(err)
	}
}

func schemaOnPostgres(t *testing.T, dsn string) {
	sameSchema(t, open(t, Config{DSN: dsn}),
		`SELECT c.table_name, c.column_name AS name, c.data_type AS type, c.is_nullable = 'YES' AS nullable,
			EXISTS (SELECT 1 FROM information_schema.key_column_usage k
				JOIN information_schema.table_constraints p USING (constraint_schema, constraint_name, table_name)
				WHERE p.constraint_type = 'PRIMARY KEY' AND k.table_schema = c.table_schema
				AND k.table_name = c.table_name AND k.column_name = c.column_name) AS key
		FROM information_schema.columns c WHERE c.table_schema = current_schema()`,
		map[string]string{
			"bigint": "integer", "text": "text", "double precision": "real", "boolean": "boolean", "bytea": "bytes",
		})
}

// startTogether opens an empty database from several instances at once: a single instance migrates, all work.
func startTogether(t *testing.T, dsn string) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s, err := Open(t.Context(), Config{DSN: dsn})
			if err != nil {
				t.Error(err)
				return
			}
			if err := errors.Join(s.Ready(t.Context()), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// retryDeadlock lets two transactions take two rows in opposite order: PostgreSQL aborts a transaction, and it is
// retried.
func retryDeadlock(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	for _, id := range []string{"a", "b"} {
		if err := s.Games().Beat(t.Context(), id, 0); err != nil {
			t.Fatal(err)
		}
	}
	c := s.backend.(*cluster)
	var tries atomic.Int32
	var first sync.WaitGroup // until both have their first row
	first.Add(2)
	touch := func(one, other string) func() {
		var meet sync.Once
		return func() {
			err := c.db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				tries.Add(1)
				const add = "UPDATE heartbeats SET at = at + 1 WHERE instance = $1"
				if _, err := tx.ExecContext(ctx, add, one); err != nil {
					return err
				}
				meet.Do(func() {
					first.Done()
					first.Wait()
				})
				_, err := tx.ExecContext(ctx, add, other)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
	var group sync.WaitGroup
	group.Go(touch("a", "b"))
	group.Go(touch("b", "a"))
	group.Wait()
	if n := tries.Load(); n < 3 { // they may meet again
		t.Errorf("%d tries, want two that met, and one again", n)
	}
	if at, err := s.Games().LastBeat(t.Context()); err != nil || at != 2 {
		t.Errorf("a row that two transactions counted up stands at %d, error %v", at, err)
	}
}

// giveUp meets a serialization failure every time.
func giveUp(t *testing.T, dsn string) {
	c := open(t, Config{DSN: dsn}).backend.(*cluster)
	for code, want := range map[string]int{"40001": postgres.MaxTries, "23505": 1} {
		tries := 0
		err := c.db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			tries++
			_, err := tx.ExecContext(ctx, "DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '"+code+"'; END $$")
			return err
		})
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != code || tries != want {
			t.Errorf("after %d tries, want %d: %v", tries, want, err)
		}
	}
}

// twoInstances play the same games at the same time: each step is stored once, each end is published once.
func twoInstances(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn, Instance: "one"}), open(t, Config{DSN: dsn, Instance: "two"})
	const games, moves = 4, 20
	ids := []string{"a", "b", "c", "d"}
	for _, id := range ids {
		if err := one.Games().Create(t.Context(), []table.Game{{ID: id, Status: table.Running}}); err != nil {
			t.Fatal(err)
		}
	}
	var stored atomic.Int32
	var group sync.WaitGroup
	for _, s := range []*Store{one, two} {
		for _, id := range ids {
			group.Go(func() {
				for v := int64(0); v < moves; v++ {
					err := s.backend.run(t.Context(), stepBatch(t, id, v))
					if err == nil {
						stored.Add(1)
					} else if !errors.Is(err, table.ErrConflict) {
						t.Error(err)
					}
					for ; errors.Is(err, table.ErrConflict); err = nil {
						g, _, e := s.Games().Load(t.Context(), id)
						if e != nil {
							t.Error(e)
						}
						v = max(v, g.Version-1)
					}
				}
			})
		}
	}
	group.Wait()
	for _, id := range ids {
		g, lines, err := two.Games().Load(t.Context(), id)
		if err != nil || g.Version != moves || len(lines) != moves {
			t.Errorf("game %s has version %d and %d lines, want %d, error %v", id, g.Version, len(lines), moves, err)
		}
	}
	if n := stored.Load(); n != games*moves {
		t.Errorf("%d steps were acknowledged, want %d", n, games*moves)
	}
}

func faultsOnPostgres(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	fillClub(t, s)
	if got := faultsOf(t, s); got != "" {
		t.Errorf("found %q in a sound database", got)
	}
	if _, err := s.backend.(*cluster).AssignPlaces(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.reads.Exec("UPDATE outbox SET seq = 7, plies = 99").Error; err != nil {
		t.Fatal(err)
	}
	if got := faultsOf(t, s); !strings.Contains(got, "6 places in the outbox are missing") ||
		!strings.Contains(got, "another Plies") {
		t.Errorf("found %q", got)
	}
}

// overdueBeingWritten looks for overdue games while another transaction is about to change an overdue game.
func overdueBeingWritten(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn}), open(t, Config{DSN: dsn})
	games := []table.Game{
		{ID: "a", Status: table.Running, Deadline: 1000}, {ID: "b", Status: table.Running, Deadline: 2000},
	}
	if err := one.Games().Create(t.Context(), games); err != nil {
		t.Fatal(err)
	}
	if err := one.Games().Watch(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	found := func() string {
		list, err := two.Games().Overdue(t.Context(), 5000, 10)
		if err != nil {
			t.Error(err)
		}
		var ids []string
		for _, g := range list {
			ids = append(ids, g.ID)
		}
		return strings.Join(ids, " ")
	}
	err := one.backend.(*cluster).db.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE live_games SET deadline = 9000 WHERE game_id = 'a'"); err != nil {
			return err
		}
		if got := found(); got != "b" {
			t.Errorf("while a is being written, %q are overdue, want b alone", got)
		}
		return errors.New("rolled back")
	})
	if got := found(); got != "a b" {
		t.Errorf("afterwards (%v) %q are overdue, want both", err, got)
	}
}

// pendingElsewhere begins a reply on an instance and looks it up on another, while the first is alive and when it has
// been silent for 2.5 s.
func pendingElsewhere(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn, Instance: "one"}), open(t, Config{DSN: dsn, Instance: "two"})
	begin := func(s *Store, now int64, want account.ReplyState) {
		t.Helper()
		_, state, err := s.Replies().BeginReply(t.Context(), account.Request{
			Owner: "ann", Key: "k", Fingerprint: "f", At: now,
		})
		if err != nil || state != want {
			t.Errorf("at %d: state %v, error %v, want state %v", now, state, err, want)
		}
	}
	begin(one, 1000, account.ReplyFresh)
	begin(two, 2000, account.ReplyPending) // it has only just begun
	if err := one.Games().Beat(t.Context(), "one", 60_000); err != nil {
		t.Fatal(err)
	}
	begin(two, 62_500, account.ReplyPending)
	begin(two, 62_501, account.ReplyFresh)
	begin(one, 90_001, account.ReplyPending) // two has it now
	if err := two.Games().Beat(t.Context(), "two", 300_000); err != nil {
		t.Fatal(err)
	}
	begin(one, 300_000, account.ReplyFresh) // two is alive, but no request takes so long
}

// repeatableElsewhere begins a reply on an instance, and the same repeatable request on another: it does not wait for
// the first, and the reply of the last is kept.
func repeatableElsewhere(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn, Instance: "one"}), open(t, Config{DSN: dsn, Instance: "two"})
	begin := func(s *Store, want account.ReplyState) account.Reply {
		t.Helper()
		reply, state, err := s.Replies().BeginReply(t.Context(), account.Request{
			Owner: "ann", Key: "k", Fingerprint: "f", At: 1000, Repeatable: true,
		})
		if err != nil || state != want {
			t.Errorf("state %v, error %v, want state %v", state, err, want)
		}
		return reply
	}
	finish := func(s *Store, status int) {
		t.Helper()
		if err := s.Replies().FinishReply(t.Context(), "ann", "k", account.Reply{Status: status}); err != nil {
			t.Error(err)
		}
	}
	begin(one, account.ReplyFresh)
	begin(one, account.ReplyPending) // the same instance answers soon, or is dead
	begin(two, account.ReplyFresh)
	finish(one, 201)
	begin(two, account.ReplyPending)
	finish(two, 202)
	for _, s := range []*Store{one, two} {
		if reply := begin(s, account.ReplyAnswered); reply.Status != 202 {
			t.Errorf("%s was answered %d, want 202", s.instance, reply.Status)
		}
	}
}
