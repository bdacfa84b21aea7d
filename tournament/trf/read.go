package trf

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/wording"
)

// Read reads a report. Errors wrap tournament.ErrInvalid and name line and player, and within 001 lines the columns.
func Read(text []byte) (*Report, error) {
	lines, notes := readable(text)
	r, err := readChecked(lines)
	if err != nil {
		return nil, err
	}
	r.Notes = notes
	return r, nil
}

func readChecked(lines string) (*Report, error) {
	r, err := read(lines, false)
	if err != nil {
		if rest, _ := read(lines, true); rest != nil && rest.Individual() != nil {
			err = rest.Individual() // its lines have other columns
		}
		return nil, err
	}
	err = r.check()
	if err != nil && r.Individual() != nil {
		err = r.Individual() // its cells follow other rules
	}
	r.mentions, r.roundsLine = nil, 0
	return r, err
}

// Reread reads a report that was read before, perhaps when less was checked: lines with a fault are kept as unknown
// lines.
func Reread(text []byte) (*Report, error) {
	lines, _ := readable(text)
	return read(lines, true)
}

// inColumns matches a tab in a line of a record with columns.
var inColumns = regexp.MustCompile(`(?m)^(001|132|250|299|XXA)[^\n]*\t`)

// readable returns the text of a file, with blanks for tabs where fields have columns, and notes on what was read
// otherwise than it is written.
func readable(file []byte) (lines string, notes []string) {
	lines, notes = splittable(file)
	if !strings.Contains(lines, "\t") || !inColumns.MatchString(lines) {
		return lines, notes
	}
	width, expanded := 8, expandTabs(lines, 8)
	if other := expandTabs(lines, 4); !readsWell(expanded) && readsWell(other) {
		width, expanded = 4, other
	}
	return expanded, append(notes, fmt.Sprintf("tabs were read as blanks up to the next of every %d columns", width))
}

func readsWell(lines string) bool {
	_, err := readChecked(lines)
	return err == nil
}

func read(text string, again bool) (*Report, error) {
	r := &Report{Points: tournament.StandardPoints}
	points := newPointTable()
	for i, raw := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' }) {
		line := strings.TrimRight(raw, " \t\r\x1a") // old systems end a file with the last
		if line == "" {
			continue
		}
		err := wording.Harmless(line)
		if err != nil {
			err = sentence.Errorf(": %w", err)
		} else {
			before := len(r.Other)
			err = r.readLine(i+1, line, points)
			r.use(i+1, line, len(r.Other) > before)
		}
		if err != nil && !again {
			return nil, tournament.NotValid("line %d%v", i+1, err)
		} else if err != nil {
			r.Other = append(r.Other, Other{After: len(r.Players), Text: line})
		}
	}
	if err := points.apply(r); err != nil && !again {
		return nil, err
	}
	if len(r.Players) == 0 {
		return nil, tournament.NotValid("there is no player: a report has a line 001 for each")
	}
	if len(r.absent) > 0 {
		r.Byes = append(r.Byes, Bye{Type: ZeroPoint, Round: r.NextRound(), Numbers: r.absent})
		r.absent = nil
	}
	return r, nil
}

