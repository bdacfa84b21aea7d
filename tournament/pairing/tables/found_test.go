package tables

import (
	"bufio"
	"os"
	"reflect"
	"strings"
	"testing"
)

// casesIn returns the cases of a file in testdata.
func casesIn(t testing.TB, name string) (cases []Case) {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c, err := ReadCase(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// TestReasonsOfAKeptRound: the reasons of a kept round are those of a new draw, and a kept round that does not suit the
// field is refused. A draw of many entries takes longest by far, and the kept text does not depend on their number: of
// the large fields every eighth is tried, and only small fields with unsuitable texts.
func TestReasonsOfAKeptRound(t *testing.T) {
	kept, refused := 0, 0
	for k, c := range casesIn(t, "cases.jsonl") {
		if len(c.Entries) > 14 && (k%8 != 0 || testing.Short()) {
			continue
		}
		found, err := newDraw(c.Field)
		if err != nil {
			continue // no round, and so no reasons
		}
		kept++
		text := found.round().found()
		of, err := keptDraw(c.Field, text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(of.round(), found.round()) || !reflect.DeepEqual(of.explain(), found.explain()) {
			t.Errorf("case %s: the kept round is %+v, and the drawn one %+v", c.ID, of.round(), found.round())
		}
		if len(c.Entries) > 11 {
			continue
		}
		refused++
		first := found.round().Tables[0]
		other := strings.Replace(text, "[[", "[[9999,", 1)
		twice := Round{Tables: append([][]int{first}, found.round().Tables...)}.found()
		for _, wrong := range []string{"", "{", `{"tables":[]}`, other, twice} {
			if again, err := keptDraw(c.Field, wrong); err != nil || !reflect.DeepEqual(again.round(), found.round()) {
				t.Errorf("case %s with %q: %v", c.ID, wrong, err)
			}
		}
	}
	if kept < 100 || refused < 50 {
		t.Errorf("only %d cases have a round, %d of them few entries", kept, refused)
	}
}

// BenchmarkReasons explains a round of each case in testdata/large.jsonl, drawn again and kept.
func BenchmarkReasons(b *testing.B) {
	for _, c := range casesIn(b, "large.jsonl") {
		found, err := newDraw(c.Field)
		if err != nil {
			b.Fatal(err)
		}
		for name, text := range map[string]string{"drawn_again": "", "kept": found.round().found()} {
			b.Run(c.ID+"/"+name, func(b *testing.B) {
				for b.Loop() {
					d, err := keptDraw(c.Field, text)
					if err != nil {
						b.Fatal(err)
					}
					d.explain()
				}
			})
		}
	}
}
