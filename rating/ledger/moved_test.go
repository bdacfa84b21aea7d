package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating/elo"
)

// melee is a rated game of several players, each a side of its own, that the first won.
func melee(players ...string) Finished {
	f := Finished{
		GameID: "g", Variant: "quivive/melee", List: "quivive-blitz", Rated: true, Players: players, Reason: "time",
		Plies: 1, FinishedAt: 1_700_000_000_000,
	}
	for i := range players {
		f.Sides = append(f.Sides, i+1)
		f.Ranks = append(f.Ranks, i+1)
		f.Moved = append(f.Moved, false)
	}
	return f
}

// TestUnmovedSeatsAreNotRated rates games that ended before every seat had moved, by whatever reason.
func TestUnmovedSeatsAreNotRated(t *testing.T) {
	for _, tt := range []struct {
		name  string
		game  Finished
		plies int
		moved []bool
		rated string // players with a row
	}{
		{"nobody moved", melee("ada", "bob", "cyd"), 0, []bool{false, false, false}, ""},
		{"one moved, two left, one of them a victim", melee("ada", "bob", "cyd"), 1, []bool{true, false, false}, ""},
		{"one moved many times", melee("ada", "bob", "cyd"), 9, []bool{true, false, false}, ""},
		{"two moved, the victim did not", melee("ada", "bob", "cyd"), 2, []bool{true, true, false}, "ada bob"},
		{"the middle one did not", melee("ada", "bob", "cyd"), 8, []bool{true, false, true}, "ada cyd"},
		{"all moved", melee("ada", "bob", "cyd"), 3, []bool{true, true, true}, "ada bob cyd"},
		{"a duel", duel("g", "ada", "bob"), 2, []bool{true, true}, "ada bob"},
		{"a duel that one resigned unmoved", duel("g", "ada", "bob"), 1, []bool{true, false}, ""},
	} {
		for _, reason := range []string{"time", "forfeit", "resignation", "last"} {
			f := tt.game
			f.Plies = tt.plies
			f.Moved = tt.moved
			f.Reason = reason
			m := newMemory(f)
			if n := catch(t, m); n != 1 || m.cursor != 1 {
				t.Fatalf("%s: %d taken, cursor at %d", tt.name, n, m.cursor)
			}
			var rated []string
			for _, r := range m.rows {
				rated = append(rated, r.PlayerID)
				if f.Players[r.Seat-1] != r.PlayerID {
					t.Errorf("%s: the row of %s is for seat %d", tt.name, r.PlayerID, r.Seat)
				}
			}
			if got := strings.Join(rated, " "); got != tt.rated {
				t.Errorf("%s, %s: rated %q, want %q", tt.name, reason, got, tt.rated)
			}
		}
	}
}

// TestTheRestIsRatedAsIfAlone compares a game of three with a seat that did not move with the game of the other two.
func TestTheRestIsRatedAsIfAlone(t *testing.T) {
	three := melee("ada", "bob", "cyd")
	three.Plies, three.Moved = 5, []bool{true, false, true}
	two := duel("g", "ada", "cyd")
	a, b := newMemory(three), newMemory(two)
	catch(t, a)
	catch(t, b)
	changes := func(m *memory) (list []string) {
		for _, r := range m.rows {
			list = append(list, fmt.Sprint(r.PlayerID, r.Change, r.After))
		}
		return list
	}
	if got, want := changes(a), changes(b); !slices.Equal(got, want) || len(want) != 2 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestUnmovedPartners leaves a member of a team out; its partner is rated.
func TestUnmovedPartners(t *testing.T) {
	teams := melee("ada", "bob", "cyd", "dan")
	teams.Variant = "quixo/teams"
	teams.Sides = []int{1, 2, 1, 2}
	teams.Ranks = []int{1, 2, 1, 2}
	teams.Plies = 3
	for moved, want := range map[[4]bool]int{
		{true, true, true, true}: 4, {true, true, true, false}: 3, {true, false, true, false}: 0, {false, true, true, false}: 2,
	} {
		f := teams
		f.Moved = moved[:]
		m := newMemory(f)
		if catch(t, m); len(m.rows) != want {
			t.Errorf("%v: %d rows, want %d", moved, len(m.rows), want)
		}
	}
}

// TestOlderGamesKeepTheirRows mixes games with stored first moves and older games: rows by the older rule stay, and a
// verification finds nothing.
func TestOlderGamesKeepTheirRows(t *testing.T) {
	resigned := duel("old", "ada", "bob")
	resigned.Reason, resigned.Plies = "resignation", 1
	left := melee("ada", "bob", "cyd")
	left.GameID = "older"
	left.Reason = "last"
	left.Plies = 1
	left.Moved = nil
	fresh := melee("ada", "bob", "cyd")
	fresh.GameID = "new"
	fresh.Reason = "last"
	fresh.Plies = 1
	fresh.Moved = []bool{true, false, false}
	m := newMemory(resigned, left, fresh)
	catch(t, m)
	if len(m.rows) != 5 {
		t.Errorf("%d rows, want 2 and 3 of the older games", len(m.rows))
	}
	l := New(m, elo.Club{})
	if report, err := l.Verify(context.Background()); err != nil || !report.OK() || report.Rated != 2 {
		t.Errorf("verified: %+v, %v", report, err)
	}
	if report, err := l.Recompute(context.Background()); err != nil || report.Rows != 5 {
		t.Errorf("recomputed: %+v, %v", report, err)
	}
}

// TestNoUnmovedSeatIsEverRated draws any games.
func TestNoUnmovedSeatIsEverRated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "seats")
		f := melee([]string{"ada", "bob", "cyd", "dan", "eve"}[:n]...)
		f.Ranks = rapid.SliceOfN(rapid.IntRange(1, n), n, n).Draw(t, "ranks")
		f.Moved = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "moved")
		f.Plies = rapid.IntRange(0, 9).Draw(t, "plies")
		f.Reason = rapid.SampledFrom([]string{"time", "forfeit", "resignation", "last", "line"}).Draw(t, "reason")
		m := newMemory(f)
		catch(t, m)
		for _, r := range m.rows {
			if !f.Moved[r.Seat-1] {
				t.Fatalf("seat %d has a row: %+v", r.Seat, r)
			}
		}
		if len(m.rows) == 1 {
			t.Fatal("one player is rated against nobody")
		}
	})
}
