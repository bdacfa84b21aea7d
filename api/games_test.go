package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// duel starts a casual game between two people.
func duel(t testing.TB, one, two person, variant, control string) *answer {
	t.Helper()
	return one.post("/games", map[string]any{
		"variant": variant, "time_control": control, "rated": true, "start": "now",
		"seats": []any{map[string]any{"player_id": one.player}, map[string]any{"player_id": two.player}},
	}).want(t, http.StatusCreated)
}

func move(seat int, turn float64, token string) map[string]any {
	return map[string]any{"seat": seat, "turn": turn, "move": token}
}

// play makes a seat's move for the turn of the same number.
func play(t *testing.T, game string, p person, seat int, token string) {
	t.Helper()
	p.post("/games/"+game+"/moves", move(seat, float64(seat), token)).want(t, http.StatusOK)
}

func TestAGameIsPlayedToItsEndAndRated(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"} {
		t.Run(variant, func(t *testing.T) {
			id := duel(t, ada, bob, variant, "300+3").text("id")
			playToTheEnd(t, id, ada, bob)
			end := s.anonymous().get("/games/"+id).want(t, http.StatusOK)
			if end.text("status") != "finished" || end.text("outcome", "reason") == "" || end.text("position") == "" {
				t.Fatalf("%s", end.raw)
			}
			if end.text("outcome", "reason") == "replay" {
				return // void games are not rated
			}
			changes := s.anonymous().get("/games/"+id+"/rating-changes").want(t, http.StatusOK)
			if len(changes.list("items")) != 2 {
				t.Fatalf("%s", changes.raw)
			}
			list := changes.text("items", 0, "list")
			s.anonymous().get("/ratings/"+list).want(t, http.StatusOK).has(t, ada.player, "Player bob")
			s.anonymous().get("/players/"+ada.player+"/ratings").want(t, http.StatusOK).has(t, list)
			history := s.anonymous().get("/players/"+ada.player+"/ratings/"+list+"/history").want(t, http.StatusOK)
			if len(history.list("items")) == 0 {
				t.Errorf("%s", history.raw)
			}
		})
	}
	lists := s.anonymous().get("/ratings").want(t, http.StatusOK)
	if len(lists.list("items")) < 3 {
		t.Errorf("%s", lists.raw)
	}
}

func playToTheEnd(t *testing.T, id string, players ...person) {
	t.Helper()
	chance := rand.New(rand.NewPCG(3, uint64(len(id))))
	for {
		for i, p := range players {
			g := p.get("/games/"+id).want(t, http.StatusOK)
			if g.text("status") != "running" {
				return
			}
			legal := g.list("legal", strconv.Itoa(i+1))
			if len(legal) == 0 {
				continue
			}
			token := legal[chance.IntN(len(legal))].(string)
			p.post("/games/"+id+"/moves", move(i+1, g.number("turn"), token)).want(t, http.StatusOK)
		}
	}
}

// TestAMoveIsAnsweredWithWhatIsNew lets the client send how much of the log it has, as a number that lies within it, at
// its end, or beyond.
func TestAMoveIsAnsweredWithWhatIsNew(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	play(t, id, ada, 1, "a1-a5")
	second := move(2, 2, "b1-b5")
	for since, want := range map[int]int{0: 3, 1: 2, 2: 1, 3: 0, 1000: 0} {
		second["since"] = since
		got := bob.post("/games/"+id+"/moves", second).want(t, http.StatusOK)
		if n := len(got.list("events")); n != want || got.number("version") != 3 {
			t.Errorf("since %d: %d events, want %d: %s", since, n, want, got.raw)
		}
	}
	second["since"] = -1
	bob.post("/games/"+id+"/moves", second).want(t, http.StatusBadRequest)
}

