package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// newForm returns the fields of the form for a new tournament, with the key that the page gave.
func (p person) newForm(fields map[string]string) url.Values {
	p.s.t.Helper()
	_, rest, _ := strings.Cut(p.get("//tournaments/new").want(p.s.t, http.StatusOK).page(), `name="key" value="`)
	key, _, _ := strings.Cut(rest, `"`)
	out := url.Values{
		"key": {key}, "sent": {"1"}, "name": {"Thursday"}, "variant": {"quixo/duel"}, "venue": {"hall"}, "format": {"swiss"},
		"control": {"none"},
	}
	for name, value := range fields {
		out.Set(name, value)
	}
	return out
}

// TestNewTournament creates one tournament however often the form is sent, and keeps what was typed if it is refused.
func TestNewTournament(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, player := s.withRole("olga", account.RoleOrganiser), s.register("paul")
	player.get("//tournaments/new").want(t, http.StatusForbidden)
	if to := s.anonymous().get("//tournaments/new").want(t, http.StatusSeeOther).
		header.Get("Location"); !strings.HasPrefix(to, "/login?next=") {
		t.Errorf("led to %s", to)
	}
	form := organiser.newForm(map[string]string{
		"rated": "1", "rounds": "4", "half_byes": "2", "win": "3", "draw": "1", "tie_breaks": "BH, SB",
	})
	player.form("/tournaments/new", form).want(t, http.StatusForbidden)
	first := organiser.form("/tournaments/new", form).want(t, http.StatusSeeOther).header.Get("Location")
	if again := organiser.form("/tournaments/new", form).want(t, http.StatusSeeOther).
		header.Get("Location"); again != first {
		t.Errorf("sent twice, it led to %s and %s", first, again)
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(first, "/tournaments/"), "/")
	made := organiser.get("/tournaments/"+id).want(t, http.StatusOK)
	if made.text("venue") != "hall" || made.number("rounds") != 4 || made.number("points", "win") != 3 ||
		made.number("pairing", "half_point_byes") != 2 ||
		made.at("rated") != true || len(made.list("tie_breaks")) != 2 {
		t.Errorf("made %s", made.raw)
	}
	bad := organiser.newForm(map[string]string{"name": " ", "rounds": "x", "win": "1.25", "no_show": "7"})
	organiser.form("/tournaments/new", bad).want(t, http.StatusUnprocessableEntity).
		says(t, `role="alert"`, `"x" is not possible`, `value="1.25"`, `value="7"`)
	organiser.form("/tournaments/new", organiser.newForm(map[string]string{"control": "soon"})).
		want(t, http.StatusUnprocessableEntity).says(t, "<li>Time control: ")
	organiser.form("/tournaments/new", url.Values{"name": {"x"}}).want(t, http.StatusBadRequest)
	organiser.get("//tournaments/new?players=6&hours=4&control=600%2B5").want(t, http.StatusOK).
		says(t, "Round-robin, 5 rounds of about 30 minutes, 150 minutes in all.")
	organiser.get("//tournaments/new?players=40&hours=3&control=300%2B3").want(t, http.StatusOK).
		says(t, "Swiss system, 8 rounds")
	organiser.get("//tournaments/new?players=64&hours=1&control=1800%2B30").want(t, http.StatusOK).
		says(t, "That is tight.")
}

