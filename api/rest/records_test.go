package rest_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/engine/catalog"
	"quatuor/engine/record"
	"quatuor/tournament/account"
)

// recordsIn reads all records of an answer, and demands that nothing in them is wrong.
func recordsIn(t *testing.T, a *apitest.Answer) (list []record.Record) {
	t.Helper()
	if kind := a.Header.Get("Content-Type"); kind != "text/plain; charset=utf-8" {
		t.Errorf("%s: Content-Type %s", a.Request, kind)
	}
	reader := record.NewReader(strings.NewReader(string(a.Raw)))
	for {
		r, _, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%s: %v in\n%s", a.Request, err, a.Raw)
		}
		if report := record.Check(r); len(report.Faults) > 0 {
			t.Errorf("%s: %v in\n%s", a.Request, report.Faults, a.Raw)
		}
		list = append(list, r)
	}
}

// TestRecordOfAGame plays with pauses for thought, offers and an end on time: the record has it all, and every clock
// reading in it follows from the rest.
func TestRecordOfAGame(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := ada.Post("/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300+3", "lag": true, "start": "now",
		"options": map[string]any{"repetition": "5"},
		"seats": []any{
			map[string]any{"player_id": ada.Player}, map[string]any{"player_id": bob.Player, "time_control": "60d5"},
		},
	}).Want(t, http.StatusCreated).Text("id")
	game := "/games/" + id
	s.Pass(4 * time.Second)
	ada.Post(game+"/moves", map[string]any{"seat": 1, "turn": 1, "move": "c1-c5", "elapsed_ms": 3700}).
		Want(t, http.StatusOK)
	s.Pass(7 * time.Second)
	bob.Post(game+"/moves", apitest.Move(2, 2, "a1-e1")).Want(t, http.StatusOK)
	bob.Post(game+"/draw", map[string]any{"action": "offer"}).Want(t, http.StatusOK)
	ada.Post(game+"/draw", map[string]any{"action": "decline"}).Want(t, http.StatusOK)
	s.Pass(time.Second)
	ada.Post(game+"/moves", apitest.Move(1, 3, "c1-c5")).Want(t, http.StatusOK)

	running := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).
		Has(t, `[Result "*"]`, "\n1. c1-c5 {[%clk 0:04:59"))
	if r := running[0]; r.Seats[0] != "Player ada" || len(r.Entries) != 5 || r.Options["repetition"] != "5" || !r.Lag ||
		*r.Entries[0].Claimed != 3700 {
		t.Errorf("got %+v", r)
	}
	s.Pass(66 * time.Second)
	bob.Post(game+"/moves", apitest.Move(2, 4, "e5-a5")).Refused(t, http.StatusConflict, "flag-fallen")
	over := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).
		Has(t, `[Result "1,2"]`, `[Termination "time"]`, "\n2:!time {[%at "))
	if over[0].Position == "" || over[0].Controls[1] != "60d5" {
		t.Errorf("got %+v", over[0])
	}

	asJSON := s.Anonymous().Get(game+"/record", apitest.Header{"Accept", "application/json"}).Want(t, http.StatusOK)
	if asJSON.Text("result") != "1,2" || asJSON.Text("entries", 0, "text") != "c1-c5" ||
		asJSON.Text("seats", 1, "time_control") != "60d5" ||
		asJSON.Text("entries", 5, "kind") != "left" || asJSON.Number("entries", 0, "claimed_ms") != 3700 {
		t.Errorf("%s", asJSON.Raw)
	}
	for accept, want := range map[string]string{
		"": "text/plain; charset=utf-8", "text/html,application/xhtml+xml,*/*;q=0.8": "text/plain; charset=utf-8",
		"text/plain, application/json": "text/plain; charset=utf-8", "image/png, application/json;q=0.9": "application/json",
		";": "text/plain; charset=utf-8",
	} {
		a := s.Anonymous().Get(game+"/record", apitest.Header{"Accept", accept}).Want(t, http.StatusOK)
		if got := a.Header.Get("Content-Type"); got != want {
			t.Errorf("Accept %q is answered with %s, want %s", accept, got, want)
		}
	}
	s.Anonymous().Get("/games/nobody/record").Refused(t, http.StatusNotFound, "not-found")
}

// TestRecordOfAnAbortedGame has the reason why it was broken off, and has no result.
func TestRecordOfAnAbortedGame(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	game := "/games/" + apitest.Duel(t, ada, bob, "quits/duel", "none").Text("id")
	ada.Post(game+"/abort", nil).Want(t, http.StatusOK)
	r := recordsIn(t, bob.Get(game+"/record").Want(t, http.StatusOK).Has(t, "\n!abort {[%at "))[0]
	if !r.Aborted || r.Outcome != nil {
		t.Errorf("got %+v", r)
	}
}