func TestWhatIsRefusedOfAMove(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	id := duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	moves := "/games/" + id + "/moves"
	illegal := ada.post(moves, move(1, 1, "c3-c5")).refused(t, http.StatusUnprocessableEntity, "illegal-move")
	if len(illegal.list("legal")) != 44 || illegal.text("detail") == "" {
		t.Errorf("an illegal move comes with the reason and the 44 legal ones: %s", illegal.raw)
	}
	ada.post(moves, move(1, 1, "nonsense")).refused(t, http.StatusBadRequest, "bad-notation").lacks(t, `"legal"`)
	ada.post(moves, move(2, 1, "c1-c5")).refused(t, http.StatusForbidden, "not-your-seat")
	eve.post(moves, move(1, 1, "c1-c5")).refused(t, http.StatusForbidden, "not-your-seat")
	ada.post(moves, move(8, 1, "c1-c5")).refused(t, http.StatusForbidden, "not-your-seat")
	bob.post(moves, move(2, 1, "a1-e1")).refused(t, http.StatusConflict, "not-awaited")
	s.anonymous().post(moves, move(1, 1, "c1-c5")).refused(t, http.StatusUnauthorized, "unauthorized")
	ada.post("/games/0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11/moves", move(1, 1, "c1-c5")).
		refused(t, http.StatusNotFound, "not-found")
	ada.tokenFor("read").post(moves, move(1, 1, "c1-c5")).refused(t, http.StatusForbidden, "insufficient-scope")

	first := ada.post(moves, move(1, 1, "c1-c5")).want(t, http.StatusOK)
	if first.number("turn") != 2 || len(first.list("legal")) != 0 {
		t.Errorf("after the move it is turn 2, and not the mover's: %s", first.raw)
	}
	ada.post(moves, move(1, 1, "c1-c5")).want(t, http.StatusOK) // the same again answers as before
	stale := ada.post(moves, move(1, 1, "a1-a5")).refused(t, http.StatusConflict, "stale-turn")
	if stale.number("turn") != 2 {
		t.Errorf("a stale turn comes with the present one: %s", stale.raw)
	}
	if g := s.anonymous().get("/games/" + id); g.number("plies") != 1 {
		t.Errorf("one move was made, and %v are counted", g.number("plies"))
	}
}

func TestMovesThatDoNotFitTheContract(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	moves := "/games/" + duel(t, ada, bob, "quixo/duel", "300+3").text("id") + "/moves"
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
		a := ada.post(moves, tt.body).refused(t, http.StatusBadRequest, "malformed")
		if a.at("errors", 0, "pointer") != tt.pointer || a.text("errors", 0, "detail") == "" {
			t.Errorf("%.60s: errors %v, want one at %q", tt.body, a.at("errors"), tt.pointer)
		}
	}
	ada.post(moves, `{"seat":1,"turn":1,"move":"`+strings.Repeat("x", 1<<20)+`"}`).
		refused(t, http.StatusRequestEntityTooLarge, "too-large")
	ada.post(moves, `seat=1`, header{"Content-Type", "application/x-www-form-urlencoded"}).
		refused(t, http.StatusUnsupportedMediaType, "unsupported-media-type")
}

func TestAFlagThatFell(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	game := duel(t, ada, bob, "quixo/duel", "60")
	id := game.text("id")
	if game.number("seats", 0, "remaining_ms") > 60_000 || game.at("seats", 0, "running") != true ||
		game.text("seats", 0, "deadline") == "" || game.at("seats", 1, "running") != false {
		t.Errorf("the clocks at the start: %s", game.raw)
	}
	s.pass(61 * time.Second)
	ada.post("/games/"+id+"/moves", move(1, 1, "c1-c5")).refused(t, http.StatusConflict, "flag-fallen")
	end := bob.get("/games/"+id).want(t, http.StatusOK)
	if end.text("outcome", "reason") != "time" || end.text("status") != "finished" {
		t.Errorf("%s", end.raw)
	}
	ada.post("/games/"+id+"/resign", map[string]any{"seat": 1}).refused(t, http.StatusConflict, "game-over")
	bob.post("/games/"+id+"/moves", move(2, 1, "c1-c5")).refused(t, http.StatusConflict, "game-over")
}

