package trf

import "strings"

// Erase returns a report that has another name for the player with a number, and neither sex, title, federation, FIDE
// number nor date of birth; was is the name in the report. The result is in UTF-8.
func Erase(text []byte, number int, name string) (erased []byte, was string) {
	whole, _ := readable(text)
	lines := strings.Split(whole, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "001") {
			continue
		}
		runes := []rune(line)
		if n, err := readNumber(columns(runes, 5, 8), 1, maxPlayers); err != nil || n != number {
			continue
		}
		was = columns(runes, 15, 47)
		fill(runes, 10, 13, "")
		fill(runes, 15, 47, name)
		fill(runes, 54, 79, "")
		lines[i] = string(runes)
	}
	return []byte(strings.Join(lines, "\n")), was
}

// Rewrite replaces texts in the lines that people write freely: the arbiters and the comments of other programs. The
// result is the text itself where nothing was replaced, and otherwise in UTF-8.
func Rewrite(text []byte, replace func(string) string) []byte {
	whole, _ := readable(text)
	lines := strings.Split(whole, "\n")
	changed := false
	for i, line := range lines {
		code, value, found := strings.Cut(strings.TrimSuffix(line, "\r"), " ")
		if !found || code != "102" && code != "112" && code != comment || strings.HasPrefix(line, eventPrefix) {
			continue
		}
		if next := replace(value); next != value {
			lines[i], changed = code+" "+next+line[len(code)+1+len(value):], true
		}
	}
	if !changed {
		return text
	}
	return []byte(strings.Join(lines, "\n"))
}

// fill writes a text into the columns of a line that are there, and blanks behind it.
func fill(line []rune, first, last int, text string) {
	with := []rune(text)
	for i := first - 1; i < min(last, len(line)); i++ {
		line[i] = ' '
		if k := i - first + 1; k < len(with) {
			line[i] = with[k]
		}
	}
}
