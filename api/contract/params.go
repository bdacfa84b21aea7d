package contract

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// param is a parameter of an operation.
type param struct {
	*schema
	name     string
	in       string // openapi3.ParameterInPath, …InQuery or …InHeader
	header   string // its canonical name in a header
	required bool
}

func newParam(p *openapi3.Parameter) (param, error) {
	if p.Schema == nil || p.In == openapi3.ParameterInCookie || p.AllowEmptyValue {
		return param{}, fmt.Errorf("%w: no such parameters are read", errContract)
	}
	s, err := compile(p.Schema.Value, 0)
	if err != nil {
		return param{}, err
	}
	list := s.kind == '['
	if s.kind == '{' || list && (p.In != openapi3.ParameterInQuery || p.Explode == nil || *p.Explode ||
		s.items.kind != '"') {
		return param{}, fmt.Errorf("%w: a parameter may be a list of words with commas between, but no other structure",
			errContract)
	}
	return param{s, p.Name, p.In, http.CanonicalHeaderKey(p.Name), p.Required}, nil
}

// checkParams validates a request's parameters and returns their faults.
func (o *Operation) checkParams(c echo.Context) (faults []FieldError, err error) {
	r := c.Request()
	var query url.Values
	if r.URL.RawQuery != "" {
		if query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			return nil, fmt.Errorf("%w: the query string cannot be read", ErrMalformed)
		}
		faults = o.unknownParams(query)
	}
	for i := range o.params {
		p := &o.params[i]
		var values []string
		switch p.in {
		case openapi3.ParameterInQuery:
			values = query[p.name]
		case openapi3.ParameterInHeader:
			values = r.Header[p.header]
		default:
			value, err := pathValue(c, p.name)
			if err != nil {
				return nil, err
			}
			if detail := p.judgeParam(value); detail != "" {
				faults = append(faults, FieldError{Parameter: p.name, In: p.in, Detail: detail})
			}
			continue
		}
		if detail := p.judgeAll(values); detail != "" {
			faults = append(faults, FieldError{Parameter: p.name, In: p.in, Detail: detail})
		}
	}
	return faults[:min(len(faults), maxFaults)], nil
}

// pathValue returns the value of a parameter in the path. Echo leaves it as it was sent where the path has escapes.
func pathValue(c echo.Context, name string) (string, error) {
	if c.Request().URL.RawPath == "" {
		return c.Param(name), nil
	}
	value, err := url.PathUnescape(c.Param(name))
	if err != nil {
		return "", fmt.Errorf("%w: the path cannot be read", ErrMalformed)
	}
	return value, nil
}

// judgeAll returns the fault of a parameter's values; "" if they have none.
func (p *param) judgeAll(values []string) string {
	switch {
	case len(values) == 1:
		return p.judgeParam(values[0])
	case len(values) > 1:
		return "it may be given once"
	case p.required:
		return "a value is needed"
	}
	return ""
}

// judgeParam returns the fault of a value of a parameter; "" if it has none.
func (p *param) judgeParam(value string) string {
	switch p.kind {
	case '"':
		return p.judgeText(value)
	case '0':
		return p.judgeNumber(value)
	case 't':
		if _, err := strconv.ParseBool(value); err != nil {
			return "value must be true or false"
		}
		return ""
	}
	words := strings.SplitN(value, ",", p.maxCount+1)
	switch {
	case len(words) > p.maxCount:
		return fmt.Sprintf("maximum number of items is %d", p.maxCount)
	case len(words) < p.minCount:
		return fmt.Sprintf("minimum number of items is %d", p.minCount)
	}
	for _, word := range words {
		if detail := p.items.judgeText(word); detail != "" {
			return detail
		}
	}
	return ""
}

// unknownParams returns the query parameters that the operation does not know.
func (o *Operation) unknownParams(query url.Values) []FieldError {
	var out []FieldError
	for name := range query {
		known := slices.ContainsFunc(o.params, func(p param) bool {
			return p.in == openapi3.ParameterInQuery && p.name == name
		})
		if !known {
			out = append(out, FieldError{
				Parameter: name, In: openapi3.ParameterInQuery, Detail: "this operation has no such parameter",
			})
		}
	}
	slices.SortFunc(out, func(a, b FieldError) int { return strings.Compare(a.Parameter, b.Parameter) })
	return out[:min(len(out), maxFaults)]
}
