package organise_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestPlayersComeFromAList: a preview stores nothing, the confirmation makes and completes what it showed, and the
// same list again makes nothing.
func TestPlayersComeFromAList(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	anna := apitest.MakePlayer(t, olga, "Anna Berg")
	s.Anonymous().Get("//players/import").Want(t, http.StatusSeeOther)
	ada.Get("//players/import").Want(t, http.StatusForbidden)
	page := olga.Get("//players/import").Want(t, http.StatusOK).Says(t, "Paste a list")
	key := page.HiddenField(t, "key")
	list := "Nachname;Vorname;Jahrgang;Verein;Telefon\nBerg;Anna;1990;Tuesday Club;123\nCarl;Bert;2001;;\n" +
		"Dorn;Cleo;85;;\n=Evil;<b>;;@SUM(1);\n"
	ada.PostForm("/players/import", url.Values{"key": {key}, "list": {list}}).Want(t, http.StatusForbidden)
	count := func() int { return len(olga.Get("/players?limit=200").Want(t, http.StatusOK).List("items")) }
	had := count()
	preview := olga.Upload("/players/import", "file", list, url.Values{"key": {key}}).Want(t, http.StatusOK).Says(t,
		"2 new players:", "Bert Carl", "The club knows 1 player", "1 gets a year of birth", "1 line is left out",
		"85", "Telefon", `<option value="last" selected>`, `<option value="birth_year" selected>`,
	).Has(t, "&lt;b&gt; =Evil").Lacks(t, "<b> =Evil")
	if n := count(); n != had {
		t.Fatalf("a preview made %d players", n-had)
	}
	text := preview.HiddenField(t, "list")
	again := url.Values{"key": {key}, "list": {text}, "sent": {"1"}, "head": {"1"}, "make": {"1"}, "complete": {"1"}}
	for i, holds := range []string{"last", "first", "birth_year", "", "club"} {
		again.Set(fmt.Sprint("column-", i), holds)
	}
	olga.PostForm("/players/import", again).Want(t, http.StatusOK).Says(t, "2 new players:", "Anna Berg")
	again.Set("column-3", "club")
	again.Set("column-4", "")
	again.Set("same-2", anna)
	again.Set("do", "make")
	ada.PostForm("/players/import", again).Want(t, http.StatusForbidden)
	s.Anonymous().PostForm("/players/import", again).Want(t, http.StatusSeeOther)
	olga.PostForm("/players/import", again).Want(t, http.StatusSeeOther)
	if n := count(); n != had+2 {
		t.Errorf("%d players were made", n-had)
	}
	if p := olga.Get("/players/" + anna); p.Number("birth_year") != 1990 || p.Text("club") != "Tuesday Club" {
		t.Errorf("%s", p.Raw)
	}
	olga.PostForm("/players/import", again).Want(t, http.StatusUnprocessableEntity).Says(t, "nothing to enter")
	again.Set("same-2", "nobody") // an id that is none of the matches
	olga.PostForm("/players/import", again).Want(t, http.StatusUnprocessableEntity)
	if n := count(); n != had+2 {
		t.Errorf("%d players were made", n-had)
	}
	again.Set("same-2", "")
	olga.PostForm("/players/import", again).Want(t, http.StatusSeeOther)
	if n := count(); n != had+3 {
		t.Errorf("another Anna: %d players were made", n-had)
	}
}

// TestListFormRefuses hostile files and columns, and shows what was wrong.
func TestListFormRefuses(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	key := olga.Get("//players/import").HiddenField(t, "key")
	for says, file := range map[string]string{
		"no text":              "PK\x03\x04\x00\x00" + strings.Repeat("\x00", 500),
		"at most 200000 lines": strings.Repeat("a\n", 1_000_000),
		"61 columns":           strings.Repeat(";", 60) + "x", "choose a file": "\n \n",
		"not closed": "name\n\"" + strings.Repeat("Anna\n", 500),
		"no XML":     "<a><b>", "choose the column": "Telefon;Ort\n1;2\n", "at most 10000 players": "name\n" + many(10_001),
	} {
		olga.Upload("/players/import", "file", file, url.Values{"key": {key}}).Want(t, http.StatusUnprocessableEntity).
			Says(t, `role="alert"`, says)
	}
	olga.Upload("/players/import", "file", strings.Repeat("x", 17<<20), url.Values{"key": {key}}).
		Want(t, http.StatusRequestEntityTooLarge)
	olga.PostForm("/players/import", url.Values{"key": {"x"}, "list": {"Anna"}}).Want(t, http.StatusBadRequest)
	olga.PostForm("/players/import", url.Values{"key": {key}}).Want(t, http.StatusUnprocessableEntity).
		Says(t, "choose a file")
	fields := url.Values{
		"key": {key}, "list": {"Anna\tA\nBert\tB\n"}, "column-0": {"name"}, "column-1": {"name"},
		"sent": {"1"},
	}
	olga.PostForm("/players/import", fields).Want(t, http.StatusUnprocessableEntity).Says(t, "two columns hold the same")
	fields.Set("column-1", "login") // unknown columns are ignored
	olga.PostForm("/players/import", fields).Want(t, http.StatusOK).Says(t, `<option value="" selected>`)
}

