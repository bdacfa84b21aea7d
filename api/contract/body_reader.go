package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"quatuor/api/internal/clip"
)

// maxFaults is the maximum number of faults reported for a request: reading stops there.
const maxFaults = 20

// errStop ends the reading of a body early. The cause is among the faults.
var errStop = errors.New("enough is known of the body")

// bodyReader is a streaming validator: it reads a JSON body once, token by token, along the schema of its operation. It
// keeps nothing but the faults that it finds, and it reads no further than the contract goes: not into a member that
// the contract does not know, not beyond the last item of an array that is full, and not beyond the last fault that is
// reported.
type bodyReader struct {
	in     *jsontext.Decoder
	source bytes.Buffer
	text   []byte // room for a string without its escapes
	faults []FieldError
}

var bodyReaders = sync.Pool{New: func() any {
	b := &bodyReader{}
	b.in = jsontext.NewDecoder(&b.source)
	return b
}}

// maxKept is the maximum size of the string buffer that is kept between bodies, in bytes.
const maxKept = 4 << 10

// checkBody validates a JSON body against a schema and returns its faults after those that are known already.
func (n *schema) checkBody(text []byte, faults []FieldError) []FieldError {
	b, _ := bodyReaders.Get().(*bodyReader)
	b.source = *bytes.NewBuffer(text)
	b.faults = faults
	// Whether a name comes twice is seen here for the members that the contract knows; the others are faults anyway.
	b.in.Reset(&b.source, jsontext.AllowDuplicateNames(true))
	if b.value(n) == nil {
		b.end()
	}
	faults = b.faults
	b.source, b.faults = bytes.Buffer{}, nil
	if cap(b.text) > maxKept {
		b.text = nil
	}
	b.in.Reset(&b.source)
	bodyReaders.Put(b)
	return faults
}

// end checks that nothing follows the value.
func (b *bodyReader) end() {
	ends := b.in.InputOffset()
	if _, err := b.in.ReadToken(); !errors.Is(err, io.EOF) {
		_ = b.fault("", fmt.Sprintf("something follows the JSON value, which ends at byte %d", ends))
	}
}

// broken notes an error of the JSON itself, without repeating any of it, and returns errStop.
func (b *bodyReader) broken(err error) error {
	var known *jsontext.SyntacticError
	detail := "the body is not JSON"
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		detail += ": it ends too early"
	case errors.As(err, &known):
		detail += fmt.Sprintf(" in UTF-8: see byte %d", known.ByteOffset+1)
	}
	_ = b.fault("", detail)
	return errStop
}

// fault notes a fault; an error means that it was the last to be reported.
func (b *bodyReader) fault(pointer, detail string) error {
	b.faults = append(b.faults, FieldError{Pointer: clip.Text(pointer, maxPointer), Detail: detail})
	if len(b.faults) >= maxFaults {
		return errStop
	}
	return nil
}

// here returns the pointer to the value read last.
func (b *bodyReader) here() string { return string(b.in.StackPointer()) }

// value reads the next value.
func (b *bodyReader) value(n *schema) error {
	kind := b.in.PeekKind()
	if kind == 'f' {
		kind = 't'
	}
	if kind != n.kind {
		return b.wrongKind(n)
	}
	switch kind {
	case '{':
		return b.object(n)
	case '[':
		return b.array(n)
	case 't':
		_, err := b.in.ReadToken()
		if err != nil {
			return b.broken(err)
		}
		return nil
	}
	return b.single(n, nil)
}

// wrongKind notes that a value has another type than the schema, and skips it.
func (b *bodyReader) wrongKind(n *schema) error {
	token, err := b.in.ReadToken()
	if err != nil {
		return b.broken(err)
	}
	pointer := b.here()
	if err := b.fault(pointer, "value must be "+n.name); err != nil {
		return err
	}
	return b.skipRest(token.Kind(), pointer)
}

// skipRest skips the rest of a value that the contract does not know, unless it is nested too deeply.
func (b *bodyReader) skipRest(kind jsontext.Kind, pointer string) error {
	if kind != '{' && kind != '[' {
		return nil
	}
	for depth := b.in.StackDepth(); b.in.StackDepth() >= depth; {
		if _, err := b.in.ReadToken(); err != nil {
			return b.broken(err)
		}
		if b.in.StackDepth() > maxDepth {
			_ = b.fault(pointer, fmt.Sprintf("it is nested deeper than %d levels", maxDepth))
			return errStop
		}
	}
	return nil
}

