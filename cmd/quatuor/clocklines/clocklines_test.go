package clocklines

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
	if err := Answer(bytes.NewReader(in), &got); err != nil {
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

func TestClockReadsLeniently(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"unknown keys, and known ones in other letters",
			`{"controls":["5"],"x":1,"LAG":true,"events":[{"at":0,"await":[1],"Moved":1,"note":"hi"}]}`,
			`{"remaining":[5000],"periods":[0],"stage":[1],"moves":[0],"deadline":{"seat":1,"at":5000},"flagged":[],"error":null}`,
		},
		{
			"a line without an end",
			`{"controls":["5"],"events":[{"at":0,"look":true}]}`,
			`{"remaining":[5000],"periods":[0],"stage":[1],"moves":[0],"deadline":null,"flagged":[],"error":null}`,
		},
		{
			"no events", `{"controls":["none"],"lag":true}` + "\n",
			`{"remaining":[null],"periods":[0],"stage":[1],"moves":[0],"quota":[1000],"deadline":null,"flagged":[],"error":null}`,
		},
		{
			"no seats", `{"events":[],"lag":true}` + "\n",
			`{"remaining":[],"periods":[],"stage":[],"moves":[],"quota":[],"deadline":null,"flagged":[],"error":{"index":-1,"kind":"control"}}`,
		},
		{
			"nine seats", `{"controls":["1","1","1","1","1","1","1","1","1"],"events":[]}` + "\n",
			`{"remaining":[],"periods":[],"stage":[],"moves":[],"deadline":null,"flagged":[],"error":{"index":-1,"kind":"control"}}`,
		},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		if err := Answer(strings.NewReader(tt.in), &out); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := strings.TrimSpace(out.String()); !reflect.DeepEqual(parsed(t, got), parsed(t, tt.want)) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestClockRefusesEventsThatAreNone: a refused event lets time move on, and flags fall, but does nothing else.
func TestClockRefusesEventsThatAreNone(t *testing.T) {
	for _, event := range []string{
		`{"at":6000}`,
		`{"at":6000,"pause":true,"look":true,"await":[2]}`,
		`{"at":6000,"moved":2,"add":{"seat":2,"ms":5},"await":[2]}`,
		`{"at":6000,"pause":false}`,
		`{"at":6000,"await":null}`,
		`{"at":6000,"set":{"seat":2}}`,
		`{"at":6000,"set":{"remaining":1}}`,
		`{"at":6000,"add":{"seat":2}}`,
		`{"at":6000,"add":{"seat":300,"ms":1}}`,
		`{"at":6000,"await":[2,258]}`,
	} {
		in := `{"controls":["5","9"],"events":[{"at":0,"await":[1]},` + event + `,{"at":7000,"await":[2]}]}`
		want := `{"remaining":[0,9000],"periods":[0,0],"stage":[1,1],"moves":[0,0],"deadline":null,` +
			`"flagged":[{"seat":1,"at":5000}],"error":{"index":1,"kind":"state"}}`
		var out bytes.Buffer
		if err := Answer(strings.NewReader(in), &out); err != nil {
			t.Errorf("%s: %v", event, err)
		} else if got := strings.TrimSpace(out.String()); !reflect.DeepEqual(parsed(t, got), parsed(t, want)) {
			t.Errorf("%s:\n got %s\nwant %s", event, got, want)
		}
	}
}

func TestClockEndsAtWhatItCannotRead(t *testing.T) {
	good := `{"controls":["5"],"events":[]}`
	for _, bad := range []string{
		"{", "5", "null", `"x"`, "[]", "clock", "\n",
		`{"controls":"5"}`, `{"controls":["5"],"events":[{"look":true}]}`, `{"controls":["5"],"events":[{"at":"now"}]}`,
		`{"controls":["5"],"events":[{"at":0.5,"look":true}]}`, `{"controls":["5"],"events":[{"at":0,"moved":"1"}]}`,
		`{"controls":["5"],"events":[{"at":0,"moved":1,"elapsed":"x"}]}`, `{"controls":["5"],"events":[{"at":0,"set":5}]}`,
		`{"controls":["5"],"events":[{"at":0,"set":{"seat":1,"remaining":1,"periods":"x"}}]}`,
		`{"controls":["5"],"events":[{"at":0,"add":{"seat":"x","ms":1}}]}`,
		`{"controls":["5"],"events":[{"at":0,"add":{"seat":1,"ms":"x"}}]}`,
		`{"controls":["5"],"events":[{"at":0,"await":1}]}`, `{"controls":["5"],"events":[{"at":0,"pause":1}]}`,
	} {
		var out bytes.Buffer
		err := Answer(strings.NewReader(good+"\n"+bad+"\n"+good+"\n"), &out)
		var unread *LineError
		if !errors.As(err, &unread) || unread.Number != 2 || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%s: the error is %v, want one of line 2", bad, err)
		}
		if n := strings.Count(out.String(), "\n"); n != 1 {
			t.Errorf("%s: %d answers, want the one before it", bad, n)
		}
	}
}

// TestClockAnswersLineByLine: the answer comes before the next line.
func TestClockAnswersLineByLine(t *testing.T) {
	in, feed := io.Pipe()
	read, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- errors.Join(Answer(in, out), out.Close()) }()
	answers := bufio.NewScanner(read)
	for range 3 {
		if _, err := io.WriteString(feed, `{"controls":["5"],"events":[]}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || !strings.HasPrefix(answers.Text(), `{"remaining":[5000]`) {
			t.Fatalf("got %q, %v", answers.Text(), answers.Err())
		}
	}
	if err := feed.Close(); err != nil {
		t.Fatal(err)
	}
	if answers.Scan() {
		t.Errorf("one answer too many: %q", answers.Text())
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
