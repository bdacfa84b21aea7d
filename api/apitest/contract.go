package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"quatuor/api/gen"
)

// Contract is openapi.yaml, read once.
var Contract = sync.OnceValue(func() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		panic(err)
	}
	return doc
})

// checkAnswer holds an answer to the contract. Requests outside of it need only be answered with a problem.
func checkAnswer(t testing.TB, r *http.Request, a *Answer) {
	t.Helper()
	route, params := findRoute(r.Method, r.URL.Path)
	if route == nil {
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 a.Status, Header: a.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if kind := a.Header.Get("Content-Type"); strings.Contains(kind, "json") && !strings.Contains(kind, "ndjson") ||
		kind == "" {
		input.SetBodyBytes(a.Raw)
	} else {
		input.Options.ExcludeResponseBody = true
	}
	if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
		t.Errorf("%s: the answer does not fit the contract: %v\n%s", a.Request, err, a.Raw)
	}
}

// checkEvent holds an event of a stream to the schema of the stream's events.
func checkEvent(t testing.TB, path string, e Event) {
	t.Helper()
	route, _ := findRoute(http.MethodGet, path)
	schema := route.Operation.Responses.Status(http.StatusOK).Value.Content["application/x-ndjson"].Schema.Value
	line := map[string]any{"event": e.Name, "data": e.Data}
	if e.ID != "" {
		line["id"] = e.ID
	}
	if err := schema.VisitJSON(line, openapi3.VisitAsResponse(), openapi3.MultiErrors()); err != nil {
		t.Errorf("an event of %s does not fit the contract: %v\n%v", path, err, line)
	}
}

// template is an address of the contract with parameters in it.
type template struct {
	parts []string
	route *routers.Route
}

// templates are the addresses of the contract by method and number of parts.
var templates = sync.OnceValue(func() map[string][]template {
	out := map[string][]template{}
	for path, item := range Contract().Paths.Map() {
		full := path
		if len(item.Servers) == 0 {
			full = "/api/v1" + path
		}
		parts := strings.Split(full, "/")
		for method, op := range item.Operations() {
			key := fmt.Sprint(method, len(parts))
			route := &routers.Route{Spec: Contract(), Path: path, PathItem: item, Method: method, Operation: op}
			out[key] = append(out[key], template{parts, route})
		}
	}
	return out
})

// findRoute finds the operation that an address belongs to: exact segments before parameters.
func findRoute(method, path string) (*routers.Route, map[string]string) {
	var found *routers.Route
	var params map[string]string
	have := strings.Split(path, "/")
	for _, one := range templates()[fmt.Sprint(method, len(have))] {
		got, ok := one.match(have)
		if !ok || (found != nil && len(got) > len(params)) {
			continue
		}
		found, params = one.route, got
	}
	return found, params
}

// match returns the parameters of an address that the template fits, in as many parts.
func (x template) match(have []string) (map[string]string, bool) {
	for i, want := range x.parts {
		if !strings.HasPrefix(want, "{") && want != have[i] {
			return nil, false
		}
	}
	params := map[string]string{}
	for i, want := range x.parts {
		if strings.HasPrefix(want, "{") {
			params[strings.Trim(want, "{}")] = have[i]
		}
	}
	return params, true
}
