package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const melee = `{"name":"Melee night","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3","rated":true,
	"pairing":{"tables":{"meetings":"first","short_tables":true}}}`

// seats returns the seats of a table of a round.
func (e *evening) seats(round, board int) []any {
	e.t.Helper()
	return e.olga.get(fmt.Sprintf("%s/rounds/%d", e.path, round)).want(e.t, http.StatusOK).list("pairings", board-1, "seats")
}

// result enters the result of a table.
func (e *evening) result(round, board int, body map[string]any) *answer {
	e.t.Helper()
	path := fmt.Sprintf("%s/rounds/%d/pairings/%d/result", e.path, round, board)
	return e.olga.send(http.MethodPut, path, body, header{"If-Match", "*"})
}

// TestAMeleeFromTheFirstRoundToTheEnd holds a table Swiss over HTTP: the server's games, results by rank, who does not come,
// a late entry, a swap, the explanation, standings and exports.
func TestAMeleeFromTheFirstRoundToTheEnd(t *testing.T) {
	e := newEvening(t, melee, 7)
	shown := e.olga.get(e.path).want(t, http.StatusOK).
		has(t, `"sizes":[3,4,5]`, `"preferred":4`, `"meetings":"first"`, `"seeding":"balanced"`, `"partners":"off"`, `"short_tables":true`, `"bye":1.5`)
	if code := shown.text("warnings", 0, "code"); code != "rounds" || !strings.Contains(shown.text("warnings", 0, "text"), "meetings: second") {
		t.Errorf("no warning of leaders with the tail: %s", shown.raw)
	}
	round := e.pair()
	if len(round.list("pairings")) != 2 || len(round.list("pairings", 0, "seats")) != 4 || len(round.list("pairings", 1, "seats")) != 3 {
		t.Fatalf("a table of four and one of three: %s", round.raw)
	}
	// The server's game: the first seat resigns at once, and the table is played by the others.
	e.resignAll(round.text("pairings", 0, "game_id"))
	after := e.s.anonymous().get(e.path+"/rounds/1").want(t, http.StatusOK)
	if after.text("pairings", 0, "result") == "" {
		t.Errorf("no result of the server's game: %s", after.raw)
	}
	e.result(1, 2, map[string]any{"ranks": []int{2, 1, 2}}).want(t, http.StatusOK).has(t, `"result":"2,1,2"`, `"points":["0.5","2","0.5"]`)
	e.result(1, 2, map[string]any{"ranks": []int{1, 1, 2}, "absent": []int{3}, "reason": "ill"}).want(t, http.StatusOK).
		has(t, `"result":"1,1,-"`, `"absent":[3]`, `"ranks":[1,1,3]`, `"points":["1.5","1.5","0"]`)
	e.result(1, 2, map[string]any{"absent": []int{1, 2}}).want(t, http.StatusOK).has(t, `"result":"-,-,+"`, `"forfeit":true`)
	e.result(1, 2, map[string]any{"absent": []int{5}}).want(t, http.StatusUnprocessableEntity)
	e.result(1, 2, map[string]any{"ranks": []int{1, 2}}).want(t, http.StatusUnprocessableEntity)
	e.result(1, 2, map[string]any{"result": "1-0"}).want(t, http.StatusUnprocessableEntity)
	stranger := e.s.register("stranger")
	stranger.send(http.MethodPut, e.path+"/rounds/1/pairings/2/result", map[string]any{"absent": []int{1}}, header{"If-Match", "*"}).want(t, http.StatusForbidden)

	late := e.olga.post(e.path+"/entries", map[string]any{"name": "Late Larry"}).want(t, http.StatusCreated).text("id")
	draft := e.olga.post(e.path+"/rounds", map[string]any{"publish": false}).want(t, http.StatusCreated)
	if len(draft.list("pairings")) != 2 || len(draft.list("pairings", 1, "seats")) != 4 {
		t.Fatalf("eight at two tables: %s", draft.raw)
	}
	a, b := e.seats(2, 1)[0], e.seats(2, 2)[0]
	swap := map[string]any{"edits": []any{map[string]any{"kind": "swap", "entries": []any{a, b}}}}
	e.olga.send(http.MethodPatch, e.path+"/rounds/2", swap, header{"If-Match", "*"}).want(t, http.StatusOK)
	if e.seats(2, 1)[0] != b || !slices.Contains(append(e.seats(2, 1), e.seats(2, 2)...), any(late)) {
		t.Error("the swap, or the late entry, is not in the round")
	}
	why := e.olga.get(e.path+"/explain?round=2").want(t, http.StatusOK)
	if why.text("boards", 0, "source") != "arbiter" || !strings.Contains(why.text("boards", 0, "meeting"), "The system had") {
		t.Errorf("why: %s", why.raw)
	}
	e.s.anonymous().get(e.path+"/rounds/2").want(t, http.StatusNotFound)
	e.olga.post(e.path+"/rounds/2/publish", nil, header{"If-Match", "*"}).want(t, http.StatusOK)
	for board := 1; board <= 2; board++ {
		e.result(2, board, map[string]any{"ranks": []int{4, 3, 2, 1}}).want(t, http.StatusOK)
	}
	e.meleeEnd(late)
}

