package rest_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestANumberThatIsZeroIsSent plays with clocks that show 0 after a move, and looks for the members that show it in the
// game, its record and its stream.
func TestANumberThatIsZeroIsSent(t *testing.T) {
	s, server := apitest.Serving(t)
	root, ada, bob := s.WithRole("root", account.RoleAdmin), s.Register("ada"), s.Register("bob")
	open := func(control string) string {
		return ada.Post("/games", `{"variant":"quixo/duel","time_control":"`+control+
			`","rated":false,"start":"now","seats":[{"player_id":"`+
			ada.Player+`"},{"player_id":"`+bob.Player+`"}]}`).Want(t, http.StatusCreated).Text("id")
	}
	lastMove := func(a *apitest.Answer, list string) map[string]any {
		t.Helper()
		items := a.List(list)
		for i := len(items) - 1; i >= 0; i-- {
			if a.Text(list, i, "kind") == "move" {
				return items[i].(map[string]any)
			}
		}
		t.Fatalf("no move in %s", a.Raw)
		return nil
	}
	json := apitest.Header{"Accept", "application/json"}
	for _, c := range []struct {
		control string
		timed   bool
	}{{"0y3x30", true}, {"0d5", true}, {"none", false}} {
		game := open(c.control)
		events, _ := s.Anonymous().Follow(t, server, "/games/"+game+"/events")
		apitest.NextEvent(t, events, "state")
		played := ada.Post("/games/"+game+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)
		told := map[string]map[string]any{
			"the game":   lastMove(played, "events"),
			"the record": lastMove(s.Anonymous().Get("/games/"+game+"/record", json).Want(t, http.StatusOK), "entries"),
			"the stream": lastMove(&apitest.Answer{Body: apitest.NextEvent(t, events, "move").Data}, "events"),
		}
		for where, line := range told {
			if left, there := line["remaining_ms"]; there != c.timed || c.timed && left != 0.0 {
				t.Errorf("%s, %s: %v", c.control, where, line)
			}
			if _, there := line["elapsed_ms"]; !there {
				t.Errorf("%s, %s: %v", c.control, where, line)
			}
		}
	}
	game := open("60y1x30")
	root.Post("/games/"+game+"/pause", `{"reason":"the arbiter looks"}`).Want(t, http.StatusOK)
	spent := root.Post("/games/"+game+"/clock", `{"seat":1,"set_ms":5000,"periods":0,"reason":"the period was used"}`).Want(t, http.StatusOK)
	if spent.At("seats", 0, "periods") != 0.0 || spent.At("seats", 1, "periods") != 1.0 {
		t.Errorf("no period is left: %s", spent.Raw)
	}
}
