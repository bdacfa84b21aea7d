package api_test

import (
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// TestANumberThatIsZeroIsSent plays with clocks that show 0 after a move, and looks for the members that show it in the
// game, its record and its stream.
func TestANumberThatIsZeroIsSent(t *testing.T) {
	s, server := serving(t)
	root, ada, bob := s.withRole("root", account.RoleAdmin), s.register("ada"), s.register("bob")
	open := func(control string) string {
		return ada.post("/games", `{"variant":"quixo/duel","time_control":"`+control+
			`","rated":false,"start":"now","seats":[{"player_id":"`+
			ada.player+`"},{"player_id":"`+bob.player+`"}]}`).want(t, http.StatusCreated).text("id")
	}
	lastMove := func(a *answer, list string) map[string]any {
		t.Helper()
		items := a.list(list)
		for i := len(items) - 1; i >= 0; i-- {
			if a.text(list, i, "kind") == "move" {
				return items[i].(map[string]any)
			}
		}
		t.Fatalf("no move in %s", a.raw)
		return nil
	}
	json := header{"Accept", "application/json"}
	for _, c := range []struct {
		control string
		timed   bool
	}{{"0y3x30", true}, {"0d5", true}, {"none", false}} {
		game := open(c.control)
		events, _ := s.anonymous().follow(t, server, "/games/"+game+"/events")
		next(t, events, "state")
		played := ada.post("/games/"+game+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK)
		told := map[string]map[string]any{
			"the game":   lastMove(played, "events"),
			"the record": lastMove(s.anonymous().get("/games/"+game+"/record", json).want(t, http.StatusOK), "entries"),
			"the stream": lastMove(&answer{body: next(t, events, "move").data}, "events"),
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
	root.post("/games/"+game+"/pause", `{"reason":"the arbiter looks"}`).want(t, http.StatusOK)
	spent := root.post("/games/"+game+"/clock", `{"seat":1,"set_ms":5000,"periods":0,"reason":"the period was used"}`).want(t, http.StatusOK)
	if spent.at("seats", 0, "periods") != 0.0 || spent.at("seats", 1, "periods") != 1.0 {
		t.Errorf("no period is left: %s", spent.raw)
	}
}
