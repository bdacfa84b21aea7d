package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestTheHistoryOfATournament: staff see the actors, acts and reasons; the public sees how results came about.
func TestTheHistoryOfATournament(t *testing.T) {
	s := apitest.New(t)
	olga, arne := s.WithRole("olga", account.RoleOrganiser), s.Register("arne")
	ada, bob := s.Register("ada"), s.Register("bob")
	path, _ := apitest.StartTournament(t, olga, ada, bob)
	olga.Send(http.MethodPut, path+"/arbiters", `{"logins":["arne"]}`, apitest.AnyVersion).Want(t, http.StatusOK)
	result := path + "/rounds/1/pairings/1/result"
	arne.Send(http.MethodPut, result, `{"result":"1-0"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	arne.Send(http.MethodPut, result, `{"result":"0-1","reason":"written down wrongly"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)

	h := arne.Get(path+"/history").Want(t, http.StatusOK).Lacks(t, "lot_seed", "Own", `"undo"`)
	var lines []string
	for i := range h.List("items") {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(h.Text("items", i, "kind"), " ", h.Text("items", i, "by"), " ",
			h.Text("items", i, "account", "login"), " ", h.Text("items", i, "entry", "name"), " ", h.Text("items", i, "before"),
			">",
			h.Text("items", i, "after"), " ", h.Text("items", i, "reason"))))
	}
	want := []string{
		"create arbiter olga  >", "open arbiter olga  >", "entry_register player ada Player ada >",
		"entry_register player bob Player bob >",
		"start arbiter olga  >", "round_pair arbiter olga  >", "arbiters arbiter olga  >", "result arbiter arne  >1-0",
		"result arbiter arne  1-0>0-1 written down wrongly",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("history\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	for _, p := range []apitest.Person{s.Anonymous(), ada, arne.TokenFor("play")} {
		public := p.Get(path + "/history")
		if public.Status == http.StatusForbidden {
			continue // a token that may not read
		}
		public.Want(t, http.StatusOK).Lacks(t, "arne", "olga", "account", "undoable", "round_pair")
		if len(public.List("items")) != 2 || public.Text("items", 1, "before") != "1-0" ||
			public.Text("items", 1, "reason") != "written down wrongly" {
			t.Errorf("%s", public.Raw)
		}
	}
	first := arne.Get(path+"/history?limit=4").Want(t, http.StatusOK)
	rest := arne.Get(path+"/history?limit=200&cursor="+first.Text("next_cursor")).Want(t, http.StatusOK)
	if len(first.List("items")) != 4 || len(rest.List("items")) != 5 || rest.At("next_cursor") != nil ||
		first.Header.Get("Link") == "" {
		t.Errorf("%s\n%s", first.Raw, rest.Raw)
	}
	for _, cursor := range []string{"x", "-1", "99"} {
		arne.Get(path+"/history?cursor="+cursor).Refused(t, http.StatusBadRequest, "bad-cursor")
	}
	draft := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	ada.Get(draft+"/history").Refused(t, http.StatusNotFound, "not-found")
	ada.Post(draft+"/undo", `{"act":1}`).Refused(t, http.StatusNotFound, "not-found")
}

