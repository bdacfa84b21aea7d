package desk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// botCup are the settings of a Swiss that admits bots.
const botCup = `{"name":"Bot cup","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3","rated":true,"tie_breaks":["DE"],"play":{"bots":true}}`

// TestRightsToEnterBots: the organiser, where the settings allow it, on the server.
func TestRightsToEnterBots(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	closed := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	if shown := olga.Get(closed).Want(t, http.StatusOK); shown.At("play", "bots") != false {
		t.Errorf("bots are admitted where nothing was said of them: %s", shown.Raw)
	}
	olga.Post(closed+"/entries", map[string]any{"bot": 1}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/bot", "play.bots")
	inHall := strings.Replace(botCup, `"rated"`, `"venue":"hall","rated"`, 1)
	olga.Post("/tournaments", inHall).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/play/bots", "in the hall")

	path := "/tournaments/" + olga.Post("/tournaments", botCup).Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	entries := path + "/entries"
	ada.Post(entries, map[string]any{"bot": 1}).Refused(t, http.StatusForbidden, "forbidden")
	ada.Post(entries, map[string]any{"player_id": "bot-1"}).Want(t, http.StatusUnprocessableEntity)
	s.Anonymous().Post(entries, map[string]any{"bot": 1}).Want(t, http.StatusUnauthorized)
	for _, bad := range []map[string]any{
		{"bot": 1, "name": "Carlsen"},
		{"bot": 1, "player_id": ada.Player},
		{"bot": 1, "club": "Rook"},
		{"bot": 1, "members": []string{ada.Player}},
	} {
		olga.Post(entries, bad).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/bot")
	}
	olga.Post(entries, map[string]any{"bot": 4}).Want(t, http.StatusBadRequest)
	made := olga.Post(entries, map[string]any{"bot": 3, "rating": 1500}).Want(t, http.StatusCreated)
	if made.Text("name") != "Bot (level 3)" || made.Number("bot") != 3 || len(made.List("members")) != 0 ||
		made.Number("rating") != 1500 || made.Text("status") != "confirmed" {
		t.Errorf("the entry is %s", made.Raw)
	}
	olga.Post(entries, map[string]any{"bot": 2}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/bot", "there is a person")
	olga.Post(entries, map[string]any{"name": "In the hall"}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/members")
	one := entries + "/" + made.Text("id")
	for _, bad := range []string{`{"name":"Anna"}`, `{"club":"Rook"}`, `{"members":["` + ada.Player + `"]}`} {
		olga.Send(http.MethodPatch, one, bad, apitest.AnyVersion).Want(t, http.StatusUnprocessableEntity)
	}
	olga.Send(http.MethodPatch, one, `{"rating":1400}`, apitest.AnyVersion).Want(t, http.StatusOK).Has(t, `"rating":1400`)
	olga.Send(http.MethodPatch, path, `{"play":{"bots":false}}`, apitest.AnyVersion).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/play/bots")
	olga.Send(http.MethodPatch, path, `{"venue":"hall"}`, apitest.AnyVersion).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "/play/bots")
	olga.Send(http.MethodDelete, one, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	olga.Send(http.MethodPatch, path, `{"play":{"bots":false}}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Has(t, `"bots":false`)
}

// TestATournamentWithABot runs a tournament to its end: the bot spares the third player the bye, moves on its own, is
// marked wherever names are shown, is not rated with its opponents, wins no prize, withdraws when a fourth player
// comes, and is in the exports.
func TestATournamentWithABot(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Pages, c.Bots = true, true })
	olga := s.WithRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.Post("/tournaments", botCup).Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	players := map[string]apitest.Person{}
	for _, name := range []string{"ada", "bob", "cleo"} {
		p := s.Register(name)
		players[p.Player] = p
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	bot := olga.Post(path+"/entries", map[string]any{"bot": 1}).Want(t, http.StatusCreated).Text("id")
	olga.Send(http.MethodPut, path+"/prizes",
		`{"categories":[{"name":"All","prizes":[{"amount":300},{"amount":200},{"amount":100}]}]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	for n := 1; n <= 2; n++ {
		round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
		if len(round.List("pairings")) != 2 || round.At("pairings", 0, "bye") != nil ||
			round.At("pairings", 1, "bye") != nil {
			t.Fatalf("round %d has no two games: %s", n, round.Raw)
		}
		for i := range 2 {
			playWithBot(t, s, players, round.Text("pairings", i, "game_id"))
		}
		eventually(t, s, fmt.Sprintf("%s/rounds/%d", path, n),
			func(a *apitest.Answer) bool { return a.Text("status") == "complete" })
	}
	dora := s.Register("dora")
	players[dora.Player] = dora
	olga.Post(path+"/entries/"+bot+"/withdraw", nil).Want(t, http.StatusOK)
	olga.Post(path+"/entries", map[string]any{"player_id": dora.Player}).Want(t, http.StatusCreated)
	last := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	for i := range 2 {
		playWithBot(t, s, players, last.Text("pairings", i, "game_id"))
	}
	eventually(t, s, path+"/rounds/3", func(a *apitest.Answer) bool { return a.Text("status") == "complete" })
	olga.Post(path+"/finish", nil).Want(t, http.StatusOK)

	standings := s.Anonymous().Get(path+"/standings").Want(t, http.StatusOK).Has(t, "Bot (level 1)")
	won := s.Anonymous().Get(path+"/prizes").Want(t, http.StatusOK).Lacks(t, bot)
	if standings.Text("rows", 0, "entry", "id") != bot {
		t.Errorf("the bot is not first, though all resigned against it: %s", standings.Raw)
	}
	sum := 0.0
	for i := range won.List("awards") {
		sum += won.Number("awards", i, "amount")
	}
	if sum != 600 {
		t.Errorf("the prizes are %s", won.Raw)
	}
	for _, page := range []string{"?tab=info", "/players/1", "/prizes"} {
		shown := s.Anonymous().Get("//tournaments/" + strings.TrimPrefix(path, "/tournaments/") + page)
		shown.Want(t, http.StatusOK)
		if page == "?tab=info" {
			shown.Says(t, "Organisers may enter a bot")
		}
		shown.Lacks(t, "/players/bot-")
	}
	s.Anonymous().Get(path+"/export?format=trf").Want(t, http.StatusOK).Has(t, "Bot (level 1)")
	s.Anonymous().Get(path+"/export?format=json").Want(t, http.StatusOK).Has(t, "Bot (level 1)")
}

// playWithBot has the second seat resign, or the person against a bot after a bot's move; a game with a bot is not
// rated.
func playWithBot(t *testing.T, s *apitest.Service, players map[string]apitest.Person, id string) {
	t.Helper()
	path := "/games/" + id
	g := s.Anonymous().Get(path).Want(t, http.StatusOK)
	person := 1
	for i := range 2 {
		if g.At("seats", i, "bot") != nil {
			person = 1 - i
		}
	}
	who := players[g.Text("seats", person, "player", "id")]
	with := g.At("seats", 1-person, "bot") != nil
	if with == (g.At("rated") == true) {
		t.Errorf("rated, with a bot %v: %s", with, g.Raw)
	}
	if with {
		eventually(t, s, path, func(a *apitest.Answer) bool {
			return fmt.Sprint(a.At("awaited")) == fmt.Sprint([]any{float64(person + 1)})
		})
		plies := int(s.Anonymous().Get(path).Number("plies"))
		apitest.Play(t, id, who, plies+1, who.LegalMoves(id))
		eventually(t, s, path, func(a *apitest.Answer) bool { return int(a.Number("plies")) == plies+2 })
	} else {
		first := players[g.Text("seats", 0, "player", "id")]
		apitest.Play(t, id, first, 1, first.LegalMoves(id))
		apitest.Play(t, id, who, 2, who.LegalMoves(id))
	}
	who.Post(path+"/resign", nil).Want(t, http.StatusOK)
}

// eventually requests a path until the answer is as it should be.
func eventually(t *testing.T, s *apitest.Service, path string, is func(*apitest.Answer) bool) *apitest.Answer {
	t.Helper()
	for limit := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a := s.Anonymous().Get(path).Want(t, http.StatusOK)
		if is(a) {
			return a
		}
		if time.Now().After(limit) {
			t.Fatalf("%s stays %s", path, a.Raw)
		}
	}
}

// TestDeskEntersBots: the form is there while bots can be entered, offers the levels that are left, and is carried out
// once.
func TestDeskEntersBots(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	id := olga.Post("/tournaments",
		`{"name":"Melee","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3"}`).
		Want(t, http.StatusCreated).Text("id")
	desk, form := "//tournaments/"+id+"/desk?tab=entries", "/tournaments/"+id+"/desk/bot"
	olga.Get(desk).Want(t, http.StatusOK).Lacks(t, "Enter bot")
	olga.PostForm(form, url.Values{"level": {"1"}}).Want(t, http.StatusUnprocessableEntity).
		Says(t, `role="alert"`, "does not admit bots")
	olga.Send(http.MethodPatch, "/tournaments/"+id, `{"play":{"bots":true}}`, apitest.AnyVersion).Want(t, http.StatusOK)
	olga.Get(desk).Want(t, http.StatusOK).Says(t, "Enter bot", `<option value="1">Bot (level 1)`,
		`<option value="3">Bot (level 3)`)
	if status := ada.PostForm(form, url.Values{"level": {"1"}}).Status; status != http.StatusNotFound {
		t.Errorf("a stranger gets %d", status)
	}
	for _, bad := range []string{"", "x", "0", "4", "-1", "99999999999999999999"} {
		if status := olga.PostForm(form, url.Values{"level": {bad}}).Status; status < 400 || status >= 500 {
			t.Errorf("level %q: status %d", bad, status)
		}
	}
	olga.PostForm(form, url.Values{"level": {"2"}}).Want(t, http.StatusSeeOther)
	olga.PostForm(form, url.Values{"level": {"2"}}).Want(t, http.StatusUnprocessableEntity).
		Says(t, "is in the tournament already")
	olga.Get(desk).Want(t, http.StatusOK).Says(t, "Bot (level 2)", `<option value="1">`).Lacks(t, `<option value="2">`)
	olga.PostForm(form, url.Values{"level": {"1"}}).Want(t, http.StatusSeeOther)
	olga.Get(desk).Want(t, http.StatusOK).Lacks(t, "Enter bot")
	entry := olga.Get("/tournaments/"+id+"/entries").Want(t, http.StatusOK).Text("items", 0, "id")
	edit := olga.Get("//tournaments/"+id+"/desk?tab=entries&entry="+entry).Want(t, http.StatusOK).
		Lacks(t, `id="name"`, `id="club"`)
	_, seen, _ := strings.Cut(edit.Page(), `name="seen" value="`)
	seen, _, _ = strings.Cut(seen, `"`)
	save := url.Values{"do": {"save"}, "name": {"Bot (level 2)"}, "rating": {"1500"}, "seen": {seen}}
	olga.PostForm("/tournaments/"+id+"/desk/entries/"+entry, save).Want(t, http.StatusSeeOther)
	if now := olga.Get("/tournaments/" + id + "/entries/" + entry); now.Number("rating") != 1500 {
		t.Errorf("the entry is %s", now.Raw)
	}
}

// TestBotsAreNotEnteredAgain: a copied tournament has the players, and no bot until the organiser enters one.
func TestBotsAreNotEnteredAgain(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	id := olga.Post("/tournaments", botCup).Want(t, http.StatusCreated).Text("id")
	olga.Post("/tournaments/"+id+"/entries", map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated)
	olga.Post("/tournaments/"+id+"/entries", map[string]any{"bot": 2}).Want(t, http.StatusCreated)
	form := olga.NewTournamentForm(map[string]string{"like": id, "entries": "1", "rounds": "3", "venue": "server"})
	again := olga.Get("/tournaments/"+olga.CreateBy(t, form)+"/entries").Want(t, http.StatusOK)
	if len(again.List("items")) != 1 || again.Text("items", 0, "members", 0, "id") != ada.Player {
		t.Errorf("entered again: %s", again.Raw)
	}
}
