package api_test

import (
	"net/http"
	"testing"
)

// TestPlayersSeePresence reads presence as each of them; only the game's own players are ever noted, and only while it
// goes on.
func TestPlayersSeePresence(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	path := "/games/" + friendly(t, ada, bob, "")
	eve.get(path).want(t, http.StatusOK)
	for _, viewer := range []person{s.anonymous(), eve} {
		g := viewer.get(path).want(t, http.StatusOK).lacks(t, "last_seen", eve.player)
		if g.at("seats", 0, "connected") != false || g.at("seats", 1, "connected") != false {
			t.Errorf("nobody has come: %s", g.raw)
		}
	}
	bob.get(path).want(t, http.StatusOK)
	if g := s.anonymous().get(path); g.at("seats", 0, "connected") != false || g.at("seats", 1, "connected") != true {
		t.Errorf("bob has come: %s", g.raw)
	}
	answer := ada.post(path+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK)
	if answer.at("seats", 0, "connected") != true {
		t.Errorf("ada has moved: %s", answer.raw)
	}
	s.anonymous().get(path+"/record").want(t, http.StatusOK).lacks(t, "connected")
	bob.post(path+"/resign", nil).want(t, http.StatusOK).lacks(t, "connected", "last_seen")
}
