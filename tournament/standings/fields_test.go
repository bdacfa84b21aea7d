package standings

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
)

// newField is a Swiss of n entries, absent from all rounds so far.
func newField(entries, rounds int, codes ...string) Field {
	f := Field{Format: tournament.Swiss, Points: tournament.StandardPoints, Rounds: rounds, TieBreaks: codes}
	for n := 1; n <= entries; n++ {
		f.Cards = append(f.Cards, tournament.Card{
			Entry: tournament.Entry{ID: entryID(n), Number: n, Rating: float64(2500 - 10*n)},
			Cells: make([]tournament.Cell, rounds),
		})
	}
	return f
}

// sides are the two cells of a game by its result: those of a report, "x" for a double forfeit, "?" for none yet.
var sides = map[string][2]tournament.Cell{
	"1": {{Kind: tournament.Played, Points: 10}, {Kind: tournament.Played}},
	"=": {{Kind: tournament.Played, Points: 5}, {Kind: tournament.Played, Points: 5}},
	"0": {{Kind: tournament.Played}, {Kind: tournament.Played, Points: 10}},
	"+": {{Kind: tournament.ForfeitWin, Points: 10}, {Kind: tournament.ForfeitLoss}},
	"-": {{Kind: tournament.ForfeitLoss}, {Kind: tournament.ForfeitWin, Points: 10}},
	"x": {{Kind: tournament.ForfeitLoss}, {Kind: tournament.ForfeitLoss}},
	"?": {{Kind: tournament.Pending}, {Kind: tournament.Pending}},
}

// meet enters a game.
func (f Field) meet(round, white, black int, result string) {
	for i, c := range sides[result] {
		number, opponent := white, black
		if i == 1 {
			number, opponent = black, white
		}
		c.Seat, c.Opponents = i+1, []int{opponent}
		switch {
		case c.Kind == tournament.ForfeitWin:
			c.Points = f.Points.ForfeitWin
		case c.Points == 10:
			c.Points = f.Points.Win
		case c.Points == 5:
			c.Points = f.Points.Draw
		}
		f.Cards[number-1].Cells[round-1] = c
	}
}

// sitOut enters a bye.
func (f Field) sitOut(round, number int, bye tournament.Bye) {
	f.Cards[number-1].Cells[round-1] = tournament.Cell{Kind: tournament.Unpaired, Bye: bye, Points: f.Points.ForBye(bye)}
}

// anyField plays rounds with any kind of cell.
func anyField(t *rapid.T, codes ...string) Field {
	n, rounds := rapid.IntRange(2, 10).Draw(t, "entries"), rapid.IntRange(1, 6).Draw(t, "rounds")
	f := newField(n, rounds, codes...)
	var numbers []int
	for i := 1; i <= n; i++ {
		numbers = append(numbers, i)
	}
	results := rapid.SampledFrom([]string{"1", "0", "=", "1", "0", "=", "+", "-", "x"})
	byes := rapid.SampledFrom([]tournament.Bye{
		tournament.HalfPoint, tournament.ZeroPoint, tournament.PairingAllocated, tournament.FullPoint, tournament.NoBye,
	})
	for r := 1; r <= rounds; r++ {
		order := rapid.Permutation(numbers).Draw(t, "order")
		for len(order) > 0 {
			if len(order) > 1 && rapid.IntRange(0, 4).Draw(t, "plays") > 0 {
				f.meet(r, order[0], order[1], results.Draw(t, "result"))
				order = order[2:]
				continue
			}
			if bye := byes.Draw(t, "bye"); bye != tournament.NoBye {
				f.sitOut(r, order[0], bye)
			}
			order = order[1:]
		}
	}
	return f
}

// ranking ranks a field and returns its rows by number.
func ranking(t interface {
	Helper()
	Fatal(...any)
}, f Field,
) map[int]Row {
	t.Helper()
	table, err := Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[int]Row, len(table.Rows))
	for _, row := range table.Rows {
		out[row.Entry.Number] = row
	}
	return out
}

// value returns an entry's value in the column of a code.
func valueOf(t *testing.T, f Field, number int, code string) string {
	t.Helper()
	f.TieBreaks = []string{code}
	return ranking(t, f)[number].TieBreaks[0]
}

// swissCodes are all tie-breaks of a Swiss, with their modifiers.
var swissCodes = []string{
	"DE", "DE/P", "WIN", "WON", "BPG", "BWG", "PS", "PS/C1", "PS/C2", "REP", "STD", "TPN",
	"BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "BH/P", "BH/F", "BH/C1/P", "AOB", "AOB/F",
	"FB", "FB/C1", "FB/C2", "FB/M1", "FB/P", "SB", "SB/C1", "SB/C2", "SB/M1", "SB/M2", "SB/P",
	"KS", "KS/L+1", "KS/L-1", "KS/L60", "ARO", "ARO/C1", "ARO/C2", "ARO/M1", "TPR", "PTP", "APRO", "APPO", "RTNG", "LOT",
}

func column(code string) int { return slices.Index(swissCodes, code) }

// explained returns how an entry came to its value in a column of the standings, from 0.
func explained(f Field, number, column int) (*Account, error) {
	accounts, err := Accounts(f, number)
	if err != nil {
		return nil, err
	}
	return accounts[column], nil
}
