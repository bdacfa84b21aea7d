package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

const knockout = `{"name":"Cup","variant":"quixo/duel","format":"knockout","time_control":"300+3","rated":true,
	"pairing":{"third_place":true,"replays":1,"tie_break_games":1,"tie_break_time_control":"60+1"}}`

// evening is a knock-out that is played over HTTP.
type evening struct {
	s       *service
	t       *testing.T
	olga    person
	path    string
	players map[string]person // by player id
}

func newEvening(t *testing.T, settings string, players int) *evening {
	t.Helper()
	s := newService(t)
	e := &evening{s: s, t: t, olga: s.withRole("olga", account.RoleOrganiser), players: map[string]person{}}
	made := e.olga.post("/tournaments", settings).want(t, http.StatusCreated)
	e.path = "/tournaments/" + made.text("id")
	for i := range players {
		p := s.register(fmt.Sprint("player", i+1))
		e.players[p.player] = p
		entry := map[string]any{"player_id": p.player, "rating": 2000 - i}
		e.olga.post(e.path+"/entries", entry).want(t, http.StatusCreated)
	}
	e.olga.post(e.path+"/start", nil).want(t, http.StatusOK)
	return e
}

func (e *evening) pair() *answer {
	e.t.Helper()
	return e.olga.post(e.path+"/rounds", nil).want(e.t, http.StatusCreated)
}

func (e *evening) bracket() *answer {
	e.t.Helper()
	return e.s.anonymous().get(e.path+"/bracket").want(e.t, http.StatusOK)
}

// end plays a move each and ends the game: the loser's seat resigns, or both agree on a draw (0).
func (e *evening) end(game string, loser int) {
	e.t.Helper()
	g := e.s.anonymous().get("/games/"+game).want(e.t, http.StatusOK)
	seats := []person{e.players[g.text("seats", 0, "player", "id")], e.players[g.text("seats", 1, "player", "id")]}
	play(e.t, game, seats[0], 1, "c1-c5")
	play(e.t, game, seats[1], 2, "a1-e1")
	if loser > 0 {
		seats[loser-1].post("/games/"+game+"/resign", nil).want(e.t, http.StatusOK)
		return
	}
	seats[0].post("/games/"+game+"/draw", map[string]any{"action": "offer"}).want(e.t, http.StatusOK)
	seats[1].post("/games/"+game+"/draw", map[string]any{"action": "accept"}).want(e.t, http.StatusOK)
}

// game returns the game that is now played at a board.
func (e *evening) game(round, board int) string {
	e.t.Helper()
	return e.s.anonymous().get(fmt.Sprintf("%s/rounds/%d", e.path, round)).want(e.t, http.StatusOK).
		text("pairings", board-1, "game_id")
}

func TestAKnockoutFromTheFirstRoundToTheEnd(t *testing.T) {
	e := newEvening(t, knockout, 5)
	made := e.olga.get(e.path).want(t, http.StatusOK).
		has(t, `"replays":1`, `"tie_break_time_control":"60+1"`, `"decision":"armageddon"`, `"third_place":true`,
			`"rounds":3`)
	if colour := made.text("pairing", "initial_colour"); colour != "white" && colour != "black" {
		t.Errorf("initial colour %q", colour)
	}
	before := e.bracket()
	if len(before.list("rounds")) != 3 || before.text("rounds", 1, "name") != "Semi-finals" ||
		len(before.list("rounds", 0, "matches")) != 4 ||
		before.at("rounds", 0, "matches", 0, "free") != true ||
		before.number("rounds", 1, "matches", 0, "entries", 1, "winner_of", "place") != 2 {
		t.Errorf("%s", before.raw)
	}
	round := e.pair()
	if round.text("name") != "Quarter-finals" || len(round.list("pairings")) != 4 ||
		round.text("pairings", 1, "bye") != "PAB" {
		t.Fatalf("one match and three byes: %s", round.raw)
	}
	seats, first := round.list("pairings", 0, "seats"), round.text("pairings", 0, "game_id")
	e.end(first, 0)
	second := e.game(1, 1)
	replay := e.s.anonymous().get("/games/"+second).want(t, http.StatusOK)
	if second == first || replay.text("tournament", "id") == "" || int(replay.number("tournament", "board")) != 1 {
		t.Fatalf("the replay: %s", replay.raw)
	}
	e.olga.post(e.path+"/rounds", nil).refused(t, http.StatusConflict, "wrong-state")
	e.end(second, 0)
	third := e.game(1, 1)
	e.s.anonymous().get("/games/"+third).want(t, http.StatusOK).has(t, `"60+1"`)
	e.end(third, 2)
	shown := e.s.anonymous().get(e.path+"/rounds/1").want(t, http.StatusOK)
	games := shown.list("pairings", 0, "games")
	if shown.text("pairings", 0, "result") != "1-0" || shown.text("status") != "complete" || len(games) != 3 {
		t.Fatalf("%s", shown.raw)
	}
	for i, want := range []string{"game 1/2-1/2 300+3", "replay 1/2-1/2 300+3", "tie_break 1-0 60+1"} {
		at := func(name string) string { return shown.text("pairings", 0, "games", i, name) }
		if got := at("kind") + " " + at("result") + " " + at("time_control"); got != want ||
			shown.text("pairings", 0, "games", i, "seats", 0) != seats[i%2] {
			t.Errorf("game %d: %s, want %s", i+1, got, want)
		}
	}
	winner := e.bracket().text("rounds", 0, "matches", 1, "winner")
	if winner != shown.text("pairings", 0, "seats", 0) {
		t.Errorf("%s goes on, and seat 1 has won", winner)
	}
	e.toTheEnd()
}

