package trf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/wording"
)

// recordAt is a line of the file: the record of a code with this index among those of its code.
type recordAt struct {
	code  string
	index int
}

// ReadTeams reads a report of a tournament of teams. A contradiction between the records of teams is an error that
// names line and team, or in a lenient reading a warning. The same holds for words beside their columns; a lenient
// reading takes the text within them.
func ReadTeams(text []byte, lenient bool) (*TeamReport, error) {
	r := &TeamReport{Report: Report{Points: tournament.StandardPoints, Unknown: tournament.StandardPoints.Draw}}
	lines, notes := splittable(text)
	r.Notes = notes
	for i, raw := range strings.FieldsFunc(lines, func(c rune) bool { return c == '\n' }) {
		line := strings.TrimRight(raw, " \t\r\x1a")
		if line == "" {
			continue
		}
		if err := wording.Harmless(line); err != nil {
			return nil, tournament.NotValid("line %d: %v", i+1, err)
		}
		r.raw = append(r.raw, line)
		if err := fitsColumns(line); err != nil {
			if !lenient {
				return nil, tournament.NotValid("line %d%v", i+1, err)
			}
			r.Warnings = append(r.Warnings, fmt.Sprintf("line %d%v", i+1, err))
		}
		if err := r.readTeamLine(i+1, line); err != nil {
			return nil, tournament.NotValid("line %d%v", i+1, err)
		}
	}
	if err := r.complete(lenient); err != nil {
		return nil, err
	}
	for _, at := range r.order {
		r.asRead = append(r.asRead, r.text(at))
	}
	return r, nil
}

// readTeamLine reads a line into the report. Its errors continue the words "line 7".
func (r *TeamReport) readTeamLine(number int, line string) error {
	code := line
	if len(line) > 3 {
		code = line[:3]
	}
	if read, known := teamRecords[code]; known {
		at, err := read(r, []rune(line), number)
		if err != nil {
			return sentence.Errorf(" (%s): %w", code, err)
		}
		r.order = append(r.order, at)
		r.use(number, line, false)
		return nil
	}
	if strings.HasPrefix(code, "XX") && code != "XXR" && code != "XXC" || strings.HasPrefix(code, "BB") {
		r.order = append(r.order, r.keep(line))
		return nil
	}
	players, other, deputies, events := len(r.Players), len(r.Other), len(r.Deputies), len(r.Events)
	if err := r.readLine(number, line, newPointTable()); err != nil {
		return err
	}
	at := recordAt{code, 0}
	switch {
	case len(r.Players) > players:
		at.index = players
	case len(r.Other) > other:
		at = recordAt{kept, other}
	case len(r.Deputies) > deputies:
		at.index = deputies
	case len(r.Events) > events:
		at.index = events
	case code == "XXR":
		at.code = "142"
	case code == "XXC":
		at.code = "152"
	}
	r.order = append(r.order, at)
	return nil
}

// kept is the code of lines that are written back as they are.
const kept = ""

// keep keeps a line as it is.
func (r *TeamReport) keep(line string) recordAt {
	r.Other = append(r.Other, Other{After: len(r.Players), Text: line})
	return recordAt{kept, len(r.Other) - 1}
}

// teamRecords read the records of teams.
var teamRecords = map[string]func(r *TeamReport, line []rune, number int) (recordAt, error){
	"013": (*TeamReport).readOldTeam, "310": (*TeamReport).readTeam, "162": (*TeamReport).readGamePoints,
	"362": (*TeamReport).readMatchWorth, "352": (*TeamReport).readColours, "192": (*TeamReport).readSystem,
	"320": (*TeamReport).readAllocated, "330": (*TeamReport).readForfeit, "300": (*TeamReport).readLineup,
	"240": (*TeamReport).readTeamByes, "250": (*TeamReport).readBoost, "260": (*TeamReport).readApart,
	"299": (*TeamReport).readBonus,
}

func (r *TeamReport) readOldTeam(line []rune, number int) (recordAt, error) {
	t := TeamLine{Number: len(r.old) + 1, Name: columns(line, 5, 36), line: number}
	var err error
	t.Members, err = readList(line, 37, maxPlayers)
	r.old = append(r.old, t)
	return r.keep(string(line)), err
}

