package contract

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// The dates that go with `deprecated: true`, as text like 2027-01-31.
const (
	sinceMark  = "x-deprecated-since"
	sunsetMark = "x-sunset"
)

// minNotice is the minimum time that deprecated features go on working, as docs/api.md promises.
const minNotice = 365 * 24 * time.Hour

// deprecated is a part of the contract that will go.
type deprecated struct {
	since, sunset time.Time
	used          func(*http.Request) bool // whether a request uses it
}

// Announce sets the headers about deprecated features that a request uses: Deprecation (RFC 9745) with the time since
// when, Sunset (RFC 8594) with the earliest time of their removal, and a link to the contract. They are set when the
// answer begins, because operations set links of their own.
func (o *Operation) Announce(r *http.Request, before func(func()), h http.Header) {
	var all []deprecated
	for _, d := range o.deprecated {
		if d.used(r) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return
	}
	first := slices.MinFunc(all, func(a, b deprecated) int { return a.sunset.Compare(b.sunset) })
	h.Set("Deprecation", "@"+strconv.FormatInt(first.since.Unix(), 10))
	h.Set("Sunset", first.sunset.Format(http.TimeFormat))
	link := "</docs#/" + o.name + `>; rel="deprecation"; type="text/html"`
	before(func() {
		if !slices.Contains(h["Link"], link) {
			h.Add("Link", link)
		}
	})
}

// readDeprecations finds the deprecated parts of an operation. A parameter or a member of a body is used by requests
// that have it; the operation itself, and a member of its answers, by every request.
func (o *Operation) readDeprecations(item *openapi3.PathItem, op *openapi3.Operation) error {
	if len(op.Tags) > 0 {
		o.name = op.Tags[0] + "/" + op.OperationID
	}
	always := func(*http.Request) bool { return true }
	if err := o.deprecate(op.Deprecated, op.Extensions, always); err != nil {
		return err
	}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p := ref.Value
		if err := o.deprecate(p.Deprecated, p.Extensions, func(r *http.Request) bool {
			return p.In == openapi3.ParameterInQuery && r.URL.Query().Has(p.Name) ||
				p.In == openapi3.ParameterInHeader && len(r.Header.Values(p.Name)) > 0
		}); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if op.RequestBody != nil {
		for path, s := range membersOf(op.RequestBody.Value.Content, nil) {
			if err := o.deprecate(s.Deprecated, s.Extensions, func(r *http.Request) bool {
				var body any
				return json.Unmarshal(BodyOf(r), &body) == nil && hasMember(body, path)
			}); err != nil {
				return fmt.Errorf("%v: %w", path, err)
			}
		}
	}
	for status, answer := range op.Responses.Map() {
		if status[0] != '2' {
			continue
		}
		for _, s := range membersOf(answer.Value.Content, map[*openapi3.Schema]bool{}) {
			if err := o.deprecate(s.Deprecated, s.Extensions, always); err != nil {
				return err
			}
		}
	}
	return nil
}

// deprecate notes a part of the contract if it is marked. It is an error if its dates are missing, or too close.
func (o *Operation) deprecate(marked bool, extensions map[string]any, used func(*http.Request) bool) error {
	if !marked {
		return nil
	}
	var dates [2]time.Time
	for i, mark := range []string{sinceMark, sunsetMark} {
		text, _ := extensions[mark].(string)
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return fmt.Errorf("%w: what is deprecated has a date in %s", errContract, mark)
		}
		dates[i] = at
	}
	if dates[1].Sub(dates[0]) < minNotice {
		return fmt.Errorf("%w: what is deprecated goes on working for a year at least", errContract)
	}
	o.deprecated = append(o.deprecated, deprecated{since: dates[0], sunset: dates[1], used: used})
	return nil
}

// membersOf returns the schemas in bodies, each with the path to it. Those of answers may recur: seen holds the visited
// schemas, and each comes once, without its path; nil for requests, where every path counts.
func membersOf(content openapi3.Content, seen map[*openapi3.Schema]bool) iter.Seq2[[]string, *openapi3.Schema] {
	return func(yield func([]string, *openapi3.Schema) bool) {
		for _, media := range content {
			if !visit(media.Schema, nil, seen, yield) {
				return
			}
		}
	}
}

// visit yields a schema and those within it, until yield returns false.
func visit(
	ref *openapi3.SchemaRef, path []string, seen map[*openapi3.Schema]bool, yield func([]string, *openapi3.Schema) bool,
) bool {
	if ref == nil || ref.Value == nil || seen[ref.Value] {
		return true
	}
	step := func(string) []string { return nil }
	if seen != nil {
		seen[ref.Value] = true
	} else {
		step = func(name string) []string { return append(slices.Clone(path), name) }
	}
	s := ref.Value
	if !yield(path, s) || !visit(s.Items, step(anyElement), seen, yield) ||
		!visit(s.AdditionalProperties.Schema, step(anyElement), seen, yield) {
		return false
	}
	for name, member := range s.Properties {
		if !visit(member, step(name), seen, yield) {
			return false
		}
	}
	for _, same := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		if !visit(same, path, seen, yield) {
			return false
		}
	}
	return true
}

// anyElement is the step of a path to all elements of an array or of an object with free names.
const anyElement = "*"

// hasMember reports whether a value has a member at a path.
func hasMember(value any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	switch v := value.(type) {
	case []any:
		return path[0] == anyElement && slices.ContainsFunc(v, func(e any) bool { return hasMember(e, path[1:]) })
	case map[string]any:
		for name, member := range v {
			if (name == path[0] || path[0] == anyElement) && hasMember(member, path[1:]) {
				return true
			}
		}
	}
	return false
}