// toTheEnd lets seat 1 win the semi-finals, and decides the last matches by hand.
func (e *evening) toTheEnd() {
	t := e.t
	semi := e.pair()
	for i := range 2 {
		e.end(semi.text("pairings", i, "game_id"), 2)
	}
	// The final was drawn from a wrong result: while nothing has been played in it, it can be deleted and drawn again.
	wrong := e.pair()
	semis := e.path + "/rounds/2/pairings/1/result"
	e.olga.send(http.MethodPut, semis, `{"result":"0-1"}`, header{"If-Match", "*"}).
		refused(t, http.StatusConflict, "wrong-state").has(t, "delete round 3")
	e.olga.send(http.MethodDelete, e.path+"/rounds/3", nil, wrong.etag()).want(t, http.StatusNoContent)
	e.olga.send(http.MethodPut, semis, `{"result":"0-1","reason":"the wrong seat had resigned"}`, header{"If-Match", "*"}).
		want(t, http.StatusOK)
	last := e.pair()
	if finalist := semi.at("pairings", 0, "seats", 1); !slices.Contains(last.list("pairings", 0, "seats"), finalist) {
		t.Errorf("%s should play the final: %s", finalist, last.raw)
	}
	if last.text("name") != "Final" || len(last.list("pairings")) != 2 {
		t.Fatalf("%s", last.raw)
	}
	put := func(board int, text string) *answer {
		path := fmt.Sprintf("%s/rounds/3/pairings/%d/result", e.path, board)
		return e.olga.send(http.MethodPut, path, map[string]string{"result": text}, header{"If-Match", "*"})
	}
	put(1, "1/2-1/2").refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/result", "must have a winner")
	put(1, "0-1").want(t, http.StatusOK)
	put(2, "+--").want(t, http.StatusOK)
	champion := last.text("pairings", 0, "seats", 1)
	end := e.bracket()
	if end.text("winner", "id") != champion || end.text("third_place", "winner") != last.text("pairings", 1, "seats", 0) {
		t.Errorf("%s", end.raw)
	}
	table := e.s.anonymous().get(e.path+"/standings").want(t, http.StatusOK)
	var ranks []float64
	for i := range table.list("rows") {
		ranks = append(ranks, table.number("rows", i, "rank"))
	}
	if table.text("rows", 0, "entry", "id") != champion || !slices.Equal(ranks, []float64{1, 2, 3, 4, 5}) ||
		len(table.list("columns")) != 0 {
		t.Errorf("%s", table.raw)
	}
	// The winner of a semi-final cannot change any more; deleting the final is too late as well.
	e.olga.send(http.MethodPut, semis, `{"result":"1-0"}`, header{"If-Match", "*"}).
		refused(t, http.StatusConflict, "wrong-state")
	e.olga.send(http.MethodDelete, e.path+"/rounds/3", nil, header{"If-Match", "*"}).
		refused(t, http.StatusConflict, "wrong-state")
	e.olga.post(e.path+"/finish", nil).want(t, http.StatusOK)
	e.olga.get(e.path+"/crosstable").want(t, http.StatusOK)
	e.s.anonymous().get(e.path+"/explain?round=1").want(t, http.StatusOK).has(t, "Seeds 5 and 4 meet")
	for _, export := range []string{"csv&table=standings", "csv&table=pairings", "json"} {
		e.s.anonymous().get(e.path+"/export?format="+export).want(t, http.StatusOK).has(t, "Player player1")
	}
	records := e.s.anonymous().get(e.path+"/export?format=record").want(t, http.StatusOK)
	if n := strings.Count(string(records.raw), `[Round "1"]`); n != 3 {
		t.Errorf("%d records of round 1, want all three games of its match", n)
	}
}

func TestKnockoutSettings(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
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
		olga.post("/tournaments", body(test.format, test.more)).refused(t, http.StatusUnprocessableEntity, "invalid").
			has(t, test.has)
	}
	olga.post("/tournaments", `{"name":"Cup","variant":"quits/four","format":"knockout","time_control":"300+3"}`).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/format", "games between two")
	for _, bad := range []string{`{"replays":11}`, `{"tie_break_games":-1}`, `{"decision":"coin"}`} {
		olga.post("/tournaments", body("knockout", `,"pairing":`+bad)).refused(t, http.StatusBadRequest, "malformed")
	}
	made := olga.post("/tournaments", body("knockout", "")).want(t, http.StatusCreated).
		has(t, `"replays":2`, `"tie_break_games":2`, `"decision":"armageddon"`)
	path := "/tournaments/" + made.text("id")
	if b := olga.get(path+"/bracket").want(t, http.StatusOK); len(b.list("rounds")) != 0 {
		t.Errorf("before the start: %s", b.raw)
	}
	s.anonymous().get(path+"/bracket").refused(t, http.StatusNotFound, "not-found")
	// Another format has none of its rules, and no bracket.
	olga.send(http.MethodPatch, path, `{"format":"swiss","rounds":3}`, made.etag()).want(t, http.StatusOK).
		lacks(t, "replays")
	olga.get(path+"/bracket").refused(t, http.StatusNotFound, "not-found").has(t, "only a knockout has one")
	swiss := olga.get(path).want(t, http.StatusOK)
	olga.send(http.MethodPatch, path, `{"format":"knockout","pairing":{"decision":"lot"}}`, swiss.etag()).
		want(t, http.StatusOK).has(t, `"decision":"lot"`, `"replays":2`)
}
