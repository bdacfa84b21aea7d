package moves_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"quatuor/api/apitest"
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
	s := apitest.New(t)
	ada, bob, cyd, eve, dan := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd"), s.Reserved("eve"),
		s.Reserved("dan")
	made := ada.Post("/games", openGame("quixo/teams", ada.Player, 3)).Want(t, http.StatusCreated)
	id := made.Text("id")
	if made.Text("status") != "waiting" || made.At("open") != true || made.At("seats", 1, "open") != true ||
		made.At("seats", 0, "open") != nil {
		t.Errorf("as it was made: %s", made.Raw)
	}
	private := ada.Post("/games", apitest.With(openGame("quixo/duel", ada.Player, 1), "private", true)).
		Want(t, http.StatusCreated)
	list := s.Anonymous().Get("/games?open=true&variant=quixo%2Fteams").Want(t, http.StatusOK)
	if n := len(list.List("items")); n != 1 || list.Text("items", 0, "id") != id ||
		list.At("items", 0, "seats", 2, "open") != true {
		t.Errorf("the list: %s", list.Raw)
	}
	s.Anonymous().Get("/games?open=true").Want(t, http.StatusOK).Lacks(t, private.Text("id"))
	s.Anonymous().Get("/games?open=true&status=running").Refused(t, http.StatusUnprocessableEntity, "invalid")

	bob.Post("/games/"+id+"/sit", nil).Want(t, http.StatusOK)
	cyd.Post("/games/"+id+"/sit", map[string]any{"seat": 4}).Want(t, http.StatusOK)
	eve.Post("/games/"+id+"/sit", map[string]any{"seat": 4}).Refused(t, http.StatusConflict, "seat-taken")
	cyd.Post("/games/"+id+"/abort", nil).Refused(t, http.StatusForbidden, "not-creator")
	left := cyd.Post("/games/"+id+"/leave", map[string]any{"reason": "The bus is here"}).Want(t, http.StatusOK)
	if left.Text("status") != "waiting" || !strings.Contains(string(left.Raw), "declined by Player cyd: The bus is here") {
		t.Errorf("after one has left: %s", left.Raw)
	}
	eve.Post("/games/"+id+"/leave", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	eve.Post("/games/"+id+"/sit", nil).Want(t, http.StatusOK)
	begun := dan.Post("/games/"+id+"/sit", nil).Want(t, http.StatusOK)
	if begun.Text("status") != "running" || begun.Kinds() != "accept accept stand accept accept start" {
		t.Errorf("with the last seat: %s %s", begun.Text("status"), begun.Kinds())
	}
	cyd.Post("/games/"+id+"/sit", nil).Refused(t, http.StatusConflict, "seat-taken")
	ada.Post("/games/"+id+"/moves", map[string]any{"seat": 1, "turn": 1, "move": ada.LegalMoves(id)}).
		Want(t, http.StatusOK)
	s.Anonymous().Get("/games?open=true").Want(t, http.StatusOK).Lacks(t, id)
}

