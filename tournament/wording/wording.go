// Package wording normalises and checks texts that people write: names, clubs, reasons, titles.
//
// These texts are shown to other people, on pages, in streams, files and terminals. So they are stored in a canonical
// form:
//
//   - in Unicode's composed form (NFC, UAX 15), so that the same name is the same text;
//   - without control characters, bidirectional controls, and characters without a common meaning (unassigned, private
//     use, noncharacters): a text with any of them is refused;
//   - with plain single spaces, and none at the ends; invisible characters are removed, except those that join
//     letters of scripts which need them, or parts of an emoji;
//   - with a visible character: a text of spaces and fillers alone is blank;
//   - within its maximum length, counted in characters after normalisation.
//
// A [Line] has no line breaks. A [Paragraph] may have some; several blank lines become a single blank line.
package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"quatuor/engine/sentence"
)

// Form is the form of a text: a single line or several.
type Form int8

const (
	// Line is a text of a single line: a name, a title.
	Line Form = iota + 1
	// Paragraph is a text that may have several lines.
	Paragraph
)

// errEncoding means that a text is not valid UTF-8.
var errEncoding = sentence.Errorf("it is not in UTF-8")

// errBlank means that a text has no visible character.
var errBlank = sentence.Errorf("it is blank: write at least one letter, digit or sign")

// Clean returns a text in its normal form, or an error that explains what is wrong with it. maxLength is in characters.
// A blank text is an error.
func (f Form) Clean(text string, maxLength int) (string, error) {
	cleaned, err := f.Optional(text, maxLength)
	if err == nil && cleaned == "" {
		err = errBlank
	}
	return cleaned, err
}

// Optional is [Form.Clean] for a text that may be left out: a blank text becomes "".
func (f Form) Optional(text string, maxLength int) (string, error) {
	if !isNormalASCII(text) {
		var err error
		text, err = f.normalise(text, false)
		if err != nil {
			return "", err
		}
	}
	if n := utf8.RuneCountInString(text); n > maxLength {
		return "", sentence.Errorf("it has %d characters; at most %d are possible", n, maxLength)
	}
	return text, nil
}

// Mend returns any text in its normal form: characters that would be refused are removed, and a text that is too long
// is truncated. It returns fallback if no visible character is left. A text in normal form is returned unchanged.
func (f Form) Mend(text string, maxLength int, fallback string) string {
	mended, err := f.normalise(strings.ToValidUTF8(text, "\uFFFD"), true)
	if err != nil || mended == "" {
		return fallback
	}
	if runes := []rune(mended); len(runes) > maxLength {
		mended = strings.TrimRightFunc(string(runes[:maxLength-1]), dangles) + "…"
	}
	return mended
}

// dangles reports whether a character may not end a truncated text.
func dangles(r rune) bool { return r == ' ' || r == '\n' || kindOf(r) == joining }

// Harmless returns an error for a line of a file that is stored unchanged if it has control characters, line breaks or
// bidirectional controls. Tabs are allowed.
func Harmless(line string) error {
	for _, r := range line {
		if r == '\t' || r >= ' ' && r <= '~' {
			continue
		}
		switch k := kindOf(r); k {
		case lineBreak, bidi, control:
			return refusal(k, r)
		}
	}
	return nil
}

// Word is [Harmless] for a text for programs, like a move or an id: tabs are refused, too.
func Word(text string) error {
	if !utf8.ValidString(text) {
		return errEncoding
	}
	if strings.ContainsRune(text, '\t') {
		return refusal(control, '\t')
	}
	return Harmless(text)
}

// MendFile returns a file that was stored before with all characters that [Harmless] refuses replaced by spaces, so
// that columns keep their places. Line breaks stay. A file that is not in UTF-8 is read as Windows-1252.
func MendFile(text string) string {
	if !utf8.ValidString(text) {
		mended := []byte(text)
		for i, c := range mended {
			if c < ' ' && c != '\t' && c != '\r' && c != '\n' || strings.IndexByte("\x7f\x81\x8d\x8f\x90\x9d", c) >= 0 {
				mended[i] = ' '
			}
		}
		return string(mended)
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\r' || r == '\n' {
			return r
		}
		switch kindOf(r) {
		case lineBreak, bidi, control:
			return ' '
		}
		return r
	}, text)
}

// isNormalASCII reports whether a text is printable ASCII in normal form: the fast path, which most texts take.
func isNormalASCII(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return text == "" || before != ' '
}

