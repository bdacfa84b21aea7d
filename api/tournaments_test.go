package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

const cup = `{"name":"Cup","variant":"quixo/duel","format":"round_robin","time_control":"300+3","rated":true,
	"options":{"repetition":"3"},"tie_breaks":["DE","SB","WIN"],"pairing":{"acceleration":"none"}}`

// running prepares a tournament with these players and starts it; it returns the path and the first round.
func running(t *testing.T, olga person, players ...person) (string, *answer) {
	t.Helper()
	made := olga.post("/tournaments", cup).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	for _, p := range players {
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	return path, olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
}

func TestATournamentFromDraftToTheEnd(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	players := map[string]person{}
	ada, bob, cleo := s.register("ada"), s.register("bob"), s.register("cleo")
	for _, p := range []person{ada, bob, cleo} {
		players[p.player] = p
	}
	path, round := running(t, olga, ada, bob, cleo)
	if round.number("number") != 1 || len(round.list("pairings")) != 2 {
		t.Fatalf("three players: a game and a free round: %s", round.raw)
	}
	entries := olga.get(path+"/entries").want(t, http.StatusOK)
	if entries.text("items", 0, "status") != "confirmed" || entries.number("items", 0, "number") != 1 {
		t.Errorf("%s", entries.raw)
	}
	olga.post(path+"/rounds", nil).refused(t, http.StatusConflict, "wrong-state")
	for n := 1; n <= 3; n++ {
		if n > 1 {
			round = olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
		}
		game := round.text("pairings", 0, "game_id")
		g := s.anonymous().get("/games/"+game).want(t, http.StatusOK)
		if g.text("tournament", "id") == "" || int(g.number("tournament", "round")) != n {
			t.Errorf("%s", g.raw)
		}
		loser := players[g.text("seats", 1, "player", "id")]
		loser.post("/games/"+game+"/abort", nil).refused(t, http.StatusForbidden, "tournament-game")
		play(t, game, players[g.text("seats", 0, "player", "id")], 1, "c1-c5")
		play(t, game, loser, 2, "a1-e1")
		loser.post("/games/"+game+"/resign", nil).want(t, http.StatusOK)
		after := s.anonymous().get(fmt.Sprintf("%s/rounds/%d", path, n)).want(t, http.StatusOK)
		if after.text("pairings", 0, "result") != "1-0" || after.text("status") != "complete" {
			t.Errorf("the result is there once the game is over: %s", after.raw)
		}
	}
	table := s.anonymous().get(path+"/standings").want(t, http.StatusOK)
	if len(table.list("rows")) != 3 || fmt.Sprint(table.at("columns")) != "[DE SB WIN]" || table.number("round") != 3 {
		t.Errorf("%s", table.raw)
	}
	early := s.anonymous().get(path+"/standings?round=1").want(t, http.StatusOK)
	if early.text("rows", 0, "points") != "1" {
		t.Errorf("%s", early.raw)
	}
	s.anonymous().get(path+"/standings?round=9").refused(t, http.StatusNotFound, "not-found")
	cross := s.anonymous().get(path+"/crosstable").want(t, http.StatusOK)
	if len(cross.list("rows", 0, "cells")) != 3 {
		t.Errorf("%s", cross.raw)
	}
	s.anonymous().get(path).want(t, http.StatusOK).lacks(t, "lot_seed")
	olga.post(path+"/finish", nil).want(t, http.StatusOK).has(t, "lot_seed", `"finished"`)
	olga.post(path+"/archive", nil).want(t, http.StatusOK).has(t, `"archived"`)
	s.anonymous().get("/tournaments?player="+ada.player).want(t, http.StatusOK).has(t, `"Cup"`)
	s.anonymous().get(path+"/rounds").want(t, http.StatusOK).has(t, `"number":3`)
}

func TestDraftsAreTheirOrganisersAlone(t *testing.T) {
	s := newService(t)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	ada, root := s.register("ada"), s.withRole("root", account.RoleAdmin)
	ada.post("/tournaments", cup).refused(t, http.StatusForbidden, "forbidden")
	made := olga.post("/tournaments", cup).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	for _, p := range []person{s.anonymous(), ada, otto} {
		for _, below := range []string{"", "/entries", "/rounds", "/standings", "/crosstable", "/events", "/rounds/1"} {
			p.get(path+below).refused(t, http.StatusNotFound, "not-found")
		}
		p.get("/tournaments").want(t, http.StatusOK).lacks(t, made.text("id"))
		p.get("/tournaments?status=draft").want(t, http.StatusOK).lacks(t, made.text("id"))
		p.get("/tournaments?status=draft,open").want(t, http.StatusOK).lacks(t, made.text("id"))
	}
	for _, p := range []person{ada, otto} {
		p.post(path+"/open", nil).refused(t, http.StatusNotFound, "not-found")
		p.send(http.MethodDelete, path, nil, made.etag()).refused(t, http.StatusNotFound, "not-found")
		p.post(path+"/entries", map[string]any{"player_id": ada.player}).refused(t, http.StatusNotFound, "not-found")
	}
	for _, p := range []person{olga, root} {
		p.get(path).want(t, http.StatusOK)
		p.get("/tournaments?status=draft").want(t, http.StatusOK).has(t, made.text("id"))
	}
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	otto.post(path+"/start", nil).refused(t, http.StatusForbidden, "forbidden")
	otto.post(path+"/rounds", nil).refused(t, http.StatusForbidden, "forbidden")
	otto.post(path+"/close", nil).refused(t, http.StatusForbidden, "forbidden")
	otto.send(http.MethodPatch, path, `{"name":"Mine"}`, header{"If-Match", "*"}).
		refused(t, http.StatusForbidden, "forbidden")
	olga.tokenFor("read", "play").post(path+"/close", nil).refused(t, http.StatusForbidden, "insufficient-scope")
	root.post(path+"/close", nil).want(t, http.StatusOK)
}

// TestSettingsOfAnotherFormat: what only the former format or game had becomes the usual, as in the forms; values for
// "none" and "the usual" are taken.
func TestSettingsOfAnotherFormat(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	made := olga.post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":5,"time_control":"none",
		"starts_at":"2031-05-06T19:30:00Z","pairing":{"acceleration":"baku","initial_colour":"black","half_point_byes":0}}`).
		want(t, http.StatusCreated)
	path, tag := "/tournaments/"+made.text("id"), made.etag()
	patch := func(body string) *answer {
		t.Helper()
		a := olga.send(http.MethodPatch, path, body, tag).want(t, http.StatusOK)
		tag = a.etag()
		return a
	}
	patch(`{"pairing":{"initial_colour":"by_lot"},"starts_at":"","rounds":0}`).
		lacks(t, "initial_colour", "starts_at", `"rounds"`)
	olga.send(http.MethodPatch, path, `{"starts_at":"soon"}`, tag).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/starts_at")
	patch(`{"format":"round_robin"}`).has(t, `"tie_breaks":["DE","SB","WIN"]`).lacks(t, "acceleration", "half_point_byes")
	patch(`{"format":"table_swiss","variant":"quivive/melee","pairing":{"tables":{"sizes":[3,4],"preferred":3}}}`).
		has(t, `"sizes":[3,4]`, `"preferred":3`)
	patch(`{"pairing":{"tables":{"preferred":0}}}`).has(t, `"preferred":4`)
	patch(`{"pairing":{"tables":{"sizes":[]}}}`).has(t, `"sizes":[3,4,5]`)
}

func TestTournamentSettings(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	faulty := olga.post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"round_robin","time_control":"soon",
		"tie_breaks":["NONE"]}`).refused(t, http.StatusUnprocessableEntity, "invalid")
	if faulty.text("errors", 0, "pointer") != "/tie_breaks" || faulty.text("errors", 1, "pointer") != "/time_control" {
		t.Errorf("%s", faulty.raw)
	}
	olga.post("/tournaments", strings.Replace(cup, "quixo/duel", "chess/duel", 1)).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"/variant"`)
	olga.post("/tournaments", strings.Replace(cup, `"none"`, `"baku"`, 1)).
		refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/pairing/acceleration")
	olga.post("/tournaments", strings.Replace(cup, `"SB"`, `"SB-C1"`, 1)).
		refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "write SB/C1")
	made := olga.post("/tournaments", cup).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	patch := func(body string, tag ...header) *answer { return olga.send(http.MethodPatch, path, body, tag...) }
	patch(`{"name":"New"}`).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	patched := patch(`{"name":"New","points":{"win":3,"draw":1,"bye":0.5},"starts_at":"2026-12-01T19:00:00+01:00"}`,
		made.etag()).
		want(t, http.StatusOK)
	if patched.number("points", "forfeit_win") != 3 || patched.number("points", "forfeit_loss") != 0 {
		t.Errorf("forfeits do not follow the game: %s", patched.raw)
	}
	if patched.number("points", "win") != 3 || patched.number("points", "loss") != 0 ||
		patched.number("points", "bye") != 0.5 ||
		patched.text("starts_at") != "2026-12-01T18:00:00.000Z" || patched.text("time_control") != "300+3" {
		t.Errorf("%s", patched.raw)
	}
	patch(`{"name":"Newer"}`, made.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	patch(`{"points":{"win":0.25}}`, patched.etag()).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/points/win")
	patch(`{"status":"finished"}`, patched.etag()).refused(t, http.StatusBadRequest, "malformed")
	olga.send(http.MethodDelete, path, nil).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	olga.send(http.MethodDelete, path, nil, made.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	olga.send(http.MethodDelete, path, nil, patched.etag()).want(t, http.StatusNoContent)
	olga.get(path).refused(t, http.StatusNotFound, "not-found")
}

func TestEntries(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	made := olga.post("/tournaments", cup).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	enter := func(p person, body any) *answer { return p.post(path+"/entries", body) }
	own := enter(ada, map[string]any{"player_id": ada.player}).want(t, http.StatusCreated)
	if own.text("status") != "registered" || own.text("name") != "Player ada" {
		t.Errorf("%s", own.raw)
	}
	enter(ada, map[string]any{"player_id": ada.player}).refused(t, http.StatusUnprocessableEntity, "invalid")
	enter(ada, map[string]any{"player_id": bob.player}).refused(t, http.StatusForbidden, "forbidden")
	enter(s.anonymous(), map[string]any{"player_id": bob.player}).refused(t, http.StatusUnauthorized, "unauthorized")
	enter(bob.tokenFor("read"), map[string]any{"player_id": bob.player}).
		refused(t, http.StatusForbidden, "insufficient-scope")
	enter(olga, map[string]any{"player_id": "nobody"}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, `"/player_id"`)
	enter(olga, map[string]any{"members": []string{bob.player}}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, `"/name"`)
	enter(olga, map[string]any{"name": "Two", "members": []string{bob.player, "nobody"}}).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"/members/1"`)
	enter(olga, `{}`).refused(t, http.StatusBadRequest, "malformed")
	bobs := enter(olga, map[string]any{"player_id": bob.player}).want(t, http.StatusCreated).has(t, `"confirmed"`)

	entry := path + "/entries/" + own.text("id")
	ada.post(entry+"/confirm", nil).refused(t, http.StatusForbidden, "forbidden")
	olga.post(entry+"/confirm", nil).want(t, http.StatusOK).has(t, `"confirmed"`)
	bob.post(entry+"/withdraw", nil).refused(t, http.StatusForbidden, "forbidden")
	ada.post(entry+"/withdraw", nil).want(t, http.StatusOK).has(t, `"withdrawn"`)
	ada.post(entry+"/reinstate", nil).refused(t, http.StatusForbidden, "forbidden")
	olga.post(entry+"/reinstate", nil).want(t, http.StatusOK).has(t, `"confirmed"`)
	olga.post(path+"/entries/nobody/withdraw", nil).refused(t, http.StatusNotFound, "not-found")

	edit := func(p person, body string, tag header) *answer { return p.send(http.MethodPatch, entry, body, tag) }
	edited := edit(olga, `{"name":"Ada L.","rating":1812.5,"club":"Quixo Club"}`, olga.get(entry).etag()).
		want(t, http.StatusOK)
	if edited.text("name") != "Ada L." || edited.number("rating") != 1812.5 || edited.text("club") != "Quixo Club" {
		t.Errorf("%s", edited.raw)
	}
	edit(olga, `{"club":""}`, own.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	edit(olga, `{"club":""}`, edited.etag()).want(t, http.StatusOK).lacks(t, `"club"`)
	edit(ada, `{"name":"A"}`, header{"If-Match", "*"}).refused(t, http.StatusForbidden, "forbidden")
	edit(olga, `{"status":"confirmed"}`, header{"If-Match", "*"}).refused(t, http.StatusBadRequest, "malformed")
	enter(ada, map[string]any{"player_id": ada.player, "rating": 3000}).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"/rating"`)
	board := enter(olga, `{"name":"Over The Board","rating":1500,"club":"C"}`).want(t, http.StatusCreated)
	if board.number("rating") != 1500 || board.text("club") != "C" || len(board.list("members")) != 0 {
		t.Errorf("%s", board.raw)
	}
	olga.send(http.MethodDelete, path+"/entries/"+board.text("id"), nil, board.etag()).want(t, http.StatusNoContent)
	olga.send(http.MethodPut, entry+"/byes", `{"items":[{"round":1,"bye":"HPB"}]}`, header{"If-Match", "*"}).
		refused(t, http.StatusConflict, "wrong-state")
	olga.send(http.MethodPut, path+"/forbidden-pairs", `{"items":[]}`, header{"If-Match", "*"}).
		refused(t, http.StatusConflict, "wrong-state")

	bobsPath := path + "/entries/" + bobs.text("id")
	olga.send(http.MethodDelete, bobsPath, nil).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	olga.send(http.MethodDelete, bobsPath, nil, own.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	bob.send(http.MethodDelete, bobsPath, nil, bobs.etag()).refused(t, http.StatusForbidden, "forbidden")
	olga.send(http.MethodDelete, bobsPath, nil, olga.get(bobsPath).etag()).want(t, http.StatusNoContent)
	olga.get(bobsPath).refused(t, http.StatusNotFound, "not-found")
	olga.post(path+"/close", nil).want(t, http.StatusOK)
	enter(bob, map[string]any{"player_id": bob.player}).refused(t, http.StatusConflict, "wrong-state")
	olga.post(path+"/start", nil).refused(t, http.StatusUnprocessableEntity, "invalid")
}

func TestResultsByHand(t *testing.T) {
	s := newService(t)
	olga, arne := s.withRole("olga", account.RoleOrganiser), s.register("arne")
	ada, bob := s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	result := path + "/rounds/1/pairings/1/result"
	game := round.text("pairings", 0, "game_id")
	put := func(p person, body string, tag ...header) *answer {
		return p.send(http.MethodPut, result, body, tag...)
	}
	put(olga, `{"result":"1-0"}`).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	put(ada, `{"result":"1-0"}`, round.etag()).refused(t, http.StatusForbidden, "forbidden")
	put(arne, `{"result":"1-0"}`, round.etag()).refused(t, http.StatusForbidden, "forbidden")
	before := s.anonymous().get(result).want(t, http.StatusOK).lacks(t, `"result"`)

	arbiters := olga.get(path+"/arbiters").want(t, http.StatusOK)
	ada.get(path+"/arbiters").refused(t, http.StatusForbidden, "forbidden")
	olga.send(http.MethodPut, path+"/arbiters", `{"logins":["nobody"]}`, arbiters.etag()).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/logins/0")
	olga.send(http.MethodPut, path+"/arbiters", `{"logins":["Arne"]}`, arbiters.etag()).want(t, http.StatusOK).
		has(t, `"arne"`)
	arne.tokenFor("read", "play").send(http.MethodPut, result, `{"result":"1-0"}`, before.etag()).
		refused(t, http.StatusForbidden, "insufficient-scope")
	put(arne, `{"ranks":[1,2,3]}`, before.etag()).refused(t, http.StatusUnprocessableEntity, "invalid")
	put(arne, `{"result":"1-0","ranks":[1,2]}`, before.etag()).refused(t, http.StatusUnprocessableEntity, "invalid")
	put(arne, `{"reason":"none"}`, before.etag()).refused(t, http.StatusUnprocessableEntity, "invalid")
	first := put(arne, `{"result":"1/2-1/2","reason":"shook hands"}`, before.etag()).want(t, http.StatusOK)
	if first.text("result") != "1/2-1/2" || first.text("points", 0) != "0.5" || first.text("source") != "arbiter" {
		t.Errorf("%s", first.raw)
	}
	s.anonymous().get("/games/"+game).want(t, http.StatusOK).has(t, `"aborted"`)
	put(arne, `{"result":"0-1"}`, before.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	put(olga, `{"result":"+--","reason":"phone rang"}`, first.etag()).want(t, http.StatusOK)
	last := s.anonymous().get(result).want(t, http.StatusOK).lacks(t, arne.account, olga.account)
	if len(last.list("history")) < 2 || last.text("history", 0, "after") != "1/2-1/2" || last.at("forfeit") != true {
		t.Errorf("%s", last.raw)
	}
	put(olga, `{"result":"1-0"}`, olga.get(path).etag()).want(t, http.StatusOK) // the tournament's tag will do, too
	olga.send(http.MethodPut, path+"/rounds/7/pairings/1/result", `{"result":"1-0"}`, header{"If-Match", "*"}).
		refused(t, http.StatusNotFound, "not-found")
	olga.send(http.MethodPut, path+"/rounds/1/pairings/9/result", `{"result":"1-0"}`, header{"If-Match", "*"}).
		refused(t, http.StatusNotFound, "not-found")
	put(arne, `{"result":"2-0"}`, header{"If-Match", "*"}).refused(t, http.StatusBadRequest, "malformed")
}