func (r *TeamReport) readTeam(line []rune, number int) (recordAt, error) {
	t := TeamLine{
		Name: columns(line, 9, 40), Short: columns(line, 42, 46), Strength: columns(line, 48, 53),
		Rank: columns(line, 69, 71), line: number,
	}
	at := recordAt{"310", len(r.Teams)}
	var err error
	t.Number, err = readNumber(columns(line, 5, 7), 1, maxTeams)
	if err != nil {
		return at, sentence.Errorf("the number in columns 5 to 7: %w", err)
	}
	for _, field := range []struct {
		first, last int
		points      *tournament.Points
		has         *bool
	}{{55, 60, &t.Totals.MP, &t.HasMP}, {62, 67, &t.Totals.GP, &t.HasGP}} {
		if text := columns(line, field.first, field.last); text != "" {
			*field.points, err = readSigned(text)
			if err != nil {
				return at, sentence.Errorf("team %d: %w", t.Number, err)
			}
			*field.has = true
		}
	}
	t.Members, err = readList(line, 74, maxPlayers)
	if err != nil {
		return at, sentence.Errorf("team %d: %w", t.Number, err)
	}
	r.Teams = append(r.Teams, t)
	return at, nil
}

// maxTeams is the greatest number of three columns.
const maxTeams = 999

// readSigned reads points that may be negative.
func readSigned(text string) (tournament.Points, error) {
	digits, negative := strings.CutPrefix(text, "-")
	points, err := readPoints(digits)
	if negative {
		points = -points
	}
	return points, err
}

// readOptional reads points in columns that may be blank.
func readOptional(line []rune, first, last int) (*tournament.Points, error) {
	text := columns(line, first, last)
	if text == "" {
		return nil, nil
	}
	points, err := readSigned(text)
	return &points, err
}

func (r *TeamReport) readGamePoints(line []rune, _ int) (recordAt, error) {
	var err error
	r.GamePoints, err = readSymbols(from(line, 4), "W", "D", "L", "A", "P", "X", "Z")
	return recordAt{"162", 0}, err
}

func (r *TeamReport) readMatchWorth(line []rune, _ int) (recordAt, error) {
	var err error
	r.MatchWorth, err = readSymbols(from(line, 4), "TW", "TD", "TL")
	return recordAt{"362", 0}, err
}

// readSymbols parses symbols and values: "TW 2.0   TD 1.0".
func readSymbols(text string, symbols ...string) (out []SymbolPoints, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end := strings.IndexFunc(text, func(c rune) bool { return c == ' ' || c >= '0' && c <= '9' })
		if end < 0 {
			end = len(text)
		}
		p := SymbolPoints{Symbol: strings.ToUpper(text[:end])}
		if !slices.Contains(symbols, p.Symbol) {
			return out, sentence.Errorf("%q is not a result that points can be set for; use %s", text[:end],
				strings.Join(symbols, ", "))
		}
		value, rest, _ := strings.Cut(strings.TrimSpace(text[end:]), " ")
		p.Points, err = readPoints(value)
		if err != nil {
			return out, err
		}
		out, text = append(out, p), rest
	}
	return out, nil
}

func (r *TeamReport) readColours(line []rune, _ int) (recordAt, error) {
	r.Colours = strings.ToUpper(strings.TrimSpace(from(line, 5)))
	if r.Colours == "" || strings.Trim(r.Colours, "WB") != "" {
		return recordAt{}, sentence.Errorf("%q are no colours; write one letter W or B for each board", r.Colours)
	}
	return recordAt{"352", 0}, nil
}

func (r *TeamReport) readSystem(line []rune, _ int) (recordAt, error) {
	r.System = strings.TrimSpace(from(line, 4))
	return recordAt{"192", 0}, nil
}

func (r *TeamReport) readAllocated(line []rune, _ int) (recordAt, error) {
	a := &AllocatedLine{}
	for _, field := range []struct {
		first, last int
		points      *tournament.Points
	}{{5, 8, &a.Totals.MP}, {10, 13, &a.Totals.GP}} {
		points, err := readPoints(columns(line, field.first, field.last))
		if err != nil {
			return recordAt{}, err
		}
		*field.points = points
	}
	var err error
	a.Teams, err = readColumns(line, 15, 3, maxTeams)
	r.Allocated = a
	return recordAt{"320", 0}, err
}

// readColumns reads numbers of a width, with a blank between them; blank and zero numbers are 0.
func readColumns(line []rune, first, width, most int) (out []int, err error) {
	for at := first; at <= len(line); at += width + 1 {
		n := 0
		if text := columns(line, at, at+width-1); text != "" {
			n, err = readNumber(text, 0, most)
			if err != nil {
				return out, err
			}
		}
		out = append(out, n)
	}
	return out, nil
}

func (r *TeamReport) readForfeit(line []rune, _ int) (recordAt, error) {
	f := Forfeit{Result: columns(line, 5, 6)}
	if f.Result != "+-" && f.Result != "-+" && f.Result != "--" {
		return recordAt{}, sentence.Errorf("%q is not the result of a forfeited match; use +-, -+ or --", f.Result)
	}
	var err error
	for _, field := range []struct {
		first, most int
		number      *int
	}{{8, maxRounds, &f.Round}, {12, maxTeams, &f.White}, {16, maxTeams, &f.Black}} {
		*field.number, err = readNumber(columns(line, field.first, field.first+2), 1, field.most)
		if err != nil {
			return recordAt{}, err
		}
	}
	r.Forfeits = append(r.Forfeits, f)
	return recordAt{"330", len(r.Forfeits) - 1}, nil
}

