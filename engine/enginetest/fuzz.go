package enginetest

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"

	"quatuor/engine"
)

// FuzzMoves tries any text as a move in positions of random games. It must be accepted exactly if it is a legal move,
// and be refused with a known kind otherwise.
func FuzzMoves(f *testing.F, variants []engine.Rules) {
	for _, text := range []string{
		"", "pass", "c1-c5", "c1-c5>3", "b2-c3", "a3>e3", "+d4", "@d4", "d4-e5xc3", "g22",
		"give-4",
	} {
		f.Add(uint16(0), uint64(7), text)
		f.Add(uint16(40), uint64(8), text)
	}
	f.Fuzz(func(t *testing.T, plies uint16, walk uint64, text string) {
		for _, rules := range variants {
			m := wander(t, rules, walk, int(plies%200))
			for seat := engine.Seat(1); int(seat) <= m.Setup().Seats; seat++ {
				legal := slices.Contains(m.State().Legal(seat), engine.Move(text))
				next, err := m.State().Apply(engine.Event{Kind: engine.Moved, Seat: seat, Text: text})
				if legal != (err == nil) || legal != (next != nil) {
					t.Errorf("%s %q by seat %d: legal %v, error %v", m.State().Position(), text, seat, legal, err)
				}
				if err != nil && engine.KindOf(err) == "" {
					t.Errorf("%q is refused with %T: %v", text, err, err)
				}
			}
		}
	})
}

// FuzzPositions reads any text as a position. An accepted text must print as the same text, and either be over or await
// seats with moves that all lead to positions that can be read again.
func FuzzPositions(f *testing.F, variants []engine.Rules) {
	for _, rules := range variants {
		for walk := range uint64(4) {
			f.Add(wander(f, rules, walk, int(walk*walk*20)).State().Position())
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, rules := range variants {
			for _, setup := range setups(t, rules, 0) {
				if s, err := rules.Parse(setup, text); err == nil {
					testRead(t, rules, setup, s, text)
				}
			}
		}
	})
}

func testRead(t *testing.T, rules engine.Rules, setup engine.Setup, s engine.State, text string) {
	if got := s.Position(); got != text {
		t.Errorf("%s: %q prints as %q", rules.Info().ID, text, got)
	}
	p := s.Pending()
	if p.Over() == (len(p.Awaited) > 0) {
		t.Errorf("%s: %q awaits %v and has the outcome %v", rules.Info().ID, text, p.Awaited, p.Outcome)
	}
	for _, seat := range p.Awaited {
		moves := s.Legal(seat)
		if len(moves) == 0 {
			t.Errorf("%s: seat %d has no move in %q", rules.Info().ID, seat, text)
		}
		for _, mv := range moves {
			next, err := s.Apply(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)})
			if err != nil {
				t.Fatalf("%s: %s in %q: %v", rules.Info().ID, mv, text, err)
			}
			if _, err := rules.Parse(setup, next.Position()); err != nil {
				t.Errorf("%s: %s in %q leads to %q: %v", rules.Info().ID, mv, text, next.Position(), err)
			}
		}
	}
}

// setups returns a setup for every number of seats and every choice of options.
func setups(tb testing.TB, rules engine.Rules, walk uint64) []engine.Setup {
	tb.Helper()
	info := rules.Info()
	seed := ""
	if info.Secret {
		sum := sha256.Sum256([]byte{byte(walk)})
		seed = hex.EncodeToString(sum[:])
	}
	var list []engine.Setup
	for _, seats := range info.Seats {
		for _, options := range combinations(info.Options) {
			setup, err := engine.NewSetup(info, seats, seed, options)
			if err != nil {
				tb.Fatal(err)
			}
			list = append(list, setup)
		}
	}
	return list
}

// wander plays moves chosen by a linear congruential generator that starts with walk: the same for the same
// number, up to the end of the game.
func wander(tb testing.TB, rules engine.Rules, walk uint64, plies int) *engine.Match {
	tb.Helper()
	choices := setups(tb, rules, walk)
	m, err := engine.NewMatch(rules, choices[walk%uint64(len(choices))])
	if err != nil {
		tb.Fatal(err)
	}
	for range plies {
		p := m.Pending()
		if p.Over() {
			break
		}
		walk = walk*6364136223846793005 + 1442695040888963407
		seat := p.Awaited[(walk>>32)%uint64(len(p.Awaited))]
		moves := m.State().Legal(seat)
		mv := moves[(walk>>40)%uint64(len(moves))]
		if m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)}); err != nil {
			tb.Fatal(err)
		}
	}
	return m
}
