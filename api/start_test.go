package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestStartOfAPlayer shows players their boards, their places and a result to be confirmed on the first page; drafts
// stay hidden.
func TestStartOfAPlayer(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob := s.reserved("ada"), s.reserved("bob")
	s.register("eve")
	begin := func(venue string) string {
		t.Helper()
		path := "/tournaments/" + olga.post("/tournaments",
			`{"name":"Cup in `+venue+`","variant":"quixo/duel","format":"round_robin","time_control":"3600","venue":"`+venue+
				`"}`).
			want(t, http.StatusCreated).text("id")
		for _, p := range []person{ada, bob} {
			olga.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
		}
		for _, login := range []string{"ada", "bob"} {
			s.visits(login).get("/").want(t, http.StatusOK).lacks(t, "next-game", "Cup in "+venue+": round 1")
		}
		olga.post(path+"/start", nil).want(t, http.StatusOK)
		return path
	}
	path := begin("hall")
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	codes := codesOf(t, olga.get(path+"/rounds/1/codes"))
	for _, login := range []string{"ada", "bob"} {
		s.visits(login).get("/").want(t, http.StatusOK).
			has(t, "Cup in hall: round 1, board 1", "sit down at board 1", path+"/slip", "place 1 of 2")
	}
	s.visits("eve").get("/").want(t, http.StatusOK).lacks(t, "next-game", "/slip")
	mine := s.visits("ada").get(path+"/slip").want(t, http.StatusSeeOther).header.Get("Location")
	theirs := s.visits("bob").get(path+"/slip").want(t, http.StatusSeeOther).header.Get("Location")
	known := strings.ReplaceAll(strings.Join(codes[0], " "), "-", "")
	for _, where := range []string{mine, theirs} {
		if code, ok := strings.CutPrefix(where, "/r/"); !ok || mine == theirs ||
			!strings.Contains(known, strings.ReplaceAll(code, "-", "")) {
			t.Errorf("slips at %s and %s, of %v", mine, theirs, codes)
		}
	}
	s.visits("eve").get(path+"/slip").want(t, http.StatusNotFound)
	s.visitor().get(path+"/slip").want(t, http.StatusSeeOther)

	s.anonymous().post("/results/"+codes[0][0], said(t, s.anonymous(), codes[0][0], 1, "1-0")).want(t, http.StatusOK)
	asked := 0
	for _, login := range []string{"ada", "bob"} {
		if strings.Contains(string(s.visits(login).get("/").want(t, http.StatusOK).raw),
			"a result was reported. Confirm or correct it.") {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("%d players are to confirm the result", asked)
	}
}
