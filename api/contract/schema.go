package contract

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
)

// schema is a compiled schema of the contract, for validating a body while it is read, token by token. Shapes are
// checked here, before anything of a body is kept; single values are checked by the contract's library.
type schema struct {
	of   *openapi3.Schema
	kind jsontext.Kind // of the JSON values that fit: '{', '[', '"', '0' or 't'
	name string        // of that kind, with its article

	integer bool
	// nothing binds a single value that fits but min and max, of a number or of a string's characters, and the pattern
	bounded  bool
	min, max float64
	pattern  *regexp.Regexp // nil for none
	maxRaw   int            // maximum of bytes of a valid text as encoded in a body, quotes included
	members  map[string]int // of an object: places in list
	list     []member
	required memberSet
	others   *schema // of an object's other members; nil: not allowed
	items    *schema // of an array
	minCount int     // items of an array, members of an object
	maxCount int
}

// member is a member of an object.
type member struct {
	name string
	*schema
}

// memberSet is a set of places in an object's list of members.
type memberSet uint64

func (s memberSet) has(place int) bool { return s>>place&1 == 1 }

const (
	maxDepth   = 32  // levels of objects and arrays in a body
	maxMembers = 64  // named members of an object: places in a memberSet
	maxName    = 200 // maximum of bytes of a member's name as encoded in a body, where names are free
	maxNumber  = 32  // bytes of a number: a float64 takes 24
	maxRune    = 12  // bytes that a character may take in a body: two escaped surrogates
)

var errContract = errors.New("the contract leaves open what a body may be")

// compile returns the compiled form of a request's schema. Its error names the part that the contract must restrict:
// every shape is closed and every count has a maximum, so that the cost of a body is bounded before it is read.
func compile(s *openapi3.Schema, depth int) (*schema, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: it nests deeper than %d levels", errContract, maxDepth)
	}
	if len(s.OneOf)+len(s.AnyOf)+len(s.AllOf) > 0 || s.Not != nil || s.Nullable {
		return nil, fmt.Errorf("%w: a schema with alternatives", errContract)
	}
	n := &schema{of: s, maxRaw: math.MaxInt}
	n.readBounds()
	switch {
	case s.Type.Is(openapi3.TypeObject):
		n.kind, n.name = '{', "an object"
		return n, n.compileObject(depth)
	case s.Type.Is(openapi3.TypeArray):
		n.kind, n.name = '[', "an array"
		return n, n.compileArray(depth)
	case s.Type.Is(openapi3.TypeString):
		n.kind, n.name = '"', "a string"
		return n, n.compileString()
	case s.Type.Is(openapi3.TypeInteger):
		n.kind = '0'
		n.name = "a whole number"
		n.integer = true
	case s.Type.Is(openapi3.TypeNumber):
		n.kind, n.name = '0', "a number"
	case s.Type.Is(openapi3.TypeBoolean):
		n.kind, n.name = 't', "true or false"
	default:
		return nil, fmt.Errorf("%w: a schema without a type", errContract)
	}
	return n, nil
}

// readBounds reads minimum and maximum, and notes whether they are all that a value must keep.
func (n *schema) readBounds() {
	s := n.of
	known := openapi3.Schema{Type: s.Type, Min: s.Min, Max: s.Max, MinLength: s.MinLength, MaxLength: s.MaxLength}
	bare := *s
	bare.Description = ""
	bare.Example = nil
	bare.Title = ""
	bare.Default = nil
	bare.Extensions = nil
	bare.Origin = nil
	bare.Deprecated = false
	n.min, n.max = math.Inf(-1), math.Inf(1)
	switch {
	case s.Type.Is(openapi3.TypeString):
		if pattern, err := regexp.Compile(s.Pattern); err == nil && s.Pattern != "" {
			n.pattern, bare.Pattern = pattern, ""
		}
		n.min = float64(s.MinLength)
		if s.MaxLength != nil {
			n.max = float64(*s.MaxLength)
		}
	case s.Type.Is(openapi3.TypeInteger) && (s.Format == "int64" || s.Format == "int32" || s.Format == "int8"),
		s.Type.Is(openapi3.TypeNumber) && s.Format == "double":
		bare.Format = "" // the bounds are narrower
		fallthrough
	default:
		if s.Min != nil {
			n.min = *s.Min
		}
		if s.Max != nil {
			n.max = *s.Max
		}
	}
	n.bounded = reflect.DeepEqual(known, bare)
}

