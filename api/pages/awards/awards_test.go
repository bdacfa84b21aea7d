package awards_test

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestPrizes reads the prizes of a tournament before its start, and after a round in which A beat C and D beat B.
func TestPrizes(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.Post("/tournaments", `{"name":"Open","variant":"quixo/duel","format":"swiss","rounds":2,
		"time_control":"300+3","venue":"hall","tie_breaks":["BH"],"pairing":{"initial_colour":"white"}}`).
		Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for i, name := range []string{"A", "B", "C", "D"} {
		entry := map[string]any{"name": "Entry " + name, "rating": 2000 - 10*i, "club": "Club " + name}
		olga.Post(path+"/entries", entry).Want(t, http.StatusCreated)
	}
	page := func(t *testing.T, by apitest.Person, has, lack []string) {
		t.Helper()
		by.Get("/"+path+"/prizes").Want(t, http.StatusOK).Says(t, has...).Lacks(t, lack...)
	}
	page(t, s.Anonymous(), []string{"This tournament has no prizes."}, []string{"Entry A", "desk?tab=prizes"})
	page(t, olga, []string{"This tournament has no prizes.", "desk?tab=prizes"}, nil)
	offer := func(t *testing.T, sharing string) {
		t.Helper()
		purse := `{"sharing":"` + sharing + `","categories":[{"name":"General","prizes":[{"amount":30000},{"amount":10050}]},
			{"name":"Guests","prizes":[{"amount":5000},{"text":"a book"}],"clubs":["Club D","Club B"]}]}`
		olga.Send(http.MethodPut, path+"/prizes", purse, apitest.AnyVersion).Want(t, http.StatusOK)
	}
	offer(t, "equal")
	page(t, s.Anonymous(), []string{"General", "Guests", "a book"}, []string{"Entry A", "This tournament has no prizes."})
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	for board := 1; board <= 2; board++ {
		olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board), map[string]any{"result": "1-0"},
			apitest.AnyVersion).Want(t, http.StatusOK)
	}
	for _, tt := range []struct {
		sharing   string
		has, lack []string
	}{
		{
			"equal", []string{
				"Entry A", "Entry D", "200.25", "2 with equal points take places 1 to 2 and share their prizes equally.",
				"50 in Guests goes to the next player: one prize each, and the one in General is kept.", "Entry B",
			}, []string{"Hort system", "Entry C", "This tournament has no prizes."},
		},
		{
			"hort",
			[]string{"(Hort system)", "2 with equal points take places 1 to 2"},
			[]string{"share their prizes equally", "200.25"},
		},
		{
			"rank",
			[]string{"200.25", "2 with equal rank take places 1 to 2 and share their prizes equally."},
			[]string{"2 with equal points", "Hort system"},
		},
	} {
		t.Run(tt.sharing, func(t *testing.T) {
			offer(t, tt.sharing)
			page(t, s.Anonymous(), tt.has, tt.lack)
		})
	}
}
