package seasonlines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"quatuor/tournament"
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

// TestDefaults answers cases without any optional member.
func TestDefaults(t *testing.T) {
	for _, tt := range []struct{ kind, in, want string }{
		{"keizer", `{"id":"x"}`, `{"id":"x","order":[],"values":[],"totals":[]}`},
		{"keizer", `{"id":"x","present":[]}`, `{"id":"x","order":[],"values":[],"totals":[],"pairs":[],"bye":null}`},
		{
			"keizer", `{"id":"x","players":[{"n":2,"rating":1900}],"rounds":[{}],"present":[2]}`,
			`{"id":"x","order":[2],"values":[1],"totals":["1.33"],"pairs":[],"bye":2}`,
		},
		{
			"keizer", `{"id":"x","players":[{"n":1},{"n":2}],"top":null,"own":"0.5","present":[2,1]}`,
			`{"id":"x","order":[1,2],"values":[2,1],"totals":["1","0.5"],"pairs":[[1,2]],"bye":null}`,
		},
		{"ladder", `{"id":"x"}`, `{"id":"x","log":[],"order":[]}`},
		{
			"ladder", `{"id":"x","order":["a","b"],"events":[{"at":5,"type":"challenge","id":"c","from":"b","to":"a"}],"until":259205}`,
			`{"id":"x","log":[{"at":259205,"challenge":"c","end":"no_answer","order":["b","a"]}],"order":["b","a"]}`,
		},
		{"ladder", `{"id":"x","order":["a"],"events":[{"at":5,"type":"leave","player":"a"}]}`, `{"id":"x","log":[],"order":[]}`},
		{"arena", `{"id":"x"}`, `{"id":"x","order":[],"points":[],"sheets":[],"pairs":[],"waits":null}`},
		{
			"arena", `{"id":"x","players":["a","b"],"idle":[["b",1]]}`,
			`{"id":"x","order":["a","b"],"points":[0,0],"sheets":[[],[]],"pairs":[],"waits":"b"}`,
		},
		{"league", `{"id":"x","divisions":[["a"],[]],"leaving":["a"]}`, `{"id":"x","divisions":[[],[]]}`},
		{"prix", `{"id":"x"}`, `{"id":"x","standings":[]}`},
		{
			"prix", `{"id":"x","events":[{"ranking":[["a"],["b"]]},{"ranking":[["a"]],"factor":0.5}],"least":2}`,
			`{"id":"x","standings":[{"player":"a","rank":1,"points":"37.5","counted":["25","12.5"],"dropped":[]},` +
				`{"player":"b","rank":null,"points":"18","counted":["18"],"dropped":[]}]}`,
		},
	} {
		var out bytes.Buffer
		err := Answer(tt.kind, strings.NewReader(tt.in), &out, func(e *LineError) { t.Error(tt.in, e) })
		if got := strings.TrimSpace(out.String()); err != nil || got != tt.want {
			t.Errorf("%s %s: %v\n got %s\nwant %s", tt.kind, tt.in, err, got, tt.want)
		}
	}
}

