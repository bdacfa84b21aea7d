package api_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// listed matches what makes a page a list.
var listed = regexp.MustCompile(`<tbody|<ul class="rows|desk-entries|<ol class="rows`)

// csvLink matches a link to a list as a file.
var csvLink = regexp.MustCompile(`href="(/api/v1/[^"]*format=csv[^"]*)"`)

// withoutCSV are the pages with lists that are of no use in a spreadsheet, with the reason.
var withoutCSV = map[string]string{
	`^/$|^/tournaments/new`:                                    "parts of other lists",
	`/(live|wall|print|embed|history|why)|^/wall|^/embed`:      "the same lists on a wall, on paper, in other sites, or as a log of acts",
	`^/games/|^/play|^/results/|^/r/`:                          "one game or board",
	`^/me|^/admin|^/login|^/register`:                          "accounts, tokens, sessions and the log: no lists of a club's play, and private",
	`/desk`:                                                    "what an arbiter does; entries, rounds and standings are on the tournament's tabs",
	`^/(rules|help|problems|privacy|design|analysis|board)`:    "texts",
	`^/ratings$`:                                               "links to the rating lists",
	`/tournaments/[^/]+/(players/|standings/|reasons|explain)`: "one entry's card, and explanations",
	`^/leagues/`:                                               "a draft, whose divisions are a file once it is confirmed",
	`^/seasons(\?|$)|^/seasons/[^/]+/players/`:                 "links to seasons with the winners of their parts; one member's figures",
	`\?tab=info`:                                               "links and settings",
}

// TestEveryListHasAFile walks the pages: each with a list has it as CSV, or a reason why not. Each file is valid CSV.
func TestEveryListHasAFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := playGoldenEvening(t)
		guest, olga := e.s.Visitor(), e.s.LoggedIn("olga")
		links, used := map[string]bool{}, map[string]bool{}
		for _, path := range e.pages(t) {
			page := olga.Get(path)
			if page.Status != http.StatusOK || !strings.Contains(page.Header.Get("Content-Type"), "html") {
				continue
			}
			_, main, _ := strings.Cut(string(page.Raw), "<main")
			found := csvLink.FindAllStringSubmatch(main, -1)
			for _, link := range found {
				links[apitest.Unescape.Replace(link[1])] = true
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
			file := olga.Get(link).Want(t, http.StatusOK)
			rows, err := csv.NewReader(strings.NewReader(string(file.Raw))).ReadAll()
			if kind := file.Header.Get("Content-Type"); err != nil || len(rows) < 1 || !strings.HasPrefix(kind, "text/csv") {
				t.Errorf("%s: %d rows, %v, %s", link, len(rows), err, kind)
			}
			if strings.Contains(link, "/games/export") {
				guest.Get(link).Want(t, http.StatusUnauthorized)
				continue
			}
			guest.Get(link).Want(t, map[bool]int{false: http.StatusOK, true: http.StatusNotFound}[strings.Contains(link, strings.TrimPrefix(e.names["draft"], "/"))]).
				LacksYears(t)
		}
	})
}

// TestFilesOfATournamentHideWhatPagesHide: an unpublished round, and drafts.
func TestFilesOfATournamentHideWhatPagesHide(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	id := olga.Draft("Secret")
	export := "/tournaments/" + id + "/export?format=csv&table="
	for _, name := range []string{"Anna", "=Bert", "Cleo", "Dora"} {
		olga.Post("/tournaments/"+id+"/entries", map[string]any{"name": name, "club": "@Club"}).Want(t, http.StatusCreated)
	}
	for _, table := range []string{"standings", "pairings", "crosstable", "entries", "prizes"} {
		s.Anonymous().Get(export+table).Refused(t, http.StatusNotFound, "not-found")
	}
	olga.Get(export+"entries").Want(t, http.StatusOK).Has(t, "number,name,club,rating,status,present,players\r\n", ",Anna,'@Club,", "'=Bert")
	olga.Send(http.MethodPatch, "/tournaments/"+id, map[string]any{"rounds": 2, "venue": "hall"}, apitest.AnyVersion).
		Want(t, http.StatusOK)
	olga.Post("/tournaments/"+id+"/start", nil).Want(t, http.StatusOK)
	olga.Post("/tournaments/"+id+"/rounds", nil).Want(t, http.StatusCreated)
	for _, p := range []apitest.Person{olga, s.Anonymous()} {
		lines := string(p.Get(export+"pairings").Want(t, http.StatusOK).Raw)
		if published := strings.Count(lines, "\r\n") > 1; published != (olga.Get("/tournaments/"+id+"/rounds/1").Text("status") != "paired") {
			t.Errorf("a round that is not published is in the file, or one that is is not: %s", lines)
		}
	}
	crosstable := s.Anonymous().Get(export+"crosstable").Want(t, http.StatusOK).Has(t, "rank,number,name,")
	if fmt.Sprint(crosstable.Header.Get("Content-Disposition")) != `attachment; filename=Secret-crosstable.csv` {
		t.Errorf("%v", crosstable.Header)
	}
}
