package rest_test

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

	"quatuor/api/apitest"
	"quatuor/api/gen"
)

// seats returns the seats of a table of a round.
func (e *evening) seats(round, board int) []any {
	e.t.Helper()
	return e.olga.Get(fmt.Sprintf("%s/rounds/%d", e.path, round)).Want(e.t, http.StatusOK).
		List("pairings", board-1, "seats")
}

// result enters the result of a table.
func (e *evening) result(round, board int, body map[string]any) *apitest.Answer {
	e.t.Helper()
	path := fmt.Sprintf("%s/rounds/%d/pairings/%d/result", e.path, round, board)
	return e.olga.Send(http.MethodPut, path, body, apitest.Header{"If-Match", "*"})
}

// TestAMeleeFromTheFirstRoundToTheEnd holds a table Swiss over HTTP: the server's games, results by rank, a no-show, a
// late entry, a swap, the explanation, standings and exports.
func TestAMeleeFromTheFirstRoundToTheEnd(t *testing.T) {
	e := newEvening(t, apitest.Melee, 7)
	shown := e.olga.Get(e.path).Want(t, http.StatusOK).
		Has(t, `"sizes":[3,4,5]`, `"preferred":4`, `"meetings":"first"`, `"seeding":"balanced"`, `"partners":"off"`,
			`"short_tables":true`, `"bye":1.5`)
	if code := shown.Text("warnings", 0, "code"); code != "rounds" ||
		!strings.Contains(shown.Text("warnings", 0, "text"), "meetings: second") {
		t.Errorf("no warning of leaders with the tail: %s", shown.Raw)
	}
	round := e.pair()
	if len(round.List("pairings")) != 2 || len(round.List("pairings", 0, "seats")) != 4 ||
		len(round.List("pairings", 1, "seats")) != 3 {
		t.Fatalf("a table of four and one of three: %s", round.Raw)
	}
	// The server's game: the first seat resigns at once, and the table is played by the others.
	e.resignAll(round.Text("pairings", 0, "game_id"))
	after := e.s.Anonymous().Get(e.path+"/rounds/1").Want(t, http.StatusOK)
	if after.Text("pairings", 0, "result") == "" {
		t.Errorf("no result of the server's game: %s", after.Raw)
	}
	e.result(1, 2, map[string]any{"ranks": []int{2, 1, 2}}).Want(t, http.StatusOK).
		Has(t, `"result":"2,1,2"`, `"points":["0.5","2","0.5"]`)
	e.result(1, 2, map[string]any{"ranks": []int{1, 1, 2}, "absent": []int{3}, "reason": "ill"}).Want(t, http.StatusOK).
		Has(t, `"result":"1,1,-"`, `"absent":[3]`, `"ranks":[1,1,3]`, `"points":["1.5","1.5","0"]`)
	e.result(1, 2, map[string]any{"absent": []int{1, 2}}).Want(t, http.StatusOK).
		Has(t, `"result":"-,-,+"`, `"forfeit":true`)
	e.result(1, 2, map[string]any{"absent": []int{5}}).Want(t, http.StatusUnprocessableEntity)
	e.result(1, 2, map[string]any{"ranks": []int{1, 2}}).Want(t, http.StatusUnprocessableEntity)
	e.result(1, 2, map[string]any{"result": "1-0"}).Want(t, http.StatusUnprocessableEntity)
	stranger := e.s.Register("stranger")
	stranger.Send(http.MethodPut, e.path+"/rounds/1/pairings/2/result", map[string]any{"absent": []int{1}},
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusForbidden)

	late := e.olga.Post(e.path+"/entries", map[string]any{"name": "Late Larry"}).Want(t, http.StatusCreated).Text("id")
	draft := e.olga.Post(e.path+"/rounds", map[string]any{"publish": false}).Want(t, http.StatusCreated)
	if len(draft.List("pairings")) != 2 || len(draft.List("pairings", 1, "seats")) != 4 {
		t.Fatalf("eight at two tables: %s", draft.Raw)
	}
	a, b := e.seats(2, 1)[0], e.seats(2, 2)[0]
	swap := map[string]any{"edits": []any{map[string]any{"kind": "swap", "entries": []any{a, b}}}}
	e.olga.Send(http.MethodPatch, e.path+"/rounds/2", swap, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	if e.seats(2, 1)[0] != b || !slices.Contains(append(e.seats(2, 1), e.seats(2, 2)...), any(late)) {
		t.Error("the swap, or the late entry, is not in the round")
	}
	why := e.olga.Get(e.path+"/explain?round=2").Want(t, http.StatusOK)
	if why.Text("boards", 0, "source") != "arbiter" ||
		!strings.Contains(why.Text("boards", 0, "meeting"), "The system had") {
		t.Errorf("why: %s", why.Raw)
	}
	e.s.Anonymous().Get(e.path+"/rounds/2").Want(t, http.StatusNotFound)
	e.olga.Post(e.path+"/rounds/2/publish", nil, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	for board := 1; board <= 2; board++ {
		e.result(2, board, map[string]any{"ranks": []int{4, 3, 2, 1}}).Want(t, http.StatusOK)
	}
	e.meleeEnd(late)
}

// meleeEnd plays the last round, reads the exports and ends the tournament.
func (e *evening) meleeEnd(late string) {
	t := e.t
	e.olga.Post(e.path+"/entries/"+late+"/withdraw", nil).Want(t, http.StatusOK)
	last := e.pair()
	for i := range last.List("pairings") {
		if last.Text("pairings", i, "bye") != "" {
			continue
		}
		ranks := make([]int, len(last.List("pairings", i, "seats")))
		for k := range ranks {
			ranks[k] = k + 1
		}
		e.result(3, i+1, map[string]any{"ranks": ranks}).Want(t, http.StatusOK)
	}
	e.olga.Post(e.path+"/finish", nil).Want(t, http.StatusOK)
	table := e.s.Anonymous().Get(e.path+"/standings").Want(t, http.StatusOK).
		Has(t, `"columns":["WIN","2ND","BH","TSH","SEAT"]`)
	if len(table.List("rows")) != 8 {
		t.Errorf("standings: %s", table.Raw)
	}
	e.readsBack()
	csv := e.s.Anonymous().Get(e.path+"/export?format=csv&table=pairings").Want(t, http.StatusOK)
	if lines := strings.Count(string(csv.Raw), "\n"); lines < 23 ||
		!strings.HasPrefix(string(csv.Raw), "round,board,seat,number,name,points,rank,bye") {
		t.Errorf("csv: %s", csv.Raw)
	}
	e.s.Anonymous().Get(e.path+"/export?format=trf").Want(t, http.StatusUnprocessableEntity).
		Has(t, "table_swiss", "csv, json")
}

// readsBack reads the exported document of a tournament at tables into the types of the contract: it holds nothing that
// they do not, its rounds are those that the server shows, and the points by seat make the standings.
func (e *evening) readsBack() {
	t := e.t
	exported := e.s.Anonymous().Get(e.path+"/export?format=json").Want(t, http.StatusOK)
	var document gen.TournamentExport
	decoder := json.NewDecoder(bytes.NewReader(exported.Raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&document); err != nil {
		t.Fatalf("the document: %v", err)
	}
	if again, err := json.MarshalIndent(document, "", "  "); err != nil ||
		string(again) != strings.TrimSpace(string(exported.Raw)) {
		t.Errorf("written again (%v):\n%s\nwant\n%s", err, again, exported.Raw)
	}
	sum := map[string]float64{}
	for i, round := range document.Rounds {
		var shown gen.Round
		if err := json.Unmarshal(e.s.Anonymous().Get(fmt.Sprintf("%s/rounds/%d", e.path, i+1)).Want(t, http.StatusOK).Raw,
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
	g := e.s.Anonymous().Get("/games/"+game).Want(e.t, http.StatusOK)
	n := len(g.List("seats"))
	seat := func(i int) apitest.Person { return e.players[g.Text("seats", i, "player", "id")] }
	for i := range n {
		apitest.Play(e.t, game, seat(i), i+1, fmt.Sprintf("+%c4", 'a'+i))
	}
	for i := range n - 1 {
		seat(i).Post("/games/"+game+"/resign", nil).Want(e.t, http.StatusOK)
	}
}

// TestPartnersChangeOverHTTP: players come alone to a game of partners.
func TestPartnersChangeOverHTTP(t *testing.T) {
	e := newEvening(t, `{"name":"Mixer","variant":"quixo/teams","format":"table_swiss","rounds":2,"time_control":"300+3",
		"pairing":{"tables":{"partners":"rotate"}}}`, 4)
	e.olga.Get(e.path).Want(t, http.StatusOK).Has(t, `"partners":"rotate"`, `"sizes":[4]`, `"bye":0.5`)
	round := e.pair()
	e.s.Anonymous().Get("/games/"+round.Text("pairings", 0, "game_id")).Want(t, http.StatusOK).Has(t, `"quixo/teams"`)
	e.result(1, 1, map[string]any{"result": "1-0"}).Want(t, http.StatusOK).
		Has(t, `"result":"1-0"`, `"points":["1","0","1","0"]`)
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3, 4}}).Want(t, http.StatusUnprocessableEntity).
		Has(t, "partners share")
	e.olga.Post("/tournaments", map[string]any{
		"name": "No", "variant": "quixo/teams", "format": "table_swiss", "rounds": 2, "time_control": "300+3",
	}).Want(t, http.StatusUnprocessableEntity).Has(t, "rotate")
}

// edit changes the pairings of a round by hand.
func (e *evening) edit(round int, edits ...any) *apitest.Answer {
	e.t.Helper()
	path := fmt.Sprintf("%s/rounds/%d", e.path, round)
	return e.olga.Send(http.MethodPatch, path, map[string]any{"edits": edits}, apitest.Header{"If-Match", "*"})
}

// TestTablesByTheArbiter: over HTTP an entry goes to a table of another size, a table is not played, results are
// corrected and undone, entries come late, are away, withdraw and come back, and forbidden pairs hold.
func TestTablesByTheArbiter(t *testing.T) {
	e := newEvening(t, `{"name":"Hall night","variant":"quivive/melee","format":"table_swiss","rounds":4,"time_control":"300+3","venue":"hall",
		"pairing":{"tables":{"meetings":"second"}}}`, 7)
	e.pair()
	first, second := e.seats(1, 1), e.seats(1, 2)
	e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{first[3]}}).Want(t, http.StatusOK)
	if len(e.seats(1, 1)) != 3 || fmt.Sprint(e.seats(1, 2)) != fmt.Sprint(append(second, first[3])) {
		t.Errorf("moved: %v and %v", e.seats(1, 1), e.seats(1, 2))
	}
	e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{first[0]}}).
		Refused(t, http.StatusConflict, "wrong-state")
	e.edit(1, map[string]any{"kind": "move", "board": 2}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	e.edit(1, map[string]any{"kind": "move", "board": 9, "entries": []any{first[0]}}).Want(t, http.StatusNotFound)

	// Without short_tables the arbiter decides whether an incomplete table was played.
	e.result(1, 2, map[string]any{"absent": []int{2}}).Want(t, http.StatusOK).
		Has(t, `"result":"+,-,+,+"`, `"points":["1.5","0","1.5","1.5"]`)
	e.result(1, 2, map[string]any{"ranks": []int{2, 4, 1, 2}, "absent": []int{2}, "reason": "played by three"}).
		Want(t, http.StatusOK).
		Has(t, `"result":"2,-,1,2"`, `"points":["1.5","0","3","1.5"]`)
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3}}).Want(t, http.StatusOK)

	e.olga.Send(http.MethodPut, e.path+"/forbidden-pairs", map[string]any{
		"items": []any{map[string]any{"entries": []any{first[0], second[0]}}},
	},
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	away := fmt.Sprint(first[1])
	e.olga.Send(http.MethodPut, e.path+"/entries/"+away+"/byes", map[string]any{
		"items": []any{map[string]any{"round": 2, "bye": "ZPB"}},
	},
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	late := e.olga.Post(e.path+"/entries", map[string]any{"name": "Late Larry"}).Want(t, http.StatusCreated).Text("id")
	e.olga.Post(e.path+"/entries/"+fmt.Sprint(second[2])+"/withdraw", nil).Want(t, http.StatusOK)
	round := e.pair()
	there := append(e.seats(2, 1), e.seats(2, 2)...)
	if len(e.seats(2, 1)) != 3 || slices.Contains(there, any(away)) || slices.Contains(there, second[2]) ||
		!slices.Contains(there, any(late)) {
		t.Errorf("six at two tables of three: %s", round.Raw)
	}
	if slices.Contains(e.seats(2, 1), first[0]) == slices.Contains(e.seats(2, 1), second[0]) {
		t.Errorf("a forbidden pair at one table: %s", round.Raw)
	}
	e.olga.Post(e.path+"/entries/"+fmt.Sprint(second[2])+"/reinstate", nil).Want(t, http.StatusOK)
	e.result(2, 1, map[string]any{"ranks": []int{1, 2, 3}}).Want(t, http.StatusOK)
	e.result(2, 1, map[string]any{"ranks": []int{3, 2, 1}, "reason": "the wrong way round"}).Want(t, http.StatusOK)
	e.result(2, 2, map[string]any{"ranks": []int{1, 1, 1}}).Want(t, http.StatusOK).Has(t, `"points":["1","1","1"]`)
	if third := e.pair(); len(third.List("pairings")) != 2 {
		t.Errorf("eight at two tables: %s", third.Raw)
	}
}

// TestATablePlanOverHTTP plays a whole table round robin over HTTP: no two meet twice, all seats come equally often,
// and the standings count places, shares of points and seats.
func TestATablePlanOverHTTP(t *testing.T) {
	e := newEvening(t, `{"name":"League night","variant":"quits/four","format":"table_round_robin","time_control":"300+3","venue":"hall"}`, 16)
	e.olga.Get(e.path).Want(t, http.StatusOK).Has(t, `"rounds":5`, `"table_round_robin"`)
	met, seats := map[[2]string]int{}, map[string][5]int{}
	for round := 1; round <= 5; round++ {
		drawn := e.pair()
		if len(drawn.List("pairings")) != 4 {
			t.Fatalf("four tables of four: %s", drawn.Raw)
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
			e.result(round, board, map[string]any{"ranks": []int{1, 2, 3, 4}}).Want(t, http.StatusOK)
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
	e.olga.Post(e.path+"/finish", nil).Want(t, http.StatusOK)
	table := e.s.Anonymous().Get(e.path+"/standings").Want(t, http.StatusOK)
	for _, code := range []string{"WIN", "2ND", "TSH", "SEAT"} {
		table.Has(t, `"`+code+`"`)
	}
	e.s.Anonymous().Get(e.path+"/export?format=trf").Want(t, http.StatusUnprocessableEntity).
		Has(t, "table_round_robin", "csv, json")
}

// undo takes back the last act.
func (e *evening) undo() *apitest.Answer {
	e.t.Helper()
	act := e.olga.Get(e.path+"/history?limit=200").Want(e.t, http.StatusOK).Number("undoable")
	if act == 0 {
		e.t.Fatal("the last act cannot be taken back")
	}
	back := e.olga.Post(e.path+"/undo", map[string]any{"act": act})
	e.olga.Post(e.path+"/undo", map[string]any{"act": act}).Refused(e.t, http.StatusConflict, "wrong-state")
	return back
}

// tables returns the seats and results of all rounds, and the entries' states.
func (e *evening) tables() string {
	e.t.Helper()
	var out strings.Builder
	for round := 1; ; round++ {
		r := e.olga.Get(fmt.Sprintf("%s/rounds/%d", e.path, round))
		if r.Status == http.StatusNotFound {
			break
		}
		fmt.Fprintln(&out, round, r.Want(e.t, http.StatusOK).Text("status"))
		for i := range r.List("pairings") {
			fmt.Fprintln(&out, r.List("pairings", i, "seats"), r.At("pairings", i, "result"), r.At("pairings", i, "ranks"),
				r.At("pairings", i, "absent"), r.At("pairings", i, "points"), r.At("pairings", i, "bye"))
		}
	}
	entries := e.olga.Get(e.path+"/entries").Want(e.t, http.StatusOK)
	for i := range entries.List("items") {
		fmt.Fprintln(&out, entries.Text("items", i, "id"), entries.Text("items", i, "status"))
	}
	return out.String()
}

// TestUndoAtTables: over HTTP each act at tables is taken back, once, and everything is as it was before it.
func TestUndoAtTables(t *testing.T) {
	e := newEvening(t, `{"name":"Hall night","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3","venue":"hall",
		"pairing":{"tables":{"meetings":"second"}}}`, 7)
	takenBack := func(what string, act func() *apitest.Answer, keep bool) {
		t.Helper()
		before := e.tables()
		if a := act(); a.Status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", what, a.Status, a.Raw)
		}
		if e.tables() == before {
			t.Fatalf("%s: nothing has changed:\n%s", what, before)
		}
		e.undo().Want(t, http.StatusOK)
		if after := e.tables(); after != before {
			t.Fatalf("%s, taken back:\n%s\nwant\n%s", what, after, before)
		}
		if keep {
			act()
		}
	}
	takenBack("a round", e.pair, true)
	seats := append(e.seats(1, 1), e.seats(1, 2)...)
	takenBack("a move to the table of three", func() *apitest.Answer {
		return e.edit(1, map[string]any{"kind": "move", "board": 2, "entries": []any{seats[3]}})
	}, true)
	takenBack("a swap", func() *apitest.Answer {
		return e.edit(1, map[string]any{"kind": "swap", "entries": []any{seats[0], seats[4]}})
	}, false)
	ranks := func(board int, body map[string]any) func() *apitest.Answer {
		return func() *apitest.Answer { return e.result(1, board, body) }
	}
	takenBack("ranks", ranks(1, map[string]any{"ranks": []int{1, 2, 2}}), true)
	takenBack("a correction", ranks(1, map[string]any{"ranks": []int{3, 2, 1}, "reason": "misread"}), false)
	takenBack("who does not come", ranks(2, map[string]any{"absent": []int{2}}), true)
	takenBack("a table that three played", ranks(2,
		map[string]any{"ranks": []int{2, 4, 1, 2}, "absent": []int{2}, "reason": "played"}), true)
	takenBack("a result that is removed", func() *apitest.Answer {
		return e.olga.Send(http.MethodDelete, e.path+"/rounds/1/pairings/2/result", nil, apitest.Header{"If-Match", "*"})
	}, false)
	takenBack("a withdrawal", func() *apitest.Answer {
		return e.olga.Post(e.path+"/entries/"+fmt.Sprint(seats[2])+"/withdraw", nil)
	}, true)
	takenBack("a draft of the next round", func() *apitest.Answer {
		return e.olga.Post(e.path+"/rounds", map[string]any{"publish": false})
	}, true)
	takenBack("its publication", func() *apitest.Answer {
		return e.olga.Post(e.path+"/rounds/2/publish", nil, apitest.Header{"If-Match", "*"})
	}, true)

	// The round that follows from a result keeps it.
	e.result(1, 1, map[string]any{"ranks": []int{2, 1, 3}, "reason": "late"}).Want(t, http.StatusOK)
	e.undo().Want(t, http.StatusOK)
	e.result(2, 1, map[string]any{"ranks": []int{1, 2, 3}}).Want(t, http.StatusOK)
	stale := e.olga.Get(e.path + "/history?limit=200").Number("undoable")
	e.result(2, 2, map[string]any{"ranks": []int{1, 2, 3}}).Want(t, http.StatusOK)
	e.olga.Post(e.path+"/undo", map[string]any{"act": stale}).Refused(t, http.StatusConflict, "wrong-state")
	e.s.Register("stranger").Post(e.path+"/undo", map[string]any{"act": stale + 1}).Want(t, http.StatusForbidden)
}

// TestUndoATableOnTheServer: a game of many that an arbiter's result broke off is opened again when that is taken back,
// with the same seats; a round that is taken back leaves no game.
func TestUndoATableOnTheServer(t *testing.T) {
	e := newEvening(t, apitest.Melee, 4)
	first := e.pair().Text("pairings", 0, "game_id")
	e.result(1, 1, map[string]any{"ranks": []int{1, 2, 3, 4}}).Want(t, http.StatusOK)
	e.s.Anonymous().Get("/games/"+first).Want(t, http.StatusOK).Has(t, `"aborted"`)
	e.undo().Want(t, http.StatusOK)
	round := e.olga.Get(e.path+"/rounds/1").Want(t, http.StatusOK)
	second := round.Text("pairings", 0, "game_id")
	if second == "" || second == first || round.At("pairings", 0, "result") != nil {
		t.Fatalf("after taking back: %s", round.Raw)
	}
	was, is := e.s.Anonymous().Get("/games/"+first), e.s.Anonymous().Get("/games/"+second).Want(t, http.StatusOK)
	for i := range 4 {
		if a, b := was.Text("seats", i, "player", "id"), is.Text("seats", i, "player", "id"); a != b {
			t.Errorf("seat %d: %s, want %s", i+1, b, a)
		}
	}
	e.resignAll(second)
	if got := e.olga.Get(e.path+"/rounds/1").Text("pairings", 0, "result"); got == "" {
		t.Error("the game that was opened anew decides nothing")
	}
}
