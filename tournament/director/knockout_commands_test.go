package director

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
)

// TestAnyCommandsOnAKnockout throws the same commands at a knock-out as at a Swiss. Whatever is accepted, every round
// follows from the results of those before, a match never takes more games than it may, each game counts for a single
// match, and the tournament can be played to its end, with at most a single winner.
func TestAnyCommandsOnAKnockout(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := cupSettings(false)
		s.Rules.Match.ThirdPlace = rapid.Bool().Draw(rt, "third place")
		s.Rules.Match.TieBreakGames = rapid.IntRange(0, 1).Draw(rt, "tie-break games")
		s.Rules.Match.Decision = rapid.SampledFrom([]tournament.Decision{tournament.Armageddon, tournament.ByLot}).
			Draw(rt, "decision")
		m := newMemory()
		c := &anyCup{anySwiss: &anySwiss{T: rt, m: m, d: newDirector(m, &counter{})}}
		c.d.Notifier = c
		c.id = started(t, c.d, s, rapid.IntRange(2, 9).Draw(rt, "entries")).ID
		for range rapid.IntRange(1, 60).Draw(rt, "commands") {
			c.step()
			c.follows()
		}
		c.toTheEnd()
		c.follows()
	})
}

// anyCup is a knock-out that people do anything with.
type anyCup struct{ *anySwiss }

// follows draws every round up again from the results of those before.
func (c *anyCup) follows() {
	t := c.now()
	games := make(map[string]bool)
	for _, r := range t.Rounds {
		again, err := knockout.Pairer{}.Pair(pairing.HistoryOf(t, r.Number))
		if err != nil || len(again) != len(r.Pairings) {
			c.Fatalf("round %d has %d boards, and from the results come %d (%v)", r.Number, len(r.Pairings), len(again), err)
		}
		for i, p := range r.Pairings {
			now, then := slices.Sorted(slices.Values(p.Seats)), slices.Sorted(slices.Values(again[i].Seats))
			if !slices.Equal(now, then) || p.Bye != again[i].Bye {
				c.Fatalf("round %d, board %d: %v play, and from the results come %v", r.Number, i+1, now, then)
			}
			if most := 1 + 1 + t.Rules.Match.TieBreakGames + 1; p.Games > most {
				c.Fatalf("round %d, board %d took %d games", r.Number, i+1, p.Games)
			}
			for _, g := range t.GamesOf(p) {
				if games[g.ID] {
					c.Fatalf("game %s stands twice", g.ID)
				}
				games[g.ID] = true
			}
		}
	}
}

// toTheEnd plays what is left, by hand, and finishes. No player may be left.
func (c *anyCup) toTheEnd() {
	ctx := context.Background()
	for range 20 {
		t := c.now()
		n := len(t.Rounds)
		switch {
		case n > 0 && t.Rounds[n-1].Status == tournament.Paired:
			c.must(c.d.Do(ctx, c.id, PublishStarting(0, false), organiser))
		case n > 0 && t.Rounds[n-1].Status == tournament.Published:
			for _, p := range t.Rounds[n-1].Pairings {
				if p.Result == nil {
					c.must(c.d.Do(ctx, c.id, SetResult(n, p.Board, tournament.Verdict{Ranks: []int{1, 2}}, ""), organiser))
				}
			}
		case t.CanPair() == nil:
			c.must(c.d.Do(ctx, c.id, NextRound, organiser))
		default:
			c.must(c.d.Do(ctx, c.id, Finish, organiser))
			c.check("finish")
			c.oneWinner()
			return
		}
	}
	c.Fatal("it does not come to an end")
}

func (c *anyCup) oneWinner() {
	t := c.now()
	table, err := c.d.Standings(t, 0)
	if err != nil {
		c.Fatal(err)
	}
	first := 0
	for i, row := range table.Rows {
		if row.Rank == 1 {
			first++
		}
		if row.Rank < 1 || row.Shared < row.Rank || row.Shared > len(table.Rows) || i > 0 && row.Rank < table.Rows[i-1].Rank {
			c.Fatalf("%s has ranks %d to %d of %d", row.Entry.Name, row.Rank, row.Shared, len(table.Rows))
		}
	}
	last := t.Rounds[len(t.Rounds)-1]
	nobody := slices.ContainsFunc(last.Pairings, func(p tournament.Pairing) bool { return p.Text() == "---" })
	if first > 1 || first == 0 && !nobody {
		c.Fatalf("%d are first", first)
	}
}
