package db

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"gorm.io/gorm/schema"
)

// Fields of rows that are no plain columns name either of two serializers in their tags: "text" stores any value as
// JSON text, nil as null, which comes back as nil; "null" stores the zero value as NULL, where a foreign key or a
// unique index must not see it, a text as it is and anything else as JSON text.
func init() {
	schema.RegisterSerializer("text", column{})
	schema.RegisterSerializer("null", column{orNull: true})
}

type column struct{ orNull bool }

// Value returns the text to store.
func (c column) Value(_ context.Context, _ *schema.Field, _ reflect.Value, value any) (any, error) {
	if c.orNull && reflect.ValueOf(value).IsZero() {
		return nil, nil //nolint:nilnil // this is how a driver is given NULL
	}
	if text, plain := value.(string); plain {
		return text, nil
	}
	b, err := json.Marshal(value)
	return string(b), err
}

// Scan reads the stored text.
func (c column) Scan(ctx context.Context, field *schema.Field, row reflect.Value, stored any) error {
	into := field.ReflectValueOf(ctx, row)
	into.SetZero()
	text, err := textOf(stored)
	switch {
	case c.orNull && stored == nil:
		return nil
	case err == nil && field.FieldType.Kind() == reflect.String:
		into.SetString(string(text))
	case err == nil:
		err = json.Unmarshal(text, into.Addr().Interface())
	}
	return err
}

// textOf returns the text of a column as a driver hands it out.
func textOf(stored any) ([]byte, error) {
	switch text := stored.(type) {
	case string:
		return []byte(text), nil
	case []byte:
		return text, nil
	}
	return nil, fmt.Errorf("store: a column of text holds %T", stored)
}

// Text returns value as JSON text; it consists of lists and maps of numbers and texts.
func Text(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("store: a column that cannot be encoded: %v", err))
	}
	return string(b)
}

// FromText scans a column of JSON text into a value, and NULL into none.
type FromText struct{ Into any }

// Scan reads the stored text.
func (f FromText) Scan(stored any) error {
	if stored == nil {
		return nil
	}
	text, err := textOf(stored)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, f.Into)
}

// schemas are those of rows, by their types.
var schemas sync.Map

// SchemaOf returns gorm's schema of a row.
func SchemaOf(row any) *schema.Schema {
	s, err := schema.Parse(row, &schemas, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	return s
}

// ColumnsOf returns the names of a row's columns, in the order of its fields.
func ColumnsOf(row any) []string { return slices.Clone(SchemaOf(row).DBNames) }

// FieldsOf returns where to scan a row's columns into, in the order of ColumnsOf.
func FieldsOf(row any) []any {
	s, fields := SchemaOf(row), reflect.ValueOf(row).Elem()
	into := make([]any, len(s.DBNames))
	for i, name := range s.DBNames {
		field := s.FieldsByDBName[name]
		into[i] = field.ReflectValueOf(context.Background(), fields).Addr().Interface()
		if field.Serializer != nil {
			into[i] = scanner{field, fields}
		}
	}
	return into
}

// scanner scans a column into a field of a row by the field's serializer.
type scanner struct {
	field *schema.Field
	row   reflect.Value
}

func (s scanner) Scan(stored any) error {
	return s.field.Serializer.Scan(context.Background(), s.field, s.row, stored)
}
