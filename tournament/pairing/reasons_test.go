package pairing_test

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/swiss"
)

var plain = pairing.Audience{Staff: true, Name: func(n int) string { return fmt.Sprint("No. ", n) }}

func byName(id string) string { return strings.ToUpper(id) }

// TestExplain holds rounds against what the system had: as drawn, changed by hand, seats exchanged.
func TestExplain(t *testing.T) {
	drawn := pairing.Reasons{Boards: []pairing.Reason{
		{Seats: []string{"a", "c"}, Meeting: sentence.New("why"), Colours: sentence.New("so.")},
		{Seats: []string{"d", "b"}, Meeting: sentence.New("why else"), Colours: sentence.New("so too.")},
		{Seats: []string{"e"}, Bye: tournament.PairingAllocated, Meeting: sentence.New("left over")},
	}}
	game := func(games int, seats ...string) tournament.Pairing {
		return tournament.Pairing{Seats: seats, Games: games}
	}
	bye := tournament.Pairing{Seats: []string{"e"}, Bye: tournament.PairingAllocated}
	for _, test := range []struct {
		name          string
		round         []tournament.Pairing
		reconstructed bool
		want          string
	}{
		{name: "as drawn", round: []tournament.Pairing{game(1, "a", "c"), bye}, want: "system why so.|system left over "},
		{name: "seats", round: []tournament.Pairing{game(1, "c", "a")}, want: "seats why so. But the arbiter exchanged the seats."},
		{name: "a void game", round: []tournament.Pairing{game(2, "c", "a")}, want: "seats why so. But a void game was started anew with the seats exchanged."},
		{
			name: "by hand", round: []tournament.Pairing{game(1, "a", "b"), game(1, "e", "c")},
			want: "arbiter Set by the arbiter. The system had A with C, and B with D. |arbiter Set by the arbiter. The " +
				"system had E with a bye, and C with A. ",
		},
		{
			name: "another bye", round: []tournament.Pairing{{Seats: []string{"e"}, Bye: tournament.HalfPoint}},
			want: "arbiter Set by the arbiter. The system had E with a bye. ",
		},
		{name: "a new entry", round: []tournament.Pairing{game(0, "x", "y")}, want: "arbiter Set by the arbiter. "},
		{
			name: "not kept", round: []tournament.Pairing{game(1, "a", "d"), game(1, "c", "a")}, reconstructed: true,
			want: "arbiter By today’s results the system would not pair so: the arbiter set it, or a result was corrected " +
				"since. " +
				"The system had A with C, and D with B. |seats why so. But by today’s results they would sit the other way round.",
		},
	} {
		e := pairing.Explain(tournament.Round{Number: 2, Pairings: test.round}, drawn, test.reconstructed, byName)
		var got []string
		for _, b := range e.Boards {
			got = append(got, fmt.Sprintf("%s %s %s", b.Source, b.Meeting, b.Colours))
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, strings.Join(got, "|"), test.want)
		}
	}
}

// historyOf is a field of n before any round.
func historyOf(n, round int) pairing.History {
	h := pairing.History{
		Round: round, Rounds: 5, Points: tournament.StandardPoints, Initial: pairing.White, Field: make([]pairing.Entrant, n),
	}
	for i := range h.Field {
		h.Field[i].Entry = tournament.Entry{ID: fmt.Sprint("e", i+1), Number: i + 1}
		h.Field[i].Cells = make([]tournament.Cell, round-1)
	}
	return h
}

// TestReasonsGoWithThePairings: a system has reasons for whatever it pairs, board by board.
func TestReasonsGoWithThePairings(t *testing.T) {
	for name, system := range map[string]pairing.Pairer{
		"swiss": swiss.Pairer{}, "round-robin": roundrobin.Pairer{}, "double": roundrobin.Pairer{Double: true},
	} {
		for _, n := range []int{2, 5, 8} {
			for round := 1; round <= n-1; round++ {
				h := historyOf(n, round)
				pairings, err := system.Pair(h)
				if err != nil {
					t.Fatal(err)
				}
				reasons, err := system.(pairing.Explainer).Reasons(h, plain)
				if err != nil || len(reasons.Boards) != len(pairings) {
					t.Fatalf("%s: %d reasons for %d boards, %v", name, len(reasons.Boards), len(pairings), err)
				}
				for i, r := range reasons.Boards {
					if fmt.Sprint(r.Seats, r.Bye) != fmt.Sprint(pairings[i].Seats, pairings[i].Bye) || r.Meeting.IsZero() ||
						len(r.Articles) == 0 {
						t.Errorf("%s, board %d: %+v, paired is %+v", name, i+1, r, pairings[i])
					}
				}
			}
		}
	}
}

func TestWordsOfReasons(t *testing.T) {
	h := historyOf(7, 2)
	h.Field[6].Away = tournament.HalfPoint
	h.Bans = [][]int{{1, 4}}
	reasons, err := swiss.Pairer{}.Reasons(h, plain)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", reasons)
	for _, want := range []string{
		"Not No. 4: the organiser keeps them apart", "No. 7 asked not to be paired", "C.04.3 5.2.5", "Criterion:forbidden",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	table, err := roundrobin.Pairer{Double: true}.Reasons(historyOf(5, 4), plain)
	if err != nil {
		t.Fatal(err)
	}
	got = fmt.Sprintf("%+v", table)
	for _, want := range []string{
		"row 5 of the Berger table for 6", "change places", "gives White to number",
		"no entry has that number",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	table, err = roundrobin.Pairer{Double: true}.Reasons(historyOf(4, 6), plain)
	if err != nil || !strings.Contains(fmt.Sprint(table), "seats exchanged") {
		t.Errorf("%v, %v", table, err)
	}
}
