package rest_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
	"quatuor/tournament/trf"
)

// TestATournamentGoesOnHere takes a tournament over, pairs its next round, and exports it.
func TestATournamentGoesOnHere(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	made := olga.Post(apitest.ImportDuels+"&rated=true", apitest.BegunTRF, apitest.AsText).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	if made.Text("status") != "running" || made.Text("name") != "Spring Open" || made.Number("rounds") != 5 ||
		made.Number("rounds_paired") != 2 ||
		fmt.Sprint(made.List("tie_breaks")) != "[BH/C1 BH DE]" || made.Text("pairing", "initial_colour") != "white" {
		t.Errorf("%s", made.Raw)
	}
	entries := s.Anonymous().Get(path+"/entries").Want(t, http.StatusOK)
	player := entries.Text("items", 0, "members", 0, "id")
	olga.Post("/players/"+player+"/claim-code", nil).Want(t, http.StatusCreated)
	if p := olga.Get("/players/"+player).Want(t, http.StatusOK); p.Number("birth_year") != 1990 ||
		p.At("claimed") != false {
		t.Errorf("%s", p.Raw)
	}
	olga.Get(path+"/forbidden-pairs").Want(t, http.StatusOK).Has(t, entries.Text("items", 3, "id"))
	round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	// 4 has a half-point bye, so that a fifth entry has the bye; 1 and 6 have most points.
	if len(round.List("pairings")) != 4 || round.Text("pairings", 0, "game_id") == "" {
		t.Errorf("%s", round.Raw)
	}
	if lists := s.Anonymous().Get("/ratings").Want(t, http.StatusOK); len(lists.List("items")) != 0 {
		t.Errorf("games that were played elsewhere have been rated: %s", lists.Raw)
	}
	staff := olga.Get(path+"/export?format=trf").Want(t, http.StatusOK)
	for _, line := range []string{
		"022 Riga", "102 Ozola, Anna", "### made elsewhere", "DAT 0003 EMAIL somebody@example.org", "260 001 005 0001 0004",
		"WGM Kalnina", "1990/05/01",
	} {
		staff.Has(t, line)
	}
	if _, err := trf.Read(staff.Raw); err != nil {
		t.Error(err)
	}
	s.Anonymous().Get(path+"/export?format=trf").Want(t, http.StatusOK).Has(t, "022 Riga", "WGM Kalnina", "11600001").
		Lacks(t, "260 ", "DAT ", "1990", "made elsewhere", " wWGM")
	s.Anonymous().Get(path+"/history").Want(t, http.StatusOK)
	olga.Get(path+"/history").Want(t, http.StatusOK).Has(t, `"import"`).Lacks(t, `"create"`)
}

// TestPlayersAreNotFoundByName unless they are named by their numbers.
func TestPlayersAreNotFoundByName(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	body := map[string]any{
		"report": strings.ReplaceAll(apitest.BegunTRF, "Berzins, Janis", "Player ada    "), "variant": "quixo/duel",
		"time_control": "300+3", "options": map[string]any{},
	}
	made := olga.Post("/tournaments/import", body).Want(t, http.StatusCreated)
	s.Anonymous().Get("/tournaments/"+made.Text("id")+"/entries").Lacks(t, ada.Player)
	body["players"] = []any{map[string]any{"number": 2, "player_id": ada.Player}}
	made = olga.Post("/tournaments/import", body).Want(t, http.StatusCreated)
	entries := s.Anonymous().Get("/tournaments/"+made.Text("id")+"/entries").Want(t, http.StatusOK)
	if entries.Text("items", 1, "members", 0, "id") != ada.Player {
		t.Errorf("%s", entries.Raw)
	}
	for players, pointer := range map[string]string{
		`[{"number":2,"player_id":"nobody"}]`:                                                 "/players/0/player_id",
		`[{"number":9,"player_id":"player-of-ada"}]`:                                          "/report",
		`[{"number":2,"player_id":"player-of-ada"},{"number":2,"player_id":"player-of-ada"}]`: "/players/1/number",
		`[{"number":2,"player_id":"player-of-ada"},{"number":3,"player_id":"player-of-ada"}]`: "/report",
	} {
		a := olga.Post("/tournaments/import",
			fmt.Sprintf(`{"report":%q,"variant":"quixo/duel","time_control":"300+3","players":%s}`, apitest.BegunTRF, players)).
			Refused(t, http.StatusUnprocessableEntity, "invalid")
		if a.Text("errors", 0, "pointer") != pointer {
			t.Errorf("%s: %s", players, a.Raw)
		}
	}
	nobody := olga.Post(apitest.ImportDuels+"&names_only=true", apitest.BegunTRF, apitest.AsText).
		Want(t, http.StatusCreated)
	s.Anonymous().Get("/tournaments/"+nobody.Text("id")+"/entries").Want(t, http.StatusOK).Has(t, `"members":[]`)
	round := olga.Post("/tournaments/"+nobody.Text("id")+"/rounds", nil).Want(t, http.StatusCreated)
	round.Lacks(t, "game_id")
}