func (r *TeamReport) readLineup(line []rune, number int) (recordAt, error) {
	l := LineUp{line: number}
	var err error
	for _, field := range []struct {
		first, low, most int
		number           *int
	}{{5, 1, maxRounds, &l.Round}, {9, 1, maxTeams, &l.Team}, {13, 0, maxTeams, &l.Opponent}} {
		text := columns(line, field.first, field.first+2)
		if text == "" && field.low == 0 {
			continue
		}
		*field.number, err = readNumber(text, field.low, field.most)
		if err != nil {
			return recordAt{}, err
		}
	}
	l.Players, err = readColumns(line, 17, 4, maxPlayers)
	r.LineUps = append(r.LineUps, l)
	return recordAt{"300", len(r.LineUps) - 1}, err
}

// readList reads numbers of four columns, with a blank between them, and leaves out blank numbers.
func readList(line []rune, first, most int) ([]int, error) {
	numbers, err := readColumns(line, first, 4, most)
	return slices.DeleteFunc(numbers, func(n int) bool { return n == 0 }), err
}

func (r *TeamReport) readTeamByes(line []rune, number int) (recordAt, error) {
	b := Bye{Type: Result(strings.ToUpper(columns(line, 5, 5) + " ")[0])}
	if b.Type != HalfPoint && b.Type != FullPoint && b.Type != ZeroPoint {
		return recordAt{}, sentence.Errorf("%q is not a type of bye; use H, F or Z", columns(line, 5, 5))
	}
	var err error
	b.Round, err = readNumber(columns(line, 7, 9), 1, EveryRound)
	if err != nil {
		return recordAt{}, err
	}
	b.Numbers, err = readList(line, 11, maxTeams)
	r.holdByes(line, number, b)
	r.TeamByes = append(r.TeamByes, b)
	return recordAt{"240", len(r.TeamByes) - 1}, err
}

func (r *TeamReport) readBoost(line []rune, _ int) (recordAt, error) {
	var v TeamVirtual
	var err, err2 error
	v.MP, err = readOptional(line, 5, 8)
	v.GP, err2 = readOptional(line, 10, 13)
	err = cmp.Or(err, err2)
	if err != nil {
		return recordAt{}, err
	}
	for _, field := range []struct {
		first, last int
		number      *int
	}{{15, 17, &v.First}, {19, 21, &v.Last}, {23, 26, &v.From}, {28, 31, &v.To}} {
		*field.number, err = readNumber(columns(line, field.first, field.last), 1, maxTeams)
		if err != nil {
			return recordAt{}, err
		}
	}
	if v.First > v.Last || v.From > v.To {
		return recordAt{}, sentence.Errorf("rounds %d to %d and teams %d to %d: the first must not be the greater", v.First,
			v.Last, v.From, v.To)
	}
	r.Boosts = append(r.Boosts, v)
	return recordAt{"250", len(r.Boosts) - 1}, nil
}

func (r *TeamReport) readApart(line []rune, _ int) (recordAt, error) {
	var f Forbidden
	var err, err2, err3 error
	f.First, err = readNumber(columns(line, 5, 7), 1, EveryRound)
	f.Last, err2 = readNumber(columns(line, 9, 11), 1, EveryRound)
	f.Numbers, err3 = readList(line, 13, maxTeams)
	err = cmp.Or(err, err2, err3)
	if err == nil && (len(f.Numbers) < 2 || f.First > f.Last) {
		err = sentence.Errorf("at least two teams are needed, and rounds in their order")
	}
	r.Apart = append(r.Apart, f)
	return recordAt{"260", len(r.Apart) - 1}, err
}

// readBonus reads penalties and bonuses; lines of other types are kept as they are.
func (r *TeamReport) readBonus(line []rune, _ int) (recordAt, error) {
	if columns(line, 5, 5) != "" {
		return r.keep(string(line)), nil
	}
	var b Bonus
	var err, err2 error
	b.MP, err = readOptional(line, 7, 11)
	b.GP, err2 = readOptional(line, 13, 17)
	err = cmp.Or(err, err2)
	if err != nil {
		return recordAt{}, err
	}
	if text := columns(line, 20, 22); text != "" {
		b.Round, err = readNumber(text, 0, EveryRound)
		if err != nil {
			return recordAt{}, err
		}
	}
	b.Teams, err = readList(line, 24, maxTeams)
	r.Bonuses = append(r.Bonuses, b)
	return recordAt{"299", len(r.Bonuses) - 1}, err
}
