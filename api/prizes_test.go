package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

const purse = `{"sharing":"equal","categories":[
	{"name":"General","prizes":[{"amount":30000,"text":"a cup"},{"amount":20000},{"amount":10000}]},
	{"name":"Rook","prizes":[{"amount":5000},{"text":"a book"}],"clubs":["Rook"]},
	{"name":"Youth","prizes":[{"amount":4000}],"age_to":12}]}`

func TestPrizes(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	path := "/tournaments/" + olga.post("/tournaments",
		strings.Replace(open, `"rounds":3`, `"rounds":3,"pairing":{"initial_colour":"black"}`, 1)).
		want(t, http.StatusCreated).text("id")
	prizes := path + "/prizes"
	ada.get(prizes).refused(t, http.StatusNotFound, "not-found")
	for i := range 7 {
		name := []string{"Rook", "Pawn"}[i%2]
		p := olga.post("/players", map[string]any{"name": fmt.Sprint("P", i), "club": name, "birth_year": 1980 + i}).
			want(t, http.StatusCreated)
		olga.post(path+"/entries", map[string]any{"player_id": p.text("id"), "rating": 2000 - i}).want(t, http.StatusCreated)
	}
	young := olga.post("/players", map[string]any{"name": "Kid", "birth_year": s.now().Year() - 12}).
		want(t, http.StatusCreated)
	kid := olga.post(path+"/entries", map[string]any{"player_id": young.text("id"), "rating": 100}).
		want(t, http.StatusCreated)
	put := func(p person, body string, tag ...header) *answer {
		return p.send(http.MethodPut, prizes, body, tag...)
	}
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	none := ada.get(prizes).want(t, http.StatusOK)
	if len(none.list("categories")) != 0 || none.at("final") != false {
		t.Errorf("%s", none.raw)
	}
	put(olga, purse).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	put(ada, purse, none.etag()).refused(t, http.StatusForbidden, "forbidden")
	for _, bad := range []string{
		`{"sharing":"hort","categories":[{"name":"x","prizes":[{"amount":5},{"amount":6}]}]}`,
		`{"unit":100,"categories":[{"name":"x","prizes":[{"amount":50}]}]}`,
		`{"categories":[{"name":"x","prizes":[{"amount":5}]},{"name":"x","prizes":[{"amount":5}]}]}`,
		`{"categories":[{"name":"x","prizes":[{"amount":5}],"age_from":20,"age_to":10}]}`,
	} {
		put(olga, bad, none.etag()).refused(t, http.StatusUnprocessableEntity, "invalid")
	}
	put(olga, `{"categories":[{"name":"x","prizes":[{"amount":-5}]}]}`, none.etag()).want(t, http.StatusBadRequest)
	set := put(olga, purse, none.etag()).want(t, http.StatusOK)
	put(olga, purse, none.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	if set.number("categories", 2, "age_to") != 12 || len(set.list("awards")) != 0 {
		t.Errorf("%s", set.raw)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	whiteWins(t, olga, path, 1, 3)
	won := s.anonymous().get(prizes).want(t, http.StatusOK).has(t, `"Youth"`, "share their prizes equally").lacksYears(t)
	got := map[string]string{}
	for i := range won.list("awards") {
		got[won.text("awards", i, "entry", "id")] = won.text("awards", i, "category")
	}
	// White won on the first three boards: 2, 5 and 7 share the general prizes; 1 and 3, of the club of 5 and 7, move up
	// there.
	if got[kid.text("id")] != "Youth" || len(got) != 6 || len(won.list("waived")) != 2 {
		t.Errorf("%v: %s", got, won.raw)
	}
	put(olga, `{"categories":[]}`, header{"If-Match", "*"}).want(t, http.StatusOK).lacks(t, "General")
	olga.get(path+"/history").want(t, http.StatusOK).has(t, `"prizes"`)
}