// TestImportRights looks at what is refused, and that nothing remains of it.
func TestImportRights(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	s.Anonymous().Post(apitest.ImportDuels, apitest.BegunTRF, apitest.AsText).
		Refused(t, http.StatusUnauthorized, "unauthorized")
	ada.Post(apitest.ImportDuels, apitest.BegunTRF, apitest.AsText).Refused(t, http.StatusForbidden, "forbidden")
	olga.TokenFor("read", "play").Post(apitest.ImportDuels, apitest.BegunTRF, apitest.AsText).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	wrong := strings.Replace(apitest.BegunTRF, "0.5    5", "1.5    5", 1)
	for _, tt := range []struct{ where, body, has string }{
		{apitest.ImportDuels, wrong, "line 15, player 4: 1.5 points in columns 81 to 84"},
		{apitest.ImportDuels, "hello", "there is no player"},
		{"/tournaments/import", apitest.BegunTRF, "say which variant"},
		{"/tournaments/import?variant=quits/four&time_control=60", apitest.BegunTRF, `"parameter":"format"`},
		{"/tournaments/import?variant=quixo/duel", apitest.BegunTRF, "time_control"},
		{apitest.ImportDuels + "&format=knockout", apitest.BegunTRF, `"parameter":"format"`},
		{apitest.ImportDuels + "&rounds=1", apitest.BegunTRF, `"parameter":"rounds"`},
		{apitest.ImportDuels + "&tie_breaks=NO", apitest.BegunTRF, `"parameter":"tie_breaks"`},
	} {
		olga.Post(tt.where, tt.body, apitest.AsText).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, tt.has)
	}
	olga.Post("/tournaments/import?variant=quixo/duel",
		map[string]any{"report": apitest.BegunTRF, "variant": "quixo/duel"}).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	olga.Post(apitest.ImportDuels, apitest.BegunTRF, apitest.Header{"Content-Type", "image/png"}).
		Refused(t, http.StatusUnsupportedMediaType, "unsupported-media-type")
	olga.Post(apitest.ImportDuels+"&check=true", apitest.BegunTRF, apitest.AsText).Want(t, http.StatusOK).
		Has(t, "Spring Open")
	s.Anonymous().Get("/tournaments?status=running,finished").Want(t, http.StatusOK).Lacks(t, "Spring Open")
	s.Anonymous().Get("/players").Want(t, http.StatusOK).Lacks(t, "Kalnina")

	large := apitest.BegunTRF + strings.Repeat("### "+strings.Repeat("x", 95)+"\n", 40_000)
	ada.Post(apitest.ImportDuels, large, apitest.AsText).Refused(t, http.StatusRequestEntityTooLarge, "too-large")
	olga.Post("/tournaments", large).Refused(t, http.StatusRequestEntityTooLarge, "too-large")
	made := olga.Post(apitest.ImportDuels, large, apitest.AsText).Want(t, http.StatusCreated)
	if back := olga.Get("/tournaments/"+made.Text("id")+"/export?format=trf").
		Want(t, http.StatusOK); len(back.Raw) < len(large) {
		t.Errorf("%d of %d bytes came back", len(back.Raw), len(large))
	}
	olga.Post(apitest.ImportDuels, apitest.BegunTRF+strings.Repeat("#", 16<<20), apitest.AsText).
		Refused(t, http.StatusRequestEntityTooLarge, "too-large")
}