// TestAPrivateGame is for holders of its code, which only its players see.
func TestAPrivateGame(t *testing.T) {
	s := apitest.New(t)
	ada, bob, cyd := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd")
	key := apitest.With(openGame("quivive/melee", ada.Player, 2), "private", true)
	made := ada.Post("/games", key).Want(t, http.StatusCreated)
	id, code := made.Text("id"), made.Text("code")
	if len(code) < 20 || made.At("private") != true {
		t.Fatal(made.Raw)
	}
	for _, other := range []apitest.Person{bob, s.Anonymous()} {
		other.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"private":true`).Lacks(t, code)
		other.Get("/games?status=waiting").Want(t, http.StatusOK).Lacks(t, code)
	}
	bob.Post("/games/"+id+"/sit", nil).Refused(t, http.StatusForbidden, "code")
	bob.Post("/games/"+id+"/sit", map[string]any{"code": "guess"}).Refused(t, http.StatusForbidden, "code")
	bob.Post("/games/"+id+"/sit", map[string]any{"code": code}).Want(t, http.StatusOK).Has(t, code)
	if begun := cyd.Post("/games/"+id+"/sit", map[string]any{"code": code}).
		Want(t, http.StatusOK); begun.Text("status") != "running" || strings.Contains(string(begun.Raw), code) {
		t.Error(begun.Raw)
	}
}

// TestOpenGamesThatAreRefused tries to open impossible games.
func TestOpenGamesThatAreRefused(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Reserved("ada"), s.Reserved("bob")
	ada.Post("/games", apitest.With(apitest.GameOf("quixo/duel", ada.Player, bob.Player), "private", true)).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	for _, seat := range []map[string]any{{}, {"open": false}, {"open": true, "player_id": bob.Player}} {
		body := openGame("quixo/duel", ada.Player, 0)
		body["seats"] = append(body["seats"].([]any), seat)
		ada.Post("/games", body).Refused(t, http.StatusUnprocessableEntity, "invalid")
	}
	ada.Post("/games", openGame("quixo/duel", bob.Player, 1)).Refused(t, http.StatusForbidden, "forbidden")
	id := ada.Post("/games", openGame("quixo/duel", ada.Player, 1)).Want(t, http.StatusCreated).Text("id")
	s.Anonymous().Post("/games/"+id+"/sit", nil).Refused(t, http.StatusUnauthorized, "unauthorized")
	bob.TokenFor("read").Post("/games/"+id+"/sit", nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	bob.Post("/games/unknown/sit", nil).Refused(t, http.StatusNotFound, "not-found")
	bob.Post("/games/"+id+"/sit", map[string]any{"seat": 1}).Refused(t, http.StatusConflict, "seat-taken")
	direct := ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated).
		Text("id")
	s.Reserved("cyd").Post("/games/"+direct+"/sit", nil).Refused(t, http.StatusConflict, "not-open")
	ada.Post("/games/"+direct+"/leave", nil).Refused(t, http.StatusConflict, "not-open")
	for range 4 {
		ada.Post("/games", openGame("quixo/duel", ada.Player, 1)).Want(t, http.StatusCreated)
	}
	ada.Post("/games", openGame("quixo/duel", ada.Player, 1)).Refused(t, http.StatusConflict, "too-many-invitations")
	ada.Post("/games/"+id+"/leave", nil).Want(t, http.StatusOK).Has(t, `"status":"aborted"`)
	ada.Post("/games/"+id+"/leave", nil).Want(t, http.StatusOK)
	bob.Post("/games/"+id+"/sit", nil).Refused(t, http.StatusConflict, "game-over")
	ada.Post("/games", openGame("quixo/duel", ada.Player, 1)).Want(t, http.StatusCreated)
}

// TestSittingDownIsSafeToRepeat sends the request that takes a seat twice with the same key, and at the same moment as
// others.
func TestSittingDownIsSafeToRepeat(t *testing.T) {
	s := apitest.New(t)
	ada := s.Reserved("ada")
	id := ada.Post("/games", openGame("quixo/duel", ada.Player, 1)).Want(t, http.StatusCreated).Text("id")
	var players []apitest.Person
	for i := range 6 {
		players = append(players, s.Reserved(fmt.Sprint("p", i)))
	}
	taken := make([]int, len(players))
	var group sync.WaitGroup
	for i, p := range players {
		group.Go(func() { taken[i] = p.Post("/games/"+id+"/sit", nil).Status })
	}
	group.Wait()
	won := 0
	for i, status := range taken {
		switch status {
		case http.StatusOK:
			won++
			players[i].Post("/games/"+id+"/sit", nil).Want(t, http.StatusOK)
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
	s := apitest.New(t)
	ada, bob, cyd := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd")
	ada.Post("/me/blocks", map[string]any{"player_id": ada.Player}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	ada.Post("/me/blocks", map[string]any{"player_id": "unknown"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	ada.TokenFor("read").Post("/me/blocks", map[string]any{"player_id": bob.Player}).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	for range 2 {
		list := ada.Post("/me/blocks", map[string]any{"player_id": bob.Player}).Want(t, http.StatusOK)
		if list.Text("items", 0, "player", "name") != "Player bob" || len(list.List("items")) != 1 {
			t.Errorf("%s", list.Raw)
		}
	}
	bob.Get("/me/blocks").Want(t, http.StatusOK).Lacks(t, ada.Player)
	refusal := bob.Post("/games", apitest.GameOf("quixo/duel", bob.Player, ada.Player)).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	closed := cyd.Send(http.MethodPatch, "/me", map[string]any{"closed_to_challenges": true}).Want(t, http.StatusOK)
	if closed.At("closed_to_challenges") != true || closed.At("open_to_challenges") != false {
		t.Error(closed.Raw)
	}
	other := bob.Post("/games", apitest.GameOf("quixo/duel", bob.Player, cyd.Player)).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	if a, b := refusal.Text("errors", 0, "detail"),
		other.Text("errors", 0, "detail"); strings.Replace(a, "Player ada", "Player cyd", 1) != b {
		t.Errorf("who has blocked one is told from who takes no challenges: %q, %q", a, b)
	}
	id := ada.Post("/games", openGame("quivive/melee", ada.Player, 2)).Want(t, http.StatusCreated).Text("id")
	bob.Post("/games/"+id+"/sit", nil).Refused(t, http.StatusForbidden, "unwelcome")
	cyd.Post("/games/"+id+"/sit", nil).Want(t, http.StatusOK)
	if back := ada.Send(http.MethodDelete, "/me/blocks/"+bob.Player, nil); back.Status != http.StatusNoContent {
		t.Error(back.Raw)
	}
	bob.Post("/games/"+id+"/sit", nil).Want(t, http.StatusOK).Has(t, `"status":"running"`)
	both := map[string]any{"open_to_challenges": true, "closed_to_challenges": true}
	cyd.Send(http.MethodPatch, "/me", both).Refused(t, http.StatusUnprocessableEntity, "invalid")
	open := cyd.Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).Want(t, http.StatusOK)
	if open.At("closed_to_challenges") != false {
		t.Errorf("open and closed at once: %s", open.Raw)
	}
}

// TestBlockingOnThePages declines with a block, which the account's page shows and takes back.
func TestBlockingOnThePages(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, bob := s.Reserved("ada"), s.Reserved("bob")
	id := bob.Post("/games", apitest.GameOf("quixo/duel", bob.Player, ada.Player)).Want(t, http.StatusCreated).Text("id")
	browser := s.LoggedIn("ada")
	browser.Post("/play/"+id+"/leave", "word", "No thanks", "block", "1").RedirectsTo(t, "/play?said=declined")
	bob.Post("/games", apitest.GameOf("quixo/duel", bob.Player, ada.Player)).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	if seen := bob.Get("/games/"+id).Want(t, http.StatusOK); !strings.Contains(string(seen.Raw),
		"declined by Player ada: No thanks") {
		t.Errorf("%s", seen.Raw)
	}
	browser.Get("/me").Has(t, "Player bob")
	browser.Post("/me/unblock", "player", bob.Player).RedirectsTo(t, "/me?said=saved")
	bob.Post("/games", apitest.GameOf("quixo/duel", bob.Player, ada.Player)).Want(t, http.StatusCreated)
}
