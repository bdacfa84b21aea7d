package problem

import (
	"errors"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/settings"
)

// Refusal is an error as a form shows it. It has the same status as over REST.
type Refusal struct {
	Status int
	Name   string // of its text among those of the page
	Input  string // of the form that it is about, "" for the form as a whole
}

// RefusalOf returns an error as a form shows it; internal errors have status 500.
func RefusalOf(err error) Refusal {
	k := kindOf(err)
	r := Refusal{Status: k.status, Name: k.name, Input: k.input}
	var field *auth.InvalidField
	var setting *settings.Invalid
	switch {
	case errors.As(err, &field):
		r.Name, r.Input = field.Reason, field.Field
	case errors.As(err, &setting):
		r.Name, r.Input = setting.Field, setting.Field
	case r.Name == "":
		r.Name = strings.ReplaceAll(k.slug, "-", "_")
	}
	return r
}
