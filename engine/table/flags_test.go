package table

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestScheduleKeepsEveryDeadline arms, puts off, brings forward and takes out deadlines, and holds what is due against
// a plain list of them.
func TestScheduleKeepsEveryDeadline(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, want := newSchedule(), map[string]int64{}
		games := rapid.StringMatching("[a-e]")
		for now := int64(1); now < 60; now += rapid.Int64Range(0, 5).Draw(rt, "passes") {
			game, at := games.Draw(rt, "game"), rapid.Int64Range(0, 70).Draw(rt, "deadline")
			switch {
			case at == 0:
				delete(want, game)
				s.set(game, 0)
			case rapid.Bool().Draw(rt, "with others"):
				want[game], want["z"] = at, at+1
				s.fill([]Armed{{game, at}, {"z", at + 1}, {"y", 0}})
			default:
				want[game] = at
				s.set(game, at)
			}
			due, next := s.due(now)
			for _, d := range due {
				game := d.game
				if at, armed := want[game]; !armed || at >= now {
					rt.Fatalf("%s is due at %d, armed for %d (%v)", game, now, at, armed)
				}
				delete(want, game)
			}
			if len(want) == 0 && next != 0 {
				rt.Fatalf("to look at %d for nothing", next)
			}
			if len(want) > 0 && (next < now || next > slices.Min(slices.Collect(maps.Values(want)))) {
				rt.Fatalf("at %d: to look again at %d, with %v", now, next, want)
			}
		}
	})
}