// TestLikeLastThursday copies the settings of an earlier tournament and its players.
func TestLikeLastThursday(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, other := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	id := organiser.draft("Last Thursday")
	for _, name := range []string{"Anna", "Bert"} {
		player := organiser.post("/players", map[string]any{"name": name}).want(t, http.StatusCreated).text("id")
		organiser.post("/tournaments/"+id+"/entries", map[string]any{"player_id": player}).want(t, http.StatusCreated)
	}
	other.get("//tournaments/new?like="+id).want(t, http.StatusNotFound)
	other.form("/tournaments/new", other.newForm(map[string]string{"like": id})).want(t, http.StatusNotFound)
	organiser.get("//tournaments/new?like="+id).want(t, http.StatusOK).
		says(t, `value="Last Thursday"`, `name="entries"`, `name="like" value="`+id)
	to := organiser.form("/tournaments/new", organiser.newForm(map[string]string{"like": id, "entries": "1"})).
		want(t, http.StatusSeeOther).header.Get("Location")
	made, _, _ := strings.Cut(strings.TrimPrefix(to, "/tournaments/"), "/")
	if n := organiser.get("/tournaments/" + made).number("entries"); n != 2 || made == id {
		t.Errorf("%v entries", n)
	}
}

// TestImportPage takes over a report file, and explains what is wrong with another.
func TestImportPage(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, player := s.withRole("olga", account.RoleOrganiser), s.register("paul")
	form := organiser.newForm(map[string]string{"name": ""})
	player.upload("/tournaments/new/import", "file", "012 x", form).want(t, http.StatusForbidden)
	organiser.get("//tournaments/new/import").want(t, http.StatusSeeOther).to(t, "/tournaments/new#import")
	organiser.get("//tournaments/new").want(t, http.StatusOK).says(t, `id="import" action="/tournaments/new/import"`)
	organiser.upload("/tournaments/new/import", "file", "012 Broken\n001 what\n", form).
		want(t, http.StatusUnprocessableEntity).says(t, `role="alert"`)
	from := organiser.draft("Report")
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		organiser.post("/tournaments/"+from+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated)
	}
	organiser.send(http.MethodPatch, "/tournaments/"+from, map[string]any{"rounds": 2}, header{"If-Match", "*"}).
		want(t, http.StatusOK)
	organiser.post("/tournaments/"+from+"/start", nil).want(t, http.StatusOK)
	organiser.post("/tournaments/"+from+"/rounds", nil).want(t, http.StatusCreated)
	report := string(organiser.get("/tournaments/"+from+"/export?format=trf").want(t, http.StatusOK).raw)
	form = organiser.newForm(map[string]string{"name": "Taken over"})
	organiser.upload("/tournaments/new/import", "file", report, form).want(t, http.StatusOK).
		says(t, "Taken over", "The tournament has been created.", "To the desk")
}

// TestDraftsAreListedForTheirStaff shows a draft on the list and the first page to its staff alone.
func TestDraftsAreListedForTheirStaff(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, admin, arbiter := s.withRole("olga", account.RoleOrganiser), s.withRole("adam", account.RoleAdmin),
		s.register("arno")
	other, player := s.withRole("otto", account.RoleOrganiser), s.register("paul")
	id := organiser.draft("Surprise")
	tag := header{"If-Match", organiser.get("/tournaments/" + id).header.Get("ETag")}
	organiser.send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"arno"}}, tag).
		want(t, http.StatusOK)
	for _, path := range []string{"//tournaments", "//"} {
		for _, c := range []struct {
			who  person
			sees bool
		}{{organiser, true}, {admin, true}, {arbiter, true}, {other, false}, {player, false}, {s.anonymous(), false}} {
			if sees := strings.Contains(c.who.get(path).want(t, http.StatusOK).page(), "Surprise"); sees != c.sees {
				t.Errorf("%s: seen by %s: %v", path, c.who.account, sees)
			}
		}
	}
}

// TestTrailingSlashes lead to the pages that are meant.
func TestTrailingSlashes(t *testing.T) {
	s := newService(t, withRealPages)
	for path, want := range map[string]string{
		"//tournaments/":          "/tournaments",
		"//games/?status=running": "/games?status=running", "//players/x/": "/players/x",
	} {
		a := s.anonymous().get(path).want(t, http.StatusMovedPermanently)
		if to := a.header.Get("Location"); to != want {
			t.Errorf("%s leads to %s", path, to)
		}
	}
}

