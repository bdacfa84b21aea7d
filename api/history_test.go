package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestTheHistoryOfATournament: staff see the actors, acts and reasons; the public sees how results came about.
func TestTheHistoryOfATournament(t *testing.T) {
	s := newService(t)
	olga, arne := s.withRole("olga", account.RoleOrganiser), s.register("arne")
	ada, bob := s.register("ada"), s.register("bob")
	path, _ := running(t, olga, ada, bob)
	olga.send(http.MethodPut, path+"/arbiters", `{"logins":["arne"]}`, anyVersion).want(t, http.StatusOK)
	result := path + "/rounds/1/pairings/1/result"
	arne.send(http.MethodPut, result, `{"result":"1-0"}`, anyVersion).want(t, http.StatusOK)
	arne.send(http.MethodPut, result, `{"result":"0-1","reason":"written down wrongly"}`, anyVersion).
		want(t, http.StatusOK)

	h := arne.get(path+"/history").want(t, http.StatusOK).lacks(t, "lot_seed", "Own", `"undo"`)
	var lines []string
	for i := range h.list("items") {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(h.text("items", i, "kind"), " ", h.text("items", i, "by"), " ",
			h.text("items", i, "account", "login"), " ", h.text("items", i, "entry", "name"), " ", h.text("items", i, "before"),
			">",
			h.text("items", i, "after"), " ", h.text("items", i, "reason"))))
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
	for _, p := range []person{s.anonymous(), ada, arne.tokenFor("play")} {
		public := p.get(path + "/history")
		if public.status == http.StatusForbidden {
			continue // a token that may not read
		}
		public.want(t, http.StatusOK).lacks(t, "arne", "olga", "account", "undoable", "round_pair")
		if len(public.list("items")) != 2 || public.text("items", 1, "before") != "1-0" ||
			public.text("items", 1, "reason") != "written down wrongly" {
			t.Errorf("%s", public.raw)
		}
	}
	first := arne.get(path+"/history?limit=4").want(t, http.StatusOK)
	rest := arne.get(path+"/history?limit=200&cursor="+first.text("next_cursor")).want(t, http.StatusOK)
	if len(first.list("items")) != 4 || len(rest.list("items")) != 5 || rest.at("next_cursor") != nil ||
		first.header.Get("Link") == "" {
		t.Errorf("%s\n%s", first.raw, rest.raw)
	}
	for _, cursor := range []string{"x", "-1", "99"} {
		arne.get(path+"/history?cursor="+cursor).refused(t, http.StatusBadRequest, "bad-cursor")
	}
	draft := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	ada.get(draft+"/history").refused(t, http.StatusNotFound, "not-found")
	ada.post(draft+"/undo", `{"act":1}`).refused(t, http.StatusNotFound, "not-found")
}