func (n *schema) compileString() error {
	longest := 0
	for _, word := range n.of.Enum {
		text, _ := word.(string)
		longest = max(longest, len(text))
	}
	switch {
	case n.of.MaxLength != nil:
		longest = int(*n.of.MaxLength)
	case longest == 0:
		return fmt.Errorf("%w: a string without a maxLength", errContract)
	}
	n.maxRaw = maxRune*longest + 2
	return nil
}

func (n *schema) compileObject(depth int) (err error) {
	n.members = map[string]int{}
	n.minCount = int(n.of.MinProps)
	n.maxCount = math.MaxInt
	if len(n.of.Properties) > maxMembers {
		return fmt.Errorf("%w: an object with more than %d members", errContract, maxMembers)
	}
	for name, ref := range n.of.Properties {
		one, err := compile(ref.Value, depth+1)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		n.members[name] = len(n.list)
		n.list = append(n.list, member{name, one})
	}
	for _, name := range n.of.Required {
		place, known := n.members[name]
		if !known {
			return fmt.Errorf("%w: %s is required and unknown", errContract, name)
		}
		n.required |= 1 << place
	}
	if ref := n.of.AdditionalProperties.Schema; ref != nil {
		if n.of.MaxProps == nil {
			return fmt.Errorf("%w: an object without maxProperties", errContract)
		}
		n.maxCount = int(*n.of.MaxProps)
		n.others, err = compile(ref.Value, depth+1)
		return err
	}
	if has := n.of.AdditionalProperties.Has; has == nil || *has {
		return fmt.Errorf("%w: an object without additionalProperties: false", errContract)
	}
	return nil
}

func (n *schema) compileArray(depth int) (err error) {
	if n.of.MaxItems == nil || n.of.Items == nil {
		return fmt.Errorf("%w: an array without items or maxItems", errContract)
	}
	n.minCount, n.maxCount = int(n.of.MinItems), int(*n.of.MaxItems)
	if n.items, err = compile(n.of.Items.Value, depth+1); err != nil {
		return err
	}
	if n.of.UniqueItems && n.items.kind != '"' {
		return fmt.Errorf("%w: an array of unique items that are not strings", errContract)
	}
	return nil
}

// judge returns the fault of a single value; "" if it has none.
func (n *schema) judge(value any) string {
	var fault *openapi3.SchemaError
	switch err := n.of.VisitJSON(value); {
	case err == nil:
		return ""
	case errors.As(err, &fault):
		return explain(fault)
	}
	return "it does not fit the contract"
}

// explain returns the fault of a value without repeating it: it may be a password, or very long.
func explain(e *openapi3.SchemaError) string {
	if e.SchemaField == "pattern" && e.Schema != nil {
		return "it does not have the form " + e.Schema.Pattern
	}
	return e.Reason
}

// judgeText returns the fault of a text; "" if it has none.
func (n *schema) judgeText(text string) string {
	if len(text) > n.maxRaw {
		return n.tooLong()
	}
	if n.bounded && n.within(float64(utf8.RuneCountInString(text))) && (n.pattern == nil || n.pattern.MatchString(text)) {
		return ""
	}
	return n.judge(text)
}

func (n *schema) tooLong() string {
	if n.of.MaxLength == nil {
		return n.judge("") // it is none of the words that it may be
	}
	return fmt.Sprintf("maximum string length is %d", *n.of.MaxLength)
}

func (n *schema) within(number float64) bool { return n.min <= number && number <= n.max }

// judgeNumber returns the fault of a number in its written form; "" if it has none.
func (n *schema) judgeNumber(text string) string {
	if len(text) > maxNumber {
		return fmt.Sprintf("a number may be written with at most %d characters", maxNumber)
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return "value must be a number that a computer can hold"
	}
	if n.integer {
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return "value must be a whole number, written without a point and an exponent"
		}
	}
	if n.bounded && n.within(number) {
		return ""
	}
	return n.judge(number)
}
