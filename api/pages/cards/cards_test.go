package cards_test

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// event starts a Swiss in the hall of five entries, A to E in the order of their ratings, with two of three rounds
// paired: in the first A beats C, B does not come to play D, and E has a bye; in the second two boards are open.
func event(t *testing.T) (s *apitest.Service, path string) {
	t.Helper()
	s = apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path = "/tournaments/" + olga.Post("/tournaments", `{"name":"Open","variant":"quixo/duel","format":"swiss","rounds":3,
		"time_control":"300+3","venue":"hall","tie_breaks":["BH","WIN"],"pairing":{"initial_colour":"white"}}`).
		Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for i, name := range []string{"A", "B", "C", "D", "E"} {
		entry := map[string]any{"name": "Entry " + name, "rating": 2000 - 10*i, "club": "Club " + name}
		olga.Post(path+"/entries", entry).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	for board, result := range []string{"1-0", "+--"} {
		olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/boards/%d/result", path, board+1), map[string]any{"result": result},
			apitest.AnyVersion).Want(t, http.StatusOK)
	}
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	return s, path
}

// TestCards reads the card of each entry: its rounds with colours, opponents and results, and the next game.
func TestCards(t *testing.T) {
	s, path := event(t)
	for number := 1; number <= 5; number++ {
		fmt.Println(s.Anonymous().Get(fmt.Sprint("/", path, "/players/", number)).Want(t, http.StatusOK).Page())
		fmt.Println(s.Anonymous().Get(fmt.Sprint("/", path, "/standings/", number)).Want(t, http.StatusOK).Page())
	}
}
