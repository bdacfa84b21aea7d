package db

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"gorm.io/gorm/schema"
)

// JSON is a column that holds JSON text. What was nil comes back as nil.
type JSON[T any] struct{ V T }

// JSONOf returns a column that holds a value.
func JSONOf[T any](v T) JSON[T] { return JSON[T]{v} }

// Value returns the text to store.
func (c JSON[T]) Value() (driver.Value, error) {
	b, err := json.Marshal(c.V)
	return string(b), err
}

// Scan reads the stored text.
func (c *JSON[T]) Scan(src any) error { return ScanJSON(src, &c.V) }

// GormDataType names the column's type to gorm.
func (JSON[T]) GormDataType() string { return "text" }

// JSONOrNull is a column that holds JSON text, or NULL for nil.
type JSONOrNull[T any] struct{ V *T }

// Value returns the text to store.
func (c JSONOrNull[T]) Value() (driver.Value, error) {
	if c.V == nil {
		return nil, nil //nolint:nilnil // this is how a driver is given NULL
	}
	b, err := json.Marshal(c.V)
	return string(b), err
}

// Scan reads the stored text.
func (c *JSONOrNull[T]) Scan(src any) error {
	c.V = nil
	if src == nil {
		return nil
	}
	return ScanJSON(src, &c.V)
}

// GormDataType names the column's type to gorm.
func (JSONOrNull[T]) GormDataType() string { return "text" }

// ScanJSON reads the stored text of a column that holds JSON.
func ScanJSON(src, into any) error {
	switch text := src.(type) {
	case string:
		return json.Unmarshal([]byte(text), into)
	case []byte:
		return json.Unmarshal(text, into)
	}
	return fmt.Errorf("store: a column of JSON holds %T", src)
}

// FieldsOf returns where to scan a row's columns into, in the order of columnsOf.
func FieldsOf[R any](row *R) []any {
	fields := reflect.ValueOf(row).Elem()
	into := make([]any, fields.NumField())
	for i := range into {
		into[i] = fields.Field(i).Addr().Interface()
	}
	return into
}

// ColumnsOf returns the names of a row's columns, in the order of its fields.
func ColumnsOf(row any) []string {
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	return s.DBNames
}

// OrNull stores an empty text as NULL, where a foreign key or a unique index must not see it.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// OrEmpty returns what OrNull has stored.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
