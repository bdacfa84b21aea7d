package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// openGame is the body of a request for a game of a player with open seats.
func openGame(variant, player string, open int) map[string]any {
	seats := []any{map[string]any{"player_id": player}}
	for range open {
		seats = append(seats, map[string]any{"open": true})
	}
	return map[string]any{"variant": variant, "time_control": "300+3", "rated": true, "seats": seats}
}

// TestAnOpenGameFillsUp goes through an open game of four over REST.
func TestAnOpenGameFillsUp(t *testing.T) {
	s := newService(t)
	ada, bob, cyd, eve, dan := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd"), s.reserved("eve"),
		s.reserved("dan")
	made := ada.post("/games", openGame("quixo/teams", ada.player, 3)).want(t, http.StatusCreated)
	id := made.text("id")
	if made.text("status") != "waiting" || made.at("open") != true || made.at("seats", 1, "open") != true ||
		made.at("seats", 0, "open") != nil {
		t.Errorf("as it was made: %s", made.raw)
	}
	private := ada.post("/games", with(openGame("quixo/duel", ada.player, 1), "private", true)).want(t, http.StatusCreated)
	list := s.anonymous().get("/games?open=true&variant=quixo%2Fteams").want(t, http.StatusOK)
	if n := len(list.list("items")); n != 1 || list.text("items", 0, "id") != id ||
		list.at("items", 0, "seats", 2, "open") != true {
		t.Errorf("the list: %s", list.raw)
	}
	s.anonymous().get("/games?open=true").want(t, http.StatusOK).lacks(t, private.text("id"))
	s.anonymous().get("/games?open=true&status=running").refused(t, http.StatusUnprocessableEntity, "invalid")

	bob.post("/games/"+id+"/sit", nil).want(t, http.StatusOK)
	cyd.post("/games/"+id+"/sit", map[string]any{"seat": 4}).want(t, http.StatusOK)
	eve.post("/games/"+id+"/sit", map[string]any{"seat": 4}).refused(t, http.StatusConflict, "seat-taken")
	cyd.post("/games/"+id+"/abort", nil).refused(t, http.StatusForbidden, "not-creator")
	left := cyd.post("/games/"+id+"/leave", map[string]any{"reason": "The bus is here"}).want(t, http.StatusOK)
	if left.text("status") != "waiting" || !strings.Contains(string(left.raw), "declined by Player cyd: The bus is here") {
		t.Errorf("after one has left: %s", left.raw)
	}
	eve.post("/games/"+id+"/leave", nil).refused(t, http.StatusForbidden, "not-your-seat")
	eve.post("/games/"+id+"/sit", nil).want(t, http.StatusOK)
	begun := dan.post("/games/"+id+"/sit", nil).want(t, http.StatusOK)
	if begun.text("status") != "running" || begun.kinds() != "accept accept stand accept accept start" {
		t.Errorf("with the last seat: %s %s", begun.text("status"), begun.kinds())
	}
	cyd.post("/games/"+id+"/sit", nil).refused(t, http.StatusConflict, "seat-taken")
	ada.post("/games/"+id+"/moves", map[string]any{"seat": 1, "turn": 1, "move": ada.legal(id)}).want(t, http.StatusOK)
	s.anonymous().get("/games?open=true").want(t, http.StatusOK).lacks(t, id)
}

// legal returns a legal move of the person in a game.
func (p person) legal(id string) string {
	game := p.get("/games/"+id).want(p.s.t, http.StatusOK)
	for _, moves := range game.at("legal").(map[string]any) {
		return moves.([]any)[0].(string)
	}
	return ""
}

