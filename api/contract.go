package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/rest"
)

// contract is openapi.yaml, by the routes of the server.
type contract struct {
	operations map[methodAndRoute]*operation
	options    *openapi3filter.Options
}

// methodAndRoute names an operation as the router does.
type methodAndRoute struct{ method, route string }

// of gives the operation that a request asks for; nil for pages and the like.
func (k *contract) of(c echo.Context) *operation {
	return k.operations[methodAndRoute{c.Request().Method, c.Path()}]
}

// operation is one operation of the contract.
type operation struct {
	route     *routers.Route
	queries   []string // names of the query parameters it takes
	anybody   bool     // anonymous requests are welcome
	scopes    [][]auth.Scope
	plain     *plain // nil where the contract is not so simple
	repeats   bool   // takes an Idempotency-Key
	streaming bool
	acting    bool // its requests act on a game, at the time at which they arrive
	importing bool // takes large files
}

// Tables are judged by the operations that read them, which can say what is wrong with a line.
func init() { openapi3filter.RegisterBodyDecoder("text/csv", openapi3filter.FileBodyDecoder) }

func newContract(doc *openapi3.T) (*contract, error) {
	c := &contract{operations: map[methodAndRoute]*operation{}, options: &openapi3filter.Options{
		MultiError: true, SkipSettingDefaults: true, KeepValidatedValue: true,
		RejectWhenRequestBodyNotSpecified: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
	}}
	for path, item := range doc.Paths.Map() {
		base := basePath
		if len(item.Servers) > 0 {
			base = strings.TrimSuffix(item.Servers[0].URL, "/")
		}
		for method, op := range item.Operations() {
			o := &operation{route: &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op}}
			o.plain = plainOf(item, op)
			for _, p := range slices.Concat(item.Parameters, op.Parameters) {
				o.queries = appendIf(o.queries, p.Value.In == openapi3.ParameterInQuery, p.Value.Name)
				o.repeats = o.repeats || p.Value.Name == "Idempotency-Key"
			}
			if op.Security == nil {
				return nil, fmt.Errorf("the contract does not say who may ask for %s %s", method, path)
			}
			o.readSecurity(*op.Security)
			if ok := op.Responses.Status(http.StatusOK); ok != nil && ok.Value.Content.Get("text/event-stream") != nil {
				o.streaming = true
			}
			key := methodAndRoute{method, base + echoPath(path)}
			if method == http.MethodPost {
				o.acting, o.importing = acting[key.route], importing[key.route]
			}
			c.operations[key] = o
		}
	}
	return c, nil
}

func appendIf(list []string, yes bool, s string) []string {
	if yes {
		return append(list, s)
	}
	return list
}

// echoPath spells a path of the contract as the router does.
func echoPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

func (o *operation) readSecurity(requirements openapi3.SecurityRequirements) {
	o.anybody = len(requirements) == 0
	for _, r := range requirements {
		names, needed := r["bearer"]
		if !needed {
			o.anybody = true
			continue
		}
		scopes := make([]auth.Scope, len(names))
		for i, name := range names {
			scopes[i] = auth.Scope(name)
		}
		o.scopes = append(o.scopes, scopes)
	}
}

// admits checks that a token may be used for the operation.
func (o *operation) admits(who *auth.Who) error {
	if who.Anonymous() {
		if o.anybody {
			return nil
		}
		return auth.ErrNeeded
	}
	if len(o.scopes) == 0 {
		return nil
	}
	for _, scopes := range o.scopes {
		if who.Has(scopes...) {
			return nil
		}
	}
	return fmt.Errorf("%w: it takes the scope %s", auth.ErrScope, spell(o.scopes))
}

func spell(alternatives [][]auth.Scope) string {
	var words []string
	for _, scopes := range alternatives {
		for _, s := range scopes {
			words = append(words, string(s))
		}
	}
	return strings.Join(words, " or ")
}

// workTime bounds the work on one request.
const workTime = 30 * time.Second

// holdToContract refuses what the contract does not provide for. Routes outside the contract (pages) pass.
func (s *Server) holdToContract(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := visitOf(c)
		o := v.operation
		if o == nil {
			return next(c)
		}
		if err := o.admits(&v.who); err != nil {
			return err
		}
		if err := s.contract.check(c, o); err != nil {
			return err
		}
		return next(c)
	}
}