// readLine reads a line into the report. Its errors continue the words "line 7".
func (r *Report) readLine(number int, line string, points *pointTable) error {
	code, text := line, ""
	if len(line) > 3 {
		code, text = line[:3], strings.TrimSpace(line[3:])
	}
	r.note(number, code, text)
	points.line = number
	if field := r.textField(code); field != nil && *field == "" {
		*field = text
		return nil
	}
	if l, known := layouts[code]; known {
		if err := l.check([]rune(line)); err != nil {
			return sentence.Errorf(" (%s): %w", code, err)
		}
	}
	var err error
	switch code {
	case "001":
		var p Player
		p, err = readPlayer(line)
		if err != nil {
			return err
		}
		p.line = number
		r.Players = append(r.Players, p)
	case "062": // recomputed when written
	case "132":
		r.RoundDates = columns([]rune(line), 4, dateColumn-1) + from([]rune(line), dateColumn)
	case "112":
		r.Deputies = append(r.Deputies, text)
	case "142", "XXR":
		r.roundsLine = number
		r.Rounds, err = readNumber(text, 1, maxRounds)
	case "152", "XXC":
		err = r.readInitial(line, text)
	case "162":
		err = points.read(text)
	case "240":
		err = r.readByes(text)
	case "250":
		err = r.readVirtual(line)
	case "XXA":
		err = r.readAcceleration(line)
	case "260":
		err = r.readForbidden(text)
	case "299":
		r.readAbnormal(line)
	case comment:
		if e, ok := readEvent(line); ok {
			r.Events = append(r.Events, e)
		} else {
			r.Other = append(r.Other, Other{After: len(r.Players), Text: line})
		}
	case "BBW", "BBD", "BBL", "BBU", "BBZ", "BBF":
		err = points.readOne(bbpPoints[code], text)
	case "XXS":
		err = points.readScoring(text)
	case "XXZ":
		err = r.readAbsent(text)
	case "XXP":
		err = r.forbid(1, EveryRound, strings.Fields(text))
	default:
		r.Other = append(r.Other, Other{After: len(r.Players), Text: line})
	}
	if err != nil {
		return sentence.Errorf(" (%s): %w", code, err)
	}
	r.name(number, code)
	return nil
}

// textField returns the field for the text of a line with this code; nil for other lines.
func (r *Report) textField(code string) *string {
	for _, f := range r.textFields() {
		if f.code == code {
			return f.text
		}
	}
	return nil
}

type textField struct {
	code string
	text *string
}

// textFields returns the lines that are plain text, in the order of writing.
func (r *Report) textFields() []textField {
	return []textField{
		{"012", &r.Name},
		{"022", &r.City},
		{"032", &r.Federation},
		{"042", &r.Starts},
		{"052", &r.Ends},
		{"072", &r.RatedPlayers},
		{"082", &r.Teams},
		{"092", &r.Kind},
		{"102", &r.Arbiter},
		{"122", &r.TimeControl},
		{"182", &r.Controller},
		{"192", &r.System},
		{"202", &r.TieBreaks},
		{"212", &r.Standings},
		{"222", &r.EncodedTimeControl},
	}
}

func readNumber(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < low || n > high {
		return 0, sentence.Errorf("%q is not a number from %d to %d", strings.TrimSpace(text), low, high)
	}
	return n, nil
}

