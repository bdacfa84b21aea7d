package seasonlines

import (
	"bytes"
	"os"
	"testing"
)

// FuzzAnswer looks for lines that crash the program, and demands an answer or a refusal for each.
func FuzzAnswer(f *testing.F) {
	for k, kind := range Kinds {
		cases, err := os.ReadFile("testdata/" + kind + ".jsonl")
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range bytes.Split(bytes.TrimSpace(cases), []byte("\n")) {
			f.Add(k, line)
		}
	}
	f.Fuzz(func(t *testing.T, kind int, line []byte) {
		if kind < 0 || kind >= len(Kinds) || bytes.ContainsRune(line, '\n') || len(bytes.TrimSpace(line)) == 0 {
			t.Skip()
		}
		refused := 0
		var out bytes.Buffer
		if err := Answer(Kinds[kind], bytes.NewReader(line), &out, func(*LineError) { refused++ }); err != nil {
			t.Fatal(err)
		}
		if answers := bytes.Count(out.Bytes(), []byte("\n")); answers+refused != 1 {
			t.Errorf("%d answers, %d refusals", answers, refused)
		}
	})
}
