package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// botCup are the settings of a Swiss that admits bots.
const botCup = `{"name":"Bot cup","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3","rated":true,"tie_breaks":["DE"],"play":{"bots":true}}`

// TestRightsToEnterBots: the organiser, where the settings allow it, on the server.
func TestRightsToEnterBots(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	closed := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	if shown := olga.get(closed).want(t, http.StatusOK); shown.at("play", "bots") != false {
		t.Errorf("bots are admitted where nothing was said of them: %s", shown.raw)
	}
	olga.post(closed+"/entries", map[string]any{"bot": 1}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/bot", "play.bots")
	inHall := strings.Replace(botCup, `"rated"`, `"venue":"hall","rated"`, 1)
	olga.post("/tournaments", inHall).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/play/bots", "in the hall")

	path := "/tournaments/" + olga.post("/tournaments", botCup).want(t, http.StatusCreated).text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	entries := path + "/entries"
	ada.post(entries, map[string]any{"bot": 1}).refused(t, http.StatusForbidden, "forbidden")
	ada.post(entries, map[string]any{"player_id": "bot-1"}).want(t, http.StatusUnprocessableEntity)
	s.anonymous().post(entries, map[string]any{"bot": 1}).want(t, http.StatusUnauthorized)
	for _, bad := range []map[string]any{
		{"bot": 1, "name": "Carlsen"},
		{"bot": 1, "player_id": ada.player},
		{"bot": 1, "club": "Rook"},
		{"bot": 1, "members": []string{ada.player}},
	} {
		olga.post(entries, bad).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/bot")
	}
	olga.post(entries, map[string]any{"bot": 4}).want(t, http.StatusBadRequest)
	made := olga.post(entries, map[string]any{"bot": 3, "rating": 1500}).want(t, http.StatusCreated)
	if made.text("name") != "Bot (level 3)" || made.number("bot") != 3 || len(made.list("members")) != 0 ||
		made.number("rating") != 1500 || made.text("status") != "confirmed" {
		t.Errorf("the entry is %s", made.raw)
	}
	olga.post(entries, map[string]any{"bot": 2}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/bot", "there is a person")
	olga.post(entries, map[string]any{"name": "In the hall"}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/members")
	one := entries + "/" + made.text("id")
	for _, bad := range []string{`{"name":"Anna"}`, `{"club":"Rook"}`, `{"members":["` + ada.player + `"]}`} {
		olga.send(http.MethodPatch, one, bad, anyVersion).want(t, http.StatusUnprocessableEntity)
	}
	olga.send(http.MethodPatch, one, `{"rating":1400}`, anyVersion).want(t, http.StatusOK).has(t, `"rating":1400`)
	olga.send(http.MethodPatch, path, `{"play":{"bots":false}}`, anyVersion).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/play/bots")
	olga.send(http.MethodPatch, path, `{"venue":"hall"}`, anyVersion).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "/play/bots")
	olga.send(http.MethodDelete, one, nil, anyVersion).want(t, http.StatusNoContent)
	olga.send(http.MethodPatch, path, `{"play":{"bots":false}}`, anyVersion).want(t, http.StatusOK).has(t, `"bots":false`)
}

// TestATournamentWithABot runs one to its end: the bot spares the third player the bye, moves on its own, is marked
// wherever names are shown, is not rated with its opponents, wins no prize, withdraws when a fourth player comes, and
// is in the exports.
func TestATournamentWithABot(t *testing.T) {
	s := newService(t, func(c *configuration) { c.pages, c.bots = true, true })
	olga := s.withRole("olga", account.RoleOrganiser)
	path := "/tournaments/" + olga.post("/tournaments", botCup).want(t, http.StatusCreated).text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	players := map[string]person{}
	for _, name := range []string{"ada", "bob", "cleo"} {
		p := s.register(name)
		players[p.player] = p
		p.post(path+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	bot := olga.post(path+"/entries", map[string]any{"bot": 1}).want(t, http.StatusCreated).text("id")
	olga.send(http.MethodPut, path+"/prizes",
		`{"categories":[{"name":"All","prizes":[{"amount":300},{"amount":200},{"amount":100}]}]}`, anyVersion).
		want(t, http.StatusOK)
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	for n := 1; n <= 2; n++ {
		round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
		if len(round.list("pairings")) != 2 || round.at("pairings", 0, "bye") != nil ||
			round.at("pairings", 1, "bye") != nil {
			t.Fatalf("round %d has no two games: %s", n, round.raw)
		}
		for i := range 2 {
			playWithBot(t, s, players, round.text("pairings", i, "game_id"))
		}
		s.eventually(t, fmt.Sprintf("%s/rounds/%d", path, n), func(a *answer) bool { return a.text("status") == "complete" })
	}
	dora := s.register("dora")
	players[dora.player] = dora
	olga.post(path+"/entries/"+bot+"/withdraw", nil).want(t, http.StatusOK)
	olga.post(path+"/entries", map[string]any{"player_id": dora.player}).want(t, http.StatusCreated)
	last := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	for i := range 2 {
		playWithBot(t, s, players, last.text("pairings", i, "game_id"))
	}
	s.eventually(t, path+"/rounds/3", func(a *answer) bool { return a.text("status") == "complete" })
	olga.post(path+"/finish", nil).want(t, http.StatusOK)

	standings := s.anonymous().get(path+"/standings").want(t, http.StatusOK).has(t, "Bot (level 1)")
	won := s.anonymous().get(path+"/prizes").want(t, http.StatusOK).lacks(t, bot)
	if standings.text("rows", 0, "entry", "id") != bot {
		t.Errorf("the bot is not first, though all resigned against it: %s", standings.raw)
	}
	sum := 0.0
	for i := range won.list("awards") {
		sum += won.number("awards", i, "amount")
	}
	if sum != 600 {
		t.Errorf("the prizes are %s", won.raw)
	}
	for _, page := range []string{"?tab=info", "/players/1", "/prizes"} {
		shown := s.anonymous().get("//tournaments/" + strings.TrimPrefix(path, "/tournaments/") + page)
		shown.want(t, http.StatusOK)
		if page == "?tab=info" {
			shown.says(t, "Organisers may enter a bot")
		}
		shown.lacks(t, "/players/bot-")
	}
	s.anonymous().get(path+"/export?format=trf").want(t, http.StatusOK).has(t, "Bot (level 1)")
	s.anonymous().get(path+"/export?format=json").want(t, http.StatusOK).has(t, "Bot (level 1)")
}

// playWithBot has the second seat resign, or the person against a bot after a bot's move; a game with a bot is not
// rated.
func playWithBot(t *testing.T, s *service, players map[string]person, id string) {
	t.Helper()
	path := "/games/" + id
	g := s.anonymous().get(path).want(t, http.StatusOK)
	person := 1
	for i := range 2 {
		if g.at("seats", i, "bot") != nil {
			person = 1 - i
		}
	}
	who := players[g.text("seats", person, "player", "id")]
	with := g.at("seats", 1-person, "bot") != nil
	if with == (g.at("rated") == true) {
		t.Errorf("rated, with a bot %v: %s", with, g.raw)
	}
	if with {
		s.eventually(t, path, func(a *answer) bool {
			return fmt.Sprint(a.at("awaited")) == fmt.Sprint([]any{float64(person + 1)})
		})
		plies := int(s.anonymous().get(path).number("plies"))
		play(t, id, who, plies+1, who.legal(id))
		s.eventually(t, path, func(a *answer) bool { return int(a.number("plies")) == plies+2 })
	} else {
		first := players[g.text("seats", 0, "player", "id")]
		play(t, id, first, 1, first.legal(id))
		play(t, id, who, 2, who.legal(id))
	}
	who.post(path+"/resign", nil).want(t, http.StatusOK)
}

// eventually requests a path until the answer is as it should be.
func (s *service) eventually(t *testing.T, path string, is func(*answer) bool) *answer {
	t.Helper()
	for limit := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a := s.anonymous().get(path).want(t, http.StatusOK)
		if is(a) {
			return a
		}
		if time.Now().After(limit) {
			t.Fatalf("%s stays %s", path, a.raw)
		}
	}
}

// TestDeskEntersBots: the form is there while bots can be entered, offers the levels that are left, and is carried out
// once.
func TestDeskEntersBots(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	id := olga.post("/tournaments",
		`{"name":"Melee","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3"}`).
		want(t, http.StatusCreated).text("id")
	desk, form := "//tournaments/"+id+"/desk?tab=entries", "/tournaments/"+id+"/desk/bot"
	olga.get(desk).want(t, http.StatusOK).lacks(t, "Enter bot")
	olga.form(form, url.Values{"level": {"1"}}).want(t, http.StatusUnprocessableEntity).
		says(t, `role="alert"`, "does not admit bots")
	olga.send(http.MethodPatch, "/tournaments/"+id, `{"play":{"bots":true}}`, anyVersion).want(t, http.StatusOK)
	olga.get(desk).want(t, http.StatusOK).says(t, "Enter bot", `<option value="1">Bot (level 1)`,
		`<option value="3">Bot (level 3)`)
	if status := ada.form(form, url.Values{"level": {"1"}}).status; status != http.StatusNotFound {
		t.Errorf("a stranger gets %d", status)
	}
	for _, bad := range []string{"", "x", "0", "4", "-1", "99999999999999999999"} {
		if status := olga.form(form, url.Values{"level": {bad}}).status; status < 400 || status >= 500 {
			t.Errorf("level %q: status %d", bad, status)
		}
	}
	olga.form(form, url.Values{"level": {"2"}}).want(t, http.StatusSeeOther)
	olga.form(form, url.Values{"level": {"2"}}).want(t, http.StatusUnprocessableEntity).
		says(t, "is in the tournament already")
	olga.get(desk).want(t, http.StatusOK).says(t, "Bot (level 2)", `<option value="1">`).lacks(t, `<option value="2">`)
	olga.form(form, url.Values{"level": {"1"}}).want(t, http.StatusSeeOther)
	olga.get(desk).want(t, http.StatusOK).lacks(t, "Enter bot")
	entry := olga.get("/tournaments/"+id+"/entries").want(t, http.StatusOK).text("items", 0, "id")
	edit := olga.get("//tournaments/"+id+"/desk?tab=entries&entry="+entry).want(t, http.StatusOK).
		lacks(t, `id="name"`, `id="club"`)
	_, seen, _ := strings.Cut(edit.page(), `name="seen" value="`)
	seen, _, _ = strings.Cut(seen, `"`)
	save := url.Values{"do": {"save"}, "name": {"Bot (level 2)"}, "rating": {"1500"}, "seen": {seen}}
	olga.form("/tournaments/"+id+"/desk/entries/"+entry, save).want(t, http.StatusSeeOther)
	if now := olga.get("/tournaments/" + id + "/entries/" + entry); now.number("rating") != 1500 {
		t.Errorf("the entry is %s", now.raw)
	}
}

// TestBotsAreNotEnteredAgain: a tournament like another one has its players, and no bot until the organiser enters one.
func TestBotsAreNotEnteredAgain(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	id := olga.post("/tournaments", botCup).want(t, http.StatusCreated).text("id")
	olga.post("/tournaments/"+id+"/entries", map[string]any{"player_id": ada.player}).want(t, http.StatusCreated)
	olga.post("/tournaments/"+id+"/entries", map[string]any{"bot": 2}).want(t, http.StatusCreated)
	form := olga.newForm(map[string]string{"like": id, "entries": "1", "rounds": "3", "venue": "server"})
	again := olga.get("/tournaments/"+olga.createBy(t, form)+"/entries").want(t, http.StatusOK)
	if len(again.list("items")) != 1 || again.text("items", 0, "members", 0, "id") != ada.player {
		t.Errorf("entered again: %s", again.raw)
	}
}
