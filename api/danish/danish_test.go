package danish_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament/account"
)

// TestDanishEvening plays a format that only these tests know: the form offers it under its name, three rounds are paired
// from the standings though neighbours meet again, and standings, crosstable, explanation, export and check have it.
func TestDanishEvening(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	olga.Get("//tournaments/new").Want(t, http.StatusOK).Says(t, `value="danish"`, "Danish system")
	id := olga.CreateBy(t, olga.NewTournamentForm(map[string]string{"format": "danish", "rounds": "3", "name": "Aarhus"}))
	at := "/tournaments/" + id
	named := map[string]string{}
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora", "Emil"} {
		named[olga.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id")] = name
	}
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	for round, want := range []string{
		"Anna-Bert Cleo-Dora Emil",
		"Anna-Cleo Bert-Emil Dora", // Emil has a point for the bye
		"Bert-Anna Dora-Emil Cleo",
	} {
		drawn := olga.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
		var boards []string
		for i := range drawn.List("pairings") {
			var names []string
			for seat := range drawn.List("pairings", i, "seats") {
				names = append(names, named[drawn.Text("pairings", i, "seats", seat)])
			}
			boards = append(boards, strings.Join(names, "-"))
			if len(names) == 2 {
				olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/pairings/%d/result", at, round+1, i+1),
					map[string]any{"result": "1-0"}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
			}
		}
		if got := strings.Join(boards, " "); got != want {
			t.Errorf("round %d is %s, want %s", round+1, got, want)
		}
	}
	olga.Post(at+"/finish", nil).Want(t, http.StatusOK)
	olga.Get("/"+at).Want(t, http.StatusOK).Says(t, "Danish system", "Anna", "Emil")
	olga.Get("/"+at+"/crosstable").Want(t, http.StatusOK).Says(t, "Anna", "Emil")
	olga.Get(at+"/export?format=trf").Want(t, http.StatusOK).Says(t, "092 Individual: Danish", "192 OTHER_DANISH")
	olga.Get(at+"/export?format=csv").Want(t, http.StatusOK).Says(t, "Anna")
	var out bytes.Buffer
	if err := app.Check(t.Context(), app.Storage{}, s.Store, terminal.Streams{Out: &out, Err: &out}); err != nil {
		t.Errorf("check: %v\n%s", err, out.String())
	}
}
