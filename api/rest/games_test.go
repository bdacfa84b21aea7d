package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
)

func TestAGameIsPlayedToItsEndAndRated(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"} {
		t.Run(variant, func(t *testing.T) {
			id := apitest.Duel(t, ada, bob, variant, "300+3").Text("id")
			apitest.PlayToTheEnd(t, id, ada, bob)
			end := s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK)
			if end.Text("status") != "finished" || end.Text("outcome", "reason") == "" || end.Text("position") == "" {
				t.Fatalf("%s", end.Raw)
			}
			if end.Text("outcome", "reason") == "replay" {
				return // void games are not rated
			}
			changes := s.Anonymous().Get("/games/"+id+"/rating-changes").Want(t, http.StatusOK)
			if len(changes.List("items")) != 2 {
				t.Fatalf("%s", changes.Raw)
			}
			list := changes.Text("items", 0, "list")
			s.Anonymous().Get("/ratings/"+list).Want(t, http.StatusOK).Has(t, ada.Player, "Player bob")
			s.Anonymous().Get("/players/"+ada.Player+"/ratings").Want(t, http.StatusOK).Has(t, list)
			history := s.Anonymous().Get("/players/"+ada.Player+"/ratings/"+list+"/history").Want(t, http.StatusOK)
			if len(history.List("items")) == 0 {
				t.Errorf("%s", history.Raw)
			}
		})
	}
	lists := s.Anonymous().Get("/ratings").Want(t, http.StatusOK)
	if len(lists.List("items")) < 3 {
		t.Errorf("%s", lists.Raw)
	}
}

// TestAMoveIsAnsweredWithWhatIsNew lets the client send how much of the log it has, as a number that lies within it, at
// its end, or beyond.
func TestAMoveIsAnsweredWithWhatIsNew(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	apitest.Play(t, id, ada, 1, "a1-a5")
	second := apitest.Move(2, 2, "b1-b5")
	for since, want := range map[int]int{0: 3, 1: 2, 2: 1, 3: 0, 1000: 0} {
		second["since"] = since
		got := bob.Post("/games/"+id+"/moves", second).Want(t, http.StatusOK)
		if n := len(got.List("events")); n != want || got.Number("version") != 3 {
			t.Errorf("since %d: %d events, want %d: %s", since, n, want, got.Raw)
		}
	}
	second["since"] = -1
	bob.Post("/games/"+id+"/moves", second).Want(t, http.StatusBadRequest)
}

func TestWhatIsRefusedOfAMove(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	moves := "/games/" + id + "/moves"
	illegal := ada.Post(moves, apitest.Move(1, 1, "c3-c5")).Refused(t, http.StatusUnprocessableEntity, "illegal-move")
	if len(illegal.List("legal")) != 44 || illegal.Text("detail") == "" {
		t.Errorf("an illegal move comes with the reason and the 44 legal ones: %s", illegal.Raw)
	}
	ada.Post(moves, apitest.Move(1, 1, "nonsense")).Refused(t, http.StatusBadRequest, "bad-notation").Lacks(t, `"legal"`)
	ada.Post(moves, apitest.Move(2, 1, "c1-c5")).Refused(t, http.StatusForbidden, "not-your-seat")
	eve.Post(moves, apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusForbidden, "not-your-seat")
	ada.Post(moves, apitest.Move(8, 1, "c1-c5")).Refused(t, http.StatusForbidden, "not-your-seat")
	bob.Post(moves, apitest.Move(2, 1, "a1-e1")).Refused(t, http.StatusConflict, "not-awaited")
	s.Anonymous().Post(moves, apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusUnauthorized, "unauthorized")
	ada.Post("/games/0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11/moves", apitest.Move(1, 1, "c1-c5")).
		Refused(t, http.StatusNotFound, "not-found")
	ada.TokenFor("read").Post(moves, apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusForbidden, "insufficient-scope")

	first := ada.Post(moves, apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)
	if first.Number("turn") != 2 || len(first.List("legal")) != 0 {
		t.Errorf("after the move it is turn 2, and not the mover's: %s", first.Raw)
	}
	ada.Post(moves, apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK) // the same again answers as before
	stale := ada.Post(moves, apitest.Move(1, 1, "a1-a5")).Refused(t, http.StatusConflict, "stale-turn")
	if stale.Number("turn") != 2 {
		t.Errorf("a stale turn comes with the present one: %s", stale.Raw)
	}
	if g := s.Anonymous().Get("/games/" + id); g.Number("plies") != 1 {
		t.Errorf("one move was made, and %v are counted", g.Number("plies"))
	}
}

