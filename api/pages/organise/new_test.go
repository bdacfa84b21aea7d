package organise_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestNewTournament creates a single tournament however often the form is sent, and keeps the input of a refused form.
func TestNewTournament(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, player := s.WithRole("olga", account.RoleOrganiser), s.Register("paul")
	player.Get("//tournaments/new").Want(t, http.StatusForbidden)
	if to := s.Anonymous().Get("//tournaments/new").Want(t, http.StatusSeeOther).
		Header.Get("Location"); !strings.HasPrefix(to, "/login?next=") {
		t.Errorf("led to %s", to)
	}
	form := organiser.NewTournamentForm(map[string]string{
		"rated": "1", "rounds": "4", "half_byes": "2", "win": "3", "draw": "1", "tie_breaks": "BH, SB",
	})
	player.PostForm("/tournaments/new", form).Want(t, http.StatusForbidden)
	first := organiser.PostForm("/tournaments/new", form).Want(t, http.StatusSeeOther).Header.Get("Location")
	if again := organiser.PostForm("/tournaments/new", form).Want(t, http.StatusSeeOther).
		Header.Get("Location"); again != first {
		t.Errorf("sent twice, it led to %s and %s", first, again)
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(first, "/tournaments/"), "/")
	made := organiser.Get("/tournaments/"+id).Want(t, http.StatusOK)
	if made.Text("venue") != "hall" || made.Number("rounds") != 4 || made.Number("points", "win") != 3 ||
		made.Number("pairing", "half_point_byes") != 2 ||
		made.At("rated") != true || len(made.List("tie_breaks")) != 2 {
		t.Errorf("made %s", made.Raw)
	}
	bad := organiser.NewTournamentForm(map[string]string{"name": " ", "rounds": "x", "win": "1.25", "no_show": "7"})
	organiser.PostForm("/tournaments/new", bad).Want(t, http.StatusUnprocessableEntity).
		Says(t, `role="alert"`, `"x" is not possible`, `value="1.25"`, `value="7"`)
	organiser.PostForm("/tournaments/new", organiser.NewTournamentForm(map[string]string{"control": "soon"})).
		Want(t, http.StatusUnprocessableEntity).Says(t, "<li>Time control: ")
	organiser.PostForm("/tournaments/new", url.Values{"name": {"x"}}).Want(t, http.StatusBadRequest)
	organiser.Get("//tournaments/new?players=6&hours=4&control=600%2B5").Want(t, http.StatusOK).
		Says(t, "Round-robin, 5 rounds of about 30 minutes, 150 minutes in all.")
	organiser.Get("//tournaments/new?players=40&hours=3&control=300%2B3").Want(t, http.StatusOK).
		Says(t, "Swiss system, 8 rounds")
	organiser.Get("//tournaments/new?players=64&hours=1&control=1800%2B30").Want(t, http.StatusOK).
		Says(t, "That is tight.")
}

// TestLikeLastThursday copies the settings of an earlier tournament and its players.
func TestLikeLastThursday(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, other := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	id := organiser.Draft("Last Thursday")
	for _, name := range []string{"Anna", "Bert"} {
		player := organiser.Post("/players", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id")
		organiser.Post("/tournaments/"+id+"/entries", map[string]any{"player_id": player}).Want(t, http.StatusCreated)
	}
	other.Get("//tournaments/new?like="+id).Want(t, http.StatusNotFound)
	other.PostForm("/tournaments/new", other.NewTournamentForm(map[string]string{"like": id})).Want(t, http.StatusNotFound)
	organiser.Get("//tournaments/new?like="+id).Want(t, http.StatusOK).
		Says(t, `value="Last Thursday"`, `name="entries"`, `name="like" value="`+id)
	to := organiser.PostForm("/tournaments/new",
		organiser.NewTournamentForm(map[string]string{"like": id, "entries": "1"})).
		Want(t, http.StatusSeeOther).Header.Get("Location")
	made, _, _ := strings.Cut(strings.TrimPrefix(to, "/tournaments/"), "/")
	if n := organiser.Get("/tournaments/" + made).Number("entries"); n != 2 || made == id {
		t.Errorf("%v entries", n)
	}
}

// TestImportPage takes over a report file, and explains what is wrong with another.
func TestImportPage(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, player := s.WithRole("olga", account.RoleOrganiser), s.Register("paul")
	form := organiser.NewTournamentForm(map[string]string{"name": ""})
	player.Upload("/tournaments/new/import", "file", "012 x", form).Want(t, http.StatusForbidden)
	organiser.Get("//tournaments/new/import").Want(t, http.StatusSeeOther).RedirectsTo(t, "/tournaments/new#import")
	organiser.Get("//tournaments/new").Want(t, http.StatusOK).Says(t, `id="import" action="/tournaments/new/import"`)
	organiser.Upload("/tournaments/new/import", "file", "012 Broken\n001 what\n", form).
		Want(t, http.StatusUnprocessableEntity).Says(t, `role="alert"`)
	from := organiser.Draft("Report")
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		organiser.Post("/tournaments/"+from+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated)
	}
	organiser.Send(http.MethodPatch, "/tournaments/"+from, map[string]any{"rounds": 2}, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK)
	organiser.Post("/tournaments/"+from+"/start", nil).Want(t, http.StatusOK)
	organiser.Post("/tournaments/"+from+"/rounds", nil).Want(t, http.StatusCreated)
	report := string(organiser.Get("/tournaments/"+from+"/export?format=trf").Want(t, http.StatusOK).Raw)
	form = organiser.NewTournamentForm(map[string]string{"name": "Taken over"})
	organiser.Upload("/tournaments/new/import", "file", report, form).Want(t, http.StatusOK).
		Says(t, "Taken over", "The tournament has been created.", "To the desk")
}

