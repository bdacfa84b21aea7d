package teamswiss_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/teamswiss"
)

// fresh is the history of a first round.
func fresh(teams int) pairing.History {
	h := pairing.History{
		Round: 1, Rounds: 3, Initial: pairing.White, Field: make([]pairing.Entrant, teams),
		Points: tournament.PointSystem{Win: 20, Draw: 10},
	}
	for i := range h.Field {
		h.Field[i].Entry = tournament.Entry{ID: fmt.Sprint("t", i+1), Number: i + 1}
	}
	return h
}

func Example() {
	h := fresh(5)
	h.Field[1].Away = tournament.HalfPoint
	pairings, err := teamswiss.Pairer{}.Pair(h)
	fmt.Println(err)
	for _, p := range pairings {
		fmt.Printf("%d %v %q\n", p.Board, p.Seats, p.Bye)
	}
	// Output:
	// <nil>
	// 1 [t1 t4] ""
	// 2 [t3 t5] ""
	// 3 [t2] "HPB"
}

// TestReasonsHideForbiddenPairs from all but the staff.
func TestReasonsHideForbiddenPairs(t *testing.T) {
	h := fresh(4)
	h.Bans = [][]int{{1, 3}}
	for staff, want := range map[bool]string{true: "the organiser keeps them apart", false: "they may not be paired"} {
		reasons, err := teamswiss.Pairer{}.Reasons(h, pairing.Audience{
			Staff: staff, Name: func(n int) string { return fmt.Sprint("Team ", n) },
		})
		if err != nil || len(reasons.Boards) != 2 {
			t.Fatal(reasons, err)
		}
		b := reasons.Boards[0]
		text := b.Meeting.String()
		if !strings.Contains(text, "Not Team 3: "+want) || b.PassedOver != "t3" || b.Bracket != "0" ||
			fmt.Sprint(b.Articles) != "[C.04.6 4.3.1]" {
			t.Errorf("staff %v: %s, %+v", staff, text, b)
		}
	}
}

// TestRoundsWithoutPairing: the error names the obstacle.
func TestRoundsWithoutPairing(t *testing.T) {
	met := func(h pairing.History, kind tournament.Kind, a, b int) {
		for seat, n := range []int{a, b} {
			h.Field[n-1].Cells = []tournament.Cell{{Kind: kind, Seat: seat + 1, Opponents: []int{a + b - n}}}
		}
	}
	two := fresh(2)
	two.Round = 2
	met(two, tournament.Played, 1, 2)
	three := fresh(3)
	three.Bans = [][]int{{1, 2, 3}}
	barred := fresh(3)
	barred.Round = 2
	for i := range barred.Field {
		barred.Field[i].Cells = []tournament.Cell{{Kind: tournament.Unpaired, Bye: tournament.FullPoint, Points: 20}}
	}
	for want, h := range map[string]pairing.History{
		"number 1 has no opponent left to meet": two,
		"whichever team gets the bye":           three,
		"all have had one":                      barred,
	} {
		_, err := teamswiss.Pairer{}.Pair(h)
		if !errors.Is(err, tournament.ErrUnpairable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	forfeited := fresh(2)
	forfeited.Round = 2
	met(forfeited, tournament.ForfeitLoss, 1, 2)
	if _, err := (teamswiss.Pairer{}).Pair(forfeited); err != nil {
		t.Errorf("a forfeited match bars another: %v", err)
	}
	strict := teamswiss.Pairer{Readings: teamswiss.Readings{ForfeitMet: true}}
	if _, err := strict.Pair(forfeited); !errors.Is(err, tournament.ErrUnpairable) {
		t.Errorf("in the other reading: %v", err)
	}
	if round, err := (teamswiss.Pairer{}).Draw(fresh(0)); err != nil || len(round.Games) != 0 {
		t.Errorf("an empty field: %v, %v", round, err)
	}
}

// TestHistoriesKeepTheSecondaryScore: a history that was stored pairs the same round.
func TestHistoriesKeepTheSecondaryScore(t *testing.T) {
	h := fresh(4)
	h.Round = 2
	for i, second := range []tournament.Points{10, 30, 30, 10} {
		h.Field[i].Cells = []tournament.Cell{{
			Kind: tournament.Played, Seat: 1 + i/2, Opponents: []int{4 - i}, Points: 10, Secondary: second,
		}}
	}
	again, err := pairing.Read(h.Text(), "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range h.Field {
		if again.Field[i].Cells[0].Secondary != h.Field[i].Cells[0].Secondary {
			t.Errorf("team %d: %+v", i+1, again.Field[i].Cells[0])
		}
	}
	a, err := teamswiss.Pairer{}.Draw(h)
	if b, _ := (teamswiss.Pairer{}).Draw(again); err != nil || fmt.Sprint(a) != fmt.Sprint(b) || len(a.Games) != 2 {
		t.Errorf("%v and %v, stored %v", a, err, b)
	}
}