func TestMovesThatDoNotFitTheContract(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	moves := "/games/" + apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id") + "/moves"
	for _, tt := range []struct{ body, pointer string }{
		{`{"seat":1,"turn":1,"move":"c1-c5","hint":true}`, "/hint"},
		{`{"seat":1,"turn":1}`, "/move"},
		{`{"seat":"1","turn":1,"move":"c1-c5"}`, "/seat"},
		{`{"seat":1.5,"turn":1,"move":"c1-c5"}`, "/seat"},
		{`{"seat":0,"turn":1,"move":"c1-c5"}`, "/seat"},
		{`{"seat":1,"turn":1e99,"move":"c1-c5"}`, "/turn"},
		{`{"seat":1,"turn":1,"move":""}`, "/move"},
		{`{"seat":1,"turn":1,"move":null}`, "/move"},
		{`{"seat":1,"turn":1,"move":"` + strings.Repeat("x", 100) + `"}`, "/move"},
		{`{"Seat":1,"turn":1,"move":"c1-c5"}`, "/Seat"},
		{`[]`, ""},
		{`{`, ""},
		{``, ""},
		{`null`, ""},
		{`"` + strings.Repeat(`\u0000`, 10) + `"`, ""},
		{strings.Repeat(`[`, 20_000), ""},
	} {
		a := ada.Post(moves, tt.body).Refused(t, http.StatusBadRequest, "malformed")
		if a.At("errors", 0, "pointer") != tt.pointer || a.Text("errors", 0, "detail") == "" {
			t.Errorf("%.60s: errors %v, want one at %q", tt.body, a.At("errors"), tt.pointer)
		}
	}
	ada.Post(moves, `{"seat":1,"turn":1,"move":"`+strings.Repeat("x", 1<<20)+`"}`).
		Refused(t, http.StatusRequestEntityTooLarge, "too-large")
	ada.Post(moves, `seat=1`, apitest.Header{"Content-Type", "application/x-www-form-urlencoded"}).
		Refused(t, http.StatusUnsupportedMediaType, "unsupported-media-type")
}

func TestAFlagThatFell(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	game := apitest.Duel(t, ada, bob, "quixo/duel", "60")
	id := game.Text("id")
	if game.Number("seats", 0, "remaining_ms") > 60_000 || game.At("seats", 0, "running") != true ||
		game.Text("seats", 0, "deadline") == "" || game.At("seats", 1, "running") != false {
		t.Errorf("the clocks at the start: %s", game.Raw)
	}
	s.Pass(61 * time.Second)
	ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusConflict, "flag-fallen")
	end := bob.Get("/games/"+id).Want(t, http.StatusOK)
	if end.Text("outcome", "reason") != "time" || end.Text("status") != "finished" {
		t.Errorf("%s", end.Raw)
	}
	ada.Post("/games/"+id+"/resign", map[string]any{"seat": 1}).Refused(t, http.StatusConflict, "game-over")
	bob.Post("/games/"+id+"/moves", apitest.Move(2, 1, "c1-c5")).Refused(t, http.StatusConflict, "game-over")
}

