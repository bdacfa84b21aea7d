package record_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quatuor/engine/record"
)

// TestRecordsOfEveryVariant judges the records of testdata/games and compares each verdict with that in the file: the
// messages are free, and so is the position of Qui'win.
func TestRecordsOfEveryVariant(t *testing.T) {
	inputs, err := filepath.Glob("testdata/games/*.in.jsonl")
	if err != nil || len(inputs) != 15 {
		t.Fatalf("%d files of records, error %v; want 15", len(inputs), err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".in.jsonl")
		t.Run(name, func(t *testing.T) {
			games := lines(t, input)
			want := lines(t, strings.Replace(input, ".in.", ".out.", 1))
			if len(games) != len(want) || len(games) == 0 {
				t.Fatalf("%d records and %d verdicts", len(games), len(want))
			}
			identical := 0
			for i, game := range games {
				var out bytes.Buffer
				record.JudgeJSON(&out, game)
				got, known := verdict(t, name, out.Bytes()), verdict(t, name, want[i])
				if !reflect.DeepEqual(got, known) {
					t.Errorf("line %d\ngot  %v\nwant %v", i+1, got, known)
					continue
				}
				identical++
			}
			t.Logf("%s: %d of %d judged as known", name, identical, len(games))
		})
	}
}

// verdict reads a line of output without what is free.
func verdict(t *testing.T, name string, line []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(line, &v); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if refused, ok := v["error"].(map[string]any); ok {
		if refused["message"] == "" {
			t.Errorf("%s: an empty message", line)
		}
		delete(refused, "message")
	}
	if strings.HasPrefix(name, "quiwin") {
		delete(v, "position")
	}
	return v
}

func lines(t testing.TB, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]byte
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		list = append(list, bytes.Clone(scanner.Bytes()))
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
