package quiwin

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/enginetest"
)

func TestLaws(t *testing.T) {
	for _, rules := range Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) {
			enginetest.Run(t, rules, enginetest.Hooks{
				Twin: func(rt *rapid.T, s engine.State, log []engine.Event, v engine.Viewer) (engine.State, []engine.Event) {
					seed := rapid.Uint64().Draw(rt, "twin")
					twin, log := twinOf(rand.New(rand.NewPCG(seed, 1)), s.(state).full, log, v)
					return state{twin}, log
				},
			})
		})
	}
}

// place is the place of a tile that a viewer cannot see, or sees by its colour only.
type place struct {
	tile *tile
	open bool // its colour can be seen
}

// twinOf returns a position and log that differ from these in what a viewer may not know, and in nothing else: tiles
// change places between the hands of others, the bag and, within their colour, the places with an open colour; the
// sealed choices of others become other choices.
func twinOf(chance *rand.Rand, f *full, log []engine.Event, v engine.Viewer) (*full, []engine.Event) {
	twin := *f
	twin.out = slices.Clone(f.out)
	if f.end != nil {
		return &twin, log
	}
	var hands [seats][]tile
	var places []place
	for _, seat := range bothSeats {
		hands[seat-1] = f.hand(seat)
		if !v.Holds(seat) {
			places = append(places, hidden(hands[seat-1])...)
		}
		for i := range twin.laid {
			moved := f.transfer.by == other(seat) && f.transfer.into == i+1
			if !mayKnow(f, v, seat, i+1, moved) {
				places = append(places, place{&twin.rows[seat-1][i], true})
			}
		}
	}
	places = append(places, hidden(twin.bag[twin.drawn:])...)
	for i, l := range twin.out {
		if !mayKnow(f, v, l.seat, l.slot, false) {
			places = append(places, place{&twin.out[i].tile, true})
		}
	}
	for range 200 {
		a, b := places[chance.IntN(len(places))], places[chance.IntN(len(places))]
		if !a.open && !b.open || a.tile.outside() == b.tile.outside() {
			*a.tile, *b.tile = *b.tile, *a.tile
		}
	}
	for i, hand := range hands {
		twin.hands[i] = [kinds]uint8{}
		for _, t := range hand {
			twin.hands[i][t]++
		}
	}
	return &twin, retold(chance, &twin, log, v)
}

// mayKnow is a second account of the viewers that may know a tile on the table: the seat that owns it, both seats if it
// was transferred, and all viewers once its tier is measured.
func mayKnow(f *full, v engine.Viewer, seat engine.Seat, slot int, transferred bool) bool {
	if f.measured > 0 && slot <= []int{2, 6, 8}[f.measured-1] {
		return true
	}
	return v.Holds(seat) || transferred && (v.Holds(1) || v.Holds(2))
}

func hidden(list []tile) []place {
	places := make([]place, len(list))
	for i := range list {
		places[i] = place{&list[i], false}
	}
	return places
}

// retold returns the log as it would read had the twin's tiles been laid, and seals other choices in the twin.
func retold(chance *rand.Rand, twin *full, log []engine.Event, v engine.Viewer) []engine.Event {
	told := slices.Clone(log)
	sealed, slots := twin.chosen, [seats]int{twin.laid, twin.laid}
	for i := len(told) - 1; i >= 0; i-- {
		e := &told[i]
		switch n := e.Seat - 1; {
		case e.Kind != engine.Moved:
		case sealed[n] != noToken:
			sealed[n] = noToken
			if !v.Holds(e.Seat) {
				choices := twin.choices(e.Seat)
				twin.chosen[n] = choices[chance.IntN(len(choices))]
				e.Text = twin.chosen[n].String()
			}
		case tokens[e.Text].isTile():
			e.Text = whereLaid(twin, e.Seat, slots[n]).String()
			slots[n]--
		}
	}
	return told
}

// whereLaid finds the tile that a seat laid in a slot, wherever it is by now.
func whereLaid(f *full, seat engine.Seat, slot int) tile {
	for i, l := range f.out { // a loss from the same place before a transfer from there took the tile that was laid
		transferredBefore := f.transfer.by == seat && f.transfer.slot == slot && i > 0
		if l.seat == seat && l.slot == slot && !transferredBefore {
			return l.tile
		}
	}
	changedFirst := len(f.out) > 0 && f.out[0].seat == seat && f.out[0].slot == slot
	if f.transfer.by == seat && f.transfer.slot == slot && f.transfer.into != 0 && !changedFirst {
		return f.rows[other(seat)-1][f.transfer.into-1]
	}
	return f.rows[seat-1][slot-1]
}

// TestTwinsDifferInEverySecret makes sure that the law on twins is put to the test on every kind of secret.
func TestTwinsDifferInEverySecret(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(400) {
		chance := rand.New(rand.NewPCG(seed, 2))
		f, log := randomGame(t, chance, int(seed%36))
		for _, v := range []engine.Viewer{{}, engine.ViewerOf(1), engine.ViewerOf(2)} {
			twin, told := twinOf(chance, f, log, v)
			for i := range seats {
				note(met, "hand", twin.hands[i] != f.hands[i])
				note(met, "row", twin.rows[i] != f.rows[i])
				note(met, "sealed tile", f.phase == lay && twin.chosen[i] != f.chosen[i])
				note(met, "sealed action", f.phase == window && twin.chosen[i] != f.chosen[i])
			}
			note(met, "bag", twin.bag != f.bag)
			note(met, "discarded", !slices.Equal(twin.out, f.out))
			note(met, "log", !slices.Equal(told, log))
			if err := twin.check(); f.end == nil && err != nil {
				t.Fatalf("a twin breaks the rules: %v\n%s", err, state{twin}.Position())
			}
		}
	}
	for _, secret := range []string{"hand", "row", "sealed tile", "sealed action", "bag", "discarded", "log"} {
		if met[secret] == 0 {
			t.Errorf("no twin differed in %s; %v", secret, met)
		}
	}
}

func note(met map[string]int, secret string, differs bool) {
	if differs {
		met[secret]++
	}
}

// randomGame plays some random moves of a random deal.
func randomGame(tb testing.TB, chance *rand.Rand, plies int) (*full, []engine.Event) {
	tb.Helper()
	var seed [32]byte
	for i := range seed {
		seed[i] = byte(chance.Uint32())
	}
	s, err := Variants()[0].Start(engine.Setup{Seats: 2, Seed: engine.NewSeed(seed)})
	if err != nil {
		tb.Fatal(err)
	}
	var log []engine.Event
	for range plies {
		p := s.Pending()
		if p.Over() {
			break
		}
		seat := p.Awaited[chance.IntN(len(p.Awaited))]
		moves := s.Legal(seat)
		e := engine.Event{Kind: engine.Moved, Seat: seat, Text: string(moves[chance.IntN(len(moves))])}
		if s, err = s.Apply(e); err != nil {
			tb.Fatal(err)
		}
		log = append(log, e)
	}
	return s.(state).full, log
}
