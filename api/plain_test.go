package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"
	"pgregory.net/rapid"

	"quatuor/api/gen"
)

func loadContract(t testing.TB) *contract {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract)
	if err != nil {
		t.Fatal(err)
	}
	k, err := newContract(doc)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestWhatActsOnAGameIsInTheContract(t *testing.T) {
	k := loadContract(t)
	for route := range acting {
		if o := k.operations[methodAndRoute{http.MethodPost, route}]; o == nil || !o.acting || o.streaming {
			t.Errorf("POST %s does not act", route)
		}
	}
	for route := range importing {
		if o := k.operations[methodAndRoute{http.MethodPost, route}]; o == nil || !o.importing {
			t.Errorf("POST %s does not import", route)
		}
	}
}

// TestWhatIsPlainFitsTheContract makes requests, good and bad, and holds those that pass at a glance to the contract
// itself: it must let them pass, too, and read the same in them.
func TestWhatIsPlainFitsTheContract(t *testing.T) {
	k := loadContract(t)
	operations := map[methodAndRoute]*operation{}
	for key, o := range k.operations {
		if o.plain != nil {
			operations[key] = o
		}
	}
	if move := operations[methodAndRoute{http.MethodPost, basePath + "/games/:game_id/moves"}]; move == nil || move.plain.body == nil {
		t.Fatal("a move is not plain")
	}
	passed := 0
	for key, o := range operations {
		let := 0
		rapid.Check(t, func(t *rapid.T) { let += mustFit(t, k, key, o) })
		passed += min(1, let)
	}
	if passed < len(operations)/2 {
		t.Errorf("of %d plain operations only %d were let pass", len(operations), passed)
	}
}

// mustFit makes a request and gives 1 if it passes at a glance; then it must fit the contract.
func mustFit(t *rapid.T, k *contract, key methodAndRoute, o *operation) int {
	c := request(t, o)
	given := c.Request().Clone(c.Request().Context())
	if !o.plain.fits(c) {
		return 0
	}
	params := map[string]string{}
	for i, name := range c.ParamNames() {
		params[name] = c.ParamValues()[i]
	}
	err := openapi3filter.ValidateRequest(given.Context(), &openapi3filter.RequestValidationInput{
		Request: given, PathParams: params, QueryParams: url.Values{}, Route: o.route, Options: k.options,
	})
	if err != nil {
		t.Fatalf("%s was let pass: %v", key, err)
	}
	if want := readAs(t, given.Body); !reflect.DeepEqual(readAs(t, c.Request().Body), want) {
		t.Fatalf("%s: read %v, want %v", key, readAs(t, c.Request().Body), want)
	}
	return 1
}

// readAs gives the members of a body as they were read; nil for none.
func readAs(t *rapid.T, body any) map[string]any {
	out := map[string]any{}
	switch b := body.(type) {
	case *plainBody:
		for _, value := range b.values {
			member := b.object.members[value.place]
			if out[member.name] = value.number; member.text != nil {
				out[member.name] = value.text
			}
		}
		return out
	case interface{ ValidatedValue() any }:
		for name, value := range b.ValidatedValue().(map[string]any) {
			if number, ok := value.(json.Number); ok {
				n, err := number.Int64()
				if err != nil {
					t.Fatal(err)
				}
				value = n
			}
			out[name] = value
		}
		return out
	}
	return nil
}

func newWholeBody(text []byte) *wholeBody {
	b := &wholeBody{}
	b.reset(text)
	return b
}

