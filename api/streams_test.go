package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// event is one server-sent event.
type event struct {
	name, id string
	data     map[string]any
}

// opening is how a stream's request was answered.
type opening struct {
	status int
	kind   string // Content-Type
}

// follow reads a stream until the test ends, one of the pages' if the path begins with two slashes. A refused request
// is answered instead of a stream.
func (p person) follow(t *testing.T, server *httptest.Server, path string, headers ...header) (<-chan event, opening) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	where, ofPages := strings.CutPrefix(path, "//")
	if where = "/" + where; !ofPages {
		where = "/api/v1" + path
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+where, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	for _, h := range headers {
		request.Header.Set(h.name, h.value)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	events := make(chan event, 100)
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
			if e.name != "presence" { // which comes when it comes, and has a test of its own
				events <- e
			}
		}
	}()
	return events, opening{answer.StatusCode, answer.Header.Get("Content-Type")}
}

// readEvents reads server-sent events; a stream that is cut off ends in the middle of one.
func readEvents(body io.Reader) iter.Seq[event] {
	return func(yield func(event) bool) {
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 1<<20)
		var e event
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				_ = json.Unmarshal([]byte(value), &e.data) // what is no JSON does not fit the contract, either
			case "":
				if e.name != "" && !yield(e) {
					return
				}
				e = event{}
			}
		}
	}
}

// readJSONLines reads a stream of JSON lines.
func readJSONLines(body io.Reader) iter.Seq[event] {
	return func(yield func(event) bool) {
		for decoder := json.NewDecoder(body); ; {
			var line struct {
				Event string         `json:"event"`
				ID    string         `json:"id"`
				Data  map[string]any `json:"data"`
			}
			if decoder.Decode(&line) != nil || !yield(event{line.Event, line.ID, line.Data}) {
				return
			}
		}
	}
}

// next returns the next event but pings, which must have this name.
func next(t *testing.T, events <-chan event, name string) event {
	t.Helper()
	select {
	case e, open := <-events:
		if e.name == "ping" {
			return next(t, events, name)
		}
		if !open || e.name != name {
			t.Fatalf("event %+v (open: %v), want %s", e, open, name)
		}
		return e
	case <-time.After(10 * time.Second):
		t.Fatalf("no event came, want %s", name)
	}
	return event{}
}

