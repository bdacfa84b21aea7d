package pages

import (
	"testing"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine/clock"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// TestControlsInWords puts every form of time control into words.
func TestControlsInWords(t *testing.T) {
	p, english := New(Config{Config: kit.Config{Hub: stream.NewHub()}}), message.Load().Match("en")
	for text, want := range map[string]string{
		"none": "no clock", "300": "5 min", "300+3": "5 min + 3 s a move", "0+5": "5 s a move", "1days": "1 day a move",
		"3days": "3 days a move", "300d5": "5 min, first 5 s of a move free", "300b5": "5 min, up to 5 s given back",
		"600y5x30":           "10 min, then 5 × 30 s",
		"40/5400+30:1800+30": "40 moves in 90 min + 30 s a move, then 30 min + 30 s a move",
	} {
		control, err := clock.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Render(english, "tournament", "control", control.String())
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := p.Render(english, "tournament", "control", "40/x"); err == nil {
		t.Error("a control that is none passes")
	}
}

// TestEverythingHasAName checks that no id is shown instead of a name.
func TestEverythingHasAName(t *testing.T) {
	p, english := New(Config{Config: kit.Config{Hub: stream.NewHub()}}), message.Load().Match("en")
	for name, values := range map[string][]string{
		"format": {"round_robin", "double_round_robin", "swiss", "knockout", "table_swiss", "table_round_robin"},
		"reason": {
			"line", "opponent-line", "out", "blocked", "last", "tiers",
			"tie-break", "replay", "repetition", "length", "agreement",
			"resignation", "time", "forfeit",
		},
	} {
		seen := map[string]string{}
		for _, value := range values {
			got, err := p.Render(english, "tournament", name, value)
			if err != nil || len(got) == 0 {
				t.Errorf("%s %q: %q, %v", name, value, got, err)
			}
			if string(got) == value && value != "resignation" && value != "forfeit" {
				t.Errorf("%s %q has no name", name, value)
			}
			if twin := seen[string(got)]; twin != "" {
				t.Errorf("%s %q and %q are both called %q", name, value, twin, got)
			}
			seen[string(got)] = value
		}
	}
}

// TestEveryTieBreakHasAName looks for the texts of all tie-breaks and their modifiers in every language.
func TestEveryTieBreakHasAName(t *testing.T) {
	for _, in := range message.Load().All() {
		for _, format := range []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.TableSwiss} {
			offers := standings.Offers(format)
			if len(offers) < 10 {
				t.Fatalf("%s: only %d tie-breaks", format, len(offers))
			}
			for _, o := range offers {
				for _, one := range append(o.Modifiers, o) {
					if _, err := in.Text("tie_breaks."+one.Text, "Limit", ""); err != nil {
						t.Errorf("%s of a %s: %v", one.Code, format, err)
					}
				}
			}
		}
	}
}
