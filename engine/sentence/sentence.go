// Package sentence holds what the domain tells people as data: English words, and the values that stand in them.
//
// A sentence is made where something is found out (why a move is refused, why two are paired), like a text with
// [fmt.Sprintf]. Its English is what REST and the command line say. Readers of other languages get the translation that
// is kept under its [Sentence.Code], with the same values: nothing ever has to be read out of English words again.
package sentence

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Sentence is something told to people. The zero value says nothing.
type Sentence struct {
	text   string // in English
	format string
	values []any
	parts  []Sentence // of a text of several sentences; format and values are not set then
	joint  string     // what stands between them
}

// New returns the sentence of a format and its values, as for [fmt.Sprintf]. A value may be a sentence or an error.
func New(format string, values ...any) Sentence {
	return Sentence{text: fmt.Sprintf(format, values...), format: format, values: values}
}

// Fixed returns a sentence without values.
func Fixed(text string) Sentence {
	return Sentence{text: text, format: strings.ReplaceAll(text, "%", "%%")}
}

// Join returns the text of several sentences, with joint between them. Those that say nothing are left out.
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

// String returns the sentence in English.
func (s Sentence) String() string { return s.text }

// IsZero reports whether the sentence says nothing.
func (s Sentence) IsZero() bool { return s.text == "" }

// Values returns the values that stand in the sentence.
func (s Sentence) Values() []any { return s.values }

// Parts returns the sentences of a text of several, and what stands between them; nil for a single one.
func (s Sentence) Parts() (parts []Sentence, joint string) { return s.parts, s.joint }

// Code returns the name under which translations are kept: the English words without the values, in lower case, with
// underscores between them. It is "" for a text of several sentences and for one that holds nothing but values and signs
// ("%s: %s"), which reads the same in every language.
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
	return b.String()
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

// Teller is an error that tells people a sentence.
type Teller interface {
	error
	Sentence() Sentence
}

// failure is an error with its sentence.
type failure struct {
	error // with what it wraps
	said  Sentence
}

// Errorf returns an error as [fmt.Errorf] does, which tells a sentence.
func Errorf(format string, values ...any) error {
	err := fmt.Errorf(format, values...)
	return &failure{err, Sentence{text: err.Error(), format: format, values: values}}
}

// Sentence returns what the error says.
func (f *failure) Sentence() Sentence { return f.said }

// Unwrap returns the error of the same words, for errors.Is and errors.As.
func (f *failure) Unwrap() error { return f.error }

// Of returns what an error tells people. An error that is no Teller says what it says, without values.
func Of(err error) Sentence {
	if teller, ok := err.(Teller); ok { //nolint:errorlint // what wraps a Teller says something else
		return teller.Sentence()
	}
	if err == nil {
		return Sentence{}
	}
	return Fixed(err.Error())
}

// In returns the sentence of the first error in a chain that tells one; what wraps it is for the log.
func In(err error) (Sentence, bool) {
	var teller Teller
	if errors.As(err, &teller) {
		return teller.Sentence(), true
	}
	return Sentence{}, false
}
