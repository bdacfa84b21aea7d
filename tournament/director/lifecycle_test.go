package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"quatuor/tournament"
)

// TestOutOfDate refuses commands that build on another version, and repeats those that build on none.
func TestOutOfDate(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 2)
	s := tm.Settings()
	s.Name = "Saturday"
	if _, err := d.Do(ctx, tm.ID, Update(s), Order{By: "ada", Expect: tm.Version - 1}); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("an old version: %v, want ErrStale", err)
	}
	if err := d.Delete(ctx, tm.ID, Order{Expect: tm.Version - 1}); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("deleting an old version: %v, want ErrStale", err)
	}
	if err := d.Delete(ctx, tm.ID, Order{}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("deleting a running tournament: %v, want ErrState", err)
	}
	if answered, err := d.Do(ctx, tm.ID, Update(s), Order{By: "ada", Expect: tm.Version}); err != nil ||
		answered.Version != tm.Version+1 {
		t.Fatalf("the present version: %v, %v", answered, err)
	}
	// Another process changes the tournament each time between this process's read and write.
	other := newDirector(m, &counter{n: 1000})
	faster := 3
	m.loaded = func(string) {
		if faster > 0 {
			faster--
			again := m.loaded
			m.loaded = func(string) {}
			arbiters := []string{fmt.Sprint("arbiter", faster)}
			if _, err := other.Do(ctx, tm.ID, SetArbiters(arbiters), Order{}); err != nil {
				t.Error(err)
			}
			m.loaded = again
		}
	}
	answered, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.see(t, answered); !slices.Equal(got.Arbiters, []string{"arbiter0"}) || len(got.Rounds) != 1 {
		t.Errorf("arbiters %v and %d rounds: one of the changes was lost", got.Arbiters, len(got.Rounds))
	}
}

func TestLifeBeforeTheStart(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	if _, err := d.Create(ctx, "", tournament.Settings{Format: tournament.Swiss, Variant: "quixo/duel"},
		"ada"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a nameless Swiss: %v, want ErrInvalid", err)
	}
	s := duelSettings()
	s.Variant = "quits/four"
	if _, err := d.Create(ctx, "", s, "ada"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a round-robin of four at a board: %v, want ErrInvalid", err)
	}
	tm, err := d.Create(ctx, "", duelSettings(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, tm)
	player := func(name string) tournament.Entry {
		return tournament.Entry{Name: name, Members: []string{name}}
	}
	if _, _, err := d.Register(ctx, tm.ID, player("x"), Order{}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("registering for a draft: %v, want ErrState", err)
	}
	if _, err := d.Do(ctx, tm.ID, Open, organiser); err != nil {
		t.Fatal(err)
	}
	ids := make([]string, 4)
	for i := range ids {
		answered, e, err := d.Register(ctx, tm.ID, player(fmt.Sprint("x", i)), Order{})
		if err != nil || e.ID == "" || e.Status != tournament.Registered {
			t.Fatalf("entry %+v, %v", e, err)
		}
		m.see(t, answered)
		ids[i] = e.ID
	}
	steps := []func() (*tournament.Tournament, error){
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, ConfirmEntry(ids[0]), organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, Withdraw(ids[1]), organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, Reinstate(ids[1]), organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, RemoveEntry(ids[2]), organiser) },
		func() (*tournament.Tournament, error) {
			return d.Do(ctx, tm.ID, UpdateEntry(tournament.Entry{ID: ids[3], Name: "Z", Members: []string{"z"}, Rating: 1800}),
				organiser)
		},
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, Withdraw(ids[0]), organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, Close, organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, Start, organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, DrawRound, organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, DropRound(1), organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, DrawRound, organiser) },
		func() (*tournament.Tournament, error) { return d.Do(ctx, tm.ID, PublishStarting(0, false), organiser) },
	}
	for i, step := range steps {
		tm, err = step()
		if err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
		m.see(t, tm)
	}
	if p := tm.Rounds[0].Pairings; len(p) != 1 || tm.Entries[0].Name != "Z" || tm.Entries[2].Number != 0 ||
		len(m.running()) != 1 {
		t.Errorf("entries %+v, pairings %+v, games %+v", tm.Entries, p, m.running())
	}
	if _, err := d.Tournament(ctx, "nowhere"); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("an unknown tournament: %v, want ErrNotFound", err)
	}
}

func TestDeleteADraft(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm, err := d.Create(ctx, "", duelSettings(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Delete(ctx, tm.ID, Order{Expect: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Load(ctx, tm.ID); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("after deleting: %v, want ErrNotFound", err)
	}
}

// TestWithdrawalForfeits what is still to come.
func TestWithdrawalForfeits(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, automatic(), 4)
	p4 := tm.Entries[3].ID
	answered, err := d.Do(ctx, tm.ID, Withdraw(p4), organiser)
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := m.see(t, answered).Entry(p4); e.WithdrawnFrom != 2 || len(m.running()) != 2 {
		t.Errorf("withdrawn from round %d with %d games running, want 2 and 2", e.WithdrawnFrom, len(m.running()))
	}
	for len(m.running()) > 0 {
		m.end(t, m.running()[0].GameID, 1, 2)
		catch(t, d)
	}
	tm = load(t, m, tm.ID)
	for _, want := range []struct {
		round, board int
		text         string
	}{{1, 1, "1-0"}, {2, 1, "--+"}, {3, 1, "+--"}} {
		p, err := tm.Pairing(want.round, want.board)
		if err != nil || p.Text() != want.text {
			t.Errorf("round %d board %d: %s (%v), want %s", want.round, want.board, p.Text(), err, want.text)
		}
	}
	table, err := d.Standings(load(t, m, tm.ID), 0)
	if err != nil {
		t.Fatal(err)
	}
	if last := table.Rows[3]; last.Entry.ID != p4 || last.Rank != 0 {
		t.Errorf("last line %+v, want P04 without a rank", last)
	}
}

// TestEveryoneWithdraws completes rounds without games at once.
func TestEveryoneWithdraws(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, automatic(), 4)
	for _, e := range tm.Entries {
		if _, err := d.Do(ctx, tm.ID, Withdraw(e.ID), organiser); err != nil {
			t.Fatal(err)
		}
	}
	answered, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	tm = m.see(t, answered)
	if len(tm.Rounds) != 3 || tm.Rounds[2].Status != tournament.Complete || len(m.games) != 0 {
		t.Errorf("%d rounds, %d games; want 3 complete rounds without games", len(tm.Rounds), len(m.games))
	}
}