// normalise returns a text in its normal form, "" if it has no visible character. With mend it removes characters that
// are not allowed; otherwise they are an error.
func (f Form) normalise(text string, mend bool) (string, error) {
	if !utf8.ValidString(text) {
		return "", errEncoding
	}
	text, hasVisible := norm.NFC.String(strings.TrimSpace(text)), false
	runes := []rune(text)
	var b strings.Builder
	before := ' '
	for i, r := range runes {
		switch kind := kindOf(r); {
		case kind == lineBreak && f == Paragraph:
			if r != '\n' || i == 0 || runes[i-1] != '\r' { // the two are a single break
				r = '\n'
				b.WriteRune(r)
			}
		case kind == lineBreak && mend, kind == blank, r == '\t' && (mend || f == Paragraph):
			r = ' '
			b.WriteRune(r)
		case kind == joining && !joins(before, r, after(runes[i+1:])), kind == invisible:
			continue
		case kind != visible && kind != mark && kind != joining:
			if mend {
				continue
			}
			return "", refusal(kind, r)
		default:
			hasVisible = hasVisible || kind == visible
			b.WriteRune(r)
		}
		before = r
	}
	if !hasVisible {
		return "", nil
	}
	return norm.NFC.String(collapseSpace(b.String())), nil
}

// collapseSpace returns a text with single spaces inside its lines and single blank lines between them.
func collapseSpace(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// refusal returns the error for a character that is not allowed.
func refusal(k kind, r rune) error {
	switch k {
	case lineBreak:
		return sentence.Errorf("it has a line break inside; write it in one line")
	case bidi:
		return sentence.Errorf("it holds %U, which turns the direction of the text; leave it out", r)
	case control:
		return sentence.Errorf("it holds the control character %U; leave it out", r)
	}
	return sentence.Errorf("it holds %U, which has no common meaning and cannot be shown everywhere; leave it out", r)
}

// after returns the next character that does not join others, or 0.
func after(runes []rune) rune {
	for _, r := range runes {
		if k := kindOf(r); k != joining && k != invisible {
			return r
		}
	}
	return 0
}

// joins reports whether a joiner or variation selector has a meaning between two characters. It has none in scripts
// with letters that do not join, where it would only make different names look the same.
func joins(before, r, next rune) bool {
	return joinable(before) && (joinable(next) || unicode.Is(unicode.Variation_Selector, r))
}

func joinable(r rune) bool {
	switch {
	case r <= unicode.MaxLatin1:
		return false
	case unicode.In(r, unicode.So, unicode.Sk, unicode.Sm), unicode.Is(unicode.Variation_Selector, r):
		return true
	}
	return unicode.In(r, unicode.L, unicode.M) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic,
		unicode.Inherited)
}

// Compatible returns a text in Unicode's compatibility form (NFKC): wide letters and other spaces, which people can
// hardly distinguish from the usual, become the usual.
func Compatible(text string) string { return norm.NFKC.String(text) }

// kind is the class of a character by its effect in a text.
type kind int8

const (
	visible    kind = iota // visible by itself
	mark                   // combining mark, visible with the character before it
	blank                  // space
	lineBreak              // end of a line
	joining                // invisible, but changes how its neighbours look
	invisible              // invisible without any of these effects
	bidi                   // changes the direction of what follows
	control                // control character: commands a terminal or a stream
	unassigned             // without a common meaning: unassigned, private use, noncharacter
)

// fillers are characters that are invisible although their category is letter, mark or symbol.
var fillers = map[rune]kind{
	'\u2800':     blank,     // braille pattern without dots
	'\U0001D159': invisible, // null notehead
	'\u034F':     invisible, // combining grapheme joiner
}

func kindOf(r rune) kind {
	if k, ok := fillers[r]; ok {
		return k
	}
	switch {
	case r == '\t':
		return control
	case r >= '\n' && r <= '\r', r == '\u0085', r == '\u2028', r == '\u2029':
		return lineBreak
	case unicode.Is(unicode.Cc, r):
		return control
	case unicode.Is(unicode.Zs, r):
		return blank
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return bidi
	case r == '\u200C', r == '\u200D', unicode.Is(unicode.Variation_Selector, r):
		return joining
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return visible
	case unicode.Is(unicode.Cf, r):
		return invisible
	case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S):
		return unassigned
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return invisible
	case unicode.Is(unicode.M, r):
		return mark
	}
	return visible
}

// Shown reports whether a character can be printed on a terminal: it is no control character, line break or
// bidirectional control, and has a common meaning.
func Shown(r rune) bool {
	switch kindOf(r) {
	case control, lineBreak, bidi, unassigned:
		return false
	}
	return r != '\u200E' && r != '\u200F' && r != '\u061C' // direction marks
}
