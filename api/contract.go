package api

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/rest"
)

// contract is openapi.yaml, by the routes of the server.
type contract struct {
	operations map[methodAndRoute]*operation
}

// methodAndRoute names an operation as the router does.
type methodAndRoute struct{ method, route string }

// of gives the operation that a request asks for; nil for pages and the like.
func (k *contract) of(c echo.Context) *operation {
	return k.operations[methodAndRoute{c.Request().Method, c.Path()}]
}

// operation is one operation of the contract.
type operation struct {
	anybody    bool // anonymous requests are welcome
	scopes     [][]auth.Scope
	params     []param
	bodies     map[string]*schema // by media type; nil for a table, whose lines the operation judges
	bodyNeeded bool
	texts      requestTexts
	repeats    bool // takes an Idempotency-Key
	streaming  bool
	acting     bool // its requests act on a game, at the time at which they arrive
	importing  bool // takes large files
}

func newContract(doc *openapi3.T) (*contract, error) {
	c := &contract{operations: map[methodAndRoute]*operation{}}
	for path, item := range doc.Paths.Map() {
		base := basePath
		if len(item.Servers) > 0 {
			base = strings.TrimSuffix(item.Servers[0].URL, "/")
		}
		for method, op := range item.Operations() {
			o, err := newOperation(item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
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

func newOperation(item *openapi3.PathItem, op *openapi3.Operation) (*operation, error) {
	if op.Security == nil {
		return nil, errors.New("the contract does not say who may ask")
	}
	o := &operation{texts: requestTextsOf(item, op)}
	o.readSecurity(*op.Security)
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p, err := newParam(ref.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref.Value.Name, err)
		}
		o.params = append(o.params, p)
		o.repeats = o.repeats || p.name == "Idempotency-Key"
	}
	if op.RequestBody != nil {
		if err := o.readBodies(op.RequestBody.Value); err != nil {
			return nil, err
		}
	}
	ok := op.Responses.Status(http.StatusOK)
	o.streaming = ok != nil && ok.Value.Content.Get("text/event-stream") != nil
	return o, nil
}

func (o *operation) readBodies(body *openapi3.RequestBody) error {
	o.bodyNeeded, o.bodies = body.Required, map[string]*schema{}
	for kind, media := range body.Content {
		if kind != echo.MIMEApplicationJSON {
			o.bodies[kind] = nil
			continue
		}
		s, err := compile(media.Schema.Value, 0)
		if err != nil {
			return err
		}
		o.bodies[kind] = s
	}
	return nil
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
func (o *operation) admits(who *auth.Identity) error {
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
		if err := o.check(c); err != nil {
			return err
		}
		if err := o.texts.settle(c, &v.body); err != nil {
			return err
		}
		return next(c)
	}
}

// check holds a request's parameters and body to the contract.
func (o *operation) check(c echo.Context) error {
	faults, err := o.checkParams(c)
	if err != nil {
		return err
	}
	if faults, err = o.checkContent(c.Request(), visitOf(c).body.text, faults); err != nil {
		return err
	}
	if len(faults) == 0 {
		return nil
	}
	return &rest.Refusal{
		Err: fmt.Errorf("%w: %s: %s", ErrMalformed, faults[0].Pointer, faults[0].Detail), Fields: faults,
	}
}

// checkContent holds a request's body to the contract.
func (o *operation) checkContent(r *http.Request, text []byte, faults []rest.FieldError) ([]rest.FieldError, error) {
	switch {
	case len(faults) >= maxFaults:
		return faults, nil
	case len(text) == 0 && o.bodyNeeded:
		return append(faults, rest.FieldError{Detail: "a body is needed"}), nil
	case len(text) == 0:
		return faults, nil
	case len(o.bodies) == 0:
		return append(faults, rest.FieldError{Detail: "this operation takes no body"}), nil
	}
	kind := r.Header.Get(echo.HeaderContentType)
	s, known := o.bodies[kind]
	if !known {
		var err error
		if kind, _, err = mime.ParseMediaType(kind); err != nil {
			return nil, ErrMedia
		}
		if s, known = o.bodies[kind]; !known {
			return nil, ErrMedia
		}
		r.Header.Set(echo.HeaderContentType, kind) // as the generated handlers spell it
	}
	if s == nil {
		return faults, nil // a table, judged by the operation that reads it
	}
	return s.checkBody(text, faults), nil
}
