// Package forms is shared by forms about tournaments: the settings, reading of fields, and why a form was refused.
package forms

import (
	"errors"
	"math"
	"net/url"
	"strconv"
	"strings"

	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/wording"
)

// maxReason is the maximum length of a reason, characters, as in the API.
const maxReason = 500

// Reason normalises an optional reason.
func Reason(text string) (string, error) {
	cleaned, err := wording.Paragraph.Optional(text, maxReason)
	if err != nil {
		return "", tournament.Fault("reason", "%v", err)
	}
	return cleaned, nil
}

// Act is an entry of a tournament's audit trail.
type Act struct {
	Version int64
	At      int64
	Text    string
	Login   string // of the acting account; "" for the server and deleted accounts
}

// Alert is the message above a refused form of a tournament.
type Alert struct {
	Title     string
	Said      sentence.Sentence
	Fields    []problem.FieldFault
	Meanwhile []Act // changes by others since the form was loaded
}

// Number parses a decimal number with a point or a comma; an empty field is 0.
func Number(text, field string) (float64, error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	if text == "" {
		return 0, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, tournament.Fault(field, "%q is not a number", text)
	}
	return value, nil
}

// Numbers parses several fields as [Number] does. Its error has the faults of all of them, in their order.
func Numbers(field func(name string) string, names ...string) ([]float64, error) {
	var faults tournament.FieldErrors
	values := make([]float64, len(names))
	for i, name := range names {
		value, err := Number(field(name), name)
		var fault tournament.FieldErrors
		if errors.As(err, &fault) {
			faults = append(faults, fault...)
		}
		values[i] = value
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return values, nil
}

// FieldReader parses the fields of a form and collects their faults.
type FieldReader struct {
	Form   url.Values
	Faults tournament.FieldErrors
}

// Refuse adds a fault about a field.
func (r *FieldReader) Refuse(field, format string, args ...any) {
	r.Faults = append(r.Faults, tournament.Fault(field, format, args...)...)
}

// Whole parses a field as a whole number from 0 to limit; an empty field is 0.
func (r *FieldReader) Whole(name string, limit int) int {
	return r.Number(name, strings.TrimSpace(r.Form.Get(name)), limit)
}

// Number parses text as a whole number from 0 to limit, "" as 0, and adds a fault about the field name otherwise.
func (r *FieldReader) Number(name, text string, limit int) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > limit {
		r.Refuse(name, "%q is not possible; write a whole number from 0 to %d", text, limit)
	}
	return n
}
