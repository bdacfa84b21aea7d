package api_test

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

	"quatuor/api/pages/analysis"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

var (
	tryForm     = regexp.MustCompile(`(?s)<form class="move try".*?</form>`)
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	tryOption   = regexp.MustCompile(`<option value="([^"]+)">`)
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
func (f *fixture) follow(address, as string) (page, at string) {
	f.t.Helper()
	answer := f.get(address, as)
	if answer.status == http.StatusSeeOther {
		address = answer.header.Get("Location")
		answer = f.get(address, as)
	}
	return string(answer.want(f.t, http.StatusOK).raw), address
}

// testMovesAreTriedThroughForms tries moves in every variant with the forms of the page alone, and goes back in the
// line.
func testMovesAreTriedThroughForms(t *testing.T, f *fixture) {
	games, _ := f.rooms()
	for i, choice := range analysis.New(f.pages.Kit, games).AnalysisChoices() {
		if testing.Short() && i%3 != 0 {
			continue
		}
		address := choice.Address()
		page, _ := f.follow(address, "")
		for made := range 24 {
			forms, moves := tries(page)
			if len(forms) == 0 {
				break
			}
			i := made % len(forms)
			forms[i].Set("move", moves[i][(made*7+3)%len(moves[i])])
			if page, address = f.follow("/analysis?"+forms[i].Encode(), ""); len(lineMoves.FindAllString(page, -1)) != made+1 {
				t.Fatalf(
					"%s: %d moves in the line after %d\n%s", choice.Variant, len(lineMoves.FindAllString(page, -1)), made+1, address,
				)
			}
			wellFormed(t, page)
		}
		back, _ := f.follow(address+"&ply=3", "")
		if len(lineMoves.FindAllString(back, -1)) < 10 || strings.Count(back, `aria-current="step"`) != 1 {
			t.Errorf("%s: the line is gone at an earlier move", choice.Variant)
		}
		forms, moves := tries(back)
		forms[0].Set("move", moves[0][0])
		if page, _ = f.follow("/analysis?"+forms[0].Encode(), ""); len(lineMoves.FindAllString(page, -1)) < 4 {
			t.Errorf("%s: no other line from an earlier move", choice.Variant)
		}
	}
}

// TestGamesAreAnalysed: every position of a game leads to the same position on the analysis board, with all moves.
func TestGamesAreAnalysed(t *testing.T) {
	f := newFixture(t)
	for _, rules := range catalog.All() {
		info := rules.Info()
		id := nameOf(info.ID)
		f.open(table.NewGame{
			ID: id, Variant: info.ID, Players: f.some(0, slices.Max(info.Seats)), Options: map[string]string{"repetition": "0"},
		})
		if info.ID == "quivive/melee" {
			f.play(id, 46)
			f.act(id, 2, f.tables.Resign)
		}
		s := f.ended(id)
		for _, ply := range []int{0, 1, s.Game.Plies / 2, s.Game.Plies - 1} {
			game := boardWords.FindString(f.page(fmt.Sprintf("/games/%s?ply=%d", id, ply), ""))
			page, address := f.follow(fmt.Sprintf("/games/%s/analysis?ply=%d", id, ply), "")
			if boardWords.FindString(page) != game {
				t.Errorf("%s ply %d: %s shows\n%s\nthe game\n%s", id, ply, address, boardWords.FindString(page), game)
			}
		}
		if page, _ := f.follow("/games/"+id+"/analysis", ""); !strings.Contains(page, `class="outcome"`) ||
			strings.Contains(page, `form class="move try"`) {
			t.Errorf("%s: the end is not shown as an end", id)
		}
	}
}

// TestAnalysisShowsNoMoreThanTheGame: secrets, delays, and one's own game against the clock.
func TestAnalysisShowsNoMoreThanTheGame(t *testing.T) {
	f := newFixture(t)
	f.open(table.NewGame{ID: "sealed", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	f.play("sealed", 5)
	f.open(table.NewGame{ID: "broken", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	f.play("broken", 5)
	f.abort("broken")
	f.open(table.NewGame{ID: "blitz", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	f.play("blitz", 5)
	f.open(table.NewGame{ID: "days", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"3days"}})
	f.play("days", 5)
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
		f.get("/games/"+c.game+"/analysis", c.as).want(t, c.want)
		page := string(f.get("/games/"+c.game, c.as).raw)
		if offered := strings.Contains(page, `data-steps="analyse"`); offered != (c.want == 303) {
			t.Errorf("%s as %q: offered %v", c.game, c.as, offered)
		}
	}
	f.act("blitz", 1, f.tables.Resign)
	f.get("/games/blitz/analysis", "p1").want(t, http.StatusSeeOther)
	f.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Moves: 1}})
	f.move(f.move(f.game("late"), 1, "c1-c5"), 2, "a1-e1")
	if to := f.get("/games/late/analysis", "").header.Get("Location"); !strings.Contains(to, "moves=c1-c5&") {
		t.Errorf("a spectator behind the game is led to %s", to)
	}
	f.get("/games/late/analysis?ply=2", "").want(t, http.StatusNotFound)
}

// testHostileAnalyses: an address that no link leads to gets an error message, or none.
func testHostileAnalyses(t *testing.T, f *fixture) {
	long := strings.Repeat("c1-c5_a1-e1_", 1+analysis.MaxLine/12)
	many := strings.Repeat("x_", analysis.MaxAnalysed+1)
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
		f.get("/analysis?"+query, "").alert(t, want.code, want.says).lacks(t, "../../me\"", "<script>")
	}
	if size := len(f.get("/analysis?variant=quixo/duel&moves="+long, "").raw); size > 40_000 {
		t.Errorf("the refusal of a long line has %d bytes", size)
	}
}

// TestDealsOfAnAnalysisAreNoGames: a deal is made of the time or of the deal before, and stays what its address says.
func TestDealsOfAnAnalysisAreNoGames(t *testing.T) {
	f := newFixture(t)
	first, address := f.follow("/analysis?variant=quiwin/duel", "")
	if again, _ := f.follow(address, ""); boardWords.FindString(again) != boardWords.FindString(first) {
		t.Error("the same address shows another deal")
	}
	f.pass(time.Second)
	other, _ := f.follow("/analysis?variant=quiwin/duel", "")
	if boardWords.FindString(other) == boardWords.FindString(first) {
		t.Error("every deal is the same")
	}
}
