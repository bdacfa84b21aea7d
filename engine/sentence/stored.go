package sentence

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Typed returns what a person wrote, as a sentence. It reads the same in every language.
func Typed(text string) Sentence { return New("%s", text) }

// Word is a value of a sentence that has a name of its own in each language: a word of a set, such as the reasons of a
// game's end. In English it is the word itself.
type Word struct{ Set, Word string }

// String returns the word.
func (w Word) String() string { return w.Word }

// Stored is a sentence as it is kept beside its English text: its words, and the values that stand in them. It is "" for
// what a person wrote, which the English text says already.
type Stored string

// stored is how a sentence is written: as its format and values, or as its parts.
type stored struct {
	Format string            `json:"format,omitempty"`
	Values []json.RawMessage `json:"values,omitempty"`
	Parts  []stored          `json:"parts,omitempty"`
	Joint  string            `json:"joint,omitempty"`
}

// storedWord is how a [Word] is written.
type storedWord struct {
	Set  string `json:"set"`
	Word string `json:"word"`
}

// Stored returns the sentence as it is kept; "" for one without words of its own, and for one with a value that cannot be
// kept so.
func (s Sentence) Stored() Stored {
	if s.text == "" || s.parts == nil && s.Code() == "" {
		return ""
	}
	form, err := s.form()
	if err != nil {
		return ""
	}
	text, err := json.Marshal(form)
	if kept := Stored(text); err == nil && kept.Sentence().text == s.text {
		return kept
	}
	return ""
}

func (s Sentence) form() (out stored, err error) {
	out.Format, out.Joint = s.format, s.joint
	for _, part := range s.parts {
		form, err := part.form()
		if err != nil {
			return out, err
		}
		out.Parts = append(out.Parts, form)
	}
	for _, v := range s.values {
		text, err := valueForm(v)
		if err != nil {
			return out, err
		}
		out.Values = append(out.Values, text)
	}
	return out, nil
}

func valueForm(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case Sentence:
		form, err := v.form()
		if err != nil {
			return nil, err
		}
		return json.Marshal(form)
	case Word:
		return json.Marshal(storedWord(v))
	case error:
		return valueForm(Of(v))
	}
	switch of := reflect.ValueOf(v); of.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return json.Marshal(of.Int())
	default:
		return json.Marshal(fmt.Sprint(v))
	}
}

// Sentence returns the sentence that was kept; one that says nothing for "" and for what is no kept sentence.
func (k Stored) Sentence() Sentence {
	var form stored
	if k == "" || json.Unmarshal([]byte(k), &form) != nil {
		return Sentence{}
	}
	s, err := form.sentence()
	if err != nil {
		return Sentence{}
	}
	return s
}

func (f stored) sentence() (Sentence, error) {
	if f.Parts != nil {
		parts := make([]Sentence, len(f.Parts))
		for i, part := range f.Parts {
			var err error
			if parts[i], err = part.sentence(); err != nil {
				return Sentence{}, err
			}
		}
		return Join(f.Joint, parts...), nil
	}
	values := make([]any, len(f.Values))
	for i, text := range f.Values {
		var err error
		if values[i], err = valueOf(text); err != nil {
			return Sentence{}, err
		}
	}
	return New(f.Format, values...), nil
}

func valueOf(text json.RawMessage) (any, error) {
	if !strings.HasPrefix(string(text), "{") {
		var number int
		if json.Unmarshal(text, &number) == nil {
			return number, nil
		}
		var said string
		err := json.Unmarshal(text, &said)
		return said, err
	}
	var word storedWord
	if err := json.Unmarshal(text, &word); err != nil {
		return nil, err
	}
	if word.Set != "" {
		return Word(word), nil
	}
	var form stored
	if err := json.Unmarshal(text, &form); err != nil {
		return nil, err
	}
	if form.Format == "" && form.Parts == nil {
		return nil, errors.New("a value of a stored sentence says nothing")
	}
	return form.sentence()
}
