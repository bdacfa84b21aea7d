package api_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/record"
)

// pool opens a game of Qui'win with a seed from all seats.
func pool(t *testing.T, one, two person) *answer {
	t.Helper()
	return one.post("/games", map[string]any{
		"variant": "quiwin/duel", "time_control": "300", "nonces": true,
		"seats": []any{map[string]any{"player_id": one.player}, map[string]any{"player_id": two.player}},
	}).want(t, http.StatusCreated)
}

func commitment(seat int, n chance.Nonce) map[string]any {
	return map[string]any{"seat": seat, "commitment": n.Commitment()}
}

func nonce(seat int, n chance.Nonce) map[string]any {
	return map[string]any{"seat": seat, "nonce": hex.EncodeToString(n[:])}
}

// seededGame is a game with a seed from all seats, and its viewers.
type seededGame struct {
	s               *service
	ada, bob, eve   person
	one, two, other chance.Nonce // of the seats, and of none
	viewers         map[string]person
	streams         map[string]<-chan event
	made            *answer
	game, send      string
	serverSeed      string
	published       string // the server's commitment
	dealt           *answer
}

// TestSeatsAddToTheSeed goes from the creation of a game over everything that is refused on the way to its record.
func TestSeatsAddToTheSeed(t *testing.T) {
	g := openSeeded(t)
	g.refuseEarly(t)
	g.commit(t)
	g.oneNonce(t)
	g.deal(t)
	g.record(t)
}

// openSeeded opens the game, and demands that viewers see no more of it than that seats are awaited.
func openSeeded(t *testing.T) *seededGame {
	t.Helper()
	s := newService(t)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	g := &seededGame{
		s: s, ada: s.register("ada"), bob: s.register("bob"), eve: s.register("eve"),
		one: chance.Nonce{1, 0xee}, two: chance.Nonce{2, 0xee}, other: chance.Nonce{3}, streams: map[string]<-chan event{},
	}
	g.made = pool(t, g.ada, g.bob)
	g.game = "/games/" + g.made.text("id")
	g.send = g.game + "/nonce"
	snapshot, err := s.tables.Snapshot(t.Context(), g.made.text("id"))
	if err != nil {
		t.Fatal(err)
	}
	g.serverSeed = snapshot.Game.SeedHex
	hidden := []string{`"position"`, `"hand"`, `"seed"`, `"server_seed"`, `"commitment"`, `"nonce":`, g.serverSeed}
	g.viewers = map[string]person{"ada": g.ada, "bob": g.bob, "eve": g.eve, "nobody": s.anonymous()}
	for name, viewer := range g.viewers {
		seen := viewer.get(g.game).want(t, http.StatusOK).lacks(t, hidden...)
		if seen.text("status") != "waiting" || len(seen.at("view").(map[string]any)) != 0 ||
			len(seen.list("chance", "awaited")) != 2 {
			t.Errorf("%s sees %s", name, seen.raw)
		}
		g.streams[name], _ = viewer.follow(t, server, g.game+"/events")
		same(t, next(t, g.streams[name], "state").data, viewer.get(g.game))
		viewer.get("/games?status=waiting").want(t, http.StatusOK).has(t, g.made.text("id"))
	}
	g.published = g.made.text("chance", "server_commitment")
	return g
}

// refuseEarly sends what comes too early, from the wrong seat, or in no known form.
func (g *seededGame) refuseEarly(t *testing.T) {
	t.Helper()
	g.ada.post(g.send, nonce(1, g.one)).refused(t, http.StatusConflict, "nonce-early")
	g.ada.post(g.send, commitment(2, g.one)).refused(t, http.StatusForbidden, "not-your-seat")
	g.eve.post(g.send, commitment(1, g.one)).refused(t, http.StatusForbidden, "not-your-seat")
	g.s.anonymous().post(g.send, commitment(1, g.one)).refused(t, http.StatusUnauthorized, "unauthorized")
	for _, bad := range []string{
		`{"seat":1}`, `{"seat":1,"nonce":"` + strings.Repeat("0", 64) + `"}`, `{"seat":1,"nonce":"12"}`,
		`{"seat":1,"commitment":"12"}`,
		`{"seat":1,"commitment":"` + g.one.Commitment() + `","nonce":"` + strings.Repeat("1", 64) + `"}`,
	} {
		g.ada.post(g.send, bad).refused(t, http.StatusUnprocessableEntity, "invalid")
	}
	g.ada.post(g.game+"/moves", move(1, 1, "o23")).refused(t, http.StatusConflict, "not-started")
	g.ada.post(g.game+"/resign", nil).refused(t, http.StatusConflict, "not-started")
	g.ada.post(g.game+"/draw", map[string]any{"action": "offer"}).refused(t, http.StatusConflict, "not-started")
}

