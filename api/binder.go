package api

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/oapi-codegen/runtime"
)

// binder gives the operations their bodies, as the contract's check has read them.
type binder struct{}

// Bind puts a request's body into what target points at.
func (binder) Bind(target any, c echo.Context) error {
	switch body := c.Request().Body.(type) {
	case *plainBody:
		if body.putInto(target) {
			return nil
		}
	case interface{ ValidatedValue() any }: // of the contract's library
		if runtime.BindJSONValue(body.ValidatedValue(), target) == nil {
			return nil
		}
	}
	return new(echo.DefaultBinder).BindBody(c, target)
}

// plainBody is a body that was seen to be plain, with what was read in it.
type plainBody struct {
	*wholeBody
	object *plainObject
	values []plainValue
	few    [5]plainValue // room for those of a move
}

// putInto gives the members of a struct their values, by their JSON names; false, with nothing done, where the struct is
// not made of texts and numbers alone.
func (b *plainBody) putInto(target any) bool {
	structure := reflect.ValueOf(target).Elem()
	shape := b.object.shapeOf(structure.Type())
	if shape.fields == nil {
		return false
	}
	for i := range b.values {
		value := &b.values[i]
		field := structure.Field(shape.fields[value.place])
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if b.object.members[value.place].text != nil {
			field.SetString(value.text)
		} else {
			field.SetInt(value.number)
		}
	}
	return true
}

// shape says where the members of an object belong in a struct.
type shape struct {
	of     reflect.Type
	fields []int // by member; nil if they do not fit
}

// shapeOf gives the shape of a type. An object is put into one type all the time.
func (o *plainObject) shapeOf(t reflect.Type) *shape {
	if known := o.shape.Load(); known != nil && known.of == t {
		return known
	}
	s := &shape{t, o.fieldsOf(t)}
	o.shape.Store(s)
	return s
}

func (o *plainObject) fieldsOf(t reflect.Type) []int {
	if t.Kind() != reflect.Struct || ownDecoder(t) {
		return nil
	}
	fields := make([]int, 0, len(o.members))
	for i := range o.members {
		place, ok := o.members[i].fieldOf(t)
		if !ok {
			return nil
		}
		fields = append(fields, place)
	}
	return fields
}

// fieldOf finds the field that a member belongs in, if it holds all that the member may be.
func (m *plainMember) fieldOf(t reflect.Type) (int, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != m.name || f.Anonymous || !f.IsExported() {
			continue
		}
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch {
		case ownDecoder(kind):
			return 0, false
		case m.text != nil:
			return i, kind.Kind() == reflect.String
		}
		return i, kind.Kind() >= reflect.Int && kind.Kind() <= reflect.Int64 &&
			!kind.OverflowInt(m.min) && !kind.OverflowInt(m.max)
	}
	return 0, false
}

// ownDecoder reports whether values of a type read themselves from JSON.
func ownDecoder(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
