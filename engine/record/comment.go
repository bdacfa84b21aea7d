package record

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quatuor/engine/sentence"
)

// The commands in comments. Those of clocks have the names that they have in chess.
const (
	commandBy        = "by"  // seat that accepted a draw or a takeback
	commandRemaining = "clk" // time left on the seat's clock
	commandElapsed   = "emt" // duration of the seat's turn
	commandClaimed   = "think"
	commandLength    = "for" // of an outage
	commandAt        = "at"
	commandPosition  = "pos"
)

// commandsOf returns the commands that the comment on an entry of a kind may hold.
func commandsOf(kind Kind) []string {
	list := []string{commandAt, commandPosition}
	switch kind {
	case Move:
		list = append(list, commandRemaining, commandElapsed, commandClaimed)
	case Agreement, Takeback:
		list = append(list, commandBy)
	case Outage:
		list = append(list, commandLength)
	}
	return list
}

// comment reads a text in braces with its commands into an entry.
func (p *parser) comment(e *Entry, known []string) error {
	open := p.line
	p.skip(1)
	var text strings.Builder
	var seen []string
	space := false // space was read that counts once more text follows
	put := func(c rune) {
		if space && text.Len() > 0 {
			text.WriteByte(' ')
		}
		space = false
		text.WriteRune(c)
	}
	for {
		rest := p.text[p.pos:]
		switch {
		case rest == "":
			return &SyntaxError{open, "this comment is not closed; it ends with }"}
		case rest[0] == '}':
			p.skip(1)
			e.Comment = text.String()
			return nil
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			p.skip(1)
			space = true
		case strings.HasPrefix(rest, "[%"):
			name, err := p.command(e, known)
			if err != nil {
				return err
			}
			if slices.Contains(seen, name) {
				return p.errorf("[%%%s …] stands twice in one comment", name)
			}
			seen = append(seen, name)
			space = true
		case rest[0] == '\\':
			p.skip(1)
			c, err := p.escaped()
			if err != nil {
				return err
			}
			put(c)
		default:
			c, size := utf8.DecodeRuneInString(rest)
			p.skip(size)
			put(c)
		}
	}
}

// command reads a command and returns its name.
func (p *parser) command(e *Entry, known []string) (string, error) {
	p.skip(2)
	end := strings.IndexAny(p.text[p.pos:], "]\r\n")
	if end < 0 || p.text[p.pos+end] != ']' {
		return "", p.errorf("a command of a comment is written on one line with its closing bracket, such as [%%clk " +
			"0:05:02.250]")
	}
	name, value, _ := strings.Cut(p.text[p.pos:p.pos+end], " ")
	value = strings.TrimSpace(value)
	if !slices.Contains(known, name) {
		if len(known) == 0 {
			return "", p.errorf("a comment before the first move has no commands, so [%%%s …] means nothing here", clip(name))
		}
		return "", p.errorf("[%%%s …] means nothing here; use %s", clip(name), strings.Join(known, ", "))
	}
	if err := e.set(name, value); err != nil {
		return "", p.errorf("[%%%s …]: %v", name, err)
	}
	p.skip(end + 1)
	return name, nil
}

// set stores a command's value in the entry.
func (e *Entry) set(name, value string) (err error) {
	var ms int64
	switch name {
	case commandAt:
		e.At, err = parseMoment(value)
		return err
	case commandPosition:
		if value == "" {
			return sentence.Errorf("the position is missing")
		}
		e.Position = value
		return nil
	case commandBy:
		var rest string
		e.Seat, rest, err = cutSeatPrefix(value + ":")
		if err == nil && rest != "" {
			err = sentence.Errorf("%q is not a seat", clip(value))
		}
		return err
	}
	if ms, err = parseDuration(value); err != nil {
		return err
	}
	switch name {
	case commandRemaining:
		e.Remaining = &ms
	case commandElapsed:
		e.Elapsed = &ms
	case commandClaimed:
		e.Claimed = &ms
	case commandLength:
		e.Length = ms
	}
	return nil
}
