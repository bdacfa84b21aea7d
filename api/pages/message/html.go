package message

import (
	"html/template"

	"quatuor/engine/sentence"
)

// Field returns the translated label of a field, or its name in <code> without one.
func (p *Printer) Field(field string) template.HTML {
	if text := p.TextOr("", "new."+field); text != "" {
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

// Told returns the translation of a domain message as plain text.
func (p *Printer) Told(s sentence.Sentence) string {
	text, _ := p.Tell(s)
	return text
}