// TestTakingBack what was done last, by each that may do it.
func TestTakingBack(t *testing.T) {
	s := apitest.New(t)
	olga, arne := s.WithRole("olga", account.RoleOrganiser), s.Register("arne")
	ada, bob := s.Register("ada"), s.Register("bob")
	path, _ := apitest.StartTournament(t, olga, ada, bob)
	undoable := func(p apitest.Person) int {
		return int(p.Get(path+"/history").Want(t, http.StatusOK).Number("undoable"))
	}
	undo := func(p apitest.Person, act int) *apitest.Answer {
		return p.Post(path+"/undo", map[string]any{"act": act})
	}
	olga.Send(http.MethodPut, path+"/arbiters", `{"logins":["arne"]}`, apitest.AnyVersion).Want(t, http.StatusOK)

	// What the organiser did is not for the arbiter to take back.
	act := undoable(olga)
	if act == 0 || undoable(arne) != 0 {
		t.Fatalf("act %d for the organiser, %d for the arbiter", act, undoable(arne))
	}
	undo(arne, act).Refused(t, http.StatusForbidden, "forbidden")
	undo(ada, act).Refused(t, http.StatusForbidden, "forbidden")
	undo(s.Anonymous(), act).Refused(t, http.StatusUnauthorized, "unauthorized")
	undo(olga, 1).Refused(t, http.StatusConflict, "wrong-state")
	undo(olga, 999).Refused(t, http.StatusConflict, "wrong-state").Has(t, "undoable")
	undo(olga, 0).Refused(t, http.StatusBadRequest, "malformed")

	result := path + "/rounds/1/pairings/1/result"
	set := func(text string) *apitest.Answer {
		return arne.Send(http.MethodPut, result, map[string]any{"result": text}, apitest.AnyVersion).Want(t, http.StatusOK)
	}
	set("1-0")
	set("0-1")
	act = undoable(arne)
	if got := together(times(4, func() *apitest.Answer { return undo(arne, act) })...); got[http.StatusOK] != 1 ||
		got[http.StatusConflict] != 3 {
		t.Errorf("taken back four times at once: %v", got)
	}
	now := s.Anonymous().Get(result).Want(t, http.StatusOK)
	if last := now.List("history"); now.Text("result") != "1-0" ||
		now.Text("history", len(last)-1, "reason") != "taken back" {
		t.Errorf("%s", now.Raw)
	}
	if undoable(arne) != 0 {
		t.Errorf("what was taken back can be taken back")
	}
	h := arne.Get(path+"/history").Want(t, http.StatusOK)
	n := len(h.List("items"))
	if h.Text("items", n-1, "kind") != "undo" || h.Number("items", n-1, "board") != 1 ||
		h.Text("items", n-1, "after") != "1-0" {
		t.Errorf("%s", h.Raw)
	}
}

