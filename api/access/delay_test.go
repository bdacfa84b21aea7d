package access_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// delayedRound starts a round that spectators see with a delay.
func delayedRound(t *testing.T, olga apitest.Person, play string, players ...apitest.Person) (string, *apitest.Answer) {
	t.Helper()
	made := olga.Post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"round_robin","time_control":"300+3",
		"tie_breaks":["WIN"],"play":`+play+`}`).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for _, p := range players {
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	return path, olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
}

// everywhere returns everything that can be read of a game, except for the time of reading.
func everywhere(t *testing.T, p apitest.Person, tournament, id string) string {
	t.Helper()
	var b strings.Builder
	for _, path := range []string{
		"/games/" + id, "/games/" + id + "/record", "/games?tournament=" + tournament, "/games?status=running,waiting",
		"/games?status=paused", "/tournaments/" + tournament + "/export?format=record",
		"/players/" + playerOf(p.Service, "ada") + "/games",
	} {
		fmt.Fprintf(&b, "%s: %s\n", path, varying[3].ReplaceAll(p.Get(path).Want(t, http.StatusOK).Raw, []byte("~")))
	}
	return b.String()
}

func playerOf(s *apitest.Service, login string) string { return "player-of-" + login }

func TestSpectatorsAreBehind(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob, eve := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob"),
		s.Register("eve")
	path, round := delayedRound(t, olga, `{"delay_moves":2}`, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	tournament := path[len("/tournaments/"):]
	start := everywhere(t, eve, tournament, id)
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	olga.Post("/games/"+id+"/pause", apitest.Because("Dispute.")).Want(t, http.StatusOK)
	olga.Post("/games/"+id+"/resume", apitest.Because("Settled.")).Want(t, http.StatusOK)
	apitest.Play(t, id, seated[1], 2, "a1-e1")
	for name, p := range map[string]apitest.Person{"nobody": s.Anonymous(), "stranger": eve} {
		if now := everywhere(t, p, tournament, id); now != start {
			t.Errorf("%s sees more than the start:\n%s\nbefore\n%s", name, now, start)
		}
	}
	for name, p := range map[string]apitest.Person{"white": seated[0], "black": seated[1], "organiser": olga} {
		p.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"plies":2`)
		p.Get("/games/"+id+"/record").Want(t, http.StatusOK).Has(t, "2. a1-e1")
		if list := p.Get("/games?tournament=" + tournament); list.Number("items", 0, "plies") != 2 {
			t.Errorf("%s: %s", name, list.Raw)
		}
	}
	olga.Post("/games/"+id+"/pause", apitest.Because("Again.")).Want(t, http.StatusOK)
	if now := everywhere(t, eve, tournament, id); now != start {
		t.Errorf("a pause shows: %s", now)
	}
	olga.Post("/games/"+id+"/resume", apitest.Because("Again.")).Want(t, http.StatusOK)
	seated[0].Post("/games/"+id+"/moves", apitest.Move(1, 3, "a1-a5")).Want(t, http.StatusOK)
	eve.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"plies":1`).Lacks(t, "connected", "a1-e1", "Again")
	seated[0].Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK)
	eve.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"plies":3`, `"finished"`, "a1-e1")
}

func TestStreamsAreBehind(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	defer server.Close()
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	_, round := delayedRound(t, olga, `{"delay_moves":1}`, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	stream := "/games/" + id + "/events"
	watching, _ := s.Anonymous().Follow(t, server, stream)
	arbiter, _ := olga.Follow(t, server, stream)
	if state := apitest.NextEvent(t, watching, "state"); state.Data["plies"] != 0.0 {
		t.Errorf("%v", state.Data)
	}
	apitest.NextEvent(t, arbiter, "state")
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	if told := apitest.NextEvent(t, arbiter, "move"); told.Data["plies"] != 1.0 {
		t.Errorf("%v", told.Data)
	}
	apitest.Play(t, id, seated[1], 2, "a1-e1")
	told := apitest.NextEvent(t, watching, "move")
	if told.Data["plies"] != 1.0 || told.Data["version"] != 2.0 || told.ID != "2" {
		t.Errorf("the second move shows the first one: %v", told)
	}
	seated[0].Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK)
	over := apitest.NextEvent(t, watching, "move")
	if over.Data["status"] != "finished" || over.Data["plies"] != 2.0 {
		t.Errorf("%v", over)
	}
	apitest.NextEvent(t, watching, "over")
	if _, open := <-watching; open {
		t.Error("the stream goes on after the end")
	}
}

func TestADelayOfSecondsRunsOut(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	_, round := delayedRound(t, olga, `{"delay_ms":60000}`, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	if g := s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK); g.Text("status") != "waiting" ||
		g.Text("started_at") != "" {
		t.Errorf("the start shows: %s", g.Raw)
	}
	s.Pass(time.Minute + time.Second)
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	if g := s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK); g.Text("status") != "running" ||
		g.Number("plies") != 0 {
		t.Errorf("the move shows: %s", g.Raw)
	}
	s.Pass(time.Minute + time.Second)
	s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"plies":1`)
}
