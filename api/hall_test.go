package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// hallBoard runs a rated duel of ada and bob in the hall and returns the path of its board, and its players.
func hallBoard(t *testing.T, s *service, olga person, players ...person) (path, board string, seated []person) {
	t.Helper()
	made := olga.post("/tournaments", map[string]any{
		"name": "Wood", "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3", "rated": true,
		"venue": "hall",
	}).want(t, http.StatusCreated).has(t, `"venue":"hall"`)
	path = "/tournaments/" + made.text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	seats := map[string]person{}
	for _, p := range players {
		entry := p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
		seats[entry.text("id")] = p
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated).has(t, `"venue":"hall"`).lacks(t, "game_id")
	for i := range round.list("pairings", 0, "seats") {
		seated = append(seated, seats[round.text("pairings", 0, "seats", i)])
	}
	return path, path + "/rounds/1/pairings/1", seated
}

// TestAResultInTheHallIsRated at once, a correction too, and removing it takes the ratings back.
func TestAResultInTheHallIsRated(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	path, board, seated := hallBoard(t, s, olga, s.register("ada"), s.register("bob"))
	if n := len(seated[0].get("/games?status=running").want(t, http.StatusOK).list("items")); n != 0 {
		t.Errorf("%d games run on the server", n)
	}
	won := olga.send(http.MethodPut, board+"/result", `{"result":"1-0"}`, anyVersion).want(t, http.StatusOK).
		has(t, `"rated":true`)
	game := "/games/" + won.text("hall_game_id")
	rating := func(p person) float64 {
		t.Helper()
		a := s.anonymous().get("/players/"+p.player+"/ratings").want(t, http.StatusOK)
		if len(a.list("items")) == 0 {
			return 0
		}
		return a.number("items", 0, "rating")
	}
	rated := func(what string, first, second float64) {
		t.Helper()
		if one, two := rating(seated[0]), rating(seated[1]); one != first || two != second {
			t.Errorf("%s: %v and %v, want %v and %v", what, one, two, first, second)
		}
	}
	rated("won", 1520, 1480)
	link := `href="` + game + `"`
	s.anonymous().get("/"+game).want(t, http.StatusOK).has(t, "were not recorded", "An arbiter entered", "1520")
	for _, page := range []string{"?tab=round", "/crosstable", "/players/1"} {
		s.anonymous().get("/"+path+page).want(t, http.StatusOK).has(t, link)
	}
	s.anonymous().get("//players/"+seated[0].player).want(t, http.StatusOK).has(t, link, "1520")
	s.anonymous().get(game).want(t, http.StatusOK).has(t, `"venue":"hall"`, `"status":"finished"`).
		lacks(t, "remaining_ms", `"position"`)
	s.anonymous().get(game+"/rating-changes").want(t, http.StatusOK).has(t, `"change":20`)
	s.anonymous().get("/players/"+seated[0].player+"/games").want(t, http.StatusOK).has(t, won.text("hall_game_id"))
	recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK))
	seated[0].post(game+"/moves", move(1, 1, "c1-c5")).refused(t, http.StatusConflict, "game-over")

	olga.send(http.MethodPut, board+"/result", `{"result":"0-1","reason":"written down wrongly"}`, anyVersion).
		want(t, http.StatusOK)
	rated("corrected", 1480, 1520)
	s.anonymous().get(game).want(t, http.StatusOK).has(t, `"ranks":[2,1]`)
	olga.send(http.MethodPut, board+"/result", `{"result":"0-1","rated":false}`, anyVersion).want(t, http.StatusOK).
		has(t, `"rated":false`)
	rated("not rated", 0, 0)
	olga.send(http.MethodPut, board+"/result", `{"result":"1-0","adjudicated":true,"reason":"late"}`, anyVersion).
		want(t, http.StatusOK).has(t, `"rated":false`)
	olga.send(http.MethodPut, board+"/result", `{"result":"1-0","adjudicated":true,"rated":true,"reason":"late"}`,
		anyVersion).want(t, http.StatusOK)
	rated("adjudicated", 1520, 1480)
	olga.send(http.MethodPut, board+"/result", `{"result":"+--","rated":true}`, anyVersion).
		refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "not played")
	olga.send(http.MethodPut, board+"/result", `{"result":"+--"}`, anyVersion).want(t, http.StatusOK).
		lacks(t, "hall_game_id")
	rated("forfeited", 0, 0)
	olga.send(http.MethodDelete, board+"/result", nil, anyVersion).want(t, http.StatusOK).lacks(t, `"result":`)
	olga.send(http.MethodDelete, board+"/result", nil).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	seated[0].send(http.MethodDelete, board+"/result", nil, anyVersion).refused(t, http.StatusForbidden, "forbidden")
}

