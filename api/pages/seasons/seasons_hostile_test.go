package seasons_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
	"quatuor/tournament/ladder"
)

// TestSeasonFormsHoldTheContract sends forms what the contract keeps away from the same operations over REST.
func TestSeasonFormsHoldTheContract(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.WithRole("olga", account.RoleOrganiser)
	v := s.LoggedIn("olga")
	key := []string{"key", "00000000-0000-4000-8000-000000000001"}
	forms := map[string][]string{
		"/series/new":  {"name", "N", "best", "0", "least", "1", "source", "table", "table", "3 2 1"},
		"/seasons/new": {"name", "N", "from", "2026-01-01", "to", "2026-02-01", "best", "0", "least", "1", "table", "3 2 1"},
		"/ladders/new": {
			"name", "N", "variant", "quixo/duel", "control", "none", "venue", "hall", "reach", "3", "accept", "3", "play", "7", "again", "14",
		},
		"/leagues/new": {
			"name", "N", "variant", "quixo/duel", "format", "round_robin", "control", "none", "venue", "hall", "boards", "4",
			"up", "2",
			"down", "2", "division", "a\nb\nc\nd",
		},
	}
	numbers := []string{"-1", "1001", "1000000", "1e18", "1e400", "NaN", "Inf", "\x00"}
	hostile := map[string][]string{
		"name": {"", " ", "a\x00b", "\u202ea", strings.Repeat("x", 1000)}, "best": numbers, "least": numbers, "reach": append(numbers, "0"),
		"accept": numbers, "play": numbers, "again": numbers, "up": numbers, "down": numbers,
		"table": {"-1", "1 2", "1000000", "1e18", "NaN", strings.Repeat("1 ", 1000)},
	}
	for path, fields := range forms {
		for i := 0; i < len(fields); i += 2 {
			for _, value := range hostile[fields[i]] {
				sent := slices.Concat(key, fields)
				sent[i+3] = value
				if got := v.Post(path, sent...).Status; got != http.StatusUnprocessableEntity {
					t.Errorf("%s with %s %.20q: status %d", path, fields[i], value, got)
				}
			}
		}
		v.Post(path, slices.Concat(key, fields)...).Want(t, http.StatusSeeOther)
	}
}

// TestLadderHolidayEnds extends a holiday again and again: it ends after 28 days all the same.
func TestLadderHolidayEnds(t *testing.T) {
	s := apitest.New(t)
	olga, a, b, c := s.WithRole("olga", account.RoleOrganiser), s.Register("a"), s.Register("b"),
		apitest.LongLived(s.Register("c"))
	path := apitest.LadderOf(t, olga, a, b, c)
	holiday := func(days, status int) {
		t.Helper()
		until := s.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
		c.Send(http.MethodPut, path+"/members/"+c.Player+"/holiday", map[string]any{"until": until}).Want(t, status)
	}
	holiday(29, http.StatusConflict)
	holiday(28, http.StatusOK)
	s.Pass(20 * 24 * time.Hour)
	holiday(28, http.StatusConflict)
	holiday(7, http.StatusOK)
	s.Pass(10 * 24 * time.Hour)
	holiday(1, http.StatusConflict)
	s.Pass(5 * 24 * time.Hour)
	holiday(28, http.StatusOK)
}

// TestLadderFlooded has a player join and leave a ladder in a loop, until the limit of the day.
func TestLadderFlooded(t *testing.T) {
	s := apitest.New(t)
	olga, a, b := s.WithRole("olga", account.RoleOrganiser), s.Register("a"), apitest.LongLived(s.Register("b"))
	path := quietLadder(t, olga, a)
	var acts []ladder.Act
	for i := range 500 {
		kind := []ladder.Kind{ladder.ActJoin, ladder.ActLeave}[i%2]
		acts = append(acts, ladder.Act{N: i + 2, At: s.Now().UnixMilli(), Kind: kind, Player: b.Player, By: b.Account})
	}
	if err := s.Store.Seasons().AddActs(t.Context(), path[len("/ladders/"):], acts); err != nil {
		t.Fatal(err)
	}
	b.Post(path+"/members", `{}`).Refused(t, http.StatusConflict, "wrong-state").Has(t, "tomorrow")
	s.Register("c").Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	s.Pass(24 * time.Hour)
	b.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
}

// TestLadderFormWithoutScore sends the form of a result with no score, and an unknown score: it is no loss.
func TestLadderFormWithoutScore(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, a, b := s.WithRole("olga", account.RoleOrganiser), s.Register("a"), s.Register("b")
	path := apitest.LadderOf(t, olga, a, b)
	id := olga.Get(path+"/challenges").Text("items", 0, "id")
	a.Post(path+"/challenges/"+id+"/accept", nil).Want(t, http.StatusOK)
	v := s.LoggedIn("olga")
	v.Post(path+"/result", "challenge", id).Want(t, http.StatusBadRequest)
	v.Post(path+"/result", "challenge", id, "score", "2").Want(t, http.StatusBadRequest)
	if n := len(olga.Get(path + "/log").List("items")); n != 0 {
		t.Errorf("%d challenges have ended", n)
	}
	v.Post(path+"/result", "challenge", id, "score", "0").Want(t, http.StatusSeeOther)
}

// TestLadderDefenderStaysAway has the time for a challenge run out while its game still waits for the defender: the
// challenge counts as declined from then on.
func TestLadderDefenderStaysAway(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	a, b := s.Register("a"), apitest.LongLived(s.Register("b"))
	path := "/ladders/" + olga.Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","play":1}`).
		Want(t, http.StatusCreated).Text("id")
	a.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	b.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	b.Post(path+"/challenges", map[string]any{"player_id": a.Player}).Want(t, http.StatusCreated)
	a.Post(path+"/challenges/"+olga.Get(path+"/challenges").Text("items", 0, "id")+"/accept", nil).Want(t, http.StatusOK)
	b.Post("/games/"+olga.Get(path+"/challenges").Text("items", 0, "game_id")+"/accept", nil).Want(t, http.StatusOK)
	s.Pass(24 * time.Hour)
	for range 2 { // before the game is broken off, and after it
		state := computed(t, s.Anonymous(), path)
		if log := state.Log(); !slices.Equal(state.Order(), []string{b.Player, a.Player}) || log[0].End != ladder.Declined {
			t.Errorf("the ladder is %v, log %+v", state.Order(), log)
		}
		s.Pass(time.Hour)
		a.Get(path)
	}
}
