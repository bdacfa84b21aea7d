package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError means that a text is not a record. Its message names the mistake and the correct form.
type SyntaxError struct {
	Line    int // from 1, in the whole text
	Message string
}

// Error returns the line and the message.
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Lines holds the line numbers of the parts of a record in its text, counted from 1.
type Lines struct {
	First   int            // of the game
	Tags    map[string]int // by name
	Entries []int
	Result  int // of the result at the end
}

// Of returns the line of a fault; the first line of the game if the fault is in no single line.
func (l Lines) Of(f Fault) int {
	switch line, ok := l.Tags[f.Tag]; {
	case f.Entry >= 0 && f.Entry < len(l.Entries):
		return l.Entries[f.Entry]
	case ok:
		return line
	}
	return l.First
}

// Reader reads the records of a text in turn, so that a text may be larger than memory.
type Reader struct {
	lines   *bufio.Reader
	number  int    // of the line last read
	pending string // a line that was read but belongs to the next game
	end     error  // why no more lines come
}

// NewReader returns a reader of the records in r.
func NewReader(r io.Reader) *Reader { return &Reader{lines: bufio.NewReader(r)} }

// Next returns the next record and its line numbers. It returns io.EOF after the last record; a *SyntaxError for a game
// that cannot be read, after which it continues with the following game; and errors of the underlying reader.
func (r *Reader) Next() (Record, Lines, error) {
	text, first, err := r.game()
	if err != nil {
		return Record{}, Lines{}, err
	}
	if i := invalidUTF8(text); i >= 0 {
		line := first + strings.Count(text[:i], "\n")
		return Record{}, Lines{}, &SyntaxError{line, "this is not UTF-8; save the text in that encoding"}
	}
	if i := strings.IndexFunc(text, isControl); i >= 0 {
		c, _ := utf8.DecodeRuneInString(text[i:])
		return Record{}, Lines{}, &SyntaxError{
			first + strings.Count(text[:i], "\n"),
			fmt.Sprintf(`the control character U+%04X cannot stand in a record; write \u{%x} in its place, or leave it out`, c,
				c),
		}
	}
	p := parser{scanner: scanner{text: text, line: first}}
	p.lines = Lines{First: first, Tags: map[string]int{}}
	if err := p.record(); err != nil {
		return Record{}, Lines{}, err
	}
	return p.r, p.lines, nil
}

// Parse reads a text that is exactly a single record.
func Parse(text string) (Record, error) {
	reader := NewReader(strings.NewReader(text))
	r, _, err := reader.Next()
	if errors.Is(err, io.EOF) {
		return Record{}, &SyntaxError{1, `there is no record; one begins with a tag, such as [Variant "quixo/duel"]`}
	}
	if err != nil {
		return Record{}, err
	}
	if _, another, err := reader.Next(); !errors.Is(err, io.EOF) {
		return Record{}, &SyntaxError{max(another.First, 1), "a second game begins here; there should be one only"}
	}
	return r, nil
}

// isControl reports whether a character is a control character other than those between words and lines.
func isControl(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\r' && c != '\n' }

func invalidUTF8(text string) int {
	for i, c := range text {
		if c != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
			return i
		}
	}
	return -1
}

// game returns the lines of the next game, up to the tag that follows its moves, and the number of the first line
// that is not empty.
func (r *Reader) game() (text string, first int, err error) {
	var b strings.Builder
	moves := false // the tags are over
	for {
		line, err := r.line()
		if line == "" && err != nil {
			if b.Len() > 0 && errors.Is(err, io.EOF) {
				return b.String(), first, nil
			}
			return "", 0, err
		}
		bare := strings.TrimSpace(line)
		switch {
		case bare == "" && b.Len() == 0:
			continue
		case opensTag(bare) && moves:
			r.pending = line
			return b.String(), first, nil
		case bare != "" && !opensTag(bare):
			moves = true
		}
		if b.Len() == 0 {
			first = r.number
		}
		b.WriteString(line)
	}
}

// line returns the next line with its line feed. The error comes only after the last line.
func (r *Reader) line() (string, error) {
	if line := r.pending; line != "" {
		r.pending = ""
		return line, nil
	}
	if r.end != nil {
		return "", r.end
	}
	line, err := r.lines.ReadString('\n')
	r.end = err
	if line == "" {
		return "", err
	}
	r.number++
	if r.number == 1 {
		line = strings.TrimPrefix(line, "\ufeff") // some editors open a file with it
	}
	if line == "" {
		return r.line()
	}
	return line, nil
}

// opensTag reports whether a line begins with a tag rather than with moves or the rest of a comment.
func opensTag(line string) bool {
	return len(line) > 1 && line[0] == '[' && isLetter(line[1])
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

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
