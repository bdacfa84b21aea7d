package api_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestOneStreamForCasualGames follows two players through an invitation, a game and its end.
func TestOneStreamForCasualGames(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	bob.Send(http.MethodPatch, "/me", `{"open_to_challenges":false}`).Want(t, http.StatusOK)
	hers, his := ada.AccountEvents(t, server), bob.AccountEvents(t, server)
	id := apitest.FriendlyGame(t, ada, bob, "")
	apitest.Each(t, his, id, "invited")
	bob.Post("/games/"+id+"/accept", nil).Want(t, http.StatusOK)
	apitest.Each(t, his, id, "game_started")
	turn := apitest.Each(t, hers, id, "game_started", "my_turn")
	if legal, _ := turn.Data["legal"].(map[string]any); legal["1"] == nil {
		t.Errorf("no legal moves: %v", turn.Data)
	}
	apitest.Play(t, id, ada, 1, "c1-c5")
	apitest.Each(t, his, id, "my_turn")
	bob.Post("/games/"+id+"/draw", `{"action":"offer"}`).Want(t, http.StatusOK)
	if offer := apitest.Each(t, hers, id, "offer"); offer.Data["draw_offer"] != 2.0 {
		t.Errorf("%v", offer.Data)
	}
	apitest.Play(t, id, bob, 2, "a1-e1")
	apitest.Each(t, hers, id, "my_turn")
	ada.Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK)
	for _, events := range []<-chan apitest.Event{hers, his} {
		if over := apitest.Each(t, events, id, "game_over"); over.Data["status"] != "finished" || over.Data["legal"] == nil {
			t.Errorf("%v", over.Data)
		}
	}
	declined := apitest.FriendlyGame(t, ada, bob, "")
	apitest.Each(t, his, declined, "invited")
	bob.Post("/games/"+declined+"/decline", `{}`).Want(t, http.StatusOK)
	if over := apitest.Each(t, hers, declined, "game_over"); over.Data["status"] != "aborted" {
		t.Errorf("%v", over.Data)
	}
}

// TestOneStreamForATournament follows a player from the entry to the end, by rounds, pairings, rulings and answers.
func TestOneStreamForATournament(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	people := map[string]apitest.Person{ada.Player: ada, bob.Player: bob}
	made := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	path := "/tournaments/" + made
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	hers := ada.AccountEvents(t, server)
	entry := ada.Post(path+"/entries", map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated).Text("id")
	if notice := apitest.Each(t, hers, made, "notice"); notice.Data["kind"] != "entered" {
		t.Errorf("%v", notice.Data)
	}
	bob.Post(path+"/entries", map[string]any{"player_id": bob.Player}).Want(t, http.StatusCreated)
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	if notice := apitest.Each(t, hers, made, "notice"); notice.Data["kind"] != "tournament_started" {
		t.Errorf("%v", notice.Data)
	}
	round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	if told := apitest.Each(t, hers, made, "round_published"); told.Data["number"] != 1.0 || told.Data["boards"] != 1.0 {
		t.Errorf("%v", told.Data)
	}
	pairing := apitest.Each(t, hers, made, "my_pairing")
	game := round.Text("pairings", 0, "game_id")
	if own := pairing.Data["pairing"].(map[string]any); own["game_id"] != game || pairing.Data["entry_id"] != entry {
		t.Errorf("%v", pairing.Data)
	}
	apitest.Each(t, hers, game, "game_started")
	first := people[s.Anonymous().Get("/games/"+game).Text("seats", 0, "player", "id")]
	if first.Player == ada.Player {
		apitest.Each(t, hers, game, "my_turn")
	}
	ada.Post("/games/"+game+"/call", `{"word":"my clock"}`).Want(t, http.StatusNoContent)
	call := olga.Get(path+"/calls").Text("items", 0, "id")
	olga.Send(http.MethodPut, path+"/calls/"+call, `{"status":"seen"}`).Want(t, http.StatusNoContent)
	if told := apitest.Each(t, hers, made, "arbiter_answered"); told.Data["status"] != "seen" ||
		told.Data["call_id"] != call {
		t.Errorf("%v", told.Data)
	}
	olga.Post("/games/"+game+"/pause", `{"reason":"fire alarm"}`).Want(t, http.StatusOK)
	apitest.Each(t, hers, game, "ruling")
	olga.Post("/games/"+game+"/resume", `{"reason":"false alarm"}`).Want(t, http.StatusOK)
	apitest.Each(t, hers, game, "ruling")
	if first.Player == ada.Player {
		apitest.Each(t, hers, game, "my_turn")
	}
	olga.Post("/games/"+game+"/adjudicate", `{"ranks":[1,2],"reason":"time"}`).Want(t, http.StatusOK)
	apitest.Each(t, hers, game, "ruling", "game_over")
	olga.Post(path+"/finish", nil).Want(t, http.StatusOK)
	if notice := apitest.Each(t, hers, made, "notice"); notice.Data["kind"] != "tournament_finished" {
		t.Errorf("%v", notice.Data)
	}
}

