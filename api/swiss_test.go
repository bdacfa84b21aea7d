package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// tally counts by hand what a table of standings should show.
type tally struct{ points, win, won, black int } // points doubled

// count goes through a tournament's rounds as the public sees them, and returns every tally after the first n.
func (e *swissEvent) count(t *testing.T, n int) map[string]tally {
	t.Helper()
	out := map[string]tally{}
	for name := range e.id {
		out[name] = tally{}
	}
	for r := 1; r <= n; r++ {
		round := e.s.anonymous().get(e.round(r)).want(t, http.StatusOK)
		for i := range round.list("pairings") {
			white, black := e.name[round.text("pairings", i, "seats", 0)], e.name[round.text("pairings", i, "seats", 1)]
			w, b := out[white], out[black]
			switch bye, result := round.text("pairings", i, "bye"), round.text("pairings", i, "result"); bye + result {
			case "PAB":
				w.points, w.win = w.points+2, w.win+1
			case "HPB":
				w.points++
			case "ZPB":
			case "1-0":
				w.points, w.win, w.won, b.black = w.points+2, w.win+1, w.won+1, b.black+1
			case "0-1":
				b.points, b.win, b.won, b.black = b.points+2, b.win+1, b.won+1, b.black+1
			case "1/2-1/2":
				w.points, b.points, b.black = w.points+1, b.points+1, b.black+1
			case "+--":
				w.points, w.win = w.points+2, w.win+1
			default:
				t.Fatalf("round %d board %d ended %q", r, i+1, bye+result)
			}
			out[white] = w
			if black != "" {
				out[black] = b
			}
		}
	}
	return out
}

// half writes doubled points as tables do.
func half(doubled int) string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%d", doubled/2, doubled%2*5), ".0")
}

// checkStandings holds the table after a round to what was counted, row by row and in order.
func (e *swissEvent) checkStandings(t *testing.T, n int) {
	t.Helper()
	counted := e.count(t, n)
	table := e.s.anonymous().get(fmt.Sprintf("%s/standings?round=%d", e.path, n)).want(t, http.StatusOK)
	if got := fmt.Sprint(table.at("columns")); got != "[WIN WON BPG]" || len(table.list("rows")) != len(counted) {
		t.Fatalf("after round %d: %s", n, table.raw)
	}
	var before tally
	for i := range table.list("rows") {
		name := table.text("rows", i, "entry", "name")
		c := counted[name]
		got := fmt.Sprint(table.text("rows", i, "points"), table.at("rows", i, "tie_breaks"))
		if want := fmt.Sprintf("%s[%d %d %d]", half(c.points), c.win, c.won, c.black); got != want {
			t.Errorf("after round %d %s has %s, want %s", n, name, got, want)
		}
		if i > 0 && slices.Compare([]int{c.points, c.win, c.won, c.black},
			[]int{before.points, before.win, before.won, before.black}) > 0 {
			t.Errorf("after round %d %s stands too low: %s", n, name, table.raw)
		}
		before = c
	}
}

// playRound enters a result at every board that has none: the stronger wins, but for every third board, which is drawn.
func (e *swissEvent) playRound(t *testing.T, n int) {
	t.Helper()
	round := e.s.anonymous().get(e.round(n)).want(t, http.StatusOK)
	for i := range round.list("pairings") {
		if round.at("pairings", i, "result") != nil || round.at("pairings", i, "bye") != nil {
			continue
		}
		white, black := e.name[round.text("pairings", i, "seats", 0)], e.name[round.text("pairings", i, "seats", 1)]
		result := "1-0"
		switch {
		case i%3 == 2:
			result = "1/2-1/2"
		case black < white:
			result = "0-1"
		}
		e.set(t, n, i+1, result)
	}
	e.checkStandings(t, n)
}

// TestASwissToTheEnd runs a tournament in which everything happens that happens in clubs, and recounts every table.
func TestASwissToTheEnd(t *testing.T) {
	e := newEvent(t, 5, strings.Split("ABCDEFGHIJ", "")...)
	e.olga.send(http.MethodPut, e.entry("J")+"/byes", `{"items":[{"round":1,"bye":"HPB"}]}`, anyVersion).
		want(t, http.StatusOK)
	e.olga.post(e.path+"/start", nil).want(t, http.StatusOK)
	e.roundsWithByes(t)
	e.roundChangedByHand(t)
	e.roundAfterACorrection(t)
	e.pair(t)
	e.playRound(t, 5)
	e.olga.post(e.path+"/rounds", nil).refused(t, http.StatusConflict, "wrong-state")
	e.olga.post(e.path+"/finish", nil).want(t, http.StatusOK).has(t, `"finished"`, "lot_seed")
	e.checkMeetings(t, 5)

	table := e.s.anonymous().get(e.path+"/standings").want(t, http.StatusOK)
	var final []string
	for i := range table.list("rows") {
		final = append(final, table.text("rows", i, "entry", "name")+" "+table.text("rows", i, "points"))
	}
	if got, want := strings.Join(final, ", "),
		"D 5, A 3.5, F 3, B 2.5, E 2.5, G 2.5, C 2.5, I 2, H 2, J 2, K 1"; got != want {
		t.Errorf("in the end\n%s, want\n%s", got, want)
	}
	if faults, err := e.s.db.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the database: %v, %v", faults, err)
	}
}

