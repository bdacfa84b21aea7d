package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestOrganisersEnterPlayers(t *testing.T) {
	s := apitest.New(t)
	ada, olga := s.Register("ada"), s.WithRole("olga", account.RoleOrganiser)
	body := `{"name":"Cleo","club":"Meeple","birth_year":1999,"rating":{"quixo-blitz":1630}}`
	ada.Post("/players", body).Refused(t, http.StatusForbidden, "forbidden")
	olga.TokenFor("read", "play").Post("/players", body).Refused(t, http.StatusForbidden, "insufficient-scope")
	made := olga.Post("/players", body).Want(t, http.StatusCreated).Has(t, "1999", "1630")
	path := "/players/" + made.Text("id")
	s.Anonymous().Get(path).Want(t, http.StatusOK).Has(t, "Meeple", `"claimed":false`).LacksYears(t)
	ada.Get(path).Want(t, http.StatusOK).LacksYears(t)
	olga.Get(path).Want(t, http.StatusOK).Has(t, "1999")

	olga.Send(http.MethodPatch, path, `{"club":"Dice"}`).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	olga.Send(http.MethodPatch, path, `{"club":"Dice"}`, apitest.Header{"If-Match", `"v9"`}).
		Refused(t, http.StatusPreconditionFailed, "stale")
	olga.Send(http.MethodPatch, path, `{"club":"Dice"}`, apitest.Header{"If-Match", "W/" + made.Header.Get("ETag")}).
		Refused(t, http.StatusPreconditionFailed, "stale")
	changed := olga.Send(http.MethodPatch, path, `{"club":""}`, made.IfMatch()).Want(t, http.StatusOK).Lacks(t, "Meeple")
	olga.Send(http.MethodPatch, path, `{"name":"Cleopatra"}`, made.IfMatch()).
		Refused(t, http.StatusPreconditionFailed, "stale")
	olga.Send(http.MethodPatch, path, `{"name":"Cleopatra"}`,
		apitest.Header{"If-Match", `"v9", ` + changed.Header.Get("ETag")}).
		Want(t, http.StatusOK).Has(t, "Cleopatra")
	ada.Send(http.MethodPatch, path, `{"name":"Ha"}`, changed.IfMatch()).Refused(t, http.StatusForbidden, "forbidden")
	own := "/players/" + ada.Player
	ada.Send(http.MethodPatch, own, `{"name":"Ada Lovelace"}`, ada.Get(own).IfMatch()).Want(t, http.StatusOK)
	ada.Get("/me").Want(t, http.StatusOK).Has(t, "Ada Lovelace")
	olga.Send(http.MethodPatch, own, `{}`, apitest.Header{"If-Match", "*"}).Refused(t, http.StatusBadRequest, "malformed")
}

func TestClaimingAPlayer(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path := "/players/" + olga.Post("/players", `{"name":"Cleo"}`).Want(t, http.StatusCreated).Text("id")
	cleo, ada := s.WithRole("cleo", account.RolePlayer), s.Register("ada")
	claim := func(p apitest.Person, code string) *apitest.Answer {
		return p.Post(path+"/claim", map[string]any{"code": code})
	}
	claim(cleo, "AAAA-AAAA-AAAA-AAAA").Refused(t, http.StatusUnprocessableEntity, "wrong-code")
	ada.Post(path+"/claim-code", nil).Refused(t, http.StatusForbidden, "forbidden")
	old := olga.Post(path+"/claim-code", nil).Want(t, http.StatusCreated).Text("code")
	code := olga.Post(path+"/claim-code", nil).Want(t, http.StatusCreated).Text("code")
	claim(cleo, old).Refused(t, http.StatusUnprocessableEntity, "wrong-code")
	claim(ada, code).Refused(t, http.StatusConflict, "has-player")
	s.Anonymous().Get(path).Want(t, http.StatusOK).Lacks(t, code)

	claim(cleo, strings.ToLower(strings.ReplaceAll(code, "-", " "))).Want(t, http.StatusOK).Has(t, `"claimed":true`)
	if me := cleo.Get("/me").Want(t, http.StatusOK); me.Text("player", "name") != "Cleo" {
		t.Errorf("%s", me.Raw)
	}
	claim(cleo, code).Want(t, http.StatusOK) // a second time answers as before
	dora := s.WithRole("dora", account.RolePlayer)
	claim(dora, code).Refused(t, http.StatusConflict, "claimed")
	olga.Post(path+"/claim-code", nil).Refused(t, http.StatusConflict, "claimed")
	dora.Post("/players/nobody/claim", `{"code":"x"}`).Refused(t, http.StatusNotFound, "not-found")
}

func TestListsOfPlayers(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for i := range 7 {
		olga.Post("/players", map[string]any{"name": fmt.Sprintf("Player %d", i), "club": "Meeple"}).
			Want(t, http.StatusCreated)
	}
	olga.Post("/players", `{"name":"Zoe & Co","club":"Dice"}`).Want(t, http.StatusCreated)
	var names []string
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		path := "/players?limit=3&club=Meeple"
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		page := s.Anonymous().Get(path).Want(t, http.StatusOK)
		for i := range page.List("items") {
			names = append(names, page.Text("items", i, "name"))
		}
		cursor = page.Text("next_cursor")
		if pages > 5 {
			t.Fatal("the list does not end")
		}
	}
	if len(names) != 7 || names[0] != "Player 0" || names[6] != "Player 6" {
		t.Errorf("%v", names)
	}
	s.Anonymous().Get("/players?name=zoe%20%26").Want(t, http.StatusOK).Has(t, "Zoe").Lacks(t, "Player")
	s.Anonymous().Get("/players?name=%25").Want(t, http.StatusOK).Has(t, `"items":[]`)
	s.Anonymous().Get("/players/nobody").Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/players/nobody/ratings").Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/players/nobody/ratings/quixo-blitz/history").Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/ratings/nothing").Want(t, http.StatusOK).Has(t, `"items":[]`)
}
