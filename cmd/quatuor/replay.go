package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"

	"quatuor/cmd/quatuor/app"
	"quatuor/engine/record"
)

// replayCmd is `quatuor replay`: game records as JSON lines in, the positions they lead to as JSON lines out; or files
// of records in text, and their faults.
type replayCmd struct {
	Record bool     `help:"Check records in text instead, as the service exports them."`
	Files  []string `arg:"" name:"file" optional:"" help:"With --record: files of game records, - for standard input."`
}

// Help describes input and output.
func (replayCmd) Help() string {
	return "Without --record, each line of standard input is a game in JSON, and is answered by a line of JSON with " +
		"the position its moves lead to, the legal moves, the outcome, and the first move refused. With --record, files " +
		"of records in text, each with any number of games, are played through: whether every move is legal, and whether " +
		"clocks, positions and results are those that follow. Faults are explained, with file and line, and the " +
		"exit status is 1 then."
}

// Run answers standard input, or looks at every game of the files, on standard output.
func (c replayCmd) Run(ctx context.Context, s streams) error {
	switch {
	case c.Record:
		return interruptible(ctx, func() error { return c.check(s) })
	case len(c.Files) > 0:
		return app.UsageErrorf("%s: files are read with --record only; games in JSON come on standard input", c.Files[0])
	}
	return interruptible(ctx, func() error { return replayLines(s.In, s.Out) })
}

// check plays the records through.
func (c replayCmd) check(s streams) error {
	var t findings
	out := bufio.NewWriter(s.Out)
	err := recordFiles(c.Files).each(s.In, func(g sheet) error {
		report := record.Check(g.r)
		verdict := "right"
		if report.Match == nil {
			verdict = "not judged"
		}
		t.heading(out, g, verdict, report)
		return nil
	})
	return t.conclude(out, err)
}

// Limits of a batch of lines that are judged together, in lines and in bytes; the last line may exceed the bytes.
const (
	replayBatch = 128
	replayBytes = 1 << 20
)

// replayLines answers every line with a line, in order. Some batches of lines are judged at the same time; reading
// waits for writing beyond that, so that memory stays bounded however long the input is.
func replayLines(in io.Reader, out io.Writer) error {
	batches := make(chan chan []byte, 2*runtime.GOMAXPROCS(0))
	stop := make(chan struct{})
	defer close(stop)
	readErr := make(chan error, 1)
	go func() { readErr <- judgeLines(in, batches, stop) }()
	for answers := range batches {
		if _, err := out.Write(<-answers); err != nil {
			return err
		}
	}
	return <-readErr
}

// judgeLines reads batch after batch and has each judged by a goroutine of its own, which sends the answers on the
// channel that batches gets here, in order.
func judgeLines(in io.Reader, batches chan<- chan []byte, stop <-chan struct{}) error {
	defer close(batches)
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		batch, err := readBatch(lines)
		if len(batch) > 0 {
			answers := make(chan []byte, 1)
			select {
			case batches <- answers:
			case <-stop:
				return nil
			}
			go func() { answers <- judgeBatch(batch) }()
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// readBatch reads lines until the batch is full, or until the next would block. The last line may lack its line feed.
func readBatch(lines *bufio.Reader) (batch [][]byte, err error) {
	for size := 0; len(batch) < replayBatch && size < replayBytes; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			batch = append(batch, line)
			size += len(line)
		}
		if err != nil {
			return batch, err
		}
		if lines.Buffered() == 0 {
			break
		}
	}
	return batch, nil
}

func judgeBatch(batch [][]byte) []byte {
	var out bytes.Buffer
	for _, line := range batch {
		record.JudgeJSON(&out, line)
	}
	return out.Bytes()
}
