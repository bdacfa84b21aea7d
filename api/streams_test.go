package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestAStreamShowsAGameAsRestDoes(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quiwin/duel", "300").Text("id")
	path := "/games/" + id
	streams := map[string]<-chan apitest.Event{}
	viewers := map[string]apitest.Person{"ada": ada, "bob": bob, "nobody": s.Anonymous()}
	for name, viewer := range viewers {
		events, answer := viewer.Follow(t, server, path+"/events")
		if answer.Kind != "text/event-stream" {
			t.Fatalf("Content-Type %s", answer.Kind)
		}
		streams[name] = events
		apitest.SameAsAnswer(t, apitest.NextEvent(t, events, "state").Data, viewer.Get(path))
	}
	token := ada.Get(path).List("legal", "1")[0].(string)
	ada.Post(path+"/moves", apitest.Move(1, 1, token)).Want(t, http.StatusOK)
	for name, events := range streams {
		told := apitest.NextEvent(t, events, "move")
		lines := told.Data["events"].([]any)
		if len(lines) != 1 {
			t.Errorf("a change brings the new lines alone: %v", lines)
		}
		if got := lines[0].(map[string]any)["move"]; (got == token) != (name == "ada") {
			t.Errorf("%s is told %v of a sealed choice", name, got)
		}
	}
	bob.Post(path+"/resign", nil).Want(t, http.StatusOK)
	for name, events := range streams {
		apitest.NextEvent(t, events, "move")
		over := apitest.NextEvent(t, events, "over")
		if over.Data["status"] != "finished" || over.Data["seed"] == nil {
			t.Errorf("%s: %v", name, over.Data)
		}
		if _, open := <-events; open {
			t.Errorf("%s: the stream goes on after the end", name)
		}
		_, done := viewers[name].Follow(t, server, path+"/events", apitest.Header{"Last-Event-ID", over.ID})
		if done.Status != http.StatusNoContent {
			t.Errorf("%s: resuming at the end is answered %d", name, done.Status)
		}
	}
}

// TestJSONLinesSayWhatEventsSay follows a game in both formats, to its end.
func TestJSONLinesSayWhatEventsSay(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	events, _ := ada.Follow(t, server, "/games/"+id+"/events")
	lines, answer := ada.Follow(t, server, "/games/"+id+"/events", apitest.Header{"Accept", "application/x-ndjson"})
	if answer.Kind != "application/x-ndjson" {
		t.Fatalf("Content-Type %s", answer.Kind)
	}
	for _, name := range []string{"state", "move", "move", "over"} {
		event, line := apitest.NextEvent(t, events, name), apitest.NextEvent(t, lines, name)
		if event.ID != line.ID || event.Data["version"] != line.Data["version"] || event.Data["id"] != id {
			t.Errorf("event %+v, line %+v", event, line)
		}
		switch event.Data["turn"] {
		case 1.0:
			apitest.Play(t, id, ada, 1, "c1-c5")
		case 2.0:
			bob.Post("/games/"+id+"/resign", nil)
		}
	}
	if _, open := <-lines; open {
		t.Error("the stream goes on after the end")
	}
}

func TestStreamsRefuseWhatRestRefuses(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	olga := s.WithRole("olga", account.RoleOrganiser)
	draft := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	for path, status := range map[string]int{
		"/games/unknown/events": 404, "/tournaments/unknown/events": 404,
		draft + "/events": 404,
	} {
		if _, answer := s.Anonymous().Follow(t, server, path); answer.Status != status {
			t.Errorf("%s: %d", path, answer.Status)
		}
	}
	if _, answer := (apitest.Person{Service: s, Token: "nonsense"}).
		Follow(t, server, draft+"/events"); answer.Status != http.StatusUnauthorized {
		t.Errorf("%d", answer.Status)
	}
	if _, answer := olga.TokenFor("play").Follow(t, server, draft+"/events"); answer.Status != http.StatusForbidden {
		t.Errorf("%d", answer.Status)
	}
	events, _ := olga.Follow(t, server, draft+"/events")
	if state := apitest.NextEvent(t, events, "state"); state.Data["status"] != "draft" {
		t.Errorf("%v", state)
	}
}

func TestAStreamOfATournament(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	events, _ := s.Anonymous().Follow(t, server, path+"/events")
	apitest.SameAsAnswer(t, apitest.NextEvent(t, events, "state").Data, s.Anonymous().Get(path))
	game := round.Text("pairings", 0, "game_id")
	winner, loser := ada, bob
	if s.Anonymous().Get("/games/"+game).Text("seats", 0, "player", "id") == bob.Player {
		winner, loser = bob, ada
	}
	apitest.Play(t, game, winner, 1, "c1-c5")
	apitest.Play(t, game, loser, 2, "a1-e1")
	loser.Post("/games/"+game+"/resign", nil).Want(t, http.StatusOK)
	told := map[string]map[string]any{}
	for len(told) < 2 {
		select {
		case e := <-events:
			told[e.Name] = e.Data
		case <-time.After(10 * time.Second):
			t.Fatalf("told only %v", told)
		}
	}
	apitest.SameAsAnswer(t, told["pairings"], s.Anonymous().Get(path+"/rounds/1"))
	apitest.SameAsAnswer(t, told["standings"], s.Anonymous().Get(path+"/standings"))
}

// TestAStreamOutlivesTheServersPatience sets shorter timeouts of the server than the stream needs: its deadlines are
// for requests and answers, not for streams.
func TestAStreamOutlivesTheServersPatience(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewUnstartedServer(s.Server)
	server.Config.ReadTimeout, server.Config.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	events, _ := bob.Follow(t, server, "/games/"+id+"/events")
	apitest.NextEvent(t, events, "state")
	select {
	case e, open := <-events:
		t.Fatalf("event %+v (open: %v) while nothing happens", e, open)
	case <-time.After(300 * time.Millisecond):
	}
	apitest.Play(t, id, ada, 1, "c1-c5")
	apitest.NextEvent(t, events, "move")
}
