package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

const open = `{"name":"Open","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"none",
	"tie_breaks":["BH/C1","DE","WIN"]}`

// swissOf prepares a Swiss with a number of entries over the board and starts it; it returns the path and the entries'
// ids.
func swissOf(t *testing.T, olga apitest.Person, settings string, entries int) (path string, ids []string) {
	t.Helper()
	path = "/tournaments/" + olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
	for i := range entries {
		ids = append(ids, olga.Post(path+"/entries",
			map[string]any{"name": fmt.Sprintf("Player %c", 'A'+i), "rating": 2000 - i}).
			Want(t, http.StatusCreated).Text("id"))
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	return path, ids
}

func whiteWins(t *testing.T, olga apitest.Person, path string, round, boards int) {
	t.Helper()
	for b := 1; b <= boards; b++ {
		olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/pairings/%d/result", path, round, b), `{"result":"1-0"}`,
			apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusOK)
	}
}

func TestWhyARoundIsAsItIs(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	path, _ := swissOf(t, olga, open, 5)
	explain := path + "/explain"
	ada.Get(explain).Refused(t, http.StatusNotFound, "not-found")
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	why := ada.Get(explain).Want(t, http.StatusOK)
	if why.Number("round") != 1 || len(why.List("boards")) != 3 || why.At("reconstructed") != false {
		t.Fatalf("%s", why.Raw)
	}
	if why.Text("boards", 0, "source") != "system" ||
		!strings.Contains(why.Text("boards", 0, "meeting"), "Player A of the upper half") ||
		!strings.Contains(why.Text("boards", 0, "colours"), "5.2.5") || why.Text("boards", 2, "bye") != "PAB" {
		t.Errorf("%s", why.Raw)
	}
	whiteWins(t, olga, path, 1, 2)
	olga.Post(path+"/rounds", `{"publish":false}`).Want(t, http.StatusCreated)
	ada.Get(explain).Want(t, http.StatusOK).Has(t, `"round":1`)
	ada.Get(explain+"?round=2").Refused(t, http.StatusNotFound, "not-found")
	drawn := olga.Get(explain+"?round=2").Want(t, http.StatusOK)
	swap := fmt.Sprintf(`{"edits":[{"kind":"swap","entries":[%q,%q]}],"reason":"asked for"}`,
		drawn.Text("boards", 0, "entries", 1, "id"), drawn.Text("boards", 1, "entries", 1, "id"))
	olga.Send(http.MethodPatch, path+"/rounds/2", swap, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	olga.Post(path+"/rounds/2/publish", nil).Want(t, http.StatusOK)
	after := ada.Get(explain+"?round=2&board=1").Want(t, http.StatusOK).Has(t, "Set by the arbiter. The system had")
	if len(after.List("boards")) != 1 || after.Text("boards", 0, "source") != "arbiter" {
		t.Errorf("%s", after.Raw)
	}
	ada.Get(explain+"?round=2&board=9").Refused(t, http.StatusNotFound, "not-found")
	// What was corrected later changes no reason.
	before := ada.Get(explain+"?round=2").Want(t, http.StatusOK).Raw
	olga.Send(http.MethodPut, path+"/rounds/1/pairings/1/result", `{"result":"0-1"}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
	if now := ada.Get(explain+"?round=2").Want(t, http.StatusOK).Raw; string(now) != string(before) {
		t.Errorf("after a correction\n%s\nbefore\n%s", now, before)
	}
	// Organisers may keep the reasons to themselves, at any time.
	olga.Send(http.MethodPatch, path, `{"pairing":{"reasons":"staff"}}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK).
		Has(t, `"reasons":"staff"`)
	ada.Get(explain).Refused(t, http.StatusForbidden, "forbidden")
	s.Anonymous().Get(explain).Want(t, http.StatusUnauthorized)
	olga.Get(explain).Want(t, http.StatusOK)
}

// TestBansAreNotPublic: only staff see the list of forbidden pairs.
func TestBansAreNotPublic(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path, ids := swissOf(t, olga, open, 6)
	olga.Send(http.MethodPut, path+"/forbidden-pairs",
		fmt.Sprintf(`{"items":[{"entries":[%q,%q],"reason":"brothers"}]}`, ids[0], ids[3]),
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	olga.Get(path+"/explain").Want(t, http.StatusOK).Has(t, "the organiser keeps them apart", `"forbidden"`).
		Lacks(t, "brothers")
	s.Anonymous().Get(path+"/explain").Want(t, http.StatusOK).Has(t, "may not be paired").
		Lacks(t, "the organiser keeps them apart", "brothers", `"forbidden"`)
}

func TestHowTieBreaksCameAbout(t *testing.T) {
	s := apitest.New(t)
	olga, anonymous := s.WithRole("olga", account.RoleOrganiser), s.Anonymous()
	path, ids := swissOf(t, olga, open, 5)
	for round := 1; round <= 2; round++ {
		olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
		whiteWins(t, olga, path, round, 2)
	}
	explain := path + "/standings/explain?entry="
	table := anonymous.Get(path+"/standings").Want(t, http.StatusOK)
	for i := range ids {
		id := table.Text("rows", i, "entry", "id")
		all := anonymous.Get(explain+id).Want(t, http.StatusOK)
		for c, code := range []string{"BH/C1", "DE", "WIN"} {
			if all.Text("accounts", c, "code") != code ||
				all.Text("accounts", c, "value") != table.Text("rows", i, "tie_breaks", c) {
				t.Errorf("column %s of %s: %s", code, id, all.Raw)
			}
		}
	}
	first := anonymous.Get(explain+ids[0]+"&column=BH/C1&round=1").Want(t, http.StatusOK).
		Has(t, "Buchholz, lowest value cut (C.07, 8.1, 14.1)", `"cut":"lowest"`, `"counted":false`)
	if len(first.List("accounts")) != 1 || first.Number("round") != 1 {
		t.Errorf("%s", first.Raw)
	}
	anonymous.Get(explain+ids[0]+"&column=XX").Refused(t, http.StatusNotFound, "not-found")
	anonymous.Get(explain+"none").Refused(t, http.StatusNotFound, "not-found")
	anonymous.Get(explain+ids[0]+"&round=3").Refused(t, http.StatusNotFound, "not-found")
	anonymous.Get(path+"/standings/explain").Want(t, http.StatusBadRequest)
}

func TestTieBreaksOnOffer(t *testing.T) {
	s := apitest.New(t)
	swiss := s.Anonymous().Get("/tie-breaks").Want(t, http.StatusOK).
		Has(t, `"BH"`, "Sonneborn-Berger", `"C1"`, `"default"`)
	if len(swiss.List("items")) < 15 {
		t.Errorf("%s", swiss.Raw)
	}
	s.Anonymous().Get("/tie-breaks?format=round_robin").Want(t, http.StatusOK).Has(t, "Koya").Lacks(t, "Buchholz")
	s.Anonymous().Get("/tie-breaks?format=ladder").Want(t, http.StatusBadRequest)
}

// TestClubsMeetEarly: numbers of a round-robin drawn by the Varma tables.
func TestClubsMeetEarly(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	settings := `{"name":"Varma","variant":"quixo/duel","format":"round_robin","time_control":"none","pairing":{"varma":true}}`
	olga.Post("/tournaments", strings.Replace(settings, "round_robin", "swiss", 1)).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/pairing/varma")
	made := olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Has(t, `"varma":true`)
	path := "/tournaments/" + made.Text("id")
	of := map[string]string{} // clubs by entry
	for i := range 10 {
		name := []string{"Rook", "Pawn", "King", "Rook", "Pawn", "Knight", "Rook", "Pawn", "King", "Knight"}[i]
		e := olga.Post(path+"/entries", map[string]any{"name": fmt.Sprint("P", i), "rating": 2000 - i, "club": name}).
			Want(t, http.StatusCreated)
		of[e.Text("id")] = name
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	for round := 1; round <= 9; round++ {
		r := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
		for i := range r.List("pairings") {
			a, b := of[r.Text("pairings", i, "seats", 0)], of[r.Text("pairings", i, "seats", 1)]
			if a == b && round > 6 {
				t.Errorf("two of one club meet in round %d: %s", round, r.Raw)
			}
		}
		whiteWins(t, olga, path, round, 5)
	}
	why := s.Anonymous().Get(path+"/explain?round=3").Want(t, http.StatusOK).
		Has(t, "row 3 of the Berger table for 10", "C.05")
	if len(why.List("boards")) != 5 {
		t.Errorf("%s", why.Raw)
	}
}
