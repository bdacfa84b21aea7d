package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// meleeSettings is a table Swiss at tables of three to five.
func meleeSettings() tournament.Settings {
	return tournament.Settings{
		Name: "Melee", Variant: "quivive/melee", Format: tournament.TableSwiss, RoundCount: 3, TimeControl: "300+3",
		Rated: true,
	}
}

// endMoved finishes a game with moves by some seats only, from 1.
func (m *memory) endMoved(t rapid.TB, id string, ranks []int, moved ...int) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	f := Finished{Ranks: ranks, Reason: "time", Plies: 3 * len(moved), Moved: make([]bool, len(ranks))}
	for _, seat := range moved {
		f.Moved[seat-1] = true
	}
	m.finish(m.games[id], f)
}

// TestAMeleeIsPlayed follows a round of two tables from the draw to the standings.
func TestAMeleeIsPlayed(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := inFirstRound(t, d, meleeSettings(), 7)
	m.see(t, tm)
	if got := tm.Points; got.Bye != 15 || got.Win != 30 || got.ForfeitWin != 15 {
		t.Errorf("points %+v, want a bye worth the mean of a table of four", got)
	}
	if !slices.Equal(tm.TieBreaks, []string{"WIN", "2ND", "BH", "TSH", "SEAT"}) {
		t.Errorf("tie-breaks %v", tm.TieBreaks)
	}
	games := m.running()
	if len(games) != 2 || len(games[0].Players) != 4 || len(games[1].Players) != 3 {
		t.Fatalf("games %+v, want a table of four and one of three", games)
	}
	m.endMoved(t, games[0].GameID, []int{2, 1, 4, 3}, 1, 2, 3, 4)
	m.endMoved(t, games[1].GameID, []int{1, 2, 2}, 1, 2, 3)
	catch(t, d)
	tm = load(t, m, tm.ID)
	p := tm.Rounds[0].Pairings
	if tm.Rounds[0].Status != tournament.Complete ||
		!slices.Equal(p[0].Result.Points, []tournament.Points{20, 30, 0, 10}) ||
		!slices.Equal(p[1].Result.Points, []tournament.Points{20, 5, 5}) {
		t.Errorf("results %+v and %+v", p[0].Result, p[1].Result)
	}
	table, err := d.Standings(load(t, m, tm.ID), 0)
	if err != nil {
		t.Fatal(err)
	}
	if first := table.Rows[0]; first.Points != 30 || first.TieBreaks[0] != "1" || first.TieBreaks[3] != "0.500" ||
		first.TieBreaks[4] != "2.00" {
		t.Errorf("first of the standings %+v, want three points of six from seat 2", first)
	}
	kept, err := m.PairingInput(ctx, tm.ID, 1)
	if err != nil || !strings.Contains(kept.Text, `"found":"{\"tables\":[[`) {
		t.Errorf("what the round was paired from keeps no tables for its reasons: %s, error %v", kept.Text, err)
	}
	why, err := d.Explain(ctx, tm, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	if b := why.Boards[0]; b.Source != pairing.BySystem ||
		!strings.Contains(b.Meeting.String(), "All meet for the first time") ||
		!strings.Contains(b.Colours.String(), "seat") {
		t.Errorf("explained as %+v", b)
	}
}

// TestNoShowsAtATable: a server's game counts without absent players if the regulations allow it and three are there;
// otherwise the arbiter decides.
func TestNoShowsAtATable(t *testing.T) {
	for _, test := range []struct {
		name   string
		short  bool
		ranks  []int
		moved  []int
		want   string // result, "" for none
		points []tournament.Points
	}{
		{"all came", false, []int{1, 2, 3, 4}, []int{1, 2, 3, 4}, "1,2,3,4", []tournament.Points{30, 20, 10, 0}},
		{"played short", true, []int{2, 4, 1, 3}, []int{1, 3, 4}, "2,-,1,3", []tournament.Points{20, 0, 30, 10}},
		{"the regulations do not say so", false, []int{2, 4, 1, 3}, []int{1, 3, 4}, "", nil},
		{"two are too few", true, []int{2, 3, 1, 3}, []int{1, 3}, "", nil},
		{"the last one need not have moved", true, []int{4, 3, 2, 1}, []int{1, 2, 3}, "4,3,2,1", []tournament.Points{0, 10, 20, 30}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, m := context.Background(), newMemory()
			d := newDirector(m, &counter{})
			s := meleeSettings()
			s.Rules.Tables.Short = test.short
			tm := inFirstRound(t, d, s, 4)
			m.endMoved(t, tm.Rounds[0].Pairings[0].GameID, test.ranks, test.moved...)
			catch(t, d)
			tm = load(t, m, tm.ID)
			p := tm.Rounds[0].Pairings[0]
			if got := p.Text(); got != test.want || p.Result != nil && !slices.Equal(p.Result.Points, test.points) {
				t.Fatalf("result %q, %+v; want %q, %v", got, p.Result, test.want, test.points)
			}
			if test.want != "" {
				return
			}
			if h := m.history[tm.ID]; len(h) != 1 || !strings.Contains(h[0].Why, "did not come") || h[0].After != nil {
				t.Errorf("history %+v, want that somebody did not come", h)
			}
			// The arbiter decides: not played; present players have the mean of the table.
			tm, err := d.Do(ctx, tm.ID, SetResult(1, 1, tournament.Verdict{Missing: []int{2}}, "nobody to play with"), organiser)
			if err != nil {
				t.Fatal(err)
			}
			if p := tm.Rounds[0].Pairings[0]; p.Text() != "+,-,+,+" ||
				!slices.Equal(p.Result.Points, []tournament.Points{15, 0, 15, 15}) {
				t.Errorf("decided as %q, %+v", p.Text(), p.Result)
			}
			for _, card := range tm.Cards(1) {
				want := tournament.ForfeitWin
				if card.Cells[0].Seat == 2 {
					want = tournament.ForfeitLoss
				}
				if card.Cells[0].Kind != want {
					t.Errorf("seat %d: kind %d, want %d", card.Cells[0].Seat, card.Cells[0].Kind, want)
				}
			}
		})
	}
}