func TestResigningAndDraws(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	act := func(p apitest.Person, what, seat string) *apitest.Answer {
		return p.Post("/games/"+id+"/"+what, seat)
	}
	act(eve, "resign", `{}`).Refused(t, http.StatusForbidden, "not-your-seat")
	act(eve, "resign", `{"seat":2}`).Refused(t, http.StatusForbidden, "not-your-seat")
	act(bob, "draw", `{"action":"accept"}`).Refused(t, http.StatusConflict, "no-offer")
	act(eve, "draw", `{"action":"offer"}`).Refused(t, http.StatusForbidden, "not-your-seat")
	if a := act(ada, "draw", `{"action":"offer"}`).Want(t, http.StatusOK); a.Number("draw_offer") != 1 {
		t.Errorf("%s", a.Raw)
	}
	act(ada, "draw", `{"action":"accept"}`).Refused(t, http.StatusConflict, "no-offer")
	act(bob, "draw", `{"action":"decline","seat":2}`).Want(t, http.StatusOK).Lacks(t, "draw_offer")
	act(ada, "draw", `{"action":"offer"}`).Refused(t, http.StatusUnprocessableEntity, "illegal-move")
	act(bob, "draw", `{"action":"offer"}`).Want(t, http.StatusOK)
	if a := act(ada, "draw", `{"action":"accept"}`).Want(t, http.StatusOK); a.Text("outcome", "reason") != "agreement" {
		t.Errorf("%s", a.Raw)
	}

	id = apitest.Duel(t, ada, bob, "quiwin/duel", "300").Text("id")
	act(ada, "draw", `{"action":"offer"}`).Refused(t, http.StatusUnprocessableEntity, "illegal-move")
	if a := bob.Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK); fmt.Sprint(a.At("outcome", "ranks")) != "[1 2]" {
		t.Errorf("bob resigned: %s", a.Raw)
	}
}

func TestAborting(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	eve.Post("/games/"+id+"/abort", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	if a := bob.Post("/games/"+id+"/abort", nil).Want(t, http.StatusOK); a.Text("status") != "aborted" ||
		a.At("outcome") != nil {
		t.Errorf("%s", a.Raw)
	}
	bob.Post("/games/"+id+"/abort", nil).Refused(t, http.StatusConflict, "game-over")
	bob.Post("/games/"+id+"/rematch", nil).Refused(t, http.StatusConflict, "no-rematch").Has(t, "it was broken off")
	ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, "c1-c5")).Refused(t, http.StatusConflict, "game-over")

	id = apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	apitest.Play(t, id, ada, 1, "c1-c5")
	apitest.Play(t, id, bob, 2, "a1-e1")
	bob.Post("/games/"+id+"/abort", nil).Refused(t, http.StatusConflict, "too-late")
}

func TestRightsToStartAGame(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	olga := s.WithRole("olga", "organiser")
	body := func(change func(map[string]any)) map[string]any {
		b := map[string]any{
			"variant": "quixo/duel", "time_control": "300+3",
			"seats": []any{map[string]any{"player_id": ada.Player}, map[string]any{"player_id": bob.Player}},
		}
		change(b)
		return b
	}
	plain := body(func(map[string]any) {})
	eve.Post("/games", plain).Refused(t, http.StatusForbidden, "forbidden")
	s.Anonymous().Post("/games", plain).Refused(t, http.StatusUnauthorized, "unauthorized")
	olga.Post("/games", plain).Want(t, http.StatusCreated)
	olga.TokenFor("play").Post("/games", plain).Refused(t, http.StatusForbidden, "insufficient-scope")
	bob.TokenFor("play").Post("/games", plain).Want(t, http.StatusCreated)
	unknown := ada.Post("/games", body(func(b map[string]any) {
		b["seats"] = []any{map[string]any{"player_id": ada.Player}, map[string]any{"player_id": "nobody"}}
	})).Refused(t, http.StatusUnprocessableEntity, "invalid")
	if unknown.Text("errors", 0, "pointer") != "/seats/1/player_id" {
		t.Errorf("%s", unknown.Raw)
	}
	for slug, change := range map[string]func(map[string]any){
		"invalid":       func(b map[string]any) { b["variant"] = "chess/duel" },
		"invalid-setup": func(b map[string]any) { b["variant"] = "quits/four" },
	} {
		ada.Post("/games", body(change)).Refused(t, http.StatusUnprocessableEntity, slug)
	}
	for _, change := range []func(map[string]any){
		func(b map[string]any) { b["time_control"] = "soon" },
		func(b map[string]any) { b["options"] = map[string]any{"stuck": "kept"} },
		func(b map[string]any) {
			b["rated"] = true
			b["seats"] = []any{map[string]any{"player_id": ada.Player}, map[string]any{"player_id": ada.Player}}
		},
	} {
		ada.Post("/games", body(change)).Refused(t, http.StatusUnprocessableEntity, "invalid-setup")
	}
	handicap := ada.Post("/games", body(func(b map[string]any) {
		b["seats"] = []any{
			map[string]any{"player_id": ada.Player, "time_control": "60"}, map[string]any{"player_id": bob.Player},
		}
	})).Want(t, http.StatusCreated)
	if handicap.Text("seats", 0, "time_control") != "60" || handicap.Text("seats", 1, "time_control") != "300+3" {
		t.Errorf("%s", handicap.Raw)
	}
}

