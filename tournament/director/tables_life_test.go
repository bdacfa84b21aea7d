package director

import (
	"context"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
)

// TestTablesLife does whatever comes to mind to a table Swiss. No entry sits twice, all tables have a size of the
// regulations and their points, an undo restores what was, the history has the results, a round is drawn again from
// what was kept, and the same commands have the same outcome.
func TestTablesLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var script []func(*Director, string) error
		m := newMemory()
		d := newDirector(m, &counter{})
		s := meleeSettings()
		s.RoundCount = 4
		s.Rules.Tables.Short = rapid.Bool().Draw(t, "short")
		s.Rules.Tables.MeetingsSecond = rapid.Bool().Draw(t, "scores first")
		if rapid.Bool().Draw(t, "partners") {
			s.Variant, s.Rules.Tables.Rotate = "quixo/teams", true
		}
		if rapid.Bool().Draw(t, "hall") {
			s.Venue = tournament.InHall
		}
		n := rapid.IntRange(4, 11).Draw(t, "entries")
		tm := started(t, d, s, n)
		for range rapid.IntRange(5, 30).Draw(t, "acts") {
			before := settledTables(m.stored[tm.ID])
			undoable := m.stored[tm.ID].Version
			act := tableAct(t, m.stored[tm.ID])
			script = append(script, act)
			if err := act(d, tm.ID); err == nil && m.stored[tm.ID].Version == undoable+1 && rapid.Bool().Draw(t, "undo") {
				undo := func(d *Director, id string) error {
					_, err := d.Undo(context.Background(), id, undoable+1, organiser)
					return err
				}
				script = append(script, undo)
				if err := undo(d, tm.ID); err == nil && settledTables(m.stored[tm.ID]) != before {
					t.Fatalf("undone:\n%s\nbefore:\n%s", settledTables(m.stored[tm.ID]), before)
				}
			}
			checkTables(t, m, m.stored[tm.ID])
		}
		again := newMemory()
		twin := newDirector(again, &counter{})
		started(t, twin, s, n)
		for _, act := range script {
			_ = act(twin, tm.ID)
		}
		one, _ := json.Marshal(m.stored[tm.ID])
		other, _ := json.Marshal(again.stored[tm.ID])
		if string(one) != string(other) {
			t.Fatalf("the same commands lead to\n%s\nand\n%s", one, other)
		}
		for _, r := range m.stored[tm.ID].Rounds {
			if _, err := d.Explain(context.Background(), m.stored[tm.ID], r.Number, true); err != nil {
				t.Fatalf("round %d is not explained: %v", r.Number, err)
			}
		}
	})
}