// request draws a request for an operation.
func request(t *rapid.T, o *operation) echo.Context {
	body := ""
	if o.plain.body != nil {
		body = drawBody(t, o.plain.body)
	}
	r := httptest.NewRequest(o.route.Method, "/", http.NoBody)
	r.Header.Set("Content-Type", mostly(t, "type", "application/json", "application/json; charset=utf-8", "text/plain", ""))
	if key := mostly(t, "key", "", "key", "no key"); key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	if body != "" {
		r.Body, r.ContentLength = newWholeBody([]byte(body)), int64(len(body))
	}
	c := echo.New().NewContext(r, httptest.NewRecorder())
	var values []string
	var names []string
	for _, p := range o.plain.path {
		names = append(names, p.name)
		values = append(values, mostly(t, p.name,
			"0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11", "x", "", "a b", "é", "a/b", "a%20b", strings.Repeat("x", 65)))
	}
	c.SetParamNames(names...)
	c.SetParamValues(values...)
	return c
}

// mostly draws the first of some words, which is good, or seldom another.
func mostly(t *rapid.T, label string, words ...string) string {
	if rapid.IntRange(0, 7).Draw(t, "good "+label) > 0 {
		return words[0]
	}
	return rapid.SampledFrom(words).Draw(t, label)
}

// drawBody draws an object that has mostly the members it should have.
func drawBody(t *rapid.T, o *plainObject) string {
	var members []string
	for _, member := range o.members {
		if member.text == nil {
			members = append(members, drawMember(t, member.name,
				"1", "0", "-1", "-0", "01", "8", "9", "1.0", "1e0", "1.5", "12345678901234567890", "-", "+1", "null", `"1"`, "1 2",
				"1000000000", "1000000001", "-86400000", "-86400001", "9007199254740992")...)
			continue
		}
		members = append(members, drawMember(t, member.name,
			`"a1-a5"`, `"a3>e3"`, `""`, `"é"`, `"a\u0062"`, `"a\n"`, "\"a\tb\"", "\"\x7f\"", `null`, `7`, `["a"]`,
			`"`+strings.Repeat("x", rapid.IntRange(0, 500).Draw(t, "length"))+`"`)...)
	}
	if stranger := mostly(t, "stranger", "", `"stranger":1`); stranger != "" {
		members = append(members, stranger)
	}
	members = rapid.Permutation(members).Draw(t, "order")
	frame := mostly(t, "frame", "{*}", " {*} ", "{ *\n}", "{*", "*}", "{*}}", "{*,}", "[*]", "{*} x", "{*}{}")
	return strings.Replace(frame, "*", strings.Join(members, mostly(t, "comma", ",", " , ", ",\n", ",,", "")), 1)
}

// drawMember draws a member once, or seldom not at all, or twice, or under a name that is written otherwise.
func drawMember(t *rapid.T, name string, values ...string) []string {
	value := mostly(t, name, values...)
	switch mostly(t, "kind of "+name, "once", "spaced", "never", "twice", "loud") {
	case "never":
		return nil
	case "twice":
		return []string{`"` + name + `":` + value, `"` + name + `":` + value}
	case "loud":
		return []string{`"` + strings.ToUpper(name) + `":` + value}
	case "spaced":
		return []string{`"` + name + `" :	` + value}
	}
	return []string{`"` + name + `":` + value}
}

// BenchmarkCheck compares a look at a move with the contract's own check.
func BenchmarkCheck(b *testing.B) {
	k := loadContract(b)
	o := k.operations[methodAndRoute{http.MethodPost, basePath + "/games/:game_id/moves"}]
	text := []byte(`{"seat":1,"turn":12,"move":"c1-c5"}`)
	check := func(b *testing.B, o *operation) {
		b.ReportAllocs()
		r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
		r.Header.Set("Content-Type", "application/json")
		c := echo.New().NewContext(r, httptest.NewRecorder())
		c.SetParamNames("game_id")
		c.SetParamValues("0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11")
		for b.Loop() {
			r.Body, r.ContentLength = newWholeBody(bytes.Clone(text)), int64(len(text))
			if err := k.check(c, o); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("plain", func(b *testing.B) { check(b, o) })
	b.Run("library", func(b *testing.B) {
		whole := *o
		whole.plain = nil
		check(b, &whole)
	})
}
