package api_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// upload sends a form with a file, as a browser does.
func (p person) upload(path, field, content string, fields url.Values) *answer {
	p.s.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, values := range fields {
		if err := w.WriteField(name, values[0]); err != nil {
			p.s.t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile(field, "file.txt")
	if err != nil {
		p.s.t.Fatal(err)
	}
	if _, err := part.Write([]byte(content)); err != nil {
		p.s.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		p.s.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(p.s.t.Context(), http.MethodPost, path, &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+p.token)
	return p.s.serve(r)
}

// TestDeskAddsPlayers pastes names, chooses the player where the club has several, and adds no player twice.
func TestDeskAddsPlayers(t *testing.T) {
	s := newService(t, withRealPages)
	organiser := s.withRole("olga", account.RoleOrganiser)
	known := organiser.post("/players", map[string]any{"name": "Anna Berg", "club": "Tuesday Club"}).
		want(t, http.StatusCreated).text("id")
	id := organiser.draft("Thursday")
	add, desk := "/tournaments/"+id+"/desk/add", "//tournaments/"+id+"/desk?tab=entries"
	fields := url.Values{
		"version": {"1"}, "names": {"Anna Berg\nBert Carl; 1650; Chess Club\n\nDora Edel 1480\n<b>Mallory</b>\n"},
	}
	organiser.form(add, fields).want(t, http.StatusOK).
		says(t, "Who do you mean?", "The club knows 1 of these names.", "Anna Berg, Tuesday Club",
			"The other 3 become new players.")
	if n := organiser.get("/tournaments/" + id).number("entries"); n != 0 {
		t.Fatalf("%v entries before the organiser said who is meant", n)
	}
	fields.Set("chosen", "1")
	fields.Set("p0", known)
	organiser.form(add, fields).want(t, http.StatusSeeOther)
	entries := organiser.get("/tournaments/" + id + "/entries")
	want := map[string]struct {
		club   string
		rating float64
	}{
		"Anna Berg": {"Tuesday Club", 0}, "Bert Carl": {"Chess Club", 1650}, "Dora Edel": {"", 1480},
		"<b>Mallory</b>": {"", 0},
	}
	if len(entries.list("items")) != len(want) {
		t.Fatalf("%d entries", len(entries.list("items")))
	}
	for i := range entries.list("items") {
		w, ok := want[entries.text("items", i, "name")]
		if !ok || entries.text("items", i, "club") != w.club || entries.number("items", i, "rating") != w.rating ||
			entries.text("items", i, "members", 0, "id") == "" {
			t.Errorf("entry %v", entries.at("items", i))
		}
		if entries.text("items", i, "name") == "Anna Berg" && entries.text("items", i, "members", 0, "id") != known {
			t.Error("Anna Berg was made again")
		}
	}
	page := organiser.get(desk).want(t, http.StatusOK)
	if strings.Contains(string(page.raw), "<b>Mallory") {
		t.Error("a name is markup")
	}
	// The same form once more, as by a second press of the button, adds no player again.
	organiser.form(add, fields).want(t, http.StatusUnprocessableEntity).
		says(t, "is in the tournament already", "Bert Carl; 1650")
	if players := organiser.get("/players?limit=200"); len(players.list("items")) != 4 {
		t.Errorf("%d players", len(players.list("items")))
	}
	organiser.form("/tournaments/"+id+"/desk/undo", url.Values{"act": {"2"}, "tab": {"entries"}}).
		want(t, http.StatusSeeOther)
	if n := organiser.get("/tournaments/" + id).number("entries"); n != 0 {
		t.Errorf("%v entries after undoing", n)
	}
	for _, bad := range []string{"", "Anna; 9999", "Anna; 1; 2; 3", strings.Repeat("x\n", 501)} {
		organiser.form(add, url.Values{"version": {"1"}, "names": {bad}}).want(t, http.StatusUnprocessableEntity).
			says(t, `role="alert"`)
	}
}

// TestDeskAddsFromATableAndTheClub reads a file, and adds a player that a search has found.
func TestDeskAddsFromATableAndTheClub(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, arbiter := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	id := organiser.draft("Thursday")
	add := "/tournaments/" + id + "/desk/add"
	table := "name;club;birth_year\nAnna Berg;Tuesday Club;1990\nBert Carl;;\n"
	preview := organiser.upload(add, "file", table, url.Values{"version": {"1"}}).want(t, http.StatusOK).
		says(t, "2 new players:", `<option value="birth_year" selected>`)
	if n := organiser.get("/tournaments/" + id).number("entries"); n != 0 {
		t.Errorf("a preview entered %v", n)
	}
	fields := url.Values{"version": {"1"}, "table": {preview.hidden(t, "table")}, "head": {"1"}, "chosen": {"1"}}
	for i, holds := range []string{"name", "club", "birth_year"} {
		fields.Set("column-"+strconv.Itoa(i), holds)
	}
	fields.Set("column-0", "")
	organiser.form(add, fields).want(t, http.StatusOK).says(t, `role="alert"`, "choose the column that has the names")
	fields.Set("column-0", "name")
	organiser.form(add, fields).want(t, http.StatusSeeOther)
	organiser.form(add, fields).want(t, http.StatusUnprocessableEntity).has(t, "in the tournament already", `name="table"`)
	organiser.upload(add, "file", "name\nJ\xf6rg\nx\x07\n", url.Values{"version": {"2"}}).want(t, http.StatusOK).
		says(t, "Jörg", "1 line is left out", "1 new player:")
	organiser.upload(add, "file", "PK\x03\x04\x00\x00", url.Values{"version": {"2"}}).
		want(t, http.StatusUnprocessableEntity).says(t, "no text")
	player := organiser.post("/players", map[string]any{"name": "Cleo Dorn"}).want(t, http.StatusCreated).text("id")
	organiser.get("//tournaments/"+id+"/desk?tab=entries&player=dorn").want(t, http.StatusOK).
		says(t, "Cleo Dorn", `value="`+player+`"`)
	organiser.form(add, url.Values{"version": {"2"}, "player": {player}}).want(t, http.StatusSeeOther)
	organiser.form(add, url.Values{"version": {"2"}, "player": {player}}).want(t, http.StatusUnprocessableEntity)
	organiser.form(add, url.Values{"version": {"2"}, "player": {"nobody"}}).want(t, http.StatusNotFound)
	arbiter.form(add, url.Values{"names": {"Mallory"}}).want(t, http.StatusNotFound)
	if n := organiser.get("/tournaments/" + id).number("entries"); n != 3 {
		t.Errorf("%v entries", n)
	}
}

// TestDeskCheckIn checks in by forms and by script, and keeps absent entries out of round 1.
func TestDeskCheckIn(t *testing.T) {
	s := newService(t, withRealPages)
	organiser, anna := s.withRole("olga", account.RoleOrganiser), s.register("anna")
	id := organiser.draft("Thursday")
	at, desk := "/tournaments/"+id, "/tournaments/"+id+"/desk"
	ids := []string{
		organiser.post(at+"/entries", map[string]any{"player_id": anna.player}).want(t, http.StatusCreated).text("id"),
	}
	for i := range 7 {
		ids = append(ids, organiser.post(at+"/entries", map[string]any{"name": fmt.Sprint("Player ", i)}).
			want(t, http.StatusCreated).text("id"))
	}
	organiser.post(at+"/open", nil).want(t, http.StatusOK)
	if page := organiser.get("/"+desk).want(t, http.StatusOK).page(); strings.Contains(page, `name="in"`) ||
		!strings.Contains(page, "Open check-in") {
		t.Error("before the check-in")
	}
	organiser.form(desk+"/check-in", url.Values{"do": {"open"}}).want(t, http.StatusSeeOther)
	if to := organiser.form(desk+"/presence", url.Values{"in": {ids[1]}}).want(t, http.StatusSeeOther).
		header.Get("Location"); to != desk+"?tab=entries#e-"+ids[1] {
		t.Errorf("led to %s", to)
	}
	json := func(who person, field, entry string) *answer {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, desk+"/presence",
			strings.NewReader(url.Values{field: {entry}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Authorization", "Bearer "+who.token)
		return s.serve(r)
	}
	for range 2 { // two arbiters tap the same row
		if a := json(organiser, "in", ids[2]).want(t, http.StatusOK); a.number("here") != 2 || a.number("expected") != 8 {
			t.Errorf("answered %s", a.raw)
		}
	}
	json(anna, "in", ids[3]).want(t, http.StatusForbidden)
	json(organiser, "in", "nobody").want(t, http.StatusConflict)
	organiser.form(desk+"/presence", url.Values{}).want(t, http.StatusBadRequest)
	organiser.get("/"+desk).want(t, http.StatusOK).says(t, "2</strong> of", "Close check-in")
	anna.get("/"+at).want(t, http.StatusOK).says(t, "Check in Player anna")
	anna.form(at+"/entries/"+ids[1]+"/arrive", nil).want(t, http.StatusForbidden)
	anna.form(at+"/entries/"+ids[0]+"/arrive", nil).want(t, http.StatusSeeOther)
	anna.get("/"+at+"?said=checked_in").want(t, http.StatusOK).says(t, "You are checked in.", "Not here after all")
	organiser.form(desk+"/stage", url.Values{"do": {"start"}}).want(t, http.StatusConflict).
		says(t, "the check-in is open; close it first")
	organiser.form(desk+"/check-in", url.Values{"do": {"close"}}).want(t, http.StatusSeeOther)
	organiser.get("/"+desk).want(t, http.StatusOK).says(t, "5 are not here", "Player 6")
	if to := anna.form(at+"/entries/"+ids[0]+"/arrive", url.Values{"out": {"1"}}).want(t, http.StatusSeeOther).
		header.Get("Location"); !strings.Contains(to, "check_in_late") {
		t.Errorf("led to %s", to)
	}
	organiser.form(desk+"/stage", url.Values{"do": {"start"}}).want(t, http.StatusSeeOther)
	round := organiser.post(at+"/rounds", nil).want(t, http.StatusCreated)
	games := 0
	for i := range round.list("pairings") {
		if len(round.list("pairings", i, "seats")) == 2 {
			games++
		}
	}
	if games != 1 { // of three present ones one has the bye
		t.Errorf("%d games", games)
	}
	for _, bad := range []string{"", "x"} {
		organiser.form(desk+"/check-in", url.Values{"do": {bad}}).want(t, http.StatusBadRequest)
		organiser.form(desk+"/stage", url.Values{"do": {bad}}).want(t, http.StatusBadRequest)
	}
}

// TestDeskEntry changes one entry, refuses what is out of date without losing what was typed, and takes it out and
// back.
func TestDeskEntry(t *testing.T) {
	s := newService(t, withRealPages)
	organiser := s.withRole("olga", account.RoleOrganiser)
	id := organiser.draft("Thursday")
	at, desk := "/tournaments/"+id, "/tournaments/"+id+"/desk"
	var ids []string
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		ids = append(ids, organiser.post(at+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated).text("id"))
	}
	seen := func(entry string) string {
		_, rest, _ := strings.Cut(organiser.get("/"+desk+"?tab=entries&entry="+entry).want(t, http.StatusOK).page(),
			`name="seen" value="`)
		digest, _, _ := strings.Cut(rest, `"`)
		return digest
	}
	before := seen(ids[0])
	organiser.form(desk+"/entries/"+ids[0], url.Values{
		"do": {"save"}, "seen": {before}, "name": {"Anna Berg"},
		"club": {"Tuesday Club"}, "rating": {"1612,5"},
	}).
		want(t, http.StatusSeeOther)
	if e := organiser.get(at + "/entries/" + ids[0]); e.text("name") != "Anna Berg" || e.number("rating") != 1612.5 ||
		e.text("club") != "Tuesday Club" {
		t.Errorf("changed to %s", e.raw)
	}
	organiser.form(desk+"/entries/"+ids[0], url.Values{
		"do": {"save"}, "seen": {before}, "version": {"5"},
		"name": {"Anna Alt"}, "rating": {"1"},
	}).
		want(t, http.StatusPreconditionFailed).says(t, "changed the tournament after", "Anna Berg: entry corrected",
		`value="Anna Alt"`)
	organiser.form(desk+"/entries/"+ids[0], url.Values{
		"do": {"save"}, "seen": {seen(ids[0])}, "name": {" "},
		"rating": {"x"},
	}).
		want(t, http.StatusUnprocessableEntity).says(t, `is not a number`)
	organiser.form(desk+"/entries/"+ids[1], url.Values{
		"do": {"byes"}, "seen": {seen(ids[1])}, "bye-2": {"HPB"},
		"bye-3": {"ZPB"},
	}).want(t, http.StatusSeeOther)
	if byes := organiser.get(at + "/entries/" + ids[1]).list("byes"); len(byes) != 2 {
		t.Errorf("byes %v", byes)
	}
	organiser.form(desk+"/entries/"+ids[1], url.Values{
		"do": {"byes"}, "seen": {seen(ids[1])}, "bye-2": {"HPB"},
		"bye-3": {"HPB"},
	}).want(t, http.StatusUnprocessableEntity)
	organiser.form(desk+"/entries/"+ids[2], url.Values{"do": {"withdraw"}, "seen": {seen(ids[2])}}).
		want(t, http.StatusSeeOther)
	if status := organiser.get(at + "/entries/" + ids[2]).text("status"); status != "withdrawn" {
		t.Errorf("status %s", status)
	}
	organiser.form(desk+"/entries/"+ids[2], url.Values{"do": {"reinstate"}, "seen": {seen(ids[2])}}).
		want(t, http.StatusSeeOther)
	organiser.form(desk+"/forbidden", url.Values{"first": {"anna berg"}, "second": {"Bert"}}).want(t, http.StatusSeeOther)
	organiser.form(desk+"/forbidden", url.Values{"first": {"Anna Berg"}, "second": {"Zoe"}}).
		want(t, http.StatusUnprocessableEntity).says(t, `no entry is called "Zoe"`)
	organiser.get("/"+desk).want(t, http.StatusOK).says(t, "Anna Berg – Bert")
	organiser.form(desk+"/forbidden", url.Values{"allow": {ids[0] + " " + ids[1]}}).want(t, http.StatusSeeOther)
	organiser.form(desk+"/forbidden", url.Values{"allow": {ids[0] + " " + ids[1]}}).want(t, http.StatusNotFound)
	organiser.form(desk+"/entries/"+ids[3], url.Values{"do": {"remove"}, "seen": {seen(ids[3])}}).
		want(t, http.StatusSeeOther)
	organiser.form(desk+"/entries/"+ids[3], url.Values{"do": {"remove"}, "seen": {"x"}}).want(t, http.StatusNotFound).
		says(t, "That no longer exists.")
	organiser.form(desk+"/entries/"+ids[2], url.Values{"do": {"x"}}).want(t, http.StatusBadRequest)
}

// TestDeskForbidsGroups forbids several entries to meet, in some rounds, and allows them again; the API agrees.
func TestDeskForbidsGroups(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	id := olga.draft("Thursday")
	at, desk := "/tournaments/"+id, "/tournaments/"+id+"/desk"
	var ids []string
	for _, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		ids = append(ids, olga.post(at+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated).text("id"))
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
		page := olga.form(desk+"/forbidden", form(bad)).want(t, http.StatusUnprocessableEntity).page()
		if !strings.Contains(page, name) || !strings.Contains(page, `value="one car"`) {
			t.Errorf("%v: the page does not say %q", bad, name)
		}
	}
	olga.form(desk+"/forbidden", form(nil)).want(t, http.StatusSeeOther)
	olga.form(desk+"/forbidden", form(url.Values{"others": {""}, "last_round": {""}, "reason": {""}})).
		want(t, http.StatusSeeOther)
	olga.form(desk+"/forbidden", form(url.Values{"others": {""}, "first_round": {""}})).want(t, http.StatusSeeOther)
	olga.get("/"+desk).want(t, http.StatusOK).says(t, "Anna – Bert – Cleo – Dora", "rounds 2 to 3", "one car",
		"from round 2", "to round 3")
	got := olga.get(at+"/forbidden-pairs").want(t, http.StatusOK)
	if len(got.list("items")) != 3 || len(got.list("items", 0, "entries")) != 4 ||
		got.number("items", 0, "first_round") != 2 ||
		got.number("items", 0, "last_round") != 3 || got.text("items", 0, "reason") != "one car" {
		t.Errorf("%s", got.raw)
	}
	all := strings.Join(ids, " ")
	olga.form(desk+"/forbidden", url.Values{"allow": {all}}).want(t, http.StatusNotFound) // that would be for all rounds
	olga.form(desk+"/forbidden", url.Values{"allow": {all + " 2-3"}}).want(t, http.StatusSeeOther)
	if got := olga.get(at + "/forbidden-pairs"); len(got.list("items")) != 2 || len(got.list("items", 0, "entries")) != 2 {
		t.Errorf("%s", got.raw)
	}
}
