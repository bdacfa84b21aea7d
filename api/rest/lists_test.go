package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestEveryListHasPages walks the lists of the contract: each has pages, or has the reason why it is short.
func TestEveryListHasPages(t *testing.T) {
	lists := 0
	for path, item := range apitest.Contract().Paths.Map() {
		op := item.Get
		if op == nil || op.Responses.Status(http.StatusOK) == nil {
			continue
		}
		ok := op.Responses.Status(http.StatusOK).Value
		media := ok.Content["application/json"]
		if media == nil || media.Schema.Value.Properties["items"] == nil {
			continue
		}
		lists++
		if strings.Contains(op.Description, "Not divided into pages: ") {
			continue
		}
		limit, cursor := op.Parameters.GetByInAndName("query", "limit"), op.Parameters.GetByInAndName("query", "cursor")
		if limit == nil || cursor == nil || media.Schema.Value.Properties["next_cursor"] == nil || ok.Headers["Link"] == nil {
			t.Errorf("GET %s has no pages and does not say why", path)
		}
	}
	if lists < 20 {
		t.Errorf("only %d lists were found", lists)
	}
}

// TestListsInPages reads lists that are answered whole without a limit page by page, by cursor and by link.
func TestListsInPages(t *testing.T) {
	s := apitest.New(t)
	olga, path, _ := apitest.HallEvent(t, s)
	root, ada, bob := s.WithRole("root", account.RoleAdmin), s.Register("ada"), s.Register("bob")
	for range 3 {
		game := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
		apitest.PlayToTheEnd(t, game, ada, bob)
		ada.Again()
	}
	for n := range 3 {
		mark := fmt.Sprintf(`{"player_id":%q,"from":"2020-0%[2]d-01T00:00:00Z","until":"2020-0%[2]d-02T00:00:00Z","reason":"a lamp"}`,
			ada.Player, n+1)
		root.Post("/rating-marks", mark).Want(t, http.StatusCreated)
	}
	for board := 1; board <= 2; board++ {
		tag := olga.Get(path + "/rounds/1").IfMatch()
		result := fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board)
		olga.Send(http.MethodPut, result, `{"result":"1-0"}`, tag).Want(t, http.StatusOK)
	}
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	for _, seats := range apitest.CodesOf(t, olga.Get(path+"/rounds/2/codes")) {
		s.Anonymous().Post("/results/"+seats[0]+"/call", `{}`).Want(t, http.StatusNoContent)
	}
	for at, who := range map[string]apitest.Person{
		path + "/entries": s.Anonymous(), path + "/rounds": s.Anonymous(), path + "/rounds/2/codes": olga,
		path + "/calls": olga,
		"/me/sessions":  ada, "/rating-marks": root, "/players/" + ada.Player + "/ratings/quixo-blitz/history": s.Anonymous(),
	} {
		whole := who.Get(at).Want(t, http.StatusOK)
		if len(whole.List("items")) < 2 || whole.At("next_cursor") != nil || whole.Header.Get("Link") != "" {
			t.Errorf("%s: %s", at, whole.Raw)
		}
		var read []any
		for next := at + "?limit=1"; next != ""; {
			page := who.Get(next).Want(t, http.StatusOK)
			if len(page.List("items")) != 1 {
				t.Fatalf("%s: %s", next, page.Raw)
			}
			read = append(read, page.List("items")...)
			link, _, there := strings.Cut(strings.TrimPrefix(page.Header.Get("Link"), "</api/v1"), ">; rel=\"next\"")
			if cursor := page.Text("next_cursor"); there != (cursor != "") || there &&
				!strings.Contains(link, "cursor="+cursor) {
				t.Fatalf("%s: the cursor is %q, the link %q", next, cursor, link)
			}
			next = link
		}
		if fmt.Sprint(read) != fmt.Sprint(whole.List("items")) {
			t.Errorf("%s: in pages %v\nat once %s", at, read, whole.Raw)
		}
		who.Get(at+"?cursor=nonsense").Refused(t, http.StatusBadRequest, "bad-cursor")
		who.Get(at+"?limit=0").Refused(t, http.StatusBadRequest, "malformed")
		most := who.Get(at+"?limit=200").Want(t, http.StatusOK)
		if len(most.List("items")) != len(read) || most.At("next_cursor") != nil {
			t.Errorf("%s: %s", at, most.Raw)
		}
	}
}
