package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestNobodyTakesTheNameOfADeletedPerson at any door, in any language; with a name of the living the same act works.
func TestNobodyTakesTheNameOfADeletedPerson(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	eva := s.Register("eva")
	guest := olga.Post("/players", `{"name":"Guest"}`).Want(t, http.StatusCreated).Text("id")
	event := func(settings string) string {
		return "/tournaments/" + olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
	}
	cup := event(`{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"none","venue":"hall"}`)
	teams := event(`{"name":"Teams","variant":"quixo/duel","format":"team_swiss","rounds":3,"time_control":"none","venue":"hall",
		"teams":{"boards":[{},{}]}}`)
	entry := cup + "/entries/" + olga.Post(cup+"/entries", `{"name":"Entry"}`).Want(t, http.StatusCreated).Text("id")
	logins := 0
	quoted := func(name string) string { return fmt.Sprintf("%q", name) }
	doors := map[string]func(name string) *apitest.Answer{
		"an account by REST": func(name string) *apitest.Answer {
			logins++
			return s.Anonymous().Post("/accounts", fmt.Sprintf(`{"login":"login%d","password":%q,"player_name":%q}`, logins, apitest.Password, name))
		},
		"an account by the form": func(name string) *apitest.Answer {
			logins++
			return s.Visitor().Post("/register", "name", name, "login", fmt.Sprint("login", logins), "password",
				apitest.Password)
		},
		"a new player": func(name string) *apitest.Answer { return olga.Post("/players", `{"name":`+quoted(name)+`}`) },
		"a table by REST": func(name string) *apitest.Answer {
			return olga.Post("/players/import", "name\n"+name+"\n", apitest.AsCSV)
		},
		"renaming by REST":  func(name string) *apitest.Answer { return renames(root, guest, name) },
		"renaming yourself": func(name string) *apitest.Answer { return renames(eva, eva.Player, name) },
		"renaming by the form": func(name string) *apitest.Answer {
			browser := s.LoggedIn("eva")
			version := browser.Get("/me").Want(t, http.StatusOK).Value("version")
			return browser.Post("/me/player", "name", name, "club", "", "challenges", "", "at_once", "1", "version", version)
		},
		"an entry": func(name string) *apitest.Answer { return olga.Post(cup+"/entries", `{"name":`+quoted(name)+`}`) },
		"renaming an entry": func(name string) *apitest.Answer {
			return olga.Send(http.MethodPatch, entry, `{"name":`+quoted(name)+`}`, apitest.AnyVersion)
		},
		"a team": func(name string) *apitest.Answer {
			members := fmt.Sprintf("%q,%q", apitest.MakePlayer(t, olga, "One"), apitest.MakePlayer(t, olga, "Two"))
			return olga.Post(teams+"/entries", `{"name":`+quoted(name)+`,"members":[`+members+`]}`)
		},
		"a league": func(name string) *apitest.Answer {
			return olga.Post("/leagues", `{"name":"L","season":{"tournament":{"variant":"quixo/duel","format":"round_robin","time_control":"none",
				"venue":"hall"},"divisions":[{"members":[{"name":`+quoted(name)+`},{"name":"Other"}]}]}}`)
		},
	}
	for what, door := range doors {
		for _, name := range []string{"player 1001", "Joueur 1001", "Spieler 2345", "Ann (player 1001)"} {
			a := door(name)
			text := strings.NewReplacer("&#34;", `"`, "“", "", "”", "", "&nbsp;", " ").Replace(string(a.Raw))
			if a.Status != http.StatusUnprocessableEntity || !strings.Contains(text, "stand for deleted persons") {
				t.Errorf("%s, %q: %d %s", what, name, a.Status, a.Raw)
			}
		}
		if a := door(what); a.Status >= http.StatusBadRequest {
			t.Errorf("%s: a name of the living is answered %d %s", what, a.Status, a.Raw)
		}
	}

	key := olga.Get("//players/import").HiddenField(t, "key")
	for _, list := range []string{
		"Name\nplayer 1001\n", "Nachname;Vorname\n1001;Spieler\n",
		"Last name;First name\n1001;Player\n",
	} {
		fields := url.Values{"key": {key}, "list": {list}, "sent": {"1"}, "make": {"1"}, "do": {"make"}}
		if a := olga.PostForm("/players/import", fields); a.Status != http.StatusUnprocessableEntity {
			t.Errorf("a pasted list of players: %d %s", a.Status, a.Raw)
		}
	}
	for _, path := range []string{"/players?limit=200", cup + "/entries?limit=200", teams + "/entries?limit=200"} {
		olga.Get(path).Want(t, http.StatusOK).Lacks(t, "1001", "2345")
	}
}

func renames(by apitest.Person, player, name string) *apitest.Answer {
	seen := by.Get("/players/" + player)
	return by.Send(http.MethodPatch, "/players/"+player, map[string]any{"name": name}, seen.IfMatch())
}

// TestAFileWithADeletedPersonComesBack: a tournament's report file with a deleted person in it is taken. The name stays
// as in the file where it belongs to no player, as does a living player's where the line is that player's.
func TestAFileWithADeletedPersonComesBack(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root := s.WithRole("root", account.RoleAdmin)
	e := &goldenEvening{s: s, olga: root, players: []apitest.Person{s.Register("ada"), s.Register("bob")}}
	cup := e.event(t, `{"name":"Cup","variant":"quixo/duel","format":"swiss","rounds":1,"time_control":"300+3"}`, 2)
	game := root.Post(cup+"/rounds", nil).Want(t, http.StatusCreated).Text("pairings", 0, "game_id")
	e.end(t, game)
	root.Post(cup+"/finish", nil).Want(t, http.StatusOK)
	root.Send(http.MethodDelete, "/players/"+e.players[1].Player, nil).Want(t, http.StatusNoContent)
	file := string(root.Get(cup+"/export?format=trf").Want(t, http.StatusOK).Raw)
	if !strings.Contains(file, "player 1001") {
		t.Fatalf("%s", file)
	}
	had := len(root.Get("/players?limit=200").List("items"))
	for _, only := range []bool{true, false} {
		back := root.Post("/tournaments/import", map[string]any{
			"name": "Again", "variant": "quixo/duel", "time_control": "300+3", "report": file, "names_only": only,
		}).Want(t, http.StatusCreated)
		path := "/tournaments/" + back.Text("id")
		root.Get(path+"/entries").Want(t, http.StatusOK).Has(t, `"player 1001"`, "Player ada")
		again := string(root.Get(path+"/export?format=trf").Want(t, http.StatusOK).Raw)
		if !strings.Contains(again, "player 1001") {
			t.Errorf("the file of the file is %s", again)
		}
	}
	players := root.Get("/players?limit=200").Want(t, http.StatusOK).Lacks(t, "player 1001")
	if n := len(players.List("items")) - had; n != 1 {
		t.Errorf("%d players were made of a living and a deleted one", n)
	}
}
