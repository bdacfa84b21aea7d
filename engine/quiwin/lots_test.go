package quiwin_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/quiwin"
)

// TestLotsOfRandomGames compares the account of chance with the public view of a finished game: the hands and the bag
// of the deal, and for every tile that left the game the tile from the bag that took its place.
func TestLotsOfRandomGames(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kinds := map[string]int{}
	for range 300 {
		m, rows := randomGame(t, r)
		lots, err := m.Rules().(engine.Auditor).Lots(m.Setup(), m.Events())
		if err != nil {
			t.Fatal(err)
		}
		view := m.State().View(engine.Viewer{}).(quiwin.View)
		bag := strings.Fields(lots[3].Text[strings.LastIndex(lots[3].Text, ", ")+2:])
		drawn := 0
		for _, lot := range lots[4:] {
			if !strings.Contains(lot.Text, "the bag gives") {
				kinds[lot.Text[:strings.IndexByte(lot.Text, ';')]]++
				continue
			}
			out := view.Discarded[drawn]
			var tile string
			var slot, seat int
			_, rest, _ := strings.Cut(lot.Text, "the bag gives ")
			if _, err := fmt.Sscanf(strings.Replace(rest, ",", " ,", 1), "%s , which lies in slot %d of seat %d", &tile, &slot,
				&seat); err != nil {
				t.Fatalf("%q: %v", lot.Text, err)
			}
			begin := fmt.Sprintf("%s leaves slot %d of seat %d;", out.Tile, out.Slot, out.Seat)
			if !strings.HasPrefix(lot.Text, begin) || tile != bag[drawn] || rows[lot.After][seat-1][slot-1] != tile {
				t.Errorf("lot %q after %d events; discarded %v, bag %v, rows %v", lot.Text, lot.After, out, bag, rows[lot.After])
			}
			drawn++
		}
		if drawn != len(view.Discarded) || drawn+view.BagCount != 14 {
			t.Errorf("%d lots from the bag, %d tiles out, %d left", drawn, len(view.Discarded), view.BagCount)
		}
		if got, want := strings.Join(bag[drawn:], " "), strings.Join(view.Bag, " "); got != want {
			t.Errorf("the bag is %s in the end, want %s", got, want)
		}
	}
	if kinds["both seats choose change"] == 0 || kinds["both seats choose transfer"] == 0 || len(kinds) != 2 {
		t.Errorf("numbers were drawn where %v", kinds)
	}
}

// randomGame plays to the end; it also returns both rows after each number of events.
func randomGame(t *testing.T, r *rand.Rand) (*engine.Match, [][2][]string) {
	t.Helper()
	rules := quiwin.Variants()[0]
	setup, err := engine.NewSetup(rules.Info(), 2, fmt.Sprintf("%064x", r.Uint64()), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	rows := [][2][]string{{}}
	for !m.Pending().Over() {
		awaited := m.Pending().Awaited
		seat := awaited[r.IntN(len(awaited))]
		legal := m.State().Legal(seat)
		m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(legal[r.IntN(len(legal))])})
		if err != nil {
			t.Fatal(err)
		}
		view := m.State().View(engine.ViewerOf(1, 2)).(quiwin.View)
		rows = append(rows, [2][]string{view.Seats[0].Row, view.Seats[1].Row})
	}
	return m, rows
}

// TestLotsOfNoGame: a log that the rules refuse has no account.
func TestLotsOfNoGame(t *testing.T) {
	rules := quiwin.Variants()[0]
	setup, err := engine.NewSetup(rules.Info(), 2, strings.Repeat("00", 32), nil)
	if err != nil {
		t.Fatal(err)
	}
	lots, err := rules.(engine.Auditor).Lots(setup, []engine.Event{{Kind: engine.Moved, Seat: 1, Text: "change"}})
	if engine.KindOf(err) != "illegal" || lots != nil {
		t.Errorf("lots %v, error %v", lots, err)
	}
	if _, err := rules.(engine.Auditor).Lots(engine.Setup{Seats: 2}, nil); engine.KindOf(err) != "setup" {
		t.Errorf("without a seed: error %v", err)
	}
}
