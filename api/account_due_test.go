package api_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/chance"
)

// TestOneStreamForNonces: the stream of each player has when the commitment is due, and the nonce, once each, and nothing
// of the other's.
func TestOneStreamForNonces(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	bob.Send(http.MethodPatch, "/me", `{"open_to_challenges":false}`).Want(t, http.StatusOK)
	hers, his := ada.AccountEvents(t, server), bob.AccountEvents(t, server)
	game := apitest.PooledGame(t, ada, bob).Text("id")
	at := "/games/" + game
	apitest.Each(t, his, game, "invited")
	bob.Post(at+"/accept", nil).Want(t, http.StatusOK)
	apitest.Each(t, his, game, "my_nonce")
	if due := apitest.Each(t, hers, game, "my_nonce"); due.Data["status"] != "waiting" {
		t.Errorf("%v", due.Data)
	}
	one, two := chance.Nonce{1, 0xee}, chance.Nonce{2, 0xee}
	ada.Post(at+"/nonce", apitest.Commitment(1, one)).Want(t, http.StatusOK)
	bob.Post(at+"/nonce", apitest.Commitment(2, two)).Want(t, http.StatusOK)
	apitest.Each(t, his, game, "my_nonce")
	apitest.Each(t, hers, game, "my_nonce")
	again := ada.AccountEvents(t, server)
	apitest.Each(t, again, game, "my_nonce") // still open
	ada.Post(at+"/nonce", apitest.Nonce(1, one)).Want(t, http.StatusOK)
	late := ada.AccountEvents(t, server) // she has sent hers
	bob.Post(at+"/nonce", apitest.Nonce(2, two)).Want(t, http.StatusOK)
	apitest.Each(t, his, game, "game_started")
	apitest.Each(t, again, game, "game_started")
	apitest.Each(t, late, game, "game_started")
}

// TestOneStreamForTeamMembers: a player gets an invitation to a team, whichever comes first, stream or team, and is
// entered by agreeing. Other members are sent nothing of that.
func TestOneStreamForTeamMembers(t *testing.T) {
	s := apitest.New(t)
	server := s.Listening(t)
	_, path := apitest.TeamEvent(t, s)
	ada, bob := s.Register("ada"), s.Register("bob")
	hers, his := ada.AccountEvents(t, server), bob.AccountEvents(t, server)
	made := ada.Post(path+"/entries", map[string]any{"name": "First", "members": []string{ada.Player, bob.Player}}).
		Want(t, http.StatusCreated)
	id, entry := path[len("/tournaments/"):], path+"/entries/"+made.Text("id")
	if notice := apitest.Each(t, hers, id, "notice"); notice.Data["kind"] != "entered" {
		t.Errorf("%v", notice.Data)
	}
	first := apitest.Each(t, his, id, "team_invited")
	if e, _ := first.Data["entry"].(map[string]any); e["id"] != made.Text("id") || e["name"] != "First" {
		t.Errorf("%v", first.Data)
	}
	late := bob.AccountEvents(t, server)
	apitest.Each(t, late, id, "team_invited")
	back, _ := bob.Follow(t, server, "/me/events", apitest.Header{"Last-Event-ID", first.ID})
	bob.Post(entry+"/agree", nil).Want(t, http.StatusOK)
	for _, events := range []<-chan apitest.Event{his, late, back} {
		if notice := apitest.Each(t, events, id, "notice"); notice.Data["kind"] != "entered" {
			t.Errorf("%v", notice.Data)
		}
	}
	ada.Post(entry+"/withdraw", nil).Want(t, http.StatusOK)
	for _, events := range []<-chan apitest.Event{hers, his} {
		if notice := apitest.Each(t, events, id, "notice"); notice.Data["kind"] != "withdrawn" {
			t.Errorf("%v", notice.Data)
		}
	}
}
