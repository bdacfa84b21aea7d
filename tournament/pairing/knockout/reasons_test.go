package knockout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/pairing"
)

// reasons explains a round that has been drawn.
func (e *evening) reasons(round int) []string {
	e.t.Helper()
	h := pairing.HistoryOf(e.tm, round)
	r, err := Pairer{}.Reasons(h, pairing.Audience{Name: func(n int) string { return fmt.Sprint("No", n) }})
	e.ok(err)
	var out []string
	for i, b := range r.Boards {
		if !slices.Equal(b.Seats, e.tm.Rounds[round-1].Pairings[i].Seats) {
			e.t.Fatalf("board %d: %v is explained, and %v is paired", i+1, b.Seats, e.tm.Rounds[round-1].Pairings[i].Seats)
		}
		out = append(out, strings.TrimSpace(b.Meeting.String()+" "+b.Colours.String()))
	}
	return out
}

func TestReasons(t *testing.T) {
	e := newEvening(t, 7, true, 3)
	e.draw()
	initial := map[pairing.Colour]string{pairing.White: "White", pairing.Black: "Black"}[e.tm.FirstColour]
	want := []string{
		"Seeds 5 and 4 meet in round 1 of a bracket for 8. Neither has played yet; the higher seed has the initial seat " +
			"on odd boards and the other one on even boards, so No4 has " + initial + ".",
	}
	got := e.reasons(1)
	if got[0] != want[0] {
		t.Errorf("round 1: %s\nwant %s", got[0], want[0])
	}
	if bye := "No1 is seed 1, which meets seed 8 in round 1 of a bracket for 8; with 7 entries no entry has that " +
		"number, so No1 has the bye."; got[3] != bye {
		t.Errorf("the bye: %s", got[3])
	}
	e.result(1, "1-0") // seats: White, either of them
	e.result(2, "---")
	e.result(3, "1-0")
	e.draw()
	got = e.reasons(2)
	white := e.numbers(e.tm.Rounds[0].Pairings[0])[0]
	if want := fmt.Sprintf("No1 and No%d come from matches 1 and 2 of round 1, whose winners meet. No1 has White, "+
		"having had it less often than Black by comparison with No%d.", white, white); got[0] != want {
		t.Errorf("round 2: %s\nwant %s", got[0], want)
	}
	if !strings.HasPrefix(got[1], "Both forfeited the match whose winner") {
		t.Errorf("who is free in round 2: %s", got[1])
	}
}

// TestReasonsForColours names the rule that decided.
func TestReasonsForColours(t *testing.T) {
	for _, test := range []struct{ high, low, want string }{
		{"w", "", "L has White, having had it less often than Black by comparison with H."},
		{"wb", "bw", "H had Black last, and has White now."},
		{"", "B", "L had Black last, and has White now."},
		{"", "W", "L had White last, so H has it now."},
		{"w", "w", "Both had the same seat last; the higher seed, H, gets the other one."},
		{"-", "", "so H has White."},
	} {
		h := pairing.History{Initial: pairing.White, Field: []pairing.Entrant{cells(test.high), cells(test.low)}}
		name := func(n int) string { return []string{"H", "L"}[n-1] }
		if got := seating(h, 1, Match{Entries: [2]int{2, 1}}, pairing.Audience{Name: name}).
			String(); !strings.HasSuffix(got, test.want) {
			t.Errorf("%q against %q: %s, want %s", test.high, test.low, got, test.want)
		}
	}
}

// TestReasonsForTheThirdPlace explain that both have lost.
func TestReasonsForTheThirdPlace(t *testing.T) {
	e := newEvening(t, 4, true, 3)
	e.draw()
	e.result(1, "1-0")
	e.result(2, "1-0")
	e.draw()
	if got := e.reasons(2)[1]; !strings.Contains(got,
		"lost the semi-finals, and play for the third place. Both had the same seat last") {
		t.Errorf("%s", got)
	}
	if _, err := (Pairer{}).Reasons(pairing.HistoryOf(e.tm, 3), pairing.Audience{}); err == nil {
		t.Error("a round that there is not was explained")
	}
}
