package pairing

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestHistory reads a tournament of every kind of cell, and only the rounds before the round to be paired.
func TestHistory(t *testing.T) {
	t1 := &tournament.Tournament{
		Status: tournament.Running, RoundCount: 5, Points: tournament.StandardPoints, LotSeed: "seed",
		Entries: []tournament.Entry{
			{ID: "a", Number: 1},
			{ID: "b", Number: 2},
			{ID: "c", Number: 3, Status: tournament.Withdrawn, WithdrawnFrom: 3},
			{ID: "d"},
		},
	}
	add := func(pairings ...tournament.Pairing) {
		t1.Rounds = append(t1.Rounds, tournament.Round{
			Number: len(t1.Rounds) + 1, Status: tournament.Complete, Pairings: pairings,
		})
	}
	duel := func(white, black string, points ...tournament.Points) tournament.Pairing {
		return tournament.Pairing{
			Board: 1, Seats: []string{white, black}, Result: &tournament.Result{Ranks: []int{1, 2}, Points: points},
		}
	}
	bye := func(id string, b tournament.Bye) tournament.Pairing {
		return tournament.Pairing{
			Board: 2, Seats: []string{id}, Bye: b, Result: &tournament.Result{Points: []tournament.Points{t1.Points.ForBye(b)}},
		}
	}
	add(duel("b", "a", 10, 0), bye("c", tournament.PairingAllocated))
	forfeit := duel("c", "a", 10, 0)
	forfeit.Result.Forfeit = true
	add(forfeit, bye("b", tournament.HalfPoint))
	add(duel("a", "b", 10, 0))
	h := HistoryOf(t1, 3)
	if h.Round != 3 || h.Rounds != 5 || h.Seed != "seed" || len(h.Field) != 3 {
		t.Fatalf("history %+v", h)
	}
	var got []string
	for _, e := range h.Field {
		got = append(got, fmt.Sprintf("%s %v %s met1=%v met2=%v %q", e.Score(), e.Colours(), e.Entry.ID, e.Met(1), e.Met(2),
			e.Away))
	}
	want := []string{
		`0 [2] a met1=false met2=true ""`,
		`1.5 [1] b met1=true met2=false ""`,
		`2 [] c met1=false met2=false "ZPB"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if after := HistoryOf(t1, 4); after.Field[0].Score() != 10 || fmt.Sprint(after.Field[0].Colours()) != "[2 1]" {
		t.Errorf("before round 4 the first has %s and colours %v", after.Field[0].Score(), after.Field[0].Colours())
	}
}

// TestHistoriesOfEarlierVersionsAreRead: points had other names in them.
func TestHistoriesOfEarlierVersionsAreRead(t *testing.T) {
	h, err := Read(`{"round":2,"rounds":5,"points":{"Win":30,"Draw":10,"Loss":0,"ForfeitWin":20,"ForfeitLoss":5,"Bye":15},"field":[{"id":"a"}]}`, "seed")
	if want := (tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 20, ForfeitLoss: 5, Bye: 15}); err != nil ||
		h.Points != want || len(h.Field) != 1 {
		t.Errorf("read %+v, error %v", h, err)
	}
}

// TestHistoriesAreKept writes a history and reads it, with everything that a pairing system looks at.
func TestHistoriesAreKept(t *testing.T) {
	h := History{
		Round: 3, Rounds: 7, Points: tournament.StandardPoints, Seed: "seed", Initial: Black, GroupA: 2,
		Bans: [][]int{{1, 2}},
		Field: []Entrant{
			{
				Card: tournament.Card{
					Entry: tournament.Entry{ID: "a", Number: 1, Rating: 1800.5, Club: "c"},
					Cells: []tournament.Cell{
						{Kind: tournament.Played, Board: 1, Seat: 2, Opponents: []int{2}, Points: 10},
						{Kind: tournament.Unpaired, Board: 2, Bye: tournament.HalfPoint, Points: 5},
					},
					Before: []tournament.Points{0, 5},
				},
				Away: tournament.ZeroPoint,
			},
			{Card: tournament.Card{Entry: tournament.Entry{ID: "b", Number: 2}, Cells: []tournament.Cell{}}},
		},
	}
	got, err := Read(h.Text(), "seed")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, h) {
		t.Errorf("read\n%+v\nwritten\n%+v", got, h)
	}
	if _, err := Read("{", ""); err == nil {
		t.Error("half a history was read")
	}
}

// Met reports whether the entrant has played against this number; a forfeit does not count.
func (e Entrant) Met(number int) bool {
	return slices.ContainsFunc(e.Cells, func(c tournament.Cell) bool {
		return c.Kind == tournament.Played && slices.Contains(c.Opponents, number)
	})
}
