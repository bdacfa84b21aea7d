package apitest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Listening serves a service over connections, for streams.
func (s *Service) Listening(t testing.TB) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(s.Server)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// AccountEvents follows the stream of a person's account from its beginning.
func (p Person) AccountEvents(t *testing.T, server *httptest.Server) <-chan Event {
	t.Helper()
	events, answer := p.Follow(t, server, "/me/events")
	if answer.Status != http.StatusOK {
		t.Fatalf("the stream is answered %d", answer.Status)
	}
	if state := NextEvent(t, events, "state"); state.ID == "" {
		t.Error("the state has no id")
	}
	return events
}

// Each returns the next events, which must have these names, and be about the same game or tournament.
func Each(t *testing.T, events <-chan Event, subject string, names ...string) (last Event) {
	t.Helper()
	for _, name := range names {
		last = NextEvent(t, events, name)
		of, _ := last.Data["tournament"].(map[string]any)
		if last.Data["id"] != subject && of["id"] != subject {
			t.Errorf("%s is about %v, want %s", name, last.Data["id"], subject)
		}
	}
	return last
}

// OpenStream opens the stream of a page, and reads its beginning.
func OpenStream(t *testing.T, server *httptest.Server, path, token string) *bufio.Reader {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d", path, answer.StatusCode)
	}
	stream := bufio.NewReader(answer.Body)
	for line := ""; line != "\n"; { // retry
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	return stream
}

// Serving returns the service over real HTTP, with pages and log-in.
func Serving(t *testing.T, change ...func(*Config)) (*Service, *httptest.Server) {
	t.Helper()
	s := New(t, append(change, WithPages)...)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	return s, server
}

// Cookies logs in to the pages and returns the cookies.
func (p Person) Cookies(t *testing.T, server *httptest.Server, login string) Header {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(server.URL+"/login", url.Values{"login": {login}, "password": {Password}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("logging in is answered %d", answer.StatusCode)
	}
	var cookies []string
	for _, c := range answer.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	return Header{"Cookie", strings.Join(cookies, "; ")}
}

// FirstDifference returns the first lines that differ between two texts.
func FirstDifference(told [2]string) string {
	one, other := strings.Split(told[0], "\n"), strings.Split(told[1], "\n")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			return one[i] + "\n" + other[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(one), len(other))
}

// Event is a server-sent event.
type Event struct {
	Name, ID string
	Data     map[string]any
}

// Opening is the answer to a stream's request.
type Opening struct {
	Status int
	Kind   string // Content-Type
}

// Follow reads a stream until the test ends, a stream of the pages if the path begins with two slashes. A refused
// request is answered instead of a stream.
func (p Person) Follow(t *testing.T, server *httptest.Server, path string, headers ...Header) (<-chan Event, Opening) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	where, ofPages := strings.CutPrefix(path, "//")
	where = "/" + where
	if !ofPages {
		where = "/api/v1" + path
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+where, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Token != "" {
		request.Header.Set("Authorization", "Bearer "+p.Token)
	}
	for _, h := range headers {
		request.Header.Set(h[0], h[1])
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	events := make(chan Event, 100)
	go func() {
		defer close(events)
		read := readEvents
		if answer.Header.Get("Content-Type") == "application/x-ndjson" {
			read = readJSONLines
		}
		for e := range read(answer.Body) {
			if !ofPages {
				checkEvent(t, request.URL.Path, e)
			}
			if e.Name != "presence" { // which comes when it comes, and has a test of its own
				events <- e
			}
		}
	}()
	return events, Opening{answer.StatusCode, answer.Header.Get("Content-Type")}
}

// readEvents reads server-sent events; a stream that is cut off ends in the middle of an event.
func readEvents(body io.Reader) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 1<<20)
		var e Event
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.Name = value
			case "id":
				e.ID = value
			case "data":
				_ = json.Unmarshal([]byte(value), &e.Data) // invalid JSON does not fit the contract, either
			case "":
				if e.Name != "" && !yield(e) {
					return
				}
				e = Event{}
			}
		}
	}
}

// readJSONLines reads a stream of JSON lines.
func readJSONLines(body io.Reader) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for decoder := json.NewDecoder(body); ; {
			var line struct {
				Event string         `json:"event"`
				ID    string         `json:"id"`
				Data  map[string]any `json:"data"`
			}
			if decoder.Decode(&line) != nil || !yield(Event{line.Event, line.ID, line.Data}) {
				return
			}
		}
	}
}

// NextEvent returns the next event but pings, which must have this name.
func NextEvent(t *testing.T, events <-chan Event, name string) Event {
	t.Helper()
	select {
	case e, open := <-events:
		if e.Name == "ping" {
			return NextEvent(t, events, name)
		}
		if !open || e.Name != name {
			t.Fatalf("event %+v (open: %v), want %s", e, open, name)
		}
		return e
	case <-time.After(10 * time.Second):
		t.Fatalf("no event came, want %s", name)
	}
	return Event{}
}

// SameAsAnswer compares the events of a stream with REST's answer, but for the times that differ from moment to moment.
func SameAsAnswer(t *testing.T, streamed map[string]any, answered *Answer) {
	t.Helper()
	rest, _ := answered.Body.(map[string]any)
	for _, game := range []map[string]any{streamed, rest} {
		delete(game, "server_time")
		seats, _ := game["seats"].([]any)
		for _, seat := range seats {
			for _, member := range []string{"remaining_ms", "connected", "last_seen"} {
				delete(seat.(map[string]any), member)
			}
		}
	}
	if !reflect.DeepEqual(streamed, rest) {
		t.Errorf("streamed %v\nanswered %v", streamed, rest)
	}
}
