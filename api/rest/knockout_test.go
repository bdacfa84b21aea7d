package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// evening is a knock-out that is played over HTTP.
type evening struct {
	s       *apitest.Service
	t       *testing.T
	olga    apitest.Person
	path    string
	players map[string]apitest.Person // by player id
}

func newEvening(t *testing.T, settings string, players int) *evening {
	t.Helper()
	s := apitest.New(t)
	e := &evening{s: s, t: t, olga: s.WithRole("olga", account.RoleOrganiser), players: map[string]apitest.Person{}}
	made := e.olga.Post("/tournaments", settings).Want(t, http.StatusCreated)
	e.path = "/tournaments/" + made.Text("id")
	for i := range players {
		p := s.Register(fmt.Sprint("player", i+1))
		e.players[p.Player] = p
		entry := map[string]any{"player_id": p.Player, "rating": 2000 - i}
		e.olga.Post(e.path+"/entries", entry).Want(t, http.StatusCreated)
	}
	e.olga.Post(e.path+"/start", nil).Want(t, http.StatusOK)
	return e
}

func (e *evening) pair() *apitest.Answer {
	e.t.Helper()
	return e.olga.Post(e.path+"/rounds", nil).Want(e.t, http.StatusCreated)
}

func (e *evening) bracket() *apitest.Answer {
	e.t.Helper()
	return e.s.Anonymous().Get(e.path+"/bracket").Want(e.t, http.StatusOK)
}

// end plays a move each and ends the game: the loser's seat resigns, or both agree on a draw (0).
func (e *evening) end(game string, loser int) {
	e.t.Helper()
	g := e.s.Anonymous().Get("/games/"+game).Want(e.t, http.StatusOK)
	seats := []apitest.Person{e.players[g.Text("seats", 0, "player", "id")], e.players[g.Text("seats", 1, "player", "id")]}
	apitest.Play(e.t, game, seats[0], 1, "c1-c5")
	apitest.Play(e.t, game, seats[1], 2, "a1-e1")
	if loser > 0 {
		seats[loser-1].Post("/games/"+game+"/resign", nil).Want(e.t, http.StatusOK)
		return
	}
	seats[0].Post("/games/"+game+"/draw", map[string]any{"action": "offer"}).Want(e.t, http.StatusOK)
	seats[1].Post("/games/"+game+"/draw", map[string]any{"action": "accept"}).Want(e.t, http.StatusOK)
}

// game returns the game that is now played at a board.
func (e *evening) game(round, board int) string {
	e.t.Helper()
	return e.s.Anonymous().Get(fmt.Sprintf("%s/rounds/%d", e.path, round)).Want(e.t, http.StatusOK).
		Text("pairings", board-1, "game_id")
}

