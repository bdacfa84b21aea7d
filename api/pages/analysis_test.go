package pages

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/pages/play"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

var (
	tryForm     = regexp.MustCompile(`(?s)<form class="move try".*?</form>`)
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	tryOption   = regexp.MustCompile(`<option value="([^"]+)">`)
	alertWords  = regexp.MustCompile(`(?s)role="alert">(.*?)</p>`)
	lineMoves   = regexp.MustCompile(`<button name="ply"`)
)

// tries reads the forms of the analysis board: the address that each leads to but for its move, and the moves.
func tries(page string) (forms []url.Values, moves [][]string) {
	for _, text := range tryForm.FindAllString(page, -1) {
		form := url.Values{}
		for _, f := range hiddenField.FindAllStringSubmatch(text, -1) {
			form.Set(html.UnescapeString(f[1]), html.UnescapeString(f[2]))
		}
		var list []string
		for _, o := range tryOption.FindAllStringSubmatch(text, -1) {
			list = append(list, html.UnescapeString(o[1]))
		}
		forms, moves = append(forms, form), append(moves, list)
	}
	return forms, moves
}

// follow requests an analysis, and follows its redirect.
func (w *town) follow(address, as string) (page, at string) {
	w.t.Helper()
	answer := w.get(address, as)
	if answer.Code == http.StatusSeeOther {
		address = answer.Header().Get("Location")
		answer = w.get(address, as)
	}
	if answer.Code != http.StatusOK {
		w.t.Fatalf("%s answers %d: %s", address, answer.Code, alertWords.FindString(answer.Body.String()))
	}
	return answer.Body.String(), address
}

// TestMovesAreTriedThroughForms tries moves in every variant with the forms of the page alone, and goes back in the
// line.
func TestMovesAreTriedThroughForms(t *testing.T) {
	w := newTown(t)
	for i, choice := range w.pages.play.AnalysisChoices() {
		if testing.Short() && i%3 != 0 {
			continue
		}
		address := choice.Address()
		page, _ := w.follow(address, "")
		for made := range 24 {
			forms, moves := tries(page)
			if len(forms) == 0 {
				break
			}
			i := made % len(forms)
			forms[i].Set("move", moves[i][(made*7+3)%len(moves[i])])
			if page, address = w.follow("/analysis?"+forms[i].Encode(), ""); len(lineMoves.FindAllString(page, -1)) != made+1 {
				t.Fatalf(
					"%s: %d moves in the line after %d\n%s", choice.Variant, len(lineMoves.FindAllString(page, -1)), made+1, address,
				)
			}
			wellFormed(t, page)
		}
		back, _ := w.follow(address+"&ply=3", "")
		if len(lineMoves.FindAllString(back, -1)) < 10 || strings.Count(back, `aria-current="step"`) != 1 {
			t.Errorf("%s: the line is gone at an earlier move", choice.Variant)
		}
		forms, moves := tries(back)
		forms[0].Set("move", moves[0][0])
		if page, _ = w.follow("/analysis?"+forms[0].Encode(), ""); len(lineMoves.FindAllString(page, -1)) < 4 {
			t.Errorf("%s: no other line from an earlier move", choice.Variant)
		}
	}
}

// TestGamesAreAnalysed: every position of a game leads to the same position on the analysis board, with all moves.
func TestGamesAreAnalysed(t *testing.T) {
	w := newTown(t)
	for _, rules := range catalog.All() {
		info := rules.Info()
		id := nameOf(info.ID)
		w.open(table.NewGame{
			ID: id, Variant: info.ID, Players: w.some(0, slices.Max(info.Seats)), Options: map[string]string{"repetition": "0"},
		})
		if info.ID == "quivive/melee" {
			w.play(id, 46)
			w.act(id, 2, w.Resign)
		}
		s := w.ended(id)
		for _, ply := range []int{0, 1, s.Game.Plies / 2, s.Game.Plies - 1} {
			game := boardWords.FindString(w.page(fmt.Sprintf("/games/%s?ply=%d", id, ply), ""))
			page, address := w.follow(fmt.Sprintf("/games/%s/analysis?ply=%d", id, ply), "")
			if boardWords.FindString(page) != game {
				t.Errorf("%s ply %d: %s shows\n%s\nthe game\n%s", id, ply, address, boardWords.FindString(page), game)
			}
		}
		if page, _ := w.follow("/games/"+id+"/analysis", ""); !strings.Contains(page, `class="outcome"`) ||
			strings.Contains(page, `form class="move try"`) {
			t.Errorf("%s: the end is not shown as an end", id)
		}
	}
}

