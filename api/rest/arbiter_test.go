package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestArbitersActOnGames goes through all that an arbiter may do, and checks the record in the end.
func TestArbitersActOnGames(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	game := "/games/" + id
	white, black := seated[0], seated[1]
	s.Pass(10 * time.Second)
	apitest.Play(t, id, white, 1, "c1-c5")
	s.Pass(5 * time.Second)
	olga.Post(game+"/pause", apitest.Because("The fire alarm.", "cause", "alarm")).Want(t, http.StatusOK).
		Has(t, `"paused"`, `"text":"alarm"`, "The fire alarm.")
	black.Post(game+"/moves", apitest.Move(2, 2, "a1-e1")).Refused(t, http.StatusConflict, "paused")
	olga.Post(game+"/clock", apitest.Because("They left in a hurry.", "seat", 2, "add_ms", 60_000)).Want(t, http.StatusOK).
		Has(t, `"kind":"add"`, `"text":"60000"`)
	s.Pass(5 * time.Minute)
	olga.Post(game+"/resume", apitest.Because("False alarm.")).Want(t, http.StatusOK).Has(t, `"running"`)
	olga.Post(game+"/resume", apitest.Because("Again.")).Refused(t, http.StatusConflict, "not-paused")
	apitest.Play(t, id, black, 2, "a1-e1")
	back := olga.Post(game+"/takeback", apitest.Because("The wrong cube.", "turn", 3)).Want(t, http.StatusOK)
	if back.Number("turn") != 4 || back.Number("plies") != 1 || back.Number("seats", 1, "remaining_ms") < 299_000 ||
		back.Number("seats", 1, "remaining_ms") > 300_000 {
		t.Errorf("after the takeback: %s", back.Raw)
	}
	olga.Post(game+"/takeback", apitest.Because("Twice.", "turn", 3)).Refused(t, http.StatusConflict, "stale-turn")
	olga.Post(game+"/takeback", apitest.Because("Too far.", "turn", 4, "plies", 9)).
		Refused(t, http.StatusUnprocessableEntity, "illegal-move")
	black.Post(game+"/moves", apitest.Move(2, 4, "e1-e5")).Want(t, http.StatusOK)
	olga.Post(game+"/clock", apitest.Because("Set both?", "seat", 1)).Refused(t, http.StatusUnprocessableEntity, "invalid")
	olga.Post(game+"/clock", apitest.Because("Periods.", "seat", 1, "set_ms", 5, "periods", 2)).
		Refused(t, http.StatusUnprocessableEntity, "clock").Lacks(t, "state:")
	olga.Post(game+"/adjudicate", apitest.Because("x", "ranks", []int{2, 2})).
		Refused(t, http.StatusUnprocessableEntity, "ranks")
	olga.Post(game+"/adjudicate", apitest.Because("   ", "ranks", []int{2, 1})).Want(t, http.StatusBadRequest)
	over := olga.Post(game+"/adjudicate", apitest.Because("Nobody can win this.", "ranks", []int{1, 1})).
		Want(t, http.StatusOK)
	if over.Text("outcome", "reason") != "adjudication" || over.Text("status") != "finished" {
		t.Errorf("%s", over.Raw)
	}
	olga.Post(game+"/takeback", apitest.Because("Too late.", "turn", 5)).Refused(t, http.StatusConflict, "game-over")
	after := s.Anonymous().Get(path+"/rounds/1").Want(t, http.StatusOK)
	if after.Text("pairings", 0, "result") != "1/2-1/2" {
		t.Errorf("%s", after.Raw)
	}
	r := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).
		Has(t, "!pause=alarm", "!resume=alarm", "2:!add=0:01:00", "!takeback=2", "\n!adjudication=1,1",
			"Nobody can win this."))
	if len(r) != 1 || len(r[0].Entries) != 8 {
		t.Errorf("the record has %d entries", len(r[0].Entries))
	}
	s.Anonymous().Get(game+"/record", apitest.Header{"Accept", "application/json"}).Want(t, http.StatusOK).
		Has(t, `"kind":"takeback"`, `"text":"0:01:00"`)
}