// many returns different names, a line each.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Player %05d\n", i)
	}
	return b.String()
}

// TestFederationList: only players that the club knows are taken from a long list, and only the fields that are kept
// here.
func TestFederationList(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	anna := apitest.MakePlayer(t, olga, "Åsa Ängby")
	key := olga.Get("//players/import").HiddenField(t, "key")
	var b strings.Builder
	b.WriteString("ID Number      Name                Fed Sex SRtng B-day\n")
	for i := range 50_000 {
		fmt.Fprintf(&b, "%-15d%-20s%-4s%-4s%-6d%-5d\n", i, fmt.Sprintf("Name%d, A", i), "SWE", "F", 1500, 1950+i%50)
	}
	b.WriteString("25121731       Ängby, Åsa          SWE F   2010  1999 \n")
	began := time.Now()
	page := olga.Upload("/players/import", "file", b.String(), url.Values{"key": {key}}).Want(t, http.StatusOK).Says(t,
		"list of a federation", "The club knows 1 player", "1 gets a year of birth").Lacks(t, "new player", "Name7")
	t.Logf("%d bytes in %v", b.Len(), time.Since(began))
	if len(page.Raw) > 100_000 {
		t.Errorf("the page has %d bytes", len(page.Raw))
	}
	fields := url.Values{"key": {key}, "list": {page.HiddenField(t, "list")}, "sent": {"1"}, "head": {"1"}, "complete": {"1"}, "do": {"make"}}
	for i, holds := range []string{"", "last_first", "", "", "", "birth_year"} {
		fields.Set(fmt.Sprint("column-", i), holds)
	}
	olga.PostForm("/players/import", fields).Want(t, http.StatusSeeOther)
	if p := olga.Get("/players/"+anna).Want(t, http.StatusOK); p.Number("birth_year") != 1999 {
		t.Errorf("%s", p.Raw)
	}
}

// TestExportedPlayersComeBack: the players' export is read as the same players, by id; years of birth are for
// organisers.
func TestExportedPlayersComeBack(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for _, p := range []map[string]any{
		{"name": "=Anna", "club": "@A", "birth_year": 1990},
		{"name": "Bert, C", "birth_year": 1991},
		{"name": "Bert, C", "club": "B"},
	} {
		olga.Post("/players", p).Want(t, http.StatusCreated)
	}
	file := olga.Get("/players/export?format=csv").Want(t, http.StatusOK).Has(t, "name,club,birth_year,player_id\r\n", "'=Anna,'@A,1990,")
	if kind := file.Header.Get("Content-Type"); kind != "text/csv; charset=utf-8; header=present" {
		t.Errorf("it is %s", kind)
	}
	s.Anonymous().Get("/players/export?format=csv").Want(t, http.StatusOK).Has(t, "name,club,player_id\r\n").LacksYears(t)
	s.Register("ada").Get("/players/export?format=csv&name=bert").Want(t, http.StatusOK).Lacks(t, "Anna").LacksYears(t)
	key := olga.Get("//players/import").HiddenField(t, "key")
	known := strings.Count(string(file.Raw), "\n") - 1
	olga.Upload("/players/import", "file", string(file.Raw), url.Values{"key": {key}}).Want(t, http.StatusOK).
		Says(t, fmt.Sprintf("The club knows %d players", known), "There is nothing to enter").
		Lacks(t, "new player", "left out")
}