func TestResigningAndDraws(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	act := func(p person, what, seat string) *answer {
		return p.post("/games/"+id+"/"+what, seat)
	}
	act(eve, "resign", `{}`).refused(t, http.StatusForbidden, "not-your-seat")
	act(eve, "resign", `{"seat":2}`).refused(t, http.StatusForbidden, "not-your-seat")
	act(bob, "draw", `{"action":"accept"}`).refused(t, http.StatusConflict, "no-offer")
	act(eve, "draw", `{"action":"offer"}`).refused(t, http.StatusForbidden, "not-your-seat")
	if a := act(ada, "draw", `{"action":"offer"}`).want(t, http.StatusOK); a.number("draw_offer") != 1 {
		t.Errorf("%s", a.raw)
	}
	act(ada, "draw", `{"action":"accept"}`).refused(t, http.StatusConflict, "no-offer")
	act(bob, "draw", `{"action":"decline","seat":2}`).want(t, http.StatusOK).lacks(t, "draw_offer")
	act(ada, "draw", `{"action":"offer"}`).refused(t, http.StatusUnprocessableEntity, "illegal-move")
	act(bob, "draw", `{"action":"offer"}`).want(t, http.StatusOK)
	if a := act(ada, "draw", `{"action":"accept"}`).want(t, http.StatusOK); a.text("outcome", "reason") != "agreement" {
		t.Errorf("%s", a.raw)
	}

	id = duel(t, ada, bob, "quiwin/duel", "300").text("id")
	act(ada, "draw", `{"action":"offer"}`).refused(t, http.StatusUnprocessableEntity, "illegal-move")
	if a := bob.post("/games/"+id+"/resign", nil).want(t, http.StatusOK); fmt.Sprint(a.at("outcome", "ranks")) != "[1 2]" {
		t.Errorf("bob resigned: %s", a.raw)
	}
}

func TestAborting(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	eve.post("/games/"+id+"/abort", nil).refused(t, http.StatusForbidden, "not-your-seat")
	if a := bob.post("/games/"+id+"/abort", nil).want(t, http.StatusOK); a.text("status") != "aborted" ||
		a.at("outcome") != nil {
		t.Errorf("%s", a.raw)
	}
	bob.post("/games/"+id+"/abort", nil).refused(t, http.StatusConflict, "game-over")
	bob.post("/games/"+id+"/rematch", nil).refused(t, http.StatusConflict, "no-rematch").has(t, "it was broken off")
	ada.post("/games/"+id+"/moves", move(1, 1, "c1-c5")).refused(t, http.StatusConflict, "game-over")

	id = duel(t, ada, bob, "quixo/duel", "300").text("id")
	play(t, id, ada, 1, "c1-c5")
	play(t, id, bob, 2, "a1-e1")
	bob.post("/games/"+id+"/abort", nil).refused(t, http.StatusConflict, "too-late")
}

func TestRightsToStartAGame(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	olga := s.withRole("olga", "organiser")
	body := func(change func(map[string]any)) map[string]any {
		b := map[string]any{
			"variant": "quixo/duel", "time_control": "300+3",
			"seats": []any{map[string]any{"player_id": ada.player}, map[string]any{"player_id": bob.player}},
		}
		change(b)
		return b
	}
	plain := body(func(map[string]any) {})
	eve.post("/games", plain).refused(t, http.StatusForbidden, "forbidden")
	s.anonymous().post("/games", plain).refused(t, http.StatusUnauthorized, "unauthorized")
	olga.post("/games", plain).want(t, http.StatusCreated)
	olga.tokenFor("play").post("/games", plain).refused(t, http.StatusForbidden, "insufficient-scope")
	bob.tokenFor("play").post("/games", plain).want(t, http.StatusCreated)
	unknown := ada.post("/games", body(func(b map[string]any) {
		b["seats"] = []any{map[string]any{"player_id": ada.player}, map[string]any{"player_id": "nobody"}}
	})).refused(t, http.StatusUnprocessableEntity, "invalid")
	if unknown.text("errors", 0, "pointer") != "/seats/1/player_id" {
		t.Errorf("%s", unknown.raw)
	}
	for slug, change := range map[string]func(map[string]any){
		"invalid":       func(b map[string]any) { b["variant"] = "chess/duel" },
		"invalid-setup": func(b map[string]any) { b["variant"] = "quits/four" },
	} {
		ada.post("/games", body(change)).refused(t, http.StatusUnprocessableEntity, slug)
	}
	for _, change := range []func(map[string]any){
		func(b map[string]any) { b["time_control"] = "soon" },
		func(b map[string]any) { b["options"] = map[string]any{"stuck": "kept"} },
		func(b map[string]any) {
			b["rated"] = true
			b["seats"] = []any{map[string]any{"player_id": ada.player}, map[string]any{"player_id": ada.player}}
		},
	} {
		ada.post("/games", body(change)).refused(t, http.StatusUnprocessableEntity, "invalid-setup")
	}
	handicap := ada.post("/games", body(func(b map[string]any) {
		b["seats"] = []any{
			map[string]any{"player_id": ada.player, "time_control": "60"}, map[string]any{"player_id": bob.player},
		}
	})).want(t, http.StatusCreated)
	if handicap.text("seats", 0, "time_control") != "60" || handicap.text("seats", 1, "time_control") != "300+3" {
		t.Errorf("%s", handicap.raw)
	}
}

