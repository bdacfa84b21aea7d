package store

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/members"
)

// beats stores heartbeats with and without a break: the break is measured by the server's clock.
func beats(t *testing.T, dsn string) {
	one, two := open(t, Config{DSN: dsn, Instance: "one"}), open(t, Config{DSN: dsn, Instance: "two"})
	beat := func(s *Store, at int64) {
		t.Helper()
		if err := s.Games().Beat(t.Context(), s.instance, at); err != nil {
			t.Fatal(err)
		}
	}
	runOf := func(s *Store) (r table.Run) {
		t.Helper()
		err := s.reads.Raw("SELECT run_at, seen_at, ended_at FROM heartbeats WHERE instance = ?", s.instance).Row().
			Scan(&r.From, &r.To, &r.Before)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	beat(one, 5)
	first := runOf(one)
	if clock, err := one.Peers().Clock(t.Context()); err != nil || first.From != first.To || first.Before != 0 ||
		clock.UnixMilli() < first.To || clock.UnixMilli() > first.To+60_000 {
		t.Errorf("the first heartbeat is %+v by a clock that shows %s, %v", first, clock, err)
	}
	if err := two.reads.Exec("UPDATE heartbeats SET seen_at = seen_at - 990, run_at = run_at - 5000").Error; err != nil {
		t.Fatal(err)
	}
	for what, shift := range map[string]int64{"within the time": 0, "too late": 5000} {
		if err := two.reads.Exec("UPDATE heartbeats SET seen_at = seen_at - ?", shift).Error; err != nil {
			t.Fatal(err)
		}
		before := runOf(one)
		beat(one, 6)
		after := runOf(one)
		if broken := after.To-before.To >= table.MaxSilence.Milliseconds(); broken &&
			(after.From != after.To || after.Before != before.To) ||
			!broken && (after.From != before.From || after.Before != before.Before) {
			t.Errorf("%s: %+v after %+v", what, after, before)
		}
	}
	beat(two, 7)
	if runs, err := two.Peers().Runs(t.Context()); err != nil || len(runs) != 2 {
		t.Errorf("runs %+v, %v", runs, err)
	}
}

// living has instances come, fall silent, come back and end: each heartbeat brings the list of those that live.
func living(t *testing.T, dsn string) {
	one := open(t, Config{DSN: dsn, Instance: "one", Address: "http://one"})
	two := open(t, Config{DSN: dsn, Instance: "two", Address: "http://two"})
	beat := func(s *Store) []members.Member {
		t.Helper()
		if err := s.Games().Beat(t.Context(), s.instance, 1); err != nil {
			t.Fatal(err)
		}
		return s.Members().All()
	}
	exec := func(statement string, args ...any) {
		t.Helper()
		if err := one.reads.Exec(statement, args...).Error; err != nil {
			t.Fatal(err)
		}
	}
	lives := func(what string, s *Store, want ...string) (all []members.Member) {
		t.Helper()
		var names []string
		for _, m := range beat(s) {
			names = append(names, m.Instance)
			all = append(all, m)
			if m.Address != "http://"+m.Instance || m.Epoch == 0 {
				t.Errorf("%s: %+v", what, m)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s %v live, want %v", what, names, want)
		}
		return all
	}
	lives("at first", one, "one")
	all := lives("then", two, "one", "two")
	if got := lives("now", one, "one", "two"); !slices.Equal(got, all) {
		t.Errorf("one knows %v, two %v", got, all)
	}
	exec("UPDATE heartbeats SET seen_at = seen_at - ? WHERE instance = 'two'", members.Window.Milliseconds()+1)
	lives("after two fell silent", one, "one")
	if got := lives("after it came back", two, "one", "two"); got[1] != all[1] {
		t.Errorf("it came back as %v, was %v", got[1], all[1])
	}
	exec("INSERT INTO heartbeats (instance, at, seen_at) SELECT 'dead', 1, seen_at - 25 * 3600000 FROM heartbeats " +
		"WHERE instance = 'one'")
	exec("INSERT INTO heartbeats (instance, at, seen_at) SELECT 'old', 1, seen_at - 23 * 3600000 FROM heartbeats WHERE " +
		"instance = 'one'")
	three := open(t, Config{DSN: dsn, Instance: "three", Address: "http://three"})
	lives("with a third", three, "one", "three", "two")
	var kept []string
	if err := one.reads.Raw("SELECT instance FROM heartbeats WHERE epoch = 0").Scan(&kept).Error; err != nil ||
		!slices.Equal(kept, []string{"old"}) {
		t.Errorf("of the dead %v are kept, %v", kept, err)
	}
	if err := two.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	lives("after two left", two, "one", "three")
	lives("after two left", one, "one", "three")
	lives("after two left", three, "one", "three")
	for i := range 50 {
		if key := strconv.Itoa(i); two.Members().Mine(key) || one.Members().Mine(key) == three.Members().Mine(key) {
			t.Errorf("%s is owned by none, or by two", key)
		}
	}
}

// deadlines looks for overdue games again and again, while clocks run: it looks only at games past their deadline,
// which then moves on, and games that are over are forgotten.
func deadlines(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	g := s.Games()
	duel := func(id string, left ...string) table.Game { // its clocks began at 1,000,000, seat 1 is to move
		var controls []clock.Control
		for _, text := range left {
			c, err := clock.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			controls = append(controls, c)
		}
		state, _, err := clock.New(controls, false).Apply(clock.Event{
			At: 1_000_000, Kind: clock.Awaited, Await: []int8{1}, HasAwait: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		next, _ := state.Next()
		return table.Game{ID: id, Variant: "quixo/duel", Seats: 2, Status: table.Running, Clock: state, Deadline: next.At}
	}
	waiting := table.Game{ID: "waits", Status: table.Waiting, Deadline: 1_400_000}
	games := []table.Game{
		duel("even", "100", "100"), duel("hasty", "300", "20"), duel("long", "600", "600"), duel("unwatched", "50", "600"),
		waiting,
	}
	if err := g.Create(t.Context(), games); err != nil {
		t.Fatal(err)
	}
	watch := func(games ...table.Armed) {
		t.Helper()
		if err := g.Watch(t.Context(), games); err != nil {
			t.Fatal(err)
		}
	}
	watch([]table.Armed{
		{ID: "even", Deadline: 1_100_000},
		{ID: "hasty", Deadline: 1_020_000},
		{ID: "long", Deadline: 1_600_000},
		{ID: "waits", Deadline: 1_400_000},
		{ID: "gone", Deadline: 1_010_000},
	}...)
	// the earlier deadline stays
	watch(table.Armed{ID: "even", Deadline: 1_090_000}, table.Armed{ID: "long", Deadline: 1_700_000})
	due := func() map[string]int64 {
		t.Helper()
		var rows []deadlineRow
		if err := s.reads.Find(&rows).Error; err != nil {
			t.Fatal(err)
		}
		all := map[string]int64{}
		for _, r := range rows {
			all[r.GameID] = r.DueAt
		}
		return all
	}
	expect := func(before int64, want string, times map[string]int64) {
		t.Helper()
		list, err := g.Overdue(t.Context(), before, 10)
		var ids []string
		for _, one := range list {
			ids = append(ids, one.ID)
		}
		if got := strings.Join(ids, " "); err != nil || got != want {
			t.Errorf("before %d %q are overdue, want %q; %v", before, got, want, err)
		}
		if got := due(); !maps.Equal(got, times) {
			t.Errorf("at %d they are to be looked at %v, want %v", before, got, times)
		}
	}
	expect(1_005_000, "", map[string]int64{
		"even": 1_090_000, "hasty": 1_020_000, "long": 1_600_000, "waits": 1_400_000, "gone": 1_010_000,
	})
	expect(1_030_000, "", map[string]int64{"even": 1_090_000, "hasty": 1_050_000, "long": 1_600_000, "waits": 1_400_000})
	if err := g.Watch(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.reads.Exec("DELETE FROM live_games WHERE game_id = 'long'").Error; err != nil {
		t.Fatal(err)
	}
	expect(1_060_000, "unwatched", map[string]int64{
		"even": 1_090_000, "hasty": 1_080_000, "long": 1_600_000, "waits": 1_400_000, "unwatched": 0,
	})
	expect(1_500_000, "unwatched even hasty waits", map[string]int64{
		"even": 1_090_000, "hasty": 1_080_000, "long": 1_600_000, "waits": 1_400_000, "unwatched": 0,
	})
	expect(1_700_000, "unwatched even hasty waits", map[string]int64{
		"even": 1_090_000, "hasty": 1_080_000, "waits": 1_400_000, "unwatched": 0,
	})
}

// takeOver kills the owner of a game, so that its heartbeats stop without a word: the flag falls at the other instance,
// as of its deadline.
func takeOver(t *testing.T, dsn string) {
	var taken atomic.Int64
	run := func(name string) (*table.Tables, func()) {
		s := open(t, Config{DSN: dsn, Instance: name})
		tables := table.New(table.Config{
			Storage: s.Games().Storage(), Shared: true, Peers: s.Peers(), Owners: s.Members(), Instance: name,
			Logger:    slog.New(slog.DiscardHandler),
			FlagTaken: func() { taken.Add(1) },
		})
		s.Members().Observe(tables.OwnersChanged)
		if err := tables.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = tables.Run(ctx)
		}()
		stop := sync.OnceFunc(func() {
			cancel()
			<-ended
		})
		t.Cleanup(stop)
		return tables, stop
	}
	wait := func(what string, until func() bool) {
		t.Helper()
		for began := time.Now(); !until(); time.Sleep(5 * time.Millisecond) {
			if time.Since(began) > time.Minute {
				t.Fatalf("never %s", what)
			}
		}
	}
	one, kill := run("one")
	two, _ := run("two")
	wait("both know of each other", func() bool { return !one.Owners.Alone() && !two.Owners.Alone() })
	id := newDuel(t, one, "4")
	if one.Owned() != 1 || two.Owned() != 0 {
		t.Errorf("one waits for %d deadlines, two for %d", one.Owned(), two.Owned())
	}
	kill()
	var s *table.Snapshot
	wait("the flag falls", func() (over bool) {
		var err error
		if s, err = two.Snapshot(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return s.Game.Status.Over()
	})
	t.Logf("stored %d ms after the deadline", two.Time().UnixMilli()-s.Game.FinishedAt)
	if s.Game.FinishedAt != s.Lines[0].At+4000 || taken.Load() != 1 {
		t.Errorf("it fell %d ms after the start; %d were taken over", s.Game.FinishedAt-s.Lines[0].At, taken.Load())
	}
}

// service is an instance's tables on a store.
func service(t *testing.T, dsn, instance string, wrong time.Duration) *table.Tables {
	t.Helper()
	s, err := Open(t.Context(), Config{DSN: dsn, Instance: instance})
	if err != nil {
		t.Fatal(err)
	}
	tables := table.New(table.Config{
		Storage: s.Games().Storage(), Shared: true, Peers: s.Peers(), Instance: instance,
		Logger: slog.New(slog.DiscardHandler),
		Now:    func() time.Time { return time.Now().Add(wrong) },
	})
	if err := tables.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = tables.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		_ = s.Close()
	})
	return tables
}

// newDuel begins a game, once the instance takes acts: on a busy machine a heartbeat may be overdue.
func newDuel(t *testing.T, tables *table.Tables, control string) string {
	t.Helper()
	for begun := time.Now(); ; {
		games, err := tables.Open(t.Context(), table.NewGame{
			Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{control}, Start: true,
		})
		switch {
		case err == nil:
			return games[0].Game.ID
		case !errors.Is(err, table.ErrUnavailable) || time.Since(begun) > time.Minute:
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// wrongClock plays on two instances, the second with a clock 500 ms ahead: a move costs the time it took, to 50 ms.
func wrongClock(t *testing.T, dsn string) {
	right, wrong := service(t, dsn, "right", 0), service(t, dsn, "wrong", 500*time.Millisecond)
	sent := time.Now()
	id := newDuel(t, right, "600")
	answered := time.Now()
	for turn := 1; turn <= 6; turn++ {
		tables := []*table.Tables{right, wrong}[turn%2]
		seat := (turn-1)%2 + 1
		time.Sleep(100 * time.Millisecond) // the player thinks
		now := time.Now()
		s, err := tables.Play(t.Context(), tables.Arrive(id), table.Move{
			Act: table.Act{Game: id, Seat: int8(seat), By: "x"}, Turn: turn, Token: []string{"a1-a5", "b1-b5"}[seat-1],
		})
		if err != nil {
			t.Fatal(err)
		}
		charged := time.Duration(s.Lines[len(s.Lines)-1].Elapsed) * time.Millisecond
		const most = 50 * time.Millisecond
		if least, longest := now.Sub(answered)-most, time.Since(sent)+most; charged < least || charged > longest {
			t.Errorf("move %d was charged %s, and took between %s and %s", turn, charged, least+most, longest-most)
		}
		sent, answered = now, time.Now()
	}
}

// databaseAway freezes the way to the database for 3 s, for all instances: the players get that time back, but for what
// the server was late with a heartbeat that it had already.
func databaseAway(t *testing.T, server *dbtest.Postgres, dsn string) {
	proxy, through := server.Proxy(t, dsn)
	one, two := service(t, through, "one", 0), service(t, through, "two", 0)
	id := newDuel(t, one, "600")
	beforeThat := time.Now()
	proxy.Freeze()
	frozen := time.Now()
	time.Sleep(3 * time.Second)
	away := time.Since(frozen)
	proxy.Thaw()
	for one.Ready() != nil || two.Ready() != nil || outages(t, two, id) == 0 {
		if time.Since(frozen) > time.Minute {
			t.Fatal("the games do not go on")
		}
		time.Sleep(10 * time.Millisecond)
	}
	least, most := away-time.Second, time.Since(beforeThat)+2*time.Second
	if credited := outages(t, one, id); credited < least || credited > most {
		t.Errorf("%s were given back after %s away", credited, away)
	}
}

// outages returns the time that a game was given back.
func outages(t *testing.T, tables *table.Tables, id string) (sum time.Duration) {
	t.Helper()
	s, err := tables.Snapshot(t.Context(), id)
	if errors.Is(err, table.ErrUnavailable) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range s.Lines {
		if l.Kind == table.LineOutage {
			ms, err := strconv.Atoi(l.Text)
			if err != nil {
				t.Fatal(err)
			}
			sum += time.Duration(ms) * time.Millisecond
		}
	}
	return sum
}
