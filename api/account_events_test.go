package api_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// listening serves a service over connections, for streams.
func (s *service) listening(t testing.TB) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(s.server)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// mine follows the stream of a person's account from its beginning.
func (p person) mine(t *testing.T, server *httptest.Server) <-chan event {
	t.Helper()
	events, answer := p.follow(t, server, "/me/events")
	if answer.status != http.StatusOK {
		t.Fatalf("the stream is answered %d", answer.status)
	}
	if state := next(t, events, "state"); state.id == "" {
		t.Error("the state has no id")
	}
	return events
}

// each returns the next events, which must have these names, and be about one game or tournament.
func each(t *testing.T, events <-chan event, subject string, names ...string) (last event) {
	t.Helper()
	for _, name := range names {
		last = next(t, events, name)
		of, _ := last.data["tournament"].(map[string]any)
		if last.data["id"] != subject && of["id"] != subject {
			t.Errorf("%s is about %v, want %s", name, last.data["id"], subject)
		}
	}
	return last
}

// TestOneStreamForCasualGames follows two players through an invitation, a game and its end.
func TestOneStreamForCasualGames(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	ada, bob := s.register("ada"), s.register("bob")
	bob.send(http.MethodPatch, "/me", `{"open_to_challenges":false}`).want(t, http.StatusOK)
	hers, his := ada.mine(t, server), bob.mine(t, server)
	id := friendly(t, ada, bob, "")
	each(t, his, id, "invited")
	bob.post("/games/"+id+"/accept", nil).want(t, http.StatusOK)
	each(t, his, id, "game_started")
	turn := each(t, hers, id, "game_started", "my_turn")
	if legal, _ := turn.data["legal"].(map[string]any); legal["1"] == nil {
		t.Errorf("no legal moves: %v", turn.data)
	}
	play(t, id, ada, 1, "c1-c5")
	each(t, his, id, "my_turn")
	bob.post("/games/"+id+"/draw", `{"action":"offer"}`).want(t, http.StatusOK)
	if offer := each(t, hers, id, "offer"); offer.data["draw_offer"] != 2.0 {
		t.Errorf("%v", offer.data)
	}
	play(t, id, bob, 2, "a1-e1")
	each(t, hers, id, "my_turn")
	ada.post("/games/"+id+"/resign", nil).want(t, http.StatusOK)
	for _, events := range []<-chan event{hers, his} {
		if over := each(t, events, id, "game_over"); over.data["status"] != "finished" || over.data["legal"] == nil {
			t.Errorf("%v", over.data)
		}
	}
	declined := friendly(t, ada, bob, "")
	each(t, his, declined, "invited")
	bob.post("/games/"+declined+"/decline", `{}`).want(t, http.StatusOK)
	if over := each(t, hers, declined, "game_over"); over.data["status"] != "aborted" {
		t.Errorf("%v", over.data)
	}
}

// TestOneStreamForATournament follows a player from the entry to the end, by rounds, pairings, rulings and answers.
func TestOneStreamForATournament(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	people := map[string]person{ada.player: ada, bob.player: bob}
	made := olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	path := "/tournaments/" + made
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	hers := ada.mine(t, server)
	entry := ada.post(path+"/entries", map[string]any{"player_id": ada.player}).want(t, http.StatusCreated).text("id")
	if notice := each(t, hers, made, "notice"); notice.data["kind"] != "entered" {
		t.Errorf("%v", notice.data)
	}
	bob.post(path+"/entries", map[string]any{"player_id": bob.player}).want(t, http.StatusCreated)
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	if notice := each(t, hers, made, "notice"); notice.data["kind"] != "tournament_started" {
		t.Errorf("%v", notice.data)
	}
	round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	if told := each(t, hers, made, "round_published"); told.data["number"] != 1.0 || told.data["boards"] != 1.0 {
		t.Errorf("%v", told.data)
	}
	pairing := each(t, hers, made, "my_pairing")
	game := round.text("pairings", 0, "game_id")
	if own := pairing.data["pairing"].(map[string]any); own["game_id"] != game || pairing.data["entry_id"] != entry {
		t.Errorf("%v", pairing.data)
	}
	each(t, hers, game, "game_started")
	first := people[s.anonymous().get("/games/"+game).text("seats", 0, "player", "id")]
	if first.player == ada.player {
		each(t, hers, game, "my_turn")
	}
	ada.post("/games/"+game+"/call", `{"word":"my clock"}`).want(t, http.StatusNoContent)
	call := olga.get(path+"/calls").text("items", 0, "id")
	olga.send(http.MethodPut, path+"/calls/"+call, `{"status":"seen"}`).want(t, http.StatusNoContent)
	if told := each(t, hers, made, "arbiter_answered"); told.data["status"] != "seen" || told.data["call_id"] != call {
		t.Errorf("%v", told.data)
	}
	olga.post("/games/"+game+"/pause", `{"reason":"fire alarm"}`).want(t, http.StatusOK)
	each(t, hers, game, "ruling")
	olga.post("/games/"+game+"/resume", `{"reason":"false alarm"}`).want(t, http.StatusOK)
	each(t, hers, game, "ruling")
	if first.player == ada.player {
		each(t, hers, game, "my_turn")
	}
	olga.post("/games/"+game+"/adjudicate", `{"ranks":[1,2],"reason":"time"}`).want(t, http.StatusOK)
	each(t, hers, game, "ruling", "game_over")
	olga.post(path+"/finish", nil).want(t, http.StatusOK)
	if notice := each(t, hers, made, "notice"); notice.data["kind"] != "tournament_finished" {
		t.Errorf("%v", notice.data)
	}
}