// check holds a request's parameters and body to the contract.
func (k *contract) check(c echo.Context, o *operation) error {
	if o.plain.fits(c) {
		return nil
	}
	r := c.Request()
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return fmt.Errorf("%w: the query string cannot be read", ErrMalformed)
	}
	refusal := &rest.Refusal{Err: ErrMalformed, Fields: o.strangers(query)}
	params := make(map[string]string, len(c.ParamNames()))
	for i, name := range c.ParamNames() {
		value, err := url.PathUnescape(c.ParamValues()[i])
		if err != nil {
			return fmt.Errorf("%w: the path cannot be read", ErrMalformed)
		}
		params[name] = value
	}
	err = openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, QueryParams: query, Route: o.route, Options: k.options,
	})
	switch {
	case err != nil && strings.Contains(err.Error(), "header Content-Type has unexpected value"):
		return ErrMedia
	case err != nil:
		refusal.Fields = append(refusal.Fields, faults(err)...)
	}
	if len(refusal.Fields) == 0 {
		return nil
	}
	refusal.Err = fmt.Errorf("%w: %s: %s", ErrMalformed, refusal.Fields[0].Pointer, refusal.Fields[0].Detail)
	return refusal
}

// strangers are the query parameters that the operation does not know, or that come more than once.
func (o *operation) strangers(query url.Values) []rest.FieldError {
	var out []rest.FieldError
	for name, values := range query {
		switch {
		case !slices.Contains(o.queries, name):
			out = append(out, rest.FieldError{Pointer: name, Detail: "this operation has no such parameter"})
		case len(values) > 1:
			out = append(out, rest.FieldError{Pointer: name, Detail: "it may be given once"})
		}
	}
	slices.SortFunc(out, func(a, b rest.FieldError) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out
}

// faults takes a validation error apart into single faults.
func faults(err error) []rest.FieldError {
	return faultsAt(err, "")
}

func faultsAt(err error, where string) []rest.FieldError {
	var out []rest.FieldError
	switch e := err.(type) { //nolint:errorlint // these are trees to be walked, not chains to be searched
	case openapi3.MultiError:
		for _, one := range e {
			out = append(out, faultsAt(one, where)...)
		}
		return out
	case *openapi3filter.RequestError:
		if e.Parameter != nil {
			where = e.Parameter.Name
		}
		if e.Err != nil {
			return faultsAt(e.Err, where)
		}
		return []rest.FieldError{{Pointer: where, Detail: e.Reason}}
	case *openapi3.SchemaError:
		path := e.JSONPointer()
		if name, ok := strangerIn(e); ok {
			return []rest.FieldError{{Pointer: where + pointer(append(path, name)), Detail: "there is no such member"}}
		}
		return []rest.FieldError{{Pointer: where + pointer(path), Detail: explain(e)}}
	case *openapi3filter.ParseError:
		return []rest.FieldError{{Pointer: where, Detail: parseDetail(e, where)}}
	}
	if errors.Is(err, openapi3filter.ErrInvalidRequired) {
		if where == "" {
			return []rest.FieldError{{Pointer: "", Detail: "a body is needed"}}
		}
		return []rest.FieldError{{Pointer: where, Detail: "a value is needed"}}
	}
	return []rest.FieldError{{Pointer: where, Detail: err.Error()}}
}

// strangerIn names the member that an object may not have. The library says it in words alone.
func strangerIn(e *openapi3.SchemaError) (string, bool) {
	quoted, found := strings.CutPrefix(e.Reason, "property ")
	quoted, also := strings.CutSuffix(quoted, " is unsupported")
	if !found || !also {
		return "", false
	}
	name, err := strconv.Unquote(quoted)
	return name, err == nil
}

// explain says what is wrong with a value without repeating it: it may be a password.
func explain(e *openapi3.SchemaError) string {
	if e.SchemaField == "pattern" && e.Schema != nil {
		return "it does not have the form " + e.Schema.Pattern
	}
	return e.Reason
}

func parseDetail(e *openapi3filter.ParseError, where string) string {
	if where == "" {
		return "the body is not JSON"
	}
	if e.Reason != "" {
		return e.Reason
	}
	return "it cannot be read"
}

// pointer spells a path into a document as RFC 6901 does.
func pointer(path []string) string {
	var b strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(escape.Replace(step))
	}
	return b.String()
}
