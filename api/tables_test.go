package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/api/gen"
)

const melee = `{"name":"Melee night","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3","rated":true,
	"pairing":{"tables":{"meetings":"first","short_tables":true}}}`

// seats returns the seats of a table of a round.
func (e *evening) seats(round, board int) []any {
	e.t.Helper()
	return e.olga.get(fmt.Sprintf("%s/rounds/%d", e.path, round)).want(e.t, http.StatusOK).
		list("pairings", board-1, "seats")
}

// result enters the result of a table.
func (e *evening) result(round, board int, body map[string]any) *answer {
	e.t.Helper()
	path := fmt.Sprintf("%s/rounds/%d/pairings/%d/result", e.path, round, board)
	return e.olga.send(http.MethodPut, path, body, header{"If-Match", "*"})
}

// TestAMeleeFromTheFirstRoundToTheEnd holds a table Swiss over HTTP: the server's games, results by rank, a no-show, a
// late entry, a swap, the explanation, standings and exports.
func TestAMeleeFromTheFirstRoundToTheEnd(t *testing.T) {
	e := newEvening(t, melee, 7)
	shown := e.olga.get(e.path).want(t, http.StatusOK).
		has(t, `"sizes":[3,4,5]`, `"preferred":4`, `"meetings":"first"`, `"seeding":"balanced"`, `"partners":"off"`,
			`"short_tables":true`, `"bye":1.5`)
	if code := shown.text("warnings", 0, "code"); code != "rounds" ||
		!strings.Contains(shown.text("warnings", 0, "text"), "meetings: second") {
		t.Errorf("no warning of leaders with the tail: %s", shown.raw)
	}
	round := e.pair()
	if len(round.list("pairings")) != 2 || len(round.list("pairings", 0, "seats")) != 4 ||
		len(round.list("pairings", 1, "seats")) != 3 {
		t.Fatalf("a table of four and one of three: %s", round.raw)
	}
	// The server's game: the first seat resigns at once, and the table is played by the others.
	e.resignAll(round.text("pairings", 0, "game_id"))
	after := e.s.anonymous().get(e.path+"/rounds/1").want(t, http.StatusOK)
	if after.text("pairings", 0, "result") == "" {
		t.Errorf("no result of the server's game: %s", after.raw)
	}
	e.result(1, 2, map[string]any{"ranks": []int{2, 1, 2}}).want(t, http.StatusOK).
		has(t, `"result":"2,1,2"`, `"points":["0.5","2","0.5"]`)
	e.result(1, 2, map[string]any{"ranks": []int{1, 1, 2}, "absent": []int{3}, "reason": "ill"}).want(t, http.StatusOK).
		has(t, `"result":"1,1,-"`, `"absent":[3]`, `"ranks":[1,1,3]`, `"points":["1.5","1.5","0"]`)
	e.result(1, 2, map[string]any{"absent": []int{1, 2}}).want(t, http.StatusOK).
		has(t, `"result":"-,-,+"`, `"forfeit":true`)
	e.result(1, 2, map[string]any{"absent": []int{5}}).want(t, http.StatusUnprocessableEntity)
	e.result(1, 2, map[string]any{"ranks": []int{1, 2}}).want(t, http.StatusUnprocessableEntity)
	e.result(1, 2, map[string]any{"result": "1-0"}).want(t, http.StatusUnprocessableEntity)
	stranger := e.s.register("stranger")
	stranger.send(http.MethodPut, e.path+"/rounds/1/pairings/2/result", map[string]any{"absent": []int{1}},
		header{"If-Match", "*"}).want(t, http.StatusForbidden)

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
	if why.text("boards", 0, "source") != "arbiter" ||
		!strings.Contains(why.text("boards", 0, "meeting"), "The system had") {
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
	table := e.s.anonymous().get(e.path+"/standings").want(t, http.StatusOK).
		has(t, `"columns":["WIN","2ND","BH","TSH","SEAT"]`)
	if len(table.list("rows")) != 8 {
		t.Errorf("standings: %s", table.raw)
	}
	e.readsBack()
	csv := e.s.anonymous().get(e.path+"/export?format=csv&table=pairings").want(t, http.StatusOK)
	if lines := strings.Count(string(csv.raw), "\n"); lines < 23 ||
		!strings.HasPrefix(string(csv.raw), "round,board,seat,number,name,points,rank,bye") {
		t.Errorf("csv: %s", csv.raw)
	}
	e.s.anonymous().get(e.path+"/export?format=trf").want(t, http.StatusUnprocessableEntity).
		has(t, "table_swiss", "csv, json")
}

// readsBack reads the exported document of a tournament at tables into the types of the contract: it holds nothing that
// they do not, its rounds are those that the server shows, and the points by seat make the standings.
func (e *evening) readsBack() {
	t := e.t
	exported := e.s.anonymous().get(e.path+"/export?format=json").want(t, http.StatusOK)
	var document gen.TournamentExport
	decoder := json.NewDecoder(bytes.NewReader(exported.raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&document); err != nil {
		t.Fatalf("the document: %v", err)
	}
	if again, err := json.MarshalIndent(document, "", "  "); err != nil ||
		string(again) != strings.TrimSpace(string(exported.raw)) {
		t.Errorf("written again (%v):\n%s\nwant\n%s", err, again, exported.raw)
	}
	sum := map[string]float64{}
	for i, round := range document.Rounds {
		var shown gen.Round
		if err := json.Unmarshal(e.s.anonymous().get(fmt.Sprintf("%s/rounds/%d", e.path, i+1)).want(t, http.StatusOK).raw,
			&shown); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(round, shown) {
			t.Errorf("round %d: %+v, want %+v", i+1, round, shown)
		}
		for _, p := range round.Pairings {
			if p.Points == nil || len(*p.Points) != len(p.Seats) {
				t.Fatalf("round %d, table %d: points %v of the seats %v", i+1, p.Board, p.Points, p.Seats)
			}
			for seat, id := range p.Seats {
				points, err := strconv.ParseFloat((*p.Points)[seat], 64)
				if err != nil {
					t.Fatal(err)
				}
				sum[id] += points
			}
		}
	}
	if len(document.Rounds) != 3 || len(document.Entries) != 8 || len(document.Standings.Rows) != 8 {
		t.Fatalf("%d rounds, %d entries, %d rows", len(document.Rounds), len(document.Entries), len(document.Standings.Rows))
	}
	for _, row := range document.Standings.Rows {
		if points, err := strconv.ParseFloat(row.Points, 64); err != nil || points != sum[row.Entry.ID] {
			t.Errorf("%s has %s points, and the tables make %v", row.Entry.Name, row.Points, sum[row.Entry.ID])
		}
	}
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
	e.result(1, 1, map[string]any{"result": "1-0"}).want(t, http.StatusOK).
		has(t, `"result":"1-0"`, `"points":["1","0","1","0"]`)
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3, 4}}).want(t, http.StatusUnprocessableEntity).
		has(t, "partners share")
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

