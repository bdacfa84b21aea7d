package record

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"quatuor/engine/sentence"
)

// momentLayout is the layout of a moment in a text: RFC 3339 in UTC with milliseconds.
const momentLayout = "2006-01-02T15:04:05.000Z"

// moment formats milliseconds since 1970; 0 is no moment.
func moment(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(momentLayout)
}

func parseMoment(text string) (int64, error) {
	at, err := time.Parse(momentLayout, text)
	if err != nil {
		return 0, sentence.Errorf("%q is not a moment; write it as 2026-11-21T18:00:04.250Z, in UTC with three decimals",
			clip(text))
	}
	return at.UnixMilli(), nil
}

// checkDate accepts a day as 2026-11-21.
func checkDate(text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return sentence.Errorf("%q is not a day; write it as 2026-11-21", clip(text))
	}
	return nil
}

// The parts of a duration in milliseconds.
const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
)

// duration formats milliseconds as a clock shows them, for example 0:05:02.250, with decimals only where they are not
// zero.
func duration(ms int64) string {
	sign, n := "", uint64(ms)
	if ms < 0 {
		sign, n = "-", -uint64(ms)
	}
	text := fmt.Sprintf("%s%d:%02d:%02d", sign, n/hour, n%hour/minute, n%minute/second)
	if n%second != 0 {
		text += fmt.Sprintf(".%03d", n%second)
	}
	return text
}

// maxHours is a limit that keeps a duration within 64 bits of milliseconds.
const maxHours = 1_000_000_000

func parseDuration(text string) (int64, error) {
	wrong := sentence.Errorf("%q is not a duration; write it as hours:minutes:seconds, such as 0:05:02.250", clip(text))
	positive, negative := strings.CutPrefix(text, "-")
	clock, decimals, fraction := strings.Cut(positive, ".")
	parts := strings.Split(clock, ":")
	if len(parts) != 3 || fraction && len(decimals) != 3 {
		return 0, wrong
	}
	var n [4]int64
	for i, p := range append(parts, decimals) {
		if i == 3 && !fraction {
			break
		}
		limit := []int64{maxHours, 59, 59, second - 1}[i]
		v, err := strconv.ParseUint(p, 10, 63)
		if err != nil || int64(v) > limit || i > 0 && i < 3 && len(p) != 2 {
			return 0, wrong
		}
		n[i] = int64(v)
	}
	ms := n[0]*hour + n[1]*minute + n[2]*second + n[3]
	if negative {
		ms = -ms
	}
	return ms, nil
}

// clip shortens a text that was read, so that a message stays readable.
func clip(text string) string {
	const limit = 60
	runes := []rune(text)
	if len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