func TestAHiddenGameShowsEachViewerItsOwn(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	start := apitest.Duel(t, ada, bob, "quiwin/duel", "300")
	id := start.Text("id")
	snapshot, err := s.Tables.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{snapshot.Game.SeedHex, snapshot.Match.State().Position(), `"seed"`, `"position"`}
	viewers := []apitest.Person{ada, bob, eve, s.Anonymous()}
	for _, viewer := range viewers {
		viewer.Get("/games/"+id).Want(t, http.StatusOK).Lacks(t, secrets...).Has(t, "commitment")
	}
	hand := start.List("legal", "1")
	token := hand[0].(string)
	sealed := ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, token)).Want(t, http.StatusOK)
	if sealed.Text("events", 1, "move") != token {
		t.Errorf("the one who chose sees its choice: %s", sealed.Raw)
	}
	for _, viewer := range viewers[1:] {
		g := viewer.Get("/games/"+id).Want(t, http.StatusOK)
		if got := g.Text("events", 1, "move"); got == token {
			t.Errorf("a sealed choice is shown to another: %s", g.Raw)
		}
		if g.Number("events", 1, "seat") != 1 {
			t.Errorf("that seat 1 has chosen is public: %s", g.Raw)
		}
	}
	if got := eve.Get("/games/"+id).List("legal", "1"); got != nil {
		t.Errorf("a spectator is told legal moves: %v", got)
	}
	bob.Post("/games/"+id+"/resign", `{"seat":2}`).Want(t, http.StatusOK)
	s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK).Has(t, snapshot.Game.SeedHex, `"position"`)
}

func TestListsOfGames(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	var ids []string
	for range 5 {
		ids = append(ids, apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id"))
	}
	other := apitest.Duel(t, ada, eve, "quits/duel", "300").Text("id")
	bob.Post("/games/"+ids[0]+"/resign", nil).Want(t, http.StatusOK)

	var seen []string
	path := "/games?status=running&limit=2&player=" + bob.Player
	for pages := 0; path != ""; pages++ {
		page := s.Anonymous().Get(path).Want(t, http.StatusOK)
		for i := range page.List("items") {
			seen = append(seen, page.Text("items", i, "id"))
		}
		link := page.Header.Get("Link")
		if (page.Text("next_cursor") == "") != (link == "") || pages > 5 {
			t.Fatalf("cursor %q with Link %q", page.Text("next_cursor"), link)
		}
		path = ""
		if link != "" {
			path = strings.TrimPrefix(strings.Split(strings.TrimPrefix(link, "<"), ">")[0], "/api/v1")
		}
	}
	if len(seen) != 4 || seen[0] != ids[4] || seen[3] != ids[1] {
		t.Errorf("running games of bob, newest first: %v of %v", seen, ids)
	}
	s.Anonymous().Get("/games?variant=quits/duel").Want(t, http.StatusOK).Has(t, other).Lacks(t, ids...)
	s.Anonymous().Get("/games?status=finished,aborted").Want(t, http.StatusOK).Has(t, ids[0]).Lacks(t, ids[1:]...)
	s.Anonymous().Get("/players/"+eve.Player+"/games").Want(t, http.StatusOK).Has(t, other).Lacks(t, ids...)
	s.Anonymous().Get("/players/nobody/games").Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/games?cursor=nonsense").Refused(t, http.StatusBadRequest, "bad-cursor")
	for _, query := range []string{
		"limit=0", "limit=201", "limit=x", "status=won", "sort=asc", "limit=1&limit=2",
		"player=%00",
	} {
		s.Anonymous().Get("/games?"+query).Refused(t, http.StatusBadRequest, "malformed")
	}
}
