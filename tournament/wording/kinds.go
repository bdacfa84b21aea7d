package wording

import "unicode"

// kind is what a character does in a text.
type kind int8

const (
	seen      kind = iota // it shows something by itself
	mark                  // it shows something together with the character before it
	blank                 // it shows as a space
	lineBreak             // it ends a line
	joining               // it shows nothing, but changes how its neighbours look
	unseen                // it shows nothing
	turning               // it changes the direction of what follows
	control               // it commands a terminal or a stream
	foreign               // it means nothing to everyone: unassigned, private use
)

// fillers are characters that show nothing although they count as letters, marks or signs.
var fillers = map[rune]kind{
	'\u2800':     blank,  // braille pattern without dots
	'\U0001D159': unseen, // null notehead
	'\u034F':     unseen, // combining grapheme joiner
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
		return turning
	case r == '\u200C', r == '\u200D', unicode.Is(unicode.Variation_Selector, r):
		return joining
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return seen
	case unicode.Is(unicode.Cf, r):
		return unseen
	case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S):
		return foreign
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return unseen
	case unicode.Is(unicode.M, r):
		return mark
	}
	return seen
}

// Shown reports whether a character can be shown on a terminal without commanding it, breaking the line or turning the
// direction of text.
func Shown(r rune) bool {
	switch kindOf(r) {
	case control, lineBreak, turning, foreign:
		return false
	}
	return r != '\u200E' && r != '\u200F' && r != '\u061C' // they turn the direction of signs beside them
}