func readNumbers(words []string) ([]int, error) {
	var out []int
	for _, word := range words {
		n, err := readNumber(word, 1, maxPlayers)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// readInitial reads W, B, white1 or black1; any other content of an XXC line is kept unchanged.
func (r *Report) readInitial(line, text string) error {
	more := false
	for _, word := range strings.Fields(text) {
		switch strings.ToLower(word) {
		case "w", "white1":
			r.Initial = pairing.White
		case "b", "black1":
			r.Initial = pairing.Black
		default:
			if line[:3] == "152" {
				return sentence.Errorf("%q is not a colour; use W or B", word)
			}
			more = true
		}
	}
	if more {
		r.Other = append(r.Other, Other{After: len(r.Players), Text: line})
	}
	return nil
}

func (r *Report) readByes(text string) error {
	words := strings.Fields(text)
	if len(words) < 2 {
		return sentence.Errorf("a type (H, F or Z), a round and numbers are needed")
	}
	b := Bye{Type: Result(strings.ToUpper(words[0])[0])}
	if len(words[0]) != 1 || b.Type != HalfPoint && b.Type != FullPoint && b.Type != ZeroPoint {
		return sentence.Errorf("%q is not a type of bye; use H, F or Z", words[0])
	}
	var err error
	b.Round, err = readNumber(words[1], 1, EveryRound)
	if err != nil {
		return err
	}
	b.Numbers, err = readNumbers(words[2:])
	r.Byes = append(r.Byes, b)
	return err
}

func (r *Report) readVirtual(line string) error {
	words := strings.Fields(columns([]rune(line), 9, 31)) // match points, in front, are for teams
	if len(words) != 5 {
		return sentence.Errorf("points, two rounds and two numbers are needed from column 10 on")
	}
	points, err := readPoints(words[0])
	if err != nil {
		return err
	}
	n, err := readNumbers(words[1:])
	if err != nil {
		return err
	}
	v := Virtual{Points: points, First: n[0], Last: n[1], From: n[2], To: n[3]}
	if v.First > v.Last || v.From > v.To {
		return sentence.Errorf("rounds %d to %d and players %d to %d: the first must not be the greater", v.First, v.Last,
			v.From, v.To)
	}
	r.Virtual = append(r.Virtual, v)
	return nil
}

// readAcceleration reads a number and its virtual points, round by round.
func (r *Report) readAcceleration(line string) error {
	words := strings.Fields(line)
	if len(words) < 2 {
		return sentence.Errorf("a number and points for each round are needed")
	}
	number, err := readNumber(words[1], 1, maxPlayers)
	if err != nil {
		return err
	}
	for i, word := range words[2:] {
		points, err := readPoints(word)
		if err != nil {
			return err
		}
		last := len(r.Virtual) - 1
		switch {
		case points == 0:
		case last >= 0 && r.Virtual[last] == (Virtual{points, r.Virtual[last].First, i, number, number}):
			r.Virtual[last].Last = i + 1
		default:
			r.Virtual = append(r.Virtual, Virtual{points, i + 1, i + 1, number, number})
		}
	}
	return nil
}

func (r *Report) readForbidden(text string) error {
	words := strings.Fields(text)
	if len(words) < 2 {
		return sentence.Errorf("two rounds and at least two numbers are needed")
	}
	rounds, err := readNumbers(words[:2])
	if err != nil {
		return err
	}
	return r.forbid(rounds[0], rounds[1], words[2:])
}

func (r *Report) forbid(first, last int, words []string) error {
	numbers, err := readNumbers(words)
	if err != nil {
		return err
	}
	if len(numbers) < 2 || first > last {
		return sentence.Errorf("at least two numbers are needed, and rounds in their order")
	}
	r.Forbidden = append(r.Forbidden, Forbidden{first, last, numbers})
	return nil
}

// readAbnormal reads a type, points and a round in fixed columns, since any of them may be blank, and numbers. A line
// that cannot be read, like those of teams, is kept unchanged.
func (r *Report) readAbnormal(line string) {
	a, err := abnormalOf([]rune(line))
	if err != nil {
		r.Other = append(r.Other, Other{After: len(r.Players), Text: line})
		return
	}
	r.Abnormal = append(r.Abnormal, a)
}

func abnormalOf(line []rune) (a Abnormal, err error) {
	a.Type = NoResult
	if letter := strings.ToUpper(columns(line, 5, 5)); letter != "" {
		a.Type = Result(letter[0])
		if !strings.Contains("WDLFHZ+-", letter) {
			return a, sentence.Errorf("%q is not a result that points can be set for", letter)
		}
	}
	if teams := columns(line, 6, 12); teams != "" {
		return a, sentence.Errorf("match points %q are for teams", teams)
	}
	points, negative := strings.CutPrefix(columns(line, 13, 19), "-")
	a.Points, err = readPoints(points)
	if err != nil {
		return a, err
	}
	if negative {
		a.Points = -a.Points
	}
	if round := columns(line, 20, 22); round != "" && round != "000" {
		a.Round, err = readNumber(round, 1, EveryRound)
		if err != nil {
			return a, err
		}
	}
	a.Numbers, err = readNumbers(strings.Fields(from(line, 23)))
	return a, err
}
