package trf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quatuor/engine/sentence"
)

// span is a field: its first and last column, from 1.
type span struct{ first, last int }

// layout has the columns of a record's fields. Every word of a line must lie within a field.
type layout struct {
	fields []span
	list   int // the first column of numbers up to the end of the line, 0 for none
	width  int // columns of each of them, with a blank between two
}

// rest is the last column of fields that go on to the end of the line.
const rest = 1 << 30

// teamLayouts are those of the records of [TeamReport]. A sign may precede the points of a line 299.
var teamLayouts = map[string]layout{
	"013": {[]span{{5, 36}}, 37, 4},
	"240": {[]span{{5, 5}, {7, 9}, {11, rest}}, 0, 0},
	"250": {[]span{{5, 8}, {10, 13}, {15, 17}, {19, 21}, {23, 26}, {28, 31}}, 0, 0},
	"260": {[]span{{5, 7}, {9, 11}}, 13, 4},
	"299": {[]span{{5, 5}, {7, 11}, {13, 17}, {20, 22}}, 24, 4},
	"300": {[]span{{5, 7}, {9, 11}, {13, 15}}, 17, 4},
	"310": {[]span{{5, 7}, {9, 40}, {42, 46}, {48, 53}, {55, 60}, {62, 67}, {69, 71}}, 74, 4},
	"320": {[]span{{5, 8}, {10, 13}}, 15, 3},
	"330": {[]span{{5, 6}, {8, 10}, {12, 14}, {16, 18}}, 0, 0},
	"352": {[]span{{5, rest}}, 0, 0},
}

// byeTeams is the layout of a line 240 with its teams, which [TeamReport.holdByes] holds it to.
var byeTeams = layout{[]span{{5, 5}, {7, 9}}, 11, 4}

// layouts are those of the records of [Report] that are read by columns. Between the fields of players' numbers blanks
// are enough, in any column.
var layouts = map[string]layout{
	"250": {[]span{{5, 8}, {9, 31}}, 0, 0},
	"299": {[]span{{5, 5}, {6, 12}, {13, 19}, {20, 22}, {24, rest}}, 0, 0},
}

// check refuses a line with a word that is not within a field: running over its columns, or lying beside them, it would
// be read as another word.
func (l layout) check(line []rune) error {
	for at := 3; at < len(line); at++ {
		if unicode.IsSpace(line[at]) {
			continue
		}
		word := span{at + 1, at + 1}
		for word.last < len(line) && !unicode.IsSpace(line[word.last]) {
			word.last++
		}
		if err := l.holds(word, line); err != nil {
			return err
		}
		at = word.last
	}
	return nil
}

// holds refuses a word that does not lie within a field.
func (l layout) holds(word span, line []rune) error {
	before, after := l.beside(word)
	text := string(line[word.first-1 : word.last])
	switch {
	case before.first > 0 && word.last <= before.last:
		return nil
	case before.first == 0:
		return sentence.Errorf("%q in columns %s is beside its field; the first is columns %s", text, word, after)
	case after.first == 0:
		return sentence.Errorf("%q in columns %s is beside its field; the last is columns %s", text, word, before)
	}
	return sentence.Errorf("%q in columns %s is beside its field; the fields there are columns %s and %s", text, word, before,
		after)
}

// beside returns the last field that begins before a word or with it, and the next field; zero for none.
func (l layout) beside(word span) (before, after span) {
	for _, f := range l.fields {
		if f.first > word.first {
			return before, f
		}
		before = f
	}
	if l.list == 0 {
		return before, after
	}
	step := l.width + 1
	if word.first < l.list {
		return before, span{l.list, l.list + l.width - 1}
	}
	first := l.list + (word.first-l.list)/step*step
	return span{first, first + l.width - 1}, span{first + step, first + step + l.width - 1}
}

// String returns the columns of a field: "11 to 14", or "24 on".
func (s span) String() string {
	if s.last == rest {
		return fmt.Sprint(s.first, " on")
	}
	return fmt.Sprint(s.first, " to ", s.last)
}

// fitsColumns refuses a line of a report of teams with words outside their fields. Its errors continue the words "line
// 7".
func fitsColumns(text string) error {
	line := []rune(text)
	code := columns(line, 1, 3)
	l, known := teamLayouts[code]
	if !known || code == "299" && columns(line, 5, 5) != "" { // lines of other types are not read
		return nil
	}
	if number := columns(line, 37, 40); code == "013" && len(number) == 4 && strings.Trim(number, "0123456789") == "" {
		line[35] = ' ' // a name that fills its field touches a number of four digits
	}
	if err := l.check(line); err != nil {
		return sentence.Errorf(" (%s): %w", code, err)
	}
	return nil
}

// misplaced is a line 240 with a team beside its columns, which is not read as it looks.
type misplaced struct {
	line int
	bye  Bye   // as its columns have it
	all  []int // the teams that it names, as they are written
	why  string
}

// holdByes keeps a line 240 with a team beside its columns. It is refused later, unless its round has been played and
// the line grants nothing to another team: programs write lines like that of rounds that are over.
func (r *TeamReport) holdByes(line []rune, number int, b Bye) {
	if err := byeTeams.check(line); err != nil {
		all, _ := readNumbers(strings.Fields(from(line, 10)))
		r.beside = append(r.beside, misplaced{number, b, all, fmt.Sprintf("line %d (240): %v", number, err)})
	}
}

// besideColumns returns the lines 240 with teams beside their columns that must not be followed, as faults: those of
// rounds to come, or of rounds that were played.
func (r *TeamReport) besideColumns(played bool) (faults []string) {
	next := r.NextRound()
	for _, m := range r.beside {
		if played == (m.bye.Round < next) && (!played || r.counts(m)) {
			faults = append(faults, m.why)
		}
	}
	return faults
}

// counts reports whether a line of a round that was played may give points to a team that it does not name.
func (r *TeamReport) counts(m misplaced) bool {
	if m.bye.Type == ZeroPoint {
		return false
	}
	return slices.ContainsFunc(m.bye.Numbers, func(number int) bool {
		i := r.index(number)
		return !slices.Contains(m.all, number) && (i < 0 || !r.matches[i][m.bye.Round-1].paired)
	})
}

// Misplaced returns the lines 240 of a round that were read although they have teams beside their columns.
func (r *TeamReport) Misplaced(round int) (lines []int) {
	for _, m := range r.beside {
		if m.bye.Round == round {
			lines = append(lines, m.line)
		}
	}
	return lines
}
