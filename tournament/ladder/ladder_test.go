package ladder

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
)

// run returns a ladder after events in JSON.
func run(order string, rules Rules, events string) (*State, error) {
	var list []Event
	if err := json.Unmarshal([]byte(events), &list); err != nil {
		return nil, err
	}
	s, err := New(strings.Fields(order), rules)
	if err != nil {
		return nil, err
	}
	return s, s.Run(list)
}

// describe returns the log in short.
func describe(s *State) (lines []string) {
	for _, e := range s.Log() {
		if e.Refused != "" {
			lines = append(lines, fmt.Sprint(e.At, " ", e.Refused))
		} else {
			lines = append(lines, fmt.Sprint(e.At, " ", e.ID, " ", e.End, " ", e.From, "→", e.To, " ", strings.Join(e.Order, " ")))
		}
	}
	return lines
}

// Example is a ladder of five with three challenges that cross.
func Example() {
	s, err := run("a b c d e", DefaultRules(), `[
		{"at": 0, "type": "challenge", "id": "1", "from": "d", "to": "b"},
		{"at": 10, "type": "challenge", "id": "2", "from": "b", "to": "a"},
		{"at": 20, "type": "challenge", "id": "3", "from": "e", "to": "c"},
		{"at": 30, "type": "accept", "id": "1"},
		{"at": 40, "type": "result", "id": "1", "score": 1},
		{"at": 50, "type": "challenge", "id": "4", "from": "b", "to": "d"},
		{"at": 60, "type": "challenge", "id": "5", "from": "d", "to": "a"}]`)
	if err != nil {
		panic(err)
	}
	s.Until(259_260)
	for _, line := range describe(s) {
		fmt.Println(line)
	}
	// Output:
	// 10 busy
	// 40 1 won 4→2 a d b c e
	// 50 again
	// 259220 3 no_answer 5→4 a d b e c
	// 259260 5 no_answer 2→1 d a b e c
}

func TestEdges(t *testing.T) {
	rules := Rules{Reach: 2, Accept: 1, Play: 1, Again: 2}
	for name, tt := range map[string]struct{ events, want string }{
		"an answer in the second of the deadline is late": {
			`[{"type":"challenge","id":"x","from":"b","to":"a"},{"at":86400,"type":"accept","id":"x"}]`,
			"86400 x no_answer 2→1 b a c d|86400 closed",
		},
		"two deadlines in one second go by id": {
			`[{"type":"challenge","id":"y","from":"d","to":"c"},{"type":"challenge","id":"x","from":"b","to":"a"},
			{"at":86400,"type":"leave","player":"z"}]`,
			"86400 x no_answer 2→1 b a c d|86400 y no_answer 4→3 b a d c|86400 unknown",
		},
		"the last refusal is the two met; a day later they may": {
			`[{"type":"challenge","id":"x","from":"b","to":"a"},{"at":1,"type":"accept","id":"x"},{"at":2,"type":"result","id":"x","score":0},
			{"at":172801,"type":"challenge","id":"y","from":"b","to":"a"},{"at":172802,"type":"challenge","id":"z","from":"b","to":"a"}]`,
			"2 x lost 2→2 a b c d|172801 again",
		},
		"who did not play is locked for as long": {
			`[{"type":"challenge","id":"x","from":"b","to":"a"},{"type":"accept","id":"x"},
			{"at":86400,"type":"challenge","id":"y","from":"c","to":"b"},{"at":86400,"type":"decline","id":"y"},
			{"at":172799,"type":"challenge","id":"z","from":"b","to":"c"},{"at":172800,"type":"challenge","id":"w","from":"b","to":"c"}]`,
			"86400 x not_played 2→2 a b c d|86400 y declined 3→2 a c b d|172799 locked|172800 again",
		},
		"busy comes before locked, reach before busy, below before reach": {
			`[{"type":"challenge","id":"x","from":"b","to":"a"},{"type":"challenge","id":"y","from":"d","to":"b"},
			{"type":"challenge","id":"z","from":"d","to":"a"},{"type":"challenge","id":"w","from":"a","to":"d"},
			{"type":"challenge","id":"v","from":"a","to":"a"},{"type":"join","player":"a"}]`,
			"0 busy|0 reach|0 below|0 unknown|0 unknown",
		},
		"a player that leaves is still in the order of the end": {
			`[{"type":"challenge","id":"x","from":"b","to":"a"},{"type":"leave","player":"a"},{"at":1,"type":"join","player":"a"},
			{"at":2,"type":"challenge","id":"y","from":"a","to":"c"}]`,
			"0 x left 2→2 a b c d",
		},
		"a player that comes back waits like others": {
			`[{"type":"challenge","id":"x","from":"d","to":"c"},{"type":"leave","player":"d"},{"type":"join","player":"d"},
			{"at":1,"type":"challenge","id":"y","from":"d","to":"c"}]`,
			"0 x left 4→4 a b c d|1 again",
		},
		"places count as they are at the end": {
			`[{"type":"challenge","id":"x","from":"c","to":"a"},{"type":"accept","id":"x"},{"type":"leave","player":"b"},
			{"at":1,"type":"result","id":"x","score":1}]`,
			"1 x won 2→1 c a d",
		},
		"a game to which the defender never came counts as declined": {
			`[{"type":"challenge","id":"x","from":"c","to":"a"},{"type":"no_clock","id":"x"},{"type":"accept","id":"x"},
			{"type":"no_clock","id":"x"}]`,
			"0 closed|0 x declined 3→1 c a b d",
		},
	} {
		s, err := run("a b c d", rules, tt.events)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Join(describe(s), "|"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, tt.want)
		}
	}
}