// TestAStartTakenBackDrawsNoOtherLots.
func TestAStartTakenBackDrawsNoOtherLots(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	made := olga.Post("/tournaments", strings.Replace(apitest.Cup, "round_robin", "swiss", 1)).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	olga.Send(http.MethodPatch, path, `{"rounds":1,"tie_breaks":["WIN"]}`, made.IfMatch()).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{ada, bob} {
		olga.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	colour := olga.Post(path+"/start", nil).Want(t, http.StatusOK).Text("pairing", "initial_colour")
	for range 8 {
		act := olga.Get(path + "/history").Number("undoable")
		back := olga.Post(path+"/undo", map[string]any{"act": act}).Want(t, http.StatusOK)
		if back.Text("status") != "draft" || back.At("pairing", "initial_colour") != nil {
			t.Fatalf("%s", back.Raw)
		}
		if again := olga.Post(path+"/start", nil).Want(t, http.StatusOK).Text("pairing", "initial_colour"); again != colour {
			t.Fatalf("first %s was drawn, then %s", colour, again)
		}
	}
}

// TestAdjournedAndAdjudicatedGames has games adjourned, adjudicated, and played again.
func TestAdjournedAndAdjudicatedGames(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	result := path + "/rounds/1/pairings/1/result"
	put := func(body string) *apitest.Answer { return olga.Send(http.MethodPut, result, body, apitest.AnyVersion) }
	put(`{"adjourned":true}`).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/reason", "say when and how")
	put(`{"adjourned":true,"result":"1-0","reason":"x"}`).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/adjourned")
	put(`{"adjudicated":true,"result":"1-0"}`).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "needs a reason")
	put(`{"adjudicated":true,"result":"+--","reason":"x"}`).Refused(t, http.StatusUnprocessableEntity, "invalid")
	put(`{"adjudicated":true}`).Refused(t, http.StatusUnprocessableEntity, "invalid")

	put(`{"adjourned":true,"reason":"Friday at 8"}`).Want(t, http.StatusOK).Has(t, `"adjourned":"Friday at 8"`)
	seen := s.Anonymous().Get(path+"/rounds/1").Want(t, http.StatusOK)
	if seen.Text("pairings", 0, "adjourned") != "Friday at 8" || seen.At("pairings", 0, "result") != nil ||
		seen.Text("status") != "published" {
		t.Errorf("%s", seen.Raw)
	}
	game := round.Text("pairings", 0, "game_id")
	s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK).Has(t, `"status":"paused"`)
	olga.Post("/games/"+game+"/resume", `{"reason":"it is Friday"}`).Want(t, http.StatusOK).Has(t, `"status":"running"`)
	olga.Post(path+"/finish", nil).Refused(t, http.StatusConflict, "wrong-state").Has(t, "Friday at 8")
	put(`{"adjudicated":true,"result":"1/2-1/2","reason":"nobody came on Friday"}`).Want(t, http.StatusOK).
		Has(t, `"adjudicated":true`).Lacks(t, `"adjourned"`)
	put(`{"result":"---"}`).Want(t, http.StatusOK).Has(t, `"points":["0","0"]`, `"forfeit":true`)

	again := func(p apitest.Person, body any, tag ...apitest.Header) *apitest.Answer {
		return p.Post(path+"/rounds/1/pairings/1/play-again", body, tag...)
	}
	again(ada, `{"reason":"x"}`).Refused(t, http.StatusForbidden, "forbidden")
	again(olga, nil).Refused(t, http.StatusBadRequest, "malformed")
	again(olga, `{"reason":"x"}`, apitest.Header{"If-Match", `"other"`}).Refused(t, http.StatusPreconditionFailed, "stale")
	anew := again(olga, `{"reason":"by order"}`).Want(t, http.StatusOK)
	if n := len(anew.List("history")); anew.At("result") != nil || anew.Text("history", n-1, "reason") != "by order" ||
		anew.Text("history", n-1, "before") != "---" {
		t.Errorf("%s", anew.Raw)
	}
	old, now := round.Text("pairings", 0, "game_id"), s.Anonymous().Get(path+"/rounds/1").Text("pairings", 0, "game_id")
	if old == now {
		t.Fatal("there is no new game")
	}
	players := map[string]apitest.Person{ada.Player: ada, bob.Player: bob}
	g := s.Anonymous().Get("/games/"+now).Want(t, http.StatusOK).Has(t, `"running"`)
	players[g.Text("seats", 0, "player", "id")].Post("/games/"+now+"/resign", nil).Want(t, http.StatusOK)
	if after := s.Anonymous().Get(result); after.Text("result") != "--+" {
		t.Errorf("resigned before a move was made: %s", after.Raw)
	}
	s.Anonymous().Get("/games/"+old).Want(t, http.StatusOK).Has(t, `"aborted"`)
}

// TestAdjournedGamesAsDraws: the regulations decide whether the next round waits.
func TestAdjournedGamesAsDraws(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D")
	e.Pair(t)
	e.Set(t, 1, 2, "1-0")
	e.Olga.Send(http.MethodPut, e.Board(1, 1), `{"adjourned":true,"reason":"Friday"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	e.Olga.Post(e.Path+"/rounds", nil).Refused(t, http.StatusConflict, "wrong-state").Has(t, "Friday")
	if rules := e.Olga.Get(e.Path); rules.Text("pairing", "adjourned") != "wait" {
		t.Errorf("%s", rules.Raw)
	}
	e.Olga.Send(http.MethodPatch, e.Path, `{"pairing":{"adjourned":"draw"}}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Has(t, `"adjourned":"draw"`)
	e.Pair(t)
	e.S.Anonymous().Get(e.Path+"/explain?round=2").Want(t, http.StatusOK)
	table := e.S.Anonymous().Get(e.Path+"/standings?round=1").Want(t, http.StatusOK)
	if table.Text("rows", 0, "points") != "1" || table.Text("rows", 1, "points") != "0" {
		t.Errorf("%s", table.Raw)
	}
	e.Set(t, 2, 1, "1-0")
	e.Set(t, 2, 2, "1-0")
	e.Set(t, 1, 1, "0-1")
	table = e.S.Anonymous().Get(e.Path+"/standings?round=1").Want(t, http.StatusOK)
	if table.Text("rows", 1, "points") != "1" {
		t.Errorf("%s", table.Raw)
	}
	e.Olga.Post("/tournaments",
		`{"name":"K","variant":"quixo/duel","format":"knockout","time_control":"300","pairing":{"adjourned":"draw"}}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/pairing/adjourned")
}
