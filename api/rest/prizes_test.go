package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

const purse = `{"sharing":"equal","categories":[
	{"name":"General","prizes":[{"amount":30000,"text":"a cup"},{"amount":20000},{"amount":10000}]},
	{"name":"Rook","prizes":[{"amount":5000},{"text":"a book"}],"clubs":["Rook"]},
	{"name":"Youth","prizes":[{"amount":4000}],"age_to":12}]}`

func TestPrizes(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	path := "/tournaments/" + olga.Post("/tournaments",
		strings.Replace(open, `"rounds":3`, `"rounds":3,"pairing":{"initial_colour":"black"}`, 1)).
		Want(t, http.StatusCreated).Text("id")
	prizes := path + "/prizes"
	ada.Get(prizes).Refused(t, http.StatusNotFound, "not-found")
	for i := range 7 {
		name := []string{"Rook", "Pawn"}[i%2]
		p := olga.Post("/players", map[string]any{"name": fmt.Sprint("P", i), "club": name, "birth_year": 1980 + i}).
			Want(t, http.StatusCreated)
		olga.Post(path+"/entries", map[string]any{"player_id": p.Text("id"), "rating": 2000 - i}).Want(t, http.StatusCreated)
	}
	young := olga.Post("/players", map[string]any{"name": "Kid", "birth_year": s.Now().Year() - 12}).
		Want(t, http.StatusCreated)
	kid := olga.Post(path+"/entries", map[string]any{"player_id": young.Text("id"), "rating": 100}).
		Want(t, http.StatusCreated)
	put := func(p apitest.Person, body string, tag ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPut, prizes, body, tag...)
	}
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	none := ada.Get(prizes).Want(t, http.StatusOK)
	if len(none.List("categories")) != 0 || none.At("final") != false {
		t.Errorf("%s", none.Raw)
	}
	put(olga, purse).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	put(ada, purse, none.IfMatch()).Refused(t, http.StatusForbidden, "forbidden")
	for _, bad := range []string{
		`{"sharing":"hort","categories":[{"name":"x","prizes":[{"amount":5},{"amount":6}]}]}`,
		`{"unit":100,"categories":[{"name":"x","prizes":[{"amount":50}]}]}`,
		`{"categories":[{"name":"x","prizes":[{"amount":5}]},{"name":"x","prizes":[{"amount":5}]}]}`,
		`{"categories":[{"name":"x","prizes":[{"amount":5}],"age_from":20,"age_to":10}]}`,
	} {
		put(olga, bad, none.IfMatch()).Refused(t, http.StatusUnprocessableEntity, "invalid")
	}
	put(olga, `{"categories":[{"name":"x","prizes":[{"amount":-5}]}]}`, none.IfMatch()).Want(t, http.StatusBadRequest)
	set := put(olga, purse, none.IfMatch()).Want(t, http.StatusOK)
	put(olga, purse, none.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	if set.Number("categories", 2, "age_to") != 12 || len(set.List("awards")) != 0 {
		t.Errorf("%s", set.Raw)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	whiteWins(t, olga, path, 1, 3)
	won := s.Anonymous().Get(prizes).Want(t, http.StatusOK).Has(t, `"Youth"`, "share their prizes equally").LacksYears(t)
	got := map[string]string{}
	for i := range won.List("awards") {
		got[won.Text("awards", i, "entry", "id")] = won.Text("awards", i, "category")
	}
	// White won on the first three boards: 2, 5 and 7 share the general prizes; 1 and 3, of the club of 5 and 7, move up
	// there.
	if got[kid.Text("id")] != "Youth" || len(got) != 6 || len(won.List("waived")) != 2 {
		t.Errorf("%v: %s", got, won.Raw)
	}
	put(olga, `{"categories":[]}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK).Lacks(t, "General")
	olga.Get(path+"/history").Want(t, http.StatusOK).Has(t, `"prizes"`)
}
