package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"quatuor/api/gen"
)

// theContract is openapi.yaml, read once.
var theContract = sync.OnceValue(func() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract)
	if err != nil {
		panic(err)
	}
	return doc
})

// checkAnswer holds an answer to the contract. Requests outside of it need only be answered with a problem.
func checkAnswer(t *testing.T, r *http.Request, a *answer) {
	t.Helper()
	route, params := findRoute(r.Method, r.URL.Path)
	if route == nil {
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 a.status, Header: a.header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if kind := a.header.Get("Content-Type"); strings.Contains(kind, "json") || kind == "" {
		input.SetBodyBytes(a.raw)
	} else {
		input.Options.ExcludeResponseBody = true
	}
	if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
		t.Errorf("%s: the answer does not fit the contract: %v\n%s", a.what, err, a.raw)
	}
}

// findRoute finds the operation that an address belongs to: exact segments before parameters.
func findRoute(method, path string) (*routers.Route, map[string]string) {
	var found *routers.Route
	var params map[string]string
	for template, item := range theContract().Paths.Map() {
		full := template
		if len(item.Servers) == 0 {
			full = "/api/v1" + template
		}
		op := item.GetOperation(method)
		if op == nil || strings.Count(full, "/") != strings.Count(path, "/") {
			continue
		}
		got, ok := matchPath(full, path)
		if !ok || (found != nil && len(got) > len(params)) {
			continue
		}
		found = &routers.Route{Spec: theContract(), Path: template, PathItem: item, Method: method, Operation: op}
		params = got
	}
	return found, params
}

func matchPath(template, path string) (map[string]string, bool) {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	params := map[string]string{}
	if len(want) != len(have) {
		return nil, false
	}
	for i := range want {
		if strings.HasPrefix(want[i], "{") {
			params[strings.Trim(want[i], "{}")] = have[i]
		} else if want[i] != have[i] {
			return nil, false
		}
	}
	return params, true
}
