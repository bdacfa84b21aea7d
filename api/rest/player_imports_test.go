package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestPlayersAreImported from a table, all or none.
func TestPlayersAreImported(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	good := "\ufeffname,Club,birth_year,quixo-blitz\r\n\"Kalniņa, Ieva\",Rīga,1990,1630.5\r\nBob,,,\r\n"
	key := apitest.Header{"Idempotency-Key", "club-list"}
	made := olga.Post("/players/import", good, apitest.AsCSV, key).Want(t, http.StatusCreated)
	if len(made.List("items")) != 2 || made.Text("items", 0, "name") != "Kalniņa, Ieva" ||
		made.Number("items", 0, "birth_year") != 1990 ||
		made.Number("items", 0, "rating", "quixo-blitz") != 1630.5 || made.Text("items", 0, "club") != "Rīga" {
		t.Errorf("%s", made.Raw)
	}
	olga.Get("/players/"+made.Text("items", 1, "id")).Want(t, http.StatusOK).Has(t, `"Bob"`)
	if again := olga.Post("/players/import", good, apitest.AsCSV, key).
		Want(t, http.StatusCreated); again.Text("items", 0, "id") != made.Text("items", 0, "id") {
		t.Errorf("%s", again.Raw)
	}
	olga.Post("/players/import", "name;club\nCleo;Rīga\n", apitest.AsCSV).Want(t, http.StatusCreated).Has(t, "Cleo")
	before := s.Anonymous().Get("/players").Want(t, http.StatusOK)

	s.Anonymous().Post("/players/import", good, apitest.AsCSV).Refused(t, http.StatusUnauthorized, "unauthorized")
	ada.Post("/players/import", good, apitest.AsCSV).Refused(t, http.StatusForbidden, "forbidden")
	ada.Post("/players/import", strings.Repeat("x", 2<<20), apitest.AsCSV).
		Refused(t, http.StatusRequestEntityTooLarge, "too-large")
	olga.Post("/players/import", good).Refused(t, http.StatusUnsupportedMediaType, "unsupported-media-type")
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
		a := olga.Post("/players/import", tt.body, apitest.AsCSV).Refused(t, http.StatusUnprocessableEntity, "invalid").
			Has(t, tt.has)
		if a.Text("errors", 0, "pointer") != tt.pointer {
			t.Errorf("%.40q: pointer %q, want %q", tt.body, a.Text("errors", 0, "pointer"), tt.pointer)
		}
	}
	if after := s.Anonymous().Get("/players").Want(t, http.StatusOK); string(after.Raw) != string(before.Raw) {
		t.Errorf("something of a faulty table was entered: %s", after.Raw)
	}
}
