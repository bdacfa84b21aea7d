package wording

import "unicode"

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
