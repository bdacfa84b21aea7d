package pairing

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestReview has a field with a past, and pairings that each break something.
func TestReview(t *testing.T) {
	game := func(seat, opponent int, points tournament.Points) tournament.Cell {
		return tournament.Cell{Kind: tournament.Played, Seat: seat, Opponents: []int{opponent}, Points: points}
	}
	bye := tournament.Cell{Kind: tournament.Unpaired, Bye: tournament.PairingAllocated, Points: 10}
	half := tournament.Cell{Kind: tournament.Unpaired, Bye: tournament.HalfPoint, Points: 5}
	absent := tournament.Cell{Kind: tournament.Unpaired, Bye: tournament.ZeroPoint}
	past := [][]tournament.Cell{
		{game(1, 2, 10), game(1, 3, 10), half}, // 1: twice the first seat
		{game(2, 1, 0), bye, half},
		{bye, game(2, 1, 0), half},
		{absent, half, half},
		{half, half, half},
		{absent, absent, absent},
		{game(2, 8, 10), game(2, 8, 10), game(2, 8, 10)}, // 7: three times the second
	}
	h := History{Round: 4, Rounds: 9, Points: tournament.StandardPoints, Bans: [][]int{{4, 5}}}
	for i, cells := range past {
		id := fmt.Sprint("e", i+1)
		h.Field = append(h.Field, Entrant{Card: tournament.Card{
			Entry: tournament.Entry{ID: id, Number: i + 1, Name: "N" + id}, Cells: cells,
		}})
	}
	h.Field[5].Away = tournament.HalfPoint
	duel := func(seats ...string) tournament.Pairing { return tournament.Pairing{Seats: seats} }
	alone := func(id string, b tournament.Bye) tournament.Pairing {
		return tournament.Pairing{Seats: []string{id}, Bye: b}
	}
	for _, test := range []struct {
		name     string
		pairings []tournament.Pairing
		left     []tournament.Entry
		cycles   int
		want     string
	}{
		{name: "nothing", pairings: []tournament.Pairing{duel("e2", "e3"), duel("e5", "e1")}},
		{name: "met", pairings: []tournament.Pairing{duel("e2", "e1")}, want: "met_before 1 e2,e1"},
		{name: "met once of twice", pairings: []tournament.Pairing{duel("e2", "e1")}, cycles: 2},
		{name: "forbidden", pairings: []tournament.Pairing{duel("e5", "e4")}, want: "forbidden 1 e5,e4"},
		{name: "third first seat", pairings: []tournament.Pairing{duel("e1", "e5")}, want: "colour 1 e1"},
		{name: "fourth second seat", pairings: []tournament.Pairing{duel("e1", "e7")}, want: "colour 1 e1; colour 1 e7"},
		{name: "a forfeit is no colour", pairings: []tournament.Pairing{duel("e3", "e2")}},
		{name: "away", pairings: []tournament.Pairing{duel("e6", "e4")}, want: "not_present 1 e6"},
		{name: "far apart", pairings: []tournament.Pairing{duel("e2", "e3"), duel("e6", "e5")}, want: "not_present 2 e6; scores 2 e6,e5"},
		{name: "second bye", pairings: []tournament.Pairing{duel("e3", "e4"), alone("e2", tournament.PairingAllocated)}, want: "second_bye 2 e2"},
		{name: "bye after half a point", pairings: []tournament.Pairing{alone("e4", tournament.PairingAllocated)}},
		{name: "half a point after a bye", pairings: []tournament.Pairing{alone("e2", tournament.HalfPoint)}},
		{name: "left out", pairings: []tournament.Pairing{duel("e2", "e3")}, left: []tournament.Entry{{ID: "e4"}}, want: "unpaired 0 e4"},
		{name: "a table", pairings: []tournament.Pairing{duel("e1", "e5", "e2")}, want: "met_before 1 e1,e2"},
	} {
		for i := range test.pairings {
			test.pairings[i].Board = i + 1
		}
		var got []string
		for _, w := range Review(h, test.pairings, test.left, test.cycles) {
			got = append(got, fmt.Sprintf("%s %d %s", w.Breach, w.Board, strings.Join(w.Entries, ",")))
			if w.Text.IsZero() {
				t.Errorf("%s: %s without words", test.name, w.Breach)
			}
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
	}
}
