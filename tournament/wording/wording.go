// Package wording is the one rule for texts that people write: names, clubs, reasons, titles.
//
// Such a text is shown to other people, on pages, in streams, files and terminals. So it is kept in one form:
//
//   - in Unicode's composed form (NFC, UAX 15), so that the same name is the same text;
//   - without control characters, without characters that turn the direction of the text after them, and without what
//     is no character for everyone (unassigned, private use, noncharacters): a text with one of them is refused;
//   - with plain spaces, one at a time, and none at the ends; characters that show nothing are left out, save those that
//     join letters of scripts which need them, or parts of a picture;
//   - with something to see in it: a text of spaces and fillers alone is blank;
//   - no longer than its place allows, in characters after all this.
//
// A [Line] has no line breaks. A [Paragraph] may have some; of several blank lines one is kept.
package wording

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Form is what a text may look like.
type Form int8

const (
	// Line is a text of one line: a name, a title.
	Line Form = iota + 1
	// Paragraph is a text that may have several lines.
	Paragraph
)

// errEncoding refuses bytes that are no text.
var errEncoding = errors.New("it is not in UTF-8")

// errBlank refuses a text in which there is nothing to see.
var errBlank = errors.New("it is blank: write at least one letter, digit or sign")

// Clean returns a text in the form in which it is kept, or an error that says what is wrong with it. longest is the
// greatest number of characters. A blank text is refused.
func (f Form) Clean(text string, longest int) (string, error) {
	cleaned, err := f.Optional(text, longest)
	if err == nil && cleaned == "" {
		err = errBlank
	}
	return cleaned, err
}

// Optional is [Form.Clean] for a text that may be left out: a blank one becomes "".
func (f Form) Optional(text string, longest int) (string, error) {
	if !plain(text) {
		var err error
		if text, err = f.tidy(text, false); err != nil {
			return "", err
		}
	}
	if n := utf8.RuneCountInString(text); n > longest {
		return "", fmt.Errorf("it has %d characters; at most %d are possible", n, longest)
	}
	return text, nil
}

// Mend returns what can be kept of any text: what would be refused is left out, what is too long is cut off. Where
// nothing is left to see it returns instead. A text that is in its form already is returned as it is.
func (f Form) Mend(text string, longest int, instead string) string {
	mended, err := f.tidy(strings.ToValidUTF8(text, "\uFFFD"), true)
	if err != nil || mended == "" {
		return instead
	}
	if runes := []rune(mended); len(runes) > longest {
		mended = strings.TrimRightFunc(string(runes[:longest-1]), hangs) + "…"
	}
	return mended
}

// hangs reports whether a character may not be the last one before a text is cut off.
func hangs(r rune) bool { return r == ' ' || r == '\n' || kindOf(r) == joining }

// Harmless refuses a line of a file that is passed on as it is: with characters that command a terminal, break the line
// or turn its direction. Tabs are harmless.
func Harmless(line string) error {
	for _, r := range line {
		if r == '\t' || r >= ' ' && r <= '~' {
			continue
		}
		switch k := kindOf(r); k {
		case lineBreak, turning, control:
			return refusal(k, r)
		}
	}
	return nil
}

// Word refuses a text for programs, such as a move or an id, that holds what [Harmless] refuses, or a tab.
func Word(text string) error {
	if !utf8.ValidString(text) {
		return errEncoding
	}
	if strings.ContainsRune(text, '\t') {
		return refusal(control, '\t')
	}
	return Harmless(text)
}

// MendFile is [Harmless] for a whole file that was taken before: what is refused there becomes a space, so that columns
// stay where they are. Line breaks are left alone. A file that is not in UTF-8 is taken to be in Windows-1252.
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
		case lineBreak, turning, control:
			return ' '
		}
		return r
	}, text)
}

// plain reports whether a text is of printable ASCII with single spaces inside, as most are.
func plain(text string) bool {
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

// tidy brings a text into its form; "" if there is nothing to see in it. It leaves out what may not stand in a text
// where mend is set, and refuses the text otherwise.
func (f Form) tidy(text string, mend bool) (string, error) {
	if !utf8.ValidString(text) {
		return "", errEncoding
	}
	text, visible := norm.NFC.String(strings.TrimSpace(text)), false
	runes := []rune(text)
	var b strings.Builder
	before := ' '
	for i, r := range runes {
		switch kind := kindOf(r); {
		case kind == lineBreak && f == Paragraph:
			if r != '\n' || i == 0 || runes[i-1] != '\r' { // the two are one break
				r = '\n'
				b.WriteRune(r)
			}
		case kind == lineBreak && mend, kind == blank, r == '\t' && (mend || f == Paragraph):
			r = ' '
			b.WriteRune(r)
		case kind == joining && !joins(before, r, after(runes[i+1:])), kind == unseen:
			continue
		case kind != seen && kind != mark && kind != joining:
			if mend {
				continue
			}
			return "", refusal(kind, r)
		default:
			visible = visible || kind == seen
			b.WriteRune(r)
		}
		before = r
	}
	if !visible {
		return "", nil
	}
	return norm.NFC.String(spaced(b.String())), nil
}

// spaced leaves single spaces inside the lines of a text, and single blank lines between them.
func spaced(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// refusal says why a character may not stand in a text.
func refusal(k kind, r rune) error {
	switch k {
	case lineBreak:
		return errors.New("it has a line break inside; write it in one line")
	case turning:
		return fmt.Errorf("it holds %U, which turns the direction of the text; leave it out", r)
	case control:
		return fmt.Errorf("it holds the control character %U; leave it out", r)
	}
	return fmt.Errorf("it holds %U, which is no character that everyone can read; leave it out", r)
}

// after returns the next character that is not a joining one, or 0.
func after(runes []rune) rune {
	for _, r := range runes {
		if k := kindOf(r); k != joining && k != unseen {
			return r
		}
	}
	return 0
}

// joins reports whether an unseen joiner or variation selector means something between two characters: not in scripts
// whose letters stand alone, where it would only let two names look the same.
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
	return unicode.In(r, unicode.L, unicode.M) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Inherited)
}
