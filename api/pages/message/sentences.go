package message

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Tell returns a sentence of the domain in the reader's language; false if it is in English only. Its values are V1, V2
// and so on; the first number among them selects the plural form.
func (p *Printer) Tell(s sentence.Sentence) (text string, own bool) {
	if p.Tag == Languages[0] {
		return p.english(s), true
	}
	if text, own = p.tell(s); !own {
		text = s.String()
	}
	return text, own
}

// english returns a sentence in English, with the pages' terms.
func (p *Printer) english(s sentence.Sentence) string {
	if !worded(s) {
		return s.String()
	}
	if parts, joint := s.Parts(); parts != nil {
		texts := make([]string, len(parts))
		for i, part := range parts {
			texts[i] = p.english(part)
		}
		return strings.Join(texts, joint)
	}
	values := slices.Clone(s.Values())
	for i, v := range values {
		switch v := v.(type) {
		case sentence.Sentence:
			values[i] = p.english(v)
		case sentence.Word, tournament.Points:
			values[i], _ = p.value(v)
		}
	}
	return s.Frame(values...)
}

// worded reports whether a sentence contains a word or points, which pages write in their own manner.
func worded(s sentence.Sentence) bool {
	parts, _ := s.Parts()
	return slices.ContainsFunc(parts, worded) || slices.ContainsFunc(s.Values(), func(v any) bool {
		within, nested := v.(sentence.Sentence)
		_, word := v.(sentence.Word)
		_, points := v.(tournament.Points)
		return word || points || nested && worded(within)
	})
}

func (p *Printer) tell(s sentence.Sentence) (text string, own bool) {
	if parts, joint := s.Parts(); parts != nil {
		for i, part := range parts {
			one, own := p.tell(part)
			if !own {
				return "", false
			}
			if i > 0 {
				text += joint
			}
			text += one
		}
		return text, true
	}
	values := make([]any, len(s.Values()))
	for i, v := range s.Values() {
		if values[i], own = p.value(v); !own {
			return "", false
		}
	}
	code := s.Code()
	if code == "" {
		return s.Frame(values...), true
	}
	var args []any
	for i, v := range values {
		args = append(args, fmt.Sprintf("V%d", i+1), v)
	}
	if i := slices.IndexFunc(s.Values(), isInt); i >= 0 {
		args = append(args, "Count", s.Values()[i])
	}
	text, err := p.Text("sentence."+code, args...)
	return text, err == nil
}

func isInt(v any) bool { _, is := v.(int); return is }

// value formats a value of a sentence in the reader's language.
func (p *Printer) value(v any) (text string, own bool) {
	switch v := v.(type) {
	case sentence.Sentence:
		return p.tell(v)
	case error:
		return p.tell(sentence.Of(v))
	case tournament.Format:
		return p.TextOr(string(v), "words.format."+string(v)), true
	case tournament.Status:
		return p.TextOr(string(v), "words.status."+string(v)), true
	case table.Status:
		return p.TextOr(string(v), "words.status."+string(v)), true
	case engine.Reason:
		return p.TextOr(string(v), "words.reason."+string(v)), true
	case sentence.Word:
		return p.TextOr(v.Word, "words."+v.Set+"."+v.Word), true
	case tournament.Points:
		return p.Points(v), true
	}
	return fmt.Sprint(v), true
}
