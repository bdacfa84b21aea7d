package moves_test

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

	"quatuor/api/apitest"
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
	f, most := apitest.NewFixture(t), apitest.Amount(9, 24, 120)
	for _, rules := range catalog.All() {
		info := rules.Info()
		t.Run(info.ID, func(t *testing.T) {
			players := f.Some(0, slices.Max(info.Seats))
			id := apitest.NameOf(info.ID)
			f.Open(table.NewGame{ID: id, Variant: info.ID, Players: players, Seats: len(players)})
			played := 0
			for progress := true; progress && played < most; {
				progress = false
				for _, player := range players {
					form, moves := formOf(f.Page("/games/"+id, player))
					if form == nil {
						continue
					}
					form.Set("move", moves[(played*7+3)%len(moves)])
					f.Post("/games/"+id+"/move", player, form).Want(t, http.StatusSeeOther)
					if again := f.Post("/games/"+id+"/move", player, form); again.Status != http.StatusSeeOther &&
						!strings.Contains(string(again.Raw), "role=\"alert\"") {
						t.Fatalf("the same form once more: %d", again.Status)
					}
					played++
					progress = true
				}
			}
			plies := f.Game(id).Game.Plies
			if plies < 8 || plies < played {
				t.Errorf("%d forms were taken, but %d plies made", played, plies)
			}
			at := "/games/" + id + "?ply="
			for _, ply := range []int{0, 1, plies / 2, plies} {
				f.Get(at+strconv.Itoa(ply), "").Want(t, http.StatusOK).
					Has(t, "After move "+strconv.Itoa(ply)+" of ").Lacks(t, `class="move"`)
			}
			f.Get(at+strconv.Itoa(plies+1), "").Want(t, http.StatusNotFound)
		})
	}
}

func TestWhoMovesOnAPage(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Takebacks: true})
	for player, moves := range map[string]bool{"p1": true, "p2": false, "p3": false, "": false} {
		page := f.Page("/games/g", player)
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
			f.Post("/games/g/move", test.as, test.form).Want(t, test.status).Has(t, test.says)
		})
	}
	f.Post("/games/g/move", "", good).RedirectsTo(t, "/login?next=%2Fgames%2Fg")
	if plies := f.Game("g").Game.Plies; plies != 0 {
		t.Errorf("%d plies were made", plies)
	}
}

// TestDrawsTakebacksAndResignationsOnAPage goes through the other forms, each with its confirmation.
func TestDrawsTakebacksAndResignationsOnAPage(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Takebacks: true})
	f.Play("g", 2)
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
		f.Post("/games/g/"+step.path, step.as, step.form).Want(t, http.StatusSeeOther)
		other := map[string]string{"p1": "p2", "p2": "p1"}[step.as]
		f.Get("/games/g", other).Want(t, http.StatusOK).Has(t, step.shows)
	}
	f.Post("/games/g/resign", "p1", nil).Want(t, http.StatusConflict)
	f.Open(table.NewGame{ID: "h", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	f.Get("/games/h?ask=resign", "p1").Want(t, http.StatusOK).Has(t, "Confirm</button>")
	f.Get("/games/h?ask=resign", "p3").Want(t, http.StatusOK).Lacks(t, "Confirm</button>")
}
