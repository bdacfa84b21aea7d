package analysis_test

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

	"quatuor/api/apitest"
	"quatuor/api/pages/analysis"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

func TestMain(m *testing.M) { apitest.Main(m) }

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
func follow(f *apitest.Fixture, address, as string) (page, at string) {
	f.T.Helper()
	answer := f.Get(address, as)
	if answer.Status == http.StatusSeeOther {
		address = answer.Header.Get("Location")
		answer = f.Get(address, as)
	}
	return string(answer.Want(f.T, http.StatusOK).Raw), address
}

// TestMovesAreTriedThroughForms tries moves in every variant with the forms of the page alone, and goes back in the
// line.
func TestMovesAreTriedThroughForms(t *testing.T) {
	f := apitest.NewFurnished(t)
	games, _ := f.Rooms()
	for i, choice := range analysis.New(f.Pages.Kit, games).AnalysisChoices() {
		if testing.Short() && i%3 != 0 {
			continue
		}
		address := choice.Address()
		page, _ := follow(f, address, "")
		for made := range 24 {
			forms, moves := tries(page)
			if len(forms) == 0 {
				break
			}
			i := made % len(forms)
			forms[i].Set("move", moves[i][(made*7+3)%len(moves[i])])
			if page, address = follow(f, "/analysis?"+forms[i].Encode(), ""); len(lineMoves.FindAllString(page, -1)) != made+1 {
				t.Fatalf(
					"%s: %d moves in the line after %d\n%s", choice.Variant, len(lineMoves.FindAllString(page, -1)), made+1, address,
				)
			}
			apitest.WellFormed(t, page)
		}
		back, _ := follow(f, address+"&ply=3", "")
		if len(lineMoves.FindAllString(back, -1)) < 10 || strings.Count(back, `aria-current="step"`) != 1 {
			t.Errorf("%s: the line is gone at an earlier move", choice.Variant)
		}
		forms, moves := tries(back)
		forms[0].Set("move", moves[0][0])
		if page, _ = follow(f, "/analysis?"+forms[0].Encode(), ""); len(lineMoves.FindAllString(page, -1)) < 4 {
			t.Errorf("%s: no other line from an earlier move", choice.Variant)
		}
	}
}

// TestGamesAreAnalysed: every position of a game leads to the same position on the analysis board, with all moves.
func TestGamesAreAnalysed(t *testing.T) {
	f := apitest.NewFixture(t)
	for _, rules := range catalog.All() {
		info := rules.Info()
		id := apitest.NameOf(info.ID)
		f.Open(table.NewGame{
			ID: id, Variant: info.ID, Players: f.Some(0, slices.Max(info.Seats)), Options: map[string]string{"repetition": "0"},
		})
		if info.ID == "quivive/melee" {
			f.Play(id, 46)
			f.Act(id, 2, f.Tables.Resign)
		}
		s := f.Ended(id)
		for _, ply := range []int{0, 1, s.Game.Plies / 2, s.Game.Plies - 1} {
			game := apitest.BoardWords.FindString(f.Page(fmt.Sprintf("/games/%s?ply=%d", id, ply), ""))
			page, address := follow(f, fmt.Sprintf("/games/%s/analysis?ply=%d", id, ply), "")
			if apitest.BoardWords.FindString(page) != game {
				t.Errorf("%s ply %d: %s shows\n%s\nthe game\n%s", id, ply, address, apitest.BoardWords.FindString(page), game)
			}
		}
		if page, _ := follow(f, "/games/"+id+"/analysis", ""); !strings.Contains(page, `class="outcome"`) ||
			strings.Contains(page, `form class="move try"`) {
			t.Errorf("%s: the end is not shown as an end", id)
		}
	}
}

// TestAnalysisShowsNoMoreThanTheGame: secrets, delays, and the visitor's own game against the clock.
func TestAnalysisShowsNoMoreThanTheGame(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "sealed", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	f.Play("sealed", 5)
	f.Open(table.NewGame{ID: "broken", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	f.Play("broken", 5)
	f.Abort("broken")
	f.Open(table.NewGame{ID: "blitz", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	f.Play("blitz", 5)
	f.Open(table.NewGame{ID: "days", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"3days"}})
	f.Play("days", 5)
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
		f.Get("/games/"+c.game+"/analysis", c.as).Want(t, c.want)
		page := string(f.Get("/games/"+c.game, c.as).Raw)
		if offered := strings.Contains(page, `data-steps="analyse"`); offered != (c.want == 303) {
			t.Errorf("%s as %q: offered %v", c.game, c.as, offered)
		}
	}
	f.Act("blitz", 1, f.Tables.Resign)
	f.Get("/games/blitz/analysis", "p1").Want(t, http.StatusSeeOther)
	f.Open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Moves: 1}})
	f.Move(f.Move(f.Game("late"), 1, "c1-c5"), 2, "a1-e1")
	if to := f.Get("/games/late/analysis", "").Header.Get("Location"); !strings.Contains(to, "moves=c1-c5&") {
		t.Errorf("a spectator behind the game is led to %s", to)
	}
	f.Get("/games/late/analysis?ply=2", "").Want(t, http.StatusNotFound)
}

// TestHostileAnalyses: an address that no link leads to gets an error message, or none.
func TestHostileAnalyses(t *testing.T) {
	f := apitest.NewFurnished(t)
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
		f.Get("/analysis?"+query, "").Alert(t, want.code, want.says).Lacks(t, "../../me\"", "<script>")
	}
	if size := len(f.Get("/analysis?variant=quixo/duel&moves="+long, "").Raw); size > 40_000 {
		t.Errorf("the refusal of a long line has %d bytes", size)
	}
}

// TestDealsOfAnAnalysisAreNoGames: a deal is made of the time or of the deal before, and is fixed by its address.
func TestDealsOfAnAnalysisAreNoGames(t *testing.T) {
	f := apitest.NewFixture(t)
	first, address := follow(f, "/analysis?variant=quiwin/duel", "")
	if again, _ := follow(f, address, ""); apitest.BoardWords.FindString(again) != apitest.BoardWords.FindString(first) {
		t.Error("the same address shows another deal")
	}
	f.Pass(time.Second)
	other, _ := follow(f, "/analysis?variant=quiwin/duel", "")
	if apitest.BoardWords.FindString(other) == apitest.BoardWords.FindString(first) {
		t.Error("every deal is the same")
	}
}
