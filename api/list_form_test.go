package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// hidden returns the value of a hidden field of a page.
func (a *answer) hidden(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)name="` + name + `" value="(.*?)"`).FindSubmatch(a.raw)
	if found == nil {
		t.Fatalf("%s: no field %s\n%s", a.what, name, a.raw)
	}
	return unescape.Replace(string(found[1]))
}

var unescape = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&#43;", "+", "&amp;", "&")

// TestPlayersComeFromAList: a preview stores nothing, the confirmation makes and completes what it showed, and the
// same list again makes nothing.
func TestPlayersComeFromAList(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	anna := makePlayer(t, olga, "Anna Berg")
	s.anonymous().get("//players/import").want(t, http.StatusSeeOther)
	ada.get("//players/import").want(t, http.StatusForbidden)
	page := olga.get("//players/import").want(t, http.StatusOK).says(t, "Paste a list")
	key := page.hidden(t, "key")
	list := "Nachname;Vorname;Jahrgang;Verein;Telefon\nBerg;Anna;1990;Tuesday Club;123\nCarl;Bert;2001;;\n" +
		"Dorn;Cleo;85;;\n=Evil;<b>;;@SUM(1);\n"
	ada.form("/players/import", url.Values{"key": {key}, "list": {list}}).want(t, http.StatusForbidden)
	count := func() int { return len(olga.get("/players?limit=200").want(t, http.StatusOK).list("items")) }
	had := count()
	preview := olga.upload("/players/import", "file", list, url.Values{"key": {key}}).want(t, http.StatusOK).says(t,
		"2 new players:", "Bert Carl", "The club knows 1 player", "1 gets a year of birth", "1 line is left out",
		"85", "Telefon", `<option value="last" selected>`, `<option value="birth_year" selected>`,
	).has(t, "&lt;b&gt; =Evil").lacks(t, "<b> =Evil")
	if n := count(); n != had {
		t.Fatalf("a preview made %d players", n-had)
	}
	text := preview.hidden(t, "list")
	again := url.Values{"key": {key}, "list": {text}, "sent": {"1"}, "head": {"1"}, "make": {"1"}, "complete": {"1"}}
	for i, holds := range []string{"last", "first", "birth_year", "", "club"} {
		again.Set(fmt.Sprint("column-", i), holds)
	}
	olga.form("/players/import", again).want(t, http.StatusOK).says(t, "2 new players:", "Anna Berg")
	again.Set("column-3", "club")
	again.Set("column-4", "")
	again.Set("same-2", anna)
	again.Set("do", "make")
	ada.form("/players/import", again).want(t, http.StatusForbidden)
	s.anonymous().form("/players/import", again).want(t, http.StatusSeeOther)
	olga.form("/players/import", again).want(t, http.StatusSeeOther)
	if n := count(); n != had+2 {
		t.Errorf("%d players were made", n-had)
	}
	if p := olga.get("/players/" + anna); p.number("birth_year") != 1990 || p.text("club") != "Tuesday Club" {
		t.Errorf("%s", p.raw)
	}
	olga.form("/players/import", again).want(t, http.StatusUnprocessableEntity).says(t, "nothing to enter")
	again.Set("same-2", "nobody") // an id that is none of the matches
	olga.form("/players/import", again).want(t, http.StatusUnprocessableEntity)
	if n := count(); n != had+2 {
		t.Errorf("%d players were made", n-had)
	}
	again.Set("same-2", "")
	olga.form("/players/import", again).want(t, http.StatusSeeOther)
	if n := count(); n != had+3 {
		t.Errorf("another Anna: %d players were made", n-had)
	}
}

// TestListFormRefuses hostile files and columns, and shows what was wrong.
func TestListFormRefuses(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	key := olga.get("//players/import").hidden(t, "key")
	for says, file := range map[string]string{
		"no text": "PK\x03\x04\x00\x00" + strings.Repeat("\x00", 500), "at most 200000 lines": strings.Repeat("a\n", 1_000_000),
		"61 columns": strings.Repeat(";", 60) + "x", "choose a file": "\n \n", "not closed": "name\n\"" + strings.Repeat("Anna\n", 500),
		"no XML": "<a><b>", "choose the column": "Telefon;Ort\n1;2\n", "at most 10000 players": "name\n" + many(10_001),
	} {
		olga.upload("/players/import", "file", file, url.Values{"key": {key}}).want(t, http.StatusUnprocessableEntity).
			says(t, `role="alert"`, says)
	}
	olga.upload("/players/import", "file", strings.Repeat("x", 17<<20), url.Values{"key": {key}}).
		want(t, http.StatusRequestEntityTooLarge)
	olga.form("/players/import", url.Values{"key": {"x"}, "list": {"Anna"}}).want(t, http.StatusBadRequest)
	olga.form("/players/import", url.Values{"key": {key}}).want(t, http.StatusUnprocessableEntity).says(t, "choose a file")
	fields := url.Values{"key": {key}, "list": {"Anna\tA\nBert\tB\n"}, "column-0": {"name"}, "column-1": {"name"}, "sent": {"1"}}
	olga.form("/players/import", fields).want(t, http.StatusUnprocessableEntity).says(t, "two columns hold the same")
	fields.Set("column-1", "login") // unknown columns are ignored
	olga.form("/players/import", fields).want(t, http.StatusOK).says(t, `<option value="" selected>`)
}

// many returns different names, one a line.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Player %05d\n", i)
	}
	return b.String()
}

// TestFederationList: only players whom the club knows are taken from a long list, and only what is kept here.
func TestFederationList(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	anna := makePlayer(t, olga, "Åsa Ängby")
	key := olga.get("//players/import").hidden(t, "key")
	var b strings.Builder
	b.WriteString("ID Number      Name                Fed Sex SRtng B-day\n")
	for i := range 50_000 {
		fmt.Fprintf(&b, "%-15d%-20s%-4s%-4s%-6d%-5d\n", i, fmt.Sprintf("Name%d, A", i), "SWE", "F", 1500, 1950+i%50)
	}
	b.WriteString("25121731       Ängby, Åsa          SWE F   2010  1999 \n")
	began := time.Now()
	page := olga.upload("/players/import", "file", b.String(), url.Values{"key": {key}}).want(t, http.StatusOK).says(t,
		"list of a federation", "The club knows 1 player", "1 gets a year of birth").lacks(t, "new player", "Name7")
	t.Logf("%d bytes in %v", b.Len(), time.Since(began))
	if len(page.raw) > 100_000 {
		t.Errorf("the page has %d bytes", len(page.raw))
	}
	fields := url.Values{"key": {key}, "list": {page.hidden(t, "list")}, "sent": {"1"}, "head": {"1"}, "complete": {"1"}, "do": {"make"}}
	for i, holds := range []string{"", "last_first", "", "", "", "birth_year"} {
		fields.Set(fmt.Sprint("column-", i), holds)
	}
	olga.form("/players/import", fields).want(t, http.StatusSeeOther)
	if p := olga.get("/players/"+anna).want(t, http.StatusOK); p.number("birth_year") != 1999 {
		t.Errorf("%s", p.raw)
	}
}

// TestExportedPlayersComeBack: the players' export is read as the same players, by id; years of birth are for
// organisers.
func TestExportedPlayersComeBack(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	for _, p := range []map[string]any{
		{"name": "=Anna", "club": "@A", "birth_year": 1990}, {"name": "Bert, C", "birth_year": 1991}, {"name": "Bert, C", "club": "B"},
	} {
		olga.post("/players", p).want(t, http.StatusCreated)
	}
	file := olga.get("/players/export?format=csv").want(t, http.StatusOK).has(t, "name,club,birth_year,player_id\r\n", "'=Anna,'@A,1990,")
	if kind := file.header.Get("Content-Type"); kind != "text/csv; charset=utf-8; header=present" {
		t.Errorf("it is %s", kind)
	}
	s.anonymous().get("/players/export?format=csv").want(t, http.StatusOK).has(t, "name,club,player_id\r\n").lacksYears(t)
	s.register("ada").get("/players/export?format=csv&name=bert").want(t, http.StatusOK).lacks(t, "Anna").lacksYears(t)
	key := olga.get("//players/import").hidden(t, "key")
	known := strings.Count(string(file.raw), "\n") - 1
	olga.upload("/players/import", "file", string(file.raw), url.Values{"key": {key}}).want(t, http.StatusOK).
		says(t, fmt.Sprintf("The club knows %d players", known), "There is nothing to enter").lacks(t, "new player", "left out")
}
