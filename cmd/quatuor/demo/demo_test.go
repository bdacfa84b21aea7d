package demo

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/terminal"
)

// api answers GET by address, and keeps what is sent otherwise.
type api struct {
	answers map[string]string
	sent    []string
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path := strings.TrimPrefix(r.URL.Path, "/api/v1")
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, a.answers[path])
		return
	}
	a.sent = append(a.sent, fmt.Sprint(r.Method, " ", path, " ", strings.TrimSpace(string(body))))
	_, _ = io.WriteString(w, "{}")
}

// begin returns an evening against an API, and what it prints.
func begin(t *testing.T, a *api, seed uint64) (*evening, *bytes.Buffer) {
	t.Helper()
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	var out bytes.Buffer
	return &evening{Client: newClient(s.URL), Streams: terminal.Streams{Out: &out, Err: io.Discard}, seed: seed}, &out
}

// TestSlips enters a result for each board with two players, and the same results for the same seed.
func TestSlips(t *testing.T) {
	enter := func(seed uint64) []string {
		t.Helper()
		a := &api{answers: map[string]string{
			"/t/rounds/2": `{"pairings":[{"board":1,"seats":["a","b"]},{"board":2,"seats":["c","d"]},{"board":3,"seats":["e"]}]}`,
		}}
		e, _ := begin(t, a, seed)
		if err := e.enterSlips(t.Context(), "/t", 2); err != nil {
			t.Fatal(err)
		}
		if e.counts.inHall != 2 {
			t.Errorf("%d games were counted, want 2", e.counts.inHall)
		}
		return a.sent
	}
	first := enter(1)
	if len(first) != 2 || !strings.HasPrefix(first[0], "PUT /t/rounds/2/pairings/1/result ") ||
		!strings.HasPrefix(first[1], "PUT /t/rounds/2/pairings/2/result ") {
		t.Errorf("entered %q", first)
	}
	if again := enter(1); !slices.Equal(again, first) {
		t.Errorf("the same evening has %q, and then %q", first, again)
	}
	differ := false
	for seed := range uint64(10) {
		differ = differ || !slices.Equal(enter(seed), first)
	}
	if !differ {
		t.Error("every evening has the same results")
	}
}

// TestRoundsInTheHall pairs each round but the first, which is paired already.
func TestRoundsInTheHall(t *testing.T) {
	a := &api{answers: map[string]string{"/t/rounds/1": `{}`, "/t/rounds/2": `{}`, "/t/rounds/3": `{}`}}
	e, _ := begin(t, a, 1)
	if err := e.playInHall(t.Context(), "/t", 3); err != nil {
		t.Fatal(err)
	}
	if len(a.sent) != 2 || !strings.HasPrefix(a.sent[0], "POST /t/rounds") || !strings.HasPrefix(a.sent[1], "POST /t/rounds") {
		t.Errorf("sent %q, want two rounds", a.sent)
	}
}

// TestReport prints counts, standings and ratings; a player without a rating in a list has a dash.
func TestReport(t *testing.T) {
	e, out := begin(t, &api{answers: map[string]string{
		"/tournaments/t1/standings": `{"columns":["DE","SB"],"rows":[
			{"rank":1,"entry":{"name":"Ada Lindqvist"},"points":"6.5","tie_breaks":["1","20.25"]},
			{"rank":2,"entry":{"name":"Bruno Keller"},"points":"5","tie_breaks":["0","13"]}]}`,
		"/ratings":             `{"items":[{"id":"quits/blitz"},{"id":"quixo/blitz"}]}`,
		"/ratings/quits/blitz": `{"items":[{"player":{"name":"Ada Lindqvist"},"rating":1523.6}]}`,
		"/ratings/quixo/blitz": `{"items":[{"player":{"name":"Bruno Keller"},"rating":1488.2}]}`,
	}}, 1)
	e.cups = []cup{{id: "t1", name: "Autumn Cup", variant: "quixo/duel", format: "round_robin"}}
	e.counts.reasons = map[string]int{}
	for _, reason := range []string{"line", "time", "line"} {
		e.counts.over(reason)
	}
	e.counts.moves.Add(70)
	e.counts.inHall = 12
	if err := e.report(t.Context(), 1500e6); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, part := range []string{
		"3 games, 70 moves in 1.5 s; 0 illegal moves refused. How games ended: line 2, time 1.",
		"12 more games were played on boards in the hall", "Autumn Cup (quixo/duel), round-robin",
		"1 Ada Lindqvist 6.5 1 20.25", "2 Bruno Keller 5 0 13", "Ratings quits/blitz quixo/blitz", "Ada Lindqvist 1524",
		"Bruno Keller – 1488", "Hugo Martins",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the report lacks %q:\n%s", part, out)
		}
	}
}

// TestGamesOfTheEvening counts the games that players make moves in: those that the evening waits for.
func TestGamesOfTheEvening(t *testing.T) {
	want := map[string]int{
		"Quits in the Hall": 0, "Quixo Autumn Cup": 28, "Quits Evening": 28, "Quivive Open": 28, "Qui'win Blitz": 28,
		"Quivive Melee": 6, "Quixo Partners": 6,
	}
	for _, c := range tournaments {
		if n, planned := want[c.name]; !planned || c.games() != n {
			t.Errorf("%s has %d games, want %d", c.name, c.games(), n)
		}
	}
	if len(tournaments) != len(want) {
		t.Errorf("%d tournaments, want %d", len(tournaments), len(want))
	}
}

// TestFolder keeps a folder that is named, and removes its own.
func TestFolder(t *testing.T) {
	own := filepath.Join(t.TempDir(), "evening")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{own, ""} {
		data, cleanup, err := Config{Data: named}.folder()
		if err != nil || named != "" && data != named {
			t.Fatalf("for %q the folder is %q (%v)", named, data, err)
		}
		if _, err := os.Stat(data); err != nil {
			t.Errorf("before the end: %v", err)
		}
		cleanup()
		if _, err := os.Stat(data); (err == nil) != (named != "") {
			t.Errorf("after the end the folder %q is there: %v", named, err == nil)
		}
	}
}
