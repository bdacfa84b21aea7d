package contract

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// fixture is a contract with every kind of deprecation; a date is put in the place of SUNSET.
const fixture = `
openapi: 3.0.3
info: {title: fixture, version: 1.0.0}
paths:
  /old:
    get:
      operationId: getOld
      tags: [things]
      security: []
      deprecated: true
      x-deprecated-since: 2026-11-01
      x-sunset: SUNSET
      responses:
        '200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Node'}}}}
  /answer:
    get:
      operationId: getAnswer
      tags: [things]
      security: []
      responses:
        '200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Answer'}}}}
  /parts:
    put:
      operationId: putParts
      tags: [things]
      security: []
      parameters:
        - name: old
          in: query
          deprecated: true
          x-deprecated-since: 2026-11-01
          x-sunset: 2028-05-01
          schema: {type: boolean}
        - name: X-Old
          in: header
          deprecated: true
          x-deprecated-since: 2026-11-02
          x-sunset: 2028-05-02
          schema: {type: boolean}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Parts'}}}}
      responses: {'204': {description: Done.}}
components:
  schemas:
    Node:
      type: object
      properties: {next: {$ref: '#/components/schemas/Node'}}
    Answer:
      type: object
      properties:
        items: {type: array, items: {type: object, properties: {old: {$ref: '#/components/schemas/Old'}}}}
    Parts:
      type: object
      additionalProperties: false
      properties:
        name: {type: string, maxLength: 10}
        main: {$ref: '#/components/schemas/Part'}
        parts: {type: array, maxItems: 3, items: {$ref: '#/components/schemas/Part'}}
    Part:
      type: object
      additionalProperties: false
      properties: {new: {type: boolean}, old: {$ref: '#/components/schemas/Old'}}
    Old: {type: boolean, deprecated: true, x-deprecated-since: 2026-11-03, x-sunset: 2028-04-03}
`

func fixtureContract(sunset string) (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData([]byte(strings.Replace(fixture, "SUNSET", sunset, 1)))
	if err != nil {
		return nil, err
	}
	return New(doc)
}

// TestDeprecations: each marked part is announced to the requests that use it, and to no others.
func TestDeprecations(t *testing.T) {
	k, err := fixtureContract("2028-05-01")
	if err != nil {
		t.Fatal(err)
	}
	const may, mayHeader, april = "Mon, 01 May 2028 00:00:00 GMT", "Tue, 02 May 2028 00:00:00 GMT", "Mon, 03 Apr 2028 00:00:00 GMT"
	for name, test := range map[string]struct{ method, target, header, body, since, sunset, page string }{
		"an operation":        {"GET", "/old", "", "", "@1793491200", may, "things/getOld"},
		"a member of answers": {"GET", "/answer", "", "", "@1793664000", april, "things/getAnswer"},
		"nothing":             {"PUT", "/parts?older=1", "", `{"name":"old","parts":[{"new":true}]}`, "", "", ""},
		"no JSON":             {"PUT", "/parts", "", `{"parts":[{"old":true`, "", "", ""},
		"a parameter":         {"PUT", "/parts?old=true", "", `{}`, "@1793491200", may, "things/putParts"},
		"a header":            {"PUT", "/parts", "X-Old", ``, "@1793577600", mayHeader, "things/putParts"},
		"a member":            {"PUT", "/parts", "", `{"parts":[{},{"old":false}]}`, "@1793664000", april, "things/putParts"},
		"in another place":    {"PUT", "/parts", "", `{"main":{"old":false}}`, "@1793664000", april, "things/putParts"},
		"the first of two":    {"PUT", "/parts?old=true", "", `{"main":{"old":false}}`, "@1793664000", april, "things/putParts"},
	} {
		r := httptest.NewRequest(test.method, test.target, http.NoBody)
		b := &Body{}
		b.Reset([]byte(test.body))
		r.Body = b
		if test.header != "" {
			r.Header.Set(test.header, "true")
		}
		path, _, _ := strings.Cut(test.target, "?")
		h := http.Header{}
		k.operations[methodAndRoute{test.method, BasePath + path}].Announce(r, func(f func()) {
			h.Set("Link", `</next>; rel="next"`)
			f()
			f() // an answer that was kept is sent again
		}, h)
		var links []string
		if test.page != "" {
			links = []string{`</next>; rel="next"`, "</docs#/" + test.page + `>; rel="deprecation"; type="text/html"`}
		}
		if h.Get("Deprecation") != test.since || h.Get("Sunset") != test.sunset || !slices.Equal(h["Link"], links) {
			t.Errorf("%s: %v", name, h)
		}
	}
}

// TestDeprecationsHaveTheirDates: what is marked without dates, or with too little time between, is no contract.
func TestDeprecationsHaveTheirDates(t *testing.T) {
	for _, sunset := range []string{"", "soon", "2027-10-31", "2026-10-01"} {
		if _, err := fixtureContract(sunset); err == nil {
			t.Errorf("a sunset of %q passes", sunset)
		}
	}
	if _, err := fixtureContract("2027-11-01"); err != nil {
		t.Error(err)
	}
}