// TestTablesByTheArbiter: over HTTP an entry goes to a table of another size, a table is not played, results are
// corrected and undone, entries come late, are away, withdraw and come back, and forbidden pairs hold.
func TestTablesByTheArbiter(t *testing.T) {
	e := newEvening(t, `{"name":"Hall night","variant":"quivive/melee","format":"table_swiss","rounds":4,"time_control":"300+3","venue":"hall",
		"pairing":{"tables":{"meetings":"second"}}}`, 7)
	e.pair()
	first, second := e.seats(1, 1), e.seats(1, 2)
	e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{first[3]}}).want(t, http.StatusOK)
	if len(e.seats(1, 1)) != 3 || fmt.Sprint(e.seats(1, 2)) != fmt.Sprint(append(second, first[3])) {
		t.Errorf("moved: %v and %v", e.seats(1, 1), e.seats(1, 2))
	}
	e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{first[0]}}).
		refused(t, http.StatusConflict, "wrong-state")
	e.edit(1, map[string]any{"kind": "move", "board": 2}).refused(t, http.StatusUnprocessableEntity, "invalid")
	e.edit(1, map[string]any{"kind": "move", "board": 9, "entries": []any{first[0]}}).want(t, http.StatusNotFound)

	// Without short_tables the arbiter decides whether an incomplete table was played.
	e.result(1, 2, map[string]any{"absent": []int{2}}).want(t, http.StatusOK).
		has(t, `"result":"+,-,+,+"`, `"points":["1.5","0","1.5","1.5"]`)
	e.result(1, 2, map[string]any{"ranks": []int{2, 4, 1, 2}, "absent": []int{2}, "reason": "played by three"}).
		want(t, http.StatusOK).
		has(t, `"result":"2,-,1,2"`, `"points":["1.5","0","3","1.5"]`)
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3}}).want(t, http.StatusOK)

	e.olga.send(http.MethodPut, e.path+"/forbidden-pairs", map[string]any{
		"items": []any{map[string]any{"entries": []any{first[0], second[0]}}},
	},
		header{"If-Match", "*"}).want(t, http.StatusOK)
	away := fmt.Sprint(first[1])
	e.olga.send(http.MethodPut, e.path+"/entries/"+away+"/byes", map[string]any{
		"items": []any{map[string]any{"round": 2, "bye": "ZPB"}},
	},
		header{"If-Match", "*"}).want(t, http.StatusOK)
	late := e.olga.post(e.path+"/entries", map[string]any{"name": "Late Larry"}).want(t, http.StatusCreated).text("id")
	e.olga.post(e.path+"/entries/"+fmt.Sprint(second[2])+"/withdraw", nil).want(t, http.StatusOK)
	round := e.pair()
	there := append(e.seats(2, 1), e.seats(2, 2)...)
	if len(e.seats(2, 1)) != 3 || slices.Contains(there, any(away)) || slices.Contains(there, second[2]) ||
		!slices.Contains(there, any(late)) {
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

// TestATablePlanOverHTTP plays a whole table round robin over HTTP: no two meet twice, all seats come equally often,
// and the standings count places, shares of points and seats.
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
	e.s.anonymous().get(e.path+"/export?format=trf").want(t, http.StatusUnprocessableEntity).
		has(t, "table_round_robin", "csv, json")
}

