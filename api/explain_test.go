package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

const open = `{"name":"Open","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"none",
	"tie_breaks":["BH/C1","DE","WIN"]}`

// swissOf prepares a Swiss of so many entries over the board and starts it; it returns the path and the entries' ids.
func swissOf(t *testing.T, olga person, settings string, entries int) (path string, ids []string) {
	t.Helper()
	path = "/tournaments/" + olga.post("/tournaments", settings).want(t, http.StatusCreated).text("id")
	for i := range entries {
		ids = append(ids, olga.post(path+"/entries",
			map[string]any{"name": fmt.Sprintf("Player %c", 'A'+i), "rating": 2000 - i}).
			want(t, http.StatusCreated).text("id"))
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	return path, ids
}

func whiteWins(t *testing.T, olga person, path string, round, boards int) {
	t.Helper()
	for b := 1; b <= boards; b++ {
		olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/pairings/%d/result", path, round, b), `{"result":"1-0"}`,
			header{"If-Match", "*"}).
			want(t, http.StatusOK)
	}
}

func TestWhyARoundIsAsItIs(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	path, _ := swissOf(t, olga, open, 5)
	explain := path + "/explain"
	ada.get(explain).refused(t, http.StatusNotFound, "not-found")
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	why := ada.get(explain).want(t, http.StatusOK)
	if why.number("round") != 1 || len(why.list("boards")) != 3 || why.at("reconstructed") != false {
		t.Fatalf("%s", why.raw)
	}
	if why.text("boards", 0, "source") != "system" ||
		!strings.Contains(why.text("boards", 0, "meeting"), "Player A of the upper half") ||
		!strings.Contains(why.text("boards", 0, "colours"), "5.2.5") || why.text("boards", 2, "bye") != "PAB" {
		t.Errorf("%s", why.raw)
	}
	whiteWins(t, olga, path, 1, 2)
	olga.post(path+"/rounds", `{"publish":false}`).want(t, http.StatusCreated)
	ada.get(explain).want(t, http.StatusOK).has(t, `"round":1`)
	ada.get(explain+"?round=2").refused(t, http.StatusNotFound, "not-found")
	drawn := olga.get(explain+"?round=2").want(t, http.StatusOK)
	swap := fmt.Sprintf(`{"edits":[{"kind":"swap","entries":[%q,%q]}],"reason":"asked for"}`,
		drawn.text("boards", 0, "entries", 1, "id"), drawn.text("boards", 1, "entries", 1, "id"))
	olga.send(http.MethodPatch, path+"/rounds/2", swap, header{"If-Match", "*"}).want(t, http.StatusOK)
	olga.post(path+"/rounds/2/publish", nil).want(t, http.StatusOK)
	after := ada.get(explain+"?round=2&board=1").want(t, http.StatusOK).has(t, "Set by the arbiter. The system had")
	if len(after.list("boards")) != 1 || after.text("boards", 0, "source") != "arbiter" {
		t.Errorf("%s", after.raw)
	}
	ada.get(explain+"?round=2&board=9").refused(t, http.StatusNotFound, "not-found")
	// What was corrected later changes no reason.
	before := ada.get(explain+"?round=2").want(t, http.StatusOK).raw
	olga.send(http.MethodPut, path+"/rounds/1/pairings/1/result", `{"result":"0-1"}`, header{"If-Match", "*"}).
		want(t, http.StatusOK)
	if now := ada.get(explain+"?round=2").want(t, http.StatusOK).raw; string(now) != string(before) {
		t.Errorf("after a correction\n%s\nbefore\n%s", now, before)
	}
	// Organisers may keep the reasons to themselves, at any time.
	olga.send(http.MethodPatch, path, `{"pairing":{"reasons":"staff"}}`, header{"If-Match", "*"}).want(t, http.StatusOK).
		has(t, `"reasons":"staff"`)
	ada.get(explain).refused(t, http.StatusForbidden, "forbidden")
	s.anonymous().get(explain).want(t, http.StatusUnauthorized)
	olga.get(explain).want(t, http.StatusOK)
}

