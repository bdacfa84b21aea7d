package api_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
)

// TestPlayersSeePresence reads presence as each of them; only the game's own players are ever noted, and only while it
// goes on.
func TestPlayersSeePresence(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	path := "/games/" + apitest.FriendlyGame(t, ada, bob, "")
	eve.Get(path).Want(t, http.StatusOK)
	for _, viewer := range []apitest.Person{s.Anonymous(), eve} {
		g := viewer.Get(path).Want(t, http.StatusOK).Lacks(t, "last_seen", eve.Player)
		if g.At("seats", 0, "connected") != false || g.At("seats", 1, "connected") != false {
			t.Errorf("nobody has come: %s", g.Raw)
		}
	}
	bob.Get(path).Want(t, http.StatusOK)
	if g := s.Anonymous().Get(path); g.At("seats", 0, "connected") != false || g.At("seats", 1, "connected") != true {
		t.Errorf("bob has come: %s", g.Raw)
	}
	answer := ada.Post(path+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)
	if answer.At("seats", 0, "connected") != true {
		t.Errorf("ada has moved: %s", answer.Raw)
	}
	s.Anonymous().Get(path+"/record").Want(t, http.StatusOK).Lacks(t, "connected")
	bob.Post(path+"/resign", nil).Want(t, http.StatusOK).Lacks(t, "connected", "last_seen")
}
