package api_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament/account"
	"quatuor/tournament/trf"
)

// begun is a tournament after two of five rounds, with things in it that mean nothing here.
const begun = `012 Spring Open
022 Riga
102 Ozola, Anna
142 5
152 W
192 FIDE_DUTCH
202 BH/C1,BH,DE
### made elsewhere
240 H 003 0004
260 001 005 0001 0004
001    1 wWGM Kalnina, Ieva                     2210 LAT    11600001 1990/05/01  2.0    1     4 w 1     2 b 1
001    2      Berzins, Janis                    2100 LAT    11600002             1.0    2     5 b 1     1 w 0
001    3      =cmd|calc                         2000 LAT                         1.0    3     6 w 0     5 b 1
DAT 0003 EMAIL somebody@example.org
001    4      Liepa, Rita                       1850 LAT                         0.5    5     1 b 0     6 w =
001    5      Ozols, Karlis                     1800 LAT                         0.0    6     2 w 0     3 w 0
001    6      Vitols, Maris                     1700 LAT                         1.5    4     3 b 1     4 b =
`

var asText = header{"Content-Type", "text/plain"}

const importDuels = "/tournaments/import?variant=quixo/duel&time_control=300%2B3"

// TestATournamentGoesOnHere takes a tournament over, pairs its next round, and exports it.
func TestATournamentGoesOnHere(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	made := olga.post(importDuels+"&rated=true", begun, asText).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	if made.text("status") != "running" || made.text("name") != "Spring Open" || made.number("rounds") != 5 ||
		made.number("rounds_paired") != 2 ||
		fmt.Sprint(made.list("tie_breaks")) != "[BH/C1 BH DE]" || made.text("pairing", "initial_colour") != "white" {
		t.Errorf("%s", made.raw)
	}
	entries := s.anonymous().get(path+"/entries").want(t, http.StatusOK)
	player := entries.text("items", 0, "members", 0, "id")
	olga.post("/players/"+player+"/claim-code", nil).want(t, http.StatusCreated)
	if p := olga.get("/players/"+player).want(t, http.StatusOK); p.number("birth_year") != 1990 ||
		p.at("claimed") != false {
		t.Errorf("%s", p.raw)
	}
	olga.get(path+"/forbidden-pairs").want(t, http.StatusOK).has(t, entries.text("items", 3, "id"))
	round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	// 4 has a half-point bye, so that one of five has the bye; 1 and 6 have most points.
	if len(round.list("pairings")) != 4 || round.text("pairings", 0, "game_id") == "" {
		t.Errorf("%s", round.raw)
	}
	if lists := s.anonymous().get("/ratings").want(t, http.StatusOK); len(lists.list("items")) != 0 {
		t.Errorf("games that were played elsewhere have been rated: %s", lists.raw)
	}
	staff := olga.get(path+"/export?format=trf").want(t, http.StatusOK)
	for _, line := range []string{
		"022 Riga", "102 Ozola, Anna", "### made elsewhere", "DAT 0003 EMAIL somebody@example.org", "260 001 005 0001 0004",
		"WGM Kalnina", "1990/05/01",
	} {
		staff.has(t, line)
	}
	if _, err := trf.Read(staff.raw); err != nil {
		t.Error(err)
	}
	s.anonymous().get(path+"/export?format=trf").want(t, http.StatusOK).has(t, "022 Riga", "WGM Kalnina", "11600001").
		lacks(t, "260 ", "DAT ", "1990", "made elsewhere", " wWGM")
	s.anonymous().get(path+"/history").want(t, http.StatusOK)
	olga.get(path+"/history").want(t, http.StatusOK).has(t, `"import"`).lacks(t, `"create"`)
}