// single reads a string or a number. Where items must be unique, seen holds the items before it.
func (b *bodyReader) single(n *schema, seen map[string]bool) error {
	raw, err := b.in.ReadValue()
	if err != nil {
		return b.broken(err)
	}
	var detail string
	switch {
	case n.kind == '0':
		detail = n.judgeNumber(string(raw[:min(len(raw), maxNumber+1)]))
	case len(raw) > n.maxRaw:
		detail = n.tooLong()
	default:
		if b.text, err = jsontext.AppendUnquote(b.text[:0], raw); err != nil {
			return b.broken(err)
		}
		text := string(b.text)
		detail = n.judgeText(text)
		if seen != nil && detail == "" {
			if seen[text] {
				detail = "it stands in the list before"
			}
			seen[text] = true
		}
	}
	if detail != "" {
		return b.fault(b.here(), detail)
	}
	return nil
}

func (b *bodyReader) array(n *schema) error {
	if _, err := b.in.ReadToken(); err != nil {
		return b.broken(err)
	}
	var seen map[string]bool
	if n.of.UniqueItems {
		seen = map[string]bool{}
	}
	count := 0
	for ; b.in.PeekKind() != ']'; count++ {
		if count == n.maxCount {
			if err := b.fault(b.parent(), fmt.Sprintf("maximum number of items is %d", n.maxCount)); err != nil {
				return err
			}
			return errStop // further faults in there do not matter
		}
		var err error
		if kind := b.in.PeekKind(); seen != nil && kind == '"' {
			err = b.single(n.items, seen)
		} else {
			err = b.value(n.items)
		}
		if err != nil {
			return err
		}
	}
	if _, err := b.in.ReadToken(); err != nil {
		return b.broken(err)
	}
	if count < n.minCount {
		return b.fault(b.here(), fmt.Sprintf("minimum number of items is %d", n.minCount))
	}
	return nil
}

// parent returns the pointer to the array or object that encloses the last value read.
func (b *bodyReader) parent() string {
	pointer := b.here()
	if _, length := b.in.StackIndex(b.in.StackDepth()); length == 0 {
		return pointer
	}
	return pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
}

func (b *bodyReader) object(n *schema) error {
	if _, err := b.in.ReadToken(); err != nil {
		return b.broken(err)
	}
	var there memberSet
	var others map[string]bool // the names of other members
	count := 0
	for ; b.in.PeekKind() != '}'; count++ {
		raw, name, err := b.memberName()
		if err != nil {
			return err
		}
		place, known := n.members[string(name)]
		switch {
		case known && there.has(place) || others[string(name)]:
			err = b.unwanted("it stands there twice")
		case known:
			there |= 1 << place
			err = b.value(n.list[place].schema)
		case n.others == nil:
			err = b.unwanted("there is no such member")
		case count >= n.maxCount:
			if err = b.fault(b.parent(), fmt.Sprintf("there must be at most %d properties", n.maxCount)); err == nil {
				err = errStop
			}
		case len(raw) > maxName:
			err = b.unwanted(fmt.Sprintf("a name may be written with at most %d characters", maxName-2))
		default:
			if others == nil {
				others = map[string]bool{}
			}
			others[string(name)] = true
			err = b.value(n.others)
		}
		if err != nil {
			return err
		}
	}
	if _, err := b.in.ReadToken(); err != nil {
		return b.broken(err)
	}
	return b.complete(n, there, count)
}

// complete notes the required members that an object lacks.
func (b *bodyReader) complete(n *schema, there memberSet, count int) error {
	for place := range n.list {
		if missing := n.required &^ there; missing.has(place) {
			if err := b.fault(b.here()+"/"+n.list[place].name,
				fmt.Sprintf("property %q is missing", n.list[place].name)); err != nil {
				return err
			}
		}
	}
	if count < n.minCount {
		return b.fault(b.here(), fmt.Sprintf("there must be at least %d properties", n.minCount))
	}
	return nil
}

// memberName reads the name of a member, raw and without its escapes.
func (b *bodyReader) memberName() (raw, name []byte, err error) {
	if b.in.PeekKind() != '"' { // the rest need not be read
		_, err := b.in.ReadToken()
		return nil, nil, b.broken(err)
	}
	if raw, err = b.in.ReadValue(); err != nil {
		return nil, nil, b.broken(err)
	}
	if len(raw) > maxPointer {
		_ = b.fault("", fmt.Sprintf("the name of a member ends at byte %d that has more than %d characters",
			b.in.InputOffset(), maxPointer-2))
		return nil, nil, errStop
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, raw[1 : len(raw)-1], nil
	}
	if b.text, err = jsontext.AppendUnquote(b.text[:0], raw); err != nil {
		return nil, nil, b.broken(err)
	}
	return raw, b.text, nil
}

// unwanted notes that a member may not be there, and skips its value.
func (b *bodyReader) unwanted(detail string) error {
	pointer := b.here()
	if err := b.fault(pointer, detail); err != nil {
		return err
	}
	token, err := b.in.ReadToken()
	if err != nil {
		return b.broken(err)
	}
	return b.skipRest(token.Kind(), pointer)
}
