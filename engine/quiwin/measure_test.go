package quiwin

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quatuor/engine"
)

// TestEndByTiers goes through the winners of the tiers. Slots 6 to 4 are equal and slot 3 has the shorter tile of seat
// 2, so that where the tie-break decides seat 2 wins.
func TestEndByTiers(t *testing.T) {
	const tieBreak = "=2,1:tie-break"
	for _, tc := range []struct {
		tiers [3]engine.Seat // the winner of each, 0 for none
		lead  engine.Seat    // after tier 2
		end   string
	}{
		{[3]engine.Seat{1, 1, 1}, 1, "=1,2:tiers"},
		{[3]engine.Seat{1, 1, 2}, 1, tieBreak},
		{[3]engine.Seat{1, 1, 0}, 1, tieBreak},
		{[3]engine.Seat{1, 2, 1}, 0, "=1,2:tiers"},
		{[3]engine.Seat{1, 2, 2}, 0, "=2,1:tiers"},
		{[3]engine.Seat{1, 2, 0}, 0, tieBreak},
		{[3]engine.Seat{1, 0, 1}, 1, "=1,2:tiers"},
		{[3]engine.Seat{1, 0, 2}, 1, tieBreak},
		{[3]engine.Seat{2, 0, 0}, 2, tieBreak},
		{[3]engine.Seat{0, 2, 2}, 2, "=2,1:tiers"},
		{[3]engine.Seat{0, 2, 1}, 2, tieBreak},
		{[3]engine.Seat{0, 0, 1}, 0, "=1,2:tiers"},
		{[3]engine.Seat{0, 0, 0}, 0, tieBreak},
	} {
		f := &full{rules: Variants()[0].(*rules)}
		f.rows[0] = [handSize]tile{y23, y23, b24, y23, g22, o25, y23, y23}
		f.rows[1] = [handSize]tile{y23, y23, y23, y23, g22, o25, y23, y23}
		for _, winner := range tc.tiers[:2] {
			f.lead = nextLead(f.lead, winner)
		}
		f.decide(tc.tiers[2])
		if f.lead != tc.lead || f.end.String() != tc.end {
			t.Errorf("tiers %v: lead %d, end %s; want %d, %s", tc.tiers, f.lead, f.end, tc.lead, tc.end)
		}
	}
}

func TestTieBreakLooksFromSlot6Down(t *testing.T) {
	equal := [handSize]tile{y23, b24, y23, y23, y23, y23, y23, y23}
	for slot, want := range map[int]string{
		6: "=1,2:tie-break", 5: "=1,2:tie-break", 4: "=1,2:tie-break", 3: "=1,2:tie-break",
		8: "=:replay", 2: "=:replay",
	} {
		f := &full{rules: Variants()[0].(*rules), rows: [seats][handSize]tile{equal, equal}}
		f.rows[0][slot-1] = g22
		if slot > 3 && slot <= 6 {
			f.rows[1][slot-2] = g22 // in favour of seat 2, but looked at later
		}
		f.decide(0)
		if f.end.String() != want || f.end.Void() != (want == "=:replay") {
			t.Errorf("a shorter tile in slot %d: %s, want %s", slot, f.end, want)
		}
	}
}

// TestGamesEndAsTheViewSays judges random games once more by what every viewer sees at the end, and counts plies and
// tiles.
func TestGamesEndAsTheViewSays(t *testing.T) {
	reasons := map[engine.Reason]int{}
	for seed := range uint64(3000) {
		f, log := randomGame(t, rand.New(rand.NewPCG(seed, 3)), 100)
		if f.end == nil || len(log) > 35 {
			t.Fatalf("a game of %d plies, end %v: %v", len(log), f.end, log)
		}
		reasons[f.end.Reason]++
		view := state{f}.View(engine.Viewer{}).(View)
		if got, want := f.end.String(), slowEnd(view.Seats[0].Row, view.Seats[1].Row); got != want {
			t.Fatalf("rows %v and %v: %s, want %s", view.Seats[0].Row, view.Seats[1].Row, got, want)
		}
		places := len(view.Seats[0].Row) + len(view.Seats[1].Row) + len(view.Bag) + len(view.Discarded)
		if places != 30 || view.BagCount < 12 {
			t.Fatalf("%d tiles, %d in the bag", places, view.BagCount)
		}
	}
	if reasons[engine.ReasonTiers] == 0 || reasons[engine.ReasonTieBreak] == 0 {
		t.Errorf("ends met: %v", reasons)
	}
}

// slowEnd judges two full rows of tile names in the words of the rules, apart from the code under test.
func slowEnd(one, two []string) string {
	length := func(row []string) (sum int) {
		for _, name := range row {
			sum += int(name[1]-'0')*10 + int(name[2]-'0')
		}
		return sum
	}
	ahead := 0 // in favour of seat 1
	for _, sign := range []int{1, -1} {
		end := map[int]int{1: 2, -1: 6}[sign]
		switch d := sign * (length(two[:end]) - length(one[:end])); {
		case d > 0 && ahead < 1:
			ahead++
		case d < 0 && ahead > -1:
			ahead--
		}
	}
	d := length(two) - length(one)
	switch {
	case d > 0 && ahead >= 0:
		return "=1,2:tiers"
	case d < 0 && ahead <= 0:
		return "=2,1:tiers"
	}
	slots := []int{5, 4, 3, 2}
	i := slices.IndexFunc(slots, func(i int) bool { return length(one[i:i+1]) != length(two[i:i+1]) })
	switch {
	case i < 0:
		return "=:replay"
	case length(one[slots[i]:slots[i]+1]) < length(two[slots[i]:slots[i]+1]):
		return "=1,2:tie-break"
	}
	return "=2,1:tie-break"
}