// TestABoardMovesBetweenServerAndHall while nothing has been played at it.
func TestABoardMovesBetweenServerAndHall(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob := s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	board, game := path+"/rounds/1/pairings/1", "/games/"+round.text("pairings", 0, "game_id")
	ada.send(http.MethodPut, board+"/venue", `{"venue":"hall"}`).refused(t, http.StatusForbidden, "forbidden")
	olga.send(http.MethodPut, board+"/venue", `{"venue":"hall"}`, header{"If-Match", `"old"`}).
		refused(t, http.StatusPreconditionFailed, "stale")
	olga.send(http.MethodPut, board+"/venue", `{"venue":"hall"}`).want(t, http.StatusOK).has(t, `"venue":"hall"`).
		lacks(t, "game_id")
	s.anonymous().get(game).want(t, http.StatusOK).has(t, `"status":"aborted"`)
	moved := olga.send(http.MethodPut, board+"/venue", `{"venue":"server"}`).want(t, http.StatusOK).has(t, "game_id")
	s.anonymous().get("/games/"+moved.text("game_id")).want(t, http.StatusOK).has(t, `"status":"running"`)
	for _, p := range []person{ada, bob} {
		p.post("/games/"+moved.text("game_id")+"/moves", move(1, 1, "c1-c5"))
	}
	olga.send(http.MethodPut, board+"/venue", `{"venue":"hall"}`).refused(t, http.StatusConflict, "wrong-state").
		has(t, "has begun")
	olga.send(http.MethodPut, path+"/rounds/1/pairings/9/venue", `{"venue":"hall"}`).
		refused(t, http.StatusNotFound, "not-found")
}

// TestARecordOfAGameInTheHall is judged, kept as it came, and replayed.
func TestARecordOfAGameInTheHall(t *testing.T) {
	s := newService(t)
	olga, eve := s.withRole("olga", account.RoleOrganiser), s.register("eve")
	path, board, seated := hallBoard(t, s, olga, s.register("ada"), s.register("bob"))
	record := func(moves string) string { return "[Variant \"quixo/duel\"]\n[Result \"1,2\"]\n\n" + moves + " 1,2\n" }
	put := func(p person, text string) *answer {
		return p.send(http.MethodPut, board+"/record", text, header{"Content-Type", "text/plain"})
	}
	good := record("c1-c5 a1-a5 2:!resignation")
	put(olga, good).refused(t, http.StatusConflict, "wrong-state").has(t, "no result yet")
	game := "/games/" + olga.send(http.MethodPut, board+"/result", `{"result":"1-0"}`, anyVersion).want(t, http.StatusOK).
		text("hall_game_id")
	for text, why := range map[string]string{
		"moves":                                              "cannot be read",
		record("c1-c5 c1-c5 c1-c4"):                          "entry",
		record("c1-c5 1:!resignation"):                       "the moves end the game with 2,1",
		strings.ReplaceAll(good, "1,2", "2,1"):               "its result is 2,1",
		strings.Replace(good, "quixo/duel", "quits/duel", 1): "quixo/duel was played",
		record("c1-c5 ?"):                                    "",
	} {
		put(olga, text).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, why)
	}
	put(eve, good).refused(t, http.StatusForbidden, "forbidden")
	put(s.anonymous(), good).refused(t, http.StatusUnauthorized, "unauthorized")
	put(olga, record(strings.Repeat("c1-c5 ", 12000))).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "at most 65536")
	put(seated[1], good).want(t, http.StatusOK).has(t, `"recorded":true`)
	if got := string(s.anonymous().get(board+"/record").want(t, http.StatusOK).raw); got != good {
		t.Errorf("kept is %q", got)
	}
	s.anonymous().get(game).want(t, http.StatusOK).has(t, `"plies":2`, `"reason":"resignation"`, `"position"`)
	if r := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK)); len(r[0].Entries) != 3 {
		t.Errorf("%+v", r)
	}
	put(olga, record("c1-c5 a1-a5 c1-c5")).want(t, http.StatusOK) // the result is the arbiter's word
	olga.post(path+"/undo", map[string]any{"act": olga.get(path + "/history").number("undoable")}).want(t, http.StatusOK)
	if got := string(s.anonymous().get(board+"/record").want(t, http.StatusOK).raw); got != good {
		t.Errorf("after the undo: %q", got)
	}
	seated[0].send(http.MethodDelete, board+"/record", nil).want(t, http.StatusOK).lacks(t, "recorded")
	s.anonymous().get(board+"/record").refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get(game).want(t, http.StatusOK).has(t, `"plies":0`)
}