// TestLinesWithoutAnswer names lines that cannot be read, and answers the others.
func TestLinesWithoutAnswer(t *testing.T) {
	good := `{"id":"good","divisions":[["a"]]}`
	long := `{"id":"` + strings.Repeat("x", maxLine) + `"}`
	in := strings.Join([]string{good, "", "{", "  ", long, `{"divisions":7}`, good + good, `{"id":"x"}`, good, long}, "\n")
	var failed []string
	var out bytes.Buffer
	err := Answer("league", strings.NewReader(in), &out, func(e *LineError) { failed = append(failed, e.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{
		"line 3: not a case in JSON: unexpected EOF", "line 5: longer than 4 MiB",
		"line 6: divisions: there is a number where none can be", "line 7: more than one case on a line",
		"line 8: divisions: a league has at least one division", "line 10: longer than 4 MiB",
	} {
		if k >= len(failed) || !strings.HasPrefix(failed[k], want) {
			t.Errorf("refused are %q, want %q at %d", failed, want, k)
		}
	}
	answer := `{"id":"good","divisions":[["a"]]}` + "\n"
	if len(failed) != 6 || out.String() != answer+answer {
		t.Errorf("%d refused, answers\n%s", len(failed), out.String())
	}
	for kind, in := range map[string]string{
		"keizer": `{"players":[{"n":1}],"present":[2]}`, "ladder": `{"order":["a","a"]}`, "arena": `{"idle":[["a",1]]}`,
		"prix": `{"best":-1}`,
	} {
		var refused error
		err := Answer(kind, strings.NewReader(in), io.Discard, func(e *LineError) { refused = e })
		if err != nil || !errors.Is(refused, tournament.ErrInvalid) {
			t.Errorf("%s %s: %v, %v", kind, in, err, refused)
		}
	}
}

// TestPlaces names where a case is wrong, above all what is left out that has no default.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ kind, in, want string }{
		{"keizer", `{"players":[{"n":1},{"n":2}],"rounds":[{"games":[{"w":1,"b":2}]}]}`, "line 1: rounds[0].games[0].r: a result is 2, 1 or 0"},
		{"keizer", `{"players":[{"n":1},{"n":2}],"rounds":[{"games":[{"w":1,"b":2,"r":null}]}]}`, "line 1: rounds[0].games[0].r: a result"},
		{"keizer", `{"players":[{"n":1}],"top":2.5}`, "line 1: top: there is a number 2.5 where none can be"},
		{"arena", `{"players":["a","b"],"games":[{"at":1,"w":"a","b":"b"}]}`, "line 1: games[0].r: a result is 2, 1 or 0"},
		{"arena", `{"players":"a"}`, "line 1: players: there is a string where none can be"},
		{"ladder", `{"order":["a"],"reach":"3"}`, "line 1: reach: there is a string where none can be"},
		{"league", `{"divisions":[["a"]],"up":1e30}`, "line 1: up: there is a number 1e30 where none can be"},
		{"prix", `{"best":"2"}`, "line 1: best: there is a string where none can be"},
	} {
		var refused *LineError
		err := Answer(tt.kind, strings.NewReader(tt.in), io.Discard, func(e *LineError) { refused = e })
		if err != nil || refused == nil || !strings.HasPrefix(refused.Error(), tt.want) {
			t.Errorf("%s %s: %v, %v; want %s", tt.kind, tt.in, err, refused, tt.want)
		}
	}
	table := `{"players":["a","b","c"],"games":[{"at":1,"table":[{"player":"a","place":1},{"player":"b","place":2},{"player":"c","place":3}]}]}`
	if err := Answer("arena", strings.NewReader(table), io.Discard, func(e *LineError) { t.Error(e) }); err != nil {
		t.Error(err)
	}
}

// TestConversation answers each line before the next comes.
func TestConversation(t *testing.T) {
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Answer("prix", in, out, func(e *LineError) { t.Error(e) })
	}()
	reader := bufio.NewReader(answers)
	for _, id := range []string{"1", "2", "3"} {
		if _, err := io.WriteString(lines, `{"id":"`+id+"\"}\n"); err != nil {
			t.Fatal(err)
		}
		if got, err := reader.ReadString('\n'); err != nil || got != `{"id":"`+id+`","standings":[]}`+"\n" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	broken := errors.New("broken")
	lines.CloseWithError(broken)
	if err := <-done; !errors.Is(err, broken) {
		t.Errorf("input that breaks ends with %v", err)
	}
}

// TestOutputThatFails ends when the reader of the answers is gone.
func TestOutputThatFails(t *testing.T) {
	_, out := io.Pipe()
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	err := Answer("prix", strings.NewReader(strings.Repeat("{}\n", 10_000)), out, func(e *LineError) { t.Fatal(e) })
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("ends with %v", err)
	}
}
