package sentence

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCodeOf(t *testing.T) {
	for format, want := range map[string]string{
		"the cube on %s bears the other side's mark": "the_cube_on_bears_the_other_sides_mark",
		"%q is no move; moves look like +d4":         "is_no_move_moves_look_like_d4",
		"100%% of %-5.2f, or %+d":                    "100_of_or",
		"%s: %w":                                     "",
		"":                                           "",
		"%":                                          "",
		"Königszug %[1]d":                            "königszug",
		"the tournament of %s is over, and nothing that is sent now, %v, could change it": "the_tournament_of_is_over_and__now_could_change_it",
	} {
		if got := CodeOf(format); got != want {
			t.Errorf("the code of %q is %q, want %q", format, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	s := New("%s meets %d", "Ada", 2)
	if s.String() != "Ada meets 2" || s.Code() != "meets" || fmt.Sprint(s.Values()) != "[Ada 2]" || s.IsZero() {
		t.Errorf("%+v", s)
	}
	both := Join(" ", Sentence{}, s, New("%s is free.", "Bob"))
	if parts, joint := both.Parts(); both.String() != "Ada meets 2 Bob is free." || len(parts) != 2 || joint != " " ||
		both.Code() != "" {
		t.Errorf("%+v", both)
	}
	if one := Join(" ", s, Sentence{}); one.Code() != "meets" {
		t.Errorf("%+v", one)
	}
	if !Join(" ").IsZero() {
		t.Error("nothing joined says something")
	}
	if got := New("%q: %d%% (%s)", "a", 5, "b").Frame("A", "five", "B"); got != "A: five% (B)" {
		t.Errorf("%q", got)
	}
}

func TestErrorf(t *testing.T) {
	base := Errorf("the game is paused")
	err := Errorf("%w for %q", base, "outage")
	if !errors.Is(err, base) || err.Error() != `the game is paused for "outage"` || Of(err).Code() != "for" || Of(base).
		Code() != "the_game_is_paused" {
		t.Errorf("%v, code %q", err, Of(err).Code())
	}
	wrapped := fmt.Errorf("game 7: %w", err)
	if said, ok := In(wrapped); !ok || said.Code() != "for" {
		t.Errorf("%v", said)
	}
	if said := Of(wrapped); said.String() != wrapped.Error() || said.Values() != nil {
		t.Errorf("%v", said)
	}
	if _, ok := In(errors.New("no sentence")); ok {
		t.Error("an error without a sentence tells one")
	}
	if said := Of(errors.New("100% sure")); said.String() != "100% sure" || said.Code() != "100_sure" {
		t.Errorf("%q, %q", said, said.Code())
	}
}

// TestEnglishIsAsPrinted: sentences and errors print like fmt.
func TestEnglishIsAsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "value")
		format := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"%s", "%q", "%v", "a", " b", "%%", ": "})).
			Draw(t, "format"), "")
		values := make([]any, strings.Count(strings.ReplaceAll(format, "%%", ""), "%"))
		for i := range values {
			values[i] = text
		}
		want := fmt.Sprintf(format, values...)
		if New(format, values...).String() != want || Errorf(format, values...).Error() != want {
			t.Fatalf("%q says %q, want %q", format, New(format, values...), want)
		}
		code := CodeOf(format)
		if len(code) > maxCode || len(code) < codeHead && (strings.Contains(code, "__") || strings.Trim(code, "_") != code) {
			t.Fatalf("code %q", code)
		}
	})
}
