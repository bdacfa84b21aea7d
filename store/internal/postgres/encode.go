package postgres

import (
	"database/sql/driver"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"
)

// Element is the type of the elements of an array.
type Element uint32

// The types, by PostgreSQL's numbers.
const (
	Boolean Element = pgtype.BoolOID
	Integer Element = pgtype.Int8OID
	Text    Element = pgtype.TextOID
	Float   Element = pgtype.Float8OID
)

// String returns the name of the type.
func (e Element) String() string {
	return map[Element]string{Boolean: "boolean", Integer: "bigint", Text: "text", Float: "double precision"}[e]
}

// encode returns the arrays of the arguments of writes with the same statement.
func encode(types *pgtype.Map, s *Statement, jobs []*groupJob) ([][]byte, error) {
	arguments := make([][]byte, len(s.Arrays))
	for column, of := range s.Arrays {
		list := of.List(len(jobs), func(i int) driver.Value { return jobs[i].Args[column].Value })
		encoded, err := types.Encode(arrays[of], pgtype.BinaryFormatCode, list, nil)
		if err != nil {
			return nil, fmt.Errorf("argument %d of %s: %w", column+1, s.Name, err)
		}
		arguments[column] = encoded
	}
	return arguments, nil
}

// arrays are the types of arrays of elements.
var arrays = map[Element]uint32{
	Boolean: pgtype.BoolArrayOID, Integer: pgtype.Int8ArrayOID, Text: pgtype.TextArrayOID, Float: pgtype.Float8ArrayOID,
}

// List returns values as a list of a type that pgx knows.
func (e Element) List(length int, value func(i int) driver.Value) any {
	switch e {
	case Boolean:
		return listOf(length, value, func(v bool) pgtype.Bool { return pgtype.Bool{Bool: v, Valid: true} })
	case Integer:
		return listOf(length, value, func(v int64) pgtype.Int8 { return pgtype.Int8{Int64: v, Valid: true} })
	case Text:
		return listOf(length, value, func(v string) pgtype.Text { return pgtype.Text{String: v, Valid: true} })
	case Float:
		return listOf(length, value, func(v float64) pgtype.Float8 { return pgtype.Float8{Float64: v, Valid: true} })
	}
	panic(fmt.Sprintf("postgres: an array of %d", e)) // a mistake in the program
}

// listOf returns values of the same type, NULL where there is none. A value of another type is a mistake in the
// program, and panics.
func listOf[T, E any](length int, value func(i int) driver.Value, element func(T) E) []E {
	list := make([]E, length)
	for i := range list {
		if v := value(i); v != nil {
			list[i] = element(v.(T))
		}
	}
	return list
}
