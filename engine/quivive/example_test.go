package quivive_test

import (
	"fmt"

	"quatuor/engine"
	"quatuor/engine/quivive"
)

// A game in its last turns: side 1 takes the step away that side 2 has left.
func ExampleVariants() {
	duel := quivive.Variants()[0]
	setup, err := engine.NewSetup(duel.Info(), 2, "", map[string]string{"stuck": "kept"})
	if err != nil {
		panic(err)
	}
	s, err := duel.Parse(setup, "1b10/00000/0000000/1000001/1a000001a/00000/1b00 1 play")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Legal(1))
	s, err = s.Apply(engine.Event{Kind: engine.Moved, Text: "a3-a4xd7"})
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Position())
	fmt.Println(s.Pending().Outcome)
	// Output:
	// [a3-a4xa3 a3-a4xd7 a3-a4xg4 g3-g4xa4 g3-g4xd7 g3-g4xg3]
	// 100/00000/0000000/1a000001/1000001a/00000/100 =1,2:last play
	// =1,2:last
}