// TestPlayersAreNotFoundByName unless they are named by their numbers.
func TestPlayersAreNotFoundByName(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	body := map[string]any{
		"report": strings.ReplaceAll(begun, "Berzins, Janis", "Player ada    "), "variant": "quixo/duel",
		"time_control": "300+3", "options": map[string]any{},
	}
	made := olga.post("/tournaments/import", body).want(t, http.StatusCreated)
	s.anonymous().get("/tournaments/"+made.text("id")+"/entries").lacks(t, ada.player)
	body["players"] = []any{map[string]any{"number": 2, "player_id": ada.player}}
	made = olga.post("/tournaments/import", body).want(t, http.StatusCreated)
	entries := s.anonymous().get("/tournaments/"+made.text("id")+"/entries").want(t, http.StatusOK)
	if entries.text("items", 1, "members", 0, "id") != ada.player {
		t.Errorf("%s", entries.raw)
	}
	for players, pointer := range map[string]string{
		`[{"number":2,"player_id":"nobody"}]`:                                                 "/players/0/player_id",
		`[{"number":9,"player_id":"player-of-ada"}]`:                                          "/report",
		`[{"number":2,"player_id":"player-of-ada"},{"number":2,"player_id":"player-of-ada"}]`: "/players/1/number",
		`[{"number":2,"player_id":"player-of-ada"},{"number":3,"player_id":"player-of-ada"}]`: "/report",
	} {
		a := olga.post("/tournaments/import",
			fmt.Sprintf(`{"report":%q,"variant":"quixo/duel","time_control":"300+3","players":%s}`, begun, players)).
			refused(t, http.StatusUnprocessableEntity, "invalid")
		if a.text("errors", 0, "pointer") != pointer {
			t.Errorf("%s: %s", players, a.raw)
		}
	}
	nobody := olga.post(importDuels+"&names_only=true", begun, asText).want(t, http.StatusCreated)
	s.anonymous().get("/tournaments/"+nobody.text("id")+"/entries").want(t, http.StatusOK).has(t, `"members":[]`)
	round := olga.post("/tournaments/"+nobody.text("id")+"/rounds", nil).want(t, http.StatusCreated)
	round.lacks(t, "game_id")
}

// TestImportRights looks at what is refused, and that nothing remains of it.
func TestImportRights(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	s.anonymous().post(importDuels, begun, asText).refused(t, http.StatusUnauthorized, "unauthorized")
	ada.post(importDuels, begun, asText).refused(t, http.StatusForbidden, "forbidden")
	olga.tokenFor("read", "play").post(importDuels, begun, asText).refused(t, http.StatusForbidden, "insufficient-scope")
	wrong := strings.Replace(begun, "0.5    5", "1.5    5", 1)
	for _, tt := range []struct{ where, body, has string }{
		{importDuels, wrong, "line 15, player 4: 1.5 points in columns 81 to 84"},
		{importDuels, "hello", "there is no player"},
		{"/tournaments/import", begun, "say which variant"},
		{"/tournaments/import?variant=quits/four&time_control=60", begun, `"parameter":"format"`},
		{"/tournaments/import?variant=quixo/duel", begun, "time_control"},
		{importDuels + "&format=knockout", begun, `"parameter":"format"`},
		{importDuels + "&rounds=1", begun, `"parameter":"rounds"`},
		{importDuels + "&tie_breaks=NO", begun, `"parameter":"tie_breaks"`},
	} {
		olga.post(tt.where, tt.body, asText).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, tt.has)
	}
	olga.post("/tournaments/import?variant=quixo/duel", map[string]any{"report": begun, "variant": "quixo/duel"}).
		refused(t, http.StatusUnprocessableEntity, "invalid")
	olga.post(importDuels, begun, header{"Content-Type", "image/png"}).
		refused(t, http.StatusUnsupportedMediaType, "unsupported-media-type")
	olga.post(importDuels+"&check=true", begun, asText).want(t, http.StatusOK).has(t, "Spring Open")
	s.anonymous().get("/tournaments?status=running,finished").want(t, http.StatusOK).lacks(t, "Spring Open")
	s.anonymous().get("/players").want(t, http.StatusOK).lacks(t, "Kalnina")

	large := begun + strings.Repeat("### "+strings.Repeat("x", 95)+"\n", 40_000)
	ada.post(importDuels, large, asText).refused(t, http.StatusRequestEntityTooLarge, "too-large")
	olga.post("/tournaments", large).refused(t, http.StatusRequestEntityTooLarge, "too-large")
	made := olga.post(importDuels, large, asText).want(t, http.StatusCreated)
	if back := olga.get("/tournaments/"+made.text("id")+"/export?format=trf").
		want(t, http.StatusOK); len(back.raw) < len(large) {
		t.Errorf("%d of %d bytes came back", len(back.raw), len(large))
	}
	olga.post(importDuels, begun+strings.Repeat("#", 16<<20), asText).
		refused(t, http.StatusRequestEntityTooLarge, "too-large")
}