// meleeEnd plays the last round, reads the exports and ends the tournament.
func (e *evening) meleeEnd(late string) {
	t := e.t
	e.olga.post(e.path+"/entries/"+late+"/withdraw", nil).want(t, http.StatusOK)
	last := e.pair()
	for i := range last.list("pairings") {
		if last.text("pairings", i, "bye") != "" {
			continue
		}
		ranks := make([]int, len(last.list("pairings", i, "seats")))
		for k := range ranks {
			ranks[k] = k + 1
		}
		e.result(3, i+1, map[string]any{"ranks": ranks}).want(t, http.StatusOK)
	}
	e.olga.post(e.path+"/finish", nil).want(t, http.StatusOK)
	table := e.s.anonymous().get(e.path+"/standings").want(t, http.StatusOK).has(t, `"columns":["WIN","2ND","BH","TSH","SEAT"]`)
	if len(table.list("rows")) != 8 {
		t.Errorf("standings: %s", table.raw)
	}
	e.s.anonymous().get(e.path+"/export?format=json").want(t, http.StatusOK).has(t, `"table_swiss"`)
	csv := e.s.anonymous().get(e.path+"/export?format=csv&table=pairings").want(t, http.StatusOK)
	if lines := strings.Count(string(csv.raw), "\n"); lines < 23 || !strings.HasPrefix(string(csv.raw), "round,board,seat,number,name,points,rank,bye") {
		t.Errorf("csv: %s", csv.raw)
	}
	e.s.anonymous().get(e.path+"/export?format=trf").want(t, http.StatusUnprocessableEntity).has(t, "table_swiss", "csv, json")
}

// resignAll has each player of a game place a podium and then all but the last resign.
func (e *evening) resignAll(game string) {
	e.t.Helper()
	g := e.s.anonymous().get("/games/"+game).want(e.t, http.StatusOK)
	n := len(g.list("seats"))
	seat := func(i int) person { return e.players[g.text("seats", i, "player", "id")] }
	for i := range n {
		play(e.t, game, seat(i), i+1, fmt.Sprintf("+%c4", 'a'+i))
	}
	for i := range n - 1 {
		seat(i).post("/games/"+game+"/resign", nil).want(e.t, http.StatusOK)
	}
}

// TestPartnersChangeOverHTTP: players come alone to a game of partners.
func TestPartnersChangeOverHTTP(t *testing.T) {
	e := newEvening(t, `{"name":"Mixer","variant":"quixo/teams","format":"table_swiss","rounds":2,"time_control":"300+3",
		"pairing":{"tables":{"partners":"rotate"}}}`, 4)
	e.olga.get(e.path).want(t, http.StatusOK).has(t, `"partners":"rotate"`, `"sizes":[4]`, `"bye":0.5`)
	round := e.pair()
	e.s.anonymous().get("/games/"+round.text("pairings", 0, "game_id")).want(t, http.StatusOK).has(t, `"quixo/teams"`)
	e.result(1, 1, map[string]any{"result": "1-0"}).want(t, http.StatusOK).has(t, `"result":"1-0"`, `"points":["1","0","1","0"]`)
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3, 4}}).want(t, http.StatusUnprocessableEntity).has(t, "partners share")
	e.olga.post("/tournaments", map[string]any{
		"name": "No", "variant": "quixo/teams", "format": "table_swiss", "rounds": 2, "time_control": "300+3",
	}).want(t, http.StatusUnprocessableEntity).has(t, "rotate")
}

// edit changes the pairings of a round by hand.
func (e *evening) edit(round int, edits ...any) *answer {
	e.t.Helper()
	path := fmt.Sprintf("%s/rounds/%d", e.path, round)
	return e.olga.send(http.MethodPatch, path, map[string]any{"edits": edits}, header{"If-Match", "*"})
}

