package pages

import (
	"strings"
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine/clock"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

func TestFigures(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{change(12.4), "+12"},
		{change(-7.6), "−8"},
		{change(-0.2), "±0"},
		{halves("3.5"), "3½"},
		{halves("0.5"), "½"},
		{halves("2"), "2"},
		{halves("2.25"), "2.25"},
		{prettyResult("1/2-1/2"), "½ – ½"},
		{prettyResult("0-1"), "0 – 1"},
		{prettyResult("---"), "− : −"},
		{prettyResult("2,1,3"), "2, 1, 3"},
		{family("quits/four"), "quits"},
		{family("quits-rapid"), "quits"},
		{class("quits-rapid"), "rapid"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

// TestControlsInWords puts every form of time control into words.
func TestControlsInWords(t *testing.T) {
	w := newTown(t)
	for text, want := range map[string]string{
		"none": "no clock", "300": "5 min", "300+3": "5 min + 3 s a move", "0+5": "5 s a move", "1days": "1 day a move",
		"3days": "3 days a move", "300d5": "5 min, first 5 s of a move free", "300b5": "5 min, up to 5 s given back",
		"600y5x30": "10 min, then 5 × 30 s", "40/5400+30:1800+30": "40 moves in 90 min + 30 s a move, then 30 min + 30 s a move",
	} {
		control, err := clock.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.pages.render(w.english(), "games", "control", control.String())
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := w.pages.render(w.english(), "games", "control", "40/x"); err == nil {
		t.Error("a control that is none passes")
	}
}

// TestEverythingHasAName makes sure that no id is shown where people expect a name.
func TestEverythingHasAName(t *testing.T) {
	w := newTown(t)
	for name, values := range map[string][]string{
		"format": {"round_robin", "double_round_robin", "swiss", "knockout", "table_swiss", "table_round_robin"},
		"reason": {
			"line", "opponent-line", "out", "blocked", "last", "tiers", "tie-break", "replay", "repetition", "length", "agreement",
			"resignation", "time", "forfeit",
		},
	} {
		seen := map[string]string{}
		for _, value := range values {
			got, err := w.pages.render(w.english(), "games", name, value)
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

func TestClocksForScripts(t *testing.T) {
	for _, test := range []struct {
		control string
		r       clock.Reading
		now     int64
		want    clockBody
	}{
		{"300", clock.Reading{Remaining: 5000, Running: true, HasDeadline: true, Deadline: 9000}, 4000, clockBody{Left: 5000, Until: 5000, Running: true, Shown: 5000}},
		{"300", clock.Reading{Remaining: 5000}, 4000, clockBody{Left: 5000, Until: -1, Shown: 5000}},
		{"60y3x10", clock.Reading{Remaining: 7000, Periods: 3, Stage: 1, Running: true, HasDeadline: true, Deadline: 41_000}, 4000, clockBody{Left: 7000, Until: 37_000, Periods: 3, Period: 10_000, Running: true, Shown: 7000}},
		{"60y3x10", clock.Reading{Periods: 2, Stage: 1, Running: true, HasDeadline: true, Deadline: 16_000}, 4000, clockBody{Until: 12_000, Periods: 2, Period: 10_000, Running: true, Overtime: true, Shown: 2000}},
		{"none", clock.Reading{None: true, Running: true}, 4000, clockBody{None: true, Until: -1, Running: true}},
	} {
		if got := clockOf(test.r, test.control, test.now); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.control, got, test.want)
		}
	}
}

func TestTitlesOfGames(t *testing.T) {
	ada, bob, open := person{"1", "Ada"}, person{"2", "Bob"}, person{}
	for want, sides := range map[string][]sideLine{
		"Ada – Bob":     {{People: []person{ada}}, {People: []person{bob}}},
		"Ada & Bob – …": {{People: []person{ada, bob}}, {People: []person{open}}},
		"Ada, Bob, Ada": {{People: []person{ada}}, {People: []person{bob}}, {People: []person{ada}}},
	} {
		if got := (gameLine{Sides: sides}).Title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !strings.Contains(gameBody{gameLine: gameLine{ID: "x"}, Version: 7}.Live(), "version=7") {
		t.Error("the stream does not begin where the page ends")
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