// TestAPrivateGame is for holders of its code, which only its players see.
func TestAPrivateGame(t *testing.T) {
	s := newService(t)
	ada, bob, cyd := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd")
	key := with(openGame("quivive/melee", ada.player, 2), "private", true)
	made := ada.post("/games", key).want(t, http.StatusCreated)
	id, code := made.text("id"), made.text("code")
	if len(code) < 20 || made.at("private") != true {
		t.Fatal(made.raw)
	}
	for _, other := range []person{bob, s.anonymous()} {
		other.get("/games/"+id).want(t, http.StatusOK).has(t, `"private":true`).lacks(t, code)
		other.get("/games?status=waiting").want(t, http.StatusOK).lacks(t, code)
	}
	bob.post("/games/"+id+"/sit", nil).refused(t, http.StatusForbidden, "code")
	bob.post("/games/"+id+"/sit", map[string]any{"code": "guess"}).refused(t, http.StatusForbidden, "code")
	bob.post("/games/"+id+"/sit", map[string]any{"code": code}).want(t, http.StatusOK).has(t, code)
	if begun := cyd.post("/games/"+id+"/sit", map[string]any{"code": code}).
		want(t, http.StatusOK); begun.text("status") != "running" || strings.Contains(string(begun.raw), code) {
		t.Error(begun.raw)
	}
}

// TestOpenGamesThatAreRefused tries to open impossible games.
func TestOpenGamesThatAreRefused(t *testing.T) {
	s := newService(t)
	ada, bob := s.reserved("ada"), s.reserved("bob")
	ada.post("/games", with(gameOf("quixo/duel", ada.player, bob.player), "private", true)).
		refused(t, http.StatusUnprocessableEntity, "invalid")
	for _, seat := range []map[string]any{{}, {"open": false}, {"open": true, "player_id": bob.player}} {
		body := openGame("quixo/duel", ada.player, 0)
		body["seats"] = append(body["seats"].([]any), seat)
		ada.post("/games", body).refused(t, http.StatusUnprocessableEntity, "invalid")
	}
	ada.post("/games", openGame("quixo/duel", bob.player, 1)).refused(t, http.StatusForbidden, "forbidden")
	id := ada.post("/games", openGame("quixo/duel", ada.player, 1)).want(t, http.StatusCreated).text("id")
	s.anonymous().post("/games/"+id+"/sit", nil).refused(t, http.StatusUnauthorized, "unauthorized")
	bob.tokenFor("read").post("/games/"+id+"/sit", nil).refused(t, http.StatusForbidden, "insufficient-scope")
	bob.post("/games/unknown/sit", nil).refused(t, http.StatusNotFound, "not-found")
	bob.post("/games/"+id+"/sit", map[string]any{"seat": 1}).refused(t, http.StatusConflict, "seat-taken")
	direct := ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated).text("id")
	s.reserved("cyd").post("/games/"+direct+"/sit", nil).refused(t, http.StatusConflict, "not-open")
	ada.post("/games/"+direct+"/leave", nil).refused(t, http.StatusConflict, "not-open")
	for range 4 {
		ada.post("/games", openGame("quixo/duel", ada.player, 1)).want(t, http.StatusCreated)
	}
	ada.post("/games", openGame("quixo/duel", ada.player, 1)).refused(t, http.StatusConflict, "too-many-invitations")
	ada.post("/games/"+id+"/leave", nil).want(t, http.StatusOK).has(t, `"status":"aborted"`)
	ada.post("/games/"+id+"/leave", nil).want(t, http.StatusOK)
	bob.post("/games/"+id+"/sit", nil).refused(t, http.StatusConflict, "game-over")
	ada.post("/games", openGame("quixo/duel", ada.player, 1)).want(t, http.StatusCreated)
}

// TestSittingDownIsSafeToRepeat sends the request that takes a seat twice with the same key, and at the same moment as
// others.
func TestSittingDownIsSafeToRepeat(t *testing.T) {
	s := newService(t)
	ada := s.reserved("ada")
	id := ada.post("/games", openGame("quixo/duel", ada.player, 1)).want(t, http.StatusCreated).text("id")
	var players []person
	for i := range 6 {
		players = append(players, s.reserved(fmt.Sprint("p", i)))
	}
	taken := make([]int, len(players))
	var group sync.WaitGroup
	for i, p := range players {
		group.Go(func() { taken[i] = p.post("/games/"+id+"/sit", nil).status })
	}
	group.Wait()
	won := 0
	for i, status := range taken {
		switch status {
		case http.StatusOK:
			won++
			players[i].post("/games/"+id+"/sit", nil).want(t, http.StatusOK)
		case http.StatusConflict:
		default:
			t.Errorf("status %d", status)
		}
	}
	if won != 1 {
		t.Errorf("%d took the last seat", won)
	}
}

