package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner reads the text of a game from start to end.
type scanner struct {
	text string
	pos  int
	line int // of pos, in the whole text
}

func (s *scanner) errorf(format string, args ...any) *SyntaxError {
	return &SyntaxError{s.line, fmt.Sprintf(format, args...)}
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) done() bool { return s.pos == len(s.text) }

// skip advances by n bytes.
func (s *scanner) skip(n int) {
	s.line += strings.Count(s.text[s.pos:s.pos+n], "\n")
	s.pos += n
}

func (s *scanner) skipSpace() {
	s.skip(len(s.text[s.pos:]) - len(strings.TrimLeft(s.text[s.pos:], " \t\r\n")))
}

// take advances past a byte if it comes next, and reports whether it does.
func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.done() {
		return false
	}
	s.skip(1)
	return true
}

// word reads up to a space or any of the bytes that end it.
func (s *scanner) word(ends string) string {
	rest := s.text[s.pos:]
	n := strings.IndexAny(rest, " \t\r\n"+ends)
	if n < 0 {
		n = len(rest)
	}
	s.skip(n)
	return rest[:n]
}

// escaped reads a character that follows a backslash.
func (s *scanner) escaped() (rune, error) {
	switch c := s.peek(); c {
	case 'n':
		s.skip(1)
		return '\n', nil
	case 'u':
		s.skip(1)
		return s.codePoint()
	case '\\', '"', '}', '[':
		s.skip(1)
		return rune(c), nil
	}
	return 0, s.errorf(`a backslash stands before \, ", }, [, n or u{…} only; write \\ for a backslash`)
}

// codePoint reads the rest of \u{hex}.
func (s *scanner) codePoint() (rune, error) {
	rest := s.text[s.pos:]
	end := strings.IndexByte(rest, '}')
	if !strings.HasPrefix(rest, "{") || end < 0 {
		return 0, s.errorf(`a character by number is written \u{e9}`)
	}
	n, err := strconv.ParseUint(rest[1:end], 16, 32)
	if err != nil || n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		return 0, s.errorf(`\u{%s} is no character; write its number in Unicode in hexadecimal digits, as in \u{e9}`,
			clip(rest[1:end]))
	}
	s.skip(end + 1)
	return rune(n), nil
}