// TestAccountStreamsResumeWithoutAGap has one reader that never leaves, and one that comes back after every change: both
// are sent the same events. A third was away all the time, and is sent what is new of each game, once.
func TestAccountStreamsResumeWithoutAGap(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	ada, bob := s.register("ada"), s.register("bob")
	stays := ada.mine(t, server)
	first, _ := ada.follow(t, server, "/me/events")
	begin := next(t, first, "state").id
	at := begin
	both := func(name string) {
		t.Helper()
		stayed := next(t, stays, name)
		again, _ := ada.follow(t, server, "/me/events", header{"Last-Event-ID", at})
		came := next(t, again, name)
		if came.data["id"] != stayed.data["id"] || came.data["version"] != stayed.data["version"] {
			t.Errorf("%s: one is told of %v, the other of %v", name, stayed.data["version"], came.data["version"])
		}
		if came.id != "" {
			at = came.id
		}
	}
	one := friendly(t, ada, bob, "")
	for _, name := range []string{"game_started", "my_turn"} { // of one change
		next(t, stays, name)
	}
	again, _ := ada.follow(t, server, "/me/events", header{"Last-Event-ID", at})
	next(t, again, "game_started")
	at = next(t, again, "my_turn").id
	play(t, one, ada, 1, "c1-c5")
	play(t, one, bob, 2, "a1-e1")
	both("my_turn")
	two := friendly(t, ada, bob, "")
	for _, name := range []string{"game_started", "my_turn"} {
		next(t, stays, name)
	}
	bob.post("/games/"+one+"/resign", nil).want(t, http.StatusOK)
	next(t, stays, "game_over")
	again, _ = ada.follow(t, server, "/me/events", header{"Last-Event-ID", at})
	told := map[any][]string{}
	for range 3 {
		e := <-again
		told[e.data["id"]] = append(told[e.data["id"]], e.name)
		at = e.id
	}
	if !slices.Equal(told[one], []string{"game_over"}) || !slices.Equal(told[two], []string{"game_started", "my_turn"}) {
		t.Errorf("told %v", told)
	}
	quiet, _ := ada.follow(t, server, "/me/events", header{"Last-Event-ID", at})
	away, _ := ada.follow(t, server, "/me/events", header{"Last-Event-ID", begin})
	all := map[any][]string{}
	for range 3 {
		e := <-away
		all[e.data["id"]] = append(all[e.data["id"]], e.name)
	}
	if !slices.Equal(all[one], []string{"game_over"}) ||
		!slices.Equal(all[two], []string{"game_started", "my_turn"}) {
		t.Errorf("told %v", all)
	}
	bob.post("/games/"+two+"/resign", nil).want(t, http.StatusOK)
	for _, events := range []<-chan event{quiet, stays} { // nothing came twice
		each(t, events, two, "game_over")
	}
	fresh, _ := ada.follow(t, server, "/me/events", header{"Last-Event-ID", "nonsense"})
	next(t, fresh, "state")
}

// TestAccountStreamsShowWhoIsThere: an open stream connects its player to its games, and opponents are told.
func TestAccountStreamsShowWhoIsThere(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	ada, bob := s.register("ada"), s.register("bob")
	id := friendly(t, ada, bob, "")
	hers := ada.mine(t, server)
	each(t, hers, id, "game_started", "my_turn")
	his, _ := bob.follow(t, server, "/me/events")
	next(t, his, "state")
	each(t, his, id, "game_started")
	back := each(t, hers, id, "opponent_back")
	if seats := back.data["seats"].([]any); seats[1].(map[string]any)["connected"] != true || back.id != "" {
		t.Errorf("%+v", back)
	}
}

// TestAccountStreamsAreForPlayers refuses accounts without one, and requests without a token.
func TestAccountStreamsAreForPlayers(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	if _, answer := s.anonymous().follow(t, server, "/me/events"); answer.status != http.StatusUnauthorized {
		t.Errorf("%d", answer.status)
	}
	olga := s.withRole("olga", account.RoleOrganiser)
	if _, answer := olga.follow(t, server, "/me/events"); answer.status != http.StatusConflict {
		t.Errorf("%d", answer.status)
	}
	ada := s.register("ada")
	events := ada.mine(t, server)
	ada.send(http.MethodDelete, "/sessions/current", nil).want(t, http.StatusNoContent)
	select {
	case e, open := <-events:
		if open {
			t.Errorf("%+v after the session has ended", e)
		}
	case <-time.After(10 * time.Second):
		t.Error("the stream goes on after its session")
	}
}
