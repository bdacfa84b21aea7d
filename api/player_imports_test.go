package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

var asTable = header{"Content-Type", "text/csv"}

// TestPlayersAreImported from a table, all or none.
func TestPlayersAreImported(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	good := "\ufeffname,Club,birth_year,quixo-blitz\r\n\"Kalniņa, Ieva\",Rīga,1990,1630.5\r\nBob,,,\r\n"
	key := header{"Idempotency-Key", "club-list"}
	made := olga.post("/players/import", good, asTable, key).want(t, http.StatusCreated)
	if len(made.list("items")) != 2 || made.text("items", 0, "name") != "Kalniņa, Ieva" ||
		made.number("items", 0, "birth_year") != 1990 ||
		made.number("items", 0, "rating", "quixo-blitz") != 1630.5 || made.text("items", 0, "club") != "Rīga" {
		t.Errorf("%s", made.raw)
	}
	olga.get("/players/"+made.text("items", 1, "id")).want(t, http.StatusOK).has(t, `"Bob"`)
	if again := olga.post("/players/import", good, asTable, key).
		want(t, http.StatusCreated); again.text("items", 0, "id") != made.text("items", 0, "id") {
		t.Errorf("%s", again.raw)
	}
	olga.post("/players/import", "name;club\nCleo;Rīga\n", asTable).want(t, http.StatusCreated).has(t, "Cleo")
	before := s.anonymous().get("/players").want(t, http.StatusOK)

	s.anonymous().post("/players/import", good, asTable).refused(t, http.StatusUnauthorized, "unauthorized")
	ada.post("/players/import", good, asTable).refused(t, http.StatusForbidden, "forbidden")
	ada.post("/players/import", strings.Repeat("x", 2<<20), asTable).
		refused(t, http.StatusRequestEntityTooLarge, "too-large")
	olga.post("/players/import", good).refused(t, http.StatusUnsupportedMediaType, "unsupported-media-type")
	for _, tt := range []struct{ body, pointer, has string }{
		{"name,birth_year\nDan,1985\nEmil,85\n,1990\n", "/lines/3/birth_year", "line 3: \\\"85\\\" is no year of birth from 1900 to 2100; and 1 more"},
		{"name\n", "", "no player"},
		{"club\nRīga\n", "/lines/1", "a column called name"},
		{"name,age\nDan,7\n", "/lines/1", "is no column"},
		{"name,quixo-fast\nDan,7\n", "/lines/1", "is no column"},
		{"name,name\nDan,Dan\n", "/lines/1", "two columns"},
		{"name,club\nDan\n", "/lines/2", "2 columns"},
		{"name\nDan\nDan\n", "/lines/3", "of line 2 again"},
		{"name\nD\x00n\n", "/lines/2/name", "U+0000"},
		{"name\n\u3164\n", "/lines/2/name", "blank"},
		{"name,club\nDan,\u202eR\n", "/lines/2/club", "direction"},
		{"name,quixo-blitz\nDan,NaN\n", "/lines/2/quixo-blitz", "no rating"},
		{"name\n" + strings.Repeat("x", 201) + "\n", "/lines/2/name", "201 characters"},
		{"name\nD\xfcn\n", "", "UTF-8"},
		{"name\n\"Dan\n", "/lines/2", "cannot be read"},
		{"name\n" + strings.Repeat("Dan\n", 10_001), "/lines/10002", "at most 10000"},
	} {
		a := olga.post("/players/import", tt.body, asTable).refused(t, http.StatusUnprocessableEntity, "invalid").
			has(t, tt.has)
		if a.text("errors", 0, "pointer") != tt.pointer {
			t.Errorf("%.40q: pointer %q, want %q", tt.body, a.text("errors", 0, "pointer"), tt.pointer)
		}
	}
	if after := s.anonymous().get("/players").want(t, http.StatusOK); string(after.raw) != string(before.raw) {
		t.Errorf("something of a faulty table was entered: %s", after.raw)
	}
}
