package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/tournament/pairing/tables"
)

// tables answers every line of standard input, a case in JSON, with a line. Lines that cannot be read are named in the
// error; the others are answered.
func (c pairCmd) tables(s streams) (err error) {
	if len(c.Files) > 0 {
		return app.UsageErrorf("--tables reads cases from standard input, not from files")
	}
	in, out := bufio.NewReader(s.In), bufio.NewWriter(s.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var failed faults
	for number := 1; ; number++ {
		line, readErr := in.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return readErr
		}
		if len(bytes.TrimSpace(line)) > 0 {
			answer, err := c.answer(line, s.Err)
			if err != nil {
				failed.add("line %d: %v", number, err)
			} else if _, err := fmt.Fprintf(out, "%s\n", answer); err != nil {
				return err
			}
		}
		if in.Buffered() == 0 { // a caller that sends line by line waits for the answer
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if readErr != nil {
			return failed.err()
		}
	}
}

// answer draws the round of a line.
func (c pairCmd) answer(line []byte, errs io.Writer) ([]byte, error) {
	draw, err := tables.ReadCase(line)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	answer, err := draw.Answer(c.Explain)
	if took := time.Since(start); c.Timing {
		fmt.Fprintf(errs, "timing\t%s\t%.3f ms\n", draw.ID, float64(took.Microseconds())/1000)
	}
	return answer, err
}
