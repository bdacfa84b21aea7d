// Package contract validates requests against openapi.yaml: their authentication, parameters, bodies and texts. The
// contract is compiled once; a body is checked token by token while it is read, so that the cost of a request is
// bounded before anything of it is kept.
package contract

import (
	"fmt"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
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
