package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// TestAuditFindsWhatIsWrong spoils a stored game in every place, each by itself.
func TestAuditFindsWhatIsWrong(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quits/duel", "60+5").Game.ID
		for turn := 1; turn <= 6; turn++ {
			e.pass(time.Second)
			s := e.see(id)
			seat := s.Game.Awaited[0]
			e.mustPlay(id, seat, turn, string(s.Match.State().Legal(engine.Seat(seat))[0]))
		}
		if _, err := e.Offer(t.Context(), e.Arrive(id), Act{Game: id, Seat: 2}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			says  string
			spoil func(*Game, []Line) []Line
		}{
			{"", func(_ *Game, l []Line) []Line { return l }},
			{"turn is 9 and should be 7", func(g *Game, l []Line) []Line { g.Turn = 9; return l }},
			{"deadline", func(g *Game, l []Line) []Line { g.Deadline++; return l }},
			{"clock", func(g *Game, l []Line) []Line { g.Clock = g.Clock.Stop(g.Clock.LastAt()); return l }},
			{"position", func(g *Game, l []Line) []Line { g.Position += " "; return l }},
			{"status", func(g *Game, l []Line) []Line { g.Status = Finished; return l }},
			{"outcome", func(g *Game, l []Line) []Line { g.Outcome = &engine.Outcome{Ranks: []int{1, 2}}; return l }},
			{"awaits seats [2] and should await [1]", func(g *Game, l []Line) []Line { g.Awaited = []int8{2}; return l }},
			{"draw offer", func(g *Game, l []Line) []Line { g.Offer = 0; return l }},
			{"start is 0", func(g *Game, l []Line) []Line { g.StartedAt = 0; return l }},
			{"version is 8 and should be 7", func(_ *Game, l []Line) []Line { return l[:7] }},
			{"cannot be set up again", func(g *Game, l []Line) []Line { g.Variant = "chess"; return l }},
			{"line 4 cannot be carried out", func(_ *Game, l []Line) []Line { return slices.Delete(l, 3, 4) }},
			{"line 3 cannot be carried out", func(_ *Game, l []Line) []Line { l[2], l[3] = l[3], l[2]; return l }},
			{"line 4 cannot be carried out: it comes at", func(_ *Game, l []Line) []Line { l[3].At += 1e6; return l }},
			{"line 4 cannot be carried out: no flag", func(_ *Game, l []Line) []Line {
				l[3].Kind, l[3].Text = LineLeft, string(engine.ReasonTime)
				return l
			}},
			{`nothing writes lines of kind "prayer"`, func(_ *Game, l []Line) []Line { l[3].Kind = "prayer"; return l }},
			{"line 4, move of seat 1: its number is 5 and should be 4", func(_ *Game, l []Line) []Line { l[3].N = 5; return l }},
			{"line 3, move of seat 2: its time left in ms is 63999", func(_ *Game, l []Line) []Line { l[2].Remaining--; return l }},
			{"line 3, move of seat 2: its time taken in ms is 999", func(_ *Game, l []Line) []Line { l[2].Elapsed--; return l }},
			{"line 1, start of seat 0: its words for other languages", func(_ *Game, l []Line) []Line {
				l[0].Said = sentence.Fixed("taken back").Stored()
				return l
			}},
			{"line 1, start of seat 0: it says more", func(_ *Game, l []Line) []Line { l[0].Text = "!"; return l }},
		} {
			s := e.see(id)
			game, lines := s.Game, slices.Clone(s.Lines)
			faults := strings.Join(Audit(game, c.spoil(&game, lines)), "\n")
			if c.says == "" && faults != "" || !strings.Contains(faults, c.says) {
				t.Errorf("want %q, got %q", c.says, faults)
			}
		}
	})
}
