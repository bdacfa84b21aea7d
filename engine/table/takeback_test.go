package table

import (
	"errors"
	"sync"
	"testing"
	"time"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

func (e *evening) openWithTakebacks(variant string) *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), NewGame{
		Variant: variant, Players: []string{"ada", "bob"}, Controls: []string{"60+5"}, Start: true, Takebacks: true,
		CreatedBy: "ada",
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

func TestPlayersAgreeToTakeAMoveBack(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.openWithTakebacks("quixo/duel").Game.ID
		ada, bob := Act{Game: id, Seat: 1, By: "ada"}, Act{Game: id, Seat: 2, By: "bob"}
		if err := second(e.AskBack(ctx, e.Arrive(id), ada)); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("before the first move: %v", err)
		}
		e.pass(10 * time.Second)
		e.mustPlay(id, 1, 1, "a1-a5")
		if err := second(e.AgreeBack(ctx, e.Arrive(id), bob)); !errors.Is(err, ErrNoTakebackOffer) {
			t.Errorf("nobody has asked: %v", err)
		}
		must(t)(e.AskBack(ctx, e.Arrive(id), ada))
		if s := must(t)(e.AskBack(ctx, e.Arrive(id), ada)); s.TakebackOffer() != 1 || len(s.Lines) != 3 {
			t.Errorf("asked twice: %+v", s.Lines)
		}
		if err := second(e.AgreeBack(ctx, e.Arrive(id), ada)); !errors.Is(err, ErrNoTakebackOffer) {
			t.Errorf("one's own question: %v", err)
		}
		must(t)(e.DeclineBack(ctx, e.Arrive(id), bob))
		if err := second(e.AskBack(ctx, e.Arrive(id), ada)); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("asked again at once: %v", err)
		}
		e.pass(10 * time.Second)
		e.mustPlay(id, 2, 2, "e1-e5")
		must(t)(e.AskBack(ctx, e.Arrive(id), ada))
		e.pass(3 * time.Second)
		s := must(t)(e.AgreeBack(ctx, e.Arrive(id), bob))
		clocks := s.Clocks(e.now())
		if s.Game.Plies != 0 || s.Game.Turn != 4 || clocks[0].Remaining != 60_000 || clocks[1].Remaining != 60_000 ||
			s.TakebackOffer() != 0 {
			t.Errorf("taken back: %d plies, turn %d, %+v", s.Game.Plies, s.Game.Turn, clocks)
		}
		e.mustPlay(id, 1, 4, "a1-a5")
		must(t)(e.AskBack(ctx, e.Arrive(id), ada))
		s = e.mustPlay(id, 2, 5, "e1-e5")
		if s.TakebackOffer() != 0 {
			t.Error("a move leaves the question open")
		}
		if err := second(e.AgreeBack(ctx, e.Arrive(id), bob)); !errors.Is(err, ErrNoTakebackOffer) {
			t.Errorf("an answer that came after the move: %v", err)
		}
		for _, other := range []*Snapshot{e.open("quixo/duel", "60"), e.openWithTakebacks("quiwin/duel")} {
			act := Act{Game: other.Game.ID, Seat: 1, By: "ada"}
			if err := second(e.AskBack(ctx, e.Arrive(act.Game), act)); !errors.Is(err, ErrNoTakebacks) || other.Game.Takebacks {
				t.Errorf("%s: %v", other.Game.Variant, err)
			}
		}
	})
}

// TestConcurrentRequests lets acts of both players that exclude each other arrive at the same time, again and again;
// the stored log is always consistent.
func TestConcurrentRequests(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx := t.Context()
		for range 40 {
			id := e.openWithTakebacks("quixo/duel").Game.ID
			ada, bob := Act{Game: id, Seat: 1, By: "ada"}, Act{Game: id, Seat: 2, By: "bob"}
			e.mustPlay(id, 1, 1, "a1-a5")
			must(t)(e.Offer(ctx, e.Arrive(id), ada))
			must(t)(e.AskBack(ctx, e.Arrive(id), ada))
			acts := []func() error{
				func() error { return second(e.Resign(ctx, e.Arrive(id), ada)) },
				func() error { return second(e.Resign(ctx, e.Arrive(id), bob)) },
				func() error { return second(e.Accept(ctx, e.Arrive(id), bob)) },
				func() error { return second(e.AgreeBack(ctx, e.Arrive(id), bob)) },
				func() error { return second(e.play(id, 2, 2, "e1-e5")) },
				func() error { return second(e.play(id, 2, 2, "e2-e5")) },
				func() error {
					return second(e.AbortIf(ctx, e.Arrive(id), "bob", sentence.Sentence{}, func(s *Snapshot) error {
						if s.Game.Plies > 1 {
							return ErrConflict
						}
						return nil
					}))
				},
			}
			var wg sync.WaitGroup
			for _, act := range acts {
				wg.Go(func() { _ = act() })
			}
			wg.Wait()
			s := e.see(id)
			if !s.Game.Status.Over() || s.Game.Status == Aborted && s.Game.Plies > 1 {
				t.Errorf("the game is %s after %d plies", s.Game.Status, s.Game.Plies)
			}
			ends := 0
			for _, l := range s.Lines {
				if l.Kind == LineLeft || l.Kind == LineAgreed || l.Kind == LineAbort {
					ends++
				}
			}
			if ends != 1 {
				t.Errorf("the game ended %d times: %+v", ends, s.Lines)
			}
		}
		if e.journal.ends() != 40 {
			t.Errorf("%d games went to those who count results", e.journal.ends())
		}
	})
}

func TestARematchIsOneGame(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx := t.Context()
		first := e.openWithTakebacks("quixo/duel").Game.ID
		if err := second(e.Rematch(ctx, first, "ada", "ada")); !errors.Is(err, ErrNotOver) {
			t.Errorf("of a game that goes on: %v", err)
		}
		must(t)(e.Resign(ctx, e.Arrive(first), Act{Game: first, Seat: 1, By: "ada"}))
		var wg sync.WaitGroup
		for range 5 {
			for _, who := range []string{"ada", "bob"} {
				wg.Go(func() { must(t)(e.Rematch(ctx, first, who, who)) })
			}
		}
		wg.Wait()
		if ids := e.journal.ids(); len(ids) != 2 {
			t.Errorf("%d games were made", len(ids))
		}
		next := e.see(RematchOf(first))
		if next.Game.Status != Running || next.Game.Players[0] != "bob" || kindsOf(next.Lines) != "accept start" {
			t.Errorf("the rematch is %s between %v", next.Game.Status, next.Game.Players)
		}
		must(t)(e.Resign(ctx, e.Arrive(next.Game.ID), Act{Game: next.Game.ID, Seat: 1, By: "bob"}))
		must(t)(e.Rematch(ctx, next.Game.ID, "bob", "bob"))
		offered := must(t)(e.Rematch(ctx, next.Game.ID, "bob", "bob"))
		if offered.Game.Status != Waiting {
			t.Errorf("one's own offer starts the game: %s", offered.Game.Status)
		}
		must(t)(e.Abort(ctx, offered.Game.ID, "ada", sentence.Typed("no time")))
		if err := second(e.Rematch(ctx, next.Game.ID, "bob", "bob")); !errors.Is(err, ErrDeclined) {
			t.Errorf("after it was declined: %v", err)
		}
	})
}
