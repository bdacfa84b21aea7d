package record

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// The names of the tags; those for each seat are followed by the seat's number.
const (
	tagEvent            = "Event"
	tagSite             = "Site"
	tagDate             = "Date"
	tagRound            = "Round"
	tagBoard            = "Board"
	tagGame             = "Game"
	tagSeat             = "Seat"
	tagResult           = "Result"
	tagVariant          = "Variant"
	tagOptions          = "Options"
	tagTimeControl      = "TimeControl"
	tagLag              = "Lag"
	tagRated            = "Rated"
	tagCommitment       = "Commitment"
	tagSeed             = "Seed"
	tagServerCommitment = "ServerCommitment"
	tagServerSeed       = "ServerSeed"
	tagNonce            = "Nonce"
	tagStart            = "Start"
	tagEnd              = "End"
	tagTermination      = "Termination"
	tagPosition         = "Position"
)

const (
	affirmed = "yes"
	unknown  = "?" // a seat with an unknown player
)

// maxSeats is the greatest number after the name of a tag.
const maxSeats = 15

// tagLine reads a tag and keeps its line number under the tag's name.
func (p *parser) tagLine() error {
	line := p.line
	p.skip(1) // the bracket
	name := p.word("\"]")
	if name == "" || !isTagName(name) {
		return p.errorf(`%q is not the name of a tag; a tag is written [Name "value"], the name in letters and digits`,
			clip(name))
	}
	if first, known := p.lines.Tags[name]; known {
		return p.errorf("the tag %s stands in line %d already; each tag stands once", name, first)
	}
	if p.peek() == '"' {
		return p.errorf("the tag %s lacks the space before its value; write [%s \"value\"]", name, name)
	}
	p.skipSpace()
	value, err := p.quoted(name)
	if err != nil {
		return err
	}
	p.skipSpace()
	if !p.take(']') {
		return p.errorf("the tag %s lacks its closing bracket; write [%s \"value\"]", name, name)
	}
	p.lines.Tags[name] = line
	if value == "" {
		return nil // as good as not there
	}
	if err := p.set(name, value); err != nil {
		return &SyntaxError{line, fmt.Sprintf("tag %s: %v", name, err)}
	}
	return nil
}

func isTagName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return true
}

// quoted reads a value with its quotation marks.
func (p *parser) quoted(name string) (string, error) {
	if !p.take('"') {
		return "", p.errorf(`the value of the tag %s stands in quotation marks: [%s "value"]`, name, name)
	}
	var b strings.Builder
	for {
		switch c := p.peek(); {
		case p.done() || c == '\n' || c == '\r':
			return "", p.errorf(`the value of the tag %s lacks its closing quotation mark`, name)
		case c == '"':
			p.skip(1)
			return b.String(), nil
		case c == '\\':
			p.skip(1)
			escaped, err := p.escaped()
			if err != nil {
				return "", err
			}
			b.WriteRune(escaped)
		default:
			b.WriteByte(c)
			p.skip(1)
		}
	}
}

// set stores a tag's value.
func (p *parser) set(name, value string) (err error) {
	r, c := &p.r, &p.r.Chance
	texts := map[string]*string{
		tagEvent: &r.Event, tagSite: &r.Site, tagGame: &r.Game, tagVariant: &r.Variant, tagTermination: &p.termination,
		tagPosition: &r.Position,
	}
	digests := map[string]*string{
		tagCommitment: &c.Commitment, tagSeed: &c.Seed, tagServerCommitment: &c.ServerCommitment,
		tagServerSeed: &c.ServerSeed,
	}
	switch name {
	case tagDate:
		r.Date = value
		return checkDate(value)
	case tagRound:
		r.Round, err = parseCount(value)
	case tagBoard:
		r.Board, err = parseCount(value)
	case tagResult:
		p.result = value
		return checkResult(value)
	case tagOptions:
		r.Options, err = parseOptions(value)
	case tagLag:
		r.Lag, err = parseYes(value)
	case tagRated:
		r.Rated, err = parseYes(value)
	case tagStart:
		r.Start, err = parseMoment(value)
	case tagEnd:
		r.End, err = parseMoment(value)
	case tagTimeControl:
		p.controls[0], err = parseControl(value)
	default:
		if text := texts[name]; text != nil {
			*text = value
		} else if digest := digests[name]; digest != nil {
			*digest, err = parseDigest(value)
		} else {
			return p.setOther(name, value)
		}
	}
	return err
}

// setOther stores the tags of single seats, and keeps unknown tags.
func (p *parser) setOther(name, value string) (err error) {
	switch base, seat := cutSeat(name); {
	case seat == 0:
	case base == tagSeat:
		p.names[seat] = value
		return nil
	case base == tagTimeControl:
		p.controls[seat], err = parseControl(value)
		return err
	case base == tagNonce:
		p.nonces[seat], err = parseNonce(value)
		return err
	}
	p.r.Extra = append(p.r.Extra, Tag{name, value})
	return nil
}

// cutSeat splits a tag's name into its base and the number of a seat, 0 for none.
func cutSeat(name string) (base string, seat int) {
	base = strings.TrimRight(name, "0123456789")
	seat, err := strconv.Atoi(name[len(base):])
	if err != nil || seat < 1 || seat > maxSeats || numbered(base, seat-1) != name {
		return name, 0
	}
	return base, seat
}

