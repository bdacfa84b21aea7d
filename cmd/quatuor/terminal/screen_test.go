package terminal

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// commands are characters that do something to a terminal, and some that do not.
var commands = []rune("aé\t\n\r\x00\x07\x08\x1b[2J\x7f\u0085\u009b\u061c\u200e\u2028\u202e\u2066\ue000\U0010ffff")

func TestScreen(t *testing.T) {
	for text, want := range map[string]string{
		"Ada\tBob\n":        "Ada\tBob\n",
		"Zoë 王\r\n":         "Zoë 王\r\n",
		"Ada\rBob":          `Ada\u000dBob`,
		"\x1b[2J\u009b2J":   `\u001b[2J\u009b2J`,
		"\u202eAda\u200f":   `\u202eAda\u200f`,
		"Ada\u2028\x7f\x00": `Ada\u2028\u007f\u0000`,
		"\xffAda\xe2\x80":   `\xffAda\xe2\x80`,
		"\U0010fffd":        `\U0010fffd`,
		"Ada\r":             `Ada\x0d`,
	} {
		for cut := range len(text) + 1 {
			var out strings.Builder
			w := NewScreen(&out)
			for _, part := range []string{text[:cut], text[cut:]} {
				if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Errorf("%q cut at %d is shown as %q, %v; want %q", text, cut, out.String(), err, want)
			}
		}
	}
}

func TestNothingCommandsATerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out strings.Builder
		w := NewScreen(&out)
		for _, part := range rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom(commands)))).
			Draw(t, "parts") {
			_, _ = w.Write([]byte(part))
		}
		_ = w.Flush()
		if !utf8.ValidString(out.String()) {
			t.Fatalf("%q is not UTF-8", out.String())
		}
		for _, r := range strings.ReplaceAll(out.String(), "\r\n", "\n") {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%q holds %U", out.String(), r)
			}
		}
	})
}