// TestAnImportMayBeRepeated with its key, and the query is part of the request.
func TestAnImportMayBeRepeated(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	key := header{"Idempotency-Key", "spring"}
	first := olga.post(importDuels, begun, asText, key).want(t, http.StatusCreated)
	if again := olga.post(importDuels, begun, asText, key).
		want(t, http.StatusCreated); again.text("id") != first.text("id") {
		t.Errorf("%s and %s", first.raw, again.raw)
	}
	olga.post(importDuels+"&rated=true", begun, asText, key).
		refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	path := "/tournaments/" + first.text("id")
	olga.send(http.MethodDelete, path, nil, header{"If-Match", first.header.Get("ETag")}).want(t, http.StatusNoContent)
	s.anonymous().get(path).refused(t, http.StatusNotFound, "not-found")
	second := olga.post(importDuels+"&names_only=true", begun, asText).want(t, http.StatusCreated)
	path = "/tournaments/" + second.text("id")
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	olga.send(http.MethodDelete, path, nil, header{"If-Match", "*"}).refused(t, http.StatusConflict, "wrong-state")
	if list := s.anonymous().get("/players").want(t, http.StatusOK).list("items"); len(list) != 6 {
		t.Errorf("%d players", len(list))
	}
}

// TestDownloads looks at the other files of a tournament: their types and names, and that they hold no draft.
func TestDownloads(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	made := olga.post(importDuels+"&name="+url.QueryEscape(`Ünal "Cup" 2026`), begun, asText).want(t, http.StatusCreated)
	path := "/tournaments/" + made.text("id")
	olga.post(path+"/rounds", map[string]any{"publish": false}).want(t, http.StatusCreated)
	for format, kind := range map[string]string{
		"trf": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8; header=present", "json": "application/json",
		"record": "text/plain; charset=utf-8",
	} {
		for _, who := range []person{s.anonymous(), olga} {
			a := who.get(path+"/export?format="+format).want(t, http.StatusOK).lacks(t, `"paired"`)
			if got := a.header.Get("Content-Type"); got != kind {
				t.Errorf("%s comes as %s", format, got)
			}
			want := `attachment; filename=_nal-Cup-2026`
			if got := a.header.Get("Content-Disposition"); !strings.HasPrefix(got, want) ||
				!strings.Contains(got, `filename*=utf-8''%C3%9Cnal-Cup-2026`) {
				t.Errorf("%s is called %s", format, got)
			}
		}
	}
	table, err := csv.NewReader(strings.NewReader(string(s.anonymous().get(path + "/export?format=csv").raw))).ReadAll()
	if err != nil || len(table) != 7 || table[1][2] != "Kalnina, Ieva" || table[1][5] != "2" || table[0][6] != "BH/C1" {
		t.Errorf("%v, error %v", table, err)
	}
	s.anonymous().get(path+"/export?format=csv").has(t, "'=cmd|calc", "\r\n")
	table, err = csv.NewReader(strings.NewReader(string(s.anonymous().get(path + "/export?format=csv&table=pairings").
		raw))).ReadAll()
	if err != nil || len(table) != 7 || fmt.Sprint(table[1]) != "[1 1 1 Kalnina, Ieva 4 Liepa, Rita 1 0  ]" {
		t.Errorf("%v, error %v", table, err)
	}
	document := s.anonymous().get(path+"/export?format=json").want(t, http.StatusOK).
		lacks(t, "lot_seed", "somebody@example.org").lacksYears(t)
	if len(document.list("rounds")) != 2 || len(document.list("entries")) != 6 ||
		document.text("standings", "rows", 0, "entry", "name") != "Kalnina, Ieva" {
		t.Errorf("%s", document.raw)
	}
	s.anonymous().get(path+"/export?format=json&table=pairings").refused(t, http.StatusUnprocessableEntity, "invalid")
	draft := olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	for _, format := range []string{"trf", "csv", "json"} {
		s.anonymous().get("/tournaments/"+draft+"/export?format="+format).refused(t, http.StatusNotFound, "not-found")
	}
	olga.get("/tournaments/"+draft+"/export?format=trf").refused(t, http.StatusConflict, "wrong-state")
	olga.get("/tournaments/"+draft+"/export?format=csv").want(t, http.StatusOK)
}
