package desk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestDeskAddsPlayers pastes names, chooses the player where the club has several, and adds no player twice.
func TestDeskAddsPlayers(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser := s.WithRole("olga", account.RoleOrganiser)
	known := organiser.Post("/players", map[string]any{"name": "Anna Berg", "club": "Tuesday Club"}).
		Want(t, http.StatusCreated).Text("id")
	id := organiser.Draft("Thursday")
	add, desk := "/tournaments/"+id+"/desk/add", "//tournaments/"+id+"/desk?tab=entries"
	fields := url.Values{
		"version": {"1"}, "names": {"Anna Berg\nBert Carl; 1650; Chess Club\n\nDora Edel 1480\n<b>Mallory</b>\n"},
	}
	organiser.PostForm(add, fields).Want(t, http.StatusOK).
		Says(t, "Who do you mean?", "The club knows 1 of these names.", "Anna Berg, Tuesday Club",
			"The other 3 become new players.")
	if n := organiser.Get("/tournaments/" + id).Number("entries"); n != 0 {
		t.Fatalf("%v entries before the organiser said who is meant", n)
	}
	fields.Set("chosen", "1")
	fields.Set("p0", known)
	organiser.PostForm(add, fields).Want(t, http.StatusSeeOther)
	entries := organiser.Get("/tournaments/" + id + "/entries")
	want := map[string]struct {
		club   string
		rating float64
	}{
		"Anna Berg": {"Tuesday Club", 0}, "Bert Carl": {"Chess Club", 1650}, "Dora Edel": {"", 1480},
		"<b>Mallory</b>": {"", 0},
	}
	if len(entries.List("items")) != len(want) {
		t.Fatalf("%d entries", len(entries.List("items")))
	}
	for i := range entries.List("items") {
		w, ok := want[entries.Text("items", i, "name")]
		if !ok || entries.Text("items", i, "club") != w.club || entries.Number("items", i, "rating") != w.rating ||
			entries.Text("items", i, "members", 0, "id") == "" {
			t.Errorf("entry %v", entries.At("items", i))
		}
		if entries.Text("items", i, "name") == "Anna Berg" && entries.Text("items", i, "members", 0, "id") != known {
			t.Error("Anna Berg was made again")
		}
	}
	page := organiser.Get(desk).Want(t, http.StatusOK)
	if strings.Contains(string(page.Raw), "<b>Mallory") {
		t.Error("a name is markup")
	}
	// The same form once more, as by a second press of the button, adds no player again.
	organiser.PostForm(add, fields).Want(t, http.StatusUnprocessableEntity).
		Says(t, "is in the tournament already", "Bert Carl; 1650")
	if players := organiser.Get("/players?limit=200"); len(players.List("items")) != 4 {
		t.Errorf("%d players", len(players.List("items")))
	}
	organiser.PostForm("/tournaments/"+id+"/desk/undo", url.Values{"act": {"2"}, "tab": {"entries"}}).
		Want(t, http.StatusSeeOther)
	if n := organiser.Get("/tournaments/" + id).Number("entries"); n != 0 {
		t.Errorf("%v entries after undoing", n)
	}
	for _, bad := range []string{"", "Anna; 9999", "Anna; 1; 2; 3", strings.Repeat("x\n", 501)} {
		organiser.PostForm(add, url.Values{"version": {"1"}, "names": {bad}}).Want(t, http.StatusUnprocessableEntity).
			Says(t, `role="alert"`)
	}
}

