package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestATournamentFromDraftToTheEnd(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	players := map[string]apitest.Person{}
	ada, bob, cleo := s.Register("ada"), s.Register("bob"), s.Register("cleo")
	for _, p := range []apitest.Person{ada, bob, cleo} {
		players[p.Player] = p
	}
	path, round := apitest.StartTournament(t, olga, ada, bob, cleo)
	if round.Number("number") != 1 || len(round.List("pairings")) != 2 {
		t.Fatalf("three players: a game and a free round: %s", round.Raw)
	}
	entries := olga.Get(path+"/entries").Want(t, http.StatusOK)
	if entries.Text("items", 0, "status") != "confirmed" || entries.Number("items", 0, "number") != 1 {
		t.Errorf("%s", entries.Raw)
	}
	olga.Post(path+"/rounds", nil).Refused(t, http.StatusConflict, "wrong-state")
	for n := 1; n <= 3; n++ {
		if n > 1 {
			round = olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
		}
		game := round.Text("pairings", 0, "game_id")
		g := s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK)
		if g.Text("tournament", "id") == "" || int(g.Number("tournament", "round")) != n {
			t.Errorf("%s", g.Raw)
		}
		loser := players[g.Text("seats", 1, "player", "id")]
		loser.Post("/games/"+game+"/abort", nil).Refused(t, http.StatusForbidden, "tournament-game")
		apitest.Play(t, game, players[g.Text("seats", 0, "player", "id")], 1, "c1-c5")
		apitest.Play(t, game, loser, 2, "a1-e1")
		loser.Post("/games/"+game+"/resign", nil).Want(t, http.StatusOK)
		after := s.Anonymous().Get(fmt.Sprintf("%s/rounds/%d", path, n)).Want(t, http.StatusOK)
		if after.Text("pairings", 0, "result") != "1-0" || after.Text("status") != "complete" {
			t.Errorf("the result is there once the game is over: %s", after.Raw)
		}
	}
	table := s.Anonymous().Get(path+"/standings").Want(t, http.StatusOK)
	if len(table.List("rows")) != 3 || fmt.Sprint(table.At("columns")) != "[DE SB WIN]" || table.Number("round") != 3 {
		t.Errorf("%s", table.Raw)
	}
	early := s.Anonymous().Get(path+"/standings?round=1").Want(t, http.StatusOK)
	if early.Text("rows", 0, "points") != "1" {
		t.Errorf("%s", early.Raw)
	}
	s.Anonymous().Get(path+"/standings?round=9").Refused(t, http.StatusNotFound, "not-found")
	cross := s.Anonymous().Get(path+"/crosstable").Want(t, http.StatusOK)
	if len(cross.List("rows", 0, "cells")) != 3 {
		t.Errorf("%s", cross.Raw)
	}
	s.Anonymous().Get(path).Want(t, http.StatusOK).Lacks(t, "lot_seed")
	olga.Post(path+"/finish", nil).Want(t, http.StatusOK).Has(t, "lot_seed", `"finished"`)
	olga.Post(path+"/archive", nil).Want(t, http.StatusOK).Has(t, `"archived"`)
	s.Anonymous().Get("/tournaments?player="+ada.Player).Want(t, http.StatusOK).Has(t, `"Cup"`)
	s.Anonymous().Get(path+"/rounds").Want(t, http.StatusOK).Has(t, `"number":3`)
}

