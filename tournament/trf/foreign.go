package trf

import (
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// bbpPoints maps the lines of bbpPairings for the points of a result to the codes of a pointTable.
var bbpPoints = map[string]byte{"BBW": 'W', "BBD": 'D', "BBL": 'L', "BBU": 'P', "BBZ": zeroBye, "BBF": forfeitLoss}

// javafoPoints are the codes of JaVaFo's XXS lines with their defaults, which do not depend on each other.
var javafoPoints = map[string]tournament.Points{
	"WW": 10, "BW": 10, "WD": 5, "BD": 5, "WL": 0, "BL": 0, "ZPB": 0, "HPB": 5, "FPB": 10, "PAB": 10, "FW": 10, "FL": 0,
}

// javafoGroups are the XXS codes that combine several.
var javafoGroups = map[string][]string{"W": {"WW", "BW", "FW", "FPB"}, "D": {"WD", "BD", "HPB"}}

// readScoring reads an XXS line: CODE=VALUE; later values replace earlier values.
func (t *pointTable) readScoring(text string) error {
	for _, word := range strings.Fields(text) {
		code, value, _ := strings.Cut(strings.ToUpper(word), "=")
		codes, isGroup := javafoGroups[code]
		if _, known := javafoPoints[code]; known {
			codes = []string{code}
		} else if !isGroup {
			return sentence.Errorf("%q is not a result that points can be set for; use W, D, WW, BW, WD, BD, WL, BL, FW, FL, "+
				"PAB, FPB, HPB or ZPB, "+
				"each with = and its points", word)
		}
		points, err := readPoints(value)
		if err != nil {
			return err
		}
		if t.scoring == nil {
			t.scoring = make(map[string]tournament.Points)
		}
		for _, code := range codes {
			t.scoring[code] = points
		}
		if len(t.codes) > 0 {
			t.mixed = t.line
		}
	}
	if of := t.javafo; of("WW") != of("BW") || of("WD") != of("BD") || of("WL") != of("BL") {
		return sentence.Errorf("a result is worth more with one colour than with the other; here it must be the same with " +
			"both")
	}
	return nil
}

// javafo returns the points of a code from the XXS lines.
func (t *pointTable) javafo(code string) tournament.Points {
	if points, said := t.scoring[code]; said {
		return points
	}
	return javafoPoints[code]
}

// scored returns the point system of XXS lines and, as lines 299, the points that the system cannot express.
func (t *pointTable) scored() (tournament.PointSystem, []Abnormal) {
	of := t.javafo
	s := tournament.PointSystem{Win: of("WW"), Draw: of("WD"), Loss: of("WL"), ForfeitLoss: of("ZPB"), Bye: of("PAB")}
	s.ForfeitWin = s.Win
	var special []Abnormal
	for _, one := range []struct {
		letter       Result
		worth, usual tournament.Points
	}{
		{ForfeitWin, of("FW"), s.Win},
		{ForfeitLoss, of("FL"), s.ForfeitLoss},
		{FullPoint, of("FPB"), s.Win},
		{HalfPoint, of("HPB"), s.Draw},
	} {
		if one.worth != one.usual {
			special = append(special, Abnormal{Type: one.letter, Points: one.worth})
		}
	}
	return s, special
}

// readAbsent reads an XXZ line: the players absent from the round to be paired.
func (r *Report) readAbsent(text string) error {
	numbers, err := readNumbers(strings.Fields(text))
	r.absent = append(r.absent, numbers...)
	return err
}