// TestBansAreNotPublic: only staff see the list of forbidden pairs.
func TestBansAreNotPublic(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	path, ids := swissOf(t, olga, open, 6)
	olga.send(http.MethodPut, path+"/forbidden-pairs",
		fmt.Sprintf(`{"items":[{"entries":[%q,%q],"reason":"brothers"}]}`, ids[0], ids[3]),
		header{"If-Match", "*"}).want(t, http.StatusOK)
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	olga.get(path+"/explain").want(t, http.StatusOK).has(t, "the organiser keeps them apart", `"forbidden"`).
		lacks(t, "brothers")
	s.anonymous().get(path+"/explain").want(t, http.StatusOK).has(t, "may not be paired").
		lacks(t, "the organiser keeps them apart", "brothers", `"forbidden"`)
}

func TestHowTieBreaksCameAbout(t *testing.T) {
	s := newService(t)
	olga, anonymous := s.withRole("olga", account.RoleOrganiser), s.anonymous()
	path, ids := swissOf(t, olga, open, 5)
	for round := 1; round <= 2; round++ {
		olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
		whiteWins(t, olga, path, round, 2)
	}
	explain := path + "/standings/explain?entry="
	table := anonymous.get(path+"/standings").want(t, http.StatusOK)
	for i := range ids {
		id := table.text("rows", i, "entry", "id")
		all := anonymous.get(explain+id).want(t, http.StatusOK)
		for c, code := range []string{"BH/C1", "DE", "WIN"} {
			if all.text("accounts", c, "code") != code ||
				all.text("accounts", c, "value") != table.text("rows", i, "tie_breaks", c) {
				t.Errorf("column %s of %s: %s", code, id, all.raw)
			}
		}
	}
	first := anonymous.get(explain+ids[0]+"&column=BH/C1&round=1").want(t, http.StatusOK).
		has(t, "Buchholz, lowest value cut (C.07, 8.1, 14.1)", `"cut":"lowest"`, `"counted":false`)
	if len(first.list("accounts")) != 1 || first.number("round") != 1 {
		t.Errorf("%s", first.raw)
	}
	anonymous.get(explain+ids[0]+"&column=XX").refused(t, http.StatusNotFound, "not-found")
	anonymous.get(explain+"none").refused(t, http.StatusNotFound, "not-found")
	anonymous.get(explain+ids[0]+"&round=3").refused(t, http.StatusNotFound, "not-found")
	anonymous.get(path+"/standings/explain").want(t, http.StatusBadRequest)
}

func TestTieBreaksOnOffer(t *testing.T) {
	s := newService(t)
	swiss := s.anonymous().get("/tie-breaks").want(t, http.StatusOK).
		has(t, `"BH"`, "Sonneborn-Berger", `"C1"`, `"default"`)
	if len(swiss.list("items")) < 15 {
		t.Errorf("%s", swiss.raw)
	}
	s.anonymous().get("/tie-breaks?format=round_robin").want(t, http.StatusOK).has(t, "Koya").lacks(t, "Buchholz")
	s.anonymous().get("/tie-breaks?format=ladder").want(t, http.StatusBadRequest)
}

// TestClubsMeetEarly: numbers of a round-robin drawn by the Varma tables.
func TestClubsMeetEarly(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	settings := `{"name":"Varma","variant":"quixo/duel","format":"round_robin","time_control":"none","pairing":{"varma":true}}`
	olga.post("/tournaments", strings.Replace(settings, "round_robin", "swiss", 1)).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/pairing/varma")
	made := olga.post("/tournaments", settings).want(t, http.StatusCreated).has(t, `"varma":true`)
	path := "/tournaments/" + made.text("id")
	of := map[string]string{} // clubs by entry
	for i := range 10 {
		name := []string{"Rook", "Pawn", "King", "Rook", "Pawn", "Knight", "Rook", "Pawn", "King", "Knight"}[i]
		e := olga.post(path+"/entries", map[string]any{"name": fmt.Sprint("P", i), "rating": 2000 - i, "club": name}).
			want(t, http.StatusCreated)
		of[e.text("id")] = name
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	for round := 1; round <= 9; round++ {
		r := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
		for i := range r.list("pairings") {
			a, b := of[r.text("pairings", i, "seats", 0)], of[r.text("pairings", i, "seats", 1)]
			if a == b && round > 6 {
				t.Errorf("two of one club meet in round %d: %s", round, r.raw)
			}
		}
		whiteWins(t, olga, path, round, 5)
	}
	why := s.anonymous().get(path+"/explain?round=3").want(t, http.StatusOK).
		has(t, "row 3 of the Berger table for 10", "C.05")
	if len(why.list("boards")) != 5 {
		t.Errorf("%s", why.raw)
	}
}
