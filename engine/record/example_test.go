package record_test

import (
	"fmt"

	"quatuor/engine"
	"quatuor/engine/record"
)

// A finished game of Quixo is written as text, read back and checked: every move is replayed.
func Example() {
	game := record.Record{
		Event: "Thursday Cup", Date: "2026-11-19", Seats: []string{"Ada", "Bruno"}, Variant: "quixo/duel",
		Outcome: &record.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonResignation},
		Entries: []record.Entry{
			{Kind: record.Move, Text: "c1-c5"},
			{Kind: record.Move, Text: "a1-a5"},
			{Kind: record.Left, Seat: 2, Text: string(engine.ReasonResignation)},
		},
	}
	text := record.Append(nil, game)
	fmt.Print(string(text))

	read, err := record.Parse(string(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	report := record.Check(read)
	fmt.Println(len(report.Faults), "faults; position", report.Match.Position())
	// Output:
	// [Event "Thursday Cup"]
	// [Date "2026-11-19"]
	// [Seat1 "Ada"]
	// [Seat2 "Bruno"]
	// [Result "1,2"]
	// [Variant "quixo/duel"]
	// [Termination "resignation"]
	//
	// 1. c1-c5
	// 2. a1-a5
	// 2:!resignation
	// 1,2
	// 0 faults; position o.x../...../...../...../..... =1,2:resignation
}

// A record with moves against the rules is not refused as a whole: the check names each fault.
func ExampleCheck() {
	read, err := record.Parse(`[Result "1,2"]
[Variant "quixo/duel"]

1. c1-c5
2. c3-c5
1,2
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, fault := range record.Check(read).Faults {
		fmt.Println(fault.Message)
	}
	// Output:
	// move 2, c3-c5: c3 is not on the border
}

// Judge is the short way for a program that has only moves.
func ExampleJudge() {
	verdict := record.Judge(record.Game{Variant: "quits/duel", Moves: []string{"b2-c3", "z9-c3"}})
	fmt.Println(verdict.Position)
	fmt.Println(verdict.Error.Kind, verdict.Error.Message)
	// Output:
	// ..22./...22/1.1.2/1..../.11.. 2 - 0,0 0
	// notation "z9-c3" is no move of quits/duel; moves look like b2-c3, a3>e3 or pass, on squares a1 to e5
}