// gather combines tags once all have been read: those for single seats, and those that must agree.
func (p *parser) gather() error {
	if p.r.Start != 0 && p.r.End != 0 && p.r.End < p.r.Start {
		return p.faultf(tagEnd, "is %s, before the start of the game; it cannot be earlier than the tag Start, %s",
			moment(p.r.End), moment(p.r.Start))
	}
	seats, err := p.bySeat(tagSeat, p.names, 0)
	if err != nil {
		return err
	}
	for i := range seats {
		if seats[i] == unknown {
			seats[i] = ""
		}
	}
	p.r.Seats = seats
	if p.r.Controls, err = p.bySeat(tagTimeControl, p.controls, len(seats)); err != nil {
		return err
	}
	if all, ok := p.controls[0]; ok {
		if p.r.Controls != nil {
			return p.faultf(tagTimeControl, "is given for all seats and for single seats too; keep one or the other")
		}
		p.r.Controls = slices.Repeat([]string{all}, max(len(seats), 1))
	}
	if len(p.nonces) > 0 {
		p.r.Chance.Nonces = make([]string, max(len(seats), slices.Max(slices.Collect(maps.Keys(p.nonces)))))
		for seat, nonce := range p.nonces {
			p.r.Chance.Nonces[seat-1] = nonce
		}
	}
	return p.outcome()
}

// bySeat returns a list of values by seat; nil for none. Every seat must have a value; if seats is not 0, it is their
// number.
func (p *parser) bySeat(name string, values map[int]string, seats int) ([]string, error) {
	var list []string
	given := len(values)
	if _, forAll := values[0]; forAll {
		given--
	}
	for i := range given {
		value, ok := values[i+1]
		if !ok {
			return nil, p.faultf(name, "is missing for seat %d; the tags are %s and so on, one for each seat", i+1,
				numbered(name, 0))
		}
		list = append(list, value)
	}
	if given > 0 && seats > 0 && given != seats {
		return nil, p.faultf(name, "is there %d times for %d seats; give one for each seat, or %s for all", given, seats,
			name)
	}
	return list, nil
}

// faultf returns an error about the tags of a name.
func (p *parser) faultf(name, format string, args ...any) error {
	line := p.lines.First
	for i := range maxSeats + 1 {
		at, ok := p.lines.Tags[name+number(i)]
		if ok {
			line = at
			break
		}
	}
	return &SyntaxError{line, "tag " + name + " " + fmt.Sprintf(format, args...)}
}

// outcome combines the tags Result and Termination.
func (p *parser) outcome() error {
	if p.result == "" {
		return p.faultf(tagResult,
			`is missing; write the ranks by seat, such as [Result "1,2"], [Result "replay"] for a void game, `+
				`or [Result "*"] for one without a result`)
	}
	if p.result != "*" {
		o := &Outcome{Ranks: parseRanks(p.result), Reason: engine.Reason(p.termination)}
		if p.termination == aborted || p.termination == unfinished {
			return p.faultf(tagTermination, "is %s, but there is a result, %s; one of them must be wrong", p.termination,
				p.result)
		}
		p.r.Outcome = o
		return nil
	}
	switch p.termination {
	case aborted:
		p.r.Aborted = true
	case unfinished, "":
	default:
		return p.faultf(tagTermination, "is %q, but there is no result; it must be %s or %s then", clip(p.termination),
			unfinished, aborted)
	}
	return nil
}

func checkResult(text string) error {
	if text == "*" || text == string(engine.ReasonReplay) || parseRanks(text) != nil {
		return nil
	}
	return sentence.Errorf("%q is not a result; write the ranks by seat, such as 1,2, or replay for a void game, or * "+
		"for none", clip(text))
}

// parseRanks reads at least two ranks joined by commas; nil for any other text.
func parseRanks(text string) []int {
	if ranks := engine.ParseNumbers[int](text, maxSeats); len(ranks) >= 2 && len(ranks) <= maxSeats {
		return ranks
	}
	return nil
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, sentence.Errorf("%q is not a number from 1 up; leave the tag out if there is none", clip(text))
	}
	return n, nil
}

func parseYes(text string) (bool, error) {
	if text != affirmed {
		return false, sentence.Errorf("%q is not %s; leave the tag out otherwise", clip(text), affirmed)
	}
	return true, nil
}

func parseControl(text string) (string, error) {
	c, err := clock.Parse(text)
	if err != nil {
		return "", err
	}
	return c.String(), nil
}

func parseDigest(text string) (string, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 32 {
		return "", sentence.Errorf("%q is not of 64 hexadecimal digits", clip(text))
	}
	return hex.EncodeToString(raw), nil
}

func parseNonce(text string) (string, error) {
	n, err := chance.ParseNonce(text)
	return hex.EncodeToString(n[:]), err
}

func parseOptions(text string) (map[string]string, error) {
	options := map[string]string{}
	for _, word := range strings.Fields(text) {
		key, value, found := strings.Cut(word, "=")
		if !found || !isOptionWord(key) || !isOptionWord(value) {
			return nil, sentence.Errorf("%q is not an option; write key=value, with a space between two, such as "+
				"draws=forbidden steps=forward", clip(word))
		}
		if _, twice := options[key]; twice {
			return nil, sentence.Errorf("option %s is there twice", key)
		}
		options[key] = value
	}
	if len(options) == 0 {
		return nil, nil
	}
	return options, nil
}

func isOptionWord(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && !isDigit(c) && c != '_' && c != '-' {
			return false
		}
	}
	return text != ""
}
