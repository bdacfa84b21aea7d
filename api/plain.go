package api

import (
	"encoding/json"
	"math"
	"net/http"
	"reflect"
	"regexp/syntax"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// plain is what the contract demands of a request, where that can be seen at a glance: texts in the path, and a body
// that is an object of texts and whole numbers. It admits only what the contract's library admits, at a tenth of the
// cost, and not all of it: what is unusual or wrong is left to the library, which also says what is wrong.
type plain struct {
	path   []plainText
	absent []string     // header parameters; a request that has one is not plain
	body   *plainObject // nil: no body is taken
	empty  bool         // the body may be left out
}

// plainText is a text of printable ASCII.
type plainText struct {
	name     string
	shortest int
	longest  int
	bytes    *[256]bool // those it may hold; nil for all
}

// plainNumber is a whole number.
type plainNumber struct {
	name     string
	min, max int64
}

// plainObject is an object with no members but these, in any order.
type plainObject struct {
	texts    []plainText
	numbers  []plainNumber
	required []string
}

// plainOf reads an operation; nil if it is not plain.
func plainOf(item *openapi3.PathItem, op *openapi3.Operation) *plain {
	p := &plain{empty: true}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		if !p.addParameter(ref.Value) {
			return nil
		}
	}
	if op.RequestBody == nil {
		return p
	}
	body := op.RequestBody.Value
	media := body.Content["application/json"]
	if media == nil || len(body.Content) != 1 || media.Schema == nil {
		return nil
	}
	p.empty = !body.Required
	p.body = plainObjectOf(media.Schema.Value)
	if p.body == nil {
		return nil
	}
	return p
}

// addParameter takes in a parameter, if it can be left out or is a text in the path.
func (p *plain) addParameter(parameter *openapi3.Parameter) bool {
	switch parameter.In {
	case openapi3.ParameterInHeader:
		p.absent = append(p.absent, http.CanonicalHeaderKey(parameter.Name))
		return !parameter.Required
	case openapi3.ParameterInQuery:
		return !parameter.Required // and a request with a query is not plain
	case openapi3.ParameterInPath:
		if parameter.Schema == nil || parameter.Style != "" || parameter.Explode != nil || parameter.Content != nil {
			return false
		}
		text, ok := plainTextOf(parameter.Name, parameter.Schema.Value)
		p.path = append(p.path, text)
		return ok && text.bytes != nil && !text.bytes['%'] // so that there is nothing to be unescaped
	}
	return false
}

// without gives a schema without what does not bind anybody.
func without(s *openapi3.Schema) openapi3.Schema {
	bare := *s
	bare.Description, bare.Example, bare.Title, bare.Extensions, bare.Origin = "", nil, "", nil, nil
	return bare
}

// plainTextOf reads the schema of a text, if there is nothing in it but lengths and a set of characters.
func plainTextOf(name string, s *openapi3.Schema) (plainText, bool) {
	t := plainText{name: name, shortest: int(s.MinLength), longest: math.MaxInt}
	known := openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString}, MinLength: s.MinLength, MaxLength: s.MaxLength, Pattern: s.Pattern}
	if !reflect.DeepEqual(known, without(s)) {
		return t, false
	}
	if s.MaxLength != nil {
		t.longest = int(*s.MaxLength)
	}
	if s.Pattern == "" {
		return t, true
	}
	t.bytes = bytesOf(s.Pattern)
	return t, t.bytes != nil
}

// bytesOf gives the ASCII characters of a pattern of the form ^[…]+$; nil for any other.
func bytesOf(pattern string) *[256]bool {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || parsed.Op != syntax.OpConcat || len(parsed.Sub) != 3 || parsed.Sub[0].Op != syntax.OpBeginText ||
		parsed.Sub[1].Op != syntax.OpPlus || parsed.Sub[2].Op != syntax.OpEndText || parsed.Sub[1].Sub[0].Op != syntax.OpCharClass {
		return nil
	}
	var set [256]bool
	class := parsed.Sub[1].Sub[0].Rune
	for i := 0; i < len(class); i += 2 {
		for c := class[i]; c <= min(class[i+1], '~'); c++ {
			set[c] = true
		}
	}
	return &set
}