// commit sends the commitments; the first counts.
func (g *seededGame) commit(t *testing.T) {
	t.Helper()
	first := g.ada.post(g.send, map[string]any{"seat": 1, "commitment": strings.ToUpper(g.one.Commitment())}).
		want(t, http.StatusOK)
	if got := g.ada.post(g.send, commitment(1, g.one)).
		want(t, http.StatusOK); got.number("version") != first.number("version") {
		t.Errorf("the same again changed something: %s", got.raw)
	}
	g.ada.post(g.send, commitment(1, g.other)).refused(t, http.StatusConflict, "nonce-given")
	g.ada.post(g.send, nonce(1, g.one)).refused(t, http.StatusConflict, "nonce-early")
	g.bob.post(g.send, commitment(2, g.two)).want(t, http.StatusOK)
	g.ada.post(g.send, nonce(1, g.other)).refused(t, http.StatusUnprocessableEntity, "nonce-other")
	g.s.pass(6 * time.Minute) // longer than the clocks would last
}

// oneNonce sends the first nonce, which its seat alone sees until the other is there.
func (g *seededGame) oneNonce(t *testing.T) {
	t.Helper()
	g.ada.post(g.send, nonce(1, g.one)).want(t, http.StatusOK).has(t, "01ee00000000")
	for name, viewer := range g.viewers {
		seen := viewer.get(g.game).want(t, http.StatusOK)
		shown := strings.Contains(string(seen.raw), "01ee00000000")
		if shown != (name == "ada") || seen.text("status") != "waiting" || len(seen.list("events")) != 3 {
			t.Errorf("%s sees %s", name, seen.raw)
		}
		viewer.get(g.game+"/record").want(t, http.StatusOK).lacks(t, "01ee00000000", "[Seed", "[ServerSeed", "[Nonce").
			has(t, g.published)
		for range 3 {
			if told := fmt.Sprint(next(t, g.streams[name], "clock").data); strings.Contains(told, "01ee00000000") &&
				name != "ada" {
				t.Errorf("%s is told %s", name, told)
			}
		}
	}
}

// deal sends the last nonce: the game begins, and all but the seeds may be seen.
func (g *seededGame) deal(t *testing.T) {
	t.Helper()
	dealt := g.bob.post(g.send, nonce(2, g.two)).want(t, http.StatusOK)
	if dealt.text("status") != "running" || dealt.text("commitment") == "" || len(dealt.list("legal", "2")) == 0 ||
		dealt.number("seats", 0, "remaining_ms") < 299_000 {
		t.Errorf("after the last nonce: %s", dealt.raw)
	}
	for name, viewer := range g.viewers {
		same(t, next(t, g.streams[name], "clock").data, viewer.get(g.game).hideOldEvents(3))
		viewer.get(g.game).want(t, http.StatusOK).has(t, "01ee00000000", "02ee00000000").
			lacks(t, `"seed"`, `"server_seed"`, `"position"`, g.serverSeed)
		viewer.get(g.game+"/record").want(t, http.StatusOK).has(t, "[Nonce1", "[Nonce2").lacks(t, "[Seed", "[ServerSeed")
	}
	g.bob.post(g.send, nonce(2, g.two)).want(t, http.StatusOK)
	g.bob.post(g.send, nonce(2, g.other)).refused(t, http.StatusConflict, "nonce-given")
	g.dealt = dealt
}

// record plays the game and computes its seed from the record.
func (g *seededGame) record(t *testing.T) {
	t.Helper()
	playToTheEnd(t, g.made.text("id"), g.ada, g.bob)
	over := g.s.anonymous().get(g.game).want(t, http.StatusOK)
	raw, err := hex.DecodeString(over.text("chance", "server_seed"))
	if err != nil || len(raw) != 32 {
		t.Fatalf("%s", over.raw)
	}
	seed := chance.GameSeed(engine.NewSeed([32]byte(raw)), []chance.Nonce{g.one, g.two})
	if bytes := seed.Reveal(); over.text("seed") != hex.EncodeToString(bytes[:]) || engine.NewSeed([32]byte(raw)).
		Commitment() != g.published ||
		over.text("commitment") != g.dealt.text("commitment") {
		t.Errorf("%s", over.raw)
	}
	r := recordsIn(t, g.s.anonymous().get(g.game+"/record").want(t, http.StatusOK))[0]
	account := record.Verify(r)
	if !account.Settled || len(account.Faults) > 0 || r.Chance.ServerCommitment != g.published ||
		len(account.Agrees) != 6 {
		t.Errorf("%+v", account)
	}
	r.Chance.Nonces[0] = hex.EncodeToString(g.other[:])
	if record.Verify(r).Settled {
		t.Error("another nonce makes the same seed")
	}
	g.s.anonymous().get(g.game+"/record", header{"Accept", "application/json"}).want(t, http.StatusOK).
		has(t, `"server_seed"`, `"server_commitment"`, `"nonces"`)
}

