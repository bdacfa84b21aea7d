package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// hallBoard runs a rated duel of ada and bob in the hall and returns the path of its board, and its players.
func hallBoard(t *testing.T, s *apitest.Service, olga apitest.Person, players ...apitest.Person) (path, board string,
	seated []apitest.Person,
) {
	t.Helper()
	made := olga.Post("/tournaments", map[string]any{
		"name": "Wood", "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3", "rated": true,
		"venue": "hall",
	}).Want(t, http.StatusCreated).Has(t, `"venue":"hall"`)
	path = "/tournaments/" + made.Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	seats := map[string]apitest.Person{}
	for _, p := range players {
		entry := p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
		seats[entry.Text("id")] = p
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated).Has(t, `"venue":"hall"`).Lacks(t, "game_id")
	for i := range round.List("pairings", 0, "seats") {
		seated = append(seated, seats[round.Text("pairings", 0, "seats", i)])
	}
	return path, path + "/rounds/1/pairings/1", seated
}

// TestAResultInTheHallIsRated at once, a correction too, and removing it takes the ratings back.
func TestAResultInTheHallIsRated(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path, board, seated := hallBoard(t, s, olga, s.Register("ada"), s.Register("bob"))
	if n := len(seated[0].Get("/games?status=running").Want(t, http.StatusOK).List("items")); n != 0 {
		t.Errorf("%d games run on the server", n)
	}
	won := olga.Send(http.MethodPut, board+"/result", `{"result":"1-0"}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Has(t, `"rated":true`)
	game := "/games/" + won.Text("hall_game_id")
	rating := func(p apitest.Person) float64 {
		t.Helper()
		a := s.Anonymous().Get("/players/"+p.Player+"/ratings").Want(t, http.StatusOK)
		if len(a.List("items")) == 0 {
			return 0
		}
		return a.Number("items", 0, "rating")
	}
	rated := func(what string, first, second float64) {
		t.Helper()
		if one, two := rating(seated[0]), rating(seated[1]); one != first || two != second {
			t.Errorf("%s: %v and %v, want %v and %v", what, one, two, first, second)
		}
	}
	rated("won", 1520, 1480)
	link := `href="` + game + `"`
	s.Anonymous().Get("/"+game).Want(t, http.StatusOK).Has(t, "were not recorded", "An arbiter entered", "1520")
	for _, page := range []string{"?tab=round", "/crosstable", "/players/1"} {
		s.Anonymous().Get("/"+path+page).Want(t, http.StatusOK).Has(t, link)
	}
	s.Anonymous().Get("//players/"+seated[0].Player).Want(t, http.StatusOK).Has(t, link, "1520")
	s.Anonymous().Get(game).Want(t, http.StatusOK).Has(t, `"venue":"hall"`, `"status":"finished"`).
		Lacks(t, "remaining_ms", `"position"`)
	s.Anonymous().Get(game+"/rating-changes").Want(t, http.StatusOK).Has(t, `"change":20`)
	s.Anonymous().Get("/players/"+seated[0].Player+"/games").Want(t, http.StatusOK).Has(t, won.Text("hall_game_id"))
	recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK))
	seated[0].Post(game+"/moves", apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusConflict, "game-over")

	olga.Send(http.MethodPut, board+"/result", `{"result":"0-1","reason":"written down wrongly"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	rated("corrected", 1480, 1520)
	s.Anonymous().Get(game).Want(t, http.StatusOK).Has(t, `"ranks":[2,1]`)
	olga.Send(http.MethodPut, board+"/result", `{"result":"0-1","rated":false}`, apitest.AnyVersion).
		Want(t, http.StatusOK).
		Has(t, `"rated":false`)
	rated("not rated", 0, 0)
	olga.Send(http.MethodPut, board+"/result", `{"result":"1-0","adjudicated":true,"reason":"late"}`, apitest.AnyVersion).
		Want(t, http.StatusOK).Has(t, `"rated":false`)
	olga.Send(http.MethodPut, board+"/result", `{"result":"1-0","adjudicated":true,"rated":true,"reason":"late"}`,
		apitest.AnyVersion).Want(t, http.StatusOK)
	rated("adjudicated", 1520, 1480)
	olga.Send(http.MethodPut, board+"/result", `{"result":"+--","rated":true}`, apitest.AnyVersion).
		Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "not played")
	olga.Send(http.MethodPut, board+"/result", `{"result":"+--"}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Lacks(t, "hall_game_id")
	rated("forfeited", 0, 0)
	olga.Send(http.MethodDelete, board+"/result", nil, apitest.AnyVersion).Want(t, http.StatusOK).Lacks(t, `"result":`)
	olga.Send(http.MethodDelete, board+"/result", nil).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	seated[0].Send(http.MethodDelete, board+"/result", nil, apitest.AnyVersion).
		Refused(t, http.StatusForbidden, "forbidden")
}

// TestABoardMovesBetweenServerAndHall while nothing has been played at it.
func TestABoardMovesBetweenServerAndHall(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob := s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	board, game := path+"/rounds/1/pairings/1", "/games/"+round.Text("pairings", 0, "game_id")
	ada.Send(http.MethodPut, board+"/venue", `{"venue":"hall"}`).Refused(t, http.StatusForbidden, "forbidden")
	olga.Send(http.MethodPut, board+"/venue", `{"venue":"hall"}`, apitest.Header{"If-Match", `"old"`}).
		Refused(t, http.StatusPreconditionFailed, "stale")
	olga.Send(http.MethodPut, board+"/venue", `{"venue":"hall"}`).Want(t, http.StatusOK).Has(t, `"venue":"hall"`).
		Lacks(t, "game_id")
	s.Anonymous().Get(game).Want(t, http.StatusOK).Has(t, `"status":"aborted"`)
	moved := olga.Send(http.MethodPut, board+"/venue", `{"venue":"server"}`).Want(t, http.StatusOK).Has(t, "game_id")
	s.Anonymous().Get("/games/"+moved.Text("game_id")).Want(t, http.StatusOK).Has(t, `"status":"running"`)
	for _, p := range []apitest.Person{ada, bob} {
		p.Post("/games/"+moved.Text("game_id")+"/moves", apitest.Move(1, 1, "c1-c5"))
	}
	olga.Send(http.MethodPut, board+"/venue", `{"venue":"hall"}`).Refused(t, http.StatusConflict, "wrong-state").
		Has(t, "has begun")
	olga.Send(http.MethodPut, path+"/rounds/1/pairings/9/venue", `{"venue":"hall"}`).
		Refused(t, http.StatusNotFound, "not-found")
}

// TestARecordOfAGameInTheHall is judged, kept as it came, and replayed.
func TestARecordOfAGameInTheHall(t *testing.T) {
	s := apitest.New(t)
	olga, eve := s.WithRole("olga", account.RoleOrganiser), s.Register("eve")
	path, board, seated := hallBoard(t, s, olga, s.Register("ada"), s.Register("bob"))
	record := func(moves string) string { return "[Variant \"quixo/duel\"]\n[Result \"1,2\"]\n\n" + moves + " 1,2\n" }
	put := func(p apitest.Person, text string) *apitest.Answer {
		return p.Send(http.MethodPut, board+"/record", text, apitest.Header{"Content-Type", "text/plain"})
	}
	good := record("c1-c5 a1-a5 2:!resignation")
	put(olga, good).Refused(t, http.StatusConflict, "wrong-state").Has(t, "no result yet")
	game := "/games/" + olga.Send(http.MethodPut, board+"/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK).
		Text("hall_game_id")
	for text, why := range map[string]string{
		"moves":                                              "cannot be read",
		record("c1-c5 c1-c5 c1-c4"):                          "entry",
		record("c1-c5 1:!resignation"):                       "the moves end the game with 2,1",
		strings.ReplaceAll(good, "1,2", "2,1"):               "its result is 2,1",
		strings.Replace(good, "quixo/duel", "quits/duel", 1): "quixo/duel was played",
		record("c1-c5 ?"):                                    "",
	} {
		put(olga, text).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, why)
	}
	put(eve, good).Refused(t, http.StatusForbidden, "forbidden")
	put(s.Anonymous(), good).Refused(t, http.StatusUnauthorized, "unauthorized")
	put(olga, record(strings.Repeat("c1-c5 ", 12000))).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "at most 65536")
	put(seated[1], good).Want(t, http.StatusOK).Has(t, `"recorded":true`)
	if got := string(s.Anonymous().Get(board+"/record").Want(t, http.StatusOK).Raw); got != good {
		t.Errorf("kept is %q", got)
	}
	s.Anonymous().Get(game).Want(t, http.StatusOK).Has(t, `"plies":2`, `"reason":"resignation"`, `"position"`)
	if r := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK)); len(r[0].Entries) != 3 {
		t.Errorf("%+v", r)
	}
	put(olga, record("c1-c5 a1-a5 c1-c5")).Want(t, http.StatusOK) // the result is the arbiter's word
	olga.Post(path+"/undo", map[string]any{"act": olga.Get(path + "/history").Number("undoable")}).Want(t, http.StatusOK)
	if got := string(s.Anonymous().Get(board+"/record").Want(t, http.StatusOK).Raw); got != good {
		t.Errorf("after the undo: %q", got)
	}
	seated[0].Send(http.MethodDelete, board+"/record", nil).Want(t, http.StatusOK).Lacks(t, "recorded")
	s.Anonymous().Get(board+"/record").Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get(game).Want(t, http.StatusOK).Has(t, `"plies":0`)
}
