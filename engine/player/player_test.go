package player

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/quiwin"
)

const seedHex = "286288a6f4e7598a0b621160c6ab44ff59f15935b794d7bd6d303958897938c7"

// started returns a new game of a variant.
func started(t *testing.T, rules engine.Rules, seats int) *engine.Match {
	t.Helper()
	info, seed := rules.Info(), ""
	if info.Secret {
		seed = seedHex
	}
	setup, err := engine.NewSetup(info, seats, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWholeGames plays a game of every variant and number of seats with all levels at the board, twice: every move is
// legal, the game ends, and both times it is the same game.
func TestWholeGames(t *testing.T) {
	for _, rules := range catalog.All() {
		for _, seats := range rules.Info().Seats {
			first, second := playAll(t, rules, seats), playAll(t, rules, seats)
			if !reflect.DeepEqual(first, second) {
				t.Errorf("%s with %d seats: two games with one seed differ:\n%v\n%v", rules.Info().ID, seats, first, second)
			}
		}
	}
}

func playAll(t *testing.T, rules engine.Rules, seats int) []engine.Event {
	t.Helper()
	m, bot := started(t, rules, seats), New()
	for !m.Pending().Over() {
		seat := m.Pending().Awaited[0]
		level := 1 + int(seat)%MaxLevel
		choice, err := bot.Choose(See(m, seat), level, SeedFor(7, m.Turn()), Budget{Nodes: 200})
		if err != nil {
			t.Fatalf("%s: level %d: %v", rules.Info().ID, level, err)
		}
		if level == MaxLevel && choice.Nodes > 200 {
			t.Errorf("%s: level %d looked at %d positions, its budget was 200", rules.Info().ID, level, choice.Nodes)
		}
		if m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(choice.Move)}); err != nil {
			t.Fatalf("%s: level %d: %v", rules.Info().ID, level, err)
		}
	}
	return m.Events()
}

// TestSeeHidesState checks that what is passed to a bot in a game with secrets has no way to its state.
func TestSeeHidesState(t *testing.T) {
	seen := See(started(t, quiwin.Variants()[0], 2), 2)
	if seen.State != nil || seen.Past != nil {
		t.Error("a bot sees the state of a game with secrets")
	}
	if v, ok := seen.View.(quiwin.View); !ok || v.Seats[0].Hand != nil || len(v.Seats[1].Hand) != 8 {
		t.Errorf("seat 2 sees %+v", seen.View)
	}
}

// TestRefusals calls bots with what none can answer.
func TestRefusals(t *testing.T) {
	m := started(t, catalog.All()[0], 2)
	for _, tt := range []struct {
		seat  engine.Seat
		level int
	}{{1, 0}, {1, 4}, {2, 1}} {
		if c, err := New().Choose(See(m, tt.seat), tt.level, 1, Budget{Nodes: 10}); err == nil {
			t.Errorf("seat %d, level %d: %v, want an error", tt.seat, tt.level, c)
		}
	}
}

// TestStopEndsSearch checks that a budget of time ends a search that has no other end.
func TestStopEndsSearch(t *testing.T) {
	for _, rules := range catalog.All() {
		asked := 0
		budget := Budget{Stop: func() bool { asked++; return asked > 2 }}
		choice, err := New().Choose(See(started(t, rules, rules.Info().Seats[0]), 1), MaxLevel, rand.Uint64(), budget)
		if err != nil || rules.Info().Family() != "quivive" && asked != 3 {
			t.Errorf("%s: %v, %v after %d questions", rules.Info().ID, choice, err, asked)
		}
	}
}
