// Package seasonlines answers cases of Keizer seasons, ladders, arenas, leagues and series: a case in JSON on each
// line, and a line for each answer.
package seasonlines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"quatuor/tournament"
)

// Kinds are the kinds of cases.
var Kinds = []string{"keizer", "ladder", "arena", "league", "prix"}

// answers has the answer to a case of each kind.
var answers = map[string]func(line []byte) (any, error){
	"keizer": keizerAnswer,
	"ladder": ladderAnswer,
	"arena":  arenaAnswer,
	"league": leagueAnswer,
	"prix":   prixAnswer,
}

// maxLine bounds a line, in bytes.
const maxLine = 4 << 20

// errTooLong is the error of a line that is not read.
var errTooLong = fmt.Errorf("longer than %d MiB", maxLine>>20)

// LineError is a line without an answer.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the fault of the line.
func (e *LineError) Unwrap() error { return e.Err }

// Answer answers every line of in on out. Lines that have no answer are handed to failed; the others are answered.
func Answer(kind string, in io.Reader, out io.Writer, failed func(*LineError)) (err error) {
	answer := answers[kind]
	lines, answers := bufio.NewReaderSize(in, 64<<10), bufio.NewWriter(out)
	encoder := json.NewEncoder(answers)
	defer func() {
		if err == nil {
			err = answers.Flush()
		}
	}()
	for number := 1; ; number++ {
		line, readErr := readLine(lines)
		if readErr != nil && !errors.Is(readErr, io.EOF) && !errors.Is(readErr, errTooLong) {
			return readErr
		}
		if errors.Is(readErr, errTooLong) {
			failed(&LineError{number, errTooLong})
		} else if len(bytes.TrimSpace(line)) > 0 {
			if answered, err := answer(line); err != nil {
				failed(&LineError{number, err})
			} else if err := encoder.Encode(answered); err != nil {
				return err
			}
		}
		if lines.Buffered() == 0 { // a caller that sends line by line waits for the answer
			if err := answers.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
	}
}

// readLine returns the next line, or errTooLong once it has skipped a line that is too long. The last line comes with
// io.EOF.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			long, line = true, nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && err == nil:
			return nil, errTooLong
		case long:
			return nil, errors.Join(errTooLong, err)
		default:
			return line, err
		}
	}
}

// embedded matches the names of Go's embedded structs before a place in a case.
var embedded = regexp.MustCompile(`^([A-Z]\w*\.)+`)

// decode reads a case into a value that has the defaults.
func decode(line []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	var wrong *json.UnmarshalTypeError
	if err := decoder.Decode(into); errors.As(err, &wrong) && wrong.Field != "" {
		place := embedded.ReplaceAllString(wrong.Field, "")
		return tournament.Fault(place, "there is a %s where none can be", wrong.Value)
	} else if err != nil {
		return tournament.NotValid("not a case in JSON: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return tournament.NotValid("more than one case on a line")
	}
	return nil
}
