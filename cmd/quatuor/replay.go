package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"

	"quatuor/engine/record"
)

// replayCmd is `quatuor replay`: game records as JSON lines in, the positions they lead to as JSON lines out.
type replayCmd struct{}

// Run answers standard input on standard output.
func (replayCmd) Run(ctx context.Context, s streams) error {
	return interruptible(ctx, func() error { return replayLines(s.In, s.Out) })
}

// Lines are judged in batches of so many at most, and of so many bytes or one line more.
const (
	replayBatch = 128
	replayBytes = 1 << 20
)

// replayLines answers every line with one of its own, in order. Some batches of lines are judged at the same time;
// reading waits for writing beyond that, so that memory stays bounded however long the input is.
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

// readBatch reads lines until there are enough, or until the next one would have to be waited for. The last line may
// lack its line feed.
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