// plainNumberOf reads the schema of a whole number, if there is nothing in it but bounds that its format can hold.
func plainNumberOf(name string, s *openapi3.Schema) (plainNumber, bool) {
	known := openapi3.Schema{Type: &openapi3.Types{openapi3.TypeInteger}, Min: s.Min, Max: s.Max, Format: s.Format}
	if !reflect.DeepEqual(known, without(s)) || s.Min == nil || s.Max == nil {
		return plainNumber{}, false
	}
	limit, ok := map[string]float64{"": 1 << 53, "int64": 1 << 53, "int32": math.MaxInt32, "int8": math.MaxInt8}[s.Format]
	n := plainNumber{name, int64(*s.Min), int64(*s.Max)}
	return n, ok && *s.Min == float64(n.min) && *s.Max == float64(n.max) && math.Abs(*s.Min) <= limit && math.Abs(*s.Max) <= limit
}

// plainObjectOf reads the schema of a body; nil if it is not plain.
func plainObjectOf(s *openapi3.Schema) *plainObject {
	known := openapi3.Schema{
		Type: &openapi3.Types{openapi3.TypeObject}, Required: s.Required, Properties: s.Properties,
		AdditionalProperties: openapi3.AdditionalProperties{Has: new(bool)},
	}
	if !reflect.DeepEqual(known, without(s)) {
		return nil
	}
	o := &plainObject{required: s.Required}
	for name, property := range s.Properties {
		if text, ok := plainTextOf(name, property.Value); ok {
			o.texts = append(o.texts, text)
		} else if number, ok := plainNumberOf(name, property.Value); ok {
			o.numbers = append(o.numbers, number)
		} else {
			return nil
		}
	}
	return o
}

// fits reports whether a request is as it should be; if not, that is left to others to judge. The body of one that fits
// is given on as it was read here.
func (p *plain) fits(c echo.Context) bool {
	r := c.Request()
	if p == nil || r.URL.RawQuery != "" || r.URL.RawPath != "" {
		return false
	}
	for _, name := range p.absent {
		if _, there := r.Header[name]; there {
			return false
		}
	}
	for i := range p.path {
		if !p.path[i].holds(c.Param(p.path[i].name)) {
			return false
		}
	}
	if r.ContentLength == 0 {
		return p.empty
	}
	body, ok := r.Body.(*wholeBody)
	if types := r.Header["Content-Type"]; !ok || p.body == nil || len(types) != 1 || types[0] != "application/json" {
		return false
	}
	value, ok := p.body.read(body.text)
	if ok {
		r.Body = validBody{body, value}
	}
	return ok
}

// validBody is a body with what the contract's check made of it, which is what the operation is given.
type validBody struct {
	*wholeBody
	value map[string]any
}

// ValidatedValue gives the body as it was checked.
func (b validBody) ValidatedValue() any { return b.value }

func (t *plainText) holds(s string) bool {
	if len(s) < t.shortest || len(s) > t.longest {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || t.bytes != nil && !t.bytes[c] {
			return false
		}
	}
	return t.bytes == nil || s != ""
}

// read gives the object in a text as encoding/json does, numbers as [json.Number]; false where it is not plain.
func (o *plainObject) read(text []byte) (map[string]any, bool) {
	s := scanner{text: text}
	if !s.take('{') {
		return nil, false
	}
	object := make(map[string]any, len(o.texts)+len(o.numbers))
	for more := !s.take('}'); more; more = !s.take('}') {
		if len(object) > 0 && !s.take(',') {
			return nil, false
		}
		name, ok := s.word()
		if !ok || !s.take(':') || !o.readMember(&s, name, object) {
			return nil, false
		}
	}
	for _, name := range o.required {
		if _, there := object[name]; !there {
			return nil, false
		}
	}
	return object, s.ended()
}

// readMember reads the value of a member that is not there yet.
func (o *plainObject) readMember(s *scanner, name []byte, object map[string]any) bool {
	if _, twice := object[string(name)]; twice {
		return false
	}
	for i := range o.texts {
		if t := &o.texts[i]; t.name == string(name) {
			word, ok := s.word()
			text := string(word)
			object[t.name] = text
			return ok && t.holds(text)
		}
	}
	for i := range o.numbers {
		if n := &o.numbers[i]; n.name == string(name) {
			digits, value, ok := s.number()
			object[n.name] = json.Number(digits)
			return ok && value >= n.min && value <= n.max
		}
	}
	return false
}