func TestOpen(t *testing.T) {
	s, err := run("a b c d", DefaultRules(), `[{"type":"challenge","id":"y","from":"d","to":"c"},
		{"at":5,"type":"challenge","id":"x","from":"b","to":"a"},{"at":9,"type":"accept","id":"y"}]`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Open()), "[{x b a false 259205} {y d c true 604809}]"; got != want {
		t.Errorf("open are %s, want %s", got, want)
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		order  string
		rules  Rules
		events string
		want   string
	}{
		{"a a", DefaultRules(), `[]`, `order[1]: "a" is no name, or comes twice`},
		{"a", Rules{Reach: -1}, `[]`, `reach: from 0 to 1000000, not -1`},
		{"a", Rules{Again: 1_000_001}, `[]`, `again: from 0 to 1000000, not 1000001`},
		{"a b", DefaultRules(), `[{"at":2,"type":"leave"},{"at":1,"type":"leave"}]`, `events[1].at: times ascend`},
		{"a b", DefaultRules(), `[{"type":"challenge","from":"b","to":"a"}]`, `events[0].id: each challenge has an id`},
		{
			"a b", DefaultRules(), `[{"type":"challenge","id":"x","from":"b"},{"type":"challenge","id":"x","from":"b"}]`,
			`events[1].id: each challenge has an id of its own, unlike "x"`,
		},
		{"a b", DefaultRules(), `[{"type":"result","id":"x"}]`, `events[0].score: the challenger's score is 1, 0.5 or 0`},
		{"a b", DefaultRules(), `[{"type":"result","id":"x","score":2}]`, `events[0].score: the challenger's score`},
		{"a b", DefaultRules(), `[{"type":"join"}]`, `events[0].player: the player has no name`},
		{"a b", DefaultRules(), `[{"type":"dance"}]`, `events[0].type: there is no event of type "dance"`},
		{strings.Repeat("a ", 1001), DefaultRules(), `[]`, `order: at most 1000 players fit on a ladder`},
		{numbered(1000), DefaultRules(), `[{"type":"join","player":"a"}]`, `events[0].player: at most 1000 players fit`},
		{"a", DefaultRules(), "[" + strings.Repeat("{},", 20_000) + "{}]", `events: there are 20001, and at most 20000`},
	} {
		if _, err := run(tt.order, tt.rules, tt.events); !errors.Is(err, tournament.ErrInvalid) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.events, err, tt.want)
		}
	}
}

// numbered returns n names.
func numbered(n int) string {
	var names strings.Builder
	for k := range n {
		fmt.Fprintf(&names, "p%d ", k)
	}
	return names.String()
}
