package api

import (
	"maps"
	"math"
	"net/http"
	"reflect"
	"regexp/syntax"
	"slices"
	"sync/atomic"

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

// plainMember is a member of an object: a text or a whole number.
type plainMember struct {
	name     string
	text     *plainText // nil for a number
	min, max int64      // of a number
}

// plainObject is an object with no members but these, in any order.
type plainObject struct {
	members  []plainMember
	required memberSet
	shape    atomic.Pointer[shape] // of the type that it was last put into
}

// memberSet is a set of places in the list of an object's members.
type memberSet uint64

func (s memberSet) with(place int) memberSet { return s | 1<<place }

// mostMembers is how many members a set has room for.
const mostMembers = 64

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
func plainNumberOf(name string, s *openapi3.Schema) (plainMember, bool) {
	known := openapi3.Schema{Type: &openapi3.Types{openapi3.TypeInteger}, Min: s.Min, Max: s.Max, Format: s.Format}
	if !reflect.DeepEqual(known, without(s)) || s.Min == nil || s.Max == nil {
		return plainMember{}, false
	}
	limit, ok := map[string]float64{"": 1 << 53, "int64": 1 << 53, "int32": math.MaxInt32, "int8": math.MaxInt8}[s.Format]
	n := plainMember{name: name, min: int64(*s.Min), max: int64(*s.Max)}
	return n, ok && *s.Min == float64(n.min) && *s.Max == float64(n.max) && math.Abs(*s.Min) <= limit && math.Abs(*s.Max) <= limit
}

// plainObjectOf reads the schema of a body; nil if it is not plain.
func plainObjectOf(s *openapi3.Schema) *plainObject {
	known := openapi3.Schema{
		Type: &openapi3.Types{openapi3.TypeObject}, Required: s.Required, Properties: s.Properties,
		AdditionalProperties: openapi3.AdditionalProperties{Has: new(bool)},
	}
	if !reflect.DeepEqual(known, without(s)) || len(s.Properties) > mostMembers {
		return nil
	}
	o := &plainObject{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		member, ok := plainNumberOf(name, s.Properties[name].Value)
		if text, also := plainTextOf(name, s.Properties[name].Value); also {
			member, ok = plainMember{name: name, text: &text}, true
		}
		if !ok {
			return nil
		}
		if slices.Contains(s.Required, name) {
			o.required = o.required.with(len(o.members))
		}
		o.members = append(o.members, member)
	}
	for _, name := range s.Required {
		if s.Properties[name] == nil {
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
	read := &plainBody{wholeBody: body, object: p.body}
	if read.values, ok = p.body.read(body.text, read.few[:0]); ok {
		r.Body = read
	}
	return ok
}

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

// plainValue is the value of a member as it was read: a text, or a number where the member is one.
type plainValue struct {
	place  int // of the member
	text   string
	number int64
}

// read appends to values the members of the object in a text; false where it is not plain.
func (o *plainObject) read(text []byte, values []plainValue) ([]plainValue, bool) {
	s := scanner{text: text}
	if !s.take('{') {
		return nil, false
	}
	var there memberSet
	for more := !s.take('}'); more; more = !s.take('}') {
		if len(values) > 0 && !s.take(',') {
			return nil, false
		}
		value, ok := o.readMember(&s)
		if !ok || there.with(value.place) == there { // or it comes twice
			return nil, false
		}
		there = there.with(value.place)
		values = append(values, value)
	}
	return values, there&o.required == o.required && s.ended()
}

// readMember reads the name and the value of a member.
func (o *plainObject) readMember(s *scanner) (value plainValue, ok bool) {
	name, ok := s.word()
	if !ok || !s.take(':') {
		return value, false
	}
	for value.place < len(o.members) && o.members[value.place].name != string(name) {
		value.place++
	}
	if value.place == len(o.members) {
		return value, false
	}
	member := &o.members[value.place]
	if member.text != nil {
		word, ok := s.word()
		value.text = string(word)
		return value, ok && member.text.holds(value.text)
	}
	value.number, ok = s.number()
	return value, ok && value.number >= member.min && value.number <= member.max
}
