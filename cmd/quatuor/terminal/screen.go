package terminal

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"quatuor/tournament/wording"
)

// Screen is a writer for people's terminals: whatever would command a terminal, break a line where none was meant or
// turn the direction of text is spelled out, as \u001b. Line feeds and tabs pass, and a carriage return before a line
// feed. Bytes that are no UTF-8 are spelled out too, as \x80. [Screen.Flush] writes the rest of an incomplete
// character.
type Screen struct {
	to io.Writer

	mu   sync.Mutex
	rest []byte // an incomplete character, or a carriage return before its next byte
}

// NewScreen returns a screen on a stream.
func NewScreen(to io.Writer) *Screen { return &Screen{to: to} }

// Write writes text. Bytes kept for the next call count as written.
func (t *Screen) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rest) == 0 && plainText(text) {
		return t.to.Write(text)
	}
	all := slices.Concat(t.rest, text)
	out, rest := escaped(make([]byte, 0, len(all)+16), all)
	t.rest = append([]byte(nil), rest...)
	if _, err := t.to.Write(out); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush writes the bytes of a character that did not come whole.
func (t *Screen) Flush() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []byte
	for _, c := range t.rest {
		out = fmt.Appendf(out, `\x%02x`, c)
	}
	t.rest = nil
	if len(out) == 0 {
		return nil
	}
	_, err := t.to.Write(out)
	return err
}

// Raw returns the stream itself, for output that is no text.
func (t *Screen) Raw() io.Writer { return t.to }

// Terminal returns the terminal that text is shown on, nil if it is none.
func (t *Screen) Terminal() *os.File {
	if f, ok := t.to.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// plainText reports whether a text is of ASCII that does nothing to a terminal, as most is.
func plainText(text []byte) bool {
	return plainPrefix(text) == len(text)
}

// plainPrefix returns the number of bytes at the beginning of a text that are plain ASCII.
func plainPrefix(text []byte) int {
	for i, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c > '~' {
			return i
		}
	}
	return len(text)
}

// escaped appends a text to out, and returns the beginning of a character at its end apart.
func escaped(out, text []byte) (all, rest []byte) {
	for {
		plain := plainPrefix(text)
		out, text = append(out, text[:plain]...), text[plain:]
		if len(text) == 0 {
			return out, nil
		}
		if text[0] == '\r' {
			switch {
			case len(text) == 1:
				return out, text
			case text[1] == '\n':
				out, text = append(out, '\r', '\n'), text[2:]
				continue
			}
		}
		r, size := utf8.DecodeRune(text)
		passes := wording.Shown(r)
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(text):
			return out, text
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\x%02x`, text[0])
		case !passes && r > 0xFFFF:
			out = fmt.Appendf(out, `\U%08x`, r)
		case !passes:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
}