// TestAnalysisShowsNoMoreThanTheGame: secrets, delays, and one's own game against the clock.
func TestAnalysisShowsNoMoreThanTheGame(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "sealed", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	w.play("sealed", 5)
	w.open(table.NewGame{ID: "broken", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	w.play("broken", 5)
	if _, err := w.Abort(t.Context(), "broken", "p8", sentence.Typed("wrong players")); err != nil {
		t.Fatal(err)
	}
	w.open(table.NewGame{ID: "blitz", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	w.play("blitz", 5)
	w.open(table.NewGame{ID: "days", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"3days"}})
	w.play("days", 5)
	for _, c := range []struct {
		game, as string
		want     int
	}{
		{"sealed", "", 403},
		{"sealed", "p1", 403},
		{"broken", "", 403},
		{"broken", "p2", 403},
		{"none", "", 404},
		{"blitz", "", 303},
		{"blitz", "p3", 303},
		{"blitz", "p1", 403},
		{"days", "p1", 303},
		{"days", "", 303},
	} {
		answer := w.get("/games/"+c.game+"/analysis", c.as)
		if answer.Code != c.want {
			t.Errorf("%s as %q: %d, want %d", c.game, c.as, answer.Code, c.want)
		}
		page := w.get("/games/"+c.game, c.as).Body.String()
		if offered := strings.Contains(page, `data-steps="analyse"`); offered != (c.want == 303) {
			t.Errorf("%s as %q: offered %v", c.game, c.as, offered)
		}
	}
	w.act("blitz", 1, w.Resign)
	if code := w.get("/games/blitz/analysis", "p1").Code; code != http.StatusSeeOther {
		t.Errorf("one's own game after its end: %d", code)
	}
	w.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Moves: 1}})
	for i, token := range []string{"c1-c5", "a1-e1"} {
		if _, err := w.move("late", engine.Seat(i+1), token); err != nil {
			t.Fatal(err)
		}
	}
	if to := w.get("/games/late/analysis", "").Header().Get("Location"); !strings.Contains(to, "moves=c1-c5&") {
		t.Errorf("a spectator behind the game is led to %s", to)
	}
	if code := w.get("/games/late/analysis?ply=2", "").Code; code != http.StatusNotFound {
		t.Errorf("a move that is not visible yet: %d", code)
	}
}

// TestHostileAnalyses: an address that no link leads to gets an error message, or none.
func TestHostileAnalyses(t *testing.T) {
	w := newTown(t)
	long := strings.Repeat("c1-c5_a1-e1_", 1+play.MaxLine/12)
	many := strings.Repeat("x_", play.MaxAnalysed+1)
	for query, want := range map[string]struct {
		code int
		says string
	}{
		"variant=chess":                                                         {404, ""},
		"variant=quixo/duel&variant=quits/duel":                                 {400, ""},
		"variant=quixo/duel&moves=" + long:                                      {400, "too long"},
		"variant=quixo/duel&moves=" + many:                                      {400, "too long"},
		"variant=quixo/duel&moves=c3-c5":                                        {400, "not played"},
		"variant=quixo/duel&moves=%00":                                          {400, "cannot be read"},
		"variant=quixo/duel&moves=c1-c5&move=c3-c5":                             {400, "not played"},
		"variant=quixo/duel&move=<script>":                                      {400, "&lt;script&gt;"},
		"variant=quixo/duel&seats=99":                                           {400, "2 seats"},
		"variant=quixo/duel&seats=x":                                            {400, "seats"},
		"variant=quixo/duel&repetition=-1":                                      {400, "repetition"},
		"variant=quixo/duel&position=nonsense":                                  {400, "not played"},
		"variant=quiwin/duel&seed=00":                                           {400, "64 hexadecimal"},
		"variant=quiwin/duel&seed=zz&position=x":                                {400, "64 hexadecimal"},
		"variant=quixo/duel&ply=-5":                                             {200, ""},
		"variant=quixo/duel&ply=99999999999999999999":                           {200, ""},
		"variant=quixo/duel&flip=99":                                            {200, ""},
		"variant=quixo/duel&game=../../me":                                      {200, ""},
		"variant=quixo/duel&position=xxxxx/...../...../...../.....+%3D1,2:line": {200, ""},
	} {
		answer := w.get("/analysis?"+query, "")
		page := answer.Body.String()
		if answer.Code != want.code {
			t.Errorf("%.60s: %d, want %d", query, answer.Code, want.code)
			continue
		}
		if want.says != "" && !strings.Contains(alertWords.FindString(page), want.says) {
			t.Errorf("%.60s says %q, not %q", query, alertWords.FindString(page), want.says)
		}
		if strings.Contains(page, "../../me\"") || strings.Contains(page, "<script>") {
			t.Errorf("%.60s stands in the page as it was sent", query)
		}
	}
	if size := w.get("/analysis?variant=quixo/duel&moves="+long, "").Body.Len(); size > 40_000 {
		t.Errorf("the refusal of a long line has %d bytes", size)
	}
}

// TestDealsOfAnAnalysisAreNoGames: a deal is made of the time or of the deal before, and stays what its address says.
func TestDealsOfAnAnalysisAreNoGames(t *testing.T) {
	w := newTown(t)
	first, address := w.follow("/analysis?variant=quiwin/duel", "")
	if again, _ := w.follow(address, ""); boardWords.FindString(again) != boardWords.FindString(first) {
		t.Error("the same address shows another deal")
	}
	w.pass(time.Second)
	other, _ := w.follow("/analysis?variant=quiwin/duel", "")
	if boardWords.FindString(other) == boardWords.FindString(first) {
		t.Error("every deal is the same")
	}
}