// TestDeskAddsFromATableAndTheClub reads a file, and adds a player that a search has found.
func TestDeskAddsFromATableAndTheClub(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, arbiter := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	id := organiser.Draft("Thursday")
	add := "/tournaments/" + id + "/desk/add"
	table := "name;club;birth_year\nAnna Berg;Tuesday Club;1990\nBert Carl;;\n"
	preview := organiser.Upload(add, "file", table, url.Values{"version": {"1"}}).Want(t, http.StatusOK).
		Says(t, "2 new players:", `<option value="birth_year" selected>`)
	if n := organiser.Get("/tournaments/" + id).Number("entries"); n != 0 {
		t.Errorf("a preview entered %v", n)
	}
	fields := url.Values{"version": {"1"}, "table": {preview.HiddenField(t, "table")}, "head": {"1"}, "chosen": {"1"}}
	for i, holds := range []string{"name", "club", "birth_year"} {
		fields.Set("column-"+strconv.Itoa(i), holds)
	}
	fields.Set("column-0", "")
	organiser.PostForm(add, fields).Want(t, http.StatusOK).Says(t, `role="alert"`, "choose the column that has the names")
	fields.Set("column-0", "name")
	organiser.PostForm(add, fields).Want(t, http.StatusSeeOther)
	organiser.PostForm(add, fields).Want(t, http.StatusUnprocessableEntity).
		Has(t, "in the tournament already", `name="table"`)
	organiser.Upload(add, "file", "name\nJ\xf6rg\nx\x07\n", url.Values{"version": {"2"}}).Want(t, http.StatusOK).
		Says(t, "Jörg", "1 line is left out", "1 new player:")
	organiser.Upload(add, "file", "PK\x03\x04\x00\x00", url.Values{"version": {"2"}}).
		Want(t, http.StatusUnprocessableEntity).Says(t, "no text")
	player := organiser.Post("/players", map[string]any{"name": "Cleo Dorn"}).Want(t, http.StatusCreated).Text("id")
	organiser.Get("//tournaments/"+id+"/desk?tab=entries&player=dorn").Want(t, http.StatusOK).
		Says(t, "Cleo Dorn", `value="`+player+`"`)
	organiser.PostForm(add, url.Values{"version": {"2"}, "player": {player}}).Want(t, http.StatusSeeOther)
	organiser.PostForm(add, url.Values{"version": {"2"}, "player": {player}}).Want(t, http.StatusUnprocessableEntity)
	organiser.PostForm(add, url.Values{"version": {"2"}, "player": {"nobody"}}).Want(t, http.StatusNotFound)
	arbiter.PostForm(add, url.Values{"names": {"Mallory"}}).Want(t, http.StatusNotFound)
	if n := organiser.Get("/tournaments/" + id).Number("entries"); n != 3 {
		t.Errorf("%v entries", n)
	}
}

