package api_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"quatuor/tournament/account"
)

// listed matches what makes a page a list.
var listed = regexp.MustCompile(`<tbody|<ul class="rows|desk-entries|<ol class="rows`)

// csvLink matches a link to a list as a file.
var csvLink = regexp.MustCompile(`href="(/api/v1/[^"]*format=csv[^"]*)"`)

// withoutCSV are the pages with lists that nobody takes to a spreadsheet, by the reason.
var withoutCSV = map[string]string{
	`^/$|^/tournaments/new`:                                    "parts of other lists",
	`/(live|wall|print|embed|history|why)|^/wall|^/embed`:      "the same lists on a wall, on paper, in other sites, or as a log of acts",
	`^/games/|^/play|^/results/|^/r/`:                          "one game or board",
	`^/me|^/admin|^/login|^/register`:                          "accounts, tokens, sessions and the log: no lists of a club's play, and private",
	`/desk`:                                                    "what an arbiter does; entries, rounds and standings are on the tournament's tabs",
	`^/(rules|help|problems|privacy|design|analysis|board)`:    "texts",
	`^/ratings$`:                                               "links to the rating lists",
	`/tournaments/[^/]+/(players/|standings/|reasons|explain)`: "one entry's card, and explanations",
	`^/seasons(\?|$)|^/seasons/[^/]+/players/`:                 "links to seasons with the winners of their parts; one member's figures",
	`\?tab=info`:                                               "links and settings",
}

// TestEveryListHasAFile walks the pages: each with a list has it as CSV, or a reason why not. Each file is one.
func TestEveryListHasAFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := playGoldenEvening(t)
		guest, olga := e.s.visitor(), e.s.visits("olga")
		links, used := map[string]bool{}, map[string]bool{}
		for _, path := range e.pages(t) {
			page := olga.get(path)
			if page.status != http.StatusOK || !strings.Contains(page.header.Get("Content-Type"), "html") {
				continue
			}
			_, main, _ := strings.Cut(string(page.raw), "<main")
			found := csvLink.FindAllStringSubmatch(main, -1)
			for _, link := range found {
				links[unescape.Replace(link[1])] = true
			}
			if len(found) > 0 || !listed.MatchString(main) {
				continue
			}
			reason := ""
			for pattern, why := range withoutCSV {
				if regexp.MustCompile(pattern).MatchString(path) {
					reason, used[pattern] = why, true
				}
			}
			if reason == "" {
				t.Errorf("%s shows a list, and has no CSV", path)
			}
		}
		if len(links) < 12 {
			t.Errorf("only %d files: %v", len(links), links)
		}
		for link := range links {
			file := olga.get(link).want(t, http.StatusOK)
			rows, err := csv.NewReader(strings.NewReader(string(file.raw))).ReadAll()
			if kind := file.header.Get("Content-Type"); err != nil || len(rows) < 1 || !strings.HasPrefix(kind, "text/csv") {
				t.Errorf("%s: %d rows, %v, %s", link, len(rows), err, kind)
			}
			if strings.Contains(link, "/games/export") {
				guest.get(link).want(t, http.StatusUnauthorized)
				continue
			}
			guest.get(link).want(t, map[bool]int{false: http.StatusOK, true: http.StatusNotFound}[strings.Contains(link, strings.TrimPrefix(e.names["draft"], "/"))]).
				lacksYears(t)
		}
	})
}

// TestFilesOfATournamentHideWhatPagesHide: an unpublished round, and drafts.
func TestFilesOfATournamentHideWhatPagesHide(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	id := olga.draft("Secret")
	export := "/tournaments/" + id + "/export?format=csv&table="
	for _, name := range []string{"Anna", "=Bert", "Cleo", "Dora"} {
		olga.post("/tournaments/"+id+"/entries", map[string]any{"name": name, "club": "@Club"}).want(t, http.StatusCreated)
	}
	for _, table := range []string{"standings", "pairings", "crosstable", "entries", "prizes"} {
		s.anonymous().get(export+table).refused(t, http.StatusNotFound, "not-found")
	}
	olga.get(export+"entries").want(t, http.StatusOK).has(t, "number,name,club,rating,status,present,players\r\n", ",Anna,'@Club,", "'=Bert")
	olga.send(http.MethodPatch, "/tournaments/"+id, map[string]any{"rounds": 2, "venue": "hall"}, anyVersion).want(t, http.StatusOK)
	olga.post("/tournaments/"+id+"/start", nil).want(t, http.StatusOK)
	olga.post("/tournaments/"+id+"/rounds", nil).want(t, http.StatusCreated)
	for _, p := range []person{olga, s.anonymous()} {
		lines := string(p.get(export+"pairings").want(t, http.StatusOK).raw)
		if published := strings.Count(lines, "\r\n") > 1; published != (olga.get("/tournaments/"+id+"/rounds/1").text("status") != "paired") {
			t.Errorf("a round that is not published is in the file, or one that is is not: %s", lines)
		}
	}
	crosstable := s.anonymous().get(export+"crosstable").want(t, http.StatusOK).has(t, "rank,number,name,")
	if fmt.Sprint(crosstable.header.Get("Content-Disposition")) != `attachment; filename=Secret-crosstable.csv` {
		t.Errorf("%v", crosstable.header)
	}
}
