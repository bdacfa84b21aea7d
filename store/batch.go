package store

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// batch is a write made ready: calls of prepared statements with their arguments, so that the writer has only to carry
// them out. Everything that comes with every move and every game is written by batches; gorm, which the rest goes
// through, costs several times what the statements do (BenchmarkAppendStatements).
//
// The first statement guards the others: if it changes no row, none of them is carried out and the write is refused.
// After it every failure takes back the whole transaction.
type batch struct {
	calls   []call
	args    []driver.NamedValue // of all calls, one after the other
	refusal error               // where the guard does not hold
	urgent  bool                // goes before others that wait
}

// call is one statement of a batch.
type call struct {
	id       statementID
	from, to int // its arguments
}

// A move takes so many calls and arguments; more are made room for.
const (
	callsOfMove = 2
	argsOfMove  = 24
)

func newBatch(refusal error) *batch {
	return &batch{calls: make([]call, 0, callsOfMove), args: make([]driver.NamedValue, 0, argsOfMove), refusal: refusal}
}

// call adds a statement with its arguments.
func (b *batch) call(id statementID, args ...any) {
	from := len(b.args)
	for i, arg := range args {
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: columnValue(arg)})
	}
	b.calls = append(b.calls, call{id, from, len(b.args)})
}

// insert adds a statement that inserts a row, with the fields of the row as its arguments.
func (b *batch) insert(id statementID, row any) {
	from := len(b.args)
	fields := reflect.Indirect(reflect.ValueOf(row))
	for i, field := range statements[id].fields {
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: columnValue(fields.Field(field).Interface())})
	}
	b.calls = append(b.calls, call{id, from, len(b.args)})
}

// argsOf returns the arguments of a call.
func (b *batch) argsOf(c call) []driver.NamedValue { return b.args[c.from:c.to] }

// columnValue converts a field of a row to what the drivers take.
func columnValue(v any) driver.Value {
	switch v := v.(type) {
	case string, int64, bool, float64, nil:
		return v
	case int:
		return int64(v)
	case driver.Valuer:
		text, err := v.Value()
		if err != nil {
			panic(fmt.Sprintf("store: a column that cannot be encoded: %v", err)) // lists and maps of numbers and texts
		}
		return text
	}
	field := reflect.ValueOf(v)
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		return columnValue(field.Elem().Interface())
	}
	switch {
	case field.Kind() == reflect.String:
		return field.String()
	case field.CanInt():
		return field.Int()
	}
	panic(fmt.Sprintf("store: a column of %T", v)) // a mistake in the program, which a test of every row finds
}
