package hints

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func anyHint() *rapid.Generator[Hint] {
	return rapid.Custom(func(t *rapid.T) Hint {
		return Hint{
			Topic:   rapid.StringMatching(`[!-~é]{1,80}`).Draw(t, "topic"),
			Version: rapid.Int64().Draw(t, "version"), Parts: rapid.Uint8().Draw(t, "parts"),
		}
	})
}

// TestMessages: whatever is encoded fits into notifications, and is decoded as it was.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := message{
			kind:  rapid.SampledFrom([]kind{kindHints, kindHello, kindAll, kindBye}).Draw(t, "kind"),
			from:  rapid.StringMatching(`[a-z0-9-]{1,36}`).Draw(t, "from"),
			at:    rapid.Int64().Draw(t, "at"),
			hints: rapid.SliceOfN(anyHint(), 0, 400).Draw(t, "hints"),
		}
		var hints []Hint
		for _, payload := range m.encode() {
			if len(payload) >= 8000 {
				t.Fatalf("a payload of %d bytes, which PostgreSQL refuses", len(payload))
			}
			got, ok := decode(payload)
			if !ok || got.kind != m.kind || got.from != m.from || got.at != m.at || sender(payload) != m.from {
				t.Fatalf("%q is decoded as %+v, %t", payload, got, ok)
			}
			hints = append(hints, got.hints...)
		}
		if !slices.Equal(hints, m.hints) {
			t.Fatalf("%v became %v", m.hints, hints)
		}
	})
}

func TestValidTopics(t *testing.T) {
	for topic, want := range map[string]bool{
		"game/1": true, "": false, "a b": false, "a\nb": false, "a\tb": false, "a\x7fb": false, "é": true,
		strings.Repeat("x", maxTopic): true, strings.Repeat("x", maxTopic+1): false,
	} {
		if valid(topic) != want {
			t.Errorf("valid(%q) is %t", topic, !want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, payload := range []string{
		"", "\n", "1", "1 hints me", "2 hints me 5", "1 other me 5", "1 hints me x", "1 hints  5", "1 hints me 5 6",
		"1 hints me 5\ngame/1", "1 hints me 5\ngame/1 x 0", "1 hints me 5\ngame/1 1 256", "1 hints me 5\n\n",
		"1 hints me 5\ngame/1 1 -1",
		"1 hints me 5\ngame/1 1 1 1",
	} {
		if m, ok := decode(payload); ok {
			t.Errorf("%q was taken for %+v", payload, m)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("1 hints me 5\ngame/1 2 3")
	f.Add("1 bye me 5")
	f.Fuzz(func(t *testing.T, payload string) {
		m, ok := decode(payload)
		if !ok {
			return
		}
		var again []Hint
		for _, p := range m.encode() {
			n, ok := decode(p)
			if !ok {
				t.Fatalf("%q is decoded, and what it is encoded as, %q, is not", payload, p)
			}
			again = append(again, n.hints...)
		}
		if !slices.Equal(again, m.hints) {
			t.Fatalf("%v became %v", m.hints, again)
		}
	})
}
