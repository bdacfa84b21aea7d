package api_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/engine/catalog"
	"quatuor/engine/record"
	"quatuor/tournament/account"
)

// recordsIn reads all records of an answer, and demands that nothing in them is wrong.
func recordsIn(t *testing.T, a *answer) (list []record.Record) {
	t.Helper()
	if kind := a.header.Get("Content-Type"); kind != "text/plain; charset=utf-8" {
		t.Errorf("%s: Content-Type %s", a.what, kind)
	}
	reader := record.NewReader(strings.NewReader(string(a.raw)))
	for {
		r, _, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%s: %v in\n%s", a.what, err, a.raw)
		}
		if report := record.Check(r); len(report.Faults) > 0 {
			t.Errorf("%s: %v in\n%s", a.what, report.Faults, a.raw)
		}
		list = append(list, r)
	}
}

// TestRecordOfAGame plays with pauses for thought, offers and an end on time: the record has it all, and every clock
// reading in it follows from the rest.
func TestRecordOfAGame(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	id := ada.post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300+3", "lag": true, "start": "now",
		"options": map[string]any{"repetition": "5"},
		"seats": []any{
			map[string]any{"player_id": ada.player}, map[string]any{"player_id": bob.player, "time_control": "60d5"},
		},
	}).want(t, http.StatusCreated).text("id")
	game := "/games/" + id
	s.pass(4 * time.Second)
	ada.post(game+"/moves", map[string]any{"seat": 1, "turn": 1, "move": "c1-c5", "elapsed_ms": 3700}).
		want(t, http.StatusOK)
	s.pass(7 * time.Second)
	bob.post(game+"/moves", move(2, 2, "a1-e1")).want(t, http.StatusOK)
	bob.post(game+"/draw", map[string]any{"action": "offer"}).want(t, http.StatusOK)
	ada.post(game+"/draw", map[string]any{"action": "decline"}).want(t, http.StatusOK)
	s.pass(time.Second)
	ada.post(game+"/moves", move(1, 3, "c1-c5")).want(t, http.StatusOK)

	running := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK).
		has(t, `[Result "*"]`, "\n1. c1-c5 {[%clk 0:04:59"))
	if r := running[0]; r.Seats[0] != "Player ada" || len(r.Entries) != 5 || r.Options["repetition"] != "5" || !r.Lag ||
		*r.Entries[0].Claimed != 3700 {
		t.Errorf("got %+v", r)
	}
	s.pass(66 * time.Second)
	bob.post(game+"/moves", move(2, 4, "e5-a5")).refused(t, http.StatusConflict, "flag-fallen")
	over := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK).
		has(t, `[Result "1,2"]`, `[Termination "time"]`, "\n2:!time {[%at "))
	if over[0].Position == "" || over[0].Controls[1] != "60d5" {
		t.Errorf("got %+v", over[0])
	}

	asJSON := s.anonymous().get(game+"/record", header{"Accept", "application/json"}).want(t, http.StatusOK)
	if asJSON.text("result") != "1,2" || asJSON.text("entries", 0, "text") != "c1-c5" ||
		asJSON.text("seats", 1, "time_control") != "60d5" ||
		asJSON.text("entries", 5, "kind") != "left" || asJSON.number("entries", 0, "claimed_ms") != 3700 {
		t.Errorf("%s", asJSON.raw)
	}
	for accept, want := range map[string]string{
		"": "text/plain; charset=utf-8", "text/html,application/xhtml+xml,*/*;q=0.8": "text/plain; charset=utf-8",
		"text/plain, application/json": "text/plain; charset=utf-8", "image/png, application/json;q=0.9": "application/json",
		";": "text/plain; charset=utf-8",
	} {
		a := s.anonymous().get(game+"/record", header{"Accept", accept}).want(t, http.StatusOK)
		if got := a.header.Get("Content-Type"); got != want {
			t.Errorf("Accept %q is answered with %s, want %s", accept, got, want)
		}
	}
	s.anonymous().get("/games/nobody/record").refused(t, http.StatusNotFound, "not-found")
}

// TestRecordOfAnAbortedGame has the reason why it was broken off, and has no result.
func TestRecordOfAnAbortedGame(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	game := "/games/" + duel(t, ada, bob, "quits/duel", "none").text("id")
	ada.post(game+"/abort", nil).want(t, http.StatusOK)
	r := recordsIn(t, bob.get(game+"/record").want(t, http.StatusOK).has(t, "\n!abort {[%at "))[0]
	if !r.Aborted || r.Outcome != nil {
		t.Errorf("got %+v", r)
	}
}

