package message

import (
	"html/template"

	"quatuor/engine/sentence"
	"quatuor/tournament/pairing"
)

// Field returns the translated label of a field, or its name in <code> if it has no label.
func (p *Printer) Field(field string) template.HTML {
	if text := p.TextOr(p.TextOr("", "bonuses."+field), "new."+field); text != "" {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	return template.HTML("<code>" + template.HTMLEscapeString(field) + "</code>") //nolint:gosec // it is escaped
}

// TellHTML returns the translation of a domain message as HTML, in a span with lang="en" if only English exists.
func (p *Printer) TellHTML(s sentence.Sentence) template.HTML {
	text, own := p.Tell(s)
	if own {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	text = `<span lang="en">` + template.HTMLEscapeString(text) + `</span>`
	return template.HTML(text) //nolint:gosec // it is escaped
}

// TellSeats is TellHTML with the words of a variant for the two seats; those of teams, which have none of a game, for "".
func (p *Printer) TellSeats(variant string, s sentence.Sentence) template.HTML {
	return p.TellHTML(s.Map(func(value any) any {
		word, is := value.(sentence.Word)
		if !is || word.Set != pairing.SeatWords {
			return value
		}
		seat := 1
		if word == pairing.SeatWord(pairing.Black) {
			seat = 2
		}
		name := p.seatOf(variant, seat)
		if p.SeatSign(variant, seat) == "" {
			name = p.TextOr(name, "words.quoted", "Text", name)
		}
		return name
	}))
}

func (p *Printer) seatOf(variant string, seat int) string {
	switch {
	case variant != "":
		return p.Seat(variant, seat, 2)
	case seat == 1:
		return p.TextOr("", "match.first")
	}
	return p.TextOr("", "match.second")
}

// Told returns the translation of a domain message as plain text.
func (p *Printer) Told(s sentence.Sentence) string {
	text, _ := p.Tell(s)
	return text
}
