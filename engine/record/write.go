package record

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quatuor/engine"
)

// Append appends the text of a record to b: its tags, an empty line, a line for each entry, and the result. Texts of
// several records are joined with an empty line between.
func Append(b []byte, r Record) []byte {
	for _, t := range r.tags() {
		b = append(b, '[')
		b = append(b, t.Name...)
		b = append(b, ` "`...)
		b = appendEscaped(b, t.Value, `"`)
		b = append(b, "\"]\n"...)
	}
	b = append(b, '\n')
	if r.Comment != "" {
		b = append(appendComment(b, nil, r.Comment), '\n')
	}
	plies := 0
	for _, e := range r.Entries {
		plies = e.countPly(plies)
		if e.Kind == Move {
			b = append(strconv.AppendInt(b, int64(plies), 10), ". "...)
		}
		b = append(b, e.token()...)
		if commands := e.commands(); len(commands) > 0 || e.Comment != "" {
			b = appendComment(append(b, ' '), commands, e.Comment)
		}
		b = append(b, '\n')
	}
	return append(append(b, r.Result()...), '\n')
}

// tags returns the tags of a record in their written order, without those that have no value.
func (r Record) tags() []Tag {
	tags := []Tag{
		{tagEvent, r.Event},
		{tagSite, r.Site},
		{tagDate, r.Date},
		{tagRound, number(r.Round)},
		{tagBoard, number(r.Board)},
		{tagGame, r.Game},
	}
	for i, name := range r.Seats {
		if name == "" {
			name = unknown
		}
		tags = append(tags, Tag{numbered(tagSeat, i), name})
	}
	tags = append(tags, Tag{tagResult, r.Result()}, Tag{tagVariant, r.Variant}, Tag{tagOptions, optionsText(r.Options)})
	tags = append(tags, r.controlTags()...)
	tags = append(tags, Tag{tagLag, yes(r.Lag)}, Tag{tagRated, yes(r.Rated)})
	tags = append(tags, r.Chance.tags()...)
	tags = append(tags,
		Tag{tagStart, moment(r.Start)}, Tag{tagEnd, moment(r.End)}, Tag{tagTermination, r.Termination()},
		Tag{tagPosition, r.Position})
	tags = append(tags, r.Extra...)
	return slices.DeleteFunc(tags, func(t Tag) bool { return t.Value == "" })
}

// controlTags returns a single tag if all seats have the same time control and other tags show the number of seats, and
// otherwise a tag for each seat.
func (r Record) controlTags() (tags []Tag) {
	counted := len(r.Controls) == max(len(r.Seats), 1)
	if counted && len(slices.Compact(slices.Clone(r.Controls))) == 1 {
		return []Tag{{tagTimeControl, r.Controls[0]}}
	}
	for i, c := range r.Controls {
		tags = append(tags, Tag{numbered(tagTimeControl, i), c})
	}
	return tags
}

func (c Chance) tags() []Tag {
	tags := []Tag{
		{tagServerCommitment, c.ServerCommitment}, {tagCommitment, c.Commitment}, {tagServerSeed, c.ServerSeed},
	}
	for i, nonce := range c.Nonces {
		tags = append(tags, Tag{numbered(tagNonce, i), nonce})
	}
	return append(tags, Tag{tagSeed, c.Seed})
}

// token returns an entry as the moves spell it.
func (e Entry) token() string {
	switch e.Kind {
	case Move:
		return seatPrefix(e.Seat) + e.Text
	case Left:
		return seatPrefix(e.Seat) + "!" + e.Text
	case Agreement:
		return "!" + string(Agreement) // the seat that accepted is written in a command
	}
	seat := e.Seat
	if e.Kind == Takeback {
		seat = 0 // the seat that accepted is written in a command
	}
	if e.Text == "" {
		return seatPrefix(seat) + "!" + string(e.Kind)
	}
	return seatPrefix(seat) + "!" + string(e.Kind) + "=" + e.Text
}

func seatPrefix(seat engine.Seat) string {
	if seat == 0 {
		return ""
	}
	return strconv.Itoa(int(seat)) + ":"
}

// commands returns the machine-readable parts of an entry's comment, in their written order.
func (e Entry) commands() (list []Tag) {
	if (e.Kind == Agreement || e.Kind == Takeback) && e.Seat != 0 {
		list = append(list, Tag{commandBy, strconv.Itoa(int(e.Seat))})
	}
	for _, d := range []struct {
		name string
		ms   *int64
	}{{commandRemaining, e.Remaining}, {commandElapsed, e.Elapsed}, {commandClaimed, e.Claimed}} {
		if d.ms != nil {
			list = append(list, Tag{d.name, duration(*d.ms)})
		}
	}
	if e.Length != 0 {
		list = append(list, Tag{commandLength, duration(e.Length)})
	}
	if e.At != 0 {
		list = append(list, Tag{commandAt, moment(e.At)})
	}
	if e.Position != "" {
		list = append(list, Tag{commandPosition, e.Position})
	}
	return list
}

// appendComment writes commands and a text in braces.
func appendComment(b []byte, commands []Tag, text string) []byte {
	b = append(b, '{')
	for i, c := range commands {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, "[%"...)
		b = append(append(append(b, c.Name...), ' '), c.Value...)
		b = append(b, ']')
	}
	if len(commands) > 0 && text != "" {
		b = append(b, ' ')
	}
	return append(appendEscaped(b, text, "}["), '}')
}

// appendEscaped appends a text so that its end is unambiguous: a backslash goes before itself and before special
// characters; unprintable characters are spelled \u{hex}, as are spaces where a reader might drop them.
func appendEscaped(b []byte, text, special string) []byte {
	text = strings.ToValidUTF8(text, string(unicode.ReplacementChar))
	afterSpace := true
	for i, c := range text {
		last := i+utf8.RuneLen(c) == len(text)
		switch {
		case c == '\\' || strings.ContainsRune(special, c):
			b = utf8.AppendRune(append(b, '\\'), c)
		case c == '\n':
			b = append(b, `\n`...)
		case !unicode.IsPrint(c) || c == ' ' && (afterSpace || last):
			b = append(b, `\u{`...)
			b = append(strconv.AppendInt(b, int64(c), 16), '}')
		default:
			b = utf8.AppendRune(b, c)
		}
		afterSpace = c == ' '
	}
	return b
}

// number formats a number; 0 is none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// numbered returns the name of a tag for a seat; seats are counted from 0.
func numbered(name string, seat int) string { return name + strconv.Itoa(seat+1) }

func yes(is bool) string {
	if is {
		return affirmed
	}
	return ""
}

// optionsText returns options as "key=value" joined by spaces, in order of their keys.
func optionsText(options map[string]string) string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(options)) {
		words = append(words, key+"="+options[key])
	}
	return strings.Join(words, " ")
}