// settledTables is a tournament without what an undo does not restore: versions and ids of games.
func settledTables(t *tournament.Tournament) string {
	c := clone(t)
	c.Version, c.PublicVersion = 0, 0
	if len(c.Rounds) == 0 {
		c.Rounds = nil
	}
	for i := range c.Rounds {
		for j := range c.Rounds[i].Pairings {
			c.Rounds[i].Pairings[j].GameID, c.Rounds[i].Pairings[j].HallGame = "", ""
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// tableAct draws an act of the tournament's staff; it may be refused.
func tableAct(t *rapid.T, tm *tournament.Tournament) func(*Director, string) error {
	ctx := context.Background()
	entry := rapid.SampledFrom(tm.Entries).Draw(t, "entry").ID
	other := rapid.SampledFrom(tm.Entries).Draw(t, "other").ID
	round := len(tm.Rounds)
	board, seats := 1, 4
	if round > 0 {
		p := rapid.SampledFrom(tm.Rounds[round-1].Pairings).Draw(t, "board")
		board, seats = p.Board, len(p.Seats)
	}
	v := tournament.Verdict{Ranks: rapid.SliceOfN(rapid.IntRange(1, seats), seats, seats).Draw(t, "ranks")}
	v.Ranks[rapid.IntRange(0, seats-1).Draw(t, "first")] = 1
	if rapid.IntRange(0, 3).Draw(t, "all came") == 0 {
		v.Missing = []int{rapid.IntRange(1, seats).Draw(t, "missing")}
	} else if ranks, err := tournament.RankVerdict(v.Ranks); err == nil {
		v = ranks
	}
	if tm.Rules.Tables.Rotate && v.Missing == nil {
		v, _ = tournament.ParseVerdict(rapid.SampledFrom([]string{"1-0", "0-1", "1/2-1/2"}).Draw(t, "result"))
	}
	name := rapid.StringMatching("[A-Z][a-z]{5}").Draw(t, "name")
	kinds := []string{
		"result", "result", "result", "next", "next", "draw", "publish", "late", "withdraw", "back", "bye", "ban", "swap",
		"move", "drop", "finish",
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "act")
	return func(d *Director, id string) (err error) {
		switch kind {
		case "next":
			_, err = d.Do(ctx, id, NextRound, organiser)
		case "draw":
			_, err = d.Do(ctx, id, DrawRound, organiser)
		case "publish":
			_, err = d.Do(ctx, id, PublishStarting(0, false), organiser)
		case "late":
			_, _, err = d.AddEntry(ctx, id, tournament.Entry{Name: name, Members: []string{name}, Rating: 1500}, organiser)
		case "withdraw":
			_, err = d.Do(ctx, id, Withdraw(entry), organiser)
		case "back":
			_, err = d.Do(ctx, id, Reinstate(entry), organiser)
		case "bye":
			_, err = d.Do(ctx, id, RequestByes(entry, []tournament.RequestedBye{{Round: round + 1, Bye: tournament.HalfPoint}}),
				organiser)
		case "ban":
			_, err = d.Do(ctx, id, SetForbidden([]tournament.Ban{{Entries: []string{entry, other}}}), organiser)
		case "swap":
			_, err = d.Do(ctx, id, EditRound(round, []tournament.Edit{{
				Kind:    tournament.SwapEntries,
				Entries: []string{entry, other},
			}}, ""), organiser)
		case "move":
			_, err = d.Do(ctx, id, EditRound(round, []tournament.Edit{{
				Kind: tournament.MoveEntry, Board: board,
				Entries: []string{entry},
			}}, ""), organiser)
		case "drop":
			_, err = d.Do(ctx, id, DropRound(round), organiser)
		case "finish":
			_, err = d.Do(ctx, id, Finish, organiser)
		default:
			_, err = d.Do(ctx, id, SetResult(round, board, v, "by hand"), organiser)
		}
		return err
	}
}

// checkTables checks the invariants of every tournament.
func checkTables(t *rapid.T, m *memory, tm *tournament.Tournament) {
	for _, r := range tm.Rounds {
		seen := map[string]bool{}
		for i, p := range r.Pairings {
			if p.Board != i+1 {
				t.Fatalf("round %d: board %d in place %d", r.Number, p.Board, i+1)
			}
			if p.Bye == tournament.NoBye && !tm.Rules.Tables.Sizes.Has(len(p.Seats)) {
				t.Fatalf("round %d: a table of %d", r.Number, len(p.Seats))
			}
			for _, id := range p.Seats {
				if seen[id] {
					t.Fatalf("round %d: %s sits twice", r.Number, id)
				}
				seen[id] = true
			}
			checkTableResult(t, m, tm, r, p)
		}
	}
	if _, err := m.Load(context.Background(), tm.ID); err != nil {
		t.Fatal(err)
	}
}

// checkTableResult holds a result to its ranks and to the history.
func checkTableResult(t *rapid.T, m *memory, tm *tournament.Tournament, r tournament.Round, p tournament.Pairing) {
	if p.Result == nil || p.Bye != tournament.NoBye {
		return
	}
	var given tournament.Points
	for seat, points := range p.Result.Points {
		given += points
		for other, less := range p.Result.Points {
			a, b := p.Result.Ranks, p.Result.Forfeit
			if a != nil && !b && a[seat] > 0 && a[other] > 0 && a[seat] < a[other] && points < less {
				t.Fatalf("rank %d has %s and rank %d has %s", a[seat], points, a[other], less)
			}
		}
	}
	if len(p.Result.Verdict().Absent(len(p.Seats))) == 0 {
		want := tournament.Points(10 * len(p.Seats) * (len(p.Seats) - 1) / 2)
		if tm.Rules.Tables.Rotate {
			want = 20
		}
		if given != want {
			t.Fatalf("a table of %d gave %s, want %s", len(p.Seats), given, want)
		}
	}
	var last *tournament.Result
	for _, c := range m.history[tm.ID] {
		if c.Round == r.Number && c.Board == p.Board {
			last = c.After
		}
	}
	if last == nil || last.Text() != p.Result.Text() {
		t.Fatalf("round %d, table %d: the history says %q of %q", r.Number, p.Board, last.Text(), p.Result.Text())
	}
}
