package clock_test

import (
	"fmt"

	"quatuor/engine/clock"
)

// A game of two with five minutes and three seconds a move: the first thinks for ten seconds, the second is still
// thinking after twenty.
func Example() {
	control, err := clock.Parse("300+3")
	if err != nil {
		fmt.Println(err)
		return
	}
	state := clock.New([]clock.Control{control, control}, false)
	for _, event := range []clock.Event{
		{At: 0, Kind: clock.Awaited, Await: []int8{1}, HasAwait: true},
		{At: 10_000, Kind: clock.Moved, Seat: 1, Await: []int8{2}, HasAwait: true},
	} {
		if state, _, err = state.Apply(event); err != nil {
			fmt.Println(err)
			return
		}
	}
	for seat := int8(1); seat <= 2; seat++ {
		fmt.Println(seat, state.Seat(seat, 30_000).Remaining)
	}
	flag, _ := state.Next()
	fmt.Println("flag of seat", flag.Seat, "at", flag.At)
	// Output:
	// 1 293000
	// 2 280000
	// flag of seat 2 at 310000
}

// In a live game the rules decide which seats are awaited after each flag: here seat 2: its turn begins when seat 1's
// ends.
func ExampleState_Fall() {
	control, _ := clock.Parse("5")
	state := clock.New([]clock.Control{control, control, control}, false)
	state, _, _ = state.Apply(clock.Event{At: 0, Kind: clock.Awaited, Await: []int8{1}, HasAwait: true})

	const arrival = 12_000 // of the next request
	for flag, ok := state.Next(); ok && flag.At < arrival; flag, ok = state.Next() {
		fmt.Println("flag of seat", flag.Seat, "at", flag.At)
		state = state.Fall(flag.Seat, []int8{flag.Seat + 1})
	}
	fmt.Println("seat 3 has", state.Seat(3, arrival).Remaining)
	// Output:
	// flag of seat 1 at 5000
	// flag of seat 2 at 10000
	// seat 3 has 3000
}

func ExampleParse() {
	for _, text := range []string{"0300+3.50", "600y5x30", "40/5400:1800", "5.1234"} {
		control, err := clock.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(control, clock.Class(control))
	}
	// Output:
	// 300+3.5 blitz
	// 600y5x30 rapid
	// 40/5400:1800 classical
	// time control "5.1234": stage 1: the base must be seconds with at most three decimals, such as 5 or 0.5, not "5.1234"
}
