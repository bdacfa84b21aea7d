package face_test

import (
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/player"
	"quatuor/engine/quiwin"
)

// started returns a new game of two.
func started(t *testing.T) *engine.Match {
	t.Helper()
	rules := quiwin.Variants()[0]
	setup, err := engine.NewSetup(rules.Info(), 2, "286288a6f4e7598a0b621160c6ab44ff59f15935b794d7bd6d303958897938c7", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNothingHiddenCounts changes what seat 1 cannot see of a game of Qui'win, and expects the same choices of it: in
// the first round, and after tiles have been laid.
func TestNothingHiddenCounts(t *testing.T) {
	rules := quiwin.Variants()[0]
	m := started(t)
	for range 2 {
		compareTwins(t, rules, m)
		for _, seat := range []engine.Seat{1, 2} {
			move := m.State().Legal(seat)[0]
			next, err := m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(move)})
			if err != nil {
				t.Fatal(err)
			}
			m = next
		}
	}
}

func compareTwins(t *testing.T, rules engine.Rules, m *engine.Match) {
	t.Helper()
	text := m.State().Position()
	_, after, _ := strings.Cut(text, "/")
	_, after, _ = strings.Cut(after, "/")
	hand, _, _ := strings.Cut(after, " ")
	_, after, _ = strings.Cut(after, " bag ")
	bag, _, _ := strings.Cut(after, " ")
	own, drawn := strings.Split(hand, ","), strings.Split(bag, ",")
	for i := range own { // whole hands change places with the bag, in order of names
		if own[i] != drawn[i] {
			own[i], drawn[i] = drawn[i], own[i]
		}
	}
	sortTiles(own)
	twinText := strings.Replace(text, hand, strings.Join(own, ","), 1)
	twinText = strings.Replace(twinText, " bag "+bag, " bag "+strings.Join(drawn, ","), 1)
	if twinText == text {
		t.Fatal("the twin does not differ")
	}
	twin, err := rules.Parse(m.Setup(), twinText)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, twinText)
	}
	seen := player.See(m, 1)
	other := seen
	other.View, other.Legal = twin.View(engine.ViewerOf(1)), twin.Legal(1)
	for level := player.MinLevel; level <= player.MaxLevel; level++ {
		a, errA := player.New().Choose(seen, level, 3, player.Budget{Nodes: 400})
		b, errB := player.New().Choose(other, level, 3, player.Budget{Nodes: 400})
		if a != b || errA != nil || errB != nil {
			t.Errorf("level %d chooses %v (%v) and, with other hidden tiles, %v (%v)", level, a, errA, b, errB)
		}
	}
}

func sortTiles(list []string) {
	for i := range list {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// TestBeginnersSaveNoAction plays Qui'win at level 1 until a seat may act: it does, though it could let the chance
// pass.
func TestBeginnersSaveNoAction(t *testing.T) {
	m, asked := started(t), 0
	for !m.Pending().Over() {
		seat := m.Pending().Awaited[0]
		seen := player.See(m, seat)
		choice, err := player.New().Choose(seen, 1, player.SeedFor(7, m.Turn()), player.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(seen.Legal, "none") && len(seen.Legal) > 1 {
			if asked++; choice.Move == "none" {
				t.Errorf("of %v it chooses none", seen.Legal)
			}
		}
		if m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(choice.Move)}); err != nil {
			t.Fatal(err)
		}
	}
	if asked == 0 {
		t.Error("no seat could act")
	}
}
