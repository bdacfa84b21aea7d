package readers_test

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	ics "github.com/arran4/golang-ical"

	"quatuor/api/apitest"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestStandingsSayHowManyResultsTheyCount: 60 of 100 results of a round are not the standings after it.
func TestStandingsSayHowManyResultsTheyCount(t *testing.T) {
	f := apitest.NewFixture(t)
	crowd := apitest.Crowd(200)
	last := &crowd.Rounds[8]
	last.Status = tournament.Published
	for i := range last.Pairings[60:] {
		last.Pairings[60+i].Result = nil
	}
	f.Put(crowd)
	for _, path := range []string{
		"?tab=standings", "?tab=round", "?tab=crosstable", "/crosstable", "/standings/1",
		"/players/1", "/wall", "/print/standings", "/print/crosstable",
	} {
		f.Get("/tournaments/crowd"+path, "").Want(t, http.StatusOK).
			Has(t, "after 60 of 100 results of round 9").Lacks(t, "after round 9")
	}
	f.Get("/tournaments/crowd?tab=standings&round=8", "").Has(t, "after round 8</small>")
}

// TestLongListsAreCut by the style sheet, with a way to all of it; a row that was looked for stays.
func TestLongListsAreCut(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Put(apitest.Crowd(200))
	for _, at := range []string{"round", "standings", "players", "crosstable"} {
		cut, whole := f.Page("/tournaments/crowd?tab="+at, ""), f.Page("/tournaments/crowd?all=1&tab="+at, "")
		if !strings.Contains(cut, ` short"`) || !strings.Contains(cut, "all=1") || strings.Contains(whole, ` short"`) {
			t.Errorf("%s is not cut, or not whole where that is asked for", at)
		}
	}
}

// TestCalendar reads the calendar as a calendar program does.
func TestCalendar(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Change("tuesday", func(tuesday *tournament.Tournament) {
		tuesday.Name = "Tuesday; evening,\r\nBEGIN:VEVENT"
		for i := range tuesday.Rounds {
			tuesday.Rounds[i].PublishedAt = f.Millis() + int64(i)*3600_000
		}
		tuesday.Rounds[2].Status = tournament.Paired // not published
	})
	answer := f.Get("/tournaments/tuesday.ics", "p8").Want(t, http.StatusOK)
	if kind := answer.Header.Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
		t.Errorf("it is %s", kind)
	}
	cal, err := ics.ParseCalendar(strings.NewReader(string(answer.Raw)))
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
	if n := strings.Count(string(answer.Raw), "\r\nBEGIN:VEVENT"); n != 3 {
		t.Errorf("%d events; a name made one of its own", n)
	}
	f.Get("/tournaments/tuesday.ics", "", apitest.Header{"If-None-Match", answer.Header.Get("ETag")}).
		Want(t, http.StatusNotModified)
}

// TestFeed: a feed has published rounds and results only, the latest first.
func TestFeed(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Change("ladder", func(ladder *tournament.Tournament) {
		for i := range ladder.Rounds {
			ladder.Rounds[i].PublishedAt = f.Millis() + int64(i)
		}
	})
	won := &tournament.Result{Ranks: []int{1, 2}, Points: []tournament.Points{10, 0}}
	f.Record([]tournament.Change{
		{Round: 1, Board: 1, After: won, At: f.Millis() + 10, By: "p8", Why: "a secret reason"},
		{Round: 3, Board: 1, After: won, At: f.Millis() + 20},
	})
	answer := f.Get("/tournaments/ladder.atom", "p8")
	var feed struct {
		Updated string `xml:"updated"`
		Entries []struct {
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(answer.Raw, &feed); err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, e := range feed.Entries {
		titles = append(titles, e.Title)
	}
	want := []string{
		"Round 1, board 1: Ada Lovelace – Charles Babbage 1 – 0", "Round 2 is published", "Round 1 is published",
		"Round 1, board 1: Ada Lovelace – Charles Babbage 0 – 1", "Round 1, board 1: Ada Lovelace – Charles Babbage 1 – 0",
	}
	if !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
	if strings.Contains(string(answer.Raw), "secret") || feed.Updated == "" {
		t.Errorf("%s", answer.Raw)
	}
}

// TestEmbed: the page may be framed anywhere, and knows no visitor.
func TestEmbed(t *testing.T) {
	f := apitest.NewFurnished(t)
	answer := f.Get("/embed/tournaments/ladder", "p8")
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors *") || strings.Contains(policy, "unsafe") ||
		answer.Header.Get("X-Frame-Options") != "" {
		t.Errorf("%q", policy)
	}
	if answer.Header.Get("Set-Cookie") != "" || string(answer.Raw) != f.Page("/embed/tournaments/ladder", "") {
		t.Error("the frame knows who looks at it")
	}
	if strings.Contains(f.Get("/tournaments/ladder", "").Header.Get("Content-Security-Policy"), "ancestors *") {
		t.Error("every page may be framed")
	}
}

func TestPictureOfATournament(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Change("tuesday", func(t *tournament.Tournament) { t.Name = strings.Repeat("A very long name of a tournament ", 6) })
	for _, id := range []string{"tuesday", "winter", "tables"} {
		answer := f.Get("/tournaments/"+id+"/picture.png", "p8")
		drawn, err := png.Decode(bytes.NewReader(answer.Raw))
		if err != nil || drawn.Bounds().Dx() != kit.PictureWidth || drawn.Bounds().Dy() != kit.PictureHeight {
			t.Fatalf("%s: %v", id, err)
		}
		inks := map[uint16]bool{}
		for ink := range apitest.ColorsOf(drawn, drawn.Bounds()) {
			inks[ink.R] = true
		}
		if len(inks) < 10 {
			t.Errorf("%s: there is nothing on the picture", id)
		}
	}
}

func TestRobots(t *testing.T) {
	f := apitest.NewFurnished(t)
	text := f.Page("/robots.txt", "")
	if !strings.HasPrefix(text, "User-agent: *\n") || !strings.Contains(text, "Disallow: /login\n") ||
		strings.Contains(text, "Disallow: /\n") {
		t.Error(text)
	}
}

// TestTheRunningHeadOfPaper: the head is for readers with a right to the tournament, and no name gets out of its
// string.
func TestTheRunningHeadOfPaper(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Change("ladder", func(t *tournament.Tournament) {
		t.Name = `Sharp "name"; } body { color: red } \` + strings.Repeat("x", 100)
	})
	for _, kind := range []string{"entries", "standings", "pairings"} {
		answer := f.Get("/tournaments/ladder/print/"+kind+"/head.css", "")
		css := string(answer.Raw)
		if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "text/css; charset=utf-8" ||
			strings.Count(css, `"`) != 4 || strings.Contains(css, strings.Repeat("x", 60)) ||
			!strings.Contains(css, `"Sharp \000022name\000022\00003b \00007d body`) {
			t.Errorf("%s: %d %s", kind, answer.Status, css)
		}
		page := "/tournaments/ladder/print/" + kind
		f.Get(page, "").Want(t, http.StatusOK).Has(t, `href="`+page+`/head.css`)
	}
	f.Change("ladder", func(t *tournament.Tournament) { t.Status = tournament.Draft })
	f.Get("/tournaments/ladder/print/entries/head.css", "").Want(t, http.StatusNotFound).Lacks(t, "Sharp")
}
