package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// The text of a line is a word that the tables read, where its kind has one, and then an explanation:
//
//	line           word                               then
//	left           why the seat left: "forfeit"       the arbiter's reason
//	adjudication   ranks by seat: "1,2"               the arbiter's reason
//	takeback       number of the first move gone      the arbiter's reason; nothing where the players agreed
//	set            ms on the clock, "/" and periods   the arbiter's reason
//	add            ms added                           the arbiter's reason
//	pause, resume  its cause: "arbiter"               the arbiter's reason
//	outage         its length in ms                   –
//
// Other lines have no word.
var worded = map[LineKind]bool{
	LineLeft: true, LineAdjudication: true, LineTakeback: true, LineSet: true, LineAdd: true, LinePause: true,
	LineResume: true,
	LineOutage: true,
}

// noShow is the text of a leaving because the first move did not come in time.
const noShow = string(engine.ReasonForfeit) + " no first move in time"

// fallen reports whether a line records a flag, or a first move that did not come in time.
func (l *Line) fallen() bool {
	return l.Kind == LineLeft && (l.Text == string(engine.ReasonTime) || l.Text == noShow && l.By == "")
}

// Word returns the first part of a line's text, which programs read; "" if its kind has none.
func (l Line) Word() string {
	if !worded[l.Kind] {
		return ""
	}
	word, _, _ := strings.Cut(l.Text, " ")
	return word
}

// Reason returns the reason in a line's text, "" if it has none.
func (l Line) Reason() string {
	if !worded[l.Kind] {
		return l.Text
	}
	_, reason, _ := strings.Cut(l.Text, " ")
	return reason
}

// Because returns the reason as a sentence; a person's words are unchanged.
func (l Line) Because() sentence.Sentence {
	if said := l.Said.Sentence(); !said.IsZero() {
		return said
	}
	return sentence.Typed(l.Reason())
}

// with returns the line with a sentence of the server as its text.
func (l Line) with(text sentence.Sentence) Line {
	l.Text, l.Said = text.String(), text.Stored()
	return l
}

// wordedText returns the text of a word and a reason.
func wordedText(word, reason string) string {
	if reason == "" {
		return word
	}
	return word + " " + reason
}

// Ms returns the number in a line's word: the time that was set or added, or the length of an outage, in ms; and the
// periods that were set with it, nil without.
func (l Line) Ms() (ms int64, periods *int, err error) {
	text, count, found := strings.Cut(l.Word(), "/")
	ms, err = strconv.ParseInt(text, 10, 64)
	if err != nil || !found {
		return ms, nil, err
	}
	n, err := strconv.Atoi(count)
	return ms, &n, err
}

// First returns the number of the first move that a takeback took back, counted from 1.
func (l Line) First() (int, error) { return strconv.Atoi(l.Word()) }

// event returns the engine's event that a line records, if any.
func (l Line) event() (engine.Event, bool) {
	switch l.Kind {
	case LineMove:
		return engine.Event{Kind: engine.Moved, Seat: engine.Seat(l.Seat), Text: l.Text}, true
	case LineLeft:
		return engine.Event{Kind: engine.Left, Seat: engine.Seat(l.Seat), Text: l.Word()}, true
	case LineAgreed:
		return engine.Event{Kind: engine.Agreed}, true
	case LineAdjudication:
		return engine.Event{Kind: engine.Decided, Text: l.Word()}, true
	}
	return engine.Event{}, false
}

// matchOf replays the engine's part of a log.
func matchOf(rules engine.Rules, setup engine.Setup, lines []Line) (*engine.Match, error) {
	m, err := engine.NewMatch(rules, setup)
	if err != nil {
		return nil, err
	}
	return continued(m, lines)
}

// continued replays the engine's part of the lines that follow.
func continued(m *engine.Match, lines []Line) (_ *engine.Match, err error) {
	for i := 0; i < len(lines) && err == nil; i++ {
		l := lines[i]
		if e, ok := l.event(); ok {
			m, err = m.After(e)
		} else if l.Kind == LineTakeback {
			var first int
			if first, err = l.First(); err == nil {
				m, err = m.TakeBack(first)
			}
		}
	}
	return m, err
}

// cleanReason returns an arbiter's reason as a single line.
func cleanReason(text string) (string, error) {
	reason := strings.Join(strings.Fields(text), " ")
	if reason == "" {
		return "", ErrNoReason
	}
	return reason, nil
}

// causes returns the causes of a pause, oldest first.
func causes(lines []Line) (list []string) {
	for _, l := range lines {
		switch l.Kind {
		case LinePause:
			list = append(list, cmp.Or(l.Word(), CauseArbiter))
		case LineResume:
			if i := slices.Index(list, l.Word()); i >= 0 {
				list = slices.Delete(list, i, i+1)
			}
		}
	}
	return list
}

// quoted returns causes as a list for a message.
func quoted(list []string) string {
	words := make([]string, len(list))
	for i, cause := range list {
		words[i] = fmt.Sprintf("%q", cause)
	}
	return strings.Join(words, " and ")
}
