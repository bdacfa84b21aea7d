package rest_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/record"
)

// seededGame is a game with a seed from all seats, and its viewers.
type seededGame struct {
	s               *apitest.Service
	ada, bob, eve   apitest.Person
	one, two, other chance.Nonce // of the seats, and of none
	viewers         map[string]apitest.Person
	streams         map[string]<-chan apitest.Event
	made            *apitest.Answer
	game, send      string
	serverSeed      string
	published       string // the server's commitment
	dealt           *apitest.Answer
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
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	g := &seededGame{
		s: s, ada: s.Register("ada"), bob: s.Register("bob"), eve: s.Register("eve"),
		one: chance.Nonce{1, 0xee}, two: chance.Nonce{2, 0xee}, other: chance.Nonce{3},
		streams: map[string]<-chan apitest.Event{},
	}
	g.made = apitest.PooledGame(t, g.ada, g.bob)
	g.game = "/games/" + g.made.Text("id")
	g.send = g.game + "/nonce"
	snapshot, err := s.Tables.Snapshot(t.Context(), g.made.Text("id"))
	if err != nil {
		t.Fatal(err)
	}
	g.serverSeed = snapshot.Game.SeedHex
	hidden := []string{`"position"`, `"hand"`, `"seed"`, `"server_seed"`, `"commitment"`, `"nonce":`, g.serverSeed}
	g.viewers = map[string]apitest.Person{"ada": g.ada, "bob": g.bob, "eve": g.eve, "nobody": s.Anonymous()}
	for name, viewer := range g.viewers {
		seen := viewer.Get(g.game).Want(t, http.StatusOK).Lacks(t, hidden...)
		if seen.Text("status") != "waiting" || len(seen.At("view").(map[string]any)) != 0 ||
			len(seen.List("chance", "awaited")) != 2 {
			t.Errorf("%s sees %s", name, seen.Raw)
		}
		g.streams[name], _ = viewer.Follow(t, server, g.game+"/events")
		apitest.SameAsAnswer(t, apitest.NextEvent(t, g.streams[name], "state").Data, viewer.Get(g.game))
		viewer.Get("/games?status=waiting").Want(t, http.StatusOK).Has(t, g.made.Text("id"))
	}
	g.published = g.made.Text("chance", "server_commitment")
	return g
}

// refuseEarly sends what comes too early, from the wrong seat, or in no known form.
func (g *seededGame) refuseEarly(t *testing.T) {
	t.Helper()
	g.ada.Post(g.send, apitest.Nonce(1, g.one)).Refused(t, http.StatusConflict, "nonce-early")
	g.ada.Post(g.send, apitest.Commitment(2, g.one)).Refused(t, http.StatusForbidden, "not-your-seat")
	g.eve.Post(g.send, apitest.Commitment(1, g.one)).Refused(t, http.StatusForbidden, "not-your-seat")
	g.s.Anonymous().Post(g.send, apitest.Commitment(1, g.one)).Refused(t, http.StatusUnauthorized, "unauthorized")
	for _, bad := range []string{
		`{"seat":1}`, `{"seat":1,"nonce":"` + strings.Repeat("0", 64) + `"}`, `{"seat":1,"nonce":"12"}`,
		`{"seat":1,"commitment":"12"}`,
		`{"seat":1,"commitment":"` + g.one.Commitment() + `","nonce":"` + strings.Repeat("1", 64) + `"}`,
	} {
		g.ada.Post(g.send, bad).Refused(t, http.StatusUnprocessableEntity, "invalid")
	}
	g.ada.Post(g.game+"/moves", apitest.Move(1, 1, "o23")).Refused(t, http.StatusConflict, "not-started")
	g.ada.Post(g.game+"/resign", nil).Refused(t, http.StatusConflict, "not-started")
	g.ada.Post(g.game+"/draw", map[string]any{"action": "offer"}).Refused(t, http.StatusConflict, "not-started")
}

// commit sends the commitments; the first counts.
func (g *seededGame) commit(t *testing.T) {
	t.Helper()
	first := g.ada.Post(g.send, map[string]any{"seat": 1, "commitment": strings.ToUpper(g.one.Commitment())}).
		Want(t, http.StatusOK)
	if got := g.ada.Post(g.send, apitest.Commitment(1, g.one)).
		Want(t, http.StatusOK); got.Number("version") != first.Number("version") {
		t.Errorf("the same again changed something: %s", got.Raw)
	}
	g.ada.Post(g.send, apitest.Commitment(1, g.other)).Refused(t, http.StatusConflict, "nonce-given")
	g.ada.Post(g.send, apitest.Nonce(1, g.one)).Refused(t, http.StatusConflict, "nonce-early")
	g.bob.Post(g.send, apitest.Commitment(2, g.two)).Want(t, http.StatusOK)
	g.ada.Post(g.send, apitest.Nonce(1, g.other)).Refused(t, http.StatusUnprocessableEntity, "nonce-other")
	g.s.Pass(6 * time.Minute) // longer than the clocks would last
}

