package sentence

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Typed returns a person's own words, which are not translated.
func Typed(text string) Sentence { return New("%s", text) }

// Word is a translatable value: a member of a set like the reasons of a game's end. In English it is the word itself.
type Word struct{ Set, Word string }

// String returns the word.
func (w Word) String() string { return w.Word }

// Stored is the JSON of a sentence, stored beside its English text; "" for a person's own words.
type Stored string

// stored is the JSON form of a sentence: its format and values, or its parts.
type stored struct {
	Format string            `json:"format,omitempty"`
	Values []json.RawMessage `json:"values,omitempty"`
	Parts  []stored          `json:"parts,omitempty"`
	Joint  string            `json:"joint,omitempty"`
}

// storedWord is the JSON form of a [Word].
type storedWord struct {
	Set  string `json:"set"`
	Word string `json:"word"`
}

// Stored encodes the sentence; "" if it has no words of its own, or a value that does not survive encoding.
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

// Sentence decodes the sentence; it is empty for "" and for invalid JSON.
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
		var value string
		err := json.Unmarshal(text, &value)
		return value, err
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
		return nil, errors.New("a value of a stored sentence is empty")
	}
	return form.sentence()
}
