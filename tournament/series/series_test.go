package series

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
)

// Example is a series of three events: the best two count, and the third counts half as much again.
func Example() {
	s := Series{Rules: DefaultRules()}
	text := `{"best": 2, "events": [
		{"ranking": [["a"], ["b", "c"], ["d"]]},
		{"ranking": [["b"], ["a"], ["c"], ["d"]]},
		{"ranking": [["c"], ["d"], ["b"]], "factor": "1.5"}]}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		panic(err)
	}
	standings, err := s.Standings()
	if err != nil {
		panic(err)
	}
	for _, st := range standings {
		fmt.Print(st.Rank, " ", st.Player, " ", st.Points, ":")
		for _, score := range st.Counted {
			fmt.Print(" ", score.Points)
		}
		for _, score := range st.Dropped {
			fmt.Print(" (", score.Points, ")")
		}
		fmt.Println()
	}
	// Output:
	// 1 c 54: 37.5 16.5 (15)
	// 2 b 47.5: 25 22.5 (16.5)
	// 3 a 43: 25 18
	// 4 d 39: 27 12 (12)
}

func TestSources(t *testing.T) {
	for _, tt := range []struct{ series, want string }{
		{
			`{"source": "score", "events": [{"ranking": [["a"], ["b"]], "scores": {"a": "7.5", "b": 3}, "factor": 2}]}`,
			"a 15 b 6 ",
		},
		{
			`{"source": "share", "events": [{"ranking": [["a"], ["b"], ["c"]], "scores": {"a": 7, "b": 3, "c": 0}}]}`,
			"a 100 b 42.8 c 0 ",
		},
		{`{"source": "share", "events": [{"ranking": [["a"]], "scores": {"a": 7}, "factor": "0.5"}]}`, "a 50 "},
		{`{"source": "share", "events": [{"ranking": [["a", "b"]], "scores": {"a": 0, "b": 0}}]}`, "a 0 b 0 "},
	} {
		s := Series{Rules: DefaultRules()}
		if err := json.Unmarshal([]byte(tt.series), &s); err != nil {
			t.Fatal(err)
		}
		standings, err := s.Standings()
		got := ""
		for _, st := range standings {
			got += fmt.Sprint(st.Player, " ", st.Points, " ")
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.series, got, err, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"best":-1}`:                `best: 0 or more, not -1`,
		`{"least":-1}`:               `least: 0 or more, not -1`,
		`{"source":"luck"}`:          `source: "luck" is none of [table score share]`,
		`{"table":[5,6]}`:            `table[1]: points by place descend`,
		`{"table":[5,-1]}`:           `table[1]: points by place descend`,
		`{"events":[{"factor":-1}]}`: `events[0].factor: 0 or more, not -1`,
		`{"events":[{"ranking":[["a"],["b","a"]]}]}`:                          `events[0].ranking[1]: "a" is no name, or comes twice`,
		`{"events":[{"ranking":[[""]]}]}`:                                     `events[0].ranking[0]: "" is no name, or comes twice`,
		`{"events":[{"ranking":[[]]}]}`:                                       `events[0].ranking[0]: at least one player`,
		`{"events":[{}, {"scores":{"z":1}}]}`:                                 `events[1].scores: there is no player "z"`,
		`{"source":"score","events":[{"ranking":[["a"]]}]}`:                   `events[0].scores: "a" has no score`,
		`{"source":"share","events":[{"ranking":[["a"]],"scores":{"a":-1}}]}`: `events[0].scores: "a" has no score`,
	} {
		s := Series{Rules: DefaultRules()}
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Standings(); !errors.Is(err, tournament.ErrInvalid) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{`{"factor":"x"}`, `{"factor":1e9}`, `{"ranking":7}`} {
		if err := json.Unmarshal([]byte(text), new(Event)); err == nil {
			t.Errorf("%s is read as an event", text)
		}
	}
}