// TestBlockedPlayers neither challenge nor join the players that blocked them, and do not learn why.
func TestBlockedPlayers(t *testing.T) {
	s := newService(t)
	ada, bob, cyd := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd")
	ada.post("/me/blocks", map[string]any{"player_id": ada.player}).refused(t, http.StatusUnprocessableEntity, "invalid")
	ada.post("/me/blocks", map[string]any{"player_id": "unknown"}).refused(t, http.StatusUnprocessableEntity, "invalid")
	ada.tokenFor("read").post("/me/blocks", map[string]any{"player_id": bob.player}).
		refused(t, http.StatusForbidden, "insufficient-scope")
	for range 2 {
		list := ada.post("/me/blocks", map[string]any{"player_id": bob.player}).want(t, http.StatusOK)
		if list.text("items", 0, "player", "name") != "Player bob" || len(list.list("items")) != 1 {
			t.Errorf("%s", list.raw)
		}
	}
	bob.get("/me/blocks").want(t, http.StatusOK).lacks(t, ada.player)
	refusal := bob.post("/games", gameOf("quixo/duel", bob.player, ada.player)).
		refused(t, http.StatusUnprocessableEntity, "invalid")
	closed := cyd.send(http.MethodPatch, "/me", map[string]any{"closed_to_challenges": true}).want(t, http.StatusOK)
	if closed.at("closed_to_challenges") != true || closed.at("open_to_challenges") != false {
		t.Error(closed.raw)
	}
	other := bob.post("/games", gameOf("quixo/duel", bob.player, cyd.player)).
		refused(t, http.StatusUnprocessableEntity, "invalid")
	if a, b := refusal.text("errors", 0, "detail"),
		other.text("errors", 0, "detail"); strings.Replace(a, "Player ada", "Player cyd", 1) != b {
		t.Errorf("who has blocked one is told from who takes no challenges: %q, %q", a, b)
	}
	id := ada.post("/games", openGame("quivive/melee", ada.player, 2)).want(t, http.StatusCreated).text("id")
	bob.post("/games/"+id+"/sit", nil).refused(t, http.StatusForbidden, "unwelcome")
	cyd.post("/games/"+id+"/sit", nil).want(t, http.StatusOK)
	if back := ada.send(http.MethodDelete, "/me/blocks/"+bob.player, nil); back.status != http.StatusNoContent {
		t.Error(back.raw)
	}
	bob.post("/games/"+id+"/sit", nil).want(t, http.StatusOK).has(t, `"status":"running"`)
	both := map[string]any{"open_to_challenges": true, "closed_to_challenges": true}
	cyd.send(http.MethodPatch, "/me", both).refused(t, http.StatusUnprocessableEntity, "invalid")
	open := cyd.send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).want(t, http.StatusOK)
	if open.at("closed_to_challenges") != false {
		t.Errorf("open and closed at once: %s", open.raw)
	}
}

// TestBlockingOnThePages declines with a block, which the account's page shows and takes back.
func TestBlockingOnThePages(t *testing.T) {
	s := newService(t, withRealPages)
	ada, bob := s.reserved("ada"), s.reserved("bob")
	id := bob.post("/games", gameOf("quixo/duel", bob.player, ada.player)).want(t, http.StatusCreated).text("id")
	browser := s.visits("ada")
	browser.post("/play/"+id+"/leave", "word", "No thanks", "block", "1").to(t, "/play?said=declined")
	bob.post("/games", gameOf("quixo/duel", bob.player, ada.player)).refused(t, http.StatusUnprocessableEntity, "invalid")
	if seen := bob.get("/games/"+id).want(t, http.StatusOK); !strings.Contains(string(seen.raw),
		"declined by Player ada: No thanks") {
		t.Errorf("%s", seen.raw)
	}
	browser.get("/me").has(t, "Player bob")
	browser.post("/me/unblock", "player", bob.player).to(t, "/me?said=saved")
	bob.post("/games", gameOf("quixo/duel", bob.player, ada.player)).want(t, http.StatusCreated)
}