// TestDeskSettings changes settings, arbiters and prizes, refuses what is out of date, and deletes a draft.
func TestDeskSettings(t *testing.T) {
	s := newService(t, withRealPages)
	organiser := s.withRole("olga", account.RoleOrganiser)
	s.register("arno")
	id := organiser.draft("Thursday")
	desk := "/tournaments/" + id + "/desk"
	seen := func(tab string) string {
		_, rest, _ := strings.Cut(organiser.get("/"+desk+"?tab="+tab).want(t, http.StatusOK).page(), `name="seen" value="`)
		digest, _, _ := strings.Cut(rest, `"`)
		return digest
	}
	old := seen("settings")
	form := url.Values{
		"sent": {"1"}, "seen": {old}, "version": {"1"}, "name": {"Friday"}, "variant": {"quixo/duel"}, "venue": {"hall"},
		"format": {"round_robin"}, "control": {"300+3"}, "rated": {"1"},
	}
	organiser.form(desk+"/settings", form).want(t, http.StatusSeeOther)
	if made := organiser.get("/tournaments/" + id); made.text("name") != "Friday" ||
		made.text("format") != "round_robin" || made.at("rated") != true {
		t.Errorf("changed to %s", made.raw)
	}
	form.Set("name", "Saturday")
	organiser.form(desk+"/settings", form).want(t, http.StatusPreconditionFailed).
		says(t, "changed the tournament after", "Settings changed", `value="Saturday"`)
	page := organiser.get("/" + desk + "?tab=settings").page()
	_, rest, _ := strings.Cut(page, "/desk/arbiters")
	_, rest, _ = strings.Cut(rest, `name="seen" value="`)
	arbiters, _, _ := strings.Cut(rest, `"`)
	organiser.form(desk+"/arbiters", url.Values{"seen": {arbiters}, "login": {"nobody"}}).
		want(t, http.StatusUnprocessableEntity).says(t, "no account has the login")
	organiser.form(desk+"/arbiters", url.Values{"seen": {arbiters}, "login": {"Arno"}}).want(t, http.StatusSeeOther)
	organiser.form(desk+"/arbiters", url.Values{"seen": {arbiters}, "remove": {"arno"}}).
		want(t, http.StatusPreconditionFailed)
	organiser.form(desk+"/prizes", url.Values{
		"seen": {seen("prizes")}, "sharing": {"equal"}, "name-0": {"First"},
		"prizes-0": {"100 and a cup\n50.50\na book"}, "age-to-0": {"18"},
	}).
		want(t, http.StatusSeeOther)
	prizes := organiser.get("/tournaments/"+id+"/prizes").want(t, http.StatusOK)
	if prizes.number("categories", 0, "prizes", 0, "amount") != 10_000 ||
		prizes.text("categories", 0, "prizes", 0, "text") != "and a cup" ||
		prizes.number("categories", 0, "prizes", 1, "amount") != 5050 ||
		prizes.text("categories", 0, "prizes", 2, "text") != "a book" || prizes.number("categories", 0, "age_to") != 18 {
		t.Errorf("prizes %s", prizes.raw)
	}
	organiser.form(desk+"/prizes", url.Values{"seen": {"x"}, "name-0": {"Lost"}, "prizes-0": {"1"}}).
		want(t, http.StatusPreconditionFailed).says(t, `value="Lost"`)
	organiser.form(desk+"/delete", url.Values{"confirm": {"x"}}).want(t, http.StatusUnprocessableEntity)
	organiser.form(desk+"/stage", url.Values{"do": {"finish"}}).want(t, http.StatusConflict)
	if to := organiser.form(desk+"/delete", url.Values{"confirm": {"Friday"}, "version": {organiser.versionOf(id)}}).
		want(t, http.StatusSeeOther).header.Get("Location"); to != "/tournaments?said=deleted" {
		t.Errorf("led to %s", to)
	}
	organiser.get("//tournaments/"+id).want(t, http.StatusNotFound)
}