// TestAnImportMayBeRepeated with its key, and the query is part of the request.
func TestAnImportMayBeRepeated(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	key := apitest.Header{"Idempotency-Key", "spring"}
	first := olga.Post(apitest.ImportDuels, apitest.BegunTRF, apitest.AsText, key).Want(t, http.StatusCreated)
	if again := olga.Post(apitest.ImportDuels, apitest.BegunTRF, apitest.AsText, key).
		Want(t, http.StatusCreated); again.Text("id") != first.Text("id") {
		t.Errorf("%s and %s", first.Raw, again.Raw)
	}
	olga.Post(apitest.ImportDuels+"&rated=true", apitest.BegunTRF, apitest.AsText, key).
		Refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	path := "/tournaments/" + first.Text("id")
	olga.Send(http.MethodDelete, path, nil, apitest.Header{"If-Match", first.Header.Get("ETag")}).
		Want(t, http.StatusNoContent)
	s.Anonymous().Get(path).Refused(t, http.StatusNotFound, "not-found")
	second := olga.Post(apitest.ImportDuels+"&names_only=true", apitest.BegunTRF, apitest.AsText).
		Want(t, http.StatusCreated)
	path = "/tournaments/" + second.Text("id")
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	olga.Send(http.MethodDelete, path, nil, apitest.Header{"If-Match", "*"}).Refused(t, http.StatusConflict, "wrong-state")
	if list := s.Anonymous().Get("/players").Want(t, http.StatusOK).List("items"); len(list) != 6 {
		t.Errorf("%d players", len(list))
	}
}

// TestDownloads looks at the other files of a tournament: their types and names, and that they hold no draft.
func TestDownloads(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	made := olga.Post(apitest.ImportDuels+"&name="+url.QueryEscape(`Ünal "Cup" 2026`), apitest.BegunTRF, apitest.AsText).
		Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	olga.Post(path+"/rounds", map[string]any{"publish": false}).Want(t, http.StatusCreated)
	for format, kind := range map[string]string{
		"trf": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8; header=present", "json": "application/json",
		"record": "text/plain; charset=utf-8",
	} {
		for _, who := range []apitest.Person{s.Anonymous(), olga} {
			a := who.Get(path+"/export?format="+format).Want(t, http.StatusOK).Lacks(t, `"paired"`)
			if got := a.Header.Get("Content-Type"); got != kind {
				t.Errorf("%s comes as %s", format, got)
			}
			want := `attachment; filename=_nal-Cup-2026`
			if got := a.Header.Get("Content-Disposition"); !strings.HasPrefix(got, want) ||
				!strings.Contains(got, `filename*=utf-8''%C3%9Cnal-Cup-2026`) {
				t.Errorf("%s is called %s", format, got)
			}
		}
	}
	table, err := csv.NewReader(strings.NewReader(string(s.Anonymous().Get(path + "/export?format=csv").Raw))).ReadAll()
	if err != nil || len(table) != 7 || table[1][2] != "Kalnina, Ieva" || table[1][5] != "2" || table[0][6] != "BH/C1" {
		t.Errorf("%v, error %v", table, err)
	}
	s.Anonymous().Get(path+"/export?format=csv").Has(t, "'=cmd|calc", "\r\n")
	table, err = csv.NewReader(strings.NewReader(string(s.Anonymous().Get(path + "/export?format=csv&table=pairings").
		Raw))).ReadAll()
	if err != nil || len(table) != 7 || fmt.Sprint(table[1]) != "[1 1 1 Kalnina, Ieva 4 Liepa, Rita 1 0  ]" {
		t.Errorf("%v, error %v", table, err)
	}
	document := s.Anonymous().Get(path+"/export?format=json").Want(t, http.StatusOK).
		Lacks(t, "lot_seed", "somebody@example.org").LacksYears(t)
	if len(document.List("rounds")) != 2 || len(document.List("entries")) != 6 ||
		document.Text("standings", "rows", 0, "entry", "name") != "Kalnina, Ieva" {
		t.Errorf("%s", document.Raw)
	}
	s.Anonymous().Get(path+"/export?format=json&table=pairings").Refused(t, http.StatusUnprocessableEntity, "invalid")
	draft := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	for _, format := range []string{"trf", "csv", "json"} {
		s.Anonymous().Get("/tournaments/"+draft+"/export?format="+format).Refused(t, http.StatusNotFound, "not-found")
	}
	olga.Get("/tournaments/"+draft+"/export?format=trf").Refused(t, http.StatusConflict, "wrong-state")
	olga.Get("/tournaments/"+draft+"/export?format=csv").Want(t, http.StatusOK)
}
