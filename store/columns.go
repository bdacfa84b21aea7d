package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"quatuor/engine"
)

// jsonOf is a column that holds JSON text. What was nil comes back as nil.
type jsonOf[T any] struct{ v T }

// Value returns the text to store.
func (c jsonOf[T]) Value() (driver.Value, error) {
	b, err := json.Marshal(c.v)
	return string(b), err
}

// Scan reads the stored text.
func (c *jsonOf[T]) Scan(src any) error { return scanJSON(src, &c.v) }

// GormDataType names the column's type to gorm.
func (jsonOf[T]) GormDataType() string { return "text" }

// jsonOrNull is a column that holds JSON text, or NULL for nil.
type jsonOrNull[T any] struct{ v *T }

// Value returns the text to store.
func (c jsonOrNull[T]) Value() (driver.Value, error) {
	if c.v == nil {
		return nil, nil //nolint:nilnil // this is how a driver is given NULL
	}
	b, err := json.Marshal(c.v)
	return string(b), err
}

// Scan reads the stored text.
func (c *jsonOrNull[T]) Scan(src any) error {
	c.v = nil
	if src == nil {
		return nil
	}
	return scanJSON(src, &c.v)
}

// GormDataType names the column's type to gorm.
func (jsonOrNull[T]) GormDataType() string { return "text" }

func scanJSON(src, into any) error {
	switch text := src.(type) {
	case string:
		return json.Unmarshal([]byte(text), into)
	case []byte:
		return json.Unmarshal(text, into)
	}
	return fmt.Errorf("store: a column of JSON holds %T", src)
}

// outcome is how an [engine.Outcome] is stored.
type outcome struct {
	Ranks  []int         `json:"ranks"` // null for a void game
	Reason engine.Reason `json:"reason"`
}

func outcomeOf(o *engine.Outcome) jsonOrNull[outcome] {
	if o == nil {
		return jsonOrNull[outcome]{}
	}
	return jsonOrNull[outcome]{&outcome{o.Ranks, o.Reason}}
}

func toOutcome(c jsonOrNull[outcome]) *engine.Outcome {
	if c.v == nil {
		return nil
	}
	return &engine.Outcome{Ranks: c.v.Ranks, Reason: c.v.Reason}
}

// orNull stores an empty text as NULL, where a foreign key or a unique index must not see it.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
