// Package sentence holds translatable messages of the domain: an English format and its values, as for [fmt.Sprintf].
// REST and the command line print the English text. Pages look up the translation by [Sentence.Code] and insert the
// same values.
package sentence

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Sentence is a translatable message; the zero value is empty.
type Sentence struct {
	text   string // in English
	format string
	values []any
	parts  []Sentence // of a text of several sentences; format and values are not set then
	joint  string     // separator of the parts
}

// New returns the sentence of a format and its values, as for [fmt.Sprintf]. A value may be a sentence or an error.
func New(format string, values ...any) Sentence {
	return Sentence{text: fmt.Sprintf(format, values...), format: format, values: values}
}

// Fixed returns a sentence without values.
func Fixed(text string) Sentence {
	return Sentence{text: text, format: strings.ReplaceAll(text, "%", "%%")}
}

// Join joins sentences with a separator and skips empty ones.
func Join(joint string, list ...Sentence) Sentence {
	out := Sentence{joint: joint}
	texts := make([]string, 0, len(list))
	for _, s := range list {
		if s.text != "" {
			out.parts, texts = append(out.parts, s), append(texts, s.text)
		}
	}
	if len(out.parts) == 1 {
		return out.parts[0]
	}
	out.text = strings.Join(texts, joint)
	return out
}

// Map returns the sentence with other values, in its parts and in the sentences within it, too.
func (s Sentence) Map(replace func(value any) any) Sentence {
	if s.parts != nil {
		parts := make([]Sentence, len(s.parts))
		for i, part := range s.parts {
			parts[i] = part.Map(replace)
		}
		return Join(s.joint, parts...)
	}
	if len(s.values) == 0 {
		return s
	}
	values := make([]any, len(s.values))
	for i, v := range s.values {
		if within, nested := v.(Sentence); nested {
			values[i] = within.Map(replace)
		} else {
			values[i] = replace(v)
		}
	}
	return New(s.format, values...)
}

// String returns the sentence in English.
func (s Sentence) String() string { return s.text }

// IsZero reports whether the sentence is empty.
func (s Sentence) IsZero() bool { return s.text == "" }

// Values returns the arguments of the format.
func (s Sentence) Values() []any { return s.values }

// Parts returns the sentences joined by [Join] and their separator; nil for a single sentence.
func (s Sentence) Parts() (parts []Sentence, joint string) { return s.parts, s.joint }

// Code returns the key of the translations: the English words without the values, in lower case, joined by underscores,
// of a long sentence its beginning and its end. It is "" for joined sentences and for formats without words ("%s: %s"),
// which need no translation.
func (s Sentence) Code() string { return CodeOf(s.format) }

// CodeOf returns the code of a format.
func CodeOf(format string) string {
	var b strings.Builder
	between := false
	runes := []rune(format)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '%':
			i = verb(runes, i)
			between = true
		case r == '\'' || r == '’': // within a word
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if between && b.Len() > 0 {
				b.WriteByte('_')
			}
			between = false
			b.WriteRune(unicode.ToLower(r))
		default:
			between = true
		}
	}
	return abridged(b.String())
}

// A code has at most maxCode bytes. A longer code keeps whole words: up to codeHead bytes at its beginning and codeTail
// at its end.
const maxCode, codeHead, codeTail = 60, 36, 22

func abridged(code string) string {
	if len(code) <= maxCode {
		return code
	}
	head, tail := code[:codeHead+1], code[len(code)-codeTail-1:]
	_, tail, _ = strings.Cut(tail, "_")
	return head[:max(0, strings.LastIndexByte(head, '_'))] + "__" + tail
}

// Frame returns a sentence that holds nothing but values and signs with other texts in the places of its values.
func (s Sentence) Frame(values ...any) string {
	var b strings.Builder
	runes := []rune(s.format)
	for i := 0; i < len(runes); i++ {
		if b.WriteRune(runes[i]); runes[i] != '%' {
			continue
		}
		if i = verb(runes, i); i < len(runes) && runes[i] == '%' {
			b.WriteRune('%')
		} else {
			b.WriteRune('v')
		}
	}
	return fmt.Sprintf(b.String(), values...)
}

// verb returns the place of the letter that ends the verb which begins at i.
func verb(format []rune, i int) int {
	for i++; i < len(format) && !unicode.IsLetter(format[i]) && format[i] != '%'; {
		i++
	}
	return i
}

// Teller is an error with a translatable message.
type Teller interface {
	error
	Sentence() Sentence
}

// failure is an error with its message.
type failure struct {
	error   // wraps the %w arguments
	message Sentence
}

// Errorf is [fmt.Errorf] with a translatable message.
func Errorf(format string, values ...any) error {
	err := fmt.Errorf(format, values...)
	return &failure{err, Sentence{text: err.Error(), format: format, values: values}}
}

// Sentence returns the message of the error.
func (f *failure) Sentence() Sentence { return f.message }

// Unwrap returns the wrapped error, for errors.Is and errors.As.
func (f *failure) Unwrap() error { return f.error }

// Of returns the message of an error; without values if it is no Teller.
func Of(err error) Sentence {
	if teller, ok := err.(Teller); ok { //nolint:errorlint // a wrapper has a message of its own
		return teller.Sentence()
	}
	if err == nil {
		return Sentence{}
	}
	return Fixed(err.Error())
}

// In returns the message of the first [Teller] in an error chain.
func In(err error) (Sentence, bool) {
	var teller Teller
	if errors.As(err, &teller) {
		return teller.Sentence(), true
	}
	return Sentence{}, false
}
