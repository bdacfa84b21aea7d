package pages

import (
	"cmp"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// post sends a form as an account.
func (w *town) post(path, as string, form url.Values) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-As", as)
	answer := httptest.NewRecorder()
	w.echo.ServeHTTP(answer, r)
	return answer
}

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
	w, most := newTown(t), 120
	if testing.Short() {
		most = 24
	}
	for _, rules := range catalog.All() {
		info := rules.Info()
		t.Run(info.ID, func(t *testing.T) {
			players := w.some(0, slices.Max(info.Seats))
			id := nameOf(info.ID)
			w.open(table.NewGame{ID: id, Variant: info.ID, Players: players, Seats: len(players)})
			played := 0
			for progress := true; progress && played < most; {
				progress = false
				for _, player := range players {
					form, moves := formOf(w.page("/games/"+id, player))
					if form == nil {
						continue
					}
					form.Set("move", moves[(played*7+3)%len(moves)])
					if answer := w.post("/games/"+id+"/move", player, form); answer.Code != http.StatusSeeOther {
						t.Fatalf("move %d, %v: %d\n%s", played+1, form, answer.Code, answer.Body)
					}
					if again := w.post("/games/"+id+"/move", player, form); again.Code != http.StatusSeeOther &&
						!strings.Contains(again.Body.String(), "role=\"alert\"") {
						t.Fatalf("the same form once more: %d", again.Code)
					}
					played++
					progress = true
				}
			}
			s, err := w.Snapshot(t.Context(), id)
			if err != nil || s.Game.Plies < 8 {
				t.Fatalf("%d plies, %v", s.Game.Plies, err)
			}
			if s.Game.Plies < played {
				t.Errorf("%d forms were taken, but %d plies made", played, s.Game.Plies)
			}
			for _, ply := range []int{0, 1, s.Game.Plies / 2, s.Game.Plies} {
				page := w.page("/games/"+id+"?ply="+strconv.Itoa(ply), "")
				if !strings.Contains(page, "After move "+strconv.Itoa(ply)+" of ") || strings.Contains(page, `class="move"`) {
					t.Errorf("ply %d is not shown", ply)
				}
			}
			if answer := w.get("/games/"+id+"?ply="+strconv.Itoa(s.Game.Plies+1), ""); answer.Code != http.StatusNotFound {
				t.Errorf("a ply that is not there: %d", answer.Code)
			}
		})
	}
}

func TestWhoMovesOnAPage(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Takebacks: true})
	for player, moves := range map[string]bool{"p1": true, "p2": false, "p3": false, "": false} {
		page := w.page("/games/g", player)
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
		answer := w.post("/games/g/move", test.as, test.form)
		if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.says) {
			t.Errorf("%s: %d, want %d with %q\n%s", name, answer.Code, test.status, test.says, answer.Body)
		}
	}
	if answer := w.post("/games/g/move", "", good); answer.Header().Get("Location") != "/login?next=%2Fgames%2Fg" {
		t.Errorf("without a login: %d to %s", answer.Code, answer.Header().Get("Location"))
	}
	if s, err := w.Snapshot(t.Context(), "g"); err != nil || s.Game.Plies != 0 {
		t.Errorf("%d plies were made, %v", s.Game.Plies, err)
	}
}

// TestDrawsTakebacksAndResignationsOnAPage goes through the other forms, each of which asks once more.
func TestDrawsTakebacksAndResignationsOnAPage(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Takebacks: true})
	w.play("g", 2)
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
		if answer := w.post("/games/g/"+step.path, step.as, step.form); answer.Code != http.StatusSeeOther {
			t.Fatalf("%s by %s: %d\n%s", step.path, step.as, answer.Code, answer.Body)
		}
		other := map[string]string{"p1": "p2", "p2": "p1"}[step.as]
		if page := w.page("/games/g", other); !strings.Contains(page, step.shows) {
			t.Errorf("after %s by %s the page of %s lacks %q", step.path, step.as, other, step.shows)
		}
	}
	if answer := w.post("/games/g/resign", "p1", nil); answer.Code != http.StatusConflict {
		t.Errorf("a game that is over is resigned: %d", answer.Code)
	}
	w.open(table.NewGame{ID: "h", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	if page := w.page("/games/h?ask=resign", "p1"); !strings.Contains(page, "Confirm</button>") {
		t.Error("resigning is not asked once more")
	}
	if page := w.page("/games/h?ask=resign", "p3"); strings.Contains(page, "Confirm</button>") {
		t.Error("a stranger is asked whether to resign")
	}
}
