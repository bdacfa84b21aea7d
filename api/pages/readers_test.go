package pages

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	ics "github.com/arran4/golang-ical"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
	"quatuor/tournament"
)

// TestStandingsSayHowManyResultsTheyCount: 60 of 100 results of a round are not the standings after it.
func TestStandingsSayHowManyResultsTheyCount(t *testing.T) {
	w := newTown(t)
	crowd := crowd(200)
	last := &crowd.Rounds[8]
	last.Status = tournament.Published
	for i := range last.Pairings[60:] {
		last.Pairings[60+i].Result = nil
	}
	w.tournaments["crowd"] = crowd
	for _, path := range []string{
		"?tab=standings", "?tab=round", "?tab=crosstable", "/crosstable", "/standings/1",
		"/players/1", "/wall", "/print/standings", "/print/crosstable",
	} {
		html := w.page("/tournaments/crowd"+path, "")
		if !strings.Contains(html, "after 60 of 100 results of round 9") || strings.Contains(html, "after round 9") {
			t.Errorf("%s does not say how many results it counts", path)
		}
	}
	if html := w.page("/tournaments/crowd?tab=standings&round=8", ""); !strings.Contains(html, "Standings after round 8") {
		t.Error("a whole round is not called so")
	}
}

// TestLongListsAreCut by the style sheet, with a way to all of it; a row that was looked for stays.
func TestLongListsAreCut(t *testing.T) {
	w := newTown(t)
	w.tournaments["crowd"] = crowd(200)
	for _, at := range []string{"round", "standings", "players", "crosstable"} {
		cut, whole := w.page("/tournaments/crowd?tab="+at, ""), w.page("/tournaments/crowd?all=1&tab="+at, "")
		if !strings.Contains(cut, ` short"`) || !strings.Contains(cut, "all=1") || strings.Contains(whole, ` short"`) {
			t.Errorf("%s is not cut, or not whole where that is asked for", at)
		}
	}
}

func TestFind(t *testing.T) {
	w := newTown(t).furnish()
	tuesday := w.tournaments["tuesday"]
	for _, c := range []struct {
		text, player string
		asked        bool
		want         []int
	}{
		{"", "", false, nil},
		{"", "p3", false, []int{3}},
		{"", "p3", true, nil},
		{"3", "", true, []int{3}},
		{"99", "", true, nil},
		{"EMILIE", "", true, []int{3}},
		{" erdos ", "p1", true, []int{7}},
		{"o", "", true, []int{1, 4, 6, 7, 8}},
		{"nobody at all", "p1", true, nil},
	} {
		if got := tournaments.Find(tuesday, c.text, c.asked, c.player); !slices.Equal(got.Numbers, c.want) {
			t.Errorf("%q of %q: %v, want %v", c.text, c.player, got.Numbers, c.want)
		}
	}
}