// TestRecordsKeepSecrets: a running game of Qui'win shows its commitment, no seed, no position, and to each asker no
// more than that asker may know of the tiles; in the end all of it can be verified.
func TestRecordsKeepSecrets(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	var made *apitest.Answer
	var hidden string
	for hidden == "" { // few hands have only tiles with the colour of their length
		made = apitest.Duel(t, ada, bob, "quiwin/duel", "300+3")
		for _, token := range made.List("legal", "1") {
			if text := token.(string); text[0] == 'r' || text[0] == 'o' {
				hidden = text
			}
		}
	}
	game := "/games/" + made.Text("id")
	ada.Post(game+"/moves", apitest.Move(1, 1, hidden)).Want(t, http.StatusOK)
	sealed := "\n1. 1:? {"
	for _, p := range []apitest.Person{bob, s.Anonymous()} {
		for _, accept := range []string{"text/plain", "application/json"} {
			p.Get(game+"/record", apitest.Header{"Accept", accept}).Want(t, http.StatusOK).
				Lacks(t, "[Seed", `"seed"`, "Position", `"position"`, hidden)
		}
		recordsIn(t, p.Get(game+"/record").Has(t, sealed, `[Commitment "`+made.Text("commitment")+`"]`))
	}
	recordsIn(t, ada.Get(game+"/record").Want(t, http.StatusOK).Has(t, "\n1. 1:"+hidden+" {").Lacks(t, "Seed", "Position"))
	bobs := bob.Get(game).List("legal", "2")
	other := bobs[0].(string)
	if other == hidden {
		other = bobs[1].(string) // no hand has eight of them
	}
	bob.Post(game+"/moves", apitest.Move(2, 1, other)).Want(t, http.StatusOK)
	bob.Get(game+"/record").Want(t, http.StatusOK).Has(t, "\n1. 1:"+hidden[:1]+"? {").Lacks(t, hidden, "Seed")

	apitest.PlayToTheEnd(t, made.Text("id"), ada, bob)
	r := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).
		Has(t, "\n1. 1:"+hidden+" {", "[Seed", "[Position"))[0]
	account := record.Verify(r)
	if !account.Chance || !account.Settled || len(account.Decided) < 4 || r.Chance.Commitment != made.Text("commitment") {
		t.Errorf("got %+v", account)
	}
}

// TestExportOfATournament exports the records of all its games, by round and board.
func TestExportOfATournament(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	players := map[string]apitest.Person{}
	for _, name := range []string{"ada", "bob", "cleo", "dan"} {
		p := s.Register(name)
		players[p.Player] = p
	}
	path, _ := apitest.StartTournament(t, olga, players["player-of-ada"], players["player-of-bob"],
		players["player-of-cleo"],
		players["player-of-dan"])
	for range 2 {
		for _, g := range s.Anonymous().Get("/games?status=running").Want(t, http.StatusOK).List("items") {
			id := g.(map[string]any)["id"].(string)
			seat := s.Anonymous().Get("/games/"+id).Text("seats", 0, "player", "id")
			apitest.Play(t, id, players[seat], 1, "c1-c5")
			players[seat].Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK)
		}
		olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	}
	list := recordsIn(t, s.Anonymous().Get(path+"/export?format=record").Want(t, http.StatusOK))
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
	s.Anonymous().Get(path+"/export").Want(t, http.StatusBadRequest)
	s.Anonymous().Get(path+"/export?format=chess").Want(t, http.StatusBadRequest)
	draft := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	s.Anonymous().Get("/tournaments/"+draft+"/export?format=record").Refused(t, http.StatusNotFound, "not-found")
	empty := olga.Get("/tournaments/"+draft+"/export?format=record").Want(t, http.StatusOK)
	if len(empty.Raw) != 0 {
		t.Errorf("a tournament without games is exported as %q", empty.Raw)
	}
}

// TestRecordsHaveTheVenue: the service's address is in the text and in the JSON.
func TestRecordsHaveTheVenue(t *testing.T) {
	const address = "https://club.example"
	s := apitest.New(t, func(c *apitest.Config) { c.Edit = func(d *api.Config) { d.Rest.Address = address } })
	ada, bob := s.Register("ada"), s.Register("bob")
	game := "/games/" + apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	if list := recordsIn(t, s.Anonymous().Get(game+"/record").Want(t, http.StatusOK)); list[0].Site != address {
		t.Errorf("the site is %q", list[0].Site)
	}
	if got := s.Anonymous().Get(game+"/record", apitest.Header{"Accept", "application/json"}).Want(t, http.StatusOK).
		Text("site"); got != address {
		t.Errorf("in JSON the site is %q", got)
	}
}

// TestVariantsCarryTheirRules in both languages, as they concern the variant.
func TestVariantsCarryTheirRules(t *testing.T) {
	variants := apitest.New(t).Anonymous().Get("/variants").Want(t, http.StatusOK)
	if n := len(variants.List("items")); n != len(catalog.IDs()) {
		t.Fatalf("%d variants", n)
	}
	for i := range variants.List("items") {
		id, en, fr := variants.Text("items", i, "id"), variants.Text("items", i, "rules", "en"),
			variants.Text("items", i, "rules", "fr")
		if !strings.Contains(en, "\n## In short\n") || !strings.Contains(fr, "\n## En bref\n") {
			t.Errorf("%s: rules %.80q and %.80q", id, en, fr)
		}
		if strings.HasPrefix(id, "quixo/") && strings.Contains(en, "## Two against two") != (id == "quixo/teams") {
			t.Errorf("%s tells of teams where there are none, or does not", id)
		}
	}
}
