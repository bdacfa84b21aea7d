package readers_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestStartOfAPlayer shows players their boards, their places and a result to be confirmed on the first page; drafts
// stay hidden.
func TestStartOfAPlayer(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob := s.Reserved("ada"), s.Reserved("bob")
	s.Register("eve")
	begin := func(venue string) string {
		t.Helper()
		path := "/tournaments/" + olga.Post("/tournaments",
			`{"name":"Cup in `+venue+`","variant":"quixo/duel","format":"round_robin","time_control":"3600","venue":"`+venue+
				`"}`).
			Want(t, http.StatusCreated).Text("id")
		for _, p := range []apitest.Person{ada, bob} {
			olga.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
		}
		for _, login := range []string{"ada", "bob"} {
			s.LoggedIn(login).Get("/").Want(t, http.StatusOK).Lacks(t, "next-game", "Cup in "+venue+": round 1")
		}
		olga.Post(path+"/start", nil).Want(t, http.StatusOK)
		return path
	}
	path := begin("hall")
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	codes := apitest.CodesOf(t, olga.Get(path+"/rounds/1/codes"))
	for _, login := range []string{"ada", "bob"} {
		s.LoggedIn(login).Get("/").Want(t, http.StatusOK).
			Has(t, "Cup in hall: round 1, board 1", "sit down at board 1", path+"/slip", "place 1 of 2")
	}
	s.LoggedIn("eve").Get("/").Want(t, http.StatusOK).Lacks(t, "next-game", "/slip")
	mine := s.LoggedIn("ada").Get(path+"/slip").Want(t, http.StatusSeeOther).Header.Get("Location")
	theirs := s.LoggedIn("bob").Get(path+"/slip").Want(t, http.StatusSeeOther).Header.Get("Location")
	known := strings.ReplaceAll(strings.Join(codes[0], " "), "-", "")
	for _, where := range []string{mine, theirs} {
		if code, ok := strings.CutPrefix(where, "/r/"); !ok || mine == theirs ||
			!strings.Contains(known, strings.ReplaceAll(code, "-", "")) {
			t.Errorf("slips at %s and %s, of %v", mine, theirs, codes)
		}
	}
	s.LoggedIn("eve").Get(path+"/slip").Want(t, http.StatusNotFound)
	s.Visitor().Get(path+"/slip").Want(t, http.StatusSeeOther)

	s.Anonymous().Post("/results/"+codes[0][0], apitest.Report(t, s.Anonymous(), codes[0][0], 1, "1-0")).
		Want(t, http.StatusOK)
	asked := 0
	for _, login := range []string{"ada", "bob"} {
		if strings.Contains(string(s.LoggedIn(login).Get("/").Want(t, http.StatusOK).Raw),
			"a result was reported. Confirm or correct it.") {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("%d players are to confirm the result", asked)
	}
}
