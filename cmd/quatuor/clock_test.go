package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestClockConformance plays all recorded games and compares every line with the answer on record.
func TestClockConformance(t *testing.T) {
	in, err := os.ReadFile("testdata/clocks/clocks.in.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/clocks/clocks.out.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := clockLines(bytes.NewReader(in), &got); err != nil {
		t.Fatal(err)
	}
	games, answers := lines(string(in)), lines(got.String())
	expected := lines(string(want))
	if len(answers) != len(games) || len(answers) != len(expected) {
		t.Fatalf("%d games, %d answers, %d expected", len(games), len(answers), len(expected))
	}
	for i := range expected {
		if a, b := parsed(t, answers[i]), parsed(t, expected[i]); !reflect.DeepEqual(a, b) {
			t.Errorf("game %d: %s\n got %s\nwant %s", i+1, games[i], answers[i], expected[i])
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func parsed(t *testing.T, line string) (answer any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return answer
}
