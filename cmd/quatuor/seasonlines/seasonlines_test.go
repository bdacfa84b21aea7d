package seasonlines

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// TestKnownAnswers compares the answers with those of another program.
func TestKnownAnswers(t *testing.T) {
	for _, kind := range Kinds {
		t.Run(kind, func(t *testing.T) {
			in, err := os.ReadFile("testdata/" + kind + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			expected, err := os.ReadFile("testdata/" + kind + ".expected")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := Answer(kind, bytes.NewReader(in), &out, func(e *LineError) { t.Error(e) }); err != nil {
				t.Fatal(err)
			}
			got, want := values(t, out.Bytes()), values(t, expected)
			if len(got) != len(want) {
				t.Fatalf("%d answers to %d cases", len(got), len(want))
			}
			for k := range want {
				if !reflect.DeepEqual(got[k], want[k]) {
					t.Errorf("got  %s\nwant %s", text(t, got[k]), text(t, want[k]))
				}
			}
		})
	}
}

// values reads a value from each line.
func values(t testing.TB, lines []byte) (out []any) {
	t.Helper()
	for _, line := range bytes.Split(bytes.TrimSpace(lines), []byte("\n")) {
		var value any
		if err := json.Unmarshal(line, &value); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, value)
	}
	return out
}

func text(t testing.TB, value any) []byte {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