// oneNonce sends the first nonce, which its seat alone sees until the other is there.
func (g *seededGame) oneNonce(t *testing.T) {
	t.Helper()
	g.ada.Post(g.send, apitest.Nonce(1, g.one)).Want(t, http.StatusOK).Has(t, "01ee00000000")
	for name, viewer := range g.viewers {
		seen := viewer.Get(g.game).Want(t, http.StatusOK)
		shown := strings.Contains(string(seen.Raw), "01ee00000000")
		if shown != (name == "ada") || seen.Text("status") != "waiting" || len(seen.List("events")) != 3 {
			t.Errorf("%s sees %s", name, seen.Raw)
		}
		viewer.Get(g.game+"/record").Want(t, http.StatusOK).Lacks(t, "01ee00000000", "[Seed", "[ServerSeed", "[Nonce").
			Has(t, g.published)
		for range 3 {
			if told := fmt.Sprint(apitest.NextEvent(t, g.streams[name], "clock").Data); strings.Contains(told, "01ee00000000") &&
				name != "ada" {
				t.Errorf("%s is told %s", name, told)
			}
		}
	}
}

// deal sends the last nonce: the game begins, and all but the seeds may be seen.
func (g *seededGame) deal(t *testing.T) {
	t.Helper()
	dealt := g.bob.Post(g.send, apitest.Nonce(2, g.two)).Want(t, http.StatusOK)
	if dealt.Text("status") != "running" || dealt.Text("commitment") == "" || len(dealt.List("legal", "2")) == 0 ||
		dealt.Number("seats", 0, "remaining_ms") < 299_000 {
		t.Errorf("after the last nonce: %s", dealt.Raw)
	}
	for name, viewer := range g.viewers {
		apitest.SameAsAnswer(t, apitest.NextEvent(t, g.streams[name], "clock").Data, hideOldEvents(viewer.Get(g.game), 3))
		viewer.Get(g.game).Want(t, http.StatusOK).Has(t, "01ee00000000", "02ee00000000").
			Lacks(t, `"seed"`, `"server_seed"`, `"position"`, g.serverSeed)
		viewer.Get(g.game+"/record").Want(t, http.StatusOK).Has(t, "[Nonce1", "[Nonce2").Lacks(t, "[Seed", "[ServerSeed")
	}
	g.bob.Post(g.send, apitest.Nonce(2, g.two)).Want(t, http.StatusOK)
	g.bob.Post(g.send, apitest.Nonce(2, g.other)).Refused(t, http.StatusConflict, "nonce-given")
	g.dealt = dealt
}

// record plays the game and computes its seed from the record.
func (g *seededGame) record(t *testing.T) {
	t.Helper()
	apitest.PlayToTheEnd(t, g.made.Text("id"), g.ada, g.bob)
	over := g.s.Anonymous().Get(g.game).Want(t, http.StatusOK)
	raw, err := hex.DecodeString(over.Text("chance", "server_seed"))
	if err != nil || len(raw) != 32 {
		t.Fatalf("%s", over.Raw)
	}
	seed := chance.GameSeed(engine.NewSeed([32]byte(raw)), []chance.Nonce{g.one, g.two})
	if bytes := seed.Reveal(); over.Text("seed") != hex.EncodeToString(bytes[:]) || engine.NewSeed([32]byte(raw)).
		Commitment() != g.published ||
		over.Text("commitment") != g.dealt.Text("commitment") {
		t.Errorf("%s", over.Raw)
	}
	r := recordsIn(t, g.s.Anonymous().Get(g.game+"/record").Want(t, http.StatusOK))[0]
	account := record.Verify(r)
	if !account.Settled || len(account.Faults) > 0 || r.Chance.ServerCommitment != g.published ||
		len(account.Agrees) != 6 {
		t.Errorf("%+v", account)
	}
	r.Chance.Nonces[0] = hex.EncodeToString(g.other[:])
	if record.Verify(r).Settled {
		t.Error("another nonce makes the same seed")
	}
	g.s.Anonymous().Get(g.game+"/record", apitest.Header{"Accept", "application/json"}).Want(t, http.StatusOK).
		Has(t, `"server_seed"`, `"server_commitment"`, `"nonces"`)
}

// hideOldEvents takes the first events out of an answered game, as streams leave them out.
func hideOldEvents(a *apitest.Answer, n int) *apitest.Answer {
	g := a.Body.(map[string]any)
	g["events"] = g["events"].([]any)[n:]
	return a
}

