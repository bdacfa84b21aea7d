package quiwin

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quatuor/engine"
)

// forged is a position with a single change that makes it impossible in a game.
type forged struct {
	position, old, new string
	why                string // part of the message
}

// refuses reads each forged position and checks that it is refused for the right reason.
func refuses(t *testing.T, cases []forged) {
	t.Helper()
	for _, tc := range cases {
		position := strings.Replace(tc.position, tc.old, tc.new, 1)
		if position == tc.position {
			t.Fatalf("%q is not in %q", tc.old, tc.position)
		}
		s, err := Variants()[0].Parse(engine.Setup{Seats: 2}, position)
		if s != nil || err == nil || !strings.Contains(err.Error(), tc.why) {
			t.Errorf("%q for %q: state %v, error %v; want %q in it", tc.new, tc.old, s, err, tc.why)
		}
	}
}

// after returns the position after the moves of a record from even.
func after(t *testing.T, record string) string {
	t.Helper()
	s, _ := play(t, parse(t, even), record)
	return s.Position()
}

// TestParseRefusesForgedStarts makes single changes to a position before the first move.
func TestParseRefusesForgedStarts(t *testing.T) {
	refuses(t, []forged{
		{even, even, "", "lacks the field rows"},
		{even, " lead 0", "", "lacks the field lead"},
		{even, "words 29", "words x", "not a number"},
		{even, "words 29", "words 029", "should read"},
		{even, "words 29", "words 29 ", "should read"},
		{even, "lay", "sit", "neither a phase"},
		{even, "b24,g22,o23", "b24,g21,o23", "not a tile"},
		{even, "b24,g22,o23", "g22,b24,o23", "should read"},
		{even, "hands b24,", "hands ", "hand has"},
		{even, "bag g22", "bag b24", "4 tiles g22"},
		{even, "bag g22,", "bag ", "4 tiles g22"},
		{even, "bag g22", "bag g22,g22", "more than 14"},
		{even, "chosen -,-", "chosen g23,-", "not a choice"},
		{even, "chosen -,-", "chosen r25,-", "phase"},
		{even, "chosen -,-", "chosen change,-", "phase"},
		{even, "chosen -,-", "chosen b24,b24", "phase"},
		{even, "lay", "window", "phase"},
		{even, "lay", "more", "phase"},
		{even, "lay", "give", "phase"},
		{even, "measured 0", "measured 1", "measured"},
		{even, "lead 0", "lead 1", "lead"},
		{even, "lay", "=:replay", "does not end"},
		{even, "lay", "=1,2:tiers", "does not end"},
		{even, "lay", "=1,1:time", "does not end"},
		{even, "lay", "=1,2:length", "does not end"},
		{even, "lay", "=1,3:time", "ranks"},
		{even, "change 0", "change 1", "tiles are out"},
		{even, "change 0", "change 3", "not a number"},
		{even, "bag g22", "bag g21", "not a tile"},
	})
}

// TestParseRefusesForgedPositions makes single changes to positions after some moves.
func TestParseRefusesForgedPositions(t *testing.T) {
	laid, acted := after(t, "1:o25 2:g22"), after(t, "1:o25 2:g22 1:transfer 2:change 2:give-1")
	due, again := after(t, "1:o25 2:g22 1:transfer 2:none"), after(t, "1:o25 2:g22 1:none 2:change")
	second := after(t, "1:o25 2:g22 1:none 2:none 1:y23 2:y23 1:transfer 2:none")
	given := after(t, "1:o25 2:g22 1:none 2:none 1:y23 2:y23 1:transfer 2:none 2:give-2")
	later := after(t, "1:o25 2:o23 1:change 2:none 2:none 1:o23 2:y23")
	refuses(t, []forged{
		{laid, "rows o25,-", "rows -,o25", "gaps"},
		{laid, "rows o25,", "rows -,", "rows have"},
		{laid, "chosen -,-", "chosen transfer,transfer", "phase"},
		{due, " give ", " lay ", "phase"},
		{laid, "transfer -", "transfer 1@2>0", "there is no transfer"},
		{due, "1@1>0", "1@1>1", "tiles are out"},
		{due, "change 0", "change 1", "tiles are out"},
		{acted, "1@1>1", "1@1>2", "there is no transfer"},
		{acted, "1@1>1", "2@1>1", "only one action"},
		{acted, "@1.1", "@3.1", "not a number"},
		{acted, "@1.1", "@1.0", "not a tile out"},
		{acted, "@1.1", "@2.1", "do not follow"},
		{acted, "@1.1", "@1.2", "no action took"},
		{again, "more", "window", "phase"},
		{acted, "@1.1", "@1.x", "not a number"},
		{due, "1@1>0", "x@1>0", "not a number"},
		{due, "1@1>0", "1@x>0", "not a number"},
		{due, "1@1>0", "1@1>x", "not a number"},
		{second, "1@2>0", "1@1>0", "does not fit the rows"},
		{given, "@2.2", "@2.1", "no action took"},
		{given, " more ", " give ", "phase"},
		{acted, " lay ", " more ", "phase"},
		{later, " window ", " more ", "phase"},
	})
}

// TestParseRefusesForgedEnds makes single changes to positions after the end.
func TestParseRefusesForgedEnds(t *testing.T) {
	won := after(t, "1:o25 2:g22 2:!resignation")
	finished, _ := randomGame(t, rand.New(rand.NewPCG(1, 1)), 100)
	over := state{finished}.Position()
	reversed := engine.Won(Variants()[0].Info(), seats, engine.Side(3-finished.end.Ranks[0]), finished.end.Reason)
	refuses(t, []forged{
		{over, finished.end.String(), "lay", "all tiers have been measured"},
		{over, finished.end.String(), reversed.String(), "does not end"},
		{over, "chosen -,-", "chosen none,-", "does not end"},
		{won, "=1,2", "=1,1", "does not end"},
		{won, "measured 0", "measured 2", "measured"},
	})
}

// TestPositionsOfRandomGames: texts and states map one to one along whole games.
func TestPositionsOfRandomGames(t *testing.T) {
	rules := Variants()[0]
	for seed := range uint64(300) {
		for plies := range 36 {
			f, _ := randomGame(t, rand.New(rand.NewPCG(seed, 4)), plies)
			again, err := rules.Parse(engine.Setup{Seats: 2, Seed: f.seed}, state{f}.Position())
			if err != nil {
				t.Fatal(err)
			}
			if again.Position() != (state{f}).Position() {
				t.Fatalf("%s\nreads as\n%s", state{f}.Position(), again.Position())
			}
			if f.end != nil {
				break
			}
		}
	}
}