// TestTakingBack what was done last, by each that may do it.
func TestTakingBack(t *testing.T) {
	s := newService(t)
	olga, arne := s.withRole("olga", account.RoleOrganiser), s.register("arne")
	ada, bob := s.register("ada"), s.register("bob")
	path, _ := running(t, olga, ada, bob)
	undoable := func(p person) int { return int(p.get(path+"/history").want(t, http.StatusOK).number("undoable")) }
	undo := func(p person, act int) *answer { return p.post(path+"/undo", map[string]any{"act": act}) }
	olga.send(http.MethodPut, path+"/arbiters", `{"logins":["arne"]}`, anyVersion).want(t, http.StatusOK)

	// What the organiser did is not for the arbiter to take back.
	act := undoable(olga)
	if act == 0 || undoable(arne) != 0 {
		t.Fatalf("act %d for the organiser, %d for the arbiter", act, undoable(arne))
	}
	undo(arne, act).refused(t, http.StatusForbidden, "forbidden")
	undo(ada, act).refused(t, http.StatusForbidden, "forbidden")
	undo(s.anonymous(), act).refused(t, http.StatusUnauthorized, "unauthorized")
	undo(olga, 1).refused(t, http.StatusConflict, "wrong-state")
	undo(olga, 999).refused(t, http.StatusConflict, "wrong-state").has(t, "undoable")
	undo(olga, 0).refused(t, http.StatusBadRequest, "malformed")

	result := path + "/rounds/1/pairings/1/result"
	set := func(text string) *answer {
		return arne.send(http.MethodPut, result, map[string]any{"result": text}, anyVersion).want(t, http.StatusOK)
	}
	set("1-0")
	set("0-1")
	act = undoable(arne)
	if got := together(times(4, func() *answer { return undo(arne, act) })...); got[http.StatusOK] != 1 ||
		got[http.StatusConflict] != 3 {
		t.Errorf("taken back four times at once: %v", got)
	}
	now := s.anonymous().get(result).want(t, http.StatusOK)
	if last := now.list("history"); now.text("result") != "1-0" ||
		now.text("history", len(last)-1, "reason") != "taken back" {
		t.Errorf("%s", now.raw)
	}
	if undoable(arne) != 0 {
		t.Errorf("what was taken back can be taken back")
	}
	h := arne.get(path+"/history").want(t, http.StatusOK)
	n := len(h.list("items"))
	if h.text("items", n-1, "kind") != "undo" || h.number("items", n-1, "board") != 1 ||
		h.text("items", n-1, "after") != "1-0" {
		t.Errorf("%s", h.raw)
	}
}

// TestAStartTakenBackDrawsNoOtherLots.
func TestAStartTakenBackDrawsNoOtherLots(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	made := olga.post("/tournaments", strings.Replace(cup, "round_robin", "swiss", 1)).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	olga.send(http.MethodPatch, path, `{"rounds":1,"tie_breaks":["WIN"]}`, made.etag()).want(t, http.StatusOK)
	for _, p := range []person{ada, bob} {
		olga.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	colour := olga.post(path+"/start", nil).want(t, http.StatusOK).text("pairing", "initial_colour")
	for range 8 {
		act := olga.get(path + "/history").number("undoable")
		back := olga.post(path+"/undo", map[string]any{"act": act}).want(t, http.StatusOK)
		if back.text("status") != "draft" || back.at("pairing", "initial_colour") != nil {
			t.Fatalf("%s", back.raw)
		}
		if again := olga.post(path+"/start", nil).want(t, http.StatusOK).text("pairing", "initial_colour"); again != colour {
			t.Fatalf("first %s was drawn, then %s", colour, again)
		}
	}
}

// TestAdjournedAndAdjudicatedGames, and such as are played again.
func TestAdjournedAndAdjudicatedGames(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	result := path + "/rounds/1/pairings/1/result"
	put := func(body string) *answer { return olga.send(http.MethodPut, result, body, anyVersion) }
	put(`{"adjourned":true}`).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/reason", "say when and how")
	put(`{"adjourned":true,"result":"1-0","reason":"x"}`).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/adjourned")
	put(`{"adjudicated":true,"result":"1-0"}`).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "needs a reason")
	put(`{"adjudicated":true,"result":"+--","reason":"x"}`).refused(t, http.StatusUnprocessableEntity, "invalid")
	put(`{"adjudicated":true}`).refused(t, http.StatusUnprocessableEntity, "invalid")

	put(`{"adjourned":true,"reason":"Friday at 8"}`).want(t, http.StatusOK).has(t, `"adjourned":"Friday at 8"`)
	seen := s.anonymous().get(path+"/rounds/1").want(t, http.StatusOK)
	if seen.text("pairings", 0, "adjourned") != "Friday at 8" || seen.at("pairings", 0, "result") != nil ||
		seen.text("status") != "published" {
		t.Errorf("%s", seen.raw)
	}
	game := round.text("pairings", 0, "game_id")
	s.anonymous().get("/games/"+game).want(t, http.StatusOK).has(t, `"status":"paused"`)
	olga.post("/games/"+game+"/resume", `{"reason":"it is Friday"}`).want(t, http.StatusOK).has(t, `"status":"running"`)
	olga.post(path+"/finish", nil).refused(t, http.StatusConflict, "wrong-state").has(t, "Friday at 8")
	put(`{"adjudicated":true,"result":"1/2-1/2","reason":"nobody came on Friday"}`).want(t, http.StatusOK).
		has(t, `"adjudicated":true`).lacks(t, `"adjourned"`)
	put(`{"result":"---"}`).want(t, http.StatusOK).has(t, `"points":["0","0"]`, `"forfeit":true`)

	again := func(p person, body any, tag ...header) *answer {
		return p.post(path+"/rounds/1/pairings/1/play-again", body, tag...)
	}
	again(ada, `{"reason":"x"}`).refused(t, http.StatusForbidden, "forbidden")
	again(olga, nil).refused(t, http.StatusBadRequest, "malformed")
	again(olga, `{"reason":"x"}`, header{"If-Match", `"other"`}).refused(t, http.StatusPreconditionFailed, "stale")
	anew := again(olga, `{"reason":"by order"}`).want(t, http.StatusOK)
	if n := len(anew.list("history")); anew.at("result") != nil || anew.text("history", n-1, "reason") != "by order" ||
		anew.text("history", n-1, "before") != "---" {
		t.Errorf("%s", anew.raw)
	}
	old, now := round.text("pairings", 0, "game_id"), s.anonymous().get(path+"/rounds/1").text("pairings", 0, "game_id")
	if old == now {
		t.Fatal("there is no new game")
	}
	players := map[string]person{ada.player: ada, bob.player: bob}
	g := s.anonymous().get("/games/"+now).want(t, http.StatusOK).has(t, `"running"`)
	players[g.text("seats", 0, "player", "id")].post("/games/"+now+"/resign", nil).want(t, http.StatusOK)
	if after := s.anonymous().get(result); after.text("result") != "--+" {
		t.Errorf("resigned before a move was made: %s", after.raw)
	}
	s.anonymous().get("/games/"+old).want(t, http.StatusOK).has(t, `"aborted"`)
}