func TestAHiddenGameShowsEachViewerItsOwn(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	start := duel(t, ada, bob, "quiwin/duel", "300")
	id := start.text("id")
	snapshot, err := s.tables.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{snapshot.Game.SeedHex, snapshot.Match.State().Position(), `"seed"`, `"position"`}
	viewers := []person{ada, bob, eve, s.anonymous()}
	for _, viewer := range viewers {
		viewer.get("/games/"+id).want(t, http.StatusOK).lacks(t, secrets...).has(t, "commitment")
	}
	hand := start.list("legal", "1")
	token := hand[0].(string)
	sealed := ada.post("/games/"+id+"/moves", move(1, 1, token)).want(t, http.StatusOK)
	if sealed.text("events", 1, "move") != token {
		t.Errorf("the one who chose sees its choice: %s", sealed.raw)
	}
	for _, viewer := range viewers[1:] {
		g := viewer.get("/games/"+id).want(t, http.StatusOK)
		if got := g.text("events", 1, "move"); got == token {
			t.Errorf("a sealed choice is shown to another: %s", g.raw)
		}
		if g.number("events", 1, "seat") != 1 {
			t.Errorf("that seat 1 has chosen is public: %s", g.raw)
		}
	}
	if got := eve.get("/games/"+id).list("legal", "1"); got != nil {
		t.Errorf("a spectator is told legal moves: %v", got)
	}
	bob.post("/games/"+id+"/resign", `{"seat":2}`).want(t, http.StatusOK)
	s.anonymous().get("/games/"+id).want(t, http.StatusOK).has(t, snapshot.Game.SeedHex, `"position"`)
}

func TestListsOfGames(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	var ids []string
	for range 5 {
		ids = append(ids, duel(t, ada, bob, "quixo/duel", "300").text("id"))
	}
	other := duel(t, ada, eve, "quits/duel", "300").text("id")
	bob.post("/games/"+ids[0]+"/resign", nil).want(t, http.StatusOK)

	var seen []string
	path := "/games?status=running&limit=2&player=" + bob.player
	for pages := 0; path != ""; pages++ {
		page := s.anonymous().get(path).want(t, http.StatusOK)
		for i := range page.list("items") {
			seen = append(seen, page.text("items", i, "id"))
		}
		link := page.header.Get("Link")
		if (page.text("next_cursor") == "") != (link == "") || pages > 5 {
			t.Fatalf("cursor %q with Link %q", page.text("next_cursor"), link)
		}
		path = ""
		if link != "" {
			path = strings.TrimPrefix(strings.Split(strings.TrimPrefix(link, "<"), ">")[0], "/api/v1")
		}
	}
	if len(seen) != 4 || seen[0] != ids[4] || seen[3] != ids[1] {
		t.Errorf("running games of bob, newest first: %v of %v", seen, ids)
	}
	s.anonymous().get("/games?variant=quits/duel").want(t, http.StatusOK).has(t, other).lacks(t, ids...)
	s.anonymous().get("/games?status=finished,aborted").want(t, http.StatusOK).has(t, ids[0]).lacks(t, ids[1:]...)
	s.anonymous().get("/players/"+eve.player+"/games").want(t, http.StatusOK).has(t, other).lacks(t, ids...)
	s.anonymous().get("/players/nobody/games").refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/games?cursor=nonsense").refused(t, http.StatusBadRequest, "bad-cursor")
	for _, query := range []string{
		"limit=0", "limit=201", "limit=x", "status=won", "sort=asc", "limit=1&limit=2",
		"player=%00",
	} {
		s.anonymous().get("/games?"+query).refused(t, http.StatusBadRequest, "malformed")
	}
}
