package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// tally counts by hand what a table of standings should show.
type tally struct{ points, win, won, black int } // points doubled

// count goes through a tournament's rounds as the public sees them, and returns every tally after the first n.
func count(t *testing.T, e *apitest.SwissEvent, n int) map[string]tally {
	t.Helper()
	out := map[string]tally{}
	for name := range e.ID {
		out[name] = tally{}
	}
	for r := 1; r <= n; r++ {
		round := e.S.Anonymous().Get(e.Round(r)).Want(t, http.StatusOK)
		for i := range round.List("pairings") {
			white, black := e.Name[round.Text("pairings", i, "seats", 0)], e.Name[round.Text("pairings", i, "seats", 1)]
			w, b := out[white], out[black]
			switch bye, result := round.Text("pairings", i, "bye"), round.Text("pairings", i, "result"); bye + result {
			case "PAB":
				w.points, w.win = w.points+2, w.win+1
			case "HPB":
				w.points++
			case "ZPB":
			case "1-0":
				w.points += 2
				w.win++
				w.won++
				b.black++
			case "0-1":
				b.points += 2
				b.win++
				b.won++
				b.black++
			case "1/2-1/2":
				w.points++
				b.points++
				b.black++
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
func checkStandings(t *testing.T, e *apitest.SwissEvent, n int) {
	t.Helper()
	counted := count(t, e, n)
	table := e.S.Anonymous().Get(fmt.Sprintf("%s/standings?round=%d", e.Path, n)).Want(t, http.StatusOK)
	if got := fmt.Sprint(table.At("columns")); got != "[WIN WON BPG]" || len(table.List("rows")) != len(counted) {
		t.Fatalf("after round %d: %s", n, table.Raw)
	}
	var before tally
	for i := range table.List("rows") {
		name := table.Text("rows", i, "entry", "name")
		c := counted[name]
		got := fmt.Sprint(table.Text("rows", i, "points"), table.At("rows", i, "tie_breaks"))
		if want := fmt.Sprintf("%s[%d %d %d]", half(c.points), c.win, c.won, c.black); got != want {
			t.Errorf("after round %d %s has %s, want %s", n, name, got, want)
		}
		if i > 0 && slices.Compare([]int{c.points, c.win, c.won, c.black},
			[]int{before.points, before.win, before.won, before.black}) > 0 {
			t.Errorf("after round %d %s stands too low: %s", n, name, table.Raw)
		}
		before = c
	}
}

// playRound enters a result at every board that has none: the stronger wins, but for every third board, which is drawn.
func playRound(t *testing.T, e *apitest.SwissEvent, n int) {
	t.Helper()
	round := e.S.Anonymous().Get(e.Round(n)).Want(t, http.StatusOK)
	for i := range round.List("pairings") {
		if round.At("pairings", i, "result") != nil || round.At("pairings", i, "bye") != nil {
			continue
		}
		white, black := e.Name[round.Text("pairings", i, "seats", 0)], e.Name[round.Text("pairings", i, "seats", 1)]
		result := "1-0"
		switch {
		case i%3 == 2:
			result = "1/2-1/2"
		case black < white:
			result = "0-1"
		}
		e.Set(t, n, i+1, result)
	}
	checkStandings(t, e, n)
}

// TestASwissToTheEnd runs a tournament with all the incidents of club evenings, and recounts every table.
func TestASwissToTheEnd(t *testing.T) {
	e := apitest.NewSwiss(t, 5, strings.Split("ABCDEFGHIJ", "")...)
	e.Olga.Send(http.MethodPut, e.Entry("J")+"/byes", `{"items":[{"round":1,"bye":"HPB"}]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	e.Olga.Post(e.Path+"/start", nil).Want(t, http.StatusOK)
	roundsWithByes(t, e)
	roundChangedByHand(t, e)
	roundAfterACorrection(t, e)
	e.Pair(t)
	playRound(t, e, 5)
	e.Olga.Post(e.Path+"/rounds", nil).Refused(t, http.StatusConflict, "wrong-state")
	e.Olga.Post(e.Path+"/finish", nil).Want(t, http.StatusOK).Has(t, `"finished"`, "lot_seed")
	checkMeetings(t, e, 5)

	table := e.S.Anonymous().Get(e.Path+"/standings").Want(t, http.StatusOK)
	var final []string
	for i := range table.List("rows") {
		final = append(final, table.Text("rows", i, "entry", "name")+" "+table.Text("rows", i, "points"))
	}
	if got, want := strings.Join(final, ", "),
		"D 5, A 3.5, F 3, B 2.5, E 2.5, G 2.5, C 2.5, I 2, H 2, J 2, K 1"; got != want {
		t.Errorf("in the end\n%s, want\n%s", got, want)
	}
	if faults, err := e.S.Store.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the database: %v, %v", faults, err)
	}
}

// roundsWithByes plays the first two rounds.
func roundsWithByes(t *testing.T, e *apitest.SwissEvent) {
	t.Helper()
	// Round 1: an entry is free on request, another has the bye.
	if got := boards(e, e.Pair(t)); got != "A-E F-B C-G H-D I:PAB J:HPB" {
		t.Fatalf("round 1: %s", got)
	}
	playRound(t, e, 1)

	// Round 2: a late entry, in its place in the list; a player does not come to the board.
	e.Enter(t, "K", 1955)
	if late := e.Olga.Get(e.Entry("K")).Want(t, http.StatusOK); late.Number("number") != 6 || e.Olga.Get(e.Entry("F")).
		Number("number") != 7 {
		t.Errorf("the late entry has number %v", late.At("number"))
	}
	e.Pair(t)
	e.Set(t, 2, 1, "+--")
	playRound(t, e, 2)
}

// roundChangedByHand plays the third round.
func roundChangedByHand(t *testing.T, e *apitest.SwissEvent) {
	t.Helper()
	// Round 3: an entry withdraws; the round is drawn up, changed by hand, and published.
	e.Olga.Post(e.Entry("C")+"/withdraw", nil).Want(t, http.StatusOK)
	drawn := e.Draw(t)
	if got := boards(e, drawn); !strings.Contains(got, "C:ZPB") {
		t.Errorf("round 3: %s; C has withdrawn", got)
	}
	last, before := e.Name[drawn.Text("pairings", 3, "seats", 1)], e.Name[drawn.Text("pairings", 2, "seats", 1)]
	exchange := edits(e, false, swap(last, before))
	e.Olga.Send(http.MethodPatch, e.Round(3), exchange, drawn.IfMatch()).Want(t, http.StatusOK)
	published := e.Olga.Post(e.Round(3)+"/publish", nil).Want(t, http.StatusOK)
	if e.Name[published.Text("pairings", 3, "seats", 1)] != before ||
		e.Name[published.Text("pairings", 2, "seats", 1)] != last {
		t.Errorf("round 3 was drawn up as %s and published as %s", boards(e, drawn), boards(e, published))
	}

	// A result is entered at the wrong board, and taken back.
	e.Set(t, 3, 2, "0-1")
	act := e.Olga.Get(e.Path+"/history").Want(t, http.StatusOK).Number("undoable")
	e.Olga.Post(e.Path+"/undo", map[string]any{"act": act}).Want(t, http.StatusOK)
	if open := e.S.Anonymous().Get(e.Board(3, 2)).Want(t, http.StatusOK); open.At("result") != nil ||
		len(open.List("history")) != 2 {
		t.Errorf("taken back: %s", open.Raw)
	}
	playRound(t, e, 3)
}

// roundAfterACorrection plays the fourth round.
func roundAfterACorrection(t *testing.T, e *apitest.SwissEvent) {
	t.Helper()
	// Round 4: the withdrawn player is back. A result of round 3 turns out to be wrong.
	e.Olga.Post(e.Entry("C")+"/reinstate", nil).Want(t, http.StatusOK)
	fourth := boards(e, e.Pair(t))
	if !strings.Contains(fourth, "C-") && !strings.Contains(fourth, "-C") {
		t.Errorf("round 4: %s; C is back", fourth)
	}
	third := boards(e, e.Olga.Get(e.Round(3)))
	was := e.S.Anonymous().Get(e.Board(3, 1)).Text("result")
	now := map[string]string{"1-0": "0-1", "0-1": "1-0"}[was]
	corrected := e.Olga.Send(http.MethodPut, e.Board(3, 1),
		map[string]any{"result": now, "reason": "written down wrongly"}, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if fmt.Sprint(corrected.At("repairable")) != "[4]" {
		t.Errorf("nothing was played in round 4: %s", corrected.Raw)
	}
	if boards(e, e.Olga.Get(e.Round(3))) != third || boards(e, e.Olga.Get(e.Round(4))) != fourth {
		t.Error("the correction changed pairings")
	}
	checkStandings(t, e, 3)
	e.Olga.Send(http.MethodDelete, e.Round(4), nil, e.Olga.Get(e.Round(4)).IfMatch()).Want(t, http.StatusNoContent)
	anew := boards(e, e.Pair(t))
	if anew == fourth {
		t.Errorf("paired anew from other scores, round 4 is %s again", anew)
	}
	playRound(t, e, 4)
	if late := e.Olga.Send(http.MethodPut, e.Board(3, 2), `{"result":"1/2-1/2"}`, apitest.AnyVersion).
		Want(t, http.StatusOK); late.At("repairable") != nil {
		t.Errorf("round 4 has been played: %s", late.Raw)
	}
	checkStandings(t, e, 4)
}

// checkMeetings looks for games that were played twice, and for second byes.
func checkMeetings(t *testing.T, e *apitest.SwissEvent, rounds int) {
	t.Helper()
	seen := map[string]int{}
	for n := 1; n <= rounds; n++ {
		round := e.S.Anonymous().Get(e.Round(n)).Want(t, http.StatusOK)
		for i := range round.List("pairings") {
			names := []string{e.Name[round.Text("pairings", i, "seats", 0)], e.Name[round.Text("pairings", i, "seats", 1)]}
			slices.Sort(names)
			key := strings.Join(names, "")
			if round.At("pairings", i, "forfeit") == true || round.Text("pairings", i, "bye") == "HPB" ||
				round.Text("pairings", i, "bye") == "ZPB" {
				continue
			}
			if seen[key] > 0 {
				t.Errorf("%s in rounds %d and %d", key, seen[key], n)
			}
			seen[key] = n
		}
	}
}