// TestRecordsKeepSecrets: a running game of Qui'win shows its commitment, no seed, no position, and to each asker no
// more than that asker may know of the tiles; in the end all of it can be verified.
func TestRecordsKeepSecrets(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	var made *answer
	var hidden string
	for hidden == "" { // few hands have only tiles with the colour of their length
		made = duel(t, ada, bob, "quiwin/duel", "300+3")
		for _, token := range made.list("legal", "1") {
			if text := token.(string); text[0] == 'r' || text[0] == 'o' {
				hidden = text
			}
		}
	}
	game := "/games/" + made.text("id")
	ada.post(game+"/moves", move(1, 1, hidden)).want(t, http.StatusOK)
	sealed := "\n1. 1:? {"
	for _, p := range []person{bob, s.anonymous()} {
		for _, accept := range []string{"text/plain", "application/json"} {
			p.get(game+"/record", header{"Accept", accept}).want(t, http.StatusOK).
				lacks(t, "[Seed", `"seed"`, "Position", `"position"`, hidden)
		}
		recordsIn(t, p.get(game+"/record").has(t, sealed, `[Commitment "`+made.text("commitment")+`"]`))
	}
	recordsIn(t, ada.get(game+"/record").want(t, http.StatusOK).has(t, "\n1. 1:"+hidden+" {").lacks(t, "Seed", "Position"))
	bobs := bob.get(game).list("legal", "2")
	other := bobs[0].(string)
	if other == hidden {
		other = bobs[1].(string) // no hand has eight of them
	}
	bob.post(game+"/moves", move(2, 1, other)).want(t, http.StatusOK)
	bob.get(game+"/record").want(t, http.StatusOK).has(t, "\n1. 1:"+hidden[:1]+"? {").lacks(t, hidden, "Seed")

	playToTheEnd(t, made.text("id"), ada, bob)
	r := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK).
		has(t, "\n1. 1:"+hidden+" {", "[Seed", "[Position"))[0]
	account := record.Verify(r)
	if !account.Chance || !account.Settled || len(account.Decided) < 4 || r.Chance.Commitment != made.text("commitment") {
		t.Errorf("got %+v", account)
	}
}

// TestExportOfATournament exports the records of all its games, by round and board.
func TestExportOfATournament(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	players := map[string]person{}
	for _, name := range []string{"ada", "bob", "cleo", "dan"} {
		p := s.register(name)
		players[p.player] = p
	}
	path, _ := running(t, olga, players["player-of-ada"], players["player-of-bob"], players["player-of-cleo"],
		players["player-of-dan"])
	for range 2 {
		for _, g := range s.anonymous().get("/games?status=running").want(t, http.StatusOK).list("items") {
			id := g.(map[string]any)["id"].(string)
			seat := s.anonymous().get("/games/"+id).text("seats", 0, "player", "id")
			play(t, id, players[seat], 1, "c1-c5")
			players[seat].post("/games/"+id+"/resign", nil).want(t, http.StatusOK)
		}
		olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	}
	list := recordsIn(t, s.anonymous().get(path+"/export?format=record").want(t, http.StatusOK))
	var order []int
	for _, r := range list {
		order = append(order, 10*r.Round+r.Board)
		if r.Event != "Cup" || r.Site != "?" || (r.Outcome == nil) != (r.Round == 3) {
			t.Errorf("got %+v", r)
		}
	}
	if len(order) != 6 || order[0] != 11 || order[1] != 12 || order[4] != 31 || order[5] != 32 {
		t.Errorf("rounds and boards %v", order)
	}
	s.anonymous().get(path+"/export").want(t, http.StatusBadRequest)
	s.anonymous().get(path+"/export?format=chess").want(t, http.StatusBadRequest)
	draft := olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	s.anonymous().get("/tournaments/"+draft+"/export?format=record").refused(t, http.StatusNotFound, "not-found")
	empty := olga.get("/tournaments/"+draft+"/export?format=record").want(t, http.StatusOK)
	if len(empty.raw) != 0 {
		t.Errorf("a tournament without games is exported as %q", empty.raw)
	}
}

// TestRecordsHaveTheVenue: the service's address is in the text and in the JSON.
func TestRecordsHaveTheVenue(t *testing.T) {
	const address = "https://club.example"
	s := newService(t, func(c *configuration) { c.edit = func(d *api.Config) { d.Rest.Address = address } })
	ada, bob := s.register("ada"), s.register("bob")
	game := "/games/" + duel(t, ada, bob, "quixo/duel", "300").text("id")
	if list := recordsIn(t, s.anonymous().get(game+"/record").want(t, http.StatusOK)); list[0].Site != address {
		t.Errorf("the site is %q", list[0].Site)
	}
	if got := s.anonymous().get(game+"/record", header{"Accept", "application/json"}).want(t, http.StatusOK).
		text("site"); got != address {
		t.Errorf("in JSON the site is %q", got)
	}
}

// TestVariantsCarryTheirRules in both languages, as they concern the variant.
func TestVariantsCarryTheirRules(t *testing.T) {
	variants := newService(t).anonymous().get("/variants").want(t, http.StatusOK)
	if n := len(variants.list("items")); n != len(catalog.IDs()) {
		t.Fatalf("%d variants", n)
	}
	for i := range variants.list("items") {
		id, en, fr := variants.text("items", i, "id"), variants.text("items", i, "rules", "en"),
			variants.text("items", i, "rules", "fr")
		if !strings.Contains(en, "\n## In short\n") || !strings.Contains(fr, "\n## En bref\n") {
			t.Errorf("%s: rules %.80q and %.80q", id, en, fr)
		}
		if strings.HasPrefix(id, "quixo/") && strings.Contains(en, "## Two against two") != (id == "quixo/teams") {
			t.Errorf("%s tells of teams where there are none, or does not", id)
		}
	}
}
