package clock

import (
	"strings"

	"quatuor/engine/sentence"
)

// ErrControl means that a text is not a time control.
var ErrControl = sentence.Errorf("time control")

// The limits of a time control.
const (
	maxBase    = 7 * day
	maxExtra   = day
	maxStages  = 5
	maxDays    = 30
	maxMoves   = 1000
	maxPeriods = 100
)

// Parse reads a time control. Numbers may have needless zeros, as in "007" or "5.50". The error wraps [ErrControl] and
// explains the fault and the remedy.
func Parse(text string) (Control, error) {
	if text == "none" {
		return Control{}, nil
	}
	stages, err := parseControl(text)
	if err != nil {
		return Control{}, sentence.Errorf("%w %q: %w", ErrControl, text, err)
	}
	return newControl(stages), nil
}

func parseControl(text string) ([]stage, error) {
	if days, found := strings.CutSuffix(text, "days"); found {
		n, err := count(days, maxDays, "the number of days")
		if err != nil {
			return nil, err
		}
		return []stage{{rule: correspondence, base: int64(n) * day}}, nil
	}
	if n := strings.Count(text, ":") + 1; n > maxStages {
		return nil, sentence.Errorf("%d stages; at most %d are allowed", n, maxStages)
	}
	parts := strings.Split(text, ":")
	stages := make([]stage, len(parts))
	for i, part := range parts {
		s, err := parseStage(part, i == len(parts)-1)
		if err != nil {
			return nil, sentence.Errorf("stage %d: %w", i+1, err)
		}
		stages[i] = s
	}
	return stages, nil
}

func parseStage(text string, last bool) (s stage, err error) {
	moves, rest, found := strings.Cut(text, "/")
	switch {
	case found && last:
		return s, sentence.Errorf("the last stage lasts to the end of the game and has no number of moves")
	case !found && !last:
		return s, sentence.Errorf(`a stage before the last needs its number of moves, such as "40/5400"`)
	case found:
		if s.moves, err = count(moves, maxMoves, "the number of moves"); err != nil {
			return s, err
		}
	default:
		rest = text
	}
	if err = s.parseTimes(rest); err != nil {
		return s, err
	}
	if s.base == 0 && s.rule != fischer && s.rule != delay && s.rule != byoyomi {
		return s, sentence.Errorf("a base of 0 needs an increment, a delay or periods above 0")
	}
	return s, nil
}

// parseTimes reads the base and the parts after it.
func (s *stage) parseTimes(text string) (err error) {
	base, extra := text, ""
	if i := strings.IndexAny(text, "+dby"); i >= 0 {
		base, extra = text[:i], text[i:]
	}
	if s.base, err = duration(base, maxBase, "the base"); err != nil {
		return err
	}
	if extra == "" {
		return nil
	}
	switch mark, rest := extra[0], extra[1:]; mark {
	case '+':
		return s.parseExtra(fischer, rest, "the increment")
	case 'd':
		return s.parseExtra(delay, rest, "the delay")
	case 'b':
		return s.parseExtra(bronstein, rest, "the bonus")
	default:
		return s.parsePeriods(rest)
	}
}

// parseExtra reads an increment, delay or bonus; 0 is the same as none.
func (s *stage) parseExtra(r rule, text, what string) (err error) {
	if s.extra, err = duration(text, maxExtra, what); err == nil && s.extra > 0 {
		s.rule = r
	}
	return err
}

func (s *stage) parsePeriods(text string) (err error) {
	number, length, found := strings.Cut(text, "x")
	if !found {
		return sentence.Errorf(`byo-yomi is written periods x seconds, such as "600y5x30"`)
	}
	if s.periods, err = count(number, maxPeriods, "the number of periods"); err != nil {
		return err
	}
	if s.extra, err = duration(length, maxExtra, "the period"); err != nil {
		return err
	}
	if s.extra == 0 {
		return sentence.Errorf("a period must be longer than 0")
	}
	s.rule = byoyomi
	return nil
}

// count reads a whole number from 1 to limit.
func count(text string, limit int, what string) (int, error) {
	n, ok := digits(text)
	if !ok || n < 1 || n > int64(limit) {
		return 0, sentence.Errorf("%s must be a whole number from 1 to %d, not %q", what, limit, text)
	}
	return int(n), nil
}

// duration reads seconds with at most three decimals and returns milliseconds, from 0 to limit.
func duration(text string, limit int64, what string) (int64, error) {
	whole, part, pointed := strings.Cut(text, ".")
	n, ok := digits(whole)
	if pointed {
		ok = ok && len(part) >= 1 && len(part) <= 3
		part += "000"[:max(0, 3-len(part))]
	} else {
		part = "000"
	}
	fraction, decimal := digits(part)
	if !ok || !decimal {
		return 0, sentence.Errorf("%s must be seconds with at most three decimals, such as 5 or 0.5, not %q", what, text)
	}
	if n > limit/second || n*second+fraction > limit {
		return 0, sentence.Errorf("%s must be at most %s seconds, not %s", what, seconds(limit), text)
	}
	return n*second + fraction, nil
}

// digits reads a number made of decimal digits only; numbers beyond all limits are returned as 10⁹.
func digits(text string) (n int64, ok bool) {
	const beyond = 1_000_000_000
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = min(n*10+int64(text[i]-'0'), beyond)
	}
	return n, text != ""
}
