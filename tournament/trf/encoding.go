package trf

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 maps bytes 80 to 9F, where Latin-1 has control characters, to that code; 0 is unassigned.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// Decode returns the text of a file in UTF-8, UTF-16 or Windows-1252, without a byte order mark, and a note on its
// encoding.
func Decode(file []byte) (text string, notes []string) {
	if bytes.HasPrefix(file, []byte("\ufeff")) {
		file, notes = file[3:], []string{"the byte order mark at the beginning of the file was left out"}
	}
	if wide, bigEndian := isUTF16(file); wide {
		return strings.TrimPrefix(decodeUTF16(file, bigEndian), "\ufeff"), append(notes, "the file was read as UTF-16")
	}
	if utf8.Valid(file) {
		return string(file), notes
	}
	runes := make([]rune, len(file)) // as older programs write it
	for i, b := range file {
		runes[i] = rune(b)
		if b >= 0x80 && b < 0xA0 && windows1252[b-0x80] != 0 {
			runes[i] = windows1252[b-0x80]
		}
	}
	return string(runes), append(notes, "the file is not in UTF-8 and was read as Windows-1252 (Latin-1)")
}

// isUTF16 reports whether a file is in UTF-16: it begins with its mark, or every second byte of its beginning is zero.
func isUTF16(file []byte) (wide, bigEndian bool) {
	const look = 64
	switch {
	case len(file) < 4:
		return false, false
	case file[0] == 0xFF && file[1] == 0xFE:
		return true, false
	case file[0] == 0xFE && file[1] == 0xFF:
		return true, true
	}
	var zeros [2]int
	n := min(len(file), look) &^ 1
	for i := range n {
		if file[i] == 0 {
			zeros[i%2]++
		}
	}
	return zeros[0]+zeros[1] == n/2 && (zeros[0] == 0 || zeros[1] == 0), zeros[1] == 0
}

func decodeUTF16(file []byte, bigEndian bool) string {
	units := make([]uint16, len(file)/2)
	for i := range units {
		low, high := file[2*i], file[2*i+1]
		if bigEndian {
			low, high = high, low
		}
		units[i] = uint16(low) | uint16(high)<<8
	}
	return string(utf16.Decode(units))
}

// splittable returns the text of a file with "\n" between lines, and empty lines filled so that lines can be counted.
func splittable(file []byte) (text string, notes []string) {
	s, notes := Decode(file)
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n\n", "\n \n"), "\n\n", "\n \n"), notes
}

// expandTabs replaces each tab by blanks up to the next multiple of width.
func expandTabs(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, c := range text {
		switch c {
		case '\t':
			blanks := width - column%width
			b.WriteString(strings.Repeat(" ", blanks))
			column += blanks
			continue
		case '\n':
			column = -1
		}
		b.WriteRune(c)
		column++
	}
	return b.String()
}