// TestTablesByTheArbiter: over HTTP an entry goes to a table of another size, a table is not played, results are corrected and
// undone, entries come late, are away, withdraw and come back, and forbidden pairs hold.
func TestTablesByTheArbiter(t *testing.T) {
	e := newEvening(t, `{"name":"Hall night","variant":"quivive/melee","format":"table_swiss","rounds":4,"time_control":"300+3","venue":"hall",
		"pairing":{"tables":{"meetings":"second"}}}`, 7)
	e.pair()
	first, second := e.seats(1, 1), e.seats(1, 2)
	e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{first[3]}}).want(t, http.StatusOK)
	if len(e.seats(1, 1)) != 3 || fmt.Sprint(e.seats(1, 2)) != fmt.Sprint(append(second, first[3])) {
		t.Errorf("moved: %v and %v", e.seats(1, 1), e.seats(1, 2))
	}
	e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{first[0]}}).refused(t, http.StatusConflict, "wrong-state")
	e.edit(1, map[string]any{"kind": "move", "board": 2}).refused(t, http.StatusUnprocessableEntity, "invalid")
	e.edit(1, map[string]any{"kind": "move", "board": 9, "entries": []any{first[0]}}).want(t, http.StatusNotFound)

	// Without short_tables the arbiter says whether a table was played by those who came.
	e.result(1, 2, map[string]any{"absent": []int{2}}).want(t, http.StatusOK).has(t, `"result":"+,-,+,+"`, `"points":["1.5","0","1.5","1.5"]`)
	e.result(1, 2, map[string]any{"ranks": []int{2, 4, 1, 2}, "absent": []int{2}, "reason": "played by three"}).want(t, http.StatusOK).
		has(t, `"result":"2,-,1,2"`, `"points":["1.5","0","3","1.5"]`)
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3}}).want(t, http.StatusOK)

	e.olga.send(http.MethodPut, e.path+"/forbidden-pairs", map[string]any{"items": []any{map[string]any{"entries": []any{first[0], second[0]}}}},
		header{"If-Match", "*"}).want(t, http.StatusOK)
	away := fmt.Sprint(first[1])
	e.olga.send(http.MethodPut, e.path+"/entries/"+away+"/byes", map[string]any{"items": []any{map[string]any{"round": 2, "bye": "ZPB"}}},
		header{"If-Match", "*"}).want(t, http.StatusOK)
	late := e.olga.post(e.path+"/entries", map[string]any{"name": "Late Larry"}).want(t, http.StatusCreated).text("id")
	e.olga.post(e.path+"/entries/"+fmt.Sprint(second[2])+"/withdraw", nil).want(t, http.StatusOK)
	round := e.pair()
	there := append(e.seats(2, 1), e.seats(2, 2)...)
	if len(e.seats(2, 1)) != 3 || slices.Contains(there, any(away)) || slices.Contains(there, second[2]) || !slices.Contains(there, any(late)) {
		t.Errorf("six at two tables of three: %s", round.raw)
	}
	if slices.Contains(e.seats(2, 1), first[0]) == slices.Contains(e.seats(2, 1), second[0]) {
		t.Errorf("a forbidden pair at one table: %s", round.raw)
	}
	e.olga.post(e.path+"/entries/"+fmt.Sprint(second[2])+"/reinstate", nil).want(t, http.StatusOK)
	e.result(2, 1, map[string]any{"ranks": []int{1, 2, 3}}).want(t, http.StatusOK)
	e.result(2, 1, map[string]any{"ranks": []int{3, 2, 1}, "reason": "the wrong way round"}).want(t, http.StatusOK)
	e.result(2, 2, map[string]any{"ranks": []int{1, 1, 1}}).want(t, http.StatusOK).has(t, `"points":["1","1","1"]`)
	if third := e.pair(); len(third.list("pairings")) != 2 {
		t.Errorf("eight at two tables: %s", third.raw)
	}
}

// TestATablePlanOverHTTP plays a whole table round robin over HTTP: no two meet twice, all seats come equally often, and the
// standings count places, shares of points and seats.
func TestATablePlanOverHTTP(t *testing.T) {
	e := newEvening(t, `{"name":"League night","variant":"quits/four","format":"table_round_robin","time_control":"300+3","venue":"hall"}`, 16)
	e.olga.get(e.path).want(t, http.StatusOK).has(t, `"rounds":5`, `"table_round_robin"`)
	met, seats := map[[2]string]int{}, map[string][5]int{}
	for round := 1; round <= 5; round++ {
		drawn := e.pair()
		if len(drawn.list("pairings")) != 4 {
			t.Fatalf("four tables of four: %s", drawn.raw)
		}
		for board := 1; board <= 4; board++ {
			table := e.seats(round, board)
			for i, a := range table {
				had := seats[fmt.Sprint(a)]
				had[i]++
				seats[fmt.Sprint(a)] = had
				for _, b := range table[:i] {
					met[[2]string{min(fmt.Sprint(a), fmt.Sprint(b)), max(fmt.Sprint(a), fmt.Sprint(b))}]++
				}
			}
			e.result(round, board, map[string]any{"ranks": []int{1, 2, 3, 4}}).want(t, http.StatusOK)
		}
	}
	if len(met) != 16*15/2 {
		t.Errorf("%d of 120 pairs have met", len(met))
	}
	for id, had := range seats {
		if slices.Min(had[:4]) < 1 || slices.Max(had[:4]) > 2 {
			t.Errorf("entry %s had the seats %v times", id, had[:4])
		}
	}
	e.olga.post(e.path+"/finish", nil).want(t, http.StatusOK)
	table := e.s.anonymous().get(e.path+"/standings").want(t, http.StatusOK)
	for _, code := range []string{"WIN", "2ND", "TSH", "SEAT"} {
		table.has(t, `"`+code+`"`)
	}
	e.s.anonymous().get(e.path+"/export?format=trf").want(t, http.StatusUnprocessableEntity).has(t, "table_round_robin", "csv, json")
}