func TestDraftsAreTheirOrganisersAlone(t *testing.T) {
	s := apitest.New(t)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	ada, root := s.Register("ada"), s.WithRole("root", account.RoleAdmin)
	ada.Post("/tournaments", apitest.Cup).Refused(t, http.StatusForbidden, "forbidden")
	made := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	for _, p := range []apitest.Person{s.Anonymous(), ada, otto} {
		for _, below := range []string{"", "/entries", "/rounds", "/standings", "/crosstable", "/events", "/rounds/1"} {
			p.Get(path+below).Refused(t, http.StatusNotFound, "not-found")
		}
		p.Get("/tournaments").Want(t, http.StatusOK).Lacks(t, made.Text("id"))
		p.Get("/tournaments?status=draft").Want(t, http.StatusOK).Lacks(t, made.Text("id"))
		p.Get("/tournaments?status=draft,open").Want(t, http.StatusOK).Lacks(t, made.Text("id"))
	}
	for _, p := range []apitest.Person{ada, otto} {
		p.Post(path+"/open", nil).Refused(t, http.StatusNotFound, "not-found")
		p.Send(http.MethodDelete, path, nil, made.IfMatch()).Refused(t, http.StatusNotFound, "not-found")
		p.Post(path+"/entries", map[string]any{"player_id": ada.Player}).Refused(t, http.StatusNotFound, "not-found")
	}
	for _, p := range []apitest.Person{olga, root} {
		p.Get(path).Want(t, http.StatusOK)
		p.Get("/tournaments?status=draft").Want(t, http.StatusOK).Has(t, made.Text("id"))
	}
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	otto.Post(path+"/start", nil).Refused(t, http.StatusForbidden, "forbidden")
	otto.Post(path+"/rounds", nil).Refused(t, http.StatusForbidden, "forbidden")
	otto.Post(path+"/close", nil).Refused(t, http.StatusForbidden, "forbidden")
	otto.Send(http.MethodPatch, path, `{"name":"Mine"}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusForbidden, "forbidden")
	olga.TokenFor("read", "play").Post(path+"/close", nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	root.Post(path+"/close", nil).Want(t, http.StatusOK)
}

// TestSettingsOfAnotherFormat: what only the former format or game had becomes the usual, as in the forms; values for
// "none" and "the usual" are taken.
func TestSettingsOfAnotherFormat(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	made := olga.Post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":5,"time_control":"none",
		"starts_at":"2031-05-06T19:30:00Z","pairing":{"acceleration":"baku","initial_colour":"black","half_point_byes":0}}`).
		Want(t, http.StatusCreated)
	path, tag := "/tournaments/"+made.Text("id"), made.IfMatch()
	patch := func(body string) *apitest.Answer {
		t.Helper()
		a := olga.Send(http.MethodPatch, path, body, tag).Want(t, http.StatusOK)
		tag = a.IfMatch()
		return a
	}
	patch(`{"pairing":{"initial_colour":"by_lot"},"starts_at":"","rounds":0}`).
		Lacks(t, "initial_colour", "starts_at", `"rounds"`)
	olga.Send(http.MethodPatch, path, `{"starts_at":"soon"}`, tag).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/starts_at")
	patch(`{"format":"round_robin"}`).Has(t, `"tie_breaks":["DE","SB","WIN"]`).Lacks(t, "acceleration", "half_point_byes")
	patch(`{"format":"table_swiss","variant":"quivive/melee","pairing":{"tables":{"sizes":[3,4],"preferred":3}}}`).
		Has(t, `"sizes":[3,4]`, `"preferred":3`)
	patch(`{"pairing":{"tables":{"preferred":0}}}`).Has(t, `"preferred":4`)
	patch(`{"pairing":{"tables":{"sizes":[]}}}`).Has(t, `"sizes":[3,4,5]`)
}

