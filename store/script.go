package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"strconv"
	"sync"
)

// script is a write made ready: calls of statements with their arguments, packed into one text by whoever wants the
// write, so that the writer has only to carry it out. Everything that comes with every move and every game is written
// by scripts; gorm, which the rest goes through, costs several times what the statements do (BenchmarkAppendStatements).
//
// The first statement guards the others: if it changes no row, none of them is carried out and the write is refused.
// It may have fewer parameters than it is given arguments. After it every failure takes back the whole transaction.
//
// A call is packed as the number of its statement, the number of its arguments, and these: each a letter for its kind
// and then, in the machine's order of bytes, the value (see run_script.h).
type script struct {
	text    []byte
	count   int        // where in text the number of the last call's arguments stands
	refusal error      // where the guard does not hold
	ended   *outboxRow // the row of the game that is over by this, its Seq still missing
	added   int64      // the number of the row that was inserted last, afterwards; SQLite only
}

// The kinds of argument.
const (
	argNull  = 'n'
	argWhole = 'i'
	argReal  = 'r'
	argText  = 't'
	argYes   = 'y'
	argNo    = 'f'
)

var spareScripts = sync.Pool{New: func() any { return &script{text: make([]byte, 0, scriptRoom)} }}

// scriptRoom is enough for a move; a spare script that has grown beyond mostSpare is let go.
const (
	scriptRoom = 1 << 10
	mostSpare  = 1 << 14
)

func newScript(refusal error) *script {
	s := spareScripts.Get().(*script)
	s.refusal = refusal
	return s
}

// recycle keeps a script that nobody needs any more for another write.
func (s *script) recycle() {
	if cap(s.text) <= mostSpare {
		*s = script{text: s.text[:0]}
		spareScripts.Put(s)
	}
}

// call begins a call; its arguments follow.
func (s *script) call(id statementID) {
	s.text = append(s.text, byte(id), 0)
	s.count = len(s.text) - 1
}

func (s *script) whole(values ...int64) {
	for _, n := range values {
		s.text[s.count]++
		s.text = binary.NativeEndian.AppendUint64(append(s.text, argWhole), uint64(n))
	}
}

func (s *script) real(values ...float64) {
	for _, x := range values {
		s.text[s.count]++
		s.text = binary.NativeEndian.AppendUint64(append(s.text, argReal), math.Float64bits(x))
	}
}

func (s *script) yes(value bool) {
	s.text[s.count]++
	if value {
		s.text = append(s.text, argYes)
	} else {
		s.text = append(s.text, argNo)
	}
}

func (s *script) null() {
	s.text[s.count]++
	s.text = append(s.text, argNull)
}

func (s *script) string(value string) {
	at := s.open()
	s.text = append(s.text, value...)
	s.close(at)
}

// open begins a text that is appended to s.text by whoever can; close ends it.
func (s *script) open() (at int) {
	s.text[s.count]++
	s.text = append(s.text, argText, 0, 0, 0, 0)
	return len(s.text)
}

// mostText bounds a text, far above all that is ever stored: a request's body is 16 MiB at most. So no length can be
// wrong where the script is unpacked.
const mostText = 1 << 30

func (s *script) close(at int) {
	if len(s.text)-at > mostText {
		panic("store: a text too long to be stored")
	}
	binary.NativeEndian.PutUint32(s.text[at-4:], uint32(len(s.text)-at))
}

func (s *script) stringOrNull(value *string) {
	if value == nil {
		s.null()
	} else {
		s.string(*value)
	}
}

func (s *script) wholeOrNull(value *int64) {
	if value == nil {
		s.null()
	} else {
		s.whole(*value)
	}
}

// json gives a column's JSON text.
func (s *script) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: a column that cannot be encoded: %v", err)) // lists and maps of numbers and texts
	}
	s.string(string(b))
}

// numbers is json without reflection.
func (s *script) numbers(list []int8) {
	at := s.open()
	defer s.close(at)
	if list == nil {
		s.text = append(s.text, "null"...)
		return
	}
	s.text = append(s.text, '[')
	for i, n := range list {
		if i > 0 {
			s.text = append(s.text, ',')
		}
		s.text = strconv.AppendInt(s.text, int64(n), 10)
	}
	s.text = append(s.text, ']')
}

// calls unpacks a script for a driver that takes arguments one by one.
func (s *script) calls() iter.Seq2[statementID, []any] {
	return func(yield func(statementID, []any) bool) {
		for rest := s.text; len(rest) > 0; {
			id, args := statementID(rest[0]), make([]any, rest[1])
			rest = rest[2:]
			for i := range args {
				args[i], rest = unpack(rest)
			}
			if !yield(id, args[:min(len(args), statementPlaces[id])]) {
				return
			}
		}
	}
}

// unpack gives the first argument and what stands behind it.
func unpack(text []byte) (value any, rest []byte) {
	kind, rest := text[0], text[1:]
	switch kind {
	case argWhole:
		return int64(binary.NativeEndian.Uint64(rest)), rest[8:]
	case argReal:
		return math.Float64frombits(binary.NativeEndian.Uint64(rest)), rest[8:]
	case argText:
		length := binary.NativeEndian.Uint32(rest)
		rest = rest[4:]
		return string(rest[:length]), rest[length:]
	case argYes, argNo:
		return kind == argYes, rest
	}
	return nil, rest
}
