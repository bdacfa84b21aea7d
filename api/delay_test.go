package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// delayedRound starts a round that spectators see with a delay.
func delayedRound(t *testing.T, olga person, play string, players ...person) (string, *answer) {
	t.Helper()
	made := olga.post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"round_robin","time_control":"300+3",
		"tie_breaks":["WIN"],"play":`+play+`}`).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	for _, p := range players {
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	return path, olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
}

// everywhere is all that can be read of a game, but for the time at which it was read.
func everywhere(t *testing.T, p person, tournament, id string) string {
	t.Helper()
	var b strings.Builder
	for _, path := range []string{
		"/games/" + id, "/games/" + id + "/record", "/games?tournament=" + tournament, "/games?status=running,waiting",
		"/games?status=paused", "/tournaments/" + tournament + "/export?format=record",
		"/players/" + p.s.playerOf("ada") + "/games",
	} {
		fmt.Fprintf(&b, "%s: %s\n", path, varying[3].ReplaceAll(p.get(path).want(t, http.StatusOK).raw, []byte("~")))
	}
	return b.String()
}

func (s *service) playerOf(login string) string { return "player-of-" + login }

func TestSpectatorsAreBehind(t *testing.T) {
	s := newService(t)
	olga, ada, bob, eve := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob"),
		s.register("eve")
	path, round := delayedRound(t, olga, `{"delay_moves":2}`, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	tournament := path[len("/tournaments/"):]
	start := everywhere(t, eve, tournament, id)
	play(t, id, seated[0], 1, "c1-c5")
	olga.post("/games/"+id+"/pause", because("Dispute.")).want(t, http.StatusOK)
	olga.post("/games/"+id+"/resume", because("Settled.")).want(t, http.StatusOK)
	play(t, id, seated[1], 2, "a1-e1")
	for name, p := range map[string]person{"nobody": s.anonymous(), "stranger": eve} {
		if now := everywhere(t, p, tournament, id); now != start {
			t.Errorf("%s sees more than the start:\n%s\nbefore\n%s", name, now, start)
		}
	}
	for name, p := range map[string]person{"white": seated[0], "black": seated[1], "organiser": olga} {
		p.get("/games/"+id).want(t, http.StatusOK).has(t, `"plies":2`)
		p.get("/games/"+id+"/record").want(t, http.StatusOK).has(t, "2. a1-e1")
		if list := p.get("/games?tournament=" + tournament); list.number("items", 0, "plies") != 2 {
			t.Errorf("%s: %s", name, list.raw)
		}
	}
	olga.post("/games/"+id+"/pause", because("Again.")).want(t, http.StatusOK)
	if now := everywhere(t, eve, tournament, id); now != start {
		t.Errorf("a pause shows: %s", now)
	}
	olga.post("/games/"+id+"/resume", because("Again.")).want(t, http.StatusOK)
	seated[0].post("/games/"+id+"/moves", move(1, 3, "a1-a5")).want(t, http.StatusOK)
	eve.get("/games/"+id).want(t, http.StatusOK).has(t, `"plies":1`).lacks(t, "connected", "a1-e1", "Again")
	seated[0].post("/games/"+id+"/resign", nil).want(t, http.StatusOK)
	eve.get("/games/"+id).want(t, http.StatusOK).has(t, `"plies":3`, `"finished"`, "a1-e1")
}

func TestStreamsAreBehind(t *testing.T) {
	s := newService(t)
	server := httptest.NewServer(s.server)
	defer server.Close()
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	_, round := delayedRound(t, olga, `{"delay_moves":1}`, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	stream := "/games/" + id + "/events"
	watching, _ := s.anonymous().follow(t, server, stream)
	arbiter, _ := olga.follow(t, server, stream)
	if state := next(t, watching, "state"); state.data["plies"] != 0.0 {
		t.Errorf("%v", state.data)
	}
	next(t, arbiter, "state")
	play(t, id, seated[0], 1, "c1-c5")
	if told := next(t, arbiter, "move"); told.data["plies"] != 1.0 {
		t.Errorf("%v", told.data)
	}
	play(t, id, seated[1], 2, "a1-e1")
	told := next(t, watching, "move")
	if told.data["plies"] != 1.0 || told.data["version"] != 2.0 || told.id != "2" {
		t.Errorf("the second move shows the first one: %v", told)
	}
	seated[0].post("/games/"+id+"/resign", nil).want(t, http.StatusOK)
	over := next(t, watching, "move")
	if over.data["status"] != "finished" || over.data["plies"] != 2.0 {
		t.Errorf("%v", over)
	}
	next(t, watching, "over")
	if _, open := <-watching; open {
		t.Error("the stream goes on after the end")
	}
}

func TestADelayOfSecondsRunsOut(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	_, round := delayedRound(t, olga, `{"delay_ms":60000}`, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	if g := s.anonymous().get("/games/"+id).want(t, http.StatusOK); g.text("status") != "waiting" ||
		g.text("started_at") != "" {
		t.Errorf("the start shows: %s", g.raw)
	}
	s.pass(time.Minute + time.Second)
	play(t, id, seated[0], 1, "c1-c5")
	if g := s.anonymous().get("/games/"+id).want(t, http.StatusOK); g.text("status") != "running" ||
		g.number("plies") != 0 {
		t.Errorf("the move shows: %s", g.raw)
	}
	s.pass(time.Minute + time.Second)
	s.anonymous().get("/games/"+id).want(t, http.StatusOK).has(t, `"plies":1`)
}
