package trf

import (
	"fmt"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// pointTable holds the values of lines 162, those of bbpPairings and those of JaVaFo; missing codes are derived from
// others.
type pointTable struct {
	codes   map[byte]tournament.Points
	line    int                          // that is being read
	mixed   int                          // the line with points of the second kind, 0 for none
	scoring map[string]tournament.Points // of XXS lines, or nil
}

// Codes of lines that part what code A has in common.
const (
	zeroBye     = 'z'
	forfeitLoss = 'f'
)

func newPointTable() *pointTable { return &pointTable{codes: make(map[byte]tournament.Points)} }

// read parses codes and values: "W 3.0    D 1.0". Z, as some programs write it, is A.
func (t *pointTable) read(text string) error {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		code := strings.ToUpper(text[:1])[0]
		if !strings.ContainsRune("WDLAPXZ", rune(code)) {
			return sentence.Errorf("%q is not a result that points can be set for; use W, D, L, A, P or X", text[:1])
		}
		if code == 'Z' {
			code = 'A'
		}
		value := strings.TrimSpace(text[1:])
		end := strings.IndexFunc(value, func(c rune) bool { return c != '.' && c != ',' && (c < '0' || c > '9') })
		if end < 0 {
			end = len(value)
		}
		points, err := readPoints(value[:end])
		if err != nil {
			return err
		}
		t.set(code, points)
		text = value[end:]
	}
	return nil
}

// readOne parses a line that has the points of a single code.
func (t *pointTable) readOne(code byte, text string) error {
	points, err := readPoints(text)
	t.set(code, points)
	return err
}

func (t *pointTable) set(code byte, points tournament.Points) {
	t.codes[code] = points
	if t.scoring != nil {
		t.mixed = t.line
	}
}

// apply sets the points of all results in the report. XXS lines must be complete: others cannot be mixed in.
func (t *pointTable) apply(r *Report) error {
	var special []Abnormal
	switch {
	case t.scoring == nil:
		r.Points, r.Unknown, special = t.system()
	case len(t.codes) > 0:
		return tournament.NotValid(
			"line %d: the points stand in lines XXS and in lines 162 or BBW to BBZ; keep those of one kind", t.mixed)
	default:
		r.Points, special = t.scored()
		r.Unknown = r.Points.Draw
	}
	r.Abnormal = append(special, r.Abnormal...) // a line 299 of the file, which is more specific, or comes later, wins
	return nil
}

// system returns the points of all results, those of a game without a result, and, as lines 299, the points that the
// system itself cannot express.
func (t *pointTable) system() (tournament.PointSystem, tournament.Points, []Abnormal) {
	of := func(code byte, otherwise tournament.Points) tournament.Points {
		if p, ok := t.codes[code]; ok {
			return p
		}
		return otherwise
	}
	s := tournament.StandardPoints
	s.Win = of('W', s.Win)
	s.Draw = of('D', s.Draw)
	s.Loss = of('L', s.Loss)
	s.ForfeitWin = s.Win
	s.ForfeitLoss = of(zeroBye, of('A', 0))
	s.Bye = of('P', s.Win)
	var special []Abnormal
	if lost := of(forfeitLoss, of('A', 0)); lost != s.ForfeitLoss {
		special = []Abnormal{{Type: ForfeitLoss, Points: lost}}
	}
	return s, of('X', s.Draw), special
}

// readPoints reads points with at most a single decimal.
func readPoints(text string) (tournament.Points, error) {
	whole, part, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	if part == "" {
		part = "0"
	}
	if whole == "" {
		whole = "0"
	}
	n, err := readNumber(whole, 0, 999)
	m, err2 := readNumber(part, 0, 9)
	if err != nil || err2 != nil || len(part) != 1 || !strings.ContainsAny(text, "0123456789") {
		return 0, sentence.Errorf("%q is not a number of points, such as 3.5", text)
	}
	return tournament.Points(10*n + m), nil
}

// Worth returns the points of a cell by the point system alone, without lines 299.
func (r *Report) Worth(c Cell) tournament.Points {
	switch c.Result {
	case Win, ShortWin, ForfeitWin, FullPoint:
		return r.Points.Win
	case Draw, ShortDraw, HalfPoint:
		return r.Points.Draw
	case Loss, ShortLoss:
		return r.Points.Loss
	case Allocated:
		return r.Points.Bye
	case NoResult:
		if c.Opponent > 0 {
			return 0
		}
	}
	return r.Points.ForfeitLoss
}

// decimal formats points as reports do: with a decimal, and whole numbers from 100 on without.
func decimal(p tournament.Points) string {
	if p >= 1000 && p%10 == 0 {
		return fmt.Sprint(int(p / 10))
	}
	return fmt.Sprintf("%d.%d", p/10, p%10)
}
