package api

// scanner reads the plainest of JSON: words without escapes and whole numbers. Whatever else comes, it gives up.
type scanner struct {
	text []byte
	at   int
}

// next gives the next character that is not white space, 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take steps over a character that is not white space, if it comes next.
func (s *scanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c { // as mostly
		s.at++
		return true
	}
	return s.takeAfterSpace(c)
}

func (s *scanner) takeAfterSpace(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// ended reports whether nothing but white space is left.
func (s *scanner) ended() bool { return s.next() == 0 && s.at == len(s.text) }

// word reads a string of printable ASCII without escapes.
func (s *scanner) word() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	end := s.at
	for end < len(s.text) && inWords[s.text[end]] {
		end++
	}
	if end == len(s.text) || s.text[end] != '"' {
		return nil, false
	}
	word := s.text[s.at:end]
	s.at = end + 1
	return word, true
}

// inWords are the characters that a word may have: printable ASCII without quotes and backslashes.
var inWords = func() (set [256]bool) {
	for c := ' '; c <= '~'; c++ {
		set[c] = c != '"' && c != '\\'
	}
	return set
}()

// longestNumber is how many characters a number may have that surely fits into 64 bits.
const longestNumber = 16

// number reads a whole number.
func (s *scanner) number() (value int64, ok bool) {
	s.next()
	begin := s.at
	if s.at < len(s.text) && s.text[s.at] == '-' {
		s.at++
	}
	first := s.at
	for ; s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' && s.at-begin <= longestNumber; s.at++ {
		value = 10*value + int64(s.text[s.at]-'0')
	}
	if s.at == first || s.at-begin > longestNumber || s.text[first] == '0' && s.at-first > 1 {
		return 0, false
	}
	if first > begin {
		value = -value
	}
	c := s.next()
	return value, c == ',' || c == '}'
}
