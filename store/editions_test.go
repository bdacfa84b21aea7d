package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"gorm.io/gorm"
	"pgregory.net/rapid"

	"quatuor/tournament"
)

// TestKeptTournamentsAreTheStoredOnes makes changes of every kind and holds what is kept against what the database has.
func TestKeptTournamentsAreTheStoredOnes(t *testing.T) {
	s := open(t, Config{Dir: folder(t)})
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		id := fmt.Sprint("t", runs)
		v := &tournament.Tournament{ID: id, Status: tournament.Open, CreatedAt: int64(runs)}
		if err := s.Tournaments().Create(context.Background(), v); err != nil {
			t.Fatal(err)
		}
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			v = loadBoth(t, s, id)
			d := anyDelta(t, v, step)
			next := *v
			next.Version++
			next.Name = fmt.Sprint("step ", step)
			if err := s.Tournaments().Save(context.Background(), &next, v.Version, d); err != nil {
				t.Fatal(err)
			}
		}
		loadBoth(t, s, id)
	})
}

// loadBoth returns what is kept, after it was found to be what is stored.
func loadBoth(t *rapid.T, s *Store, id string) *tournament.Tournament {
	stored, err := s.Tournaments().read(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // from the database or as it was carried over, and then as it is kept
		got, err := s.Tournaments().Load(context.Background(), id)
		if err != nil || !reflect.DeepEqual(got, stored) {
			t.Fatalf("kept\n%+v\nstored\n%+v\nerror %v", got, stored, err)
		}
	}
	return stored
}

// anyDelta changes some part of a tournament, as far as the database takes it.
func anyDelta(t *rapid.T, v *tournament.Tournament, step int) tournament.Delta {
	pairing := func(board int) tournament.Pairing {
		p := tournament.Pairing{Board: board, Seats: []string{fmt.Sprint(step), "x"}}
		if rapid.Bool().Draw(t, "decided") {
			p.Result = &tournament.Result{Points: []tournament.Points{10, 0}}
		}
		return p
	}
	switch rapid.SampledFrom([]string{"add", "number", "remove", "order", "round", "pairing", "drop", "nothing"}).Draw(t, "kind") {
	case "add":
		return tournament.Delta{Entries: []tournament.Entry{{ID: fmt.Sprint("e", step), Name: "new"}}}
	case "number":
		var d tournament.Delta
		order := rapid.Permutation(v.Entries).Draw(t, "order")
		for i, e := range order[:rapid.IntRange(0, len(order)).Draw(t, "numbered")] {
			e.Number = i + 1
			d.Entries = append(d.Entries, e)
		}
		for _, e := range order[len(d.Entries):] {
			e.Number = 0
			d.Entries = append(d.Entries, e)
		}
		return d
	case "remove":
		if len(v.Entries) > 0 {
			return tournament.Delta{RemovedEntry: []string{rapid.SampledFrom(v.Entries).Draw(t, "removed").ID}}
		}
	case "order":
		var d tournament.Delta
		for _, e := range rapid.Permutation(v.Entries).Draw(t, "order") {
			d.Order = append(d.Order, e.ID)
		}
		d.Entries = []tournament.Entry{{ID: fmt.Sprint("e", step), Name: "back"}}
		d.Order = slices.Insert(d.Order, rapid.IntRange(0, len(d.Order)).Draw(t, "place"), d.Entries[0].ID)
		return d
	case "round":
		n := rapid.IntRange(1, len(v.Rounds)+1).Draw(t, "round")
		return tournament.Delta{Rounds: []tournament.Round{{
			Number: n, Status: tournament.Paired,
			Pairings: []tournament.Pairing{
				pairing(2), pairing(1),
			},
		}}}
	case "pairing":
		if n := len(v.Rounds); n > 0 {
			return tournament.Delta{Pairings: []tournament.RoundPairing{{
				Round: rapid.IntRange(1, n).Draw(t, "of round"), Pairing: pairing(rapid.IntRange(1, 4).Draw(t, "board")),
			}}}
		}
	case "drop":
		if n := len(v.Rounds); n > 0 {
			return tournament.Delta{RemovedRounds: []int{n}}
		}
	}
	return tournament.Delta{}
}

// TestOthersWrite: what another instance stored is seen at once, and an id that comes back after a deletion is another
// tournament.
func TestOthersWrite(t *testing.T) {
	s := open(t, Config{Dir: folder(t)})
	ctx := t.Context()
	v := &tournament.Tournament{ID: "t", Name: "before", Status: tournament.Open, CreatedAt: 1}
	see := func(want string) {
		t.Helper()
		got, err := s.Tournaments().Load(ctx, "t")
		if err != nil || got.Name != want {
			t.Errorf("%v is seen (%v), want %s", got, err, want)
		}
	}
	elsewhere := func(statement string, args ...any) {
		t.Helper()
		if err := s.backend.write(ctx, func(tx *gorm.DB) error { return tx.Exec(statement, args...).Error }); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tournaments().Create(ctx, v); err != nil {
		t.Fatal(err)
	}
	see("before")
	elsewhere("UPDATE tournaments SET name = ?, version = version + 1 WHERE id = 't'", "changed elsewhere")
	see("changed elsewhere")
	elsewhere("DELETE FROM tournaments WHERE id = 't'")
	if _, err := s.Tournaments().Load(ctx, "t"); err == nil {
		t.Error("a deleted tournament is seen")
	}
	again := &tournament.Tournament{ID: "t", Name: "again", Status: tournament.Open, CreatedAt: 2}
	if err := s.Tournaments().Create(ctx, again); err != nil {
		t.Fatal(err)
	}
	elsewhere("UPDATE tournaments SET version = 2 WHERE id = 't'")
	see("again")
}

// BenchmarkLoadTournament loads a tournament of 1,000 entries and nine rounds: from the database, and as it is kept.
func BenchmarkLoadTournament(b *testing.B) {
	s, err := Open(b.Context(), Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	v := &tournament.Tournament{ID: "t", Status: tournament.Running, CreatedAt: 1}
	for n := range 1000 {
		v.Entries = append(v.Entries, tournament.Entry{
			ID: fmt.Sprint("entry-", n), Number: n + 1, Name: "somebody", Rating: 1800,
		})
	}
	for r := range 9 {
		round := tournament.Round{Number: r + 1, Status: tournament.Complete}
		for i := range 500 {
			round.Pairings = append(round.Pairings, tournament.Pairing{
				Board: i + 1, Seats: []string{v.Entries[2*i].ID, v.Entries[2*i+1].ID}, GameID: fmt.Sprint("g", r, "-", i),
				Scores: []tournament.Points{0, 0}, Result: &tournament.Result{
					Ranks: []int{1, 2}, Points: []tournament.Points{10, 0},
				},
			})
		}
		v.Rounds = append(v.Rounds, round)
	}
	if err := s.Tournaments().Create(b.Context(), v); err != nil {
		b.Fatal(err)
	}
	for name, load := range map[string]func(context.Context, string) (*tournament.Tournament, error){
		"database": s.Tournaments().read, "kept": s.Tournaments().Load,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := load(b.Context(), "t"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
