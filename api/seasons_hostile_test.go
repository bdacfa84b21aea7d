package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
	"quatuor/tournament/ladder"
)

// TestSeasonFormsHoldTheContract sends forms what the contract keeps away from the same operations over REST.
func TestSeasonFormsHoldTheContract(t *testing.T) {
	s := newService(t, withRealPages)
	s.withRole("olga", account.RoleOrganiser)
	v := s.visits("olga")
	key := []string{"key", "00000000-0000-4000-8000-000000000001"}
	forms := map[string][]string{
		"/series/new":  {"name", "N", "best", "0", "least", "1", "source", "table", "table", "3 2 1"},
		"/seasons/new": {"name", "N", "from", "2026-01-01", "to", "2026-02-01", "best", "0", "least", "1", "table", "3 2 1"},
		"/ladders/new": {
			"name", "N", "variant", "quixo/duel", "control", "none", "venue", "hall", "reach", "3", "accept", "3", "play", "7", "again", "14",
		},
		"/leagues/new": {
			"name", "N", "variant", "quixo/duel", "format", "round_robin", "control", "none", "venue", "hall", "boards", "4", "up", "2",
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
				if got := v.post(path, sent...).status; got != http.StatusUnprocessableEntity {
					t.Errorf("%s with %s %.20q: status %d", path, fields[i], value, got)
				}
			}
		}
		v.post(path, slices.Concat(key, fields)...).want(t, http.StatusSeeOther)
	}
}

// TestLadderHolidayEnds extends a holiday again and again: it ends after 28 days all the same.
func TestLadderHolidayEnds(t *testing.T) {
	s := newService(t)
	olga, a, b, c := s.withRole("olga", account.RoleOrganiser), s.register("a"), s.register("b"), lasting(s.register("c"))
	path := ladderOf(t, olga, a, b, c)
	holiday := func(days, status int) {
		t.Helper()
		until := s.now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
		c.send(http.MethodPut, path+"/members/"+c.player+"/holiday", map[string]any{"until": until}).want(t, status)
	}
	holiday(29, http.StatusConflict)
	holiday(28, http.StatusOK)
	s.pass(20 * 24 * time.Hour)
	holiday(28, http.StatusConflict)
	holiday(7, http.StatusOK)
	s.pass(10 * 24 * time.Hour)
	holiday(1, http.StatusConflict)
	s.pass(5 * 24 * time.Hour)
	holiday(28, http.StatusOK)
}

// TestLadderFlooded has somebody join and leave a ladder in a loop, of which there is an end for the day.
func TestLadderFlooded(t *testing.T) {
	s := newService(t)
	olga, a, b := s.withRole("olga", account.RoleOrganiser), s.register("a"), lasting(s.register("b"))
	path := quietLadder(t, olga, a)
	var acts []ladder.Act
	for i := range 500 {
		kind := []ladder.Kind{ladder.ActJoin, ladder.ActLeave}[i%2]
		acts = append(acts, ladder.Act{N: i + 2, At: s.now().UnixMilli(), Kind: kind, Player: b.player, By: b.account})
	}
	if err := s.db.Seasons().AddActs(t.Context(), path[len("/ladders/"):], acts); err != nil {
		t.Fatal(err)
	}
	b.post(path+"/members", `{}`).refused(t, http.StatusConflict, "wrong-state").has(t, "tomorrow")
	s.register("c").post(path+"/members", `{}`).want(t, http.StatusCreated)
	s.pass(24 * time.Hour)
	b.post(path+"/members", `{}`).want(t, http.StatusCreated)
}

// TestLadderFormWithoutScore sends the form of a result with no score, and one that there is not: it is no loss.
func TestLadderFormWithoutScore(t *testing.T) {
	s := newService(t, withRealPages)
	olga, a, b := s.withRole("olga", account.RoleOrganiser), s.register("a"), s.register("b")
	path := ladderOf(t, olga, a, b)
	id := olga.get(path+"/challenges").text("items", 0, "id")
	a.post(path+"/challenges/"+id+"/accept", nil).want(t, http.StatusOK)
	v := s.visits("olga")
	v.post(path+"/result", "challenge", id).want(t, http.StatusBadRequest)
	v.post(path+"/result", "challenge", id, "score", "2").want(t, http.StatusBadRequest)
	if n := len(olga.get(path + "/log").list("items")); n != 0 {
		t.Errorf("%d challenges have ended", n)
	}
	v.post(path+"/result", "challenge", id, "score", "0").want(t, http.StatusSeeOther)
}

// TestLadderDefenderStaysAway has the time for a challenge run out while its game still waits for the defender: the
// challenge counts as declined from then on.
func TestLadderDefenderStaysAway(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	a, b := s.register("a"), lasting(s.register("b"))
	path := "/ladders/" + olga.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","play":1}`).
		want(t, http.StatusCreated).text("id")
	a.post(path+"/members", `{}`).want(t, http.StatusCreated)
	b.post(path+"/members", `{}`).want(t, http.StatusCreated)
	b.post(path+"/challenges", map[string]any{"player_id": a.player}).want(t, http.StatusCreated)
	a.post(path+"/challenges/"+olga.get(path+"/challenges").text("items", 0, "id")+"/accept", nil).want(t, http.StatusOK)
	b.post("/games/"+olga.get(path+"/challenges").text("items", 0, "game_id")+"/accept", nil).want(t, http.StatusOK)
	s.pass(24 * time.Hour)
	for range 2 { // before the game is broken off, and after it
		state := computed(t, s.anonymous(), path)
		if log := state.Log(); !slices.Equal(state.Order(), []string{b.player, a.player}) || log[0].End != ladder.Declined {
			t.Errorf("the ladder is %v, log %+v", state.Order(), log)
		}
		s.pass(time.Hour)
		a.get(path)
	}
}