// TestATableByHand enters valid and invalid results of a table.
func TestATableByHand(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := meleeSettings()
	s.Venue = tournament.InHall
	tm := inFirstRound(t, d, s, 8)
	set := func(board int, v tournament.Verdict) (tournament.Pairing, error) {
		next, err := d.Do(ctx, tm.ID, SetResult(1, board, v, ""), organiser)
		if err != nil {
			return tournament.Pairing{}, err
		}
		return next.Rounds[0].Pairings[board-1], nil
	}
	p, err := set(1, tournament.Verdict{Ranks: []int{9, 1, 1, 2}, Missing: []int{1}})
	if err != nil || p.Text() != "-,1,1,3" || !slices.Equal(p.Result.Points, []tournament.Points{0, 25, 25, 10}) ||
		p.Result.Rated {
		t.Errorf("three came: %+v, %v", p.Result, err)
	}
	v, _ := tournament.RankVerdict([]int{1, 1, 2, 3})
	p, err = set(1, v)
	if err != nil || p.Text() != "1,1,3,4" ||
		!slices.Equal(p.Result.Points, []tournament.Points{25, 25, 10, 0}) || !p.Result.Rated {
		t.Errorf("corrected: %+v, %v", p.Result, err)
	}
	p, err = set(2, tournament.Verdict{Missing: []int{1, 2, 3, 4}})
	if err != nil || p.Text() != "---" ||
		!slices.Equal(p.Result.Points, make([]tournament.Points, 4)) {
		t.Errorf("nobody came: %+v, %v", p.Result, err)
	}
	for name, v := range map[string]tournament.Verdict{
		"too few ranks":      {Ranks: []int{1, 2, 3}},
		"a forfeit of two":   {Ranks: []int{1, 2}, Forfeit: true},
		"no fifth seat":      {Ranks: []int{1, 2, 3, 4}, Missing: []int{5}},
		"no first":           {Ranks: []int{1, 2, 3, 4}, Missing: []int{1}},
		"nothing said":       {Missing: []int{}},
		"four of three here": {Ranks: []int{1, 2, 3, 4, 5}},
	} {
		if _, err := set(2, v); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	undone, err := d.Undo(ctx, tm.ID, d.Undoable(load(t, m, tm.ID), m.acts[tm.ID]), organiser)
	if err != nil || undone.Rounds[0].Pairings[1].Result != nil {
		t.Errorf("undone: %v, %v", undone, err)
	}
}

// TestPartnersChange: players come alone, both partners have the side's result, and no player has a partner again.
func TestPartnersChange(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := meleeSettings()
	s.Variant, s.Rules.Tables.Rotate = "quixo/teams", true
	tm := started(t, d, s, 8)
	renamed := tm.Entries[0]
	renamed.Name = "Another name"
	if err := d.TryUpdateEntry(ctx, tm.ID, renamed, organiser); err != nil {
		t.Errorf("the name of a player who comes alone cannot change: %v", err)
	}
	partners := map[string]bool{}
	for round := 1; round <= 3; round++ {
		next, err := d.Do(ctx, tm.ID, NextRound, organiser)
		if err != nil {
			t.Fatal(err)
		}
		tm = next
		for _, g := range m.running() {
			if len(g.Players) != 4 {
				t.Fatalf("players %v, want four", g.Players)
			}
			for _, pair := range [][]string{{g.Players[0], g.Players[2]}, {g.Players[1], g.Players[3]}} {
				slices.Sort(pair)
				key := strings.Join(pair, "+")
				if partners[key] {
					t.Errorf("round %d: %s are partners again", round, key)
				}
				partners[key] = true
			}
		}
		for i, g := range m.running() {
			ranks := [][]int{{1, 2, 1, 2}, {1, 1, 1, 1}}[i]
			m.endMoved(t, g.GameID, ranks, 1, 2, 3, 4)
		}
		catch(t, d)
		tm = load(t, m, tm.ID)
		if p := tm.Rounds[round-1].Pairings[0]; p.Text() != "1,3,1,3" ||
			!slices.Equal(p.Result.Points, []tournament.Points{10, 0, 10, 0}) {
			t.Errorf("round %d, table 1: %+v", round, p.Result)
		}
		if text, ok := tm.Sides(tm.Rounds[round-1].Pairings[1]); text != "1/2-1/2" || !ok {
			t.Errorf("round %d, table 2: %q, %v", round, text, ok)
		}
	}
	v, _ := tournament.ParseVerdict("0-1")
	tm, err := d.Do(ctx, tm.ID, SetResult(3, 2, v, ""), organiser)
	if err != nil || tm.Rounds[2].Pairings[1].Text() != "3,1,3,1" {
		t.Errorf("by the sides: %v, %v", tm, err)
	}
	bad, _ := tournament.RankVerdict([]int{1, 2, 3, 4})
	if _, err := d.Do(ctx, tm.ID, SetResult(3, 2, bad, ""), organiser); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("partners apart: %v, want ErrInvalid", err)
	}
	table, err := d.Standings(load(t, m, tm.ID), 0)
	if err != nil || len(table.Rows) != 8 {
		t.Fatalf("%+v, %v", table, err)
	}
	if first := table.Rows[0]; first.Points > 30 || first.TieBreaks[0] == "0" {
		t.Errorf("first of the standings: %+v", first)
	}
}

