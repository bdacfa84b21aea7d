package api_test

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

var (
	moveForm   = regexp.MustCompile(`(?s)<form class="move".*?</form>`)
	hiddenSeat = regexp.MustCompile(`name="seat" value="(\d+)"`)
	hiddenTurn = regexp.MustCompile(`name="turn" value="(\d+)"`)
	moveOption = regexp.MustCompile(`<option(?: value="([^"]+)")?>([^<]+)</option>`)
)

// formOf reads the first form for a move on a game's page; nil if there is none.
func formOf(page string) (form url.Values, moves []string) {
	text := moveForm.FindString(page)
	if text == "" {
		return nil, nil
	}
	for _, m := range moveOption.FindAllStringSubmatch(text, -1) {
		moves = append(moves, html.UnescapeString(cmp.Or(m[1], m[2])))
	}
	return url.Values{
		"seat": {hiddenSeat.FindStringSubmatch(text)[1]}, "turn": {hiddenTurn.FindStringSubmatch(text)[1]},
	}, moves
}

// TestGamesArePlayedThroughForms plays a game of every variant to its end by the forms of its page alone, or as far as
// 120 moves, and steps through it.
func TestGamesArePlayedThroughForms(t *testing.T) {
	f, most := newFixture(t), amount(9, 24, 120)
	for _, rules := range catalog.All() {
		info := rules.Info()
		t.Run(info.ID, func(t *testing.T) {
			players := f.some(0, slices.Max(info.Seats))
			id := nameOf(info.ID)
			f.open(table.NewGame{ID: id, Variant: info.ID, Players: players, Seats: len(players)})
			played := 0
			for progress := true; progress && played < most; {
				progress = false
				for _, player := range players {
					form, moves := formOf(f.page("/games/"+id, player))
					if form == nil {
						continue
					}
					form.Set("move", moves[(played*7+3)%len(moves)])
					f.post("/games/"+id+"/move", player, form).want(t, http.StatusSeeOther)
					if again := f.post("/games/"+id+"/move", player, form); again.status != http.StatusSeeOther &&
						!strings.Contains(string(again.raw), "role=\"alert\"") {
						t.Fatalf("the same form once more: %d", again.status)
					}
					played++
					progress = true
				}
			}
			plies := f.game(id).Game.Plies
			if plies < 8 || plies < played {
				t.Errorf("%d forms were taken, but %d plies made", played, plies)
			}
			at := "/games/" + id + "?ply="
			for _, ply := range []int{0, 1, plies / 2, plies} {
				f.get(at+strconv.Itoa(ply), "").want(t, http.StatusOK).
					has(t, "After move "+strconv.Itoa(ply)+" of ").lacks(t, `class="move"`)
			}
			f.get(at+strconv.Itoa(plies+1), "").want(t, http.StatusNotFound)
		})
	}
}

func TestWhoMovesOnAPage(t *testing.T) {
	f := newFixture(t)
	f.open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Takebacks: true})
	for player, moves := range map[string]bool{"p1": true, "p2": false, "p3": false, "": false} {
		page := f.page("/games/g", player)
		if form, _ := formOf(page); (form != nil) != moves {
			t.Errorf("%q: a form is there: %v", player, form != nil)
		}
		if resigns := strings.Contains(page, `value="resign"`); resigns != (player == "p1" || player == "p2") {
			t.Errorf("%q: can resign: %v", player, resigns)
		}
	}
	good := url.Values{"seat": {"1"}, "turn": {"1"}, "move": {"c1-c5"}}
	with := func(name, value string) url.Values {
		form := url.Values{"seat": {"1"}, "turn": {"1"}, "move": {"c1-c5"}}
		form.Set(name, value)
		return form
	}
	for name, test := range map[string]struct {
		as     string
		form   url.Values
		status int
		says   string
	}{
		"a stranger":        {"p3", good, http.StatusForbidden, ""},
		"the other seat":    {"p2", good, http.StatusForbidden, ""},
		"no seat of anyone": {"p1", with("seat", "9"), http.StatusForbidden, ""},
		"not on turn":       {"p2", with("seat", "2"), http.StatusConflict, "role=\"alert\""},
		"an illegal move":   {"p1", with("move", "c3-c5"), http.StatusConflict, "The move was not played"},
		"no move":           {"p1", with("move", "<b>"), http.StatusConflict, "&lt;b&gt;"},
		"a later turn":      {"p1", with("turn", "7"), http.StatusConflict, "gone on meanwhile"},
		"no turn":           {"p1", with("turn", "x"), http.StatusBadRequest, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f.post("/games/g/move", test.as, test.form).want(t, test.status).has(t, test.says)
		})
	}
	f.post("/games/g/move", "", good).to(t, "/login?next=%2Fgames%2Fg")
	if plies := f.game("g").Game.Plies; plies != 0 {
		t.Errorf("%d plies were made", plies)
	}
}

// TestDrawsTakebacksAndResignationsOnAPage goes through the other forms, each of which asks once more.
func TestDrawsTakebacksAndResignationsOnAPage(t *testing.T) {
	f := newFixture(t)
	f.open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Takebacks: true})
	f.play("g", 2)
	for _, step := range []struct {
		as, path string
		form     url.Values
		shows    string // on the page of the other
	}{
		{"p1", "draw", nil, `value="accept">Accept the draw`},
		{"p2", "draw", url.Values{"answer": {"decline"}}, `value="offer"`},
		{"p2", "back", nil, "Agree to take the move back"},
		{"p1", "back", url.Values{"answer": {"accept"}}, `class="move"`},
		{"p2", "resign", nil, "Offer a rematch"},
		{"p1", "rematch", nil, "/games/" + table.RematchOf("g")},
	} {
		f.post("/games/g/"+step.path, step.as, step.form).want(t, http.StatusSeeOther)
		other := map[string]string{"p1": "p2", "p2": "p1"}[step.as]
		f.get("/games/g", other).want(t, http.StatusOK).has(t, step.shows)
	}
	f.post("/games/g/resign", "p1", nil).want(t, http.StatusConflict)
	f.open(table.NewGame{ID: "h", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	f.get("/games/h?ask=resign", "p1").want(t, http.StatusOK).has(t, "Confirm</button>")
	f.get("/games/h?ask=resign", "p3").want(t, http.StatusOK).lacks(t, "Confirm</button>")
}
