package store

import (
	"context"
	"slices"
	"testing"
	"time"

	"quatuor/engine/table"
)

// runTables runs tables on a store by a clock that is wrong, until stop.
func runTables(t *testing.T, s *Store, instance string, wrong time.Duration) (tables *table.Tables, stop func()) {
	t.Helper()
	tables = table.New(table.Config{
		Storage: s.Games().Storage(), Instance: instance, Now: func() time.Time { return time.Now().Add(wrong) },
	})
	if err := tables.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = tables.Run(ctx)
	}()
	return tables, func() { cancel(); <-ended }
}

// TestSetBack accepts a clock that is a week behind the last heartbeat. Games go on with the time left on their clocks,
// by times that are not ahead, and their rows agree with their logs. Doing it twice does nothing more.
func TestSetBack(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	tables, stop := runTables(t, s, "ahead", week)
	var ids []string
	for _, w := range []table.NewGame{
		{Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"600+5"}, Start: true},
		{Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"3days"}, Start: true},
		{Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"600"}, Start: true},
		{Variant: "quixo/duel", Players: []string{"ada", ""}, Controls: []string{"600"}, Open: true, CreatedBy: "ada", Start: true},
	} {
		games, err := tables.Open(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, games[0].Game.ID)
	}
	played := ids[:2]
	for _, id := range played {
		_, err := tables.Play(t.Context(), tables.Arrive(id), table.Move{Act: table.Act{Game: id, Seat: 1}, Turn: 1, Token: "a1-a5"})
		if err != nil {
			t.Fatal(err)
		}
	}
	why := table.Ruling{By: "x", Reason: "a fire alarm"}
	if _, err := tables.Pause(t.Context(), tables.Arrive(ids[2]), why, ""); err != nil {
		t.Fatal(err)
	}
	stop()
	last, err := s.Games().LastBeat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	left := map[string][]int64{}
	for _, id := range ids[:3] {
		left[id] = remaining(t, s, id, last)
	}
	now := time.Now().UnixMilli()
	games, by, err := s.Games().SetBack(t.Context(), now)
	if err != nil || games != len(ids) || by != last-now {
		t.Errorf("%d games were set back by %d ms, %v; want %d by %d", games, by, err, len(ids), last-now)
	}
	if games, by, err = s.Games().SetBack(t.Context(), now); err != nil || games != 0 || by != 0 {
		t.Errorf("the second time sets %d games back by %d ms, %v", games, by, err)
	}
	for _, id := range ids {
		game, lines, err := s.Games().Load(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range table.Audit(game, lines) {
			t.Errorf("%s, %s: %s", id, game.Status, fault)
		}
		if latest := max(game.Clock.LastAt(), game.CreatedAt, game.StartedAt); latest > now {
			t.Errorf("%s has a time that is %d ms ahead", id, latest-now)
		}
	}
	for _, id := range ids[:3] {
		if got := remaining(t, s, id, now); !slices.Equal(got, left[id]) {
			t.Errorf("%v ms remain of %v", got, left[id])
		}
	}
	tables, stop = runTables(t, s, "right", 0)
	defer stop()
	if ahead := tables.Ahead().Abs(); ahead > time.Second {
		t.Errorf("the games' time is still ahead by %s", ahead)
	}
	id := played[0]
	snapshot, err := tables.Play(t.Context(), tables.Arrive(id), table.Move{Act: table.Act{Game: id, Seat: 2}, Turn: 2, Token: "b1-b5"})
	if err != nil {
		t.Fatal(err)
	}
	if got := snapshot.Clocks(tables.Time().UnixMilli())[1].Remaining; got > 605_000 || got < 600_000 {
		t.Errorf("%d ms remain after a move at once", got)
	}
}

const week = 7 * 24 * time.Hour

func remaining(t *testing.T, s *Store, id string, at int64) (left []int64) {
	t.Helper()
	game, _, err := s.Games().Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for seat := range game.Seats {
		left = append(left, game.Clock.Seat(int8(seat+1), at).Remaining)
	}
	return left
}

// TestHeartbeatsOfEarlierRuns are removed by the first of a run: they neither grow nor keep the time ahead.
func TestHeartbeatsOfEarlierRuns(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	now := time.Now().UnixMilli()
	for _, at := range []int64{now - 5000, now + 1000*3600*24, now + 20} {
		s.backend.(*file).tidied.Store(false) // as after a start
		for range 3 {
			if err := s.Games().Beat(t.Context(), time.UnixMilli(at).String(), at); err != nil {
				t.Fatal(err)
			}
		}
		var rows int
		if err := s.reads.Raw("SELECT count(*) FROM heartbeats").Scan(&rows).Error; err != nil || rows != 1 {
			t.Errorf("%d heartbeats are kept, %v", rows, err)
		}
		if last, err := s.Games().LastBeat(t.Context()); err != nil || last != at {
			t.Errorf("the last heartbeat is at %d, %v; want %d", last, err, at)
		}
	}
}
