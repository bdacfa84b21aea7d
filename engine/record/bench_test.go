package record_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"quatuor/engine/record"
)

// BenchmarkJudgeJSON judges the records of each file of testdata/games, on a single processor.
func BenchmarkJudgeJSON(b *testing.B) {
	inputs, err := filepath.Glob("testdata/games/*.in.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	for _, input := range inputs {
		b.Run(filepath.Base(input), func(b *testing.B) {
			games := lines(b, input)
			var out bytes.Buffer
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				out.Reset()
				record.JudgeJSON(&out, games[n%len(games)])
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
