package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
)

// Element is the type of the elements of an array.
type Element uint32

// The types, by PostgreSQL's numbers.
const (
	Boolean Element = 16
	Integer Element = 20
	Text    Element = 25
	Float   Element = 701
)

// String returns the name of the type.
func (e Element) String() string {
	return map[Element]string{Boolean: "boolean", Integer: "bigint", Text: "text", Float: "double precision"}[e]
}

// encode returns the arrays of the arguments of writes with one statement. pgx would ask for the type of every value anew.
func encode(s *Statement, jobs []*groupJob) [][]byte {
	arrays := make([][]byte, len(s.Arrays))
	for column, of := range s.Arrays {
		arrays[column] = encodeArray(of, len(jobs), func(i int) driver.Value { return jobs[i].Args[column].Value })
	}
	return arrays
}

// An array in the binary form, as the server's source has it (array_recv): the number of dimensions, whether there are NULLs, the
// type of the elements, their number, the index of the first; and each element after its length.
const arrayHeader = 20

// encodeArray returns an array of so many values in the binary form.
func encodeArray(of Element, length int, value func(i int) driver.Value) []byte {
	size := arrayHeader
	for i := range length {
		size += 12
		if text, is := value(i).(string); is {
			size += len(text)
		}
	}
	b := make([]byte, 0, size)
	nulls := uint32(0)
	for _, n := range []uint32{1, nulls, uint32(of), uint32(length), 1} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	for i := range length {
		switch v := value(i).(type) {
		case nil:
			nulls = 1
			b = binary.BigEndian.AppendUint32(b, 1<<32-1)
		case bool:
			b = append(b, 0, 0, 0, 1, 0)
			if v {
				b[len(b)-1] = 1
			}
		case float64:
			b = binary.BigEndian.AppendUint32(b, 8)
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
		case int64:
			b = binary.BigEndian.AppendUint32(b, 8)
			b = binary.BigEndian.AppendUint64(b, uint64(v))
		case string:
			b = binary.BigEndian.AppendUint32(b, uint32(len(v)))
			b = append(b, v...)
		default:
			panic(fmt.Sprintf("postgres: an element of %T", v)) // a mistake in the program
		}
	}
	binary.BigEndian.PutUint32(b[4:], nulls)
	return b
}

// integers returns the elements of an array of bigint in the binary form; none of a NULL.
func integers(array []byte) (list []int64) {
	if len(array) < arrayHeader {
		return nil
	}
	for rest := array[arrayHeader:]; len(rest) >= 12; rest = rest[12:] {
		list = append(list, int64(binary.BigEndian.Uint64(rest[4:])))
	}
	return list
}
