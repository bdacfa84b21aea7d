package api_test

import (
	"net/http"
	"testing"

	"quatuor/engine/chance"
)

// TestOneStreamForNonces: the stream of each player has when the commitment is due, and the nonce, once each, and nothing
// of the other's.
func TestOneStreamForNonces(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	ada, bob := s.register("ada"), s.register("bob")
	bob.send(http.MethodPatch, "/me", `{"open_to_challenges":false}`).want(t, http.StatusOK)
	hers, his := ada.mine(t, server), bob.mine(t, server)
	game := pool(t, ada, bob).text("id")
	at := "/games/" + game
	each(t, his, game, "invited")
	bob.post(at+"/accept", nil).want(t, http.StatusOK)
	each(t, his, game, "my_nonce")
	if due := each(t, hers, game, "my_nonce"); due.data["status"] != "waiting" {
		t.Errorf("%v", due.data)
	}
	one, two := chance.Nonce{1, 0xee}, chance.Nonce{2, 0xee}
	ada.post(at+"/nonce", commitment(1, one)).want(t, http.StatusOK)
	bob.post(at+"/nonce", commitment(2, two)).want(t, http.StatusOK)
	each(t, his, game, "my_nonce")
	each(t, hers, game, "my_nonce")
	again := ada.mine(t, server)
	each(t, again, game, "my_nonce") // still open
	ada.post(at+"/nonce", nonce(1, one)).want(t, http.StatusOK)
	late := ada.mine(t, server) // she has sent hers
	bob.post(at+"/nonce", nonce(2, two)).want(t, http.StatusOK)
	each(t, his, game, "game_started")
	each(t, again, game, "game_started")
	each(t, late, game, "game_started")
}

// TestOneStreamForTeamMembers: a player is asked to be in a team, whichever comes first, stream or team, and is entered by
// agreeing. Other members are sent nothing of that.
func TestOneStreamForTeamMembers(t *testing.T) {
	s := newService(t)
	server := s.listening(t)
	_, path := teamEvent(t, s)
	ada, bob := s.register("ada"), s.register("bob")
	hers, his := ada.mine(t, server), bob.mine(t, server)
	made := ada.post(path+"/entries", map[string]any{"name": "First", "members": []string{ada.player, bob.player}}).
		want(t, http.StatusCreated)
	id, entry := path[len("/tournaments/"):], path+"/entries/"+made.text("id")
	if notice := each(t, hers, id, "notice"); notice.data["kind"] != "entered" {
		t.Errorf("%v", notice.data)
	}
	first := each(t, his, id, "team_invited")
	if e, _ := first.data["entry"].(map[string]any); e["id"] != made.text("id") || e["name"] != "First" {
		t.Errorf("%v", first.data)
	}
	late := bob.mine(t, server)
	each(t, late, id, "team_invited")
	back, _ := bob.follow(t, server, "/me/events", header{"Last-Event-ID", first.id})
	bob.post(entry+"/agree", nil).want(t, http.StatusOK)
	for _, events := range []<-chan event{his, late, back} {
		if notice := each(t, events, id, "notice"); notice.data["kind"] != "entered" {
			t.Errorf("%v", notice.data)
		}
	}
	ada.post(entry+"/withdraw", nil).want(t, http.StatusOK)
	for _, events := range []<-chan event{hers, his} {
		if notice := each(t, events, id, "notice"); notice.data["kind"] != "withdrawn" {
			t.Errorf("%v", notice.data)
		}
	}
}