// hideOldEvents takes the first events out of an answered game, as streams leave them out.
func (a *answer) hideOldEvents(n int) *answer {
	g := a.body.(map[string]any)
	g["events"] = g["events"].([]any)[n:]
	return a
}

func TestAGameMayBeBrokenOffBeforeTheDeal(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	for n := range 3 { // lines that are in by then
		game := "/games/" + pool(t, ada, bob).text("id")
		one, two := chance.Nonce{1, 0xee}, chance.Nonce{2, 0xee}
		for _, send := range []func(){
			func() { ada.post(game+"/nonce", commitment(1, one)).want(t, http.StatusOK) },
			func() { bob.post(game+"/nonce", commitment(2, two)).want(t, http.StatusOK) },
			func() { ada.post(game+"/nonce", nonce(1, one)).want(t, http.StatusOK) },
		}[:n+n/2] {
			send()
		}
		eve.post(game+"/abort", nil).refused(t, http.StatusForbidden, "not-your-seat")
		gone := bob.post(game+"/abort", nil).want(t, http.StatusOK).lacks(t, "01ee00000000", `"position"`, `"server_seed"`)
		if gone.text("status") != "aborted" || len(gone.list("chance", "awaited")) != 0 {
			t.Errorf("%s", gone.raw)
		}
		bob.post(game+"/nonce", nonce(2, two)).refused(t, http.StatusConflict, "game-over")
		recordsIn(t, eve.get(game+"/record").want(t, http.StatusOK).has(t, "!abort", "[ServerCommitment").lacks(t, "[Nonce"))
	}
}

func TestNoncesAreForGamesWithChance(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	ada.post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300", "nonces": true,
		"seats": []any{map[string]any{"player_id": ada.player}, map[string]any{"player_id": bob.player}},
	}).refused(t, http.StatusUnprocessableEntity, "invalid-setup")
	for _, variant := range []string{"quixo/duel", "quiwin/duel"} {
		game := duel(t, ada, bob, variant, "300").lacks(t, `"chance"`)
		if game.text("status") != "running" {
			t.Errorf("without nonces a game starts at once: %s", game.raw)
		}
		ada.post("/games/"+game.text("id")+"/nonce", commitment(1, chance.Nonce{1})).
			refused(t, http.StatusConflict, "no-nonces")
	}
}

// TestSeatsThatAddNothingInTime: of a game in which one seat, or none, adds to the seed, the record says so, and what
// chance decided follows from the record.
func TestSeatsThatAddNothingInTime(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	one := chance.Nonce{1, 0xee}
	for _, alone := range []bool{true, false} {
		ada, bob = ada.again(), bob.again()
		made := pool(t, ada, bob)
		game := "/games/" + made.text("id")
		if alone {
			ada.post(game+"/nonce", commitment(1, one)).want(t, http.StatusOK)
		}
		if made.text("chance", "until") == "" {
			t.Errorf("nothing says by when: %s", made.raw)
		}
		s.pass(10*time.Minute + time.Second)
		bob.post(game+"/nonce", commitment(2, one)).refused(t, http.StatusConflict, "nonce-late")
		comment := "No seat added to the seed in time: it is the server's alone."
		if alone {
			comment = "seat 2 did not add to the seed in time."
			g := ada.post(game+"/nonce", nonce(1, one)).want(t, http.StatusOK)
			if seats := fmt.Sprint(g.list("chance", "seats")); !strings.Contains(seats, "lapsed:true") ||
				strings.Count(seats, "lapsed") != 1 {
				t.Errorf("seats %s", seats)
			}
		}
		ada.post(game+"/resign", nil).want(t, http.StatusOK)
		a := s.anonymous().get(game+"/record").want(t, http.StatusOK).has(t, comment, `[Seed "`)
		r := recordsIn(t, a)[0]
		if r.Comment != comment || (r.Chance.ServerSeed != "") != alone {
			t.Errorf("the record says %q and %+v", r.Comment, r.Chance)
		}
		if verified := record.Verify(r); !verified.Settled || len(verified.Faults) > 0 {
			t.Errorf("%+v in\n%s", verified, a.raw)
		}
	}
	// A nonce that never comes breaks the game off, without a request for it.
	ada, bob = ada.again(), bob.again()
	game := "/games/" + pool(t, ada, bob).text("id")
	ada.post(game+"/nonce", commitment(1, one)).want(t, http.StatusOK)
	bob.post(game+"/nonce", commitment(2, one)).want(t, http.StatusOK)
	s.pass(10*time.Minute + time.Second)
	bob.post(game+"/nonce", nonce(2, one)).refused(t, http.StatusConflict, "game-over")
	r := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK).
		has(t, "did not send the nonce that it was bound to"))
	if !r[0].Aborted {
		t.Errorf("got %+v", r[0])
	}
}
