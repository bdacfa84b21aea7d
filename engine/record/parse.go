package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// parser reads the text of a game.
type parser struct {
	scanner
	r           Record
	lines       Lines
	result      string         // of the tag
	termination string         // of the tag
	names       map[int]string // by seat
	controls    map[int]string // by seat; 0 for all
	nonces      map[int]string // by seat
	plies       int
}

// record reads tags, entries and the result at the end.
func (p *parser) record() error {
	p.names = map[int]string{}
	p.controls = map[int]string{}
	p.nonces = map[int]string{}
	p.skipSpace()
	for opensTag(p.text[p.pos:]) {
		if err := p.tagLine(); err != nil {
			return err
		}
		p.skipSpace()
	}
	if len(p.lines.Tags) == 0 {
		return p.errorf(`a game begins with its tags, such as [Variant "quixo/duel"], not with %q`, clip(p.word("")))
	}
	if err := p.gather(); err != nil {
		return err
	}
	if p.peek() == '{' {
		var whole Entry
		if err := p.comment(&whole, nil); err != nil {
			return err
		}
		p.r.Comment = whole.Comment
	}
	return p.entries()
}

func (p *parser) entries() error {
	for {
		p.skipSpace()
		if p.done() {
			return p.errorf("the game stops here without its result; after the last move comes %s, as in the tag Result",
				p.result)
		}
		line := p.line
		if p.peek() == '{' {
			return p.errorf("this comment follows another; one move has one comment")
		}
		word := p.word("{")
		if checkResult(word) == nil {
			return p.finish(word, line)
		}
		if err := p.entry(word, line); err != nil {
			return err
		}
	}
}

// finish compares the result after the last move with that of the tags.
func (p *parser) finish(word string, line int) error {
	p.lines.Result = line
	if word != p.result {
		return &SyntaxError{line, fmt.Sprintf("the game ends with %s, but its tag Result says %s", word, p.result)}
	}
	p.skipSpace()
	if !p.done() {
		return p.errorf("after the result %s there may only be another game, which begins with its tags", word)
	}
	return nil
}

// entry reads a move with its number, or another event, and the comment behind it.
func (p *parser) entry(word string, line int) error {
	number, token, err := cutNumber(word)
	if err != nil {
		return &SyntaxError{line, err.Error()}
	}
	if token == "" {
		p.skipSpace()
		token = p.word("{")
	}
	e, err := parseEntry(token)
	if err != nil {
		return &SyntaxError{line, err.Error()}
	}
	p.plies = e.countPly(p.plies)
	switch {
	case number != 0 && e.Kind != Move:
		return &SyntaxError{line, fmt.Sprintf("%s has no number, for only moves have", token)}
	case number != 0 && number != p.plies:
		return &SyntaxError{line, fmt.Sprintf("this is move %d, not %d; every seat's move counts as one", p.plies, number)}
	}
	p.skipSpace()
	if p.peek() == '{' {
		if err := p.comment(&e, commandsOf(e.Kind)); err != nil {
			return err
		}
	}
	p.r.Entries = append(p.r.Entries, e)
	p.lines.Entries = append(p.lines.Entries, line)
	return nil
}

// cutNumber splits a move into its number and its token; 0 without a number.
func cutNumber(word string) (number int, token string, err error) {
	digits := 0
	for digits < len(word) && isDigit(word[digits]) {
		digits++
	}
	if digits == 0 || digits == len(word) || word[digits] != '.' {
		return 0, word, nil
	}
	number, err = strconv.Atoi(word[:digits])
	if err != nil || number == 0 || word[0] == '0' {
		return 0, "", sentence.Errorf("%q is not the number of a move; moves are counted from 1", clip(word))
	}
	return number, word[digits+1:], nil
}

// parseEntry reads a token. It does not check whether a move belongs to the variant.
func parseEntry(token string) (Entry, error) {
	for _, c := range token {
		if c < '!' || c > '~' || c == '}' {
			return Entry{}, sentence.Errorf("%q is neither a move nor an event; they are written without spaces, in plain "+
				"letters, digits and signs", clip(token))
		}
	}
	seat, rest, err := cutSeatPrefix(token)
	if err != nil {
		return Entry{}, err
	}
	word, isWord := strings.CutPrefix(rest, "!")
	switch {
	case rest == "" || rest[0] == '[' || checkResult(token) == nil:
		return Entry{}, sentence.Errorf("a move is missing here: %q", clip(token))
	case !isWord:
		return Entry{Kind: Move, Seat: seat, Text: rest}, nil
	case engine.Reason(word).Leaving():
		if seat == 0 {
			return Entry{}, sentence.Errorf("!%s needs the seat that leaves, as in 1:!%s", word, word)
		}
		return Entry{Kind: Left, Seat: seat, Text: word}, nil
	}
	return parseWord(seat, word)
}

// parseWord reads the events other than leavings.
func parseWord(seat engine.Seat, word string) (Entry, error) {
	name, text, _ := strings.Cut(word, "=")
	kind := Kind(name)
	switch {
	case kind == Left || !slices.Contains(kinds, kind):
		return Entry{}, sentence.Errorf("there is no !%s; there are N:!resignation, N:!time, N:!forfeit, !agreement, "+
			"N:!offer, N:!decline, !pause, !resume, !outage, !abort, N:!set=0:05:00, N:!add=0:01:00, !adjudication=1,2, "+
			"!takeback=5, N:!takeback-offer and N:!takeback-decline, where N is a seat", clip(word))
	case kind.ofSeat() && seat == 0:
		return Entry{}, sentence.Errorf("!%s needs its seat, as in 1:!%s", clip(word), clip(word))
	case !kind.ofSeat() && seat != 0:
		return Entry{}, sentence.Errorf("!%s concerns all seats; write it without one", clip(word))
	}
	text, err := argument(kind, text)
	if err != nil {
		return Entry{}, sentence.Errorf("!%s: %w", clip(word), err)
	}
	return Entry{Kind: kind, Seat: seat, Text: text}, nil
}

func cutSeatPrefix(token string) (engine.Seat, string, error) {
	prefix, rest, found := strings.Cut(token, ":")
	if !found {
		return 0, token, nil
	}
	n, err := strconv.Atoi(prefix)
	if err != nil || n < 1 || n > maxSeats || strconv.Itoa(n) != prefix {
		return 0, "", sentence.Errorf("%q names no seat before its colon; seats are 1, 2 and so on", clip(token))
	}
	return engine.Seat(n), rest, nil
}

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
