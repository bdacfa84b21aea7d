package quiwin

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
)

// TestGuessFitsView plays random games, and in each position guesses what a seat cannot see: the guess looks to the
// seat as the game does, has its legal moves, and holds every tile once.
func TestGuessFitsView(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var raw [32]byte
		copy(raw[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(rt, "seed"))
		rules := Variants()[0]
		s, err := rules.Start(engine.Setup{Seats: 2, Seed: engine.NewSeed(raw)})
		if err != nil {
			rt.Fatal(err)
		}
		chance := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(rt, "chance")))
		for !s.Pending().Over() {
			seat := s.Pending().Awaited[chance.IntN(len(s.Pending().Awaited))]
			checkGuess(rt, s, seat, chance)
			moves := s.Legal(seat)
			if s, err = s.Apply(engine.Event{
				Kind: engine.Moved, Seat: seat,
				Text: string(moves[chance.IntN(len(moves))]),
			}); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

func checkGuess(rt *rapid.T, s engine.State, seat engine.Seat, chance *rand.Rand) {
	view, ok := s.View(engine.ViewerOf(seat)).(View)
	if !ok {
		rt.Fatal("no view of Qui'win")
	}
	var sim Sim
	Know(view, seat).Guess(&sim, chance.IntN)
	guessed := state{&sim.full}.view(engine.ViewerOf(seat))
	for i := range view.Seats {
		view.Seats[i].HasChosen = false // what the other seat has sealed is chosen again
	}
	if !reflect.DeepEqual(guessed, view) {
		rt.Fatalf("a guess looks like\n%+v\nthe game like\n%+v", guessed, view)
	}
	if err := sim.checkTiles(); err != nil {
		rt.Fatalf("a guess is no position: %v\n%s", err, state{&sim.full}.Position())
	}
	var tokens []engine.Move
	for _, c := range sim.Choices(seat, nil) {
		tokens = append(tokens, engine.Move(c.String()))
	}
	if legal := s.Legal(seat); !slices.Equal(tokens, legal) {
		rt.Fatalf("a guess has the choices %v, legal are %v", tokens, legal)
	}
}

// TestGuessesDiffer checks that hidden hands are drawn again for each guess, and evenly: a green tile that seat 1 has
// not seen is in the other hand as often as it should be.
func TestGuessesDiffer(t *testing.T) {
	s, err := Variants()[0].Start(engine.Setup{Seats: 2, Seed: engine.NewSeed([32]byte{1})})
	if err != nil {
		t.Fatal(err)
	}
	view, _ := s.View(engine.ViewerOf(1)).(View)
	known, chance := Know(view, 1), rand.New(rand.NewPCG(1, 2))
	var sim Sim
	const guesses = 20_000
	green := 0
	for range guesses {
		known.Guess(&sim, chance.IntN)
		green += int(sim.hands[1][g22])
	}
	unseen := 5
	for _, name := range view.Seats[0].Hand {
		if name == "g22" {
			unseen--
		}
	}
	want := float64(unseen) * handSize / (allTiles - handSize)
	if got := float64(green) / guesses; got < want-0.05 || got > want+0.05 {
		t.Errorf("the other hand has %.3f green tiles in the mean, want %.3f", got, want)
	}
}
