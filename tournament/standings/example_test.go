package standings_test

import (
	"fmt"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// game returns a game's two cells: number a has White against number b and scores these tenths of a point.
func game(a, b int, points tournament.Points) (tournament.Cell, tournament.Cell) {
	return tournament.Cell{Kind: tournament.Played, Opponents: []int{b}, Seat: 1, Points: points},
		tournament.Cell{Kind: tournament.Played, Opponents: []int{a}, Seat: 2, Points: 10 - points}
}

// smallSwiss is a Swiss of four entries after two rounds.
func smallSwiss() standings.Field {
	f := standings.Field{
		Format: tournament.Swiss, Points: tournament.StandardPoints, Rounds: 3, TieBreaks: []string{"BH", "SB"},
	}
	for n, name := range []string{"Ada", "Bruno", "Chiara", "Dmitri"} {
		entry := tournament.Entry{ID: name, Name: name, Number: n + 1}
		f.Cards = append(f.Cards, tournament.Card{Entry: entry, Cells: make([]tournament.Cell, 2)})
	}
	for _, g := range []struct {
		round, white, black int
		points              tournament.Points
	}{{1, 1, 3, 10}, {1, 2, 4, 10}, {2, 2, 1, 5}, {2, 3, 4, 0}} {
		white, black := game(g.white, g.black, g.points)
		f.Cards[g.white-1].Cells[g.round-1], f.Cards[g.black-1].Cells[g.round-1] = white, black
	}
	return f
}

// Ada and Bruno have equal points. The first tie-break in the list that differs separates them, here Buchholz.
func ExampleRank() {
	table, err := standings.Rank(smallSwiss())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("rank points", table.Columns)
	for _, row := range table.Rows {
		fmt.Println(row.Rank, row.Entry.Name, row.Points, row.TieBreaks)
	}
	// Output:
	// rank points [BH SB]
	// 1 Bruno 1.5 [2.5 1.75]
	// 2 Ada 1.5 [1.5 0.75]
	// 3 Dmitri 1 [1.5 0.00]
	// 4 Chiara 0 [2.5 0.00]
}

// Every value of a tie-break can be explained, term by term.
func ExampleAccounts() {
	accounts, err := standings.Accounts(smallSwiss(), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(accounts[0])
	// Output:
	// 2.5 = 1.0 + 1.5
}