// same compares what a stream sent with what REST answers, but for the times that differ from moment to moment.
func same(t *testing.T, streamed map[string]any, answered *answer) {
	t.Helper()
	rest, _ := answered.body.(map[string]any)
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

func TestAStreamShowsAGameAsRestDoes(t *testing.T) {
	s := newService(t)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quiwin/duel", "300").text("id")
	path := "/games/" + id
	streams := map[string]<-chan event{}
	viewers := map[string]person{"ada": ada, "bob": bob, "nobody": s.anonymous()}
	for name, viewer := range viewers {
		events, answer := viewer.follow(t, server, path+"/events")
		if answer.kind != "text/event-stream" {
			t.Fatalf("Content-Type %s", answer.kind)
		}
		streams[name] = events
		same(t, next(t, events, "state").data, viewer.get(path))
	}
	token := ada.get(path).list("legal", "1")[0].(string)
	ada.post(path+"/moves", move(1, 1, token)).want(t, http.StatusOK)
	for name, events := range streams {
		told := next(t, events, "move")
		lines := told.data["events"].([]any)
		if len(lines) != 1 {
			t.Errorf("a change brings the new lines alone: %v", lines)
		}
		if got := lines[0].(map[string]any)["move"]; (got == token) != (name == "ada") {
			t.Errorf("%s is told %v of a sealed choice", name, got)
		}
	}
	bob.post(path+"/resign", nil).want(t, http.StatusOK)
	for name, events := range streams {
		next(t, events, "move")
		over := next(t, events, "over")
		if over.data["status"] != "finished" || over.data["seed"] == nil {
			t.Errorf("%s: %v", name, over.data)
		}
		if _, open := <-events; open {
			t.Errorf("%s: the stream goes on after the end", name)
		}
		_, done := viewers[name].follow(t, server, path+"/events", header{"Last-Event-ID", over.id})
		if done.status != http.StatusNoContent {
			t.Errorf("%s: resuming at the end is answered %d", name, done.status)
		}
	}
}

// TestJSONLinesSayWhatEventsSay follows a game in both formats, to its end.
func TestJSONLinesSayWhatEventsSay(t *testing.T) {
	s := newService(t)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	events, _ := ada.follow(t, server, "/games/"+id+"/events")
	lines, answer := ada.follow(t, server, "/games/"+id+"/events", header{"Accept", "application/x-ndjson"})
	if answer.kind != "application/x-ndjson" {
		t.Fatalf("Content-Type %s", answer.kind)
	}
	for _, name := range []string{"state", "move", "move", "over"} {
		event, line := next(t, events, name), next(t, lines, name)
		if event.id != line.id || event.data["version"] != line.data["version"] || event.data["id"] != id {
			t.Errorf("event %+v, line %+v", event, line)
		}
		switch event.data["turn"] {
		case 1.0:
			play(t, id, ada, 1, "c1-c5")
		case 2.0:
			bob.post("/games/"+id+"/resign", nil)
		}
	}
	if _, open := <-lines; open {
		t.Error("the stream goes on after the end")
	}
}

func TestStreamsRefuseWhatRestRefuses(t *testing.T) {
	s := newService(t)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	olga := s.withRole("olga", account.RoleOrganiser)
	draft := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	for path, status := range map[string]int{
		"/games/unknown/events": 404, "/tournaments/unknown/events": 404,
		draft + "/events": 404,
	} {
		if _, answer := s.anonymous().follow(t, server, path); answer.status != status {
			t.Errorf("%s: %d", path, answer.status)
		}
	}
	if _, answer := (person{s: s, token: "nonsense"}).
		follow(t, server, draft+"/events"); answer.status != http.StatusUnauthorized {
		t.Errorf("%d", answer.status)
	}
	if _, answer := olga.tokenFor("play").follow(t, server, draft+"/events"); answer.status != http.StatusForbidden {
		t.Errorf("%d", answer.status)
	}
	events, _ := olga.follow(t, server, draft+"/events")
	if state := next(t, events, "state"); state.data["status"] != "draft" {
		t.Errorf("%v", state)
	}
}

func TestAStreamOfATournament(t *testing.T) {
	s := newService(t)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	events, _ := s.anonymous().follow(t, server, path+"/events")
	same(t, next(t, events, "state").data, s.anonymous().get(path))
	game := round.text("pairings", 0, "game_id")
	winner, loser := ada, bob
	if s.anonymous().get("/games/"+game).text("seats", 0, "player", "id") == bob.player {
		winner, loser = bob, ada
	}
	play(t, game, winner, 1, "c1-c5")
	play(t, game, loser, 2, "a1-e1")
	loser.post("/games/"+game+"/resign", nil).want(t, http.StatusOK)
	told := map[string]map[string]any{}
	for len(told) < 2 {
		select {
		case e := <-events:
			told[e.name] = e.data
		case <-time.After(10 * time.Second):
			t.Fatalf("told only %v", told)
		}
	}
	same(t, told["pairings"], s.anonymous().get(path+"/rounds/1"))
	same(t, told["standings"], s.anonymous().get(path+"/standings"))
}

// TestAStreamOutlivesTheServersPatience sets shorter timeouts of the server than the stream needs: its deadlines are
// for requests and answers, not for streams.
func TestAStreamOutlivesTheServersPatience(t *testing.T) {
	s := newService(t)
	server := httptest.NewUnstartedServer(s.server)
	server.Config.ReadTimeout, server.Config.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	events, _ := bob.follow(t, server, "/games/"+id+"/events")
	next(t, events, "state")
	select {
	case e, open := <-events:
		t.Fatalf("event %+v (open: %v) while nothing happens", e, open)
	case <-time.After(300 * time.Millisecond):
	}
	play(t, id, ada, 1, "c1-c5")
	next(t, events, "move")
}