func TestAKnockoutFromTheFirstRoundToTheEnd(t *testing.T) {
	e := newEvening(t, apitest.Knockout, 5)
	made := e.olga.Get(e.path).Want(t, http.StatusOK).
		Has(t, `"replays":1`, `"tie_break_time_control":"60+1"`, `"decision":"armageddon"`, `"third_place":true`,
			`"rounds":3`)
	if colour := made.Text("pairing", "initial_colour"); colour != "white" && colour != "black" {
		t.Errorf("initial colour %q", colour)
	}
	before := e.bracket()
	if len(before.List("rounds")) != 3 || before.Text("rounds", 1, "name") != "Semi-finals" ||
		len(before.List("rounds", 0, "matches")) != 4 ||
		before.At("rounds", 0, "matches", 0, "free") != true ||
		before.Number("rounds", 1, "matches", 0, "entries", 1, "winner_of", "place") != 2 {
		t.Errorf("%s", before.Raw)
	}
	round := e.pair()
	if round.Text("name") != "Quarter-finals" || len(round.List("pairings")) != 4 ||
		round.Text("pairings", 1, "bye") != "PAB" {
		t.Fatalf("one match and three byes: %s", round.Raw)
	}
	seats, first := round.List("pairings", 0, "seats"), round.Text("pairings", 0, "game_id")
	e.end(first, 0)
	second := e.game(1, 1)
	replay := e.s.Anonymous().Get("/games/"+second).Want(t, http.StatusOK)
	if second == first || replay.Text("tournament", "id") == "" || int(replay.Number("tournament", "board")) != 1 {
		t.Fatalf("the replay: %s", replay.Raw)
	}
	e.olga.Post(e.path+"/rounds", nil).Refused(t, http.StatusConflict, "wrong-state")
	e.end(second, 0)
	third := e.game(1, 1)
	e.s.Anonymous().Get("/games/"+third).Want(t, http.StatusOK).Has(t, `"60+1"`)
	e.end(third, 2)
	shown := e.s.Anonymous().Get(e.path+"/rounds/1").Want(t, http.StatusOK)
	games := shown.List("pairings", 0, "games")
	if shown.Text("pairings", 0, "result") != "1-0" || shown.Text("status") != "complete" || len(games) != 3 {
		t.Fatalf("%s", shown.Raw)
	}
	for i, want := range []string{"game 1/2-1/2 300+3", "replay 1/2-1/2 300+3", "tie_break 1-0 60+1"} {
		at := func(name string) string { return shown.Text("pairings", 0, "games", i, name) }
		if got := at("kind") + " " + at("result") + " " + at("time_control"); got != want ||
			shown.Text("pairings", 0, "games", i, "seats", 0) != seats[i%2] {
			t.Errorf("game %d: %s, want %s", i+1, got, want)
		}
	}
	winner := e.bracket().Text("rounds", 0, "matches", 1, "winner")
	if winner != shown.Text("pairings", 0, "seats", 0) {
		t.Errorf("%s goes on, and seat 1 has won", winner)
	}
	e.toTheEnd()
}