// TestCalendar reads the calendar as a calendar program does.
func TestCalendar(t *testing.T) {
	w := newTown(t).furnish()
	tuesday := *w.tournaments["tuesday"]
	tuesday.Name = "Tuesday; evening,\r\nBEGIN:VEVENT"
	tuesday.Rounds = slices.Clone(tuesday.Rounds)
	for i := range tuesday.Rounds {
		tuesday.Rounds[i].PublishedAt = w.ms() + int64(i)*3600_000
	}
	tuesday.Rounds[2].Status = tournament.Paired // not published
	tuesday.Version++
	w.tournaments["tuesday"] = &tuesday
	answer := w.get("/tournaments/tuesday.ics", "p8")
	if kind := answer.Header().Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
		t.Errorf("it is %s", kind)
	}
	cal, err := ics.ParseCalendar(strings.NewReader(answer.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	var summaries []string
	for _, event := range cal.Events() {
		summaries = append(summaries, event.GetProperty(ics.ComponentPropertySummary).Value)
	}
	if len(summaries) != 3 || !strings.HasSuffix(summaries[2], ", round 2") {
		t.Errorf("%q", summaries)
	}
	if n := strings.Count(answer.Body.String(), "\r\nBEGIN:VEVENT"); n != 3 {
		t.Errorf("%d events; a name made one of its own", n)
	}
	again := httptest.NewRequest(http.MethodGet, "/tournaments/tuesday.ics", nil)
	again.Header.Set("If-None-Match", answer.Header().Get("ETag"))
	unchanged := httptest.NewRecorder()
	w.echo.ServeHTTP(unchanged, again)
	if unchanged.Code != http.StatusNotModified {
		t.Errorf("the same calendar answers %d", unchanged.Code)
	}
}

// TestFeed: a feed has published rounds and results only, the latest first.
func TestFeed(t *testing.T) {
	w := newTown(t).furnish()
	ladder := *w.tournaments["ladder"]
	ladder.Rounds = slices.Clone(ladder.Rounds)
	for i := range ladder.Rounds {
		ladder.Rounds[i].PublishedAt = w.ms() + int64(i)
	}
	w.tournaments["ladder"] = &ladder
	won := &tournament.Result{Ranks: []int{1, 2}, Points: []tournament.Points{10, 0}}
	w.changes["ladder"] = []tournament.Change{
		{Round: 1, Board: 1, After: won, At: w.ms() + 10, By: "p8", Why: "a secret reason"},
		{Round: 3, Board: 1, After: won, At: w.ms() + 20},
	}
	answer := w.get("/tournaments/ladder.atom", "p8")
	var feed struct {
		Updated string `xml:"updated"`
		Entries []struct {
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(answer.Body.Bytes(), &feed); err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, e := range feed.Entries {
		titles = append(titles, e.Title)
	}
	want := []string{
		"Round 1, board 1: Ada Lovelace – Charles Babbage 1 – 0", "Round 2 is published", "Round 1 is published",
	}
	if !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
	if strings.Contains(answer.Body.String(), "secret") || feed.Updated == "" {
		t.Errorf("%s", answer.Body)
	}
}

// TestEmbed may stand in a frame anywhere, and knows no visitor.
func TestEmbed(t *testing.T) {
	w := newTown(t).furnish()
	answer := w.get("/embed/tournaments/ladder", "p8")
	policy := answer.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors *") || strings.Contains(policy, "unsafe") ||
		answer.Header().Get("X-Frame-Options") != "" {
		t.Errorf("%q", policy)
	}
	if answer.Header().Get("Set-Cookie") != "" || answer.Body.String() != w.page("/embed/tournaments/ladder", "") {
		t.Error("the frame knows who looks at it")
	}
	if strings.Contains(w.get("/tournaments/ladder", "").Header().Get("Content-Security-Policy"), "ancestors *") {
		t.Error("every page may be framed")
	}
}

func TestPictureOfATournament(t *testing.T) {
	w := newTown(t).furnish()
	w.tournaments["tuesday"].Name = strings.Repeat("A very long name of a tournament ", 6)
	for _, id := range []string{"tuesday", "winter", "tables"} {
		answer := w.get("/tournaments/"+id+"/picture.png", "p8")
		drawn, err := png.Decode(bytes.NewReader(answer.Body.Bytes()))
		if err != nil || drawn.Bounds().Dx() != kit.PictureWidth || drawn.Bounds().Dy() != kit.PictureHeight {
			t.Fatalf("%s: %v", id, err)
		}
		inks := map[uint32]bool{}
		for x := range kit.PictureWidth {
			for y := range kit.PictureHeight {
				r, _, _, _ := drawn.At(x, y).RGBA()
				inks[r] = true
			}
		}
		if len(inks) < 10 {
			t.Errorf("%s: there is nothing on the picture", id)
		}
	}
}

func TestRobots(t *testing.T) {
	w := newTown(t)
	text := w.page("/robots.txt", "")
	if !strings.HasPrefix(text, "User-agent: *\n") || !strings.Contains(text, "Disallow: /login\n") ||
		strings.Contains(text, "Disallow: /\n") {
		t.Error(text)
	}
}

// TestTheWholePageInEveryLanguage: no text is missing, or shown as its name.
func TestTheWholePageInEveryLanguage(t *testing.T) {
	w := newTown(t).furnish()
	for _, a := range addresses {
		if a.as != "" || strings.Contains(a.path, "login") {
			continue
		}
		for _, language := range []string{"fr", "de"} {
			req := httptest.NewRequest(http.MethodGet, a.path, nil)
			req.Header.Set("Accept-Language", language)
			answer := httptest.NewRecorder()
			w.echo.ServeHTTP(answer, req)
			if answer.Code != http.StatusOK {
				t.Errorf("%s in %s answers %d", a.path, language, answer.Code)
			}
			for _, area := range []string{">tie_breaks.", ">history.", ">knockout.", ">prizes.", ">tournament.", ">feed."} {
				if strings.Contains(answer.Body.String(), area) {
					t.Errorf("%s in %s has no text for %s…", a.path, language, area)
				}
			}
		}
	}
}

// TestTheRunningHeadOfPaper is for those who may see the tournament, and no name gets out of its string.
func TestTheRunningHeadOfPaper(t *testing.T) {
	w := newTown(t).furnish()
	w.tournaments["ladder"].Name = `Sharp "name"; } body { color: red } \` + strings.Repeat("x", 100)
	for _, kind := range []string{"entries", "standings", "pairings"} {
		answer := w.get("/tournaments/ladder/print/"+kind+"/head.css", "")
		css := answer.Body.String()
		if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "text/css; charset=utf-8" ||
			strings.Count(css, `"`) != 4 || strings.Contains(css, strings.Repeat("x", 60)) ||
			!strings.Contains(css, `"Sharp \000022name\000022\00003b \00007d body`) {
			t.Errorf("%s: %d %s", kind, answer.Code, css)
		}
		page := "/tournaments/ladder/print/" + kind
		if html := w.page(page, ""); !strings.Contains(html, `href="`+page+`/head.css`) {
			t.Errorf("%s has no running head", kind)
		}
	}
	w.tournaments["ladder"].Status = tournament.Draft
	if answer := w.get("/tournaments/ladder/print/entries/head.css", ""); answer.Code != http.StatusNotFound ||
		strings.Contains(answer.Body.String(), "Sharp") {
		t.Errorf("a draft: %d %s", answer.Code, answer.Body)
	}
}