// undo takes back the last act.
func (e *evening) undo() *answer {
	e.t.Helper()
	act := e.olga.get(e.path+"/history?limit=200").want(e.t, http.StatusOK).number("undoable")
	if act == 0 {
		e.t.Fatal("the last act cannot be taken back")
	}
	back := e.olga.post(e.path+"/undo", map[string]any{"act": act})
	e.olga.post(e.path+"/undo", map[string]any{"act": act}).refused(e.t, http.StatusConflict, "wrong-state")
	return back
}

// tables returns the seats and results of all rounds, and the entries' states.
func (e *evening) tables() string {
	e.t.Helper()
	var out strings.Builder
	for round := 1; ; round++ {
		r := e.olga.get(fmt.Sprintf("%s/rounds/%d", e.path, round))
		if r.status == http.StatusNotFound {
			break
		}
		fmt.Fprintln(&out, round, r.want(e.t, http.StatusOK).text("status"))
		for i := range r.list("pairings") {
			fmt.Fprintln(&out, r.list("pairings", i, "seats"), r.at("pairings", i, "result"), r.at("pairings", i, "ranks"),
				r.at("pairings", i, "absent"), r.at("pairings", i, "points"), r.at("pairings", i, "bye"))
		}
	}
	entries := e.olga.get(e.path+"/entries").want(e.t, http.StatusOK)
	for i := range entries.list("items") {
		fmt.Fprintln(&out, entries.text("items", i, "id"), entries.text("items", i, "status"))
	}
	return out.String()
}

