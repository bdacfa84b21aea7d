package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

func TestOrganisersEnterPlayers(t *testing.T) {
	s := newService(t)
	ada, olga := s.register("ada"), s.withRole("olga", account.RoleOrganiser)
	body := `{"name":"Cleo","club":"Meeple","birth_year":1999,"rating":{"quixo-blitz":1630}}`
	ada.post("/players", body).refused(t, http.StatusForbidden, "forbidden")
	olga.tokenFor("read", "play").post("/players", body).refused(t, http.StatusForbidden, "insufficient-scope")
	made := olga.post("/players", body).want(t, http.StatusCreated).has(t, "1999", "1630")
	path := "/players/" + made.text("id")
	s.anonymous().get(path).want(t, http.StatusOK).has(t, "Meeple", `"claimed":false`).lacksYears(t)
	ada.get(path).want(t, http.StatusOK).lacksYears(t)
	olga.get(path).want(t, http.StatusOK).has(t, "1999")

	olga.send(http.MethodPatch, path, `{"club":"Dice"}`).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	olga.send(http.MethodPatch, path, `{"club":"Dice"}`, header{"If-Match", `"v9"`}).
		refused(t, http.StatusPreconditionFailed, "stale")
	olga.send(http.MethodPatch, path, `{"club":"Dice"}`, header{"If-Match", "W/" + made.header.Get("ETag")}).
		refused(t, http.StatusPreconditionFailed, "stale")
	changed := olga.send(http.MethodPatch, path, `{"club":""}`, made.etag()).want(t, http.StatusOK).lacks(t, "Meeple")
	olga.send(http.MethodPatch, path, `{"name":"Cleopatra"}`, made.etag()).
		refused(t, http.StatusPreconditionFailed, "stale")
	olga.send(http.MethodPatch, path, `{"name":"Cleopatra"}`, header{"If-Match", `"v9", ` + changed.header.Get("ETag")}).
		want(t, http.StatusOK).has(t, "Cleopatra")
	ada.send(http.MethodPatch, path, `{"name":"Ha"}`, changed.etag()).refused(t, http.StatusForbidden, "forbidden")
	own := "/players/" + ada.player
	ada.send(http.MethodPatch, own, `{"name":"Ada Lovelace"}`, ada.get(own).etag()).want(t, http.StatusOK)
	ada.get("/me").want(t, http.StatusOK).has(t, "Ada Lovelace")
	olga.send(http.MethodPatch, own, `{}`, header{"If-Match", "*"}).refused(t, http.StatusBadRequest, "malformed")
}

func TestClaimingAPlayer(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	path := "/players/" + olga.post("/players", `{"name":"Cleo"}`).want(t, http.StatusCreated).text("id")
	cleo, ada := s.withRole("cleo", account.RolePlayer), s.register("ada")
	claim := func(p person, code string) *answer { return p.post(path+"/claim", map[string]any{"code": code}) }
	claim(cleo, "AAAA-AAAA-AAAA-AAAA").refused(t, http.StatusUnprocessableEntity, "wrong-code")
	ada.post(path+"/claim-code", nil).refused(t, http.StatusForbidden, "forbidden")
	old := olga.post(path+"/claim-code", nil).want(t, http.StatusCreated).text("code")
	code := olga.post(path+"/claim-code", nil).want(t, http.StatusCreated).text("code")
	claim(cleo, old).refused(t, http.StatusUnprocessableEntity, "wrong-code")
	claim(ada, code).refused(t, http.StatusConflict, "has-player")
	s.anonymous().get(path).want(t, http.StatusOK).lacks(t, code)

	claim(cleo, strings.ToLower(strings.ReplaceAll(code, "-", " "))).want(t, http.StatusOK).has(t, `"claimed":true`)
	if me := cleo.get("/me").want(t, http.StatusOK); me.text("player", "name") != "Cleo" {
		t.Errorf("%s", me.raw)
	}
	claim(cleo, code).want(t, http.StatusOK) // a second time answers as before
	dora := s.withRole("dora", account.RolePlayer)
	claim(dora, code).refused(t, http.StatusConflict, "claimed")
	olga.post(path+"/claim-code", nil).refused(t, http.StatusConflict, "claimed")
	dora.post("/players/nobody/claim", `{"code":"x"}`).refused(t, http.StatusNotFound, "not-found")
}

func TestListsOfPlayers(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	for i := range 7 {
		olga.post("/players", map[string]any{"name": fmt.Sprintf("Player %d", i), "club": "Meeple"}).
			want(t, http.StatusCreated)
	}
	olga.post("/players", `{"name":"Zoe & Co","club":"Dice"}`).want(t, http.StatusCreated)
	var names []string
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		path := "/players?limit=3&club=Meeple"
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		page := s.anonymous().get(path).want(t, http.StatusOK)
		for i := range page.list("items") {
			names = append(names, page.text("items", i, "name"))
		}
		if cursor = page.text("next_cursor"); pages > 5 {
			t.Fatal("the list does not end")
		}
	}
	if len(names) != 7 || names[0] != "Player 0" || names[6] != "Player 6" {
		t.Errorf("%v", names)
	}
	s.anonymous().get("/players?name=zoe%20%26").want(t, http.StatusOK).has(t, "Zoe").lacks(t, "Player")
	s.anonymous().get("/players?name=%25").want(t, http.StatusOK).has(t, `"items":[]`)
	s.anonymous().get("/players/nobody").refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/players/nobody/ratings").refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/players/nobody/ratings/quixo-blitz/history").refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/ratings/nothing").want(t, http.StatusOK).has(t, `"items":[]`)
}