// TestDraftsAreListedForTheirStaff shows a draft on the list and the first page to its staff alone.
func TestDraftsAreListedForTheirStaff(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, admin, arbiter := s.WithRole("olga", account.RoleOrganiser), s.WithRole("adam", account.RoleAdmin),
		s.Register("arno")
	other, player := s.WithRole("otto", account.RoleOrganiser), s.Register("paul")
	id := organiser.Draft("Surprise")
	tag := apitest.Header{"If-Match", organiser.Get("/tournaments/" + id).Header.Get("ETag")}
	organiser.Send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"arno"}}, tag).
		Want(t, http.StatusOK)
	for _, path := range []string{"//tournaments", "//"} {
		for _, c := range []struct {
			who  apitest.Person
			sees bool
		}{{organiser, true}, {admin, true}, {arbiter, true}, {other, false}, {player, false}, {s.Anonymous(), false}} {
			if sees := strings.Contains(c.who.Get(path).Want(t, http.StatusOK).Page(), "Surprise"); sees != c.sees {
				t.Errorf("%s: seen by %s: %v", path, c.who.Account, sees)
			}
		}
	}
}

// TestTrailingSlashes lead to the pages that are meant.
func TestTrailingSlashes(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	for path, want := range map[string]string{
		"//tournaments/":          "/tournaments",
		"//games/?status=running": "/games?status=running", "//players/x/": "/players/x",
	} {
		a := s.Anonymous().Get(path).Want(t, http.StatusMovedPermanently)
		if to := a.Header.Get("Location"); to != want {
			t.Errorf("%s leads to %s", path, to)
		}
	}
}

// TestDeskSettings changes settings, arbiters and prizes, refuses what is out of date, and deletes a draft.
func TestDeskSettings(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser := s.WithRole("olga", account.RoleOrganiser)
	s.Register("arno")
	id := organiser.Draft("Thursday")
	desk := "/tournaments/" + id + "/desk"
	seen := func(tab string) string {
		_, rest, _ := strings.Cut(organiser.Get("/"+desk+"?tab="+tab).Want(t, http.StatusOK).Page(), `name="seen" value="`)
		digest, _, _ := strings.Cut(rest, `"`)
		return digest
	}
	old := seen("settings")
	form := url.Values{
		"sent": {"1"}, "seen": {old}, "version": {"1"}, "name": {"Friday"}, "variant": {"quixo/duel"}, "venue": {"hall"},
		"format": {"round_robin"}, "control": {"300+3"}, "rated": {"1"},
	}
	organiser.PostForm(desk+"/settings", form).Want(t, http.StatusSeeOther)
	if made := organiser.Get("/tournaments/" + id); made.Text("name") != "Friday" ||
		made.Text("format") != "round_robin" || made.At("rated") != true {
		t.Errorf("changed to %s", made.Raw)
	}
	form.Set("name", "Saturday")
	organiser.PostForm(desk+"/settings", form).Want(t, http.StatusPreconditionFailed).
		Says(t, "changed the tournament after", "Settings changed", `value="Saturday"`)
	page := organiser.Get("/" + desk + "?tab=settings").Page()
	_, rest, _ := strings.Cut(page, "/desk/arbiters")
	_, rest, _ = strings.Cut(rest, `name="seen" value="`)
	arbiters, _, _ := strings.Cut(rest, `"`)
	organiser.PostForm(desk+"/arbiters", url.Values{"seen": {arbiters}, "login": {"nobody"}}).
		Want(t, http.StatusUnprocessableEntity).Says(t, "no account has the login")
	organiser.PostForm(desk+"/arbiters", url.Values{"seen": {arbiters}, "login": {"Arno"}}).Want(t, http.StatusSeeOther)
	organiser.PostForm(desk+"/arbiters", url.Values{"seen": {arbiters}, "remove": {"arno"}}).
		Want(t, http.StatusPreconditionFailed)
	organiser.PostForm(desk+"/prizes", url.Values{
		"seen": {seen("prizes")}, "sharing": {"equal"}, "name-0": {"First"},
		"prizes-0": {"100 and a cup\n50.50\na book"}, "age-to-0": {"18"},
	}).
		Want(t, http.StatusSeeOther)
	prizes := organiser.Get("/tournaments/"+id+"/prizes").Want(t, http.StatusOK)
	if prizes.Number("categories", 0, "prizes", 0, "amount") != 10_000 ||
		prizes.Text("categories", 0, "prizes", 0, "text") != "and a cup" ||
		prizes.Number("categories", 0, "prizes", 1, "amount") != 5050 ||
		prizes.Text("categories", 0, "prizes", 2, "text") != "a book" || prizes.Number("categories", 0, "age_to") != 18 {
		t.Errorf("prizes %s", prizes.Raw)
	}
	organiser.PostForm(desk+"/prizes", url.Values{"seen": {"x"}, "name-0": {"Lost"}, "prizes-0": {"1"}}).
		Want(t, http.StatusPreconditionFailed).Says(t, `value="Lost"`)
	organiser.PostForm(desk+"/delete", url.Values{"confirm": {"x"}}).Want(t, http.StatusUnprocessableEntity)
	organiser.PostForm(desk+"/stage", url.Values{"do": {"finish"}}).Want(t, http.StatusConflict)
	if to := organiser.PostForm(desk+"/delete", url.Values{"confirm": {"Friday"}, "version": {organiser.VersionOf(id)}}).
		Want(t, http.StatusSeeOther).Header.Get("Location"); to != "/tournaments?said=deleted" {
		t.Errorf("led to %s", to)
	}
	organiser.Get("//tournaments/"+id).Want(t, http.StatusNotFound)
}
