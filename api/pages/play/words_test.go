package play

import (
	"strings"
	"testing"

	"quatuor/api/pages/kit"
	"quatuor/engine/clock"
)

func TestClocksForScripts(t *testing.T) {
	for _, test := range []struct {
		control string
		r       clock.Reading
		now     int64
		want    ClockBody
	}{
		{
			"300",
			clock.Reading{Remaining: 5000, Running: true, HasDeadline: true, Deadline: 9000},
			4000,
			ClockBody{Left: 5000, Until: 5000, Running: true, Shown: 5000},
		},
		{"300", clock.Reading{Remaining: 5000}, 4000, ClockBody{Left: 5000, Until: -1, Shown: 5000}},
		{
			"60y3x10",
			clock.Reading{Remaining: 7000, Periods: 3, Stage: 1, Running: true, HasDeadline: true, Deadline: 41_000},
			4000,
			ClockBody{Left: 7000, Until: 37_000, Periods: 3, Period: 10_000, Running: true, Shown: 7000},
		},
		{
			"60y3x10",
			clock.Reading{Periods: 2, Stage: 1, Running: true, HasDeadline: true, Deadline: 16_000},
			4000,
			ClockBody{Until: 12_000, Periods: 2, Period: 10_000, Running: true, Overtime: true, Shown: 2000},
		},
		{"none", clock.Reading{None: true, Running: true}, 4000, ClockBody{None: true, Until: -1, Running: true}},
	} {
		if got := ClockOf(test.r, test.control, test.now); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.control, got, test.want)
		}
	}
}

func TestTitlesOfGames(t *testing.T) {
	ada, bob, open := kit.Person{ID: "1", Name: "Ada"}, kit.Person{ID: "2", Name: "Bob"}, kit.Person{}
	for want, sides := range map[string][]sideLine{
		"Ada – Bob":     {{People: []kit.Person{ada}}, {People: []kit.Person{bob}}},
		"Ada & Bob – …": {{People: []kit.Person{ada, bob}}, {People: []kit.Person{open}}},
		"Ada, Bob, Ada": {{People: []kit.Person{ada}}, {People: []kit.Person{bob}}, {People: []kit.Person{ada}}},
	} {
		if got := (GameLine{Sides: sides}).Title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !strings.Contains(GameBody{GameLine: GameLine{ID: "x"}, Version: 7}.Live(), "version=7") {
		t.Error("the stream does not begin where the page ends")
	}
}

func TestControlsOfChallengesAreValid(t *testing.T) {
	for _, text := range ChallengeControls {
		if _, err := clock.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