// TestUndoAtTables: over HTTP each act at tables is taken back, once, and everything is as it was before it.
func TestUndoAtTables(t *testing.T) {
	e := newEvening(t, `{"name":"Hall night","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3","venue":"hall",
		"pairing":{"tables":{"meetings":"second"}}}`, 7)
	takenBack := func(what string, act func() *answer, keep bool) {
		t.Helper()
		before := e.tables()
		if a := act(); a.status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", what, a.status, a.raw)
		}
		if e.tables() == before {
			t.Fatalf("%s: nothing has changed:\n%s", what, before)
		}
		e.undo().want(t, http.StatusOK)
		if after := e.tables(); after != before {
			t.Fatalf("%s, taken back:\n%s\nwant\n%s", what, after, before)
		}
		if keep {
			act()
		}
	}
	takenBack("a round", e.pair, true)
	seats := append(e.seats(1, 1), e.seats(1, 2)...)
	takenBack("a move to the table of three", func() *answer {
		return e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{seats[3]}})
	}, true)
	takenBack("a swap", func() *answer {
		return e.edit(1, map[string]any{"kind": "swap", "entries": []any{seats[0], seats[4]}})
	}, false)
	ranks := func(board int, body map[string]any) func() *answer {
		return func() *answer { return e.result(1, board, body) }
	}
	takenBack("ranks", ranks(1, map[string]any{"ranks": []int{1, 2, 2}}), true)
	takenBack("a correction", ranks(1, map[string]any{"ranks": []int{3, 2, 1}, "reason": "misread"}), false)
	takenBack("who does not come", ranks(2, map[string]any{"absent": []int{2}}), true)
	takenBack("a table that three played", ranks(2,
		map[string]any{"ranks": []int{2, 4, 1, 2}, "absent": []int{2}, "reason": "played"}), true)
	takenBack("a result that is removed", func() *answer {
		return e.olga.send(http.MethodDelete, e.path+"/rounds/1/pairings/2/result", nil, header{"If-Match", "*"})
	}, false)
	takenBack("a withdrawal", func() *answer {
		return e.olga.post(e.path+"/entries/"+fmt.Sprint(seats[2])+"/withdraw", nil)
	}, true)
	takenBack("a draft of the next round", func() *answer {
		return e.olga.post(e.path+"/rounds", map[string]any{"publish": false})
	}, true)
	takenBack("its publication", func() *answer {
		return e.olga.post(e.path+"/rounds/2/publish", nil, header{"If-Match", "*"})
	}, true)

	// The round that follows from a result keeps it.
	e.result(1, 1, map[string]any{"ranks": []int{2, 1, 3}, "reason": "late"}).want(t, http.StatusOK)
	e.undo().want(t, http.StatusOK)
	e.result(2, 1, map[string]any{"ranks": []int{1, 2, 3}}).want(t, http.StatusOK)
	stale := e.olga.get(e.path + "/history?limit=200").number("undoable")
	e.result(2, 2, map[string]any{"ranks": []int{1, 2, 3}}).want(t, http.StatusOK)
	e.olga.post(e.path+"/undo", map[string]any{"act": stale}).refused(t, http.StatusConflict, "wrong-state")
	e.s.register("stranger").post(e.path+"/undo", map[string]any{"act": stale + 1}).want(t, http.StatusForbidden)
}

// TestUndoATableOnTheServer: a game of many that an arbiter's result broke off is opened again when that is taken back,
// with the same seats; a round that is taken back leaves no game.
func TestUndoATableOnTheServer(t *testing.T) {
	e := newEvening(t, melee, 4)
	first := e.pair().text("pairings", 0, "game_id")
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3, 4}}).want(t, http.StatusOK)
	e.s.anonymous().get("/games/"+first).want(t, http.StatusOK).has(t, `"aborted"`)
	e.undo().want(t, http.StatusOK)
	round := e.olga.get(e.path+"/rounds/1").want(t, http.StatusOK)
	second := round.text("pairings", 0, "game_id")
	if second == "" || second == first || round.at("pairings", 0, "result") != nil {
		t.Fatalf("after taking back: %s", round.raw)
	}
	was, is := e.s.anonymous().get("/games/"+first), e.s.anonymous().get("/games/"+second).want(t, http.StatusOK)
	for i := range 4 {
		if a, b := was.text("seats", i, "player", "id"), is.text("seats", i, "player", "id"); a != b {
			t.Errorf("seat %d: %s, want %s", i+1, b, a)
		}
	}
	e.resignAll(second)
	if got := e.olga.get(e.path+"/rounds/1").text("pairings", 0, "result"); got == "" {
		t.Error("the game that was opened anew decides nothing")
	}
}