// TestAdjournedGamesAsDraws: the regulations decide whether the next round waits.
func TestAdjournedGamesAsDraws(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D")
	e.pair(t)
	e.set(t, 1, 2, "1-0")
	e.olga.send(http.MethodPut, e.board(1, 1), `{"adjourned":true,"reason":"Friday"}`, anyVersion).want(t, http.StatusOK)
	e.olga.post(e.path+"/rounds", nil).refused(t, http.StatusConflict, "wrong-state").has(t, "Friday")
	if rules := e.olga.get(e.path); rules.text("pairing", "adjourned") != "wait" {
		t.Errorf("%s", rules.raw)
	}
	e.olga.send(http.MethodPatch, e.path, `{"pairing":{"adjourned":"draw"}}`, anyVersion).want(t, http.StatusOK).
		has(t, `"adjourned":"draw"`)
	e.pair(t)
	e.s.anonymous().get(e.path+"/explain?round=2").want(t, http.StatusOK)
	table := e.s.anonymous().get(e.path+"/standings?round=1").want(t, http.StatusOK)
	if table.text("rows", 0, "points") != "1" || table.text("rows", 1, "points") != "0" {
		t.Errorf("%s", table.raw)
	}
	e.set(t, 2, 1, "1-0")
	e.set(t, 2, 2, "1-0")
	e.set(t, 1, 1, "0-1")
	table = e.s.anonymous().get(e.path+"/standings?round=1").want(t, http.StatusOK)
	if table.text("rows", 1, "points") != "1" {
		t.Errorf("%s", table.raw)
	}
	e.olga.post("/tournaments",
		`{"name":"K","variant":"quixo/duel","format":"knockout","time_control":"300","pairing":{"adjourned":"draw"}}`).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/pairing/adjourned")
}
