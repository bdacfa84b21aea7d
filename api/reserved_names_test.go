package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestNobodyTakesTheNameOfADeletedPerson at any door, in any language; with a name of the living the same act works.
func TestNobodyTakesTheNameOfADeletedPerson(t *testing.T) {
	s := newService(t, withRealPages)
	olga, root := s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	eva := s.register("eva")
	guest := olga.post("/players", `{"name":"Guest"}`).want(t, http.StatusCreated).text("id")
	event := func(settings string) string {
		return "/tournaments/" + olga.post("/tournaments", settings).want(t, http.StatusCreated).text("id")
	}
	cup := event(`{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"none","venue":"hall"}`)
	teams := event(`{"name":"Teams","variant":"quixo/duel","format":"team_swiss","rounds":3,"time_control":"none","venue":"hall",
		"teams":{"boards":[{},{}]}}`)
	entry := cup + "/entries/" + olga.post(cup+"/entries", `{"name":"Entry"}`).want(t, http.StatusCreated).text("id")
	logins := 0
	quoted := func(name string) string { return fmt.Sprintf("%q", name) }
	doors := map[string]func(name string) *answer{
		"an account by REST": func(name string) *answer {
			logins++
			return s.anonymous().post("/accounts", fmt.Sprintf(`{"login":"login%d","password":%q,"player_name":%q}`, logins, password, name))
		},
		"an account by the form": func(name string) *answer {
			logins++
			return s.visitor().post("/register", "name", name, "login", fmt.Sprint("login", logins), "password", password)
		},
		"a new player":      func(name string) *answer { return olga.post("/players", `{"name":`+quoted(name)+`}`) },
		"a table by REST":   func(name string) *answer { return olga.post("/players/import", "name\n"+name+"\n", asTable) },
		"renaming by REST":  func(name string) *answer { return renames(root, guest, name) },
		"renaming yourself": func(name string) *answer { return renames(eva, eva.player, name) },
		"renaming by the form": func(name string) *answer {
			browser := s.visits("eva")
			version := browser.get("/me").want(t, http.StatusOK).value("version")
			return browser.post("/me/player", "name", name, "club", "", "challenges", "", "at_once", "1", "version", version)
		},
		"an entry": func(name string) *answer { return olga.post(cup+"/entries", `{"name":`+quoted(name)+`}`) },
		"renaming an entry": func(name string) *answer {
			return olga.send(http.MethodPatch, entry, `{"name":`+quoted(name)+`}`, anyVersion)
		},
		"a team": func(name string) *answer {
			members := fmt.Sprintf("%q,%q", makePlayer(t, olga, "One"), makePlayer(t, olga, "Two"))
			return olga.post(teams+"/entries", `{"name":`+quoted(name)+`,"members":[`+members+`]}`)
		},
		"a league": func(name string) *answer {
			return olga.post("/leagues", `{"name":"L","season":{"tournament":{"variant":"quixo/duel","format":"round_robin","time_control":"none",
				"venue":"hall"},"divisions":[{"members":[{"name":`+quoted(name)+`},{"name":"Other"}]}]}}`)
		},
	}
	for what, door := range doors {
		for _, name := range []string{"player 1001", "Joueur 1001", "Spieler 2345", "Ann (player 1001)"} {
			a := door(name)
			text := strings.NewReplacer("&#34;", `"`, "“", "", "”", "", "&nbsp;", " ").Replace(string(a.raw))
			if a.status != http.StatusUnprocessableEntity || !strings.Contains(text, "stand for deleted persons") {
				t.Errorf("%s, %q: %d %s", what, name, a.status, a.raw)
			}
		}
		if a := door(what); a.status >= http.StatusBadRequest {
			t.Errorf("%s: a name of the living is answered %d %s", what, a.status, a.raw)
		}
	}

	key := olga.get("//players/import").hidden(t, "key")
	for _, list := range []string{"Name\nplayer 1001\n", "Nachname;Vorname\n1001;Spieler\n", "Last name;First name\n1001;Player\n"} {
		fields := url.Values{"key": {key}, "list": {list}, "sent": {"1"}, "make": {"1"}, "do": {"make"}}
		if a := olga.form("/players/import", fields); a.status != http.StatusUnprocessableEntity {
			t.Errorf("a pasted list of players: %d %s", a.status, a.raw)
		}
	}
	for _, path := range []string{"/players?limit=200", cup + "/entries?limit=200", teams + "/entries?limit=200"} {
		olga.get(path).want(t, http.StatusOK).lacks(t, "1001", "2345")
	}
}

func renames(by person, player, name string) *answer {
	seen := by.get("/players/" + player)
	return by.send(http.MethodPatch, "/players/"+player, map[string]any{"name": name}, seen.etag())
}

// TestAFileWithADeletedPersonComesBack: a tournament's report file with a deleted person in it is taken. The name stays
// as in the file where it belongs to no player, as does a living player's where the line is that player's.
func TestAFileWithADeletedPersonComesBack(t *testing.T) {
	s := newService(t, withRealPages)
	root := s.withRole("root", account.RoleAdmin)
	e := &goldenEvening{s: s, olga: root, players: []person{s.register("ada"), s.register("bob")}}
	cup := e.event(t, `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":1,"time_control":"300+3"}`, 2)
	game := root.post(cup+"/rounds", nil).want(t, http.StatusCreated).text("pairings", 0, "game_id")
	e.end(t, game)
	root.post(cup+"/finish", nil).want(t, http.StatusOK)
	root.send(http.MethodDelete, "/players/"+e.players[1].player, nil).want(t, http.StatusNoContent)
	file := string(root.get(cup+"/export?format=trf").want(t, http.StatusOK).raw)
	if !strings.Contains(file, "player 1001") {
		t.Fatalf("%s", file)
	}
	had := len(root.get("/players?limit=200").list("items"))
	for _, only := range []bool{true, false} {
		back := root.post("/tournaments/import", map[string]any{
			"name": "Again", "variant": "quixo/duel", "time_control": "300+3", "report": file, "names_only": only,
		}).want(t, http.StatusCreated)
		path := "/tournaments/" + back.text("id")
		root.get(path+"/entries").want(t, http.StatusOK).has(t, `"player 1001"`, "Player ada")
		again := string(root.get(path+"/export?format=trf").want(t, http.StatusOK).raw)
		if !strings.Contains(again, "player 1001") {
			t.Errorf("the file of the file is %s", again)
		}
	}
	players := root.get("/players?limit=200").want(t, http.StatusOK).lacks(t, "player 1001")
	if n := len(players.list("items")) - had; n != 1 {
		t.Errorf("%d players were made of a living and a deleted one", n)
	}
}
