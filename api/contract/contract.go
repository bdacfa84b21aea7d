// Package contract validates requests against openapi.yaml: their authentication, parameters, bodies and texts. The
// contract is compiled once; a body is checked token by token while it is read, so that the cost of a request is
// bounded before anything of it is kept.
package contract

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
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