// TestAccountStreamsResumeWithoutAGap has a reader that never leaves, and another that comes back after every change:
// both are sent the same events. A third was away all the time, and is sent what is new of each game, once.
func TestAccountStreamsResumeWithoutAGap(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	stays := ada.AccountEvents(t, server)
	first, _ := ada.Follow(t, server, "/me/events")
	begin := apitest.NextEvent(t, first, "state").ID
	at := begin
	both := func(name string) {
		t.Helper()
		stayed := apitest.NextEvent(t, stays, name)
		again, _ := ada.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", at})
		came := apitest.NextEvent(t, again, name)
		if came.Data["id"] != stayed.Data["id"] || came.Data["version"] != stayed.Data["version"] {
			t.Errorf("%s: one is told of %v, the other of %v", name, stayed.Data["version"], came.Data["version"])
		}
		if came.ID != "" {
			at = came.ID
		}
	}
	one := apitest.FriendlyGame(t, ada, bob, "")
	for _, name := range []string{"game_started", "my_turn"} { // of a single change
		apitest.NextEvent(t, stays, name)
	}
	again, _ := ada.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", at})
	apitest.NextEvent(t, again, "game_started")
	at = apitest.NextEvent(t, again, "my_turn").ID
	apitest.Play(t, one, ada, 1, "c1-c5")
	apitest.Play(t, one, bob, 2, "a1-e1")
	both("my_turn")
	two := apitest.FriendlyGame(t, ada, bob, "")
	for _, name := range []string{"game_started", "my_turn"} {
		apitest.NextEvent(t, stays, name)
	}
	bob.Post("/games/"+one+"/resign", nil).Want(t, http.StatusOK)
	apitest.NextEvent(t, stays, "game_over")
	again, _ = ada.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", at})
	told := map[any][]string{}
	for range 3 {
		e := <-again
		told[e.Data["id"]] = append(told[e.Data["id"]], e.Name)
		at = e.ID
	}
	if !slices.Equal(told[one], []string{"game_over"}) || !slices.Equal(told[two], []string{"game_started", "my_turn"}) {
		t.Errorf("told %v", told)
	}
	quiet, _ := ada.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", at})
	away, _ := ada.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", begin})
	all := map[any][]string{}
	for range 3 {
		e := <-away
		all[e.Data["id"]] = append(all[e.Data["id"]], e.Name)
	}
	if !slices.Equal(all[one], []string{"game_over"}) ||
		!slices.Equal(all[two], []string{"game_started", "my_turn"}) {
		t.Errorf("told %v", all)
	}
	bob.Post("/games/"+two+"/resign", nil).Want(t, http.StatusOK)
	for _, events := range []<-chan apitest.Event{quiet, stays} { // nothing came twice
		apitest.Each(t, events, two, "game_over")
	}
	fresh, _ := ada.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", "nonsense"})
	apitest.NextEvent(t, fresh, "state")
}

// TestAccountStreamsShowWhoIsThere: an open stream connects its player to its games, and opponents see it.
func TestAccountStreamsShowWhoIsThere(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.FriendlyGame(t, ada, bob, "")
	hers := ada.AccountEvents(t, server)
	apitest.Each(t, hers, id, "game_started", "my_turn")
	his, _ := bob.Follow(t, server, "/me/events")
	apitest.NextEvent(t, his, "state")
	apitest.Each(t, his, id, "game_started")
	back := apitest.Each(t, hers, id, "opponent_back")
	if seats := back.Data["seats"].([]any); seats[1].(map[string]any)["connected"] != true || back.ID != "" {
		t.Errorf("%+v", back)
	}
}

// TestAccountStreamsAreForPlayers refuses accounts without a player, and requests without a token.
func TestAccountStreamsAreForPlayers(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	if _, answer := s.Anonymous().Follow(t, server, "/me/events"); answer.Status != http.StatusUnauthorized {
		t.Errorf("%d", answer.Status)
	}
	olga := s.WithRole("olga", account.RoleOrganiser)
	if _, answer := olga.Follow(t, server, "/me/events"); answer.Status != http.StatusConflict {
		t.Errorf("%d", answer.Status)
	}
	ada := s.Register("ada")
	events := ada.AccountEvents(t, server)
	ada.Send(http.MethodDelete, "/sessions/current", nil).Want(t, http.StatusNoContent)
	select {
	case e, open := <-events:
		if open {
			t.Errorf("%+v after the session has ended", e)
		}
	case <-time.After(10 * time.Second):
		t.Error("the stream goes on after its session")
	}
}