func TestTournamentSettings(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	faulty := olga.Post("/tournaments", `{"name":"Cup","variant":"quixo/duel","format":"round_robin","time_control":"soon",
		"tie_breaks":["NONE"]}`).Refused(t, http.StatusUnprocessableEntity, "invalid")
	if faulty.Text("errors", 0, "pointer") != "/tie_breaks" || faulty.Text("errors", 1, "pointer") != "/time_control" {
		t.Errorf("%s", faulty.Raw)
	}
	olga.Post("/tournaments", strings.Replace(apitest.Cup, "quixo/duel", "chess/duel", 1)).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"/variant"`)
	olga.Post("/tournaments", strings.Replace(apitest.Cup, `"none"`, `"baku"`, 1)).
		Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/pairing/acceleration")
	olga.Post("/tournaments", strings.Replace(apitest.Cup, `"SB"`, `"SB-C1"`, 1)).
		Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "write SB/C1")
	made := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	patch := func(body string, tag ...apitest.Header) *apitest.Answer {
		return olga.Send(http.MethodPatch, path, body, tag...)
	}
	patch(`{"name":"New"}`).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	patched := patch(`{"name":"New","points":{"win":3,"draw":1,"bye":0.5},"starts_at":"2026-12-01T19:00:00+01:00"}`,
		made.IfMatch()).
		Want(t, http.StatusOK)
	if patched.Number("points", "forfeit_win") != 3 || patched.Number("points", "forfeit_loss") != 0 {
		t.Errorf("forfeits do not follow the game: %s", patched.Raw)
	}
	if patched.Number("points", "win") != 3 || patched.Number("points", "loss") != 0 ||
		patched.Number("points", "bye") != 0.5 ||
		patched.Text("starts_at") != "2026-12-01T18:00:00.000Z" || patched.Text("time_control") != "300+3" {
		t.Errorf("%s", patched.Raw)
	}
	patch(`{"name":"Newer"}`, made.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	patch(`{"points":{"win":0.25}}`, patched.IfMatch()).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/points/win")
	patch(`{"status":"finished"}`, patched.IfMatch()).Refused(t, http.StatusBadRequest, "malformed")
	olga.Send(http.MethodDelete, path, nil).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	olga.Send(http.MethodDelete, path, nil, made.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	olga.Send(http.MethodDelete, path, nil, patched.IfMatch()).Want(t, http.StatusNoContent)
	olga.Get(path).Refused(t, http.StatusNotFound, "not-found")
}

func TestEntries(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	made := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	enter := func(p apitest.Person, body any) *apitest.Answer { return p.Post(path+"/entries", body) }
	own := enter(ada, map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated)
	if own.Text("status") != "registered" || own.Text("name") != "Player ada" {
		t.Errorf("%s", own.Raw)
	}
	enter(ada, map[string]any{"player_id": ada.Player}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	enter(ada, map[string]any{"player_id": bob.Player}).Refused(t, http.StatusForbidden, "forbidden")
	enter(s.Anonymous(), map[string]any{"player_id": bob.Player}).Refused(t, http.StatusUnauthorized, "unauthorized")
	enter(bob.TokenFor("read"), map[string]any{"player_id": bob.Player}).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	enter(olga, map[string]any{"player_id": "nobody"}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, `"/player_id"`)
	enter(olga, map[string]any{"members": []string{bob.Player}}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, `"/name"`)
	enter(olga, map[string]any{"name": "Two", "members": []string{bob.Player, "nobody"}}).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"/members/1"`)
	enter(olga, `{}`).Refused(t, http.StatusBadRequest, "malformed")
	bobs := enter(olga, map[string]any{"player_id": bob.Player}).Want(t, http.StatusCreated).Has(t, `"confirmed"`)

	entry := path + "/entries/" + own.Text("id")
	ada.Post(entry+"/confirm", nil).Refused(t, http.StatusForbidden, "forbidden")
	olga.Post(entry+"/confirm", nil).Want(t, http.StatusOK).Has(t, `"confirmed"`)
	bob.Post(entry+"/withdraw", nil).Refused(t, http.StatusForbidden, "forbidden")
	ada.Post(entry+"/withdraw", nil).Want(t, http.StatusOK).Has(t, `"withdrawn"`)
	ada.Post(entry+"/reinstate", nil).Refused(t, http.StatusForbidden, "forbidden")
	olga.Post(entry+"/reinstate", nil).Want(t, http.StatusOK).Has(t, `"confirmed"`)
	olga.Post(path+"/entries/nobody/withdraw", nil).Refused(t, http.StatusNotFound, "not-found")

	edit := func(p apitest.Person, body string, tag apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPatch, entry, body, tag)
	}
	edited := edit(olga, `{"name":"Ada L.","rating":1812.5,"club":"Quixo Club"}`, olga.Get(entry).IfMatch()).
		Want(t, http.StatusOK)
	if edited.Text("name") != "Ada L." || edited.Number("rating") != 1812.5 || edited.Text("club") != "Quixo Club" {
		t.Errorf("%s", edited.Raw)
	}
	edit(olga, `{"club":""}`, own.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	edit(olga, `{"club":""}`, edited.IfMatch()).Want(t, http.StatusOK).Lacks(t, `"club"`)
	edit(ada, `{"name":"A"}`, apitest.Header{"If-Match", "*"}).Refused(t, http.StatusForbidden, "forbidden")
	edit(olga, `{"status":"confirmed"}`, apitest.Header{"If-Match", "*"}).Refused(t, http.StatusBadRequest, "malformed")
	enter(ada, map[string]any{"player_id": ada.Player, "rating": 3000}).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"/rating"`)
	board := enter(olga, `{"name":"Over The Board","rating":1500,"club":"C"}`).Want(t, http.StatusCreated)
	if board.Number("rating") != 1500 || board.Text("club") != "C" || len(board.List("members")) != 0 {
		t.Errorf("%s", board.Raw)
	}
	olga.Send(http.MethodDelete, path+"/entries/"+board.Text("id"), nil, board.IfMatch()).Want(t, http.StatusNoContent)
	olga.Send(http.MethodPut, entry+"/byes", `{"items":[{"round":1,"bye":"HPB"}]}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusConflict, "wrong-state")
	olga.Send(http.MethodPut, path+"/forbidden-pairs", `{"items":[]}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusConflict, "wrong-state")

	bobsPath := path + "/entries/" + bobs.Text("id")
	olga.Send(http.MethodDelete, bobsPath, nil).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	olga.Send(http.MethodDelete, bobsPath, nil, own.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	bob.Send(http.MethodDelete, bobsPath, nil, bobs.IfMatch()).Refused(t, http.StatusForbidden, "forbidden")
	olga.Send(http.MethodDelete, bobsPath, nil, olga.Get(bobsPath).IfMatch()).Want(t, http.StatusNoContent)
	olga.Get(bobsPath).Refused(t, http.StatusNotFound, "not-found")
	olga.Post(path+"/close", nil).Want(t, http.StatusOK)
	enter(bob, map[string]any{"player_id": bob.Player}).Refused(t, http.StatusConflict, "wrong-state")
	olga.Post(path+"/start", nil).Refused(t, http.StatusUnprocessableEntity, "invalid")
}

func TestResultsByHand(t *testing.T) {
	s := apitest.New(t)
	olga, arne := s.WithRole("olga", account.RoleOrganiser), s.Register("arne")
	ada, bob := s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	result := path + "/rounds/1/pairings/1/result"
	game := round.Text("pairings", 0, "game_id")
	put := func(p apitest.Person, body string, tag ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPut, result, body, tag...)
	}
	put(olga, `{"result":"1-0"}`).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	put(ada, `{"result":"1-0"}`, round.IfMatch()).Refused(t, http.StatusForbidden, "forbidden")
	put(arne, `{"result":"1-0"}`, round.IfMatch()).Refused(t, http.StatusForbidden, "forbidden")
	before := s.Anonymous().Get(result).Want(t, http.StatusOK).Lacks(t, `"result"`)

	arbiters := olga.Get(path+"/arbiters").Want(t, http.StatusOK)
	ada.Get(path+"/arbiters").Refused(t, http.StatusForbidden, "forbidden")
	olga.Send(http.MethodPut, path+"/arbiters", `{"logins":["nobody"]}`, arbiters.IfMatch()).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/logins/0")
	olga.Send(http.MethodPut, path+"/arbiters", `{"logins":["Arne"]}`, arbiters.IfMatch()).Want(t, http.StatusOK).
		Has(t, `"arne"`)
	arne.TokenFor("read", "play").Send(http.MethodPut, result, `{"result":"1-0"}`, before.IfMatch()).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	put(arne, `{"ranks":[1,2,3]}`, before.IfMatch()).Refused(t, http.StatusUnprocessableEntity, "invalid")
	put(arne, `{"result":"1-0","ranks":[1,2]}`, before.IfMatch()).Refused(t, http.StatusUnprocessableEntity, "invalid")
	put(arne, `{"reason":"none"}`, before.IfMatch()).Refused(t, http.StatusUnprocessableEntity, "invalid")
	first := put(arne, `{"result":"1/2-1/2","reason":"shook hands"}`, before.IfMatch()).Want(t, http.StatusOK)
	if first.Text("result") != "1/2-1/2" || first.Text("points", 0) != "0.5" || first.Text("source") != "arbiter" {
		t.Errorf("%s", first.Raw)
	}
	s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK).Has(t, `"aborted"`)
	put(arne, `{"result":"0-1"}`, before.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	put(olga, `{"result":"+--","reason":"phone rang"}`, first.IfMatch()).Want(t, http.StatusOK)
	last := s.Anonymous().Get(result).Want(t, http.StatusOK).Lacks(t, arne.Account, olga.Account)
	if len(last.List("history")) < 2 || last.Text("history", 0, "after") != "1/2-1/2" || last.At("forfeit") != true {
		t.Errorf("%s", last.Raw)
	}
	put(olga, `{"result":"1-0"}`, olga.Get(path).IfMatch()).Want(t, http.StatusOK) // the tournament's tag will do, too
	olga.Send(http.MethodPut, path+"/rounds/7/pairings/1/result", `{"result":"1-0"}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusNotFound, "not-found")
	olga.Send(http.MethodPut, path+"/rounds/1/pairings/9/result", `{"result":"1-0"}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusNotFound, "not-found")
	put(arne, `{"result":"2-0"}`, apitest.Header{"If-Match", "*"}).Refused(t, http.StatusBadRequest, "malformed")
}