// TestArbitersRights tries every act as each that may not.
func TestArbitersRights(t *testing.T) {
	s := apitest.New(t)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	root, arno, eve := s.WithRole("root", account.RoleAdmin), s.Register("arno"), s.Register("eve")
	ada, bob := s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	arbiters := olga.Get(path+"/arbiters").Want(t, http.StatusOK)
	id, _ := apitest.BoardOne(t, round, ada, bob)
	casual := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	acts := map[string]map[string]any{
		"pause": apitest.Because("x"), "clock": apitest.Because("x", "seat", 1, "add_ms", 1), "resume": apitest.Because("x"),
		"takeback": apitest.Because("x", "turn", 1),
		"forfeit":  apitest.Because("x", "seat", 1), "adjudicate": apitest.Because("x", "ranks", []int{1, 2}),
	}
	for act, body := range acts {
		for name, p := range map[string]apitest.Person{
			"player": ada, "stranger": eve, "other organiser": otto,
			"arbiter to be": arno,
		} {
			if a := p.Post("/games/"+id+"/"+act, body); a.Status != http.StatusForbidden {
				t.Errorf("%s by %s: %d", act, name, a.Status)
			}
		}
		s.Anonymous().Post("/games/"+id+"/"+act, body).Refused(t, http.StatusUnauthorized, "unauthorized")
		olga.Post("/games/"+casual+"/"+act, body).Refused(t, http.StatusForbidden, "forbidden")
		olga.Post("/games/0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11/"+act, body).Refused(t, http.StatusNotFound, "not-found")
		delete(body, "reason")
		olga.Post("/games/"+id+"/"+act, body).Want(t, http.StatusBadRequest)
	}
	olga.Send(http.MethodPut, path+"/arbiters", map[string]any{"logins": []string{"arno"}}, arbiters.IfMatch()).
		Want(t, http.StatusOK)
	arno.TokenFor("play").Post("/games/"+id+"/pause", apitest.Because("x")).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	arno.Post("/games/"+id+"/pause", apitest.Because("x")).Want(t, http.StatusOK)
	root.Post("/games/"+id+"/resume", apitest.Because("x")).Want(t, http.StatusOK)
	root.Post("/games/"+casual+"/forfeit", apitest.Because("Left the hall.", "seat", 2)).Want(t, http.StatusOK).
		Has(t, `"reason":"forfeit"`)
	arno.Post("/games/"+id+"/forfeit", apitest.Because("Never came.", "seat", 2)).Want(t, http.StatusOK)
	if r := s.Anonymous().Get(path + "/rounds/1"); r.Text("pairings", 0, "result") != "+--" {
		t.Errorf("a forfeit before the first move is no game: %s", r.Raw)
	}
}

// TestAnActThatIsRepeatedCountsOnce sends the same order several times under the same key.
func TestAnActThatIsRepeatedCountsOnce(t *testing.T) {
	s := apitest.New(t)
	root, ada, bob := s.WithRole("root", account.RoleAdmin), s.Register("ada"), s.Register("bob")
	game := "/games/" + apitest.Duel(t, ada, bob, "quixo/duel", "none").Text("id")
	root.Post(game+"/clock", apitest.Because("x", "seat", 1, "add_ms", 1)).
		Refused(t, http.StatusUnprocessableEntity, "clock")
	game = "/games/" + apitest.Duel(t, ada, bob, "quixo/duel", "60").Text("id")
	for range 3 {
		root.Post(game+"/clock", apitest.Because("Lamp.", "seat", 2, "add_ms", 5_000),
			apitest.Header{"Idempotency-Key", "lamp"}).
			Want(t, http.StatusOK)
	}
	if g := root.Get(game); g.Number("seats", 1, "remaining_ms") != 65_000 { // it does not run
		t.Errorf("%s", g.Raw)
	}
	secret := apitest.Duel(t, ada, bob, "quiwin/duel", "60")
	token := secret.Text("legal", "1", 0)
	apitest.Play(t, secret.Text("id"), ada, 1, token)
	refused := root.Post("/games/"+secret.Text("id")+"/takeback", apitest.Because("x", "turn", 1)).
		Refused(t, http.StatusUnprocessableEntity, "illegal-move")
	if !strings.Contains(refused.Text("detail"), "drawn again") ||
		strings.Contains(string(refused.Raw), fmt.Sprintf("%q", token)) {
		t.Errorf("%s", refused.Raw)
	}
}
