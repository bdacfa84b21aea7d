package swiss_test

import (
	"fmt"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
)

// Five players have played a round, and the second is paired. The bye goes to the lowest score (C5); numbers 2 and 4
// drew and may not meet again (C1), so that each of them meets a player with a full point.
func Example() {
	points := tournament.StandardPoints
	played := func(opponent, seat int, points tournament.Points) tournament.Cell {
		return tournament.Cell{Kind: tournament.Played, Opponents: []int{opponent}, Seat: seat, Points: points}
	}
	first := []tournament.Cell{
		played(3, 1, 10), // number 1 won with White against number 3
		played(4, 2, 5),  // numbers 2 and 4 drew
		played(1, 2, 0),
		played(2, 1, 5),
		{Kind: tournament.Unpaired, Bye: tournament.PairingAllocated, Points: 10},
	}
	history := pairing.History{Round: 2, Rounds: 3, Points: points, Initial: pairing.White}
	for i, cell := range first {
		entry := tournament.Entry{ID: string(rune('a' + i)), Number: i + 1}
		history.Field = append(history.Field, pairing.Entrant{
			Card: tournament.Card{Entry: entry, Cells: []tournament.Cell{cell}},
		})
	}

	round, explanation, err := swiss.Pairer{}.Explain(history)
	if err != nil {
		fmt.Println(err)
		return
	}
	name := func(number int) string { return fmt.Sprintf("No. %d", number) }
	for i, game := range round.Games {
		fmt.Println("White", game.White, "Black", game.Black)
		fmt.Println("  " + explanation.Pairs[i].Words(name))
	}
	fmt.Println("bye", round.Bye)
	// Output:
	// White 2 Black 1
	//   In the bracket with score 0.5, No. 1, moved down with 1, gets the first opponent possible: No. 2. No. 1 is due strongly Black, No. 2 strongly White: both have what suits them (5.2.1).
	// White 5 Black 4
	//   In the bracket with score 0.5, No. 5, moved down with 1, gets the first opponent possible: No. 4. No. 5 is due nothing, No. 4 strongly Black: both have what suits them (5.2.1).
	// bye 3
}

// The Baku Acceleration adds virtual points to the upper half of the field in the first rounds.
func ExampleBaku() {
	groupA := tournament.GroupASize(10)
	virtual := swiss.Baku(groupA, 9, tournament.StandardPoints)
	for round := 1; round <= 6; round++ {
		fmt.Println("round", round, "number", groupA, "has", virtual(groupA, round), "number", groupA+1, "has",
			virtual(groupA+1, round))
	}
	// Output:
	// round 1 number 6 has 1 number 7 has 0
	// round 2 number 6 has 1 number 7 has 0
	// round 3 number 6 has 1 number 7 has 0
	// round 4 number 6 has 0.5 number 7 has 0
	// round 5 number 6 has 0.5 number 7 has 0
	// round 6 number 6 has 0 number 7 has 0
}