func TestAGameMayBeBrokenOffBeforeTheDeal(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	for n := range 3 { // lines that are in by then
		game := "/games/" + apitest.PooledGame(t, ada, bob).Text("id")
		one, two := chance.Nonce{1, 0xee}, chance.Nonce{2, 0xee}
		for _, send := range []func(){
			func() { ada.Post(game+"/nonce", apitest.Commitment(1, one)).Want(t, http.StatusOK) },
			func() { bob.Post(game+"/nonce", apitest.Commitment(2, two)).Want(t, http.StatusOK) },
			func() { ada.Post(game+"/nonce", apitest.Nonce(1, one)).Want(t, http.StatusOK) },
		}[:n+n/2] {
			send()
		}
		eve.Post(game+"/abort", nil).Refused(t, http.StatusForbidden, "not-your-seat")
		gone := bob.Post(game+"/abort", nil).Want(t, http.StatusOK).Lacks(t, "01ee00000000", `"position"`, `"server_seed"`)
		if gone.Text("status") != "aborted" || len(gone.List("chance", "awaited")) != 0 {
			t.Errorf("%s", gone.Raw)
		}
		bob.Post(game+"/nonce", apitest.Nonce(2, two)).Refused(t, http.StatusConflict, "game-over")
		recordsIn(t, eve.Get(game+"/record").Want(t, http.StatusOK).Has(t, "!abort", "[ServerCommitment").Lacks(t, "[Nonce"))
	}
}

func TestNoncesAreForGamesWithChance(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	ada.Post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300", "nonces": true,
		"seats": []any{map[string]any{"player_id": ada.Player}, map[string]any{"player_id": bob.Player}},
	}).Refused(t, http.StatusUnprocessableEntity, "invalid-setup")
	for _, variant := range []string{"quixo/duel", "quiwin/duel"} {
		game := apitest.Duel(t, ada, bob, variant, "300").Lacks(t, `"chance"`)
		if game.Text("status") != "running" {
			t.Errorf("without nonces a game starts at once: %s", game.Raw)
		}
		ada.Post("/games/"+game.Text("id")+"/nonce", apitest.Commitment(1, chance.Nonce{1})).
			Refused(t, http.StatusConflict, "no-nonces")
	}
}

// TestSeatsThatAddNothingInTime: the record of a game shows that only a single seat, or none, added to the seed, and
// the outcomes of chance follow from the record.
func TestSeatsThatAddNothingInTime(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	one := chance.Nonce{1, 0xee}
	for _, alone := range []bool{true, false} {
		ada, bob = ada.Again(), bob.Again()
		made := apitest.PooledGame(t, ada, bob)
		game := "/games/" + made.Text("id")
		if alone {
			ada.Post(game+"/nonce", apitest.Commitment(1, one)).Want(t, http.StatusOK)
		}
		if made.Text("chance", "until") == "" {
			t.Errorf("nothing says by when: %s", made.Raw)
		}
		s.Pass(10*time.Minute + time.Second)
		bob.Post(game+"/nonce", apitest.Commitment(2, one)).Refused(t, http.StatusConflict, "nonce-late")
		comment := "No seat added to the seed in time: it is the server's alone."
		if alone {
			comment = "seat 2 did not add to the seed in time."
			g := ada.Post(game+"/nonce", apitest.Nonce(1, one)).Want(t, http.StatusOK)
			if seats := fmt.Sprint(g.List("chance", "seats")); !strings.Contains(seats, "lapsed:true") ||
				strings.Count(seats, "lapsed") != 1 {
				t.Errorf("seats %s", seats)
			}
		}
		ada.Post(game+"/resign", nil).Want(t, http.StatusOK)
		a := s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).Has(t, comment, `[Seed "`)
		r := recordsIn(t, a)[0]
		if r.Comment != comment || (r.Chance.ServerSeed != "") != alone {
			t.Errorf("the record says %q and %+v", r.Comment, r.Chance)
		}
		if verified := record.Verify(r); !verified.Settled || len(verified.Faults) > 0 {
			t.Errorf("%+v in\n%s", verified, a.Raw)
		}
	}
	// A nonce that never comes breaks the game off, without a request for it.
	ada, bob = ada.Again(), bob.Again()
	game := "/games/" + apitest.PooledGame(t, ada, bob).Text("id")
	ada.Post(game+"/nonce", apitest.Commitment(1, one)).Want(t, http.StatusOK)
	bob.Post(game+"/nonce", apitest.Commitment(2, one)).Want(t, http.StatusOK)
	s.Pass(10*time.Minute + time.Second)
	bob.Post(game+"/nonce", apitest.Nonce(2, one)).Refused(t, http.StatusConflict, "game-over")
	r := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).
		Has(t, "did not send the nonce that it was bound to"))
	if !r[0].Aborted {
		t.Errorf("got %+v", r[0])
	}
}
