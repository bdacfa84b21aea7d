package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"

	"quatuor/engine/record"
)

// replayCmd is `quatuor replay`: game records as JSON lines in, the positions they lead to as JSON lines out.
type replayCmd struct{}

// Run answers standard input on standard output.
func (replayCmd) Run(s streams) error { return replayLines(s.In, s.Out) }

// replayBatch is the number of lines that are judged together, at most.
const replayBatch = 128

// replayLines answers every line with one of its own, in order. Batches of lines are judged at the same time, as many
// as there are processors; reading waits while twice as many are under way, so that memory stays bounded.
func replayLines(in io.Reader, out io.Writer) error {
	underWay := make(chan chan []byte, 2*runtime.GOMAXPROCS(0))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	readErr := make(chan error, 1)
	go func() {
		defer close(underWay)
		lines := bufio.NewReaderSize(in, 1<<16)
		for {
			batch, err := readBatch(lines)
			if len(batch) > 0 {
				answers := make(chan []byte, 1)
				underWay <- answers
				slots <- struct{}{}
				go func() {
					answers <- judgeBatch(batch)
					<-slots
				}()
			}
			if err != nil {
				readErr <- err
				return
			}
		}
	}()
	writeErr := writeAnswers(out, underWay)
	if err := <-readErr; !errors.Is(err, io.EOF) {
		return errors.Join(err, writeErr)
	}
	return writeErr
}

// writeAnswers writes the answers of each batch in order. After a failure it goes on taking them, without writing, so
// that nobody waits for it.
func writeAnswers(out io.Writer, underWay <-chan chan []byte) (err error) {
	for answers := range underWay {
		text := <-answers
		if err == nil {
			_, err = out.Write(text)
		}
	}
	return err
}

// readBatch reads lines until there are enough, or until the next one would have to be waited for. The last line may
// lack its line feed.
func readBatch(lines *bufio.Reader) (batch [][]byte, err error) {
	for len(batch) < replayBatch {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			batch = append(batch, line)
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
