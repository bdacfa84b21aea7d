package record

import (
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// ofSeat reports whether an entry of the kind concerns a single seat, which is written before it.
func (k Kind) ofSeat() bool {
	switch k {
	case Offer, Decline, Set, Add, TakebackOffer, TakebackDecline:
		return true
	}
	return false
}

// argument checks the text after = in an entry of a kind, and returns its canonical spelling:
//
//	set            the time shown, and periods if these were set too: 0:05:00, 0:00:10/3
//	add            the time added: 0:01:00, -0:01:00
//	adjudication   the ranks by seat: 1,2
//	takeback       the number of the first move that was taken back: 5
//	pause, resume  the cause, left out for the arbiter's ordinary pause: alarm
func argument(kind Kind, text string) (string, error) {
	switch kind {
	case Set, Add:
		ms, periods, err := parseClock(text)
		switch {
		case err != nil:
			return "", err
		case periods != nil && kind == Add:
			return "", sentence.Errorf("periods are set, not added")
		case ms < 0 && kind == Set:
			return "", sentence.Errorf("a clock is not set to less than nothing")
		}
		return ClockText(ms, periods), nil
	case Adjudication:
		ranks := parseRanks(text)
		if ranks == nil {
			return "", sentence.Errorf("write the ranks by seat, such as !adjudication=1,2")
		}
		return engine.Numbers(ranks, ","), nil
	case Takeback:
		n, err := parseCount(text)
		if err != nil {
			return "", sentence.Errorf("write the number of the first move that was taken back, such as !takeback=5")
		}
		return strconv.Itoa(n), nil
	case Pause, Resume:
		return text, nil
	}
	if text != "" {
		return "", sentence.Errorf("nothing comes after this word")
	}
	return "", nil
}

// ClockText formats a time in ms as in the entries that change a clock, with byo-yomi periods where they are set.
func ClockText(ms int64, periods *int) string {
	if periods == nil {
		return duration(ms)
	}
	return duration(ms) + "/" + strconv.Itoa(*periods)
}

func parseClock(text string) (ms int64, periods *int, err error) {
	text, count, found := strings.Cut(text, "/")
	if ms, err = parseDuration(text); err != nil || !found {
		return ms, nil, err
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > 1_000_000 {
		return 0, nil, sentence.Errorf("%q is not a number of periods", clip(count))
	}
	return ms, &n, nil
}

// countPly returns the number of the last move after an entry: after a move the next; after a takeback, the number
// before the first move that was taken back.
func (e Entry) countPly(plies int) int {
	switch e.Kind {
	case Move:
		return plies + 1
	case Takeback:
		if first, err := strconv.Atoi(e.Text); err == nil && first >= 1 && first <= plies {
			return first - 1
		}
	}
	return plies
}
