package contract

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"quatuor/tournament/wording"
)

// textMark is the extension of a text's schema with the use of the text.
const textMark = "x-text"

// The uses of a text. Words are read by programs, secrets are only compared, documents are judged by the operations
// that read them; a text without a mark counts as a word.
const (
	textLine      = "line"
	textParagraph = "paragraph"
	textWord      = "word"
	textSecret    = "secret"
	textDocument  = "document"
)

// texts describes where a JSON value has texts that are normalised or refused ([wording]), and how; nil for a value
// without any.
type texts struct {
	kind      string            // of a text; "" for an object or an array
	maxLength int               // characters
	blank     bool              // the text may be blank
	members   map[string]*texts // of an object
	others    *texts            // of its other members
	items     *texts            // of an array
}

// requestTexts are the texts of an operation's requests.
type requestTexts struct {
	query   map[string]*texts
	body    *texts
	written bool // some of the body's texts are written by people
}

func requestTextsOf(item *openapi3.PathItem, op *openapi3.Operation) requestTexts {
	r := requestTexts{query: map[string]*texts{}}
	for _, p := range slices.Concat(item.Parameters, op.Parameters) {
		if p.Value.In != openapi3.ParameterInQuery || p.Value.Schema == nil {
			continue
		}
		if t := textsOf(p.Value.Schema.Value); t != nil {
			r.query[p.Value.Name] = t
		}
	}
	if op.RequestBody == nil {
		return r
	}
	if media := op.RequestBody.Value.Content[echo.MIMEApplicationJSON]; media != nil && media.Schema != nil {
		r.body = textsOf(media.Schema.Value)
		r.written = r.body.anyWritten()
	}
	return r
}

// textsOf returns the texts in a value of a schema.
func textsOf(s *openapi3.Schema) *texts {
	t := &texts{maxLength: int(^uint(0) >> 1)}
	switch {
	case s.Type.Is(openapi3.TypeString):
		t.kind = textKind(s)
		if s.MaxLength != nil {
			t.maxLength = int(*s.MaxLength)
		}
		t.blank = s.MinLength == 0
		if t.kind == textSecret || t.kind == textDocument {
			return nil
		}
		return t
	case s.Type.Is(openapi3.TypeArray) && s.Items != nil:
		t.items = textsOf(s.Items.Value)
	case s.Type.Is(openapi3.TypeObject):
		t.members = map[string]*texts{}
		for name, member := range s.Properties {
			if m := textsOf(member.Value); m != nil {
				t.members[name] = m
			}
		}
		if other := s.AdditionalProperties.Schema; other != nil {
			t.others = textsOf(other.Value)
		}
	}
	if len(t.members) == 0 && t.others == nil && t.items == nil {
		return nil
	}
	return t
}

// textKind returns the kind of a text: its use.
func textKind(s *openapi3.Schema) string {
	if kind, ok := s.Extensions[textMark].(string); ok {
		return kind
	}
	return textWord
}

// anyWritten reports whether a text is written by people.
func (t *texts) anyWritten() bool {
	if t == nil {
		return false
	}
	if t.kind == textLine || t.kind == textParagraph || t.others.anyWritten() || t.items.anyWritten() {
		return true
	}
	for _, m := range t.members {
		if m.anyWritten() {
			return true
		}
	}
	return false
}

// normalise normalises the texts of a request that fits the contract. Its error names those refused.
func (r *requestTexts) normalise(c echo.Context) error {
	faults := r.normaliseQuery(c)
	if body := BodyOf(c.Request()); r.body != nil && len(body) > 0 && (r.written || !plainASCII(body)) {
		found, text := r.body.normalise("", body)
		faults = append(faults, found...)
		if len(faults) == 0 && !bytes.Equal(text, body) {
			replaceBody(c.Request(), text)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return &Error{faults[:min(len(faults), maxFaults)]}
}

// plainASCII reports whether a JSON text holds nothing but printable ASCII, blanks between its values, and no escapes:
// no text in it can hold refused characters.
func plainASCII(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

func (r *requestTexts) normaliseQuery(c echo.Context) (faults []FieldError) {
	if len(r.query) == 0 || c.Request().URL.RawQuery == "" {
		return nil
	}
	values, changed := c.QueryParams(), false
	for _, name := range slices.Sorted(maps.Keys(r.query)) {
		for i, value := range values[name] {
			t := r.query[name]
			if t.kind == "" { // a list of words
				t = &texts{kind: textWord, maxLength: t.maxLength}
			}
			normal, err := t.form(value)
			if err != nil {
				faults = append(faults, FieldError{Parameter: name, In: openapi3.ParameterInQuery, Detail: err.Error()})
			}
			changed = changed || normal != value
			values[name][i] = normal
		}
	}
	if changed && faults == nil {
		setQuery(c, values)
	}
	return faults
}

// setQuery replaces the query of a request.
func setQuery(c echo.Context, values url.Values) {
	r := c.Request()
	address := *r.URL
	address.RawQuery = values.Encode()
	r.URL = &address
}

// form returns a text normalised, or why it is refused.
func (t *texts) form(text string) (string, error) {
	form := wording.Line
	switch t.kind {
	case textWord:
		return text, wording.Word(text)
	case textParagraph:
		form = wording.Paragraph
	}
	if t.blank {
		return form.Optional(text, t.maxLength)
	}
	return form.Clean(text, t.maxLength)
}

// normalise returns the faults of the texts in a JSON value, and the value with its texts normalised, or itself if it
// needs no change.
func (t *texts) normalise(pointer string, raw json.RawMessage) ([]FieldError, json.RawMessage) {
	switch {
	case t.kind != "":
		return t.normaliseText(pointer, raw)
	case t.items != nil:
		return t.normaliseItems(pointer, raw)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, raw
	}
	var faults []FieldError
	changed := false
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member := t.members[name]
		if member == nil {
			member = t.others
		}
		if member == nil {
			continue
		}
		found, normal := member.normalise(pointer+"/"+escapePointer.Replace(name), members[name])
		faults, changed = append(faults, found...), changed || !bytes.Equal(normal, members[name])
		members[name] = normal
	}
	return faults, encodedIf(changed, members, raw)
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

func (t *texts) normaliseItems(pointer string, raw json.RawMessage) ([]FieldError, json.RawMessage) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil, raw
	}
	var faults []FieldError
	changed := false
	for i, item := range items {
		found, normal := t.items.normalise(pointer+"/"+strconv.Itoa(i), item)
		faults, changed = append(faults, found...), changed || !bytes.Equal(normal, item)
		items[i] = normal
	}
	return faults, encodedIf(changed, items, raw)
}

func (t *texts) normaliseText(pointer string, raw json.RawMessage) ([]FieldError, json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil, raw
	}
	normal, err := t.form(text)
	if err != nil {
		return []FieldError{{Pointer: pointer, Detail: err.Error()}}, raw
	}
	return nil, encodedIf(normal != text, normal, raw)
}

// encodedIf returns a value's JSON where it has changed, and raw where not.
func encodedIf(changed bool, value any, raw json.RawMessage) json.RawMessage {
	if !changed {
		return raw
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic("contract: " + err.Error()) // texts, and parts of parsed JSON, always encode
	}
	return text
}
