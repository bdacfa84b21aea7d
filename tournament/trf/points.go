package trf

import (
	"fmt"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// pointTable holds the values of 162 lines; missing codes are derived from others.
type pointTable map[byte]tournament.Points

func newPointTable() *pointTable { return &pointTable{} }

// read parses codes and values, such as "W 3.0    D 1.0".
func (t *pointTable) read(text string) error {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		code := strings.ToUpper(text[:1])[0]
		if !strings.ContainsRune("WDLAPX", rune(code)) {
			return sentence.Errorf("%q is not a result that points can be set for; use W, D, L, A, P or X", text[:1])
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
		(*t)[code] = points
		text = value[end:]
	}
	return nil
}

// system returns the points of all results, and those of a game without one.
func (t *pointTable) system() (tournament.PointSystem, tournament.Points) {
	of := func(code byte, otherwise tournament.Points) tournament.Points {
		if p, ok := (*t)[code]; ok {
			return p
		}
		return otherwise
	}
	s := tournament.StandardPoints
	s.Win, s.Draw, s.Loss = of('W', s.Win), of('D', s.Draw), of('L', s.Loss)
	s.ForfeitWin, s.ForfeitLoss, s.Bye = s.Win, of('A', 0), of('P', s.Win)
	return s, of('X', s.Draw)
}

// readPoints reads points with at most one decimal.
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

// decimal formats points as reports do, with one decimal; from 100 on there is no room for it, and no need.
func decimal(p tournament.Points) string {
	if p >= 1000 && p%10 == 0 {
		return fmt.Sprint(int(p / 10))
	}
	return fmt.Sprintf("%d.%d", p/10, p%10)
}