// TestATablePlan: a fixed plan seats all in each round; a withdrawn player is left out, and too few have byes.
func TestATablePlan(t *testing.T) {
	if testing.Short() {
		t.Skip("plans five rounds of sixteen")
	}
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	s := meleeSettings()
	s.Format, s.RoundCount = tournament.TableRoundRobin, 0
	tm := started(t, d, s, 16)
	if tm.RoundCount != 5 {
		t.Fatalf("%d rounds, want the five in which sixteen meet once", tm.RoundCount)
	}
	met := map[[2]string]bool{}
	for round := 1; round <= 5; round++ {
		next, err := d.Do(ctx, tm.ID, NextRound, organiser)
		if err != nil {
			t.Fatal(err)
		}
		tm = next
		for _, p := range tm.Rounds[round-1].Pairings {
			for i, a := range p.Seats {
				for _, b := range p.Seats[:i] {
					pair := [2]string{min(a, b), max(a, b)}
					if met[pair] {
						t.Errorf("round %d: %v meet again", round, pair)
					}
					met[pair] = true
				}
			}
			v, _ := tournament.RankVerdict([]int{1, 2, 3, 4})
			if len(p.Seats) == 3 {
				v, _ = tournament.RankVerdict([]int{1, 2, 3})
			}
			tm, err = d.Do(ctx, tm.ID, SetResult(round, p.Board, v, ""), organiser)
			if err != nil {
				t.Fatal(err)
			}
		}
		if round == 3 {
			tm, err = d.Do(ctx, tm.ID, Withdraw(tm.Entries[4].ID), organiser)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if last := tm.Rounds[4]; len(last.Pairings) != 4 ||
		!slices.ContainsFunc(last.Pairings, func(p tournament.Pairing) bool { return len(p.Seats) == 3 }) {
		t.Errorf("the last round, one having withdrawn: %+v", last.Pairings)
	}
	if tm, err := d.Do(ctx, tm.ID, Finish, organiser); err != nil || tm.Status != tournament.Finished {
		t.Errorf("finish: %v", err)
	}
	s.Variant = "quits/four"
	odd := started2(t, d, s, 10)
	if _, err := d.Do(ctx, odd.ID, Start, organiser); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("ten at tables of four: %v, want ErrInvalid", err)
	}
}

// started2 makes a tournament with entries that has not been started.
func started2(t testing.TB, d *Director, s tournament.Settings, n int) *tournament.Tournament {
	t.Helper()
	tm, err := d.Create(context.Background(), "", s, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		tm, _, err = d.AddEntry(context.Background(), tm.ID, tournament.Entry{Name: fmt.Sprint("P", i)}, organiser)
		if err != nil {
			t.Fatal(err)
		}
	}
	return tm
}

// TestMovedToAnotherTable: the arbiter moves an entry between tables of different size, in a draft and after; all
// others stay, and impossible moves are refused.
func TestMovedToAnotherTable(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm, err := d.Do(ctx, started(t, d, meleeSettings(), 7).ID, DrawRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	sizes := func() (out []int) {
		for _, p := range tm.Rounds[0].Pairings {
			out = append(out, len(p.Seats))
		}
		return out
	}
	move := func(board int, ids ...string) error {
		next, err := d.Do(ctx, tm.ID, EditRound(1, []tournament.Edit{{Kind: tournament.MoveEntry, Board: board, Entries: ids}},
			""), organiser)
		if err == nil {
			tm = next
		}
		return err
	}
	first := tm.Rounds[0].Pairings[0].Seats
	if err := move(2, first[1]); err != nil || !slices.Equal(sizes(), []int{3, 4}) ||
		tm.Rounds[0].Pairings[1].Seats[3] != first[1] {
		t.Fatalf("moved in the draft: %+v, %v", tm.Rounds[0].Pairings, err)
	}
	tm, err = d.Do(ctx, tm.ID, PublishStarting(0, false), organiser)
	if err != nil {
		t.Fatal(err)
	}
	games := m.running()
	if err := move(1, first[1]); err != nil || !slices.Equal(sizes(), []int{4, 3}) || len(m.running()) != 2 ||
		m.running()[0].GameID == games[0].GameID {
		t.Fatalf("moved back after publication: %+v, %v", tm.Rounds[0].Pairings, err)
	}
	small := tm.Rounds[0].Pairings[1].Seats
	for name, test := range map[string]struct {
		board int
		ids   []string
		want  error
	}{
		"two are left":     {1, small[:1], tournament.ErrState},
		"there already":    {1, first[:1], tournament.ErrInvalid},
		"no such table":    {3, first[:1], tournament.ErrNotFound},
		"two at once":      {2, first[:2], tournament.ErrInvalid},
		"a stranger":       {2, []string{"nobody"}, tournament.ErrInvalid},
		"a name too few":   {2, nil, tournament.ErrInvalid},
		"table of nowhere": {0, first[:1], tournament.ErrNotFound},
	} {
		if err := move(test.board, test.ids...); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	m.endMoved(t, m.running()[0].GameID, []int{1, 2, 3, 4}, 1, 2, 3, 4)
	catch(t, d)
	if err := move(2, first[0]); !errors.Is(err, tournament.ErrState) {
		t.Errorf("from a table that was played: %v, want ErrState", err)
	}
	full := started(t, d, meleeSettings(), 9)
	full, err = d.Do(ctx, full.ID, DrawRound, organiser)
	if err != nil || len(full.Rounds[0].Pairings[0].Seats) != 5 {
		t.Fatalf("nine: %+v, %v", full, err)
	}
	five, four := full.Rounds[0].Pairings[0], full.Rounds[0].Pairings[1]
	edit := tournament.Edit{Kind: tournament.MoveEntry, Board: five.Board, Entries: four.Seats[:1]}
	if _, err := d.Do(ctx, full.ID, EditRound(1, []tournament.Edit{edit}, ""), organiser); !errors.Is(err,
		tournament.ErrState) {
		t.Errorf("a sixth: %v, want ErrState", err)
	}
}

// TestTableAdvice: an organiser is warned where the last rounds will seat leaders with the tail, and advised what to
// choose.
func TestTableAdvice(t *testing.T) {
	d := newDirector(newMemory(), &counter{})
	s := meleeSettings()
	advice := func(rounds int, second bool) []pairing.Warning {
		s.RoundCount, s.Rules.Tables.MeetingsSecond = rounds, second
		return d.Advice(started2(t, d, s, 12))
	}
	if w := advice(3, false); len(w) != 1 || w[0].Breach != pairing.RoundCount ||
		!strings.Contains(w[0].Text.String(), "meetings: second") {
		t.Errorf("3 rounds of 12: %+v, want the warning", w)
	}
	if w := advice(2, false); len(w) != 0 {
		t.Errorf("2 rounds of 12: %+v, want none", w)
	}
	if w := advice(5, true); len(w) != 0 {
		t.Errorf("scores first: %+v, want none", w)
	}
}

// TestTablesDoNotSuit: formats with tables and variants that do not go together are refused with a word.
func TestTablesDoNotSuit(t *testing.T) {
	d := newDirector(newMemory(), &counter{})
	for name, edit := range map[string]func(*tournament.Settings){
		"a duel":          func(s *tournament.Settings) { s.Variant = "quixo/duel" },
		"fixed partners":  func(s *tournament.Settings) { s.Variant = "quixo/teams" },
		"a swiss of four": func(s *tournament.Settings) { s.Format = tournament.Swiss },
		"changing nobody": func(s *tournament.Settings) { s.Variant, s.Rules.Tables.Rotate = "quixo/duel", true },
		"three at quits": func(s *tournament.Settings) {
			s.Variant, s.Rules.Tables.Sizes = "quits/four", tournament.SizesOf(3, 4)
		},
		"a size not preferred": func(s *tournament.Settings) {
			s.Rules.Tables.Sizes, s.Rules.Tables.Preferred = tournament.SizesOf(3), 4
		},
		"a plan that rotates": func(s *tournament.Settings) {
			s.Variant = "quixo/teams"
			s.Format = tournament.TableRoundRobin
			s.Rules.Tables.Rotate = true
		},
		"the last is worth more": func(s *tournament.Settings) { s.Points.Places[0] = [5]tournament.Points{10, 20, 30} },
		"a fourth of three":      func(s *tournament.Settings) { s.Points.Places[0] = [5]tournament.Points{30, 20, 10, 5} },
		"adjourned":              func(s *tournament.Settings) { s.Rules.AdjournedDraw = true },
	} {
		s := meleeSettings()
		edit(&s)
		if _, err := d.Create(context.Background(), "", s, "ada"); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	s := meleeSettings()
	s.Points.Places[1] = [5]tournament.Points{50, 30, 20, 10}
	if tm, err := d.Create(context.Background(), "", s, "ada"); err != nil || tm.Points.Bye != 27 || tm.Points.Win != 50 {
		t.Errorf("5 3 2 1: %+v, %v; want a bye worth 2.7", tm, err)
	}
}
