package teamswiss_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/teamswiss"
)

// TestDepartures: a round by the rules has no difference. In any other round the first has the criterion that the model
// finds by enumerating all sets and pairings.
func TestDepartures(t *testing.T) {
	checked := make(map[teamswiss.Criterion]int)
	for n := range *fields {
		rng := rand.New(rand.NewPCG(*seed, uint64(2_000_000+n)))
		e := newEvent(rng, 4+rng.IntN(6), 4)
		for e.h.Round < e.h.Rounds {
			e.begin()
			drawn, err := e.pairer.Draw(e.h)
			if err != nil {
				break
			}
			if _, none, err := e.pairer.Compare(e.h, drawn); err != nil || len(none) > 0 {
				t.Fatalf("field %d, round %d: %+v, %v", n, e.h.Round, none, err)
			}
			given := e.exchanged(drawn)
			mates := make(map[int]int)
			for _, g := range given.Games {
				mates[g.White], mates[g.Black] = g.Black, g.White
			}
			want := newModel(e.pairer, e.h).departure(mates, given.Bye)
			again, found, err := e.pairer.Compare(e.h, given)
			if err != nil || fmt.Sprint(again) != fmt.Sprint(drawn) {
				t.Fatalf("field %d, round %d: %v, %v", n, e.h.Round, again, err)
			}
			got := teamswiss.Criterion(0)
			for _, d := range found {
				if d.Kind != swiss.WrongColours && d.Because.Criterion > 0 {
					got = d.Because.Criterion
					break
				}
			}
			if got != want {
				t.Fatalf("field %d, round %d: %v instead of %v is worse by %d, the model finds %d: %+v", n, e.h.Round, given,
					drawn, got, want, found)
			}
			checked[want]++
			e.finish(drawn)
		}
	}
	for _, c := range []teamswiss.Criterion{
		0, teamswiss.C2, teamswiss.C4, teamswiss.C5, teamswiss.C6, teamswiss.C7, teamswiss.C8, teamswiss.Order,
		teamswiss.ByeScore, teamswiss.ByePlays, teamswiss.ByeOrder,
	} {
		if checked[c] == 0 {
			t.Errorf("no round was worse by %d: %v", c, checked)
		}
	}
	t.Logf("rounds by the criterion: %v", checked)
}

// exchanged returns a round with two or more teams exchanged and no second meeting, if a few attempts find any.
func (e *event) exchanged(r swiss.Round) swiss.Round {
	m := newModel(e.pairer, e.h)
	for range 20 {
		var numbers []int
		for _, g := range r.Games {
			numbers = append(numbers, g.White, g.Black)
		}
		if r.Bye > 0 {
			numbers = append(numbers, r.Bye)
		}
		if len(numbers) < 3 {
			return r
		}
		for range 1 + e.rng.IntN(3) {
			i, j := e.rng.IntN(len(numbers)), e.rng.IntN(len(numbers))
			numbers[i], numbers[j] = numbers[j], numbers[i]
		}
		out := swiss.Round{Away: r.Away}
		legal := true
		for len(numbers) > 1 {
			out.Games = append(out.Games, swiss.Game{White: numbers[0], Black: numbers[1]})
			legal = legal && m.legal(numbers[0]-1, numbers[1]-1)
			numbers = numbers[2:]
		}
		if len(numbers) == 1 {
			out.Bye = numbers[0]
		}
		if legal {
			return out
		}
	}
	return r
}

// TestForbiddenPairs: every pair of a given round that is not allowed has its reason, also if the rules have no round.
func TestForbiddenPairs(t *testing.T) {
	e := newEvent(rand.New(rand.NewPCG(*seed, 3)), 4, 3)
	e.pairer, e.h.Bans = teamswiss.Pairer{}, [][]int{{3, 4}}
	e.h.Round = 1
	_, found, err := e.pairer.Compare(e.h, swiss.Round{Games: []swiss.Game{{White: 1, Black: 2}, {White: 4, Black: 3}}})
	if err != nil || len(found) != 2 || found[0].White != 4 || found[0].Because.Criterion != teamswiss.Ban ||
		found[0].Because.Article() != "" || found[0].Because.Name() != "forbidden" {
		t.Errorf("%+v, %v", found, err)
	}
	e.h.Bans = [][]int{{1, 2, 3, 4}}
	if _, found, err := e.pairer.Compare(e.h, swiss.Round{Games: []swiss.Game{{White: 1, Black: 2}}}); err == nil ||
		len(found) != 1 || found[0].Words() != "1 meets 2" {
		t.Errorf("%+v, %v", found, err)
	}
}