// toTheEnd lets seat 1 win the semi-finals, and decides the last matches by hand.
func (e *evening) toTheEnd() {
	t := e.t
	semi := e.pair()
	for i := range 2 {
		e.end(semi.Text("pairings", i, "game_id"), 2)
	}
	// The final was drawn from a wrong result: while nothing has been played in it, it can be deleted and drawn again.
	wrong := e.pair()
	semis := e.path + "/rounds/2/pairings/1/result"
	e.olga.Send(http.MethodPut, semis, `{"result":"0-1"}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusConflict, "wrong-state").Has(t, "delete round 3")
	e.olga.Send(http.MethodDelete, e.path+"/rounds/3", nil, wrong.IfMatch()).Want(t, http.StatusNoContent)
	e.olga.Send(http.MethodPut, semis, `{"result":"0-1","reason":"the wrong seat had resigned"}`,
		apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
	last := e.pair()
	if finalist := semi.At("pairings", 0, "seats", 1); !slices.Contains(last.List("pairings", 0, "seats"), finalist) {
		t.Errorf("%s should play the final: %s", finalist, last.Raw)
	}
	if last.Text("name") != "Final" || len(last.List("pairings")) != 2 {
		t.Fatalf("%s", last.Raw)
	}
	put := func(board int, text string) *apitest.Answer {
		path := fmt.Sprintf("%s/rounds/3/pairings/%d/result", e.path, board)
		return e.olga.Send(http.MethodPut, path, map[string]string{"result": text}, apitest.Header{"If-Match", "*"})
	}
	put(1, "1/2-1/2").Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/result", "must have a winner")
	put(1, "0-1").Want(t, http.StatusOK)
	put(2, "+--").Want(t, http.StatusOK)
	champion := last.Text("pairings", 0, "seats", 1)
	end := e.bracket()
	if end.Text("winner", "id") != champion || end.Text("third_place", "winner") != last.Text("pairings", 1, "seats", 0) {
		t.Errorf("%s", end.Raw)
	}
	table := e.s.Anonymous().Get(e.path+"/standings").Want(t, http.StatusOK)
	var ranks []float64
	for i := range table.List("rows") {
		ranks = append(ranks, table.Number("rows", i, "rank"))
	}
	if table.Text("rows", 0, "entry", "id") != champion || !slices.Equal(ranks, []float64{1, 2, 3, 4, 5}) ||
		len(table.List("columns")) != 0 {
		t.Errorf("%s", table.Raw)
	}
	// The winner of a semi-final cannot change any more; deleting the final is too late as well.
	e.olga.Send(http.MethodPut, semis, `{"result":"1-0"}`, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusConflict, "wrong-state")
	e.olga.Send(http.MethodDelete, e.path+"/rounds/3", nil, apitest.Header{"If-Match", "*"}).
		Refused(t, http.StatusConflict, "wrong-state")
	e.olga.Post(e.path+"/finish", nil).Want(t, http.StatusOK)
	e.olga.Get(e.path+"/crosstable").Want(t, http.StatusOK)
	e.s.Anonymous().Get(e.path+"/explain?round=1").Want(t, http.StatusOK).Has(t, "Seeds 5 and 4 meet")
	for _, export := range []string{"csv&table=standings", "csv&table=pairings", "json"} {
		e.s.Anonymous().Get(e.path+"/export?format="+export).Want(t, http.StatusOK).Has(t, "Player player1")
	}
	records := e.s.Anonymous().Get(e.path+"/export?format=record").Want(t, http.StatusOK)
	if n := strings.Count(string(records.Raw), `[Round "1"]`); n != 3 {
		t.Errorf("%d records of round 1, want all three games of its match", n)
	}
}

func TestKnockoutSettings(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	body := func(format, more string) string {
		return fmt.Sprintf(`{"name":"Cup","variant":"quixo/duel","format":%q,"time_control":"300+3","rated":true%s}`, format,
			more)
	}
	for _, test := range []struct{ format, more, has string }{
		{"swiss", `,"pairing":{"third_place":true}`, "only a knockout has"},
		{"round_robin", `,"pairing":{"replays":1}`, "only a knockout has"},
		{"knockout", `,"tie_breaks":["BH"]`, "its matches decide"},
		{"knockout", `,"pairing":{"tie_break_time_control":"soon"}`, "/pairing/tie_break_time_control"},
		{"knockout", `,"pairing":{"acceleration":"baku"}`, "/pairing/acceleration"},
	} {
		olga.Post("/tournaments", body(test.format, test.more)).Refused(t, http.StatusUnprocessableEntity, "invalid").
			Has(t, test.has)
	}
	olga.Post("/tournaments", `{"name":"Cup","variant":"quits/four","format":"knockout","time_control":"300+3"}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/format", "games between two")
	for _, bad := range []string{`{"replays":11}`, `{"tie_break_games":-1}`, `{"decision":"coin"}`} {
		olga.Post("/tournaments", body("knockout", `,"pairing":`+bad)).Refused(t, http.StatusBadRequest, "malformed")
	}
	made := olga.Post("/tournaments", body("knockout", "")).Want(t, http.StatusCreated).
		Has(t, `"replays":2`, `"tie_break_games":2`, `"decision":"armageddon"`)
	path := "/tournaments/" + made.Text("id")
	if b := olga.Get(path+"/bracket").Want(t, http.StatusOK); len(b.List("rounds")) != 0 {
		t.Errorf("before the start: %s", b.Raw)
	}
	s.Anonymous().Get(path+"/bracket").Refused(t, http.StatusNotFound, "not-found")
	// Another format has none of its rules, and no bracket.
	olga.Send(http.MethodPatch, path, `{"format":"swiss","rounds":3}`, made.IfMatch()).Want(t, http.StatusOK).
		Lacks(t, "replays")
	olga.Get(path+"/bracket").Refused(t, http.StatusNotFound, "not-found").Has(t, "only a knockout has one")
	swiss := olga.Get(path).Want(t, http.StatusOK)
	olga.Send(http.MethodPatch, path, `{"format":"knockout","pairing":{"decision":"lot"}}`, swiss.IfMatch()).
		Want(t, http.StatusOK).Has(t, `"decision":"lot"`, `"replays":2`)
}
