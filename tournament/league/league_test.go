package league

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament"
)

func split(divisions ...string) (out [][]string) {
	for _, d := range divisions {
		out = append(out, strings.Fields(d))
	}
	return out
}

// Example is a league of three divisions; two members leave it and another joins.
func Example() {
	s := Season{
		Divisions: split("a b c d e f", "g h i j k l", "m n o p"),
		Leaving:   []string{"b", "j"}, Joining: []string{"z"}, Rules: DefaultRules(),
	}
	next, err := s.Next()
	if err != nil {
		panic(err)
	}
	for d, members := range next {
		fmt.Printf("\n%d:", d+1)
		for _, m := range members {
			fmt.Print(" ", m.Name, " ", m.Because)
		}
	}
	// Output:
	// 1: a stays c stays d stays e stays g promoted h promoted
	// 2: f relegated i stays k stays m promoted n promoted o moved_up
	// 3: l relegated p stays z joins
}

func TestPlayOffs(t *testing.T) {
	s := Season{Divisions: split("a b c d", "e f g h", "i j k l"), Rules: Rules{Up: 1, Down: 1, Playoff: true}}
	matches, err := s.PlayOffs()
	if err != nil || fmt.Sprint(matches) != "[{1 c f} {2 g j}]" {
		t.Fatalf("play-offs %v, %v", matches, err)
	}
	for _, tt := range []struct {
		winners, leaving string
		want             string
	}{
		{"", "", "[[a b c e] [d f g i] [h j k l]]"},
		{"c g", "", "[[a b c e] [d f g i] [h j k l]]"},
		{"f g", "", "[[a b f e] [d c g i] [h j k l]]"},
		{"f j", "", "[[a b f e] [d c j i] [h g k l]]"},
		{"c j", "l", "[[a b c e] [d f j i] [h g k]]"},
	} {
		s := s
		s.Winners, s.Leaving = strings.Fields(tt.winners), strings.Fields(tt.leaving)
		next, err := s.Next()
		if got := fmt.Sprint(names(next)); err != nil || got != tt.want {
			t.Errorf("%s win, %s leaves: %v, %v, want %s", tt.winners, tt.leaving, got, err, tt.want)
		}
	}
	uneven := Season{Divisions: split("a b", "c d e f"), Rules: Rules{Up: 2, Playoff: true}, Winners: []string{"e"}}
	next, err := uneven.Next()
	if got := fmt.Sprint(names(next)); err != nil || got != "[[a e c d] [b f]]" {
		t.Errorf("a play-off replaces what keeps the sizes, got %s, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	ok := split("a b", "c d")
	for want, s := range map[string]Season{
		`up: 0 or more, not -1`:                         {Divisions: ok, Rules: Rules{Up: -1}},
		`down: 0 or more, not -1`:                       {Divisions: ok, Rules: Rules{Down: -1}},
		`divisions: there are 10001, and at most 10000`: {Divisions: [][]string{make([]string, 10_001)}},
		`divisions: a league has`:                       {},
		`divisions[1][0]: "a" is no name`:               {Divisions: split("a b", "a d")},
		`divisions[0][0]: "" is no name`:                {Divisions: [][]string{{""}}},
		`leaving[0]: "x" is in no division`:             {Divisions: ok, Leaving: []string{"x"}},
		`leaving[1]: "a" is in no division`:             {Divisions: ok, Leaving: []string{"a", "a"}},
		`joining[0]: "a" is no name, or comes`:          {Divisions: ok, Joining: []string{"a"}},
		`joining[1]: "x" is no name, or comes`:          {Divisions: ok, Joining: []string{"x", "x"}},
		`winners[0]: "a" is in no play-off`:             {Divisions: ok, Winners: []string{"a"}},
		`winners[1]: "d" is in no play-off`:             {Divisions: ok, Winners: []string{"", "d"}, Rules: Rules{Playoff: true}},
		`winners[0]: "a" is in no play-off at this bo`:  {Divisions: ok, Winners: []string{"a"}, Rules: Rules{Playoff: true}},
	} {
		if _, err := s.Next(); !errors.Is(err, tournament.ErrInvalid) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", s, err, want)
		}
	}
}