// roundsWithByes plays the first two rounds.
func (e *swissEvent) roundsWithByes(t *testing.T) {
	t.Helper()
	// Round 1: one is free on request, one has the bye.
	if got := e.boards(e.pair(t)); got != "A-E F-B C-G H-D I:PAB J:HPB" {
		t.Fatalf("round 1: %s", got)
	}
	e.playRound(t, 1)

	// Round 2: a late entry, in its place in the list; one player does not come to the board.
	e.enter(t, "K", 1955)
	if late := e.olga.get(e.entry("K")).want(t, http.StatusOK); late.number("number") != 6 || e.olga.get(e.entry("F")).
		number("number") != 7 {
		t.Errorf("the late entry has number %v", late.at("number"))
	}
	e.pair(t)
	e.set(t, 2, 1, "+--")
	e.playRound(t, 2)
}

// roundChangedByHand plays the third round.
func (e *swissEvent) roundChangedByHand(t *testing.T) {
	t.Helper()
	// Round 3: one withdraws; the round is drawn up, changed by hand, and published.
	e.olga.post(e.entry("C")+"/withdraw", nil).want(t, http.StatusOK)
	drawn := e.draw(t)
	if got := e.boards(drawn); !strings.Contains(got, "C:ZPB") {
		t.Errorf("round 3: %s; C has withdrawn", got)
	}
	last, before := e.name[drawn.text("pairings", 3, "seats", 1)], e.name[drawn.text("pairings", 2, "seats", 1)]
	exchange := e.edits(false, swap(last, before))
	e.olga.send(http.MethodPatch, e.round(3), exchange, drawn.etag()).want(t, http.StatusOK)
	published := e.olga.post(e.round(3)+"/publish", nil).want(t, http.StatusOK)
	if e.name[published.text("pairings", 3, "seats", 1)] != before ||
		e.name[published.text("pairings", 2, "seats", 1)] != last {
		t.Errorf("round 3 was drawn up as %s and published as %s", e.boards(drawn), e.boards(published))
	}

	// A result is entered at the wrong board, and taken back.
	e.set(t, 3, 2, "0-1")
	act := e.olga.get(e.path+"/history").want(t, http.StatusOK).number("undoable")
	e.olga.post(e.path+"/undo", map[string]any{"act": act}).want(t, http.StatusOK)
	if open := e.s.anonymous().get(e.board(3, 2)).want(t, http.StatusOK); open.at("result") != nil ||
		len(open.list("history")) != 2 {
		t.Errorf("taken back: %s", open.raw)
	}
	e.playRound(t, 3)
}

// roundAfterACorrection plays the fourth round.
func (e *swissEvent) roundAfterACorrection(t *testing.T) {
	t.Helper()
	// Round 4: the withdrawn player is back. A result of round 3 turns out to be wrong.
	e.olga.post(e.entry("C")+"/reinstate", nil).want(t, http.StatusOK)
	fourth := e.boards(e.pair(t))
	if !strings.Contains(fourth, "C-") && !strings.Contains(fourth, "-C") {
		t.Errorf("round 4: %s; C is back", fourth)
	}
	third := e.boards(e.olga.get(e.round(3)))
	was := e.s.anonymous().get(e.board(3, 1)).text("result")
	now := map[string]string{"1-0": "0-1", "0-1": "1-0"}[was]
	corrected := e.olga.send(http.MethodPut, e.board(3, 1),
		map[string]any{"result": now, "reason": "written down wrongly"}, anyVersion).
		want(t, http.StatusOK)
	if fmt.Sprint(corrected.at("repairable")) != "[4]" {
		t.Errorf("nothing was played in round 4: %s", corrected.raw)
	}
	if e.boards(e.olga.get(e.round(3))) != third || e.boards(e.olga.get(e.round(4))) != fourth {
		t.Error("the correction changed pairings")
	}
	e.checkStandings(t, 3)
	e.olga.send(http.MethodDelete, e.round(4), nil, e.olga.get(e.round(4)).etag()).want(t, http.StatusNoContent)
	anew := e.boards(e.pair(t))
	if anew == fourth {
		t.Errorf("paired anew from other scores, round 4 is %s again", anew)
	}
	e.playRound(t, 4)
	if late := e.olga.send(http.MethodPut, e.board(3, 2), `{"result":"1/2-1/2"}`, anyVersion).
		want(t, http.StatusOK); late.at("repairable") != nil {
		t.Errorf("round 4 has been played: %s", late.raw)
	}
	e.checkStandings(t, 4)
}

// checkMeetings looks for games that were played twice, and for second byes.
func (e *swissEvent) checkMeetings(t *testing.T, rounds int) {
	t.Helper()
	seen := map[string]int{}
	for n := 1; n <= rounds; n++ {
		round := e.s.anonymous().get(e.round(n)).want(t, http.StatusOK)
		for i := range round.list("pairings") {
			names := []string{e.name[round.text("pairings", i, "seats", 0)], e.name[round.text("pairings", i, "seats", 1)]}
			slices.Sort(names)
			key := strings.Join(names, "")
			if round.at("pairings", i, "forfeit") == true || round.text("pairings", i, "bye") == "HPB" ||
				round.text("pairings", i, "bye") == "ZPB" {
				continue
			}
			if seen[key] > 0 {
				t.Errorf("%s in rounds %d and %d", key, seen[key], n)
			}
			seen[key] = n
		}
	}
}
