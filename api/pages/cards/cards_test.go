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
		olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board+1), map[string]any{"result": result},
			apitest.AnyVersion).Want(t, http.StatusOK)
	}
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	return s, path
}

// TestCards reads the card of each entry, and how its tie-breaks came about.
func TestCards(t *testing.T) {
	s, path := event(t)
	for _, tt := range []struct {
		name, page string
		status     int
		has, lack  []string
	}{
		{
			name: "a winner", page: "/players/1", status: http.StatusOK,
			has: []string{
				"<h1>Entry A</h1>", "Club A", "Rating 2000", "Now: round 2, board 2</a>: ○ Circle, against", "/players/2\">Entry B</a>",
				"Rank <strong>2</strong> after 0 of 2 results of round 2", "Points <strong>1</strong>", "Performance <strong>2780</strong>",
				"Average of the opponents <strong>1980</strong>", "× Cross</td>", "/players/3\">Entry C</a>",
				`<td class="middle">1</td>`, `<td class="middle">open</td>`,
				"/standings/1#c1\">Buchholz (C.07, 8.1)</a>: <strong>1.0</strong>",
				"/standings/1#c2\">Number of wins (C.07, 7.1)</a>: <strong>1</strong>",
			},
			lack: []string{"−", "has the bye"},
		},
		{
			name: "an entry that did not come", page: "/players/2", status: http.StatusOK,
			has:  []string{`<td class="middle">−</td>`, "Rank <strong>5</strong>", "Points <strong>0</strong>"},
			lack: []string{"Performance", "Average of the opponents"},
		},
		{
			name: "an entry whose opponent did not come", page: "/players/4", status: http.StatusOK,
			has: []string{`<td class="middle">+</td>`, "Points <strong>1</strong>"}, lack: []string{"Performance"},
		},
		{
			name: "an entry with a bye", page: "/players/5", status: http.StatusOK,
			has: []string{"has the bye", "Points <strong>1</strong>", "Now: round 2, board 1</a>: × Cross, against"},
		},
		{name: "no entry", page: "/players/6", status: http.StatusNotFound, lack: []string{"Entry"}},
		{name: "no number", page: "/players/x", status: http.StatusNotFound, lack: []string{"Entry"}},
		{
			name: "the tie-breaks of a winner", page: "/standings/1", status: http.StatusOK,
			has: []string{
				"All rounds</a>", "Points: <strong>1</strong>", "<h2>BH: 1.0</h2>", "<td>Entry C</td>", "<strong>1.0 = 1.0</strong>",
				"<h2>WIN: 1</h2>",
			},
			lack: []string{"dummy opponent", "?round="},
		},
		{
			name: "those of an entry that did not come", page: "/standings/2", status: http.StatusOK,
			has: []string{`Entry D <span class="soft small">forfeit</span> <span class="tag">dummy opponent</span>`, "<h2>BH: 0.0</h2>"},
		},
		{
			name: "those of an entry with a bye", page: "/standings/5", status: http.StatusOK,
			has:  []string{"bye given by the pairing", "dummy opponent", "<h2>WIN: 1</h2>"},
			lack: []string{"forfeit"},
		},
		{
			name: "those after an earlier round", page: "/standings/1?round=1", status: http.StatusOK,
			has: []string{"?round=1\">Open</a>", "Points: <strong>1</strong>"}, lack: []string{"of round 2"},
		},
		{name: "those of no entry", page: "/standings/0", status: http.StatusNotFound, lack: []string{"BH"}},
		{name: "those after a round to come", page: "/standings/1?round=3", status: http.StatusNotFound, lack: []string{"BH"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Anonymous().Get("/"+path+tt.page).Want(t, tt.status).Says(t, tt.has...).Lacks(t, tt.lack...)
		})
	}
}
