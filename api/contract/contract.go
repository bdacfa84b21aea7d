// Package contract validates requests against openapi.yaml: their authentication, parameters, bodies and texts. The
// contract is compiled once; a body is checked token by token while it is read, so that the cost of a request is
// bounded before anything of it is kept.
package contract

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/gen"
)

// BasePath is the prefix of the API's own addresses.
const BasePath = "/api/v1"

// Contract is openapi.yaml, compiled, by the routes of the server.
type Contract struct {
	operations map[methodAndRoute]*Operation
}

// methodAndRoute names an operation as the router does.
type methodAndRoute struct{ method, route string }

// New compiles a contract. Its error names the parts that the contract leaves open.
func New(doc *openapi3.T) (*Contract, error) {
	c := &Contract{operations: map[methodAndRoute]*Operation{}}
	for path, item := range doc.Paths.Map() {
		base := BasePath
		if len(item.Servers) > 0 {
			base = strings.TrimSuffix(item.Servers[0].URL, "/")
		}
		for method, op := range item.Operations() {
			o, err := newOperation(method, item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			c.operations[methodAndRoute{method, base + echoPath(path)}] = o
		}
	}
	return c, nil
}

// Operation returns the operation of a request; nil for pages and the like.
func (c *Contract) Operation(asked echo.Context) *Operation {
	return c.operations[methodAndRoute{asked.Request().Method, asked.Path()}]
}

// echoPath returns a path of the contract as the router spells it.
func echoPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// Values has values beside those of openapi.yaml for the enumerations among its schemas, such as a format of tournaments
// for TournamentFormat. Add to it before the first call of [Load].
var Values = map[string][]string{}

// Load returns the contract that is built into the program, compiled once for all callers.
var Load = sync.OnceValues(func() (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		return nil, fmt.Errorf("the contract cannot be read: %w", err)
	}
	for schema, values := range Values {
		for _, value := range values {
			of := doc.Components.Schemas[schema].Value
			of.Enum = append(of.Enum, value)
		}
	}
	return New(doc)
})

// Shape is the contract's schema of a value that comes by another way than a request of the API, for example a form.
type Shape struct{ schema *schema }

// Body returns the shape of the JSON body of an operation; ok is false if it takes none.
func (c *Contract) Body(method, path string) (shape Shape, ok bool) {
	o := c.operations[methodAndRoute{method, BasePath + echoPath(path)}]
	if o == nil || o.bodies[echo.MIMEApplicationJSON] == nil {
		return Shape{}, false
	}
	return Shape{o.bodies[echo.MIMEApplicationJSON]}, true
}

// At returns the shape of a member by its path, names separated by slashes; ok is false for an unknown member.
func (s Shape) At(path string) (member Shape, ok bool) {
	at := s.schema
	for name := range strings.SplitSeq(path, "/") {
		switch place, known := at.members[name]; {
		case known:
			at = at.list[place].schema
		case at.others != nil:
			at = at.others
		default:
			return Shape{}, false
		}
	}
	return Shape{at}, true
}

// Bounds returns the least and the greatest value of a number.
func (s Shape) Bounds() (from, to float64) { return s.schema.min, s.schema.max }

// Check returns the faults of a JSON text, as of a body; nil if it has none.
func (s Shape) Check(text []byte) []FieldError { return s.schema.checkBody(text, nil) }

// Marks of operations in the contract.
const (
	actsOnGameMark = "x-acts-on-game"
	repeatableMark = "x-repeatable"
	takesFilesMark = "x-takes-files"
	secretMark     = "x-answers-secret"
	noKeyMark      = "x-no-idempotency-key" // with the reason
)

// Operation is an operation of the contract.
type Operation struct {
	Idempotent bool // takes an Idempotency-Key
	Streaming  bool // its answer is an event stream
	ActsOnGame bool // its requests act on a game, at the time of their arrival
	Repeatable bool // idempotent: repeating a request has no further effect
	TakesFiles bool // its bodies may be as large as files
	Secret     bool // its answer holds a secret, which must not be stored as it is

	anonymous  bool // requests without an account are welcome
	scopes     [][]auth.Scope
	params     []param
	bodies     map[string]*schema // by media type; nil for a table: the operation validates its lines
	bodyNeeded bool
	texts      requestTexts
	name       string // in the contract as a page: its tag and id
	deprecated []deprecated
}

func newOperation(method string, item *openapi3.PathItem, op *openapi3.Operation) (*Operation, error) {
	if op.Security == nil {
		return nil, errors.New("an operation without a security requirement")
	}
	o := &Operation{texts: requestTextsOf(item, op)}
	o.readSecurity(*op.Security)
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p, err := newParam(ref.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref.Value.Name, err)
		}
		o.params = append(o.params, p)
		o.Idempotent = o.Idempotent || p.name == "Idempotency-Key"
	}
	if op.RequestBody != nil {
		if err := o.readBodies(op.RequestBody.Value); err != nil {
			return nil, err
		}
	}
	ok := op.Responses.Status(http.StatusOK)
	o.Streaming = ok != nil && ok.Value.Content.Get("text/event-stream") != nil
	for mark, set := range map[string]*bool{
		actsOnGameMark: &o.ActsOnGame, repeatableMark: &o.Repeatable, takesFilesMark: &o.TakesFiles, secretMark: &o.Secret,
	} {
		var err error
		if *set, err = marked(op, mark); err != nil {
			return nil, err
		}
	}
	if err := o.readDeprecations(item, op); err != nil {
		return nil, err
	}
	return o, o.checkKey(method, op)
}

// checkKey requires that a POST takes an Idempotency-Key, or has a reason not to.
func (o *Operation) checkKey(method string, op *openapi3.Operation) error {
	why, _ := op.Extensions[noKeyMark].(string)
	if method == http.MethodPost && o.Idempotent == (why != "") {
		return fmt.Errorf("%w: a POST takes an Idempotency-Key, or has the reason not to in %s", errContract, noKeyMark)
	}
	return nil
}

// marked reports whether an operation has an extension of ours set. It is an error if that is neither true nor false.
func marked(op *openapi3.Operation, mark string) (bool, error) {
	value, there := op.Extensions[mark]
	if !there {
		return false, nil
	}
	set, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("%s must be true or false", mark)
	}
	return set, nil
}

func (o *Operation) readBodies(body *openapi3.RequestBody) error {
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

func (o *Operation) readSecurity(requirements openapi3.SecurityRequirements) {
	o.anonymous = len(requirements) == 0
	for _, r := range requirements {
		names, needed := r["bearer"]
		if !needed {
			o.anonymous = true
			continue
		}
		scopes := make([]auth.Scope, len(names))
		for i, name := range names {
			scopes[i] = auth.Scope(name)
		}
		o.scopes = append(o.scopes, scopes)
	}
}

// Open reports whether the operation needs no account, and makes no difference between accounts.
func (o *Operation) Open() bool { return len(o.scopes) == 0 }

// Authorize checks that the request's token may be used for the operation.
func (o *Operation) Authorize(who *auth.Identity) error {
	if who.Anonymous() {
		if o.anonymous {
			return nil
		}
		return auth.ErrNeeded
	}
	if len(o.scopes) == 0 {
		return nil
	}
	for _, scopes := range o.scopes {
		if who.Has(scopes...) && (who.Tournament == "" || len(scopes) > 0) {
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
