package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestEveryListHasPages walks the lists of the contract: each has pages, or has the reason why it is short.
func TestEveryListHasPages(t *testing.T) {
	lists := 0
	for path, item := range theContract().Paths.Map() {
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
	s := newService(t)
	olga, path, _ := hallEvent(t, s)
	root, ada, bob := s.withRole("root", account.RoleAdmin), s.register("ada"), s.register("bob")
	for range 3 {
		game := duel(t, ada, bob, "quixo/duel", "300+3").text("id")
		playToTheEnd(t, game, ada, bob)
		ada.again()
	}
	for n := range 3 {
		mark := fmt.Sprintf(`{"player_id":%q,"from":"2020-0%[2]d-01T00:00:00Z","until":"2020-0%[2]d-02T00:00:00Z","reason":"a lamp"}`,
			ada.player, n+1)
		root.post("/rating-marks", mark).want(t, http.StatusCreated)
	}
	for board := 1; board <= 2; board++ {
		tag := olga.get(path + "/rounds/1").etag()
		result := fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board)
		olga.send(http.MethodPut, result, `{"result":"1-0"}`, tag).want(t, http.StatusOK)
	}
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	for _, seats := range codesOf(t, olga.get(path+"/rounds/2/codes")) {
		s.anonymous().post("/results/"+seats[0]+"/call", `{}`).want(t, http.StatusNoContent)
	}
	for at, who := range map[string]person{
		path + "/entries": s.anonymous(), path + "/rounds": s.anonymous(), path + "/rounds/2/codes": olga,
		path + "/calls": olga,
		"/me/sessions":  ada, "/rating-marks": root, "/players/" + ada.player + "/ratings/quixo-blitz/history": s.anonymous(),
	} {
		whole := who.get(at).want(t, http.StatusOK)
		if len(whole.list("items")) < 2 || whole.at("next_cursor") != nil || whole.header.Get("Link") != "" {
			t.Errorf("%s: %s", at, whole.raw)
		}
		var read []any
		for next := at + "?limit=1"; next != ""; {
			page := who.get(next).want(t, http.StatusOK)
			if len(page.list("items")) != 1 {
				t.Fatalf("%s: %s", next, page.raw)
			}
			read = append(read, page.list("items")...)
			link, _, there := strings.Cut(strings.TrimPrefix(page.header.Get("Link"), "</api/v1"), ">; rel=\"next\"")
			if cursor := page.text("next_cursor"); there != (cursor != "") || there &&
				!strings.Contains(link, "cursor="+cursor) {
				t.Fatalf("%s: the cursor is %q, the link %q", next, cursor, link)
			}
			next = link
		}
		if fmt.Sprint(read) != fmt.Sprint(whole.list("items")) {
			t.Errorf("%s: in pages %v\nat once %s", at, read, whole.raw)
		}
		who.get(at+"?cursor=nonsense").refused(t, http.StatusBadRequest, "bad-cursor")
		who.get(at+"?limit=0").refused(t, http.StatusBadRequest, "malformed")
		most := who.get(at+"?limit=200").want(t, http.StatusOK)
		if len(most.list("items")) != len(read) || most.at("next_cursor") != nil {
			t.Errorf("%s: %s", at, most.raw)
		}
	}
}