// TestDeskCheckIn checks in by forms and by script, and keeps absent entries out of round 1.
func TestDeskCheckIn(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, anna := s.WithRole("olga", account.RoleOrganiser), s.Register("anna")
	id := organiser.Draft("Thursday")
	at, desk := "/tournaments/"+id, "/tournaments/"+id+"/desk"
	ids := []string{
		organiser.Post(at+"/entries", map[string]any{"player_id": anna.Player}).Want(t, http.StatusCreated).Text("id"),
	}
	for i := range 7 {
		ids = append(ids, organiser.Post(at+"/entries", map[string]any{"name": fmt.Sprint("Player ", i)}).
			Want(t, http.StatusCreated).Text("id"))
	}
	organiser.Post(at+"/open", nil).Want(t, http.StatusOK)
	if page := organiser.Get("/"+desk).Want(t, http.StatusOK).Page(); strings.Contains(page, `name="in"`) ||
		!strings.Contains(page, "Open check-in") {
		t.Error("before the check-in")
	}
	organiser.PostForm(desk+"/check-in", url.Values{"do": {"open"}}).Want(t, http.StatusSeeOther)
	if to := organiser.PostForm(desk+"/presence", url.Values{"in": {ids[1]}}).Want(t, http.StatusSeeOther).
		Header.Get("Location"); to != desk+"?tab=entries#e-"+ids[1] {
		t.Errorf("led to %s", to)
	}
	json := func(who apitest.Person, field, entry string) *apitest.Answer {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, desk+"/presence",
			strings.NewReader(url.Values{field: {entry}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Authorization", "Bearer "+who.Token)
		return s.Serve(r)
	}
	for range 2 { // two arbiters tap the same row
		if a := json(organiser, "in", ids[2]).Want(t, http.StatusOK); a.Number("here") != 2 || a.Number("expected") != 8 {
			t.Errorf("answered %s", a.Raw)
		}
	}
	json(anna, "in", ids[3]).Want(t, http.StatusForbidden)
	json(organiser, "in", "nobody").Want(t, http.StatusConflict)
	organiser.PostForm(desk+"/presence", url.Values{}).Want(t, http.StatusBadRequest)
	organiser.Get("/"+desk).Want(t, http.StatusOK).Says(t, "2</strong> of", "Close check-in")
	anna.Get("/"+at).Want(t, http.StatusOK).Says(t, "Check in Player anna")
	anna.PostForm(at+"/entries/"+ids[1]+"/arrive", nil).Want(t, http.StatusForbidden)
	anna.PostForm(at+"/entries/"+ids[0]+"/arrive", nil).Want(t, http.StatusSeeOther)
	anna.Get("/"+at+"?said=checked_in").Want(t, http.StatusOK).Says(t, "You are checked in.", "Not here after all")
	organiser.PostForm(desk+"/stage", url.Values{"do": {"start"}}).Want(t, http.StatusConflict).
		Says(t, "the check-in is open; close it first")
	organiser.PostForm(desk+"/check-in", url.Values{"do": {"close"}}).Want(t, http.StatusSeeOther)
	organiser.Get("/"+desk).Want(t, http.StatusOK).Says(t, "5 are not here", "Player 6")
	if to := anna.PostForm(at+"/entries/"+ids[0]+"/arrive", url.Values{"out": {"1"}}).Want(t, http.StatusSeeOther).
		Header.Get("Location"); !strings.Contains(to, "check_in_late") {
		t.Errorf("led to %s", to)
	}
	organiser.PostForm(desk+"/stage", url.Values{"do": {"start"}}).Want(t, http.StatusSeeOther)
	round := organiser.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
	games := 0
	for i := range round.List("pairings") {
		if len(round.List("pairings", i, "seats")) == 2 {
			games++
		}
	}
	if games != 1 { // of three present players, one has the bye
		t.Errorf("%d games", games)
	}
	for _, bad := range []string{"", "x"} {
		organiser.PostForm(desk+"/check-in", url.Values{"do": {bad}}).Want(t, http.StatusBadRequest)
		organiser.PostForm(desk+"/stage", url.Values{"do": {bad}}).Want(t, http.StatusBadRequest)
	}
}

// TestDeskEntry changes an entry, refuses an outdated form without losing what was typed, and takes the entry out and
// back.
func TestDeskEntry(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser := s.WithRole("olga", account.RoleOrganiser)
	id := organiser.Draft("Thursday")
	at, desk := "/tournaments/"+id, "/tournaments/"+id+"/desk"
	var ids []string
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		ids = append(ids, organiser.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id"))
	}
	seen := func(entry string) string {
		_, rest, _ := strings.Cut(organiser.Get("/"+desk+"?tab=entries&entry="+entry).Want(t, http.StatusOK).Page(),
			`name="seen" value="`)
		digest, _, _ := strings.Cut(rest, `"`)
		return digest
	}
	before := seen(ids[0])
	organiser.PostForm(desk+"/entries/"+ids[0], url.Values{
		"do": {"save"}, "seen": {before}, "name": {"Anna Berg"},
		"club": {"Tuesday Club"}, "rating": {"1612,5"},
	}).
		Want(t, http.StatusSeeOther)
	if e := organiser.Get(at + "/entries/" + ids[0]); e.Text("name") != "Anna Berg" || e.Number("rating") != 1612.5 ||
		e.Text("club") != "Tuesday Club" {
		t.Errorf("changed to %s", e.Raw)
	}
	organiser.PostForm(desk+"/entries/"+ids[0], url.Values{
		"do": {"save"}, "seen": {before}, "version": {"5"},
		"name": {"Anna Alt"}, "rating": {"1"},
	}).
		Want(t, http.StatusPreconditionFailed).Says(t, "changed the tournament after", "Anna Berg: entry corrected",
		`value="Anna Alt"`)
	organiser.PostForm(desk+"/entries/"+ids[0], url.Values{
		"do": {"save"}, "seen": {seen(ids[0])}, "name": {" "},
		"rating": {"x"},
	}).
		Want(t, http.StatusUnprocessableEntity).Says(t, `is not a number`)
	organiser.PostForm(desk+"/entries/"+ids[1], url.Values{
		"do": {"byes"}, "seen": {seen(ids[1])}, "bye-2": {"HPB"},
		"bye-3": {"ZPB"},
	}).Want(t, http.StatusSeeOther)
	if byes := organiser.Get(at + "/entries/" + ids[1]).List("byes"); len(byes) != 2 {
		t.Errorf("byes %v", byes)
	}
	organiser.PostForm(desk+"/entries/"+ids[1], url.Values{
		"do": {"byes"}, "seen": {seen(ids[1])}, "bye-2": {"HPB"},
		"bye-3": {"HPB"},
	}).Want(t, http.StatusUnprocessableEntity)
	organiser.PostForm(desk+"/entries/"+ids[2], url.Values{"do": {"withdraw"}, "seen": {seen(ids[2])}}).
		Want(t, http.StatusSeeOther)
	if status := organiser.Get(at + "/entries/" + ids[2]).Text("status"); status != "withdrawn" {
		t.Errorf("status %s", status)
	}
	organiser.PostForm(desk+"/entries/"+ids[2], url.Values{"do": {"reinstate"}, "seen": {seen(ids[2])}}).
		Want(t, http.StatusSeeOther)
	organiser.PostForm(desk+"/forbidden", url.Values{"first": {"anna berg"}, "second": {"Bert"}}).
		Want(t, http.StatusSeeOther)
	organiser.PostForm(desk+"/forbidden", url.Values{"first": {"Anna Berg"}, "second": {"Zoe"}}).
		Want(t, http.StatusUnprocessableEntity).Says(t, `no entry is called "Zoe"`)
	organiser.Get("/"+desk).Want(t, http.StatusOK).Says(t, "Anna Berg – Bert")
	organiser.PostForm(desk+"/forbidden", url.Values{"allow": {ids[0] + " " + ids[1]}}).Want(t, http.StatusSeeOther)
	organiser.PostForm(desk+"/forbidden", url.Values{"allow": {ids[0] + " " + ids[1]}}).Want(t, http.StatusNotFound)
	organiser.PostForm(desk+"/entries/"+ids[3], url.Values{"do": {"remove"}, "seen": {seen(ids[3])}}).
		Want(t, http.StatusSeeOther)
	organiser.PostForm(desk+"/entries/"+ids[3], url.Values{"do": {"remove"}, "seen": {"x"}}).Want(t, http.StatusNotFound).
		Says(t, "That no longer exists.")
	organiser.PostForm(desk+"/entries/"+ids[2], url.Values{"do": {"x"}}).Want(t, http.StatusBadRequest)
}

// TestDeskForbidsGroups forbids several entries to meet, in some rounds, and allows them again; the API agrees.
func TestDeskForbidsGroups(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	id := olga.Draft("Thursday")
	at, desk := "/tournaments/"+id, "/tournaments/"+id+"/desk"
	var ids []string
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		ids = append(ids, olga.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id"))
	}
	form := func(changes url.Values) url.Values {
		fields := url.Values{
			"first": {"Anna"}, "second": {"bert"}, "others": {"Cleo\r\n\r\nDora\r\n"}, "first_round": {"2"}, "last_round": {"3"},
			"reason": {"one car"},
		}
		for name, values := range changes {
			fields[name] = values
		}
		return fields
	}
	for name, bad := range map[string]url.Values{
		`no entry is called "Zoe"`: {"others": {"Zoe"}}, "is named twice": {"others": {"Anna"}},
		"is not a range":      {"first_round": {"4"}},
		`"x" is not possible`: {"last_round": {"x"}}, "is not possible; write a whole number": {"last_round": {"201"}},
	} {
		page := olga.PostForm(desk+"/forbidden", form(bad)).Want(t, http.StatusUnprocessableEntity).Page()
		if !strings.Contains(page, name) || !strings.Contains(page, `value="one car"`) {
			t.Errorf("%v: the page does not say %q", bad, name)
		}
	}
	olga.PostForm(desk+"/forbidden", form(nil)).Want(t, http.StatusSeeOther)
	olga.PostForm(desk+"/forbidden", form(url.Values{"others": {""}, "last_round": {""}, "reason": {""}})).
		Want(t, http.StatusSeeOther)
	olga.PostForm(desk+"/forbidden", form(url.Values{"others": {""}, "first_round": {""}})).Want(t, http.StatusSeeOther)
	olga.Get("/"+desk).Want(t, http.StatusOK).Says(t, "Anna – Bert – Cleo – Dora", "rounds 2 to 3", "one car",
		"from round 2", "to round 3")
	got := olga.Get(at+"/forbidden-pairs").Want(t, http.StatusOK)
	if len(got.List("items")) != 3 || len(got.List("items", 0, "entries")) != 4 ||
		got.Number("items", 0, "first_round") != 2 ||
		got.Number("items", 0, "last_round") != 3 || got.Text("items", 0, "reason") != "one car" {
		t.Errorf("%s", got.Raw)
	}
	all := strings.Join(ids, " ")
	olga.PostForm(desk+"/forbidden", url.Values{"allow": {all}}).
		Want(t, http.StatusNotFound) // that would be for all rounds
	olga.PostForm(desk+"/forbidden", url.Values{"allow": {all + " 2-3"}}).Want(t, http.StatusSeeOther)
	if got := olga.Get(at + "/forbidden-pairs"); len(got.List("items")) != 2 || len(got.List("items", 0, "entries")) != 2 {
		t.Errorf("%s", got.Raw)
	}
}
