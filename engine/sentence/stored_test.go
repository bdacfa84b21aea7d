package sentence

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type named string

// TestStored: a stored sentence has the same text, the same code and the same values.
func TestStored(t *testing.T) {
	for _, s := range []Sentence{
		Fixed("100% taken back"),
		New("did not come to play, %d times by now", 3),
		New("game %d %s (%s)", 2, Fixed("was drawn"), Word{"reason", "length"}),
		New("%s won: %s", named("Ada"), errors.New("it is over")),
		Join("; ", New("act %d", 1), New("%s came", "Bob")),
		New("half of %5.2f", 1.5),
		New("seat %d of %v", int8(2), Typed("{}")),
	} {
		kept := s.Stored()
		if s.format == "half of %5.2f" {
			if kept != "" {
				t.Errorf("%q is kept as %s", s, kept)
			}
			continue
		}
		again := kept.Sentence()
		if kept == "" || again.String() != s.String() || again.Code() != s.Code() || len(again.Values()) != len(s.Values()) ||
			again.Stored() != kept {
			t.Errorf("%q is kept as %s, which says %q", s, kept, again)
		}
	}
	for _, s := range []Sentence{{}, Typed("taken back"), Typed(""), New("%s: %s", "a", "b")} {
		if s.Stored() != "" {
			t.Errorf("%q is kept as %s", s, s.Stored())
		}
	}
	for _, text := range []Stored{
		"", "nonsense", "[]", `{"format":"%d","values":[null,{}]}`,
		`{"format":"%s","values":[{"set":1}]}`, `{"parts":[{"values":[true]}]}`,
	} {
		if s := text.Sentence(); !s.IsZero() {
			t.Errorf("%s says %q", text, s)
		}
	}
}

// TestStoredRoundTrip: no value and no words get lost on the way.
func TestStoredRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.Int(), func(n int) any { return n }),
			rapid.Map(rapid.StringMatching(`[a-z]{1,9}`), func(s string) any { return Word{"reason", s} }),
			rapid.Map(rapid.String(), func(s string) any { return New("by %s", s) }),
		)
		values := rapid.SliceOfN(value, 0, 4).Draw(t, "values")
		s := New("said"+strings.Repeat(" %v", len(values)), values...)
		kept := s.Stored()
		if again := kept.Sentence(); kept != "" && (again.String() != s.String() || again.Code() != s.Code()) {
			t.Fatalf("%q is kept as %s, which says %q", s, kept, again)
		}
		ascii := true
		for _, r := range s.String() {
			ascii = ascii && r < 0x80
		}
		if ascii && kept == "" {
			t.Fatalf("%q is not kept", s)
		}
	})
}
